"""Running statistics of batch norm against PyTorch.

usage: batch_norm.py FOLDER            writes FOLDER/x.npy
       batch_norm.py STATE.safetensors EVAL.json
                                       compares a run of three steps
       batch_norm.py --torch           prints EXPECTED, computed by PyTorch
"""

import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                ".."))
from tensorfile import Tensor, error, read_safetensors, write_npy

SHAPE = (8, 3, 4, 4)
VALUES = [1 + 2 * math.sin(i * i) for i in range(math.prod(SHAPE))]

# PyTorch 2.15.0
EXPECTED = {
    "state/bn.running_mean": [0.2680443973, 0.2486201856, 0.3135546061],
    "state/bn.running_var": [1.2367719150, 1.2932228289, 1.2845447563],
    "bn.weight": [0.9032967989, 0.9032967486, 0.9032967557],
    "bn.bias": [0.0290111111, 0.0290111111, 0.0290111111],
    "loss": [1.3831822999],
}


def run_torch():
    import torch
    x = torch.tensor(VALUES, dtype=torch.float32).reshape(SHAPE).double()
    norm = torch.nn.BatchNorm2d(3).double()
    optimizer = torch.optim.SGD(norm.parameters(), lr=0.05)
    for _ in range(3):
        optimizer.zero_grad()
        ((norm(x) - 0.3) ** 2).mean().backward()
        optimizer.step()
    norm.eval()
    loss = ((norm(x) - 0.3) ** 2).mean().item()
    print({"state/bn.running_mean": norm.running_mean.tolist(),
           "state/bn.running_var": norm.running_var.tolist(),
           "bn.weight": norm.weight.tolist(), "bn.bias": norm.bias.tolist(),
           "loss": [loss]})


def main(arguments):
    if arguments == ["--torch"]:
        return run_torch()
    if len(arguments) == 1:
        return write_npy(os.path.join(arguments[0], "x.npy"),
                         Tensor("F32", SHAPE, VALUES))
    run, _ = read_safetensors(arguments[0])
    with open(arguments[1]) as file:
        run["loss"] = Tensor("F64", (1,), [json.load(file)["loss"]])
    for name, values in EXPECTED.items():
        difference = error(run[name], Tensor("F64", (len(values),), values))
        print(f"{name:<24} {difference:.1e}")
        if not difference <= 1e-5:
            sys.exit(f"error: {name}: expected {values}, got "
                     f"{list(run[name].values)}")
    print("as PyTorch")


if __name__ == "__main__":
    main(sys.argv[1:])
