"""Convolution and pooling."""

import jax
import jax.numpy as jnp
import torch.nn.functional as F

from families import Case, Family
from framework import rows, values, weight


def conv(stride=1, padding=0, dilation=1, groups=1):
    """The same convolution in PyTorch and in JAX."""
    def in_torch(x, w):
        return F.conv2d(x, w, stride=stride, padding=padding,
                        dilation=dilation, groups=groups)

    def in_jax(x, w):
        return jax.lax.conv_general_dilated(
            x, w, (stride,) * 2, [(padding,) * 2] * 2,
            rhs_dilation=(dilation,) * 2, feature_group_count=groups)
    return in_torch, in_jax


def pool(kind, size, stride, padding):
    window = ((1, 1, size, size), (1, 1, stride, stride),
              ((0, 0), (0, 0), (padding,) * 2, (padding,) * 2))

    def max_pool(x):
        return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, *window)

    def avg_pool(x):
        return jax.lax.reduce_window(x, 0.0, jax.lax.add, *window) / size ** 2
    return max_pool if kind == "max" else avg_pool


def conv_bias(x, w, b):
    return conv(padding=1)[1](x, w) + b[:, None, None]


FAMILIES = [
    Family(
        "convolution_bias",
        Case("bias", "conv2d(x, w, b, padding = 1)",
             lambda x, w, b: F.conv2d(x, w, b, padding=1), conv_bias,
             x=rows(2, 4, 3), w=weight(3, 2, 3, 3), b=weight(3))),
    Family(
        "convolution",
        Case("conv2d", "conv2d(x, w)", *conv(), x=rows(2, 4, 4),
             w=weight(3, 2, 3, 3)),
        Case("stride", "conv2d(x, w, stride = 2, padding = 1)",
             *conv(stride=2, padding=1), x=rows(2, 5, 4),
             w=weight(2, 2, 3, 3)),
        Case("dilation", "conv2d(x, w, dilation = 2, padding = 1)",
             *conv(dilation=2, padding=1), x=rows(1, 5, 5),
             w=weight(2, 1, 2, 2))),
    Family(
        "grouped_convolution",
        Case("groups", "conv2d(x, w, groups = 2)", *conv(groups=2),
             x=rows(4, 3, 3), w=weight(2, 2, 2, 2)),
        Case("depthwise", "conv2d(x, w, groups = 3, padding = 1)",
             *conv(groups=3, padding=1), x=rows(3, 3, 3),
             w=weight(3, 1, 3, 3)),
        Case("pointwise", "conv2d(x, w)", *conv(), x=rows(3, 2, 3),
             w=weight(2, 3, 1, 1))),
    Family(
        "pooling",
        Case("max", "max_pool2d(x, 2)", lambda x: F.max_pool2d(x, 2),
             pool("max", 2, 2, 0), x=rows(2, 4, 4)),
        Case("max_padded", "max_pool2d(x, 3, stride = 2, padding = 1)",
             lambda x: F.max_pool2d(x, 3, 2, 1), pool("max", 3, 2, 1),
             x=rows(1, 5, 4)),
        Case("max_tie", "max_pool2d(x, 2)", lambda x: F.max_pool2d(x, 2),
             None, x=rows(1, 4, 4, of=values(1, 2, 2))),
        Case("avg", "avg_pool2d(x, 2)", lambda x: F.avg_pool2d(x, 2),
             pool("avg", 2, 2, 0), x=rows(2, 4, 4)),
        Case("avg_padded", "avg_pool2d(x, 3, stride = 2, padding = 1)",
             lambda x: F.avg_pool2d(x, 3, 2, 1), pool("avg", 3, 2, 1),
             x=rows(1, 5, 4)),
        Case("global_avg", "global_avg_pool2d(x)",
             lambda x: x.mean((2, 3)), lambda x: x.mean((2, 3)),
             x=rows(2, 3, 3))),
]
