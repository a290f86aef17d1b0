"""What the model language composes: einsum and parts of tensors in brackets."""

import jax.numpy as jnp
import torch

from families import Case, Family
from framework import rows, weight


def einsum(name, equation, **operands):
    arguments = ", ".join(operands)
    return Case(name, f'einsum("{equation}", {arguments})',
                lambda *x: torch.einsum(equation, *x),
                lambda *x: jnp.einsum(equation, *x), **operands)


def part(name, text, of):
    return Case(name, text, of, of, x=rows(5, 6))


FAMILIES = [
    Family(
        "einsum",
        einsum("scores", "bhtd,bhsd->bhts", q=rows(2, 3, 5), k=rows(2, 4, 5)),
        einsum("mixed", "bhts,bhsd->bthd", p=rows(2, 3, 4), v=rows(2, 4, 5)),
        einsum("weights", "btd,de->bte", x=rows(3, 5), w=weight(5, 4)),
        einsum("first", "de,btd->bet", w=weight(5, 4), x=rows(3, 5)),
        einsum("inner", "btd,tdo->bo", x=rows(3, 5), w=weight(3, 5, 2)),
        einsum("samples", "bi,bj->ij", x=rows(3), y=rows(4)),
        einsum("outer", "bi,bj->bij", x=rows(3), y=rows(4)),
        einsum("elementwise", "bi,i->bi", x=rows(3), w=weight(3)),
        einsum("summed", "bij,jk->bi", x=rows(3, 4), w=weight(4, 2)),
        einsum("three", "bi,ij,bj->b", x=rows(3), w=weight(3, 4), y=rows(4)),
        einsum("trace", "bij,bij->b", x=rows(3, 4), y=rows(3, 4)),
        einsum("one", "bij->bji", x=rows(3, 4)),
        einsum("total", "bij->j", x=rows(3, 5))),
    Family(
        "brackets",
        part("position", "x[:, 2]", lambda x: x[:, 2]),
        part("last", "x[..., -1]", lambda x: x[..., -1]),
        part("range", "x[:, 1:-1]", lambda x: x[:, 1:-1]),
        part("step", "x[:, 1::2, ::3]", lambda x: x[:, 1::2, ::3]),
        part("both", "x[:, 3, 2:5]", lambda x: x[:, 3, 2:5]),
        part("split", "concat([split(x, [2, 4], -1)[1], split(x, 3, 2)[0]], 2)",
             lambda x: (torch if isinstance(x, torch.Tensor) else jnp)
             .concatenate([x[..., 2:], x[..., :2]], -1))),
]
