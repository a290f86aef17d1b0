"""Compares what two benchmark reports say besides times.

usage: compare-benchmarks.py A.json B.json
"""

import json
import sys


def describe(report):
    keys = ("name", "kind", "calls_per_step", "bytes", "flops")
    head = [report[key] for key in ("model", "batch", "micro_batch")]
    return head, sorted([call[key] for key in keys] for call in report["kernels"])


a, b = (json.load(open(path)) for path in sys.argv[1:])
for report in a, b:
    keys = {key for call in report["kernels"] for key in call}
    assert keys == {"name", "kind", "sources", "calls_per_step", "seconds",
                    "bytes", "flops", "gb_per_s", "gflop_per_s", "share"}, keys
    assert report["step_seconds"] > 0
if describe(a) != describe(b):
    sys.exit(f"{describe(a)}\n{describe(b)}")
print(f"{a['target']} and {b['target']}: {len(a['kernels'])} entries agree")
