"""One line per op: adding an op is adding a line and running generate.py."""

import jax
import jax.numpy as jnp
import torch
import torch.nn.functional as F

from families import Case, Family
from framework import labels, normal, rows, uniform, values, weight


def cross_entropy(logits, label):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), label[..., None],
                                 axis=-1)
    return -picked[..., 0]


FAMILIES = [
    Family(
        "elementwise",
        Case("exp", "exp(x)", torch.exp, jnp.exp, x=rows(6)),
        Case("log", "log(x)", torch.log, jnp.log, x=rows(6, of=uniform(0.1, 4))),
        Case("sqrt", "sqrt(x)", torch.sqrt, jnp.sqrt,
             x=rows(6, of=uniform(0.1, 4))),
        Case("square", "square(x)", torch.square, jnp.square, x=rows(6)),
        Case("tanh", "tanh(x)", torch.tanh, jnp.tanh, x=rows(6)),
        Case("sigmoid", "sigmoid(x)", torch.sigmoid, jax.nn.sigmoid, x=rows(6)),
        Case("relu", "relu(x)", torch.relu, jax.nn.relu, x=rows(6)),
        Case("relu_at_zero", "relu(x)", torch.relu, jax.nn.relu,
             x=rows(6, of=values(0.0, 1.0, -1.0))),
        Case("negate", "-x", torch.neg, jnp.negative, x=rows(6)),
        Case("power", "x ** 1.5", lambda x: x ** 1.5, lambda x: x ** 1.5,
             x=rows(6, of=uniform(0.1, 4)))),
    Family(
        "binary",
        Case("add", "x + y", torch.add, jnp.add, x=rows(5), y=rows(5)),
        Case("subtract", "x - y", lambda x, y: x - y, lambda x, y: x - y,
             x=rows(5), y=weight(5)),
        Case("multiply", "x * y", lambda x, y: x * y, lambda x, y: x * y,
             x=rows(3, 5), y=weight(3, 1)),
        Case("divide", "x / y", lambda x, y: x / y, lambda x, y: x / y,
             x=rows(5), y=rows(1, of=uniform(0.5, 2))),
        Case("maximum", "max(x, y)", lambda x, y: torch.maximum(x, y),
             lambda x, y: jnp.maximum(x, y), x=rows(5), y=rows(5)),
        Case("select", "select(x > y, x * y, y)",
             lambda x, y: torch.where(x > y, x * y, y),
             lambda x, y: jnp.where(x > y, x * y, y), x=rows(5), y=rows(5))),
    Family(
        "contraction",
        Case("matmul", "x @ w", lambda x, w: x @ w, lambda x, w: x @ w,
             x=rows(6), w=weight(6, 5)),
        Case("matmul_transposed", "x @ w.T", lambda x, w: x @ w.T,
             lambda x, w: x @ w.T, x=rows(3, 6), w=weight(5, 6)),
        Case("matrix_vector", "x @ w", lambda x, w: x @ w, lambda x, w: x @ w,
             x=rows(6), w=weight(6))),
    Family(
        "reduction",
        Case("sum", "sum(x, 1)", lambda x: x.sum(1), lambda x: x.sum(1),
             x=rows(3, 5)),
        Case("sum_last", "sum(x, -1)", lambda x: x.sum(-1),
             lambda x: x.sum(-1), x=rows(3, 5)),
        Case("sum_batch", "sum(x, 0)", lambda x: x.sum(0), lambda x: x.sum(0),
             x=rows(3)),
        Case("sum_all", "sum(x)", lambda x: x.sum(), lambda x: x.sum(),
             x=rows(3, 5)),
        Case("mean", "mean(x, [1, 2])", lambda x: x.mean((1, 2)),
             lambda x: x.mean((1, 2)), x=rows(3, 5)),
        Case("mean_batch", "mean(x, 0)", lambda x: x.mean(0),
             lambda x: x.mean(0), x=rows(3, 5)),
        Case("argmax", "convert(argmax(x, -1), f32)",
             lambda x: x.argmax(-1).double(),
             lambda x: x.argmax(-1).astype(float), x=rows(3, 5))),
    Family(
        "shape",
        Case("reshape", "reshape(x, [batch, 5, 3])",
             lambda x: x.reshape(-1, 5, 3), lambda x: x.reshape(-1, 5, 3),
             x=rows(3, 5)),
        Case("transpose", "transpose(x, [0, 2, 1])",
             lambda x: x.transpose(1, 2), lambda x: x.transpose(0, 2, 1),
             x=rows(3, 5)),
        Case("broadcast", "broadcast(x, [batch, 3, 5])",
             lambda x: x.broadcast_to(4, 3, 5),
             lambda x: jnp.broadcast_to(x, (4, 3, 5)), x=weight(3, 1))),
    Family(
        "losses",
        Case("cross_entropy", "cross_entropy(x, label)",
             lambda x, label: F.cross_entropy(x, label.long()),
             lambda x, label: cross_entropy(x, label).mean(),
             x=rows(5), label=labels(high=5)),
        Case("cross_entropy_none", 'cross_entropy(x, label, "none")',
             lambda x, label: F.cross_entropy(x.transpose(1, 2), label.long(),
                                              reduction="none"),
             cross_entropy, x=rows(3, 5), label=labels(3, high=5)),
        Case("cross_entropy_sum", 'cross_entropy(x, label, "sum")',
             lambda x, label: F.cross_entropy(x, label.long(),
                                              reduction="sum"),
             lambda x, label: cross_entropy(x, label).sum(),
             x=rows(5, of=normal(100)), label=labels(high=5))),
]
