"""Writes a .npy file without numpy: make-npy.py FILE TYPE SHAPE [VALUES].

TYPE is a struct code (f, d, i, q), SHAPE is extents joined by commas, VALUES
are numbers joined by commas, repeated as often as needed (default 0).
"""

import struct
import sys

path, code, shape = sys.argv[1:4]
values = [float(v) for v in (sys.argv[4] if len(sys.argv) > 4 else "0").split(",")]
extents = [int(e) for e in shape.split(",")]
count = 1
for extent in extents:
    count *= extent
descr = {"f": "<f4", "d": "<f8", "i": "<i4", "q": "<i8"}[code]
header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(extents)}, }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
convert = float if code in "fd" else int
data = [convert(values[i % len(values)]) for i in range(count)]
with open(path, "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    out.write(header.encode() + struct.pack(f"<{count}{code}", *data))
