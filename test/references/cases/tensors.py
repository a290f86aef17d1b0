"""Products, shapes and indices."""

import jax
import jax.numpy as jnp
import torch
import torch.nn.functional as F

from families import Case, Family
from framework import indices, rows, weight


def take(x, i, dim):
    """PyTorch's advanced index along one dimension."""
    return x.index_select(dim, i.reshape(-1)).reshape(
        *x.shape[:dim], *i.shape, *x.shape[dim + 1:])


def scatter_rows(updates, i, size):
    zeros = updates.new_zeros(size, *updates.shape[i.dim():])
    return zeros.index_add(0, i.reshape(-1).long(), updates.flatten(
        0, i.dim() - 1))


def scatter_rows_jax(updates, i, size):
    return jnp.zeros((size, *updates.shape[i.ndim:])).at[i].add(updates)


FAMILIES = [
    Family(
        "contraction",
        Case("matmul", "x @ w", torch.matmul, jnp.matmul, x=rows(6),
             w=weight(6, 5)),
        Case("matmul_transposed", "x @ w.T", lambda x, w: x @ w.T,
             lambda x, w: x @ w.T, x=rows(3, 6), w=weight(5, 6)),
        Case("matrix_vector", "x @ w", torch.matmul, jnp.matmul, x=rows(6),
             w=weight(6))),
    Family(
        "batched",
        Case("matmul", "x @ y", torch.matmul, jnp.matmul, x=rows(2, 3),
             y=rows(3, 4)),
        Case("matmul_heads", "q @ transpose(k, [0, 1, 3, 2])",
             lambda q, k: q @ k.transpose(2, 3),
             lambda q, k: q @ k.transpose(0, 1, 3, 2), q=rows(2, 3, 4),
             k=rows(2, 5, 4)),
        Case("einsum", 'einsum("bij,kj->bki", x, w)',
             lambda x, w: torch.einsum("bij,kj->bki", x, w),
             lambda x, w: jnp.einsum("bij,kj->bki", x, w), x=rows(2, 3),
             w=weight(4, 3))),
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
        "shape_more",
        Case("slice", "x[:, 1:3]", lambda x: x[:, 1:3], lambda x: x[:, 1:3],
             x=rows(4, 3)),
        Case("position", "x[:, -1]", lambda x: x[:, -1], lambda x: x[:, -1],
             x=rows(4, 3)),
        Case("concat", "concat([x, y], 1)",
             lambda x, y: torch.cat([x, y], 1),
             lambda x, y: jnp.concatenate([x, y], 1), x=rows(2, 3),
             y=rows(1, 3)),
        Case("pad", "pad(x, 1, 2, 1)",
             lambda x: F.pad(x, (0, 0, 2, 1)),
             lambda x: jnp.pad(x, ((0, 0), (2, 1), (0, 0))), x=rows(2, 3)),
        Case("flip", "flip(x, 1)", lambda x: x.flip(1),
             lambda x: jnp.flip(x, 1), x=rows(4, 2)),
        Case("transpose", "transpose(x, [0, 3, 1, 2]) * y",
             lambda x, y: x.permute(0, 3, 1, 2) * y,
             lambda x, y: x.transpose(0, 3, 1, 2) * y, x=rows(2, 3, 2),
             y=weight(2, 1, 3)),
        Case("causal", "select(causal_mask(3), x, 0)",
             lambda x: x.tril(), jnp.tril, x=rows(3, 3))),
    Family(
        "indexing",
        Case("embedding", "embedding(i, table)",
             lambda i, table: F.embedding(i.long(), table),
             lambda i, table: table[i], i=indices(5, high=6),
             table=weight(6, 3)),
        Case("gather", "transpose(gather(x, i, 1), [1, 0, 2])",
             lambda x, i: take(x, i, 1).transpose(0, 1),
             lambda x, i: jnp.take(x, i, 1).transpose(1, 0, 2),
             x=weight(2, 5, 3), i=indices(high=5)),
        Case("take_along", "take_along(x, i, 1)",
             lambda x, i: x.gather(1, i.long()),
             lambda x, i: jnp.take_along_axis(x, i, 1), x=rows(6),
             i=indices(3, high=6)),
        Case("scatter_add", "scatter_add(x, i, 5)",
             lambda x, i: scatter_rows(x, i, 5),
             lambda x, i: scatter_rows_jax(x, i, 5), x=rows(3, 2),
             i=indices(3, high=5)),
        Case("one_hot",
             "sum(x * one_hot(i, 3, f32), -1)",
             lambda x, i: (x * F.one_hot(i.long(), 3)).sum(-1),
             lambda x, i: (x * jax.nn.one_hot(i, 3)).sum(-1), x=rows(3),
             i=indices(high=3)),
        Case("top_k", "take_along(x, top_k(x, 2), -1)",
             lambda x: x.topk(2).values, lambda x: jax.lax.top_k(x, 2)[0],
             x=rows(6))),
]
