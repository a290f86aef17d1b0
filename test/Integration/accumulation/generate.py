"""Computes the results in PROGRAM.json from its arguments.

usage: generate.py [NAME...]

Every function below is a program of this folder, written in JAX: it returns the
loss and the other results by name. Computed in f64, with the versions in
references/requirements.txt. The tests need none of this.
"""

import json
import os
import sys

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax.nn import log_softmax, logsumexp
from jax.lax import stop_gradient

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def mlp(a, x, scope=""):
    return (jnp.tanh(x @ a[scope + "W1"] + a[scope + "b1"])
            @ a[scope + "W2"])


def cross_entropy(logits, label):
    return -jnp.take_along_axis(log_softmax(logits, -1), label[..., None],
                                -1)[..., 0]


def get_rows(a):
    return cross_entropy(mlp(a, a["x"]), a["label"])


def tower(a, x, scope):
    z = mlp(a, x, scope)
    return z / jnp.sqrt((z * z).sum(1, keepdims=True))


def get_pairs(a):
    return tower(a, a["xu"], "u.") @ tower(a, a["xv"], "v.").T


def norm(a, x, dims, scope):
    mean, variance = x.mean(dims), x.var(dims)
    x = (x - mean) / jnp.sqrt(variance + 1e-5)
    return x * a[scope + "weight"] + a[scope + "bias"]


def relu(x):
    return jnp.where(x > 0, x, 0.0)


def diagonal_loss(logits):
    rows = -jnp.diagonal(log_softmax(logits, 1))
    columns = -jnp.diagonal(log_softmax(logits, 0))
    return 0.5 * (rows.mean() + columns.mean())


@program
def mse(a):
    return jnp.square(mlp(a, a["x"]) - a["t"]).mean(), {}


@program
def sum_loss(a):
    return jnp.square(mlp(a, a["x"])).sum(), {}


@program
def masked_mean(a):
    m = a["mask"] * 1.0
    return (get_rows(a) * m).sum() / jnp.maximum(m.sum(), 1.0), {}


@program
def masked_all(a):
    m = (a["mask"] & ~a["mask"]) * 1.0
    return (get_rows(a) * m).sum() / jnp.maximum(m.sum(), 1.0), {}


@program
def class_weighted(a):
    w = stop_gradient(a["class_weight"])[a["label"]]
    return (w * get_rows(a)).sum() / w.sum(), {}


@program
def two_denoms(a):
    rows, m1, m2 = get_rows(a), a["mask1"] * 1.0, a["mask2"] * 1.0
    return ((rows * m1).sum() / m1.sum()
            + (rows * rows * m2).sum() / m2.sum()), {}


@program
def ratio_per_sample(a):
    tokens = jnp.square(a["x"] @ a["W"]).sum(2)
    return ((tokens * a["m"]).sum(1) / a["m"].sum(1)).mean(), {}


@program
def l2_term(a):
    return get_rows(a).mean() + 0.01 * jnp.square(a["W1"]).sum(), {}


@program
def rmse(a):
    return jnp.sqrt(jnp.square(mlp(a, a["x"]) - a["t"]).mean()), {}


@program
def dice(a):
    p, t = 1 / (1 + jnp.exp(mlp(a, a["x"]))), a["target"] * 1.0
    return 1 - (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1), {}


@program
def denom_fwd(a):
    rows = get_rows(a)
    kept = (rows < 1.2) * 1.0
    return (rows * kept).sum() / jnp.maximum(kept.sum(), 1.0), {}


@program
def denom_fwd_nested(a):
    return denom_fwd(a)


@program
def moe_balance(a):
    routed = jnp.exp(log_softmax(a["x"] @ a["Wr"], 1))
    top = jax.nn.one_hot(routed.argmax(1), 3)
    y = (mlp(a, a["x"]) * routed).sum(1)
    return (y * y).mean() + 3 * (top.mean(0) * routed.mean(0)).sum(), {}


