"""Writes a .npy file of f32 with one row that differs.

usage: make-row.py FILE SHAPE VALUE ROW VALUES

All elements are VALUE, but those of row ROW (of the last dimension), which are
VALUES.
"""

import os
import subprocess
import sys

path, shape, value, row, values = sys.argv[1:]
extents = [int(extent) for extent in shape.split(",")]
rows = 1
for extent in extents[:-1]:
    rows *= extent
plain = ",".join([value] * extents[-1])
elements = [plain] * rows
elements[int(row)] = values
script = os.path.join(os.path.dirname(__file__), "make-npy.py")
subprocess.run([sys.executable, script, path, "f", shape, ",".join(elements)],
               check=True)
