"""Writes records to standard output, for tests that need files other than the known-answer files.

    record.py [FIELD=VALUE]... [+ [FIELD=VALUE]...]...

A record is a vector of three bytes over gf256, with the given fields changed. A value is JSON or, if
it is not valid JSON, text. "elements" are those of the payload, "size" is the bytes of each. "length"
is derived from them unless given. Nothing is checked, because most callers need a wrong record.
"""

import itertools
import json
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "format"))
from hagg_format import VERSION, write_record  # noqa: E402

SHARE = {
    "kind": "share",
    "of": "padded",
    "scheme": {"name": "ramp", "n": 3, "k": 2, "z": 1, "index": 1, "point": 2},
    "route": [["station", [1, 2, 5]]],
}


def value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def record(words):
    header = {"v": VERSION, "kind": "vector", "of": "plain", "field": "gf256"}
    for word in words:
        if word == "share":
            header.update(SHARE)
            continue
        key, _, text = word.partition("=")
        header[key] = value(text)
    elements = header.pop("elements", [1, 2, 3])
    size = header.pop("size", 1)
    header.setdefault("length", len(elements))
    return write_record(header, numpy.array(elements, dtype=f"<u{size}"))


def main():
    groups = itertools.groupby(sys.argv[1:], lambda word: word == "+")
    records = [list(words) for is_plus, words in groups if not is_plus] or [[]]
    for words in records:
        sys.stdout.buffer.write(record(words))


main()
