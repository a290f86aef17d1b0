"""Checks that a program is the same step in micro-batches as in one batch.

usage: check.py PROGRAM.acr

The head of the program says how many loops and accumulators its plan has at
most (`# loops 2, accumulators 8`), where that is less, also with factors
hoisted (`# hoisted: loops 1, accumulators 8`), and how many samples
micro-batches keep together (`# groups of 2`).
PROGRAM.json has parameters and inputs, and what the step of the whole batch
gives for them, computed by generate.py. Checked are

  the plan       loops and accumulators
  random data    `accrue verify` for two batch sizes: loss, gradients, metrics
                 and state against the full batch
  stored values  loss, gradients, metrics, state and outputs per sample, whole
                 and in micro-batches, against PROGRAM.json, in f64;
                 also without folding, without sinking, and with no and with
                 all rewrites that save loops

With several loops the last two are done for what crosses them stored and
recomputed.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

TOLERANCE = 1e-10


class Program:
    def __init__(self, path):
        self.path = path
        with open(path) as file:
            self.text = file.read()
        self.loops, self.accumulators = map(int, re.search(
            r"^# loops (\d+), accumulators (\d+)$", self.text, re.M).groups())
        hoisted = re.search(
            r"^# hoisted: loops (\d+), accumulators (\d+)$", self.text, re.M)
        self.hoisted = hoisted and tuple(map(int, hoisted.groups()))
        self.batch = int(re.search(r"batch += (\d+)", self.text)[1])
        # Samples that micro-batches keep together.
        group = re.search(r"^# groups of (\d+)$", self.text, re.M)
        self.group = int(group[1]) if group else 1
        with open(os.path.splitext(path)[0] + ".json") as file:
            self.stored = json.load(file)
        self.coupled = ["store", "recompute"] if self.loops > 1 else [None]
        self.failed = False

    def fail(self, text):
        self.failed = True
        print(f"error: {text}")

    def get_micro_batches(self, batch):
        """One sample, 2 to 4 micro-batches of it, all but one sample."""
        sizes = {1, math.ceil(batch / 4), math.ceil(batch / 3),
                 math.ceil(batch / 2), batch - 1}
        return sorted({max(size - size % self.group, self.group)
                       for size in sizes})

    def check_plan(self):
        step = run(["accrue", "compile", self.path, "--emit", "step"])
        expected = {"never": (self.loops, self.accumulators)}
        if self.hoisted:
            expected["auto"] = self.hoisted
        for rewrites, limits in expected.items():
            plan = run(["accrue-opt", "--mlir-disable-threading",
                        f"--test-batch-analysis=rewrites={rewrites}"], step)
            counts = tuple(map(int, re.search(
                r"loops (\d+), accumulators (\d+)", plan).groups()))
            print("plan, rewrites={}: loops {} of {}, accumulators {} of {}"
                  .format(rewrites, counts[0], limits[0], counts[1], limits[1]))
            if any(count > limit for count, limit in zip(counts, limits)):
                self.fail("more loops or accumulators than expected")

    def verify(self, batch, coupled):
        sizes = ",".join(map(str, self.get_micro_batches(batch)))
        command = ["accrue", "verify", self.path, "--batch", str(batch),
                   "--micro-batch", sizes, "--seed", "1"]
        if coupled:
            command += ["--coupled", coupled]
        if batch != self.batch and "config width" in self.text:
            # Large enough to be worth storing for later loops.
            command += ["--set", "width=64"]
        print(" ".join(["$", *command]))
        process = subprocess.run(command, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        if process.returncode != 0:
            print(process.stdout)
            self.fail("accrue verify failed")

    def get_model(self):
        """The model in f64, its arguments those that are stored."""
        with tempfile.NamedTemporaryFile("w", suffix=".acr") as file:
            file.write(re.sub(r"\bf32\b", "f64", self.text))
            file.flush()
            text = run(["accrue", "compile", file.name, "--emit", "nn"])
        for name, values in self.stored["arguments"].items():
            shape, flat = flatten(values)
            argument = re.compile(
                rf'(: tensor<[^>]*?(\w+)> {{)([^{{}}]*train\.name = "{re.escape(name)}")')

            def add_value(match):
                type = "x".join([*map(str, shape), match[2].split("x")[-1]])
                literal = print_literal(values, match[2])
                return (f"{match[1]}reference.value = dense<{literal}> : "
                        f"tensor<{type}>, {match[3]}")

            text, count = argument.subn(add_value, text, count=1)
            assert count == 1, f"no argument {name}"
        return text

    def check_values(self, model, micro_batch, coupled, switch=None):
        title = "whole" if micro_batch == self.batch else f"by {micro_batch}"
        options = f"micro-batch={micro_batch}"
        if coupled:
            options += f" coupled={coupled}"
            title += f", {coupled}"
        if switch:
            options += f" {switch}"
            title += f", {switch}"
        gradients = self.stored["stop"] == "gradients"
        step = "gradients-only=true state-updates=true" if gradients else ""
        pipeline = (f"builtin.module(train-build-step{{{step}}},"
                    "func.func(train-differentiate,canonicalize,cse,"
                    f"train-accumulate{{{options}}},nn-decompose,"
                    "canonicalize,cse))")
        try:
            split = run(["accrue-opt", f"--pass-pipeline={pipeline}"], model)
            output = run(["accrue-translate", "--interpret"], split)
        except subprocess.CalledProcessError as error:
            print(error.stderr[:2000])
            return self.fail(f"{title}: cannot run")
        results = {}
        for line in output.splitlines():
            match = re.fullmatch(r"\s*#\d+(?: (\S+))?: (.*) : tensor<.*>", line)
            if match:
                value = re.sub(r"[^][,\s]+", parse_number, match[2])
                results[match[1]] = json.loads(value)
        worst = (0.0, "nothing")
        for name, expected in self.stored["results"].items():
            difference = get_error(results[name], expected)
            worst = max(worst, (difference, name))
            if not difference <= TOLERANCE:
                self.fail(f"{title}: {name}: {difference:.1e}")
        print(f"{title:<36} {worst[0]:.1e} ({worst[1]})")


def run(command, text=None):
    process = subprocess.run(command, input=text, text=True, check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return process.stdout


def flatten(values):
    """Shape and elements of nested lists."""
    if not isinstance(values, list):
        return [], [values]
    shapes, parts = zip(*map(flatten, values))
    return ([len(values), *shapes[0]],
            [element for part in parts for element in part])


def print_literal(values, type):
    if isinstance(values, list):
        return f"[{', '.join(print_literal(v, type) for v in values)}]"
    return f"{values:.17e}" if type.endswith("f64") else json.dumps(values)


def parse_number(match):
    """A number as JSON has it, which knows no non-finite ones."""
    text = match[0]
    return {"nan": "NaN", "-nan": "NaN", "inf": "Infinity",
            "-inf": "-Infinity", "+inf": "Infinity"}.get(text, text)


def get_error(value, reference):
    """max |value - reference| / max(1e-6, max |reference|), infinite where
    something is not finite in one of them only."""
    shape, got = flatten(value)
    expected_shape, expected = flatten(reference)
    if shape != expected_shape:
        return math.inf
    difference, largest = 0.0, 0.0
    for a, b in zip(got, expected):
        if math.isfinite(a) and math.isfinite(b):
            difference = max(difference, abs(a - b))
            largest = max(largest, abs(b))
        elif not (a == b or (a != a and b != b)):
            return math.inf
    return difference / max(1e-6, largest)


def main():
    program = Program(sys.argv[1])
    try:
        program.check_plan()
        for coupled in program.coupled:
            # Another batch has another tail.
            for batch in (program.batch, program.batch + 4):
                program.verify(batch, coupled)
        model = program.get_model()
        for coupled in program.coupled:
            for size in [*program.get_micro_batches(program.batch),
                         program.batch]:
                program.check_values(model, size, coupled)
        # Rules may hide each other's faults.
        size = program.get_micro_batches(program.batch)[1]
        for switch in ("fold=false", "sink=false"):
            program.check_values(model, size, program.coupled[-1],
                                 f"{switch} rewrites=never")
        for coupled in program.coupled:
            for rewrites in ("never", "always"):
                program.check_values(model, size, coupled,
                                     f"rewrites={rewrites}")
    except subprocess.CalledProcessError as failure:
        print(failure.stderr)
        sys.exit(f"{failure}")
    sys.exit(1 if program.failed else 0)


if __name__ == "__main__":
    main()
