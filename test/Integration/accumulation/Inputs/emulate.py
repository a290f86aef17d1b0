"""Trains a program on the emulator, from the inputs that are stored beside it.

usage: EMULATE=COMPILER emulate.py PROGRAM.acr FOLDER OPTION...

See train-on-emulator.sh.
"""

import json
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
tests = os.path.dirname(os.path.dirname(os.path.dirname(here)))
sys.path.insert(0, os.path.join(tests, "references"))
sys.path.insert(0, os.path.dirname(here))
from check import flatten
from tensorfile import Tensor, write_npy

TYPES = {"f32": "F32", "i32": "I32", "i1": "BOOL"}


def main(program, folder, *options):
    with open(program) as file:
        inputs = re.search(r"^model \w+\(([^)]*)\)", file.read(), re.M)[1]
    with open(os.path.splitext(program)[0] + ".json") as file:
        arguments = json.load(file)["arguments"]
    os.makedirs(folder, exist_ok=True)
    data = []
    for name, type in re.findall(r"(\w+): (\w+)\[", inputs):
        path = os.path.abspath(os.path.join(folder, name + ".npy"))
        write_npy(path, Tensor(TYPES[type], *flatten(arguments[name])))
        data.append(f"{name}={path}")
    script = os.path.join(tests, "Integration", "cuda", "Inputs",
                          "train-on-emulator.sh")
    return subprocess.run(["bash", script, os.path.join(folder, "run"),
                           os.path.abspath(program), ",".join(data), "2",
                           *options]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
