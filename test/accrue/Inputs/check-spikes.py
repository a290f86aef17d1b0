"""Checks median, spike and clipping in a log: check-spikes.py FILE CLIP_NORM.

The median is that of up to 100 norms before the line, a spike is more than 5
times that, of at least 20 norms.
"""

import json
import statistics
import sys

with open(sys.argv[1]) as file:
    lines = [json.loads(line) for line in file]
limit = float(sys.argv[2])
history, failures, spikes, clipped = [], 0, 0, 0
for line in lines:
    median = statistics.median(history[-100:]) if history else None
    norm = line["grad_norm"]
    spike = len(history) >= 20 and norm > 5 * median
    coefficient = min(1, limit / norm)
    expected = (median, spike)
    if (line["grad_norm_median"], line["spike"]) != expected or \
            abs(line["clip_coef"] - coefficient) > 1e-7:
        print(f"batch {line['batch']}: expected {expected} {coefficient}, got {line}")
        failures += 1
    spikes += spike
    clipped += line["clip_coef"] < 1
    history.append(norm)
print(f"{len(lines)} lines, {spikes} spikes, {clipped} clipped:",
      "failed" if failures else "ok")
sys.exit(failures > 0)
