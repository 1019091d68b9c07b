#!/usr/bin/python3
"""Opens and seals the known-answer files with the HPKE packages of npm.

Usage: check_vectors.py NODE PACKAGES DIRECTORY

They must open every sealed record that opens, and none of those that must not; and what they seal must open with
the independent implementation in Python.
"""

import json
import pathlib
import sys

import npm_hpke  # first: it adds the directory of the next ones
import good_sealed
import hpke
from check_sealed import Opened, Opener
from hagg_format import read_stream, write_header, write_record
from make_vectors import describe_plain
from outcome import Outcome
from sealed import open_sealed


class NpmOpener(Opener):
    """Finds the keys like the other one, but opens with npm."""

    def __init__(self, keys, npm):
        super().__init__(keys)
        self.npm = npm

    def open_with(self, record, receiver, sender_public):
        return self.npm.open(record, receiver, sender_public)


def check_opening(directory, npm, outcome):
    vectors = json.loads((directory / "sealed.json").read_text())
    opener = NpmOpener(vectors["keys"], npm)
    for entry in vectors["opens"]:
        for record, wanted in zip(read_stream((directory / entry["name"]).read_bytes()), entry["records"]):
            try:
                found = json.loads(json.dumps(describe_plain(Opened(opener.open(record)))))
                outcome.check(found == wanted, entry["name"], "other elements")
            except hpke.NotAuthentic as error:
                outcome.check(False, entry["name"], f"does not open: {error}")
    for entry in vectors["must_not_open"]:
        record = read_stream((directory / entry["name"]).read_bytes())[0]
        outcome.check(not opener.opens(record), entry["name"], "opens")


def check_sealing(npm, outcome):
    for name, _, records in good_sealed.sealed_cases():
        for plain in records:
            payload = npm.seal(plain.header, plain.elements, plain.sender, hpke.public_of(plain.receiver))
            record = read_stream(write_record(plain.header, payload))[0]
            try:
                opened = open_sealed(write_header(record.header), record.payload, plain.receiver,
                                     hpke.public_of(plain.sender))
                outcome.check((opened == plain.elements).all(), name, "other elements")
            except hpke.NotAuthentic as error:
                outcome.check(False, name, f"sealed by npm, it does not open: {error}")


def main():
    npm = npm_hpke.Npm(*sys.argv[1:3])
    outcome = Outcome()
    check_opening(pathlib.Path(sys.argv[3]), npm, outcome)
    check_sealing(npm, outcome)
    outcome.check(npm.close() == 0, "node", "failed")
    outcome.finish()


if __name__ == "__main__":
    main()
