#!/usr/bin/python3
"""Checks hagg's reader and writer against the independent ones.

Usage: cross_check.py HAGG-INSPECT REWRITE DIRECTORY [--messages]

The inputs are the known-answer files, random records made by the independent writer, every truncation
of a stream, and limits that are too large to keep as files. hagg-inspect must accept valid streams
with the same header and refuse others with one line and status 3. REWRITE, which reads and writes a
stream, must give the same bytes.

With --messages it checks nothing and prints the message of hagg-inspect for each bad file, as in
messages.json. Read the difference before you commit it.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from good_vectors import share, vector
from hagg_format import HEADER_BYTES, dumps_shortest, read_stream, write_record
from known_plugins import is_known
from outcome import Outcome
from random_records import Maker

RANDOM_STREAMS = 200
HOSTILE_SECONDS = 5

OPTIONAL = ("shape", "type", "samples", "quant", "scheme", "route")
OPTIONAL += ("symbols", "segments", "blocks", "chunks", "layout", "source", "carrier", "from", "to", "round", "part", "last", "seed")


def run(program, *arguments, data=None):
    """(status, standard output, lines of standard error)"""
    done = subprocess.run([program, *arguments], input=data, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace").splitlines()


def expected_json(record, number, name):
    """The output of hagg-inspect --json for a record, according to hagg-inspect(1)."""
    header = record.header
    said = {"file": name, "record": number, "offset": record.offset}
    said.update({key: header[key] for key in ("v", "kind", "of", "field", "length") if key in header})
    said.update({key: header[key] for key in OPTIONAL if key in header})
    for key in ("clients", "dealers", "stations", "basis"):
        if key in header:
            said[key] = [list(pair) for pair in zip(header[key][::2], header[key][1::2])]
    said.update({key: header[key].hex() for key in ("plan", "id", "mix") if key in header})
    extensions = [key for key in header if key.startswith("x-")]
    if extensions:
        said["extensions"] = extensions
    if record.is_sealed:
        said["sealed"] = True
    said["elements"] = record.n_elements
    said["elem_size"] = record.width
    said["digest"] = record.digest.hex()
    said["check"] = "digest" if not is_known(header) else "sealed" if record.is_sealed else "ok"
    return said


def differences(found, wanted):
    """The differences between the found and the wanted records, as readable text."""
    if len(found) != len(wanted):
        return f"{len(found)} records, not {len(wanted)}"
    return "; ".join(
        f"record {number}: {key} is {a.get(key)!r:.80}, not {b.get(key)!r:.80}"
        for number, (a, b) in enumerate(zip(found, wanted), 1)
        for key in sorted(a.keys() | b.keys())
        if a.get(key) != b.get(key)
    )


class CrossCheck:
    def __init__(self, inspect, rewrite):
        self.inspect, self.rewrite = inspect, rewrite
        self.outcome = Outcome()

    def check(self, holds, name, text):
        return self.outcome.check(holds, name, text)

    def accepted(self, name, data, path=None):
        """The stream is read like the independent reader reads it, and rewritten without changes."""
        shown = str(path) if path else "-"
        status, out, lines = run(self.inspect, "--json", shown, data=None if path else data)
        found = [json.loads(line) for line in out.splitlines()]
        wanted = [expected_json(r, i, shown) for i, r in enumerate(read_stream(data), 1)]
        if self.check((status, lines) == (0, []), name, f"status {status}, {lines}"):
            self.check(found[:-1] == wanted, name, differences(found[:-1], wanted))
            self.check(found[-1]["summary"]["records"] == len(wanted), name, "counts wrongly")
        status, out, lines = run(self.rewrite, data=data)
        same = (status, out, lines) == (0, data, [])
        self.check(same, name, f"written again, the bytes differ; status {status}, {lines}")

    def refused(self, name, data, path=None, message=None):
        """One line that names the file, and status 3; also checks the message if it is given. Returns the line."""
        shown = str(path) if path else "standard input"
        status, _, lines = run(self.inspect, str(path) if path else "-", data=None if path else data)
        prefix = f"hagg-inspect: {shown}: "
        right = status == 3 and len(lines) == 1 and lines[0].startswith(prefix)
        if self.check(right, name, f"status {status}, {lines}") and message is not None:
            found = lines[0][len(prefix) :]
            self.check(found == message, name, f"says {found!r}, not {message!r}")
        return lines[0][len(prefix) :] if right else ""

    def known_answers(self, directory):
        for entry in read_manifest(directory):
            path = directory / entry["name"]
            data = path.read_bytes()
            if not entry["valid"]:
                self.refused(entry["name"], data, path, entry["message"])
            elif entry["records"]:
                self.accepted(entry["name"], data, path)
            else:
                # A valid stream, but hagg-inspect assumes that the file was never written.
                self.refused(entry["name"], data, path, "is empty: it contains no record")
                self.check(run(self.rewrite, data=data) == (0, b"", []), entry["name"], "written again, not empty")

    def at_random(self):
        for seed in range(RANDOM_STREAMS):
            self.accepted(f"random stream {seed}", Maker(seed).stream())

    def truncations(self):
        """Status 3 at every byte except the boundaries of records, from a file and from a pipe."""
        first, second = write_record(*share(n_elems=5)), write_record(*vector("m61", 4, round=9))
        whole = first + second
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "cut.cbor"
            for n in range(1, len(whole)):
                data, name = whole[:n], f"the first {n} bytes"
                if n == len(first):
                    self.accepted(name, data)
                    continue
                path.write_bytes(data)
                record = 1 if n < len(first) else 2
                line = self.refused(name, data, path)
                self.check(f"record {record} " in line and "ends too early" in line, name, f"says {line!r}")
                status, out, lines = run(self.rewrite, data=data)
                right = status == 3 and lines == [f"rewrite: standard input: {line}"]
                self.check(right and out in (b"", first), name, f"from a pipe: status {status}, {lines}")

    def limits(self):
        """Headers of exactly 1 MiB, and large ones that cost a careless reader too much time."""
        for n, name in ((HEADER_BYTES, "a header of 1 MiB"), (HEADER_BYTES + 1, "a header of 1 MiB and a byte")):
            data = header_of(n)
            if n == HEADER_BYTES:
                self.accepted(name, data)
            else:
                self.refused(name, data)
        numbers = list(range(300_000, 300_000 + 40_000))
        tiers = [[f"tier-{i}", numbers[i:] + numbers[:i]] for i in range(4)]
        scheme = {"name": "ramp", "n": len(numbers), "k": 2, "z": 1, "index": 1, "point": 2}
        data = write_record(*share(route=tiers, scheme=scheme))
        start = sum(os.times()[:4])  # CPU time, which does not depend on the load
        self.accepted("four tiers of 40 000 holders", data)
        tiers[3][1][-1] = tiers[3][1][0]
        self.refused("a holder twice among 40 000", write_record(*share(route=tiers, scheme=scheme)))
        seconds = sum(os.times()[:4]) - start
        self.check(seconds < HOSTILE_SECONDS, "many holders", f"took {seconds:.1f} s")


def header_of(n):
    """A record whose header has n bytes and is within all other limits."""

    def made(n_ranges, n_padding):
        # Each number takes 5 bytes, each range 10.
        numbers = [number for i in range(n_ranges) for number in (10**6 + 3 * i, 10**6 + 3 * i + 1)]
        return vector(clients=numbers, **{"x-padding": "t" * n_padding})

    without = len(dumps_shortest(made(100_000, 300)[0], canonical=True))
    n_ranges = 100_000 + (n - without) // 10
    return write_record(*made(n_ranges, 300 + (n - without) % 10))


def read_manifest(directory):
    return json.loads((directory / "manifest.json").read_text())["files"]


def print_messages(inspect, directory):
    messages = {}
    for entry in read_manifest(directory):
        if not entry["valid"]:
            path = directory / entry["name"]
            _, _, lines = run(inspect, str(path))
            messages[path.stem] = lines[0].removeprefix(f"hagg-inspect: {path}: ") if lines else ""
    print(json.dumps(messages, indent=0, sort_keys=True))


def main():
    inspect, rewrite, directory = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    if "--messages" in sys.argv[4:]:
        print_messages(inspect, directory)
        return
    cross = CrossCheck(inspect, rewrite)
    cross.known_answers(directory)
    cross.at_random()
    cross.truncations()
    cross.limits()
    cross.outcome.finish()


if __name__ == "__main__":
    main()
