"""Operands, cases and how PyTorch and JAX compute them, in f64."""

import importlib.metadata
import zlib

import jax
import numpy as np
import torch

from tensorfile import Tensor, write_safetensors

jax.config.update("jax_enable_x64", True)

BATCH = 4
# How far two frameworks may differ in f64 before one of them means another
# thing.
AGREEMENT = 1e-12


#===-----------------------------------------------------------------------===#
# Operands
#===-----------------------------------------------------------------------===#

def normal(scale=1.0, mean=0.0):
    return lambda random, shape: mean + scale * random.standard_normal(shape)


def uniform(low, high):
    return lambda random, shape: random.uniform(low, high, shape)


def values(*numbers):
    """These numbers, repeated."""
    return lambda random, shape: np.resize(np.array(numbers), shape)


class Operand:
    """A tensor of a case. `kind` is 'rows' (differentiated, one row per
    sample), 'weight' (differentiated, without a batch) or 'input' (integers,
    one row per sample)."""

    def __init__(self, kind, shape, sample):
        self.kind, self.shape, self.sample = kind, shape, sample

    def draw(self, name):
        # The name is the seed: a new case leaves the others as they are.
        random = np.random.default_rng(zlib.crc32(name.encode()))
        value = np.asarray(self.sample(random, self.shape))
        if self.kind == "input":
            return value.astype(np.int32)
        # What f32 holds exactly is an input of both precisions.
        return value.astype(np.float32).astype(np.float64)


def rows(*shape, of=normal()):
    return Operand("rows", (BATCH, *shape), of)


def weight(*shape, of=normal()):
    return Operand("weight", shape, of)


def indices(*shape, high):
    """Whole numbers from 0 to before `high`, one row per sample."""
    return Operand("input", (BATCH, *shape),
                   lambda random, shape: random.integers(0, high, shape))


#===-----------------------------------------------------------------------===#
# Values and gradients
#===-----------------------------------------------------------------------===#

def compute_torch(function, inputs, trained):
    """The loss, the named results and the gradients of `trained`. `function`
    takes a dictionary of tensors and returns the loss and a dictionary."""
    tensors = {name: torch.tensor(value) for name, value in inputs.items()}
    for name in trained:
        tensors[name].requires_grad_()
    loss, results = function(tensors)
    gradients = torch.autograd.grad(
        loss, [tensors[name] for name in trained], allow_unused=True,
        materialize_grads=True)
    return (loss.item(), {k: float(v) for k, v in results.items()},
            {k: g.numpy() for k, g in zip(trained, gradients)})


def compute_jax(function, inputs, trained):
    def split(parameters):
        return function({**inputs, **parameters})
    parameters = {name: jax.numpy.array(inputs[name]) for name in trained}
    (loss, results), gradients = jax.value_and_grad(split, has_aux=True)(
        parameters)
    return (float(loss), {k: float(v) for k, v in results.items()},
            {k: np.asarray(g) for k, g in gradients.items()})


def disagreement(one, other):
    """The largest error between what two frameworks computed, and where."""
    def error(a, b):
        a, b = np.asarray(a), np.asarray(b)
        return np.max(np.abs(a - b), initial=0) / max(
            1e-6, np.max(np.abs(b), initial=0))
    return max([(error(one[0], other[0]), "the loss")]
               + [(error(one[1][k], other[1][k]), k) for k in one[1]]
               + [(error(one[2][k], other[2][k]), k) for k in one[2]])


def to_tensor(value):
    value = np.asarray(value)
    dtype = "F64" if value.dtype.kind == "f" else "I32"
    return Tensor(dtype, value.shape, value.reshape(-1).tolist())


def write_case(path, inputs, results, gradients, after, metadata):
    tensors = {}
    for prefix, named in (("in", inputs), ("out", results),
                          ("grad", gradients), ("after", after)):
        for name, value in named.items():
            tensors[f"{prefix}.{name}"] = to_tensor(value)
    write_safetensors(path, tensors, metadata)


def versions(*frameworks):
    return ", ".join(f"{name} {importlib.metadata.version(name).split('+')[0]}"
                     for name in frameworks)
