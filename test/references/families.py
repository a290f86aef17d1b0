"""Families of ops: one model with a term of the loss per case.

A case `f` of operands x has the term sum(c * f(x)) with drawn c: the gradient
of c is the value of f, that of x its derivative applied to c. Operands with a
row per sample are parameters that a one-hot input `rows` selects from, so that
the values go through micro-batches and still have gradients of their own.
"""

import os

import numpy as np
import torch

from framework import (AGREEMENT, BATCH, Operand, compute_jax, compute_torch,
                       disagreement, normal, versions, write_case)


class Case:
    """An expression of the model language and what computes the same: `text`
    uses the names of the operands, the two functions take them in order. Where
    JAX means another thing, such as at a kink, there is none."""

    def __init__(self, name, text, torch, jax=None, **operands):
        self.name, self.text, self.torch, self.jax = name, text, torch, jax
        self.operands = operands

    @staticmethod
    def declare(name, operand):
        if operand.kind == "input":
            return []
        shape = list(operand.shape)
        if operand.kind == "weight":
            return [f"    param {name}: f32{shape if shape else ''} = zeros()"]
        flat = [BATCH, int(np.prod(shape[1:]))] if len(shape) > 2 else shape
        lines = [f"    param {name}_rows: f32{flat} = zeros()"]
        selected = f"rows @ {name}_rows"
        if len(shape) > 2:
            inner = ", ".join(map(str, shape[1:]))
            selected = f"reshape({selected}, [batch, {inner}])"
        return lines + [f"    {name} = {selected}"]


class Family:
    """`splits` are options of `accrue train` under which the values have to be
    the same."""

    def __init__(self, name, *cases,
                 splits=("--micro-batch 3 --remat full",)):
        self.name, self.cases, self.splits = name, cases, splits
        self.coefficients = {}

    def generate(self, folder):
        inputs = {"rows": np.eye(BATCH)}
        shapes, operands, trained = {}, {}, []
        for case in self.cases:
            drawn = {}
            for name, operand in case.operands.items():
                value = operand.draw(f"{self.name}.{case.name}.{name}")
                drawn[name] = value
                operands[self.key(case, name, operand)] = (operand, value)
            # Coefficients have the shape of the value.
            value = case.torch(*map(torch.tensor, drawn.values()))
            kind = "rows" if value.ndim and value.shape[0] == BATCH else "weight"
            c = Operand(kind, tuple(value.shape), normal())
            self.coefficients[case.name] = c
            operands[self.key(case, "c", c)] = (
                c, c.draw(f"{self.name}.{case.name}.c"))
        for key, (operand, value) in operands.items():
            flat = (value.reshape(BATCH, -1)
                    if operand.kind == "rows" and value.ndim > 2 else value)
            inputs[key] = flat
            shapes[key] = value.shape
            if operand.kind != "input":
                trained.append(key)

        def total(cases, framework):
            def loss(tensors):
                terms = []
                for case in cases:
                    def get(name, operand):
                        key = self.key(case, name, operand)
                        return tensors[key].reshape(shapes[key])
                    given = [get(*item) for item in case.operands.items()]
                    c = get("c", self.coefficients[case.name])
                    terms.append(
                        (c * getattr(case, framework)(*given)).sum())
                return sum(terms), {}
            return loss

        result = compute_torch(total(self.cases, "torch"), inputs, trained)
        frameworks = ["torch"]
        both = [case for case in self.cases if case.jax]
        if both:
            frameworks.append("jax")
            prefixes = tuple(case.name + "." for case in both)
            shared = [key for key in trained if key.startswith(prefixes)]
            ours = compute_torch(total(both, "torch"), inputs, shared)
            other = compute_jax(total(both, "jax"), inputs, shared)
            difference, name = disagreement(ours, other)
            if difference > AGREEMENT:
                raise SystemExit(f"{self.name}: PyTorch and JAX differ by "
                                 f"{difference:.1e} in {name}")
        loss, _, gradients = result
        path = os.path.join(folder, self.name)
        write_case(path + ".safetensors", inputs, {"loss": [loss]}, gradients,
                   {}, {"frameworks": versions(*frameworks), "steps": "1"})
        with open(path + ".acr", "w") as file:
            file.write(self.model(frameworks))

    def key(self, case, name, operand):
        """The name of an operand in the model."""
        if operand.kind == "input":
            return f"{case.name}_{name}"
        return f"{case.name}.{name}" + ("_rows" if operand.kind == "rows"
                                        else "")

    def model(self, frameworks):
        arguments = [f"rows: f32[batch, {BATCH}]"]
        body = []
        for case in self.cases:
            for name, operand in case.operands.items():
                if operand.kind == "input":
                    extents = "".join(f", {e}" for e in operand.shape[1:])
                    arguments.append(
                        f"{case.name}_{name}: i32[batch{extents}]")
            body += self.scope(case)
        return "\n".join([
            f"# Written by generate.py; values of {' and '.join(frameworks)}.",
            "# RUN: %check_reference %s %t --splits='"
            + ";".join(self.splits) + "'",
            "# RUN: env 'EMULATE=%emulate' %check_reference %s %t.cuda --cuda "
            "--types f32",
            f"model {self.name}({', '.join(arguments)}) {{", *body, "}",
            f"train {self.name} {{", f"  batch = {BATCH}",
            "  # The slot of the first step is the gradient.",
            "  optimizer = sgd(lr = 0.5, momentum = 0.5)", "}", ""])

    def scope(self, case):
        lines = [f"  scope {case.name} {{"]
        for name, operand in [("c", self.coefficients[case.name]),
                              *case.operands.items()]:
            if operand.kind == "input":
                lines.append(f"    {name} = {case.name}_{name}")
            else:
                lines += case.declare(name, operand)
        return lines + [f"    loss sum(c * ({case.text}))", "  }"]
