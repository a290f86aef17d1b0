"""Compares a model, split into micro-batches in every way, with known values.

usage: check-case.py FILE.acr FOLDER [--cuda] [--splits TEXT] [--types TEXT]

With --cuda the program that trains is emitted, and built for the emulator by
what the variable EMULATE says. --splits and --types replace those of the file.
FILE.acr is a model whose comments that begin with `#:` say what is given and
what is to come out; FOLDER is for files. EXPR is a number or nested lists, in
Python, with the functions of `math`.

  #: given NAME = EXPR        a batch input, parameter or state of the model
  #: expect WHAT = EXPR       a value that every split has to give
  #: expect WHAT = EXPR; bug EXPR, EXPR
                              ... and the wrong values of the reports
  #: equal WHAT, WHAT         two results that agree, or do not
  #: differ WHAT, WHAT
  #: among WHAT = EXPR        each element is one of a list
  #: same                     all results are those of the first split
  #: unchanged                the step leaves all that is saved as it was, bit for
                              bit, but for the index of the batch
  #: step                     a further step: `given` replaces its batch inputs,
                              what follows is about it
  #: case TEXT                another case, with what stands above the first one
  #: model NAME               where the file has several models
  #: splits K=2; m=3          default: K = 1, all micro-batches of a batch of at
                              most four samples, of larger ones m = 1, 2, 3 and
                              all but one sample
  #: options TEXT             of the command line, in every run
  #: batch N                  fewer samples than are given: an epoch of several
  #: steps N                  batches, of which N are run
  #: types f32, f64           f64 replaces f32 in the file
  #: targets reference, cpu
  #: tolerance 1e-5           of f32; default 1e-6, of f64 1e-10; relative to
                              values above 1
  #: eval no                  evaluations give another loss (dropout)

WHAT is `loss`, `metric NAME`, `grad NAME` (p - p' over the rate, of plain sgd
without clipping), `after NAME` (a parameter after the step), `state NAME`,
`slot PARAMETER NAME` (of the optimizer), or a key of the log: `grad_norm`,
`clip_coef`, `lr`, `skipped`. A step that is skipped without `expect skipped` is an error.

The samples of a batch are in the order in which they are given: the order of
an epoch is read from a run with batches of one sample, and undone.
"""

import argparse
import array
import itertools
import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "references"))
from tensorfile import Tensor, read_safetensors, write_npy, write_safetensors

TOLERANCES = {"f32": 1e-6, "f64": 1e-10}
ATOMS = {"f64": "F64", "f32": "F64", "f16": "F64", "bf16": "F64", "i64": "I64",
         "i32": "I32", "i1": "BOOL"}


def evaluate(text):
    return eval(text, {"__builtins__": {}, "range": range, "sum": sum,
                       **vars(math)})


def shape_of(value):
    if not isinstance(value, (list, tuple)):
        return []
    return [len(value)] + (shape_of(value[0]) if value else [])


def flatten(value):
    if not isinstance(value, (list, tuple)):
        return [value]
    return list(itertools.chain.from_iterable(map(flatten, value)))


def tensor(value, dtype):
    return Tensor(dtype, shape_of(value), flatten(value))


class Step:
    def __init__(self):
        self.given, self.expected, self.checks = {}, [], []


class Case:
    """What the comments say between two `case` lines."""

    def __init__(self, shared=None):
        self.title = ""
        self.steps = [Step()]
        self.settings = {}
        if shared:
            self.settings.update(shared.settings)
            self.steps[0].given.update(shared.steps[0].given)
            self.steps[0].expected += shared.steps[0].expected
            self.steps[0].checks += shared.steps[0].checks

    def read(self, keyword, rest):
        if keyword == "given":
            name, text = rest.split("=", 1)
            self.steps[-1].given[name.strip()] = evaluate(text.strip())
        elif keyword == "expect":
            what, text = rest.split("=", 1)
            value, _, bugs = text.partition("; bug ")
            self.steps[-1].expected.append(
                (what.split(), evaluate(value.strip()),
                 evaluate(f"[{bugs}]")))
        elif keyword in ("equal", "differ", "among", "same", "unchanged"):
            self.steps[-1].checks.append((keyword, rest))
        elif keyword == "step":
            self.steps.append(Step())
        elif keyword in ("model", "splits", "options", "types", "targets",
                         "tolerance", "eval", "batch", "steps"):
            self.settings[keyword] = rest
        else:
            sys.exit(f"error: unknown comment '#: {keyword}'")


