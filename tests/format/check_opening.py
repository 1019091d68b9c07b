#!/usr/bin/python3
"""Opens the sealed records among the known-answer files with hagg's reader.

Usage: check_opening.py OPEN DIRECTORY

OPEN is open.c. It must open what sealed.json lists as files that open, to the same elements, and must refuse the others
with status 6, for privacy. It must also refuse a small record with any bit of its header or payload changed and the
digest corrected, and any beginning of a stream that ends inside a record.
"""

import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

from hagg_format import RECORD_HEAD, digest_of, read_stream
from outcome import Outcome

DIGEST_BYTES = 17  # with its head
MALFORMED, PRIVACY = "refused 3", "refused 6"


class Tool:
    def __init__(self, program, keys, scratch):
        self.program, self.scratch = program, scratch
        self.keys = scratch / "keys"
        self.keys.write_text("".join(f"{key['node'][0]} {key['node'][1]} {key['private']}\n" for key in keys))

    def answers(self, paths):
        done = subprocess.run([self.program, self.keys, *paths], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def answers_of(self, streams):
        """The answers for streams of bytes."""
        paths = [self.scratch / f"{i}.cbor" for i in range(len(streams))]
        for path, data in zip(paths, streams):
            path.write_bytes(data)
        return self.answers(paths)


def check_files(tool, directory, vectors, outcome):
    for entry, answer in zip(vectors["opens"], tool.answers([directory / e["name"] for e in vectors["opens"]])):
        if not outcome.check(not answer.startswith("refused"), entry["name"], answer):
            continue
        raw, at = bytes.fromhex(answer), 0
        for record, wanted in zip(read_stream((directory / entry["name"]).read_bytes()), entry["records"]):
            found = raw[at : at + record.payload.n_bytes]
            at += record.payload.n_bytes
            outcome.check(hashlib.sha256(found).hexdigest() == wanted["sha256"], entry["name"], "other elements")
        outcome.check(at == len(raw), entry["name"], "more elements")
    forged = vectors["must_not_open"]
    for entry, answer in zip(forged, tool.answers([directory / e["name"] for e in forged])):
        outcome.check(answer == PRIVACY, entry["name"], f"must not open: {answer:.40}")


def changed(data):
    """The record with each bit of its header and payload changed, and a correct digest."""
    start, end = len(RECORD_HEAD), len(data) - DIGEST_BYTES
    for bit in range(8 * start, 8 * end):
        forged = bytearray(data)
        forged[bit // 8] ^= 1 << bit % 8
        forged[end + 1 :] = digest_of(forged[start:end])
        yield bytes(forged)


def main():
    program, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    vectors, outcome = json.loads((directory / "sealed.json").read_text()), Outcome()
    with tempfile.TemporaryDirectory() as scratch:
        tool = Tool(program, vectors["keys"], pathlib.Path(scratch))
        check_files(tool, directory, vectors, outcome)
        data = (directory / "good/sealed-report.cbor").read_bytes()
        answers = tool.answers_of(list(changed(data)))
        for bit, answer in enumerate(answers):
            outcome.check(answer in (MALFORMED, PRIVACY), f"bit {bit} changed", f"{answer:.40}")
        outcome.check(answers.count(PRIVACY) > 500, "bits changed", f"{answers.count(PRIVACY)} refused by the seal")
        data = (directory / "good/sealed-file-parts.cbor").read_bytes()
        ends = {record.offset for record in read_stream(data)}
        answers = tool.answers_of([data[:n] for n in range(1, len(data))])
        for n, answer in enumerate(answers, 1):
            wanted = answer.startswith("refused") != (n in ends)
            outcome.check(wanted, f"the first {n} bytes", f"{answer:.40}")
    outcome.finish()


if __name__ == "__main__":
    main()
