"""Fails unless files of numbers agree within 1e-5 relative, and go down."""

import sys

first, *others = ([float(line) for line in open(path)] for path in sys.argv[1:])
assert len(first) == 20 and first[-1] < first[0], first
for other in others:
    for a, b in zip(first, other, strict=True):
        assert abs(a - b) <= 1e-5 * abs(a), (a, b)
