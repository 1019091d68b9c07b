#!/usr/bin/python3
"""Checks share-format/hagg.cddl against the known-answer files.

Usage: check_grammar.py GRAMMAR DIRECTORY

Every good record must match the grammar. A bad record must not match if a grammar can express its
failure. Otherwise it must match: so it has a single fault, and the grammar refuses nothing that it
leaves to FORMAT.md.
"""

import io
import json
import pathlib
import resource
import sys

import cbor2

from cddl import Grammar
from outcome import Outcome

# Failures that no grammar can detect, or that the comments of this one leave to FORMAT.md.
BEYOND = {"ranges", "digest", "duplicate", "header-size", "indefinite", "length", "multiple", "not-shortest", "order"}
BEYOND |= {"route", "samples", "scheme", "shape", "blocks", "carrier", "chunks", "layout", "stations"}

# Exceptions: files that match, or do not match, contrary to the rule for their failure.
INSTANCES_ALL_THE_SAME = {
    "bad/mask-of-two.cbor",  # the number of dealers and clients of a mask is left to FORMAT.md
    "bad/mask-of-two-ranges.cbor",
    "bad/mask-with-clients.cbor",
    "bad/seed-share-of-two-clients.cbor",  # and so are the numbers of clients and senders of seeds
    "bad/seed-aligned-of-two-clients.cbor",
    "bad/seed-key-of-two-clients.cbor",
    "bad/seed-own-key-of-two-clients.cbor",
    "bad/seed-share-from-another.cbor",
    "bad/seed-aligned-from-another.cbor",
    "bad/seed-key-from-another.cbor",
    "bad/seed-own-key-from-another.cbor",
    "bad/symbols-empty.cbor",  # and the order of the two numbers
    "bad/symbols-descending.cbor",
    "bad/scheme-name-keys-descending.cbor",
    "bad/scheme-name-keys-twice.cbor",
    "bad/field-keys-descending.cbor",
    "bad/field-keys-twice.cbor",
    "bad/key-version-not-first.cbor",
    "bad/range-quant-clip-infinity.cbor",
    "bad/record-tag-self-described.cbor",  # cbor2 removes this tag
}
NO_INSTANCES_ALL_THE_SAME = {
    "bad/clients-odd.cbor",  # the grammar requires pairs
    "bad/dealers-odd.cbor",
    "bad/clients-one.cbor",
    "bad/huge-clients.cbor",  # the numbers are missing
}

# The library allocates the size that a file declares before it checks for the bytes.
MEMORY_BYTES = 1 << 30


def are_instances(grammar, data):
    """True if all items of a CBOR sequence are records. Items that cbor2 cannot read are not."""
    stream = io.BytesIO(data)
    try:
        while stream.tell() < len(data):
            if not grammar.matches(cbor2.CBORDecoder(stream).decode()):
                return False
    except (cbor2.CBORDecodeError, UnicodeDecodeError, MemoryError, RecursionError):
        return False
    return True


def expected(entry):
    if entry["valid"] or entry["level"] == "plugin" or entry["name"] in INSTANCES_ALL_THE_SAME:
        return True
    return entry["failure"] in BEYOND and entry["name"] not in NO_INSTANCES_ALL_THE_SAME


def main():
    grammar = Grammar(pathlib.Path(sys.argv[1]).read_text())
    directory = pathlib.Path(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    outcome = Outcome()
    for entry in json.loads((directory / "manifest.json").read_text())["files"]:
        found = are_instances(grammar, (directory / entry["name"]).read_bytes())
        said = "is" if found else "is not"
        outcome.check(found == expected(entry), entry["name"], f"{said} an instance of the grammar")
    outcome.finish()


if __name__ == "__main__":
    main()
