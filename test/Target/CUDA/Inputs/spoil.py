"""Writes broken variants of a checkpoint beside it, and one with weights only.

usage: spoil.py SAVED.safetensors
"""

import json
import os
import struct
import sys

path = sys.argv[1]
folder = os.path.dirname(path)
with open(path, "rb") as file:
    contents = file.read()
(length,) = struct.unpack("<Q", contents[:8])
header, data = contents[8 : 8 + length], contents[8 + length :]


def write(name, header, data):
    if not isinstance(header, bytes):
        header = json.dumps(header, indent=1).encode()
    with open(os.path.join(folder, name + ".safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + data)


def change(**entry):
    changed = json.loads(header)
    changed["fc1.bias"].update(entry)
    return changed


tensors = json.loads(header)
write("cut", header, data[:-1])
write("header", header[:-40], data)
write("shape", change(shape=[64, 2]), data)
write("type", change(dtype="I32"), data)
write("gap", change(data_offsets=[32769, 33281]), data)
write("twice", header.replace(b'"fc1.bias"', b'"fc2.bias"'), data)
renamed = {k.replace("fc1.bias", "fc3.bias"): v for k, v in tensors.items()}
write("name", renamed, data)
weights = {k: v for k, v in tensors.items() if k.startswith("fc")}
end = max(v["data_offsets"][1] for v in weights.values())
# Names may be spelled with escapes.
text = json.dumps(weights).replace('"fc1.bias"', '"fc1\\u002ebias"')
write("weights", text.encode(), data[:end])
counter = dict(weights)
size = tensors["state/step"]
counter["state/step"] = dict(size, data_offsets=[end, end + 8])
write("part", counter, data[:end] + data[-8:])
