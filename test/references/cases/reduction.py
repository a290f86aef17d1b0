"""Sums, means, extrema and what is made of them."""

import jax
import jax.numpy as jnp
import torch

from families import Case, Family
from framework import normal, rows, values


def indices(x):
    return x.double() if isinstance(x, torch.Tensor) else x.astype(float)


FAMILIES = [
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
             lambda x: indices(x.argmax(-1)), lambda x: indices(x.argmax(-1)),
             x=rows(3, 5))),
    Family(
        "reduction_more",
        Case("amax", "amax(x, -1)", lambda x: x.amax(-1), lambda x: x.max(-1),
             x=rows(3, 5)),
        Case("amax_dims", "amax(x, [1, 2])", lambda x: x.amax((1, 2)),
             lambda x: x.max((1, 2)), x=rows(3, 5)),
        Case("amax_tie", "amax(x, -1)", lambda x: x.amax(-1),
             lambda x: x.max(-1), x=rows(5, of=values(1, 2, 2))),
        Case("amin", "amin(x, 1)", lambda x: x.amin(1), lambda x: x.min(1),
             x=rows(3, 5)),
        Case("cumsum", "cumsum(x, 1)", lambda x: x.cumsum(1),
             lambda x: jnp.cumsum(x, 1), x=rows(3, 5)),
        Case("cumsum_last", "cumsum(x, -1)", lambda x: x.cumsum(-1),
             lambda x: jnp.cumsum(x, -1), x=rows(3, 5)),
        Case("variance", "variance(x, -1)", lambda x: x.var(-1),
             lambda x: x.var(-1, ddof=1), x=rows(3, 5))),
    Family(
        "softmax",
        Case("softmax", "softmax(x)", lambda x: x.softmax(-1), jax.nn.softmax,
             x=rows(3, 5)),
        Case("softmax_middle", "softmax(x, 1)", lambda x: x.softmax(1),
             lambda x: jax.nn.softmax(x, 1), x=rows(3, 5)),
        Case("softmax_large", "softmax(x)", lambda x: x.softmax(-1),
             jax.nn.softmax, x=rows(5, of=normal(500))),
        Case("log_softmax", "log_softmax(x)", lambda x: x.log_softmax(-1),
             jax.nn.log_softmax, x=rows(3, 5)),
        Case("log_softmax_large", "log_softmax(x)",
             lambda x: x.log_softmax(-1), jax.nn.log_softmax,
             x=rows(5, of=normal(500))),
        Case("logsumexp", "logsumexp(x, -1)", lambda x: x.logsumexp(-1),
             lambda x: jax.nn.logsumexp(x, -1), x=rows(3, 5)),
        Case("logsumexp_dims", "logsumexp(x, [1, 2])",
             lambda x: x.logsumexp((1, 2)),
             lambda x: jax.nn.logsumexp(x, (1, 2)), x=rows(3, 5)),
        Case("logsumexp_large", "logsumexp(x, -1)",
             lambda x: x.logsumexp(-1), lambda x: jax.nn.logsumexp(x, -1),
             x=rows(5, of=normal(500)))),
]