@program
def tied_l2(a):
    h = jnp.tanh(a["E"][a["token"]])
    loss = cross_entropy(h @ a["E"].T, a["next"]).mean()
    return loss + 0.1 * jnp.square(a["E"]).sum(), {}


@program
def flatten_lm(a):
    rows = cross_entropy(jnp.tanh(a["E"][a["token"]]) @ a["W"], a["next"])
    m = a["mask"] * 1.0
    return (rows * m).sum() / m.sum(), {}


@program
def time_major(a):
    rows = cross_entropy(jnp.tanh(a["x"] @ a["W"]) @ a["V"], a["label"])
    return rows.mean(), {"per_sample": rows.sum(0)}


@program
def time_major_mix(a):
    h = (a["x"].reshape(-1, 4) @ a["W"]).reshape(-1)
    return (h * h * a["m"].reshape(-1)).sum(), {}


@program
def bn1(a):
    h = jnp.tanh(norm(a, a["x"] @ a["W"], 0, "n1."))
    return cross_entropy(h @ a["V"], a["label"]).mean(), {}


@program
def bn2(a):
    h = relu(norm(a, a["x"] @ a["W"], 0, "n1."))
    g = relu(norm(a, h @ a["U"], 0, "n2."))
    return cross_entropy(g @ a["V"], a["label"]).mean(), {}


@program
def bn2_spatial(a):
    h = relu(norm(a, a["x"] @ a["W"], (0, 1), "n1."))
    g = relu(norm(a, h @ a["U"], (0, 1), "n2."))
    return cross_entropy(g.mean(1) @ a["V"], a["label"]).mean(), {}


@program
def clip_con(a):
    logits = get_pairs(a) * jnp.exp(a["tau"])
    hits = jnp.diagonal(logits) == logits.max(1)
    return diagonal_loss(logits), {"accuracy": (hits * 1.0).mean()}


@program
def clip_transposed(a):
    return diagonal_loss(get_pairs(a)), {}


@program
def infonce_self(a):
    u = tower(a, a["xu"], "u.")
    logits = jnp.where(jnp.eye(len(u)) == 1, -1e9, u @ u.T)
    chosen = log_softmax(logits, 1) * jnp.eye(len(u), k=1)
    return -chosen.sum(1).mean(), {}


@program
def whiten(a):
    r = a["reward"]
    r = (r - r.mean()) / jnp.sqrt(r.var() + 1e-5)
    return (get_rows(a) * r).mean(), {}


@program
def softmax_batch(a):
    p = jax.nn.softmax(mlp(a, a["x"]), 0)
    return jnp.square(p - a["t"]).sum(), {}


@program
def max_split(a):
    rows = jnp.square(mlp(a, a["x"])).sum(1)
    return rows.max() + 0.1 * rows.mean(), {}


@program
def max_first(a):
    rows = jnp.square(mlp(a, a["x"])).sum(1)
    return rows[rows.argmax()] + 0.1 * rows.mean(), {}


@program
def max_rows(a):
    h = (a["x"] @ a["W"]).reshape(-1, 5)
    return jnp.square(h.max(0)).sum(), {}


@program
def batch_hard(a):
    u = tower(a, a["xu"], "u.")
    similar, same = u @ u.T, a["label"][:, None] == a["label"]
    negative = jnp.where(same, -1e3, similar).max(1)
    positive = jnp.where(same, similar, 1e3).min(1)
    return relu(negative - positive + 0.2).mean(), {}


@program
def topk_select(a):
    rows = get_rows(a)
    kept = (rows >= jnp.sort(rows)[-3]) * 1.0
    return (rows * kept).sum() / kept.sum(), {}


@program
def clip_adam(a):
    # The update is in `update`.
    return get_rows(a).mean(), {}


@program
def metrics(a):
    logits = mlp(a, a["x"])
    rows, predicted = cross_entropy(logits, a["label"]), logits.argmax(1)
    hit = predicted == a["label"]
    return rows.mean(), {
        "correct": hit.sum(), "accuracy": (hit * 1.0).mean(), "largest": rows.max(),
        "smallest": rows.min(), "worst": rows.argmax(),
        "predicted": predicted, "per_sample": rows}


