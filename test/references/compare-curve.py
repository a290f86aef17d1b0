"""Compares the losses of a log with a stored curve.

usage: compare-curve.py CURVE.json LOG.jsonl TOLERANCE
"""

import json
import sys


def main(curve, log, tolerance):
    with open(curve) as file:
        expected = json.load(file)["loss"]
    with open(log) as file:
        got = [json.loads(line)["loss"] for line in file]
    if len(got) != len(expected):
        sys.exit(f"expected {len(expected)} steps, got {len(got)}")
    differences = [abs(a - b) / b for a, b in zip(got, expected)]
    worst = max(range(len(got)), key=lambda i: differences[i])
    print(f"{len(got)} steps, largest relative difference "
          f"{differences[worst]:.1e} at step {worst + 1}")
    if differences[worst] > tolerance:
        print(f"step {worst + 1}: expected {expected[worst]}, got {got[worst]}")
        sys.exit(1)
    print(f"equal within {tolerance:g}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