def read_cases(text):
    shared, cases = Case(), []
    for line in re.findall(r"^#: (.*)$", text, re.MULTILINE):
        keyword, _, rest = line.partition(" ")
        if keyword == "case":
            cases.append(Case(shared))
            cases[-1].title = rest
        else:
            (cases[-1] if cases else shared).read(keyword, rest.strip())
    return cases or [shared]


class Runner:
    def __init__(self, arguments):
        self.folder, self.cuda = arguments.folder, arguments.cuda
        self.splits, self.types = arguments.splits, arguments.types
        os.makedirs(self.folder, exist_ok=True)
        with open(arguments.file) as file:
            self.text = file.read()
        self.stem = os.path.splitext(os.path.basename(arguments.file))[0]
        self.integers = re.findall(r"\bstate (\w+): i", self.text)
        self.orders = {}
        self.runs = 0
        self.errors = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def execute(self, *command):
        """What a command prints; its errors are those of the test."""
        run = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "ACCRUE_EMULATOR_PLAN": self.path("model.cu")})
        if run.returncode:
            print(run.stderr.decode(errors="replace"))
            sys.exit("error: status %d: %s"
                     % (run.returncode, " ".join(command)))
        return run.stdout

    def accrue(self, *arguments):
        return self.execute("accrue", *arguments)

    def emulate(self, arguments, data):
        """The emitted program that trains, built for the emulator."""
        at = arguments.index("--target")
        source, program = self.path("model.cu"), self.path("model")
        self.accrue("compile", *arguments[:at], *arguments[at + 2:], "--data",
                    data, "--emit", "cuda-driver", "--self-contained", "-o",
                    source)
        self.execute(*os.environ["EMULATE"].split(), source,
                     self.path("model_main.cpp"), "-o", program,
                     "-lAccrueTrainingRuntime", "-lAccrueIO", "-lfmt")
        return program

    def order(self, samples, epochs):
        """The samples of each epoch in the order of the run."""
        if (samples, epochs) not in self.orders:
            model = self.path("order.acr")
            with open(model, "w") as file:
                file.write("model order(x: f32[batch]) {\n  param w: f32 = ones()\n"
                           "  loss sum(w * x)\n}\ntrain order {\n  batch = 1\n"
                           "  optimizer = sgd(lr = 0)\n}\n")
            write_npy(self.path("order.npy"),
                      Tensor("F32", [samples], range(samples)))
            log = self.path("order.jsonl")
            self.accrue("train", model, "--data", "x=" + self.path("order.npy"),
                        "--target", "reference", "--log", log, "--steps",
                        str(samples * epochs))
            with open(log) as file:
                order = [round(json.loads(line)["loss"]) for line in file]
            self.orders[samples, epochs] = [
                order[i * samples:(i + 1) * samples] for i in range(epochs)]
        return self.orders[samples, epochs]

    def run_case(self, case):
        name = case.settings.get("model")
        header = re.search(r"^model\s+%s\s*\(([^)]*)\)" % (name or r"\w+"),
                           self.text, re.MULTILINE)
        inputs = re.findall(r"(\w+)\s*:\s*(\w+)(?:\[([^\]]*)\])?", header[1])
        self.inputs = {n: (type, [d.strip() for d in dims.split(",")])
                       for n, type, dims in inputs}
        first = next(iter(self.inputs))
        batch = shape_of(case.steps[0].given[first])[
            self.inputs[first][1].index("batch")]
        batch = int(case.settings.get("batch", batch))
        types = self.types or case.settings.get("types", "f32, f64")
        types = types.split(", ")
        targets = case.settings.get("targets", "reference, cpu").split(", ")
        if self.cuda:
            types, targets = types[:1], ["cuda"]
        options = case.settings.get("options", "").split()
        if name:
            options += ["--model", name]
        if self.splits:
            splits = self.splits.split("; ")
        elif "splits" in case.settings:
            splits = case.settings["splits"].split("; ")
        else:
            sizes = range(1, batch) if batch <= 4 else [1, 2, 3, batch - 1]
            splits = ["K=1"] + [f"m={m}" for m in sizes]
        tolerances = dict(TOLERANCES)
        if "tolerance" in case.settings:
            tolerances["f32"] = float(case.settings["tolerance"])
        # Both targets in the widest type for each split, in the others for one.
        for type in types:
            self.first = {}
            model = self.path(f"{self.stem}.{type}.acr")
            with open(model, "w") as file:
                file.write(re.sub(r"\bf32\b", type, self.text))
            for split in splits if type == types[-1] else splits[:2][-1:]:
                key, _, number = split.partition("=")
                flags = [{"K": "--accumulate", "m": "--micro-batch"}[key],
                         *number.split()]
                for target in targets:
                    # Both ways of several loops, with little of each.
                    coupled = ("store" if (type == "f64") == (target == "cpu")
                               else "recompute")
                    title = f"{case.title} {target} {type} {split}".strip()
                    self.run(case, title, tolerances[type], type,
                             [model, *options, *flags, "--batch", str(batch),
                              "--target", target, "--coupled", coupled])

    def write_data(self, step, index, count):
        """The batch inputs of a step, so that it sees them in their order."""
        data = []
        for name, (type, dims) in self.inputs.items():
            value = tensor(step.given[name], ATOMS[type])
            axis = dims.index("batch")
            outer = math.prod(value.shape[:axis])
            samples = value.shape[axis]
            inner = math.prod(value.shape[axis + 1:])
            order = self.order(samples, count)[index]
            moved = list(value.values)
            for o, s, i in itertools.product(range(outer), range(samples),
                                             range(inner)):
                moved[(o * samples + order[s]) * inner + i] = value.values[
                    (o * samples + s) * inner + i]
            path = self.path(f"{name}.{index}.npy")
            write_npy(path, Tensor(value.dtype, value.shape, moved))
            data.append(f"{name}={path}")
        return ",".join(data)

    def run(self, case, title, tolerance, type, arguments):
        weights = {name: tensor(value, "I64" if name in self.integers else "F64")
                   for name, value in case.steps[0].given.items()
                   if name not in self.inputs}
        init = self.path("init.safetensors")
        write_safetensors(init, weights, {})
        given = {}
        before = weights
        for index, step in enumerate(case.steps):
            given.update(step.given)
            merged = Step()
            merged.given = given
            data = self.write_data(merged, index, len(case.steps))
            save, log = self.path(f"{index}.safetensors"), self.path("log.jsonl")
            start = (["--resume", self.path(f"{index - 1}.safetensors")] if index
                     else ["--init", init] if weights else [])
            options = ["--data", data, "--steps",
                       str(case.settings.get("steps", index + 1)), "--log", log,
                       "--save", save, *start]
            if self.cuda and index == 0:
                program = self.emulate(arguments, data)
            if self.cuda:
                self.execute(program, *options)
            else:
                self.accrue("train", *arguments, *options)
            self.runs += 1
            with open(log) as file:
                line = [json.loads(text) for text in file][-1]
            after, _ = read_safetensors(save)
            where = title + (f", step {index + 1}" if len(case.steps) > 1 else "")
            self.compare(where, tolerance, step, line, before, after)
            key = (arguments[arguments.index("--target") + 1], index)
            self.first.setdefault(key, (line, after))
            for check in step.checks:
                self.check(where, tolerance, check, line, before, after,
                           self.first[key])
            if (index == 0 and case.settings.get("eval") != "no" and weights
                    and "reference" in arguments):
                command = ["eval", *arguments, "--data", data, "--init", init,
                           "--json"]
                for option in ("--batch", "--accumulate", "--remat"):
                    if option in command:
                        at = command.index(option)
                        del command[at:at + 2]
                got = json.loads(self.accrue(*command))
                of_eval = Step()
                of_eval.expected = [e for e in step.expected
                                    if e[0][0] in ("loss", "metric")]
                self.compare(where + ", eval", tolerance, of_eval, got, {}, {})
            before = after

    def compare(self, where, tolerance, step, line, before, after):
        whats = [" ".join(what) for what, _, _ in step.expected]
        if line.get("skipped") and "skipped" not in whats:
            self.errors.append(f"{where}: the step was skipped")
        for what, expected, bugs in step.expected:
            value = find(what, line, before, after)
            if not differs(value, bugs, tolerance):
                self.errors.append(f"{where}: {' '.join(what)}: the wrong value "
                                   f"of the report, {list(value.values)}")
            if value.shape != shape_of(expected) or not distance(
                    value, expected) <= tolerance:
                self.errors.append(f"{where}: {' '.join(what)}: expected "
                                   f"{expected}, got {list(value.values)}")

    def check(self, where, tolerance, check, line, before, after, first):
        kind, text = check
        problem = None
        if kind in ("equal", "differ"):
            a, b = (find(what.split(), line, before, after)
                    for what in text.split(", "))
            if (distance(a, b.values) <= tolerance) != (kind == "equal"):
                problem = f"{list(a.values)}, {list(b.values)}"
        elif kind == "among":
            what, choices = text.split(" = ")
            value = find(what.split(), line, before, after)
            if any(min(abs(v - c) for c in evaluate(choices)) > tolerance
                   for v in value.values):
                problem = list(value.values)
        elif kind == "unchanged":
            for name, value in after.items():
                if (name in before and name != "state/random_key"
                        and value.to_bytes() != before[name].to_bytes()):
                    problem = f"{name} is {list(value.values)}"
        else:
            of_first, saved = first
            for name, value in after.items():
                if distance(value, saved[name].values) > tolerance:
                    problem = (f"{name} is {list(value.values)}, in the first "
                               f"split {list(saved[name].values)}")
            for key in ("loss", "grad_norm", "metrics"):
                a, b = line[key], of_first[key]
                a, b = (list(v.values()) if isinstance(v, dict) else [v]
                        for v in (a, b))
                if distance(tensor(a, "F64"), b) > tolerance:
                    problem = f"{key} is {a}, in the first split {b}"
        if problem:
            self.errors.append(f"{where}: {kind} {text}: {problem}")