@program
def group_ok(a):
    return jnp.square(get_rows(a).reshape(-1, 2).sum(1)).mean(), {}


@program
def group_bad(a):
    return jnp.square(get_rows(a).reshape(2, -1).sum(0)).mean(), {}


@program
def var_comp(a):
    return get_rows(a).var(), {}


@program
def prod_means(a):
    return get_rows(a).mean() * jnp.square(mlp(a, a["x"], "q.")).mean(), {}


@program
def focal_norm(a):
    rows = get_rows(a)
    kept = rows < 1.2
    count = jnp.maximum(kept.sum(), 1)
    return ((rows * kept).sum() / count
            + (rows * rows * kept).sum() / (2 * count)), {}


@program
def softmax_batch_lse(a):
    return softmax_batch(a)


@program
def clip_lse(a):
    return diagonal_loss(get_pairs(a) * jnp.exp(a["tau"])), {}


@program
def clip_lse_diag(a):
    return diagonal_loss(get_pairs(a)), {}


@program
def group_conflict(a):
    rows = get_rows(a)
    apart, following = rows.reshape(2, -1).sum(0), rows.reshape(-1, 2).sum(1)
    return (apart * following).mean(), {}


@program
def masked_unclamped_empty(a):
    keep = a["mask"] & ~a["mask"]
    return jnp.where(keep, get_rows(a), 0.0).sum() / keep.sum(), {}


@program
def affine_zoo(a):
    x, v, rows = a["x"], a["v"], get_rows(a)
    s, total, count = (x * rows[:, None]).sum(0), x.sum(0), a["mask"].sum()
    return rows.mean() + ((v - 0.1 * s) * v).sum(), {
        "a": (v - s) + total,
        "b": jnp.where(v > 0, s, v) + total,
        "c": jnp.maximum(count, 1) + rows.sum(),
        "d": jnp.where(v > 0, v, -s) - total * v,
        "e": s / v + (total - v / s),
        "f": count - (v - s)}


@program
def tie_index(a):
    x, z = a["x"] * 1.0, a["z"]
    return jnp.square(x @ a["W"]).sum(2).mean(), {
        "a": x.reshape(-1, 2).argmax(0), "b": z.reshape(-1).argmax(),
        "c": z.argmax(1)}


@program
def simclr_cat(a):
    z = jnp.concatenate([a["x"], a["u"]])
    z = mlp(a, z)
    z = z / jnp.linalg.norm(z, axis=1, keepdims=True)
    n, rows = len(a["x"]), len(z)
    logits = jnp.where(jnp.eye(rows, dtype=bool), -jnp.inf, z @ z.T / 0.5)
    return cross_entropy(logits, (jnp.arange(rows) + n) % rows).mean(), {}


@program
def swav(a):
    z = mlp(a, a["x"])
    z = z / jnp.linalg.norm(z, axis=1, keepdims=True)
    c = a["prototypes"]
    c = c / jnp.linalg.norm(c, axis=1, keepdims=True)
    scores = z @ c.T
    q = jnp.exp(stop_gradient(scores) / 0.3).T
    q = q / q.sum()
    for _ in range(3):
        q = q / q.sum(1, keepdims=True) / q.shape[0]
        q = q / q.sum(0, keepdims=True) / q.shape[1]
    q = q.T * q.shape[1]
    return -(q * log_softmax(scores / 0.2, 1)).sum(1).mean(), {}


@program
def relativistic(a):
    fake = mlp(a, a["noise"], "generator.")
    real, fake = mlp(a, a["x"], "critic."), mlp(a, fake, "critic.")
    softplus = jax.nn.softplus
    return (softplus(fake.mean() - real).mean()
            + softplus(fake - real.mean()).mean()), {}


