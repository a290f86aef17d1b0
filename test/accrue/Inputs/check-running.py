"""Checks the state that runs of running.acr have saved after `steps` steps of
all samples each, by its definition in double precision.

check-running.py DATA.npy STEPS CHECKPOINT...
"""

import json
import struct
import sys


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10 : 10 + length])  # a literal of the format
    body = data[10 + length :]
    return header["shape"], struct.unpack(f"<{len(body) // 4}f", body)


def read_safetensors(path):
    with open(path, "rb") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(length))
        data = file.read()
    codes = {"F32": ("f", 4), "I64": ("q", 8)}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        code, size = codes[entry["dtype"]]
        begin, end = entry["data_offsets"]
        count = (end - begin) // size
        tensors[name] = struct.unpack(f"<{count}{code}", data[begin:end])
    return tensors


def expect(shape, values, steps):
    samples, channels, positions = shape
    count = samples * positions
    result = {"mean": [], "var": []}
    for channel in range(channels):
        elements = [
            values[(sample * channels + channel) * positions + position]
            for sample in range(samples)
            for position in range(positions)
        ]
        average = sum(elements) / count
        variance = sum((x - average) ** 2 for x in elements) / (count - 1)
        mean, var = 0.0, 1.0
        for _ in range(steps):
            mean = 0.9 * mean + 0.1 * average
            var = 0.9 * var + 0.1 * variance
        result["mean"].append(mean)
        result["var"].append(var)
    return result


def main():
    shape, values = read_npy(sys.argv[1])
    steps = int(sys.argv[2])
    expected = expect(shape, values, steps)
    for path in sys.argv[3:]:
        tensors = read_safetensors(path)
        for key, name in (("mean", "running_mean"), ("var", "running_var")):
            got = tensors[f"state/norm.{name}"]
            scale = max(1e-6, max(abs(x) for x in expected[key]))
            error = max(abs(a - b) for a, b in zip(got, expected[key])) / scale
            print(f"{name} {error:.1e}", "ok" if error < 1e-5 else "WRONG")
        print("batches", tensors["state/norm.num_batches_tracked"][0])
        print("left", tensors["state/left"], "right", tensors["state/right"])


main()
