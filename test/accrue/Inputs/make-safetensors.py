"""Writes a safetensors file: make-safetensors.py FILE NAME=TYPE:SHAPE:VALUES...

TYPE is F16, BF16, F32, F64 or I64, SHAPE is extents joined by commas, VALUES are
numbers joined by commas, repeated as often as needed.
"""

import json
import struct
import sys

path, *tensors = sys.argv[1:]
header, data = {}, b""
for text in tensors:
    name, rest = text.split("=")
    kind, shape, values = rest.split(":")
    extents = [int(extent) for extent in shape.split(",") if extent]
    count = 1
    for extent in extents:
        count *= extent
    numbers = [float(value) for value in values.split(",")]
    numbers = [numbers[i % len(numbers)] for i in range(count)]
    if kind == "BF16":
        # Of numbers that need no rounding.
        raw = b"".join(struct.pack("<f", number)[2:] for number in numbers)
    elif kind == "I64":
        raw = struct.pack(f"<{count}q", *map(int, numbers))
    else:
        code = {"F16": "e", "F32": "f", "F64": "d"}[kind]
        raw = struct.pack(f"<{count}{code}", *numbers)
    header[name] = {"dtype": kind, "shape": extents, "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(path, "wb") as out:
    out.write(struct.pack("<Q", len(text)) + text + data)
