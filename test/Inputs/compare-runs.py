"""Compares two training runs: logs (.jsonl) and weights (.safetensors).

usage: compare-runs.py REFERENCE RUN [REFERENCE RUN ...] [--tolerance 1e-5]

Each pair is two logs or two files of weights. Logs must have the same lines
with the same keys in the same order; what is counted must be equal, what is
computed within the tolerance relative to the reference; seconds are left
aside. Files of weights must have the same tensors; the error of one is
max|run - reference| / max(1e-6, max|reference|). Prints the largest error of
every key and tensor; exit status 1 where something differs.
"""

import array
import json
import math
import struct
import sys

EXACT = {"batch", "epoch", "samples", "spike", "lr", "skipped"}


class Comparison:
    def __init__(self, tolerance):
        self.tolerance = tolerance
        self.errors = {}
        self.failures = []

    def fail(self, message):
        self.failures.append(message)

    def number(self, name, where, reference, run):
        if reference is None or run is None:
            # Numbers that are not finite are null.
            if reference is not run:
                self.fail(f"{where}: {name}: expected {reference}, got {run}")
            return
        error = abs(run - reference) / max(1e-6, abs(reference))
        self.record(name, where, error)

    def record(self, name, where, error):
        if not error <= self.errors.setdefault(name, 0.0):
            self.errors[name] = error
        if not error <= self.tolerance:
            self.fail(f"{where}: {name}: error {error:.2e}")

    def line(self, where, reference, run, prefix=""):
        """Compares two objects of a log."""
        if list(reference) != list(run):
            self.fail(f"{where}: expected the keys {list(reference)}, got "
                      f"{list(run)}")
            return
        for key, expected in reference.items():
            actual = run[key]
            if isinstance(expected, dict):
                self.line(where, expected, actual, f"{prefix}{key}.")
            elif key in EXACT and not prefix:
                self.errors.setdefault(key, 0.0)
                if expected != actual:
                    self.fail(f"{where}: {key}: expected {expected}, got "
                              f"{actual}")
            elif key != "seconds" or prefix:
                self.number(prefix + key, where, expected, actual)

    def logs(self, reference_path, run_path):
        reference, run = read_log(reference_path), read_log(run_path)
        if len(reference) != len(run):
            self.fail(f"{run_path}: expected {len(reference)} lines, got "
                      f"{len(run)}")
        for number, (a, b) in enumerate(zip(reference, run), 1):
            self.line(f"{run_path}:{number}", a, b)

    def weights(self, reference_path, run_path):
        reference, run = read_weights(reference_path), read_weights(run_path)
        if set(reference) != set(run):
            self.fail(f"{run_path}: expected the tensors {sorted(reference)}, "
                      f"got {sorted(run)}")
            return
        for name, (dtype, shape, expected) in reference.items():
            if (dtype, shape) != run[name][:2]:
                self.fail(f"{run_path}: {name}: expected {dtype} {shape}, got "
                          f"{run[name][0]} {run[name][1]}")
                continue
            actual = run[name][2]
            difference, largest = 0.0, 0.0
            for a, b in zip(expected, actual):
                if not (math.isfinite(a) and math.isfinite(b)):
                    if not (a == b or (a != a and b != b)):
                        difference = math.inf
                    continue
                difference = max(difference, abs(a - b))
                largest = max(largest, abs(a))
            self.record(name, run_path, difference / max(1e-6, largest))


def read_log(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def decode(dtype, data):
    """The numbers of little-endian `data`."""
    codes = {"F64": "d", "F32": "f", "I64": "q", "U64": "Q", "I32": "i",
             "U32": "I", "I16": "h", "U16": "H", "I8": "b", "U8": "B",
             "BOOL": "B"}
    if dtype == "F16":
        return [v for (v,) in struct.iter_unpack("<e", data)]
    if dtype == "BF16":
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0]
                for i in range(0, len(data), 2)]
    values = array.array(codes[dtype])
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def read_weights(path):
    """Name to type, shape and numbers."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    tensors = {}
    for name, info in header.items():
        if name != "__metadata__":
            begin, end = info["data_offsets"]
            tensors[name] = (info["dtype"], info["shape"],
                             decode(info["dtype"], data[begin:end]))
    return tensors


def main(arguments):
    tolerance = 1e-5
    if "--tolerance" in arguments:
        at = arguments.index("--tolerance")
        tolerance = float(arguments[at + 1])
        del arguments[at:at + 2]
    if not arguments or len(arguments) % 2:
        sys.exit(__doc__)
    comparison = Comparison(tolerance)
    for reference, run in zip(arguments[::2], arguments[1::2]):
        if reference.endswith(".jsonl"):
            comparison.logs(reference, run)
        else:
            comparison.weights(reference, run)
    for name, error in comparison.errors.items():
        print(f"{name:<24} {error:.1e}")
    for failure in comparison.failures[:20]:
        print(f"error: {failure}")
    if comparison.failures:
        print("different")
        return 1
    print(f"same within {tolerance:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
