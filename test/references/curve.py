"""Writes the loss curve of the character model, trained by PyTorch.

usage: curve.py INITIAL.safetensors

INITIAL holds the weights that `accrue train` starts from with seed 0 (see
curve.test for the command). The windows of the text are taken in the order
that docs/command-line.md describes: its random numbers are made here a second
time. Everything is computed in f32, the type of the model.
"""

import json
import math
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file

FOLDER = os.path.dirname(os.path.abspath(__file__))
TEXT = os.path.join(FOLDER, "../../examples/data/characters/train.bin")
STEPS, BATCH, CONTEXT, HEADS = 200, 64, 64, 4
LAST_STEP, WARMUP, LR, MIN_LR, DECAY = 2000, 50, 1e-3, 1e-4, 0.01


#===-----------------------------------------------------------------------===#
# Data order: Philox 4x32-10 (Salmon et al. 2011), FNV-1a, Fisher-Yates
#===-----------------------------------------------------------------------===#

def philox_word(seed, stream, index):
    """The first 64-bit word."""
    mask = 0xFFFFFFFF
    c = [index & mask, index >> 32, stream & mask, stream >> 32]
    k = [seed & mask, seed >> 32]
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & mask,
             (p0 >> 32) ^ c[3] ^ k[1], p0 & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c[0] | c[1] << 32


def hash_name(name):
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def batches(tokens, window):
    """Every logical batch of windows, epoch after epoch; the last batch of an
    epoch is smaller."""
    count = (len(tokens) + 1) // window - 1
    choices = min(window, len(tokens) - count * window + 1)
    epoch = 0
    while True:
        shift = philox_word(0, (hash_name("token offset") + epoch) % 2**64,
                            0) * choices >> 64
        stream = (hash_name("data order") + epoch) % 2**64
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = philox_word(0, stream, last) * (last + 1) >> 64
            order[last], order[other] = order[other], order[last]
        for begin in range(0, count, BATCH):
            rows = [tokens[i * window + shift:(i + 1) * window + shift]
                    for i in order[begin:begin + BATCH]]
            yield torch.tensor(np.stack(rows).astype(np.int64))
        epoch += 1


#===-----------------------------------------------------------------------===#
# The model
#===-----------------------------------------------------------------------===#

def loss_of(p, tokens):
    def linear(x, name):
        return F.linear(x, p[name + ".weight"], p[name + ".bias"])

    def norm(x, name):
        return F.layer_norm(x, x.shape[-1:], p[name + ".weight"],
                            p[name + ".bias"])

    x = p["tokens.weight"][tokens[:, :-1]] + p["positions.weight"]
    block = 0
    while f"blocks.{block}.norm1.weight" in p:
        name = f"blocks.{block}."
        q, k, v = (
            t.unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for t in linear(norm(x, name + "norm1"),
                            name + "attention.in_proj").chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + linear(y.transpose(1, 2).flatten(2),
                       name + "attention.out_proj")
        y = F.gelu(linear(norm(x, name + "norm2"), name + "mlp.up"))
        x = x + linear(y, name + "mlp.down")
        block += 1
    logits = linear(norm(x, "norm"), "head")
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def learning_rate(completed):
    if completed < WARMUP:
        return LR * (completed + 1) / WARMUP
    progress = (completed - WARMUP) / (LAST_STEP - WARMUP)
    return MIN_LR + (LR - MIN_LR) * (1 + math.cos(math.pi * progress)) / 2


def main(initial):
    torch.manual_seed(0)
    # A file of `accrue train` holds the state of the optimizer, too.
    parameters = {name: torch.tensor(value).requires_grad_()
                  for name, value in load_file(initial).items()
                  if not name.startswith(("optimizer/", "state/"))}
    assert parameters["positions.weight"].shape[0] == CONTEXT

    def decays(name):
        return not name.endswith(".bias") and "norm" not in name

    optimizer = torch.optim.AdamW(
        [{"params": [p for n, p in parameters.items() if decays(n)],
          "weight_decay": DECAY},
         {"params": [p for n, p in parameters.items() if not decays(n)],
          "weight_decay": 0}], lr=LR, betas=(0.9, 0.99))
    tokens = np.fromfile(TEXT, dtype="<u2")
    curve = []
    for step, batch in zip(range(STEPS), batches(tokens, CONTEXT + 1)):
        optimizer.zero_grad()
        loss = loss_of(parameters, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(parameters.values()), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step)
        optimizer.step()
        curve.append(round(loss.item(), 6))
        if step % 20 == 0:
            print(step, curve[-1], flush=True)
    path = os.path.join(FOLDER, "curves", "characters.json")
    with open(path, "w") as file:
        json.dump({"framework": f"PyTorch {torch.__version__.split('+')[0]}",
                   "loss": curve}, file)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
