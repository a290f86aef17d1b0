"""Prints the integers that a checkpoint holds: print-state.py FILE."""

import json
import struct
import sys

with open(sys.argv[1], "rb") as file:
    length = struct.unpack("<Q", file.read(8))[0]
    header = json.loads(file.read(length))
    data = file.read()
for name in sorted(header):
    if name != "__metadata__" and header[name]["dtype"] == "I64":
        begin, end = header[name]["data_offsets"]
        print(name, struct.unpack(f"<{(end - begin) // 8}q", data[begin:end]))
