"""Writes the models and values of this folder; see requirements.txt.

usage: generate.py [NAME...]

Everything is drawn from fixed seeds and computed in f64 by PyTorch and, where
both can, by JAX: a case on which they differ is an error. With names, only
these are written.
"""

import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, folder)

from cases import (blocks, elementwise, language, losses, normalization,
                   optimizers, reduction, tensors, windows)


def main(names):
    families = [family for module in (elementwise, language, losses,
                                      normalization, reduction, tensors,
                                      windows)
                for family in module.FAMILIES]
    for subfolder, cases in (("ops", families),
                             ("optimizers", optimizers.OPTIMIZERS),
                             ("blocks", blocks.BLOCKS)):
        target = os.path.join(folder, subfolder)
        os.makedirs(target, exist_ok=True)
        for case in cases:
            if names and case.name not in names:
                continue
            case.generate(target)
            size = os.path.getsize(
                os.path.join(target, case.name + ".safetensors"))
            print(f"{subfolder}/{case.name}: {size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
