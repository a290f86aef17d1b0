#!/usr/bin/env python3
"""Computes the expected values of PlannedMLPTest.cpp: three steps of the model
of test/Dialect/Kernel/planned-mlp.mlir on the whole batch, in double."""
import numpy as np


def numbers(count, scale, phase):
    k = np.arange(count, dtype=np.float64)
    return (scale * np.sin(k * k + phase)).astype(np.float32).astype(np.float64)


x = numbers(30, 2.0, 0.3).reshape(10, 3)
label = np.arange(10) * 7 % 3 % 2
params = {
    "fc1.weight": numbers(15, 0.9, 0.1).reshape(5, 3),
    "fc1.bias": numbers(5, 0.4, 0.2),
    "fc2.weight": numbers(10, 1.5, 0.5).reshape(2, 5),
    "fc2.bias": numbers(2, 0.3, 0.4),
}
m = {name: np.zeros_like(p) for name, p in params.items()}
v = {name: np.zeros_like(p) for name, p in params.items()}


def show(name, values):
    text = ", ".join(f"{value:.10g}" for value in np.ravel(values))
    print(f"{name} = {{{text}}};")


losses, norms = [], []
for step in range(3):
    w1, b1 = params["fc1.weight"], params["fc1.bias"]
    w2, b2 = params["fc2.weight"], params["fc2.bias"]
    h = np.maximum(x @ w1.T + b1, 0)
    logits = h @ w2.T + b2
    top = logits.max(axis=1, keepdims=True)
    lse = np.log(np.exp(logits - top).sum(axis=1, keepdims=True)) + top
    losses.append((lse[:, 0] - logits[np.arange(10), label]).mean())
    dlogits = np.exp(logits - lse)
    dlogits[np.arange(10), label] -= 1
    dlogits /= 10
    dh = (dlogits @ w2) * (h > 0)
    grads = {"fc1.weight": dh.T @ x, "fc1.bias": dh.sum(axis=0),
             "fc2.weight": dlogits.T @ h, "fc2.bias": dlogits.sum(axis=0)}
    norm = np.sqrt(sum((g * g).sum() for g in grads.values()))
    norms.append(norm)
    lr = 1e-3 * min((step + 1) / 20, 1)
    for name, p in params.items():
        g = grads[name] / max(norm, 1)
        m[name] = 0.9 * m[name] + 0.1 * g
        v[name] = 0.999 * v[name] + 0.001 * g * g
        decayed = p * (1 - lr * 0.01) if name.endswith("weight") else p
        mh = m[name] / (1 - 0.9 ** (step + 1))
        vh = v[name] / (1 - 0.999 ** (step + 1))
        params[name] = decayed - lr * mh / (np.sqrt(vh) + 1e-8)

show("losses", losses)
show("norms", norms)
for name in params:
    show(name, params[name])
    show(name + " m", m[name])
    show(name + " v", v[name])
