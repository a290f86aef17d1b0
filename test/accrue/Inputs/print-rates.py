"""Prints the learning rates of a log in one line, then the number w.

usage: print-rates.py LOG WEIGHTS
"""

import json
import os
import subprocess
import sys

log, weights = sys.argv[1:]
with open(log) as file:
    print(*(f"{json.loads(line)['lr']:g}" for line in file), flush=True)
script = os.path.join(os.path.dirname(__file__), "print-tensors.py")
subprocess.run([sys.executable, script, weights, "w"], check=True)
