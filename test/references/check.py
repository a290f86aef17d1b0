"""Compares a model with the values stored beside it.

usage: check.py MODEL.acr FOLDER [--types f32,f64] [--cuda | --evaluate]
                [--splits 'OPTIONS;OPTIONS'] [--set NAME=VALUE]

Trains MODEL.acr from the parameters and data in MODEL.safetensors, by the
interpreter and by the CPU target, in f32 and in f64 (the text of the model with
f64 for f32), as one batch and with the options of each split; with --cuda by
the emitted program on the emulator, which the variable EMULATE builds; with
--evaluate by `accrue eval`, which has loss and metrics only. FOLDER is for
files.

MODEL.safetensors, in f64 and integers, has

  in.NAME     parameters and batch inputs
  out.NAME    loss, grad_norm and metrics, one number, or one per step
  grad.NAME   gradients of the first step
  after.NAME  parameters after the last step

and in its metadata how many `steps`. Gradients are read from the optimizer: in
the first step the slot of `sgd(momentum = 0.5)` is the gradient. Errors are
max|value - reference| / max(1e-6, max|reference|); accepted are 1e-5 in f32 and
1e-10 in f64, or what `tolerance.TYPE.NAME` in the metadata says, with a reason
in `reason.NAME`.
"""

import argparse
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tensorfile import (Tensor, error, read_safetensors, write_npy,
                        write_safetensors)

TOLERANCES = {"f32": 1e-5, "f64": 1e-10}
ATOMS = {"f32": "F32", "f64": "F64"}


class Check:
    def __init__(self, arguments):
        self.folder = arguments.folder
        self.sets = [f"--set={s}" for s in arguments.set]
        path = arguments.model
        self.name = os.path.splitext(os.path.basename(path))[0]
        with open(path) as file:
            self.text = file.read()
        self.stored, self.metadata = read_safetensors(
            os.path.splitext(path)[0] + ".safetensors")
        self.steps = int(self.metadata.get("steps", 1))
        self.failed = False
        os.makedirs(self.folder, exist_ok=True)
        inputs = set(re.findall(
            r"(\w+)\s*:", re.search(r"\bmodel\s+\w+\s*\(([^)]*)\)",
                                    self.text)[1]))
        self.data = []
        for name in sorted(inputs):
            file = os.path.join(self.folder, name + ".npy")
            write_npy(file, self.stored["in." + name])
            self.data.append(f"{name}={file}")
        self.parameters = [name[3:] for name in self.stored
                           if name.startswith("in.") and name[3:] not in inputs]

    def prepare(self, type):
        """Writes the model and its weights in `type`."""
        model = os.path.join(self.folder, f"{self.name}.{type}.acr")
        with open(model, "w") as file:
            file.write(re.sub(r"\bf32\b", type, self.text))
        init = os.path.join(self.folder, f"init.{type}.safetensors")
        write_safetensors(
            init, {name: self.stored["in." + name].convert(ATOMS[type])
                   for name in self.parameters}, {})
        return model, ["--data", ",".join(self.data), "--init", init,
                       "--steps", str(self.steps)]

    def train(self, type, target, split):
        model, options = self.prepare(type)
        stem = os.path.join(self.folder, "run")
        subprocess.run(
            ["accrue", "train", model, "--target", target, *self.sets,
             *split.split(), *options, "--log", stem + ".jsonl", "--save",
             stem + ".safetensors"], check=True, stderr=subprocess.PIPE)
        return stem

    def evaluate(self, type, target):
        """The largest error of loss and metrics of the first weights."""
        model, options = self.prepare(type)
        run = subprocess.run(
            ["accrue", "eval", model, "--target", target, *self.sets,
             *options[:4], "--json"], check=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        got = json.loads(run.stdout)
        title = f"eval {target} {type}"
        for name, expected in self.stored.items():
            if not name.startswith("out.") or name == "out.grad_norm":
                continue
            number = got["loss"] if name == "out.loss" else got["metrics"][name[4:]]
            difference = error(Tensor("F64", (), [number]),
                               Tensor("F64", (), expected.values[:1]))
            print(f"{title:<40} {difference:.1e} ({name})")
            if not difference <= TOLERANCES[type]:
                self.failed = True
                print(f"error: {title}: {name}: {difference:.2e}, expected at "
                      f"most {TOLERANCES[type]:g}")

    def emulate(self, type, split):
        model, options = self.prepare(type)
        source = os.path.join(self.folder, "model.cu")
        subprocess.run(
            ["accrue", "compile", model, *self.sets, *split.split(), "--data",
             options[1], "--emit", "cuda-driver", "--self-contained", "-o",
             source], check=True, stderr=subprocess.PIPE)
        program = os.path.join(self.folder, "model")
        subprocess.run(
            [*os.environ["EMULATE"].split(), source,
             os.path.join(self.folder, "model_main.cpp"), "-o", program,
             "-lAccrueTrainingRuntime", "-lAccrueIO", "-lfmt"], check=True)
        stem = os.path.join(self.folder, "run")
        subprocess.run(
            [program, *options, "--log", stem + ".jsonl", "--save",
             stem + ".safetensors"], check=True, stderr=subprocess.PIPE,
            env={**os.environ, "ACCRUE_EMULATOR_PLAN": source})
        return stem

    def compare(self, title, type, stem):
        """Prints the largest error of a run, and all that are too large."""
        title = title.strip()
        with open(stem + ".jsonl") as file:
            log = [json.loads(line) for line in file]
        run, _ = read_safetensors(stem + ".safetensors")
        worst = (0.0, "nothing")
        for name, expected in self.stored.items():
            kind, _, base = name.partition(".")
            if kind == "in":
                continue
            if kind == "out":
                numbers = [line[base] if base in ("loss", "grad_norm") else
                           line["metrics"][base] for line in log]
                value = Tensor("F64", expected.shape,
                               [float("nan") if n is None else n
                                for n in numbers])
            else:
                value = run[base if kind == "after" else
                            f"optimizer/{base}/momentum"]
            difference = error(value, expected)
            worst = max(worst, (difference, name))
            limit = float(self.metadata.get(f"tolerance.{type}.{name}",
                                            TOLERANCES[type]))
            if not difference <= limit:
                self.failed = True
                print(f"error: {title}: {name}: {difference:.2e}, expected at "
                      f"most {limit:g}")
        print(f"{title:<40} {worst[0]:.1e} ({worst[1]})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("folder")
    parser.add_argument("--types", default="f32,f64")
    parser.add_argument("--splits", default="")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--evaluate", action="store_true")
    arguments = parser.parse_args()
    check = Check(arguments)
    try:
        if arguments.evaluate:
            for type in arguments.types.split(","):
                for target in ("reference", "cpu"):
                    check.evaluate(type, target)
            sys.exit(1 if check.failed else 0)
        for split in ["", *filter(None, arguments.splits.split(";"))]:
            for type in arguments.types.split(","):
                if arguments.cuda:
                    check.compare(f"cuda {type} {split}", type,
                                  check.emulate(type, split))
                    continue
                for target in ("reference", "cpu"):
                    check.compare(f"{target} {type} {split}", type,
                                  check.train(type, target, split))
    except subprocess.CalledProcessError as failure:
        print((failure.stderr or b"").decode())
        sys.exit(f"{failure}")
    sys.exit(1 if check.failed else 0)


if __name__ == "__main__":
    main()
