#!/usr/bin/env python3
"""Makes the training and held-out arrays of the digits example.

Reads digits.csv.gz beside this script (1797 rows: 64 pixel values 0..16, then
the label), shuffles the rows once with a fixed seed, and writes the first 1437
as the training set and the remaining 360 as the held-out set:

    {train,test}_pixels.npy   f32 [rows, 64], divided by 16 so that 0 <= x <= 1
    {train,test}_label.npy    i32 [rows]

The split is not stratified. It takes `RandomState`, whose stream numpy
guarantees never to change, so every run writes the same bytes.
"""

import gzip
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
SEED = 2024
TRAIN_ROWS = 1437


def main():
    with gzip.open(HERE / "digits.csv.gz", "rt") as file:
        table = np.loadtxt(file, delimiter=",", dtype=np.int64)
    if table.shape != (1797, 65):
        raise SystemExit(f"expected 1797 rows of 65 values, got {table.shape}")

    table = table[np.random.RandomState(SEED).permutation(len(table))]
    pixels = (table[:, :64] / 16.0).astype("<f4")
    label = table[:, 64].astype("<i4")

    for split, rows in (("train", slice(None, TRAIN_ROWS)),
                        ("test", slice(TRAIN_ROWS, None))):
        np.save(HERE / f"{split}_pixels.npy", pixels[rows])
        np.save(HERE / f"{split}_label.npy", label[rows])
        counts = np.bincount(label[rows], minlength=10)
        print(f"{split}: {len(label[rows])} rows, per class {counts.tolist()}")


if __name__ == "__main__":
    main()