def find(what, line, before, after):
    """A result by its name, as a tensor."""
    kind, *names = what
    if kind == "metric":
        value = line["metrics"][names[0]]
    elif kind == "grad":
        value = Tensor("F64", after[names[0]].shape,
                       [(a - b) / line["lr"] for a, b in
                        zip(before[names[0]].values, after[names[0]].values)])
    elif kind == "after":
        value = after[names[0]]
    elif kind == "state":
        value = after["state/" + names[0]]
    elif kind == "slot":
        value = after["optimizer/" + "/".join(names)]
    else:
        value = line[kind]
    if isinstance(value, Tensor):
        return value
    return Tensor("F64", [], [math.nan if value is None else value])


def distance(value, expected):
    """max |value - expected| / max(1, |expected|), infinite where one of them
    only is not finite."""
    worst = 0.0
    for a, b in zip(value.values, flatten(list(expected)
                    if isinstance(expected, array.array) else expected)):
        if math.isfinite(a) and math.isfinite(b):
            worst = max(worst, abs(a - b) / max(1, abs(b)))
        elif not (a == b or (a != a and b != b)):
            return math.inf
    return worst


def differs(value, bugs, tolerance):
    return all(shape_of(bug) != value.shape or distance(value, bug) > 100 * tolerance
               for bug in bugs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("folder")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--splits")
    parser.add_argument("--types")
    arguments = parser.parse_args()
    runner = Runner(arguments)
    for case in read_cases(runner.text):
        runner.run_case(case)
    for error in runner.errors[:40]:
        print(f"error: {error}")
    print(f"{runner.runs} runs, {len(runner.errors)} errors")
    sys.exit(1 if runner.errors or not runner.runs else 0)


if __name__ == "__main__":
    main()
