#!/usr/bin/python3
"""Checks the expansion of seeds, and the known answers in seeds.json.

Usage: check_seeds.py FORMAT.md DIRECTORY

The keystream must be that of openssl in counter mode, which is another statement of the same bytes. The elements are
made again with integers of Python, word by word. The table of FORMAT.md must have the first elements of each field.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

from expansion import BLOCK_BYTES, PIECE, expand, expand_piece, keystream
from good_seeds import FAR_PIECES, SPECS, pattern
from known_plugins import element_size, field_order
from outcome import Outcome

# FIPS 197, appendix C.3: this key is the seed of the table in FORMAT.md.
FIPS_TEXT, FIPS_CIPHER = "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"

MASKS = {"m31": 2**31 - 1, "m61": 2**61 - 1, "goldilocks": 2**64 - 1}
MASKS |= {"prime:p=2": 3, "prime:p=5": 7, "prime:p=65521": 65535}


def openssl(seed, cipher, data, *options):
    command = ["openssl", "enc", f"-{cipher}", "-K", seed.hex(), "-nopad", *options]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def check_keystream(outcome):
    seed = pattern(32)
    found = openssl(seed, "aes-256-ecb", bytes.fromhex(FIPS_TEXT)).hex()
    outcome.check(found == FIPS_CIPHER, "openssl", "is not the AES of FIPS 197")
    for piece in (0, 1, 255, 256, *FAR_PIECES):
        start = piece.to_bytes(8, "big") + bytes(8)
        wanted = openssl(seed, "aes-256-ctr", bytes(300 * BLOCK_BYTES), "-iv", start.hex())
        outcome.check(keystream(seed, piece, 0, 300) == wanted, f"piece {piece}", "openssl has another keystream")


def slowly(seed, spec, piece, n):
    """As expand_piece, one word after the other."""
    width, order, found, block = element_size(field_order(spec)), field_order(spec), [], 0
    while len(found) < n:
        raw = keystream(seed, piece, block, 1)
        block += 1
        for at in range(0, BLOCK_BYTES, width):
            word = int.from_bytes(raw[at : at + width], "little") & MASKS.get(spec, 255)
            if word < order:
                found.append(word)
    return found[:n]


def check_elements(outcome):
    seed = hashlib.sha256(b"a seed of check_seeds.py").digest()
    for spec in SPECS:
        for piece, n in ((0, PIECE), (1, PIECE), (FAR_PIECES[-1], 17)):
            wanted = slowly(seed, spec, piece, n)
            same = expand_piece(seed, spec, piece, n).tolist() == wanted
            outcome.check(same, f"{spec}, piece {piece}", "other elements, word by word")


def value_of(number):
    return int(number["integer"]) if isinstance(number, dict) else number


def check_answers(answers, outcome):
    for entry in answers["expansions"]:
        name = f'{entry["elements"]} elements of {entry["field"]}'
        elements = expand(bytes.fromhex(entry["seed"]), entry["field"], entry["elements"])
        outcome.check(len(elements) == entry["elements"], name, f"{len(elements)} elements")
        outcome.check(all(elements[i] == value_of(v) for i, v in entry["at"]), name, "another element")
        outcome.check(hashlib.sha256(elements.tobytes()).hexdigest() == entry["sha256"], name, "another SHA-256")
        whole = expand(bytes.fromhex(entry["seed"]), entry["field"], entry["elements"] + 1)
        outcome.check((whole[:-1] == elements).all(), name, "depends on the number of elements")
    for entry in answers["far_pieces"]:
        name = f'piece {entry["piece"]} of {entry["field"]}'
        elements = expand_piece(bytes.fromhex(entry["seed"]), entry["field"], entry["piece"], PIECE)
        ends = [elements[0], elements[-1]]
        outcome.check(ends == [value_of(entry["first"]), value_of(entry["last"])], name, "another element")
        outcome.check(hashlib.sha256(elements.tobytes()).hexdigest() == entry["sha256"], name, "another SHA-256")


def check_table(text, outcome):
    """One row for each field: the first four elements, and those around the end of the first piece."""
    for spec in SPECS:
        values = expand(pattern(32), spec, PIECE + 1)
        cells = (", ".join(map(str, values[:4])), values[PIECE - 1], values[PIECE])
        row = f"| `{spec}` | " + " | ".join(map(str, cells)) + " |"
        outcome.check(row in text.splitlines(), "FORMAT.md", f"has no row {row}")


def main():
    text, directory = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
    outcome = Outcome()
    check_keystream(outcome)
    check_elements(outcome)
    check_answers(json.loads((directory / "seeds.json").read_text()), outcome)
    check_table(text, outcome)
    outcome.finish()


if __name__ == "__main__":
    main()
