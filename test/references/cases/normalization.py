"""Normalization and attention."""

import math

import jax
import jax.numpy as jnp
import torch
import torch.nn.functional as F

from families import Case, Family
from framework import rows


def normalize(x, dims, eps=1e-5):
    center = x - x.mean(dims, keepdims=True)
    return center / jnp.sqrt((center ** 2).mean(dims, keepdims=True) + eps)


def rms(x, eps):
    return x / jnp.sqrt((x ** 2).mean(-1, keepdims=True) + eps)


def attention(q, k, v, causal=False, scale=None, mask=None):
    """softmax(scale q k^T) v, heads of k and v shared by groups of q."""
    share = q.shape[1] // k.shape[1]
    k, v = jnp.repeat(k, share, 1), jnp.repeat(v, share, 1)
    scores = (scale or 1 / math.sqrt(q.shape[-1])) * q @ k.swapaxes(2, 3)
    if causal:
        rows, columns = scores.shape[2:]
        seen = jnp.tril(jnp.ones((rows, columns), bool), columns - rows)
        scores = jnp.where(seen, scores, -jnp.inf)
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    return jax.nn.softmax(scores) @ v


def rotary(x, base=10000):
    """Llama's order: element i turns with element i + width / 2."""
    length, half = x.shape[-2], x.shape[-1] // 2
    library = torch if isinstance(x, torch.Tensor) else jnp
    angle = (library.arange(length)[:, None]
             * float(base) ** (library.arange(half) * (-1 / half)))
    if library is torch:
        angle = (torch.arange(length, dtype=x.dtype)[:, None]
                 * base ** (torch.arange(half, dtype=x.dtype) * (-1 / half)))
    cos, sin = library.cos(angle), library.sin(angle)
    a, b = x[..., :half], x[..., half:]
    join = torch.cat if library is torch else jnp.concatenate
    return join([a * cos - b * sin, b * cos + a * sin], -1)


def heads(count, length, width=3):
    return rows(count, length, width)


FAMILIES = [
    Family(
        "normalization",
        Case("normalize", "normalize(x, -1)",
             lambda x: F.layer_norm(x, [5]), lambda x: normalize(x, (-1,)),
             x=rows(2, 5)),
        Case("normalize_dims", "normalize(x, [1, 2], eps = 0.1)",
             lambda x: F.layer_norm(x, [2, 5], eps=0.1),
             lambda x: normalize(x, (1, 2), 0.1), x=rows(2, 5)),
        Case("rms_normalize", "rms_normalize(x, -1, eps = 1e-6)",
             lambda x: F.rms_norm(x, [5], eps=1e-6), lambda x: rms(x, 1e-6),
             x=rows(2, 5))),
    Family(
        "attention",
        Case("full", "attention(q, k, v)",
             F.scaled_dot_product_attention, attention, q=heads(2, 3),
             k=heads(2, 4), v=heads(2, 4, 2)),
        Case("causal", "attention(q, k, v, causal = true, scale = 0.5)",
             lambda q, k, v: F.scaled_dot_product_attention(
                 q, k, v, is_causal=True, scale=0.5),
             lambda q, k, v: attention(q, k, v, True, 0.5), q=heads(2, 4),
             k=heads(2, 4), v=heads(2, 4)),
        Case("grouped", "attention(q, k, v, causal = true)",
             lambda q, k, v: F.scaled_dot_product_attention(
                 q, k, v, is_causal=True, enable_gqa=True),
             lambda q, k, v: attention(q, k, v, True), q=heads(4, 3, 2),
             k=heads(2, 3, 2), v=heads(2, 3, 2))),
    Family(
        "attention_mask",
        Case("masked", "attention(q, k, v, mask = causal_mask(4))",
             lambda q, k, v: F.scaled_dot_product_attention(
                 q, k, v, attn_mask=torch.ones(4, 4, dtype=torch.bool).tril()),
             lambda q, k, v: attention(
                 q, k, v, mask=jnp.tril(jnp.ones((4, 4), bool))),
             q=heads(2, 4), k=heads(2, 4), v=heads(2, 4, 2))),
    Family(
        "normalization_groups",
        Case("groups",
             "reshape(normalize(reshape(x, [batch, 2, -1]), -1), [batch, 4, 3, 2])",
             lambda x: F.group_norm(x, 2),
             lambda x: normalize(x.reshape(x.shape[0], 2, -1),
                                 (-1,)).reshape(x.shape),
             x=rows(4, 3, 2))),
    Family(
        "rotary",
        Case("rotary", "rotary(x)", rotary, rotary, x=rows(2, 3, 4))),
]
