#!/usr/bin/python3
"""Checks the independent reader against the known-answer files.

Usage: check_vectors.py DIRECTORY

Every file must be accepted or refused according to the manifest, for the reason and at the record
that it states. Making the files again must give the same bytes.
"""

import json
import pathlib
import sys

import raw_cbor
from hagg_format import Reject, read_stream, write_record
from known_plugins import check_record
from make_vectors import describe, make
from outcome import Outcome


def check_good(entry, data, outcome):
    records = read_stream(data)
    for record in records:
        check_record(record)
    found = [json.loads(json.dumps(describe(record))) for record in records]
    outcome.check(found == entry["records"], entry["name"], "the records are not those of the manifest")
    written = b"".join(write_record(record.header, record.payload) for record in records)
    outcome.check(written == data, entry["name"], "written again, the bytes differ")
    raw = b"".join(raw_cbor.record(r.header, raw_cbor.payload(r.payload)) for r in records)
    outcome.check(raw == data, entry["name"], "the second encoder's bytes differ")


def check_bad(entry, data, outcome):
    try:
        records = read_stream(data)
        if entry["level"] == "plugin":
            check_record(records[entry["record"] - 1])
        outcome.check(False, entry["name"], "accepted")
    except Reject as reject:
        number = reject.record or entry["record"]
        found = (reject.code, reject.where, number)
        wanted = (entry["failure"], entry["where"], entry["record"])
        outcome.check(found == wanted, entry["name"], f"refused for {found}, not for {wanted}")


def check_files(directory, outcome):
    made = make()
    found = {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}
    outcome.check(found - {"README.md"} == set(made), "vectors", f"other files: {sorted(found ^ set(made))[:5]}")
    for name, data in made.items():
        path = directory / name
        outcome.check(path.is_file() and path.read_bytes() == data, name, "made again, the bytes differ")


def main():
    directory = pathlib.Path(sys.argv[1])
    outcome = Outcome()
    check_files(directory, outcome)
    for entry in json.loads((directory / "manifest.json").read_text())["files"]:
        data = (directory / entry["name"]).read_bytes()
        try:
            (check_good if entry["valid"] else check_bad)(entry, data, outcome)
        except Reject as reject:
            outcome.check(False, entry["name"], str(reject))
    outcome.finish()


if __name__ == "__main__":
    main()
