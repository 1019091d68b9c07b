#!/usr/bin/python3
"""Writes share-format/vectors/: the known-answer files and their manifest.

Usage: make_vectors.py DIRECTORY

The output is the same every time. The messages in the manifest are those of hagg-inspect, from
messages.json beside this script; everything else is made by the independent reader and writer.
"""

import json
import pathlib
import sys

import bad_vectors
import good_aligned
import good_vectors
from hagg_format import VERSION, read_stream, write_record

LIST_IN_FULL = 40
ENDS = 4
EXACT_IN_JSON = 2**53 - 1

MESSAGES = pathlib.Path(__file__).with_name("messages.json")


def plain(value):
    """A value of a header as JSON; vectors/README.md explains the two objects."""
    if isinstance(value, bool) or isinstance(value, (str, float)):
        return value
    if isinstance(value, int):
        return value if value <= EXACT_IN_JSON else {"integer": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return plain_list(value)


def plain_list(values):
    if len(values) <= LIST_IN_FULL:
        return [plain(value) for value in values]
    first, last = values[:ENDS], values[-ENDS:]
    return {"count": len(values), "first": [plain(v) for v in first], "last": [plain(v) for v in last]}


def describe(record):
    return {
        "offset": record.offset,
        "bytes": record.len_bytes,
        "header": plain(record.header),
        "element_bytes": record.elements.dtype.itemsize,
        "elements": plain_list(record.elements.tolist()),
        "digest": record.digest.hex(),
    }


def make():
    """{name: bytes} of every file, including the manifest."""
    files, entries = {}, []
    messages = json.loads(MESSAGES.read_text())
    for name, description, records in (*good_vectors.cases(), *good_aligned.cases()):
        data = b"".join(write_record(header, elements) for header, elements in records)
        path = f"good/{name}.cbor"
        files[path] = data
        entries.append(
            {
                "name": path,
                "valid": True,
                "description": description,
                "records": [describe(record) for record in read_stream(data)],
            }
        )
    for bad in bad_vectors.cases():
        path = f"bad/{bad.name}.cbor"
        if path in files:
            raise ValueError(f"{path} is made twice")
        files[path] = bad.data
        entries.append(
            {
                "name": path,
                "valid": False,
                "description": bad.description,
                "failure": bad.failure,
                "where": bad.where,
                "record": bad.record,
                "level": bad.level,
                "message": messages.get(bad.name, ""),
            }
        )
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    files["manifest.json"] = f'{{"format": "hagg share format", "version": {VERSION}, "files": [\n{lines}\n]}}\n'.encode()
    return files


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_vectors.py DIRECTORY")
    directory = pathlib.Path(sys.argv[1])
    files = make()
    for kind in ("good", "bad"):
        (directory / kind).mkdir(parents=True, exist_ok=True)
        for stale in (directory / kind).glob("*.cbor"):
            if f"{kind}/{stale.name}" not in files:
                stale.unlink()
    for name, data in files.items():
        (directory / name).write_bytes(data)


if __name__ == "__main__":
    main()
