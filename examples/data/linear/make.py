#!/usr/bin/env python3
"""Makes the synthetic data of the linear regression example.

64 samples of 5 standard normal features, y = x w + b + noise with
w = (1.5, -2, 0.5, 3, -1), b = 0.75 and normal noise of standard deviation 0.05:

    x.npy   f32 [64, 5]
    y.npy   f32 [64]

It takes `RandomState`, whose stream numpy guarantees never to change, so every
run writes the same bytes.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
SEED = 7
WEIGHT = np.array([1.5, -2.0, 0.5, 3.0, -1.0])
BIAS = 0.75
NOISE = 0.05


def main():
    random = np.random.RandomState(SEED)
    x = random.standard_normal((64, 5))
    y = x @ WEIGHT + BIAS + NOISE * random.standard_normal(64)
    np.save(HERE / "x.npy", x.astype("<f4"))
    np.save(HERE / "y.npy", y.astype("<f4"))


if __name__ == "__main__":
    main()
