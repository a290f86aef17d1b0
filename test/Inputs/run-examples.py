"""Runs the examples of a document and compares what they print.

usage: run-examples.py DOCUMENT.md FOLDER

A fenced block whose first line is `# NAME.acr` (any comment that starts with a
file name) is written to FOLDER. A fenced block `console` is a command after `$ `,
continued on lines that end with a backslash, and what it prints, standard output
and errors together. A line `...` stands for any number of lines. Spaces at the
ends of lines do not count.
"""

import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
NAME = re.compile(r"# ([\w.-]+\.\w+)")


def matches(expected, actual):
    """Whether the lines agree, `...` for any number of them."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[i:])
                   for i in range(len(actual) + 1))
    return (bool(actual) and expected[0].rstrip() == actual[0].rstrip()
            and matches(expected[1:], actual[1:]))


def run(block, folder):
    """The commands of a block, each compared with the lines after it."""
    lines = block.splitlines()
    i, failures = 0, 0
    while i < len(lines):
        assert lines[i].startswith("$ "), "expected a command: " + lines[i]
        command = lines[i][2:]
        while command.endswith("\\"):
            i += 1
            command = command[:-1] + lines[i]
        i += 1
        expected = []
        while i < len(lines) and not lines[i].startswith("$ "):
            expected.append(lines[i])
            i += 1
        result = subprocess.run(command, shell=True, cwd=folder, text=True,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        if not matches(expected, result.stdout.splitlines()):
            failures += 1
            print(f"$ {command}\nexpected\n" + "\n".join(expected) +
                  f"\ngot\n{result.stdout}")
    return failures


def main():
    document, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    commands, failures = 0, 0
    with open(document, encoding="utf-8") as file:
        text = file.read()
    for language, block in BLOCK.findall(text):
        name = NAME.match(block)
        if language == "console":
            commands += 1
            failures += run(block, folder)
        elif name:
            with open(os.path.join(folder, name[1]), "w",
                      encoding="utf-8") as file:
                file.write(block)
    print(f"{commands} examples, {failures} differ")
    return 1 if failures or not commands else 0


sys.exit(main())
