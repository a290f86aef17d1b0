"""Losses, with their reductions and options."""

import jax
import jax.numpy as jnp
import torch.nn.functional as F

from families import Case, Family
from framework import indices, normal, rows, uniform, values, weight

WEIGHTS = uniform(0.5, 2)


def cross_entropy(logits, label):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), label[..., None],
                                 axis=-1)
    return -picked[..., 0]


def weighted(logits, label, weights):
    losses = cross_entropy(logits, label) * weights[label]
    return losses.sum() / weights[label].sum()


def ignoring(logits, label, ignored):
    losses = jnp.where(label == ignored, 0, cross_entropy(logits, label))
    return losses.sum() / (label != ignored).sum()


def smoothed(logits, label, smoothing):
    logs = jax.nn.log_softmax(logits)
    return ((1 - smoothing) * cross_entropy(logits, label)
            - smoothing * logs.mean(-1)).mean()


def bce(x, y):
    return jax.nn.softplus(x) - x * y


def smooth_l1(x, y, beta):
    d = jnp.abs(x - y)
    return jnp.where(d < beta, d ** 2 * 0.5 / beta, d - 0.5 * beta)


FAMILIES = [
    Family(
        "losses",
        Case("cross_entropy", "cross_entropy(x, label)",
             lambda x, label: F.cross_entropy(x, label.long()),
             lambda x, label: cross_entropy(x, label).mean(),
             x=rows(5), label=indices(high=5)),
        Case("cross_entropy_none", 'cross_entropy(x, label, "none")',
             lambda x, label: F.cross_entropy(x.transpose(1, 2), label.long(),
                                              reduction="none"),
             cross_entropy, x=rows(3, 5), label=indices(3, high=5)),
        Case("cross_entropy_sum", 'cross_entropy(x, label, "sum")',
             lambda x, label: F.cross_entropy(x, label.long(),
                                              reduction="sum"),
             lambda x, label: cross_entropy(x, label).sum(),
             x=rows(5, of=normal(100)), label=indices(high=5))),
    Family(
        "cross_entropy_options",
        Case("smoothing", "cross_entropy(x, label, label_smoothing = 0.1)",
             lambda x, label: F.cross_entropy(x, label.long(),
                                              label_smoothing=0.1),
             lambda x, label: smoothed(x, label, 0.1), x=rows(5),
             label=indices(high=5)),
        Case("ignored_sum",
             'cross_entropy(x, label, "sum", ignore_index = 2)',
             lambda x, label: F.cross_entropy(x, label.long(), ignore_index=2,
                                              reduction="sum"),
             lambda x, label: jnp.where(label == 2, 0,
                                        cross_entropy(x, label)).sum(),
             x=rows(5), label=indices(high=3)),
        Case("weighted_sum", 'cross_entropy(x, label, "sum", weight = stop_gradient(w))',
             lambda x, w, label: F.cross_entropy(
                 x, label.long(), w.detach(), reduction="sum"),
             lambda x, w, label: (cross_entropy(x, label)
                                  * jax.lax.stop_gradient(w)[label]).sum(),
             x=rows(5), w=weight(5, of=WEIGHTS), label=indices(high=5))),
    Family(
        "cross_entropy_counts",
        Case("ignored", "cross_entropy(x, label, ignore_index = 2)",
             lambda x, label: F.cross_entropy(x, label.long(),
                                              ignore_index=2),
             lambda x, label: ignoring(x, label, 2), x=rows(5),
             label=indices(high=3)),
        Case("weighted", "cross_entropy(x, label, weight = stop_gradient(w))",
             lambda x, w, label: F.cross_entropy(x, label.long(), w.detach()),
             lambda x, w, label: weighted(x, label,
                                          jax.lax.stop_gradient(w)),
             x=rows(5), w=weight(5, of=WEIGHTS), label=indices(high=5)),
        splits=[]),
    Family(
        "standard_losses",
        Case("bce", "bce_with_logits(x, y)",
             F.binary_cross_entropy_with_logits,
             lambda x, y: bce(x, y).mean(), x=rows(3),
             y=rows(3, of=uniform(0, 1))),
        Case("bce_large", 'bce_with_logits(x, y, "none")',
             lambda x, y: F.binary_cross_entropy_with_logits(
                 x, y, reduction="none"),
             bce, x=rows(3, of=normal(300)), y=rows(3, of=values(0, 1))),
        Case("mse", "mse(x, y)", F.mse_loss,
             lambda x, y: ((x - y) ** 2).mean(), x=rows(3), y=rows(3)),
        Case("mse_sum", 'mse(x, y, "sum")',
             lambda x, y: F.mse_loss(x, y, reduction="sum"),
             lambda x, y: ((x - y) ** 2).sum(), x=rows(3), y=rows(3)),
        Case("l1", "l1(x, y)", F.l1_loss,
             lambda x, y: jnp.abs(x - y).mean(), x=rows(3), y=rows(3)),
        Case("smooth_l1", "smooth_l1(x, y, beta = 0.5)",
             lambda x, y: F.smooth_l1_loss(x, y, beta=0.5),
             lambda x, y: smooth_l1(x, y, 0.5).mean(), x=rows(3), y=rows(3)),
        Case("kl_div", "kl_div(log_softmax(x), softmax(y))",
             lambda x, y: F.kl_div(x.log_softmax(-1), y.softmax(-1)),
             lambda x, y: (jax.nn.softmax(y)
                           * (jax.nn.log_softmax(y)
                              - jax.nn.log_softmax(x))).mean(),
             x=rows(3), y=rows(3))),
]
