"""Functions of one element, of two, and their kinks."""

import jax
import jax.numpy as jnp
import torch
import torch.nn.functional as F

from families import Case, Family
from framework import rows, uniform, values, weight

POSITIVE = uniform(0.1, 4)


def unary(name, in_torch, in_jax, of=None, text=None):
    operand = rows(6, of=of) if of else rows(6)
    return Case(name, text or f"{name}(x)", in_torch, in_jax, x=operand)


FAMILIES = [
    Family(
        "unary",
        unary("exp", torch.exp, jnp.exp),
        unary("log", torch.log, jnp.log, POSITIVE),
        unary("sqrt", torch.sqrt, jnp.sqrt, POSITIVE),
        unary("square", torch.square, jnp.square),
        unary("tanh", torch.tanh, jnp.tanh),
        unary("sigmoid", torch.sigmoid, jax.nn.sigmoid),
        unary("relu", torch.relu, jax.nn.relu),
        unary("negate", torch.neg, jnp.negative, text="-x"),
        unary("power", lambda x: x ** 1.5, lambda x: x ** 1.5, POSITIVE,
              "x ** 1.5")),
    Family(
        "unary_more",
        unary("abs", torch.abs, jnp.abs),
        unary("sign", torch.sign, jnp.sign),
        unary("floor", torch.floor, jnp.floor),
        unary("sin", torch.sin, jnp.sin, uniform(-6, 6)),
        unary("cos", torch.cos, jnp.cos, uniform(-6, 6)),
        unary("erf", torch.erf, jax.scipy.special.erf),
        unary("log1p", torch.log1p, jnp.log1p, uniform(-0.9, 4)),
        unary("expm1", torch.expm1, jnp.expm1),
        unary("rsqrt", torch.rsqrt, jax.lax.rsqrt, POSITIVE),
        unary("reciprocal", torch.reciprocal, jnp.reciprocal, POSITIVE),
        unary("clamp", lambda x: x.clamp(-0.5, 0.75),
              lambda x: jnp.clip(x, -0.5, 0.75), text="clamp(x, -0.5, 0.75)")),
    Family(
        "activations",
        unary("silu", F.silu, jax.nn.silu),
        unary("softplus", F.softplus, jax.nn.softplus),
        # PyTorch takes x for softplus(x) beyond 20.
        unary("softplus_large", lambda x: torch.logaddexp(x, x.new_zeros(())),
              jax.nn.softplus, uniform(-600, 600), "softplus(x)"),
        unary("gelu", F.gelu, lambda x: jax.nn.gelu(x, approximate=False)),
        unary("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"),
              lambda x: jax.nn.gelu(x, approximate=True),
              text='gelu(x, "tanh")')),
    Family(
        "kinks",
        unary("relu", torch.relu, jax.nn.relu, values(0, 1, -1), "relu(x)"),
        unary("abs", torch.abs, None, values(0, 1, -1), "abs(x)"),
        Case("max", "max(x, y)", torch.maximum, jnp.maximum,
             x=rows(6, of=values(1, 2)), y=rows(6, of=values(1, 2, 3))),
        Case("min", "min(x, y)", torch.minimum, jnp.minimum,
             x=rows(6, of=values(1, 2)), y=rows(6, of=values(1, 2, 3)))),
    Family(
        "binary",
        Case("add", "x + y", torch.add, jnp.add, x=rows(5), y=rows(5)),
        Case("subtract", "x - y", torch.sub, jnp.subtract, x=rows(5),
             y=weight(5)),
        Case("multiply", "x * y", torch.mul, jnp.multiply, x=rows(3, 5),
             y=weight(3, 1)),
        Case("divide", "x / y", torch.div, jnp.divide, x=rows(5),
             y=rows(1, of=uniform(0.5, 2))),
        Case("scalar", "x * y", torch.mul, jnp.multiply, x=weight(),
             y=rows(5)),
        Case("max", "max(x, y)", torch.maximum, jnp.maximum, x=rows(5),
             y=rows(5)),
        Case("select", "select(x > y, x * y, y)",
             lambda x, y: torch.where(x > y, x * y, y),
             lambda x, y: jnp.where(x > y, x * y, y), x=rows(5), y=rows(5))),
    Family(
        "binary_more",
        Case("min", "min(x, y)", torch.minimum, jnp.minimum, x=rows(5),
             y=weight(5)),
        Case("pow", "pow(x, y)", torch.pow, jnp.power,
             x=rows(5, of=POSITIVE), y=rows(5)),
        Case("stop_gradient", "x * stop_gradient(x * y)",
             lambda x, y: x * (x * y).detach(),
             lambda x, y: x * jax.lax.stop_gradient(x * y), x=rows(5),
             y=rows(5))),
]
