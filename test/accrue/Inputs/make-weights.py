"""Writes the parameter `classes` = 0, 1, ..., 7 as safetensors to argv[1]."""
import json
import struct
import sys

header = json.dumps({"classes": {"dtype": "F32", "shape": [8],
                                 "data_offsets": [0, 32]}}).encode()
header += b" " * (-len(header) % 8)
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header)
    file.write(struct.pack("<8f", *range(8)))
