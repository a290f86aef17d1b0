#!/usr/bin/env python3
"""Makes the tokens of the characters example: one u16 per character.

Runs `bible` of the Debian package bible-kjv (text in bible-kjv-text), takes
Genesis and Exodus, leaves out the numbers of the verses, and puts one verse on
a line. Writes beside this script

    train.bin, test.bin   tokens, the last tenth held out
    vocabulary.json       the character of every token

Needs nothing but the package: apt-get install bible-kjv
"""

import array
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def write_tokens(path, tokens):
    data = array.array("H", tokens)
    if sys.byteorder != "little":
        data.byteswap()
    path.write_bytes(data.tobytes())


def main():
    verses = subprocess.run(
        ["bible", "-f", "Gen1:1-Ex40:38"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, check=True).stdout.decode("ascii")
    # A line is `Ge1:1 In the beginning ...`.
    lines = [line.split(" ", 1)[1].strip()
             for line in verses.splitlines() if ":" in line.split(" ", 1)[0]]
    text = "\n".join(lines) + "\n"
    vocabulary = sorted(set(text))
    index = {character: i for i, character in enumerate(vocabulary)}
    tokens = [index[character] for character in text]
    held_out = len(tokens) // 10
    write_tokens(HERE / "train.bin", tokens[:-held_out])
    write_tokens(HERE / "test.bin", tokens[-held_out:])
    (HERE / "vocabulary.json").write_text(json.dumps(vocabulary) + "\n")
    print(f"{len(lines)} verses, {len(tokens)} characters, "
          f"{len(vocabulary)} different ones")


if __name__ == "__main__":
    main()