@program
def vq_ema(a):
    z = a["x"] @ a["E"]
    index = jnp.square(z[:, None] - a["book"]).sum(2).argmin(1)
    q, hot = a["book"][index], jnp.eye(5)[index]
    straight = z + stop_gradient(q - z)
    count = 0.9 * a["count"] + 0.1 * hot.sum(0)
    total = 0.9 * a["total"] + 0.1 * hot.T @ stop_gradient(z)
    used = hot.mean(0)
    return (jnp.square(straight @ a["D"] - a["x"]).mean()
            + 0.25 * jnp.square(z - q).mean()), {
        "count": count, "total": total, "book": total / count[:, None],
        "perplexity": jnp.exp(-(used * jnp.log(used + 1e-10)).sum())}


@program
def cox(a):
    risk, event = mlp(a, a["x"])[:, 0], a["event"] * 1.0
    total = jax.lax.cumlogsumexp(risk)
    return -((risk - total) * event).sum() / event.sum(), {}


@program
def mixup_flip(a):
    rows = mlp(a, 0.3 * a["x"] + 0.7 * a["x"][::-1])
    return (0.3 * cross_entropy(rows, a["label"])
            + 0.7 * cross_entropy(rows, a["label"][::-1])).mean(), {}


@program
def graph(a):
    z = mlp(a, a["x"])
    sums = jnp.zeros_like(z).at[a["target"]].add(z[a["source"]])
    return (jnp.square(jnp.tanh(z + sums)) * a["x"][:, :1]).mean(), {}


@program
def halves(a):
    first, second = jnp.split(mlp(a, a["x"]), 2)
    return (jnp.square(first - second).mean()
            + jnp.square(first.mean(0) - second.mean(0)).mean()), {}


@program
def rows_cat(a):
    rows = [a["x"] @ a["w"], mlp(a, a["parts"]).reshape(-1)]
    return (jnp.concatenate(rows) ** 4).mean(), {}


@program
def parts_cat(a):
    z = mlp(a, jnp.concatenate([a["x"].reshape(-1, 4), a["u"].reshape(-1, 4)]))
    return (z ** 3).mean() + logsumexp(z, 0).mean(), {}


def update(a, gradients):
    """The first step of Adam after clipping, with its moments."""
    norm = jnp.sqrt(sum((g * g).sum() for g in gradients.values()))
    results = {"grad_norm": norm}
    for name, g in gradients.items():
        g = g * (0.1 / jnp.maximum(norm, 0.1))
        m, v = (1 - 0.9) * g, (1 - 0.999) * g * g
        mean, deviation = m / (1 - 0.9), jnp.sqrt(v / (1 - 0.999))
        results[name] = a[name] - 0.01 * mean / (deviation + 1e-8)
        results[name + ".m"], results[name + ".v"] = m, v
    return results


def print_values(values):
    lines = [f"    {json.dumps(name)}: {json.dumps(value)}"
             for name, value in values.items()]
    return "{\n" + ",\n".join(lines) + "\n  }"


def compute(name, stored):
    """The results of the program for the stored arguments."""
    a = {key: jnp.asarray(value) for key, value in stored["arguments"].items()}
    trained = [key for key in a
               if a[key].dtype == jnp.float64 and key in stored["results"]]

    def get_loss(weights):
        return PROGRAMS[name]({**a, **weights})

    (loss, others), gradients = jax.value_and_grad(get_loss, has_aux=True)(
        {key: a[key] for key in trained})
    steps = stored["stop"] == "update"
    results = {"loss": loss, **(update(a, gradients) if steps else gradients),
               **others}
    return {key: results[key].tolist() for key in stored["results"]}


def main(names):
    folder = os.path.dirname(os.path.abspath(__file__))
    for name in names or PROGRAMS:
        path = os.path.join(folder, name + ".json")
        with open(path) as file:
            stored = json.load(file)
        results = compute(name, stored)
        with open(path, "w") as file:
            file.write(f'{{\n  "stop": "{stored["stop"]}",\n  "arguments": '
                       f'{print_values(stored["arguments"])},\n  "results": '
                       f"{print_values(results)}\n}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
