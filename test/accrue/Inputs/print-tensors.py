"""Prints tensors of a safetensors file: print-tensors.py FILE NAME...

One line per name, `NAME: 1 2.5`, or `NAME: none`; of names that end in `*`, how
many there are. Numbers have 5 digits after the point.
"""

import json
import struct
import sys

path, *names = sys.argv[1:]
with open(path, "rb") as file:
    data = file.read()
length = struct.unpack("<Q", data[:8])[0]
header = json.loads(data[8 : 8 + length])
body = data[8 + length :]
codes = {"F32": "f", "F64": "d", "I64": "q"}
for name in names:
    if name.endswith("*"):
        print(f"{name}: {sum(key.startswith(name[:-1]) for key in header)}")
    elif name not in header:
        print(f"{name}: none")
    else:
        begin, end = header[name]["data_offsets"]
        code = codes[header[name]["dtype"]]
        values = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}", body[begin:end])
        print(f"{name}:", *(f"{round(value, 5) + 0:g}" for value in values))
