#!/usr/bin/python3
"""Checks hagg's expansion of seeds against the known answers in seeds.json.

Usage: check_expanding.py EXPAND DIRECTORY

EXPAND is expand.c. It is asked for whole expansions, and for elements in the middle of them.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

from check_seeds import value_of
from expansion import PIECE
from known_plugins import element_size, field_order
from outcome import Outcome


def main():
    program, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    answers, outcome = json.loads((directory / "seeds.json").read_text()), Outcome()

    def expanded(entry, at, n):
        command = [program, entry["field"], entry["seed"], str(at), str(n)]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def check_all(entry, name, at, n):
        found = expanded(entry, at, n)
        outcome.check(hashlib.sha256(found).hexdigest() == entry["sha256"], name, "another SHA-256")
        size = element_size(field_order(entry["field"]))
        return [int.from_bytes(found[i : i + size], "little") for i in range(0, len(found), size)]

    for entry in answers["expansions"]:
        name = f'{entry["elements"]} elements of {entry["field"]}'
        elements = check_all(entry, name, 0, entry["elements"])
        outcome.check(len(elements) == entry["elements"], name, f"{len(elements)} elements")
        outcome.check(all(elements[i] == value_of(v) for i, v in entry["at"]), name, "another element")
        for i, value in entry["at"]:
            alone = int.from_bytes(expanded(entry, i, 1), "little")
            outcome.check(alone == value_of(value), name, f"element {i} alone is {alone}")
    for entry in answers["far_pieces"]:
        name = f'piece {entry["piece"]} of {entry["field"]}'
        elements = check_all(entry, name, entry["piece"] * PIECE, PIECE)
        ends = [value_of(entry["first"]), value_of(entry["last"])]
        outcome.check([elements[0], elements[-1]] == ends, name, "another element")
    outcome.finish()


if __name__ == "__main__":
    main()
