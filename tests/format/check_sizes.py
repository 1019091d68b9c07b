#!/usr/bin/python3
"""Checks the formula for the size of a record, and the examples of FORMAT.md.

Usage: check_sizes.py FORMAT.md DIRECTORY

The formula is written again here, and must give the size of every record in the good files. FORMAT.md must have a row
with the numbers of each example.
"""

import math
import pathlib
import sys

from hagg_format import read_stream, write_header
from outcome import Outcome

EXAMPLES = ("share-minimal", "vector-every-field", "sealed-share", "sealed-chunk-more", "sealed-seed-share")


def head(value):
    """The bytes of the shortest head with this argument."""
    return 1 if value < 24 else 2 if value < 2**8 else 3 if value < 2**16 else 5 if value < 2**32 else 9


def rest(n_bytes, is_sealed):
    """The bytes of a record without its header and its elements."""
    if not is_sealed:
        return 25 + head(n_bytes)
    tags = 16 * max(1, math.ceil(n_bytes / 65536))
    return 77 + tags + head(n_bytes + tags)


def parts(record):
    n_bytes = record.n_elements * record.width
    return len(write_header(record.header)), n_bytes, rest(n_bytes, record.is_sealed), record.len_bytes


def main():
    text, directory = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
    outcome = Outcome()
    for path in sorted((directory / "good").glob("*.cbor")):
        for number, record in enumerate(read_stream(path.read_bytes()), 1):
            *sizes, total = parts(record)
            outcome.check(sum(sizes) == total, f"{path.name}, record {number}", f"has {total} bytes, computed {sizes}")
    for name in EXAMPLES:
        sizes = parts(read_stream((directory / "good" / f"{name}.cbor").read_bytes())[0])
        row = f"| `{name}.cbor` | " + " | ".join(map(str, sizes)) + " |"
        outcome.check(row in text.splitlines(), "FORMAT.md", f"has no row {row}")
    outcome.finish()


if __name__ == "__main__":
    main()
