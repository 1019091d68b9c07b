"""The records of tiny rounds, written down by hand and encoded by cbor2, compared with the bytes that hagg-cost
predicts: record_bytes_by_hand.py BIN."""

import json
import os
import sys
import tempfile

import cbor2

from commands import Commands
from report import Report

TAG, DIGEST, PLAN, ID = 1212237639, bytes(16), bytes(32), bytes(16)
SEALED = [bytes(8), bytes(8), bytes(32)]  # the key ids of the sender and the receiver, and the encapsulated key


def size(header, n_elements, width=4, sealed=False):
    """Bytes of a record; of one that is sealed in a single chunk."""
    elements = bytes(n_elements * width)
    payload = [width, *SEALED, elements + bytes(16)] if sealed else \
        cbor2.CBORTag({1: 64, 2: 69, 4: 70, 8: 71}[width], elements)
    return len(cbor2.dumps(cbor2.CBORTag(TAG, [header, payload, DIGEST]), canonical=True))


# Two clients, two stations, one of which may collude. A vector is one segment and one block, so a share is as
# long as a vector. Station 1 and 2 have the points 2 and 3: the segment has 1. Nobody deals masks: there is one block
# size, and the sums of both stations are needed. Lengths of 100 and more have one more byte than 23.
ALIGNED = """protocol aligned
collude partial stations=1
stations 2
client 1 300 via 1 2
"""


def aligned_share(client, station, length):
    return {"v": 2, "kind": "share", "of": "plain", "field": "m31", "length": length, "shape": [length], "type": "i8",
            "scheme": {"name": "aligned", "n": 2, "k": 2, "z": 1, "index": station - 1, "point": station + 1},
            "route": [["station", [1, 2]]], "segments": 1, "blocks": [1], "from": ["client", client],
            "to": ["station", station], "round": 1, "clients": [client, client], "plan": PLAN, "id": ID}


def aligned_sum(station, length):
    share = aligned_share(1, station, length)
    share |= {"from": ["station", station], "to": ["federator", 1], "clients": [1, 1, 300, 300]}
    del share["id"]  # a sum has no identity of its own, and no masks are in it
    return share


# The same two clients with keys.
KEYS = """protocol keys
collude partial stations=1
quantize bits=8 clip=0.1
samples
stations 2
client 1 300 via 1 2
"""
QUANT = {"bits": 8, "clip": 0.1, "rounding": "nearest"}


def keys_share(client, station):
    """A vector of 2 rows of 3 elements, and the sample count."""
    return {"v": 2, "kind": "share", "of": "padded", "field": "m31", "length": 7, "shape": [2, 3], "type": "f4",
            "scheme": {"name": "ramp", "n": 2, "k": 2, "z": 1, "index": station - 1, "point": station},
            "route": [["station", [1, 2]]], "from": ["client", client], "to": ["station", station], "round": 70000,
            "clients": [client, client], "plan": PLAN, "id": ID, "quant": QUANT, "samples": True}


def keys_sum(station):
    return keys_share(1, station) | {"from": ["station", station], "to": ["federator", 1],
                                     "clients": [1, 1, 300, 300]}


def key(sender, to, clients):
    return {"v": 2, "kind": "vector", "of": "key", "field": "m31", "length": 7, "from": sender, "to": to,
            "round": 70000, "clients": clients, "plan": PLAN, "id": ID, "samples": True}


def check(commands, report, text, options, want):
    commands.write_plan("plan", text)
    out, _ = commands.run("cost", "--only", "plan", "--format", "json", *options, "plan")
    row = json.loads(out)["protocols"][0]
    links = {name: line["bytes"] for name, line in row["links"].items() if line.get("bytes")}
    report.equal(links, want, f"bytes of {options} of\n{text}")
    report.equal(row["total"]["bytes"], sum(want.values()), "total")


def main(bin_dir):
    report = Report()
    for sealed in (False, True):
        with tempfile.TemporaryDirectory() as work, report.part("sealed" if sealed else "not sealed"):
            commands = Commands(bin_dir, work, report)
            commands.seals = sealed
            for length in (1, 23, 24, 63, 64, 100, 16384):
                check(commands, report, ALIGNED, ["--length", length], {
                    "clients to stations": sum(size(aligned_share(i, u, length), length, sealed=sealed)
                                               for i in (1, 300) for u in (1, 2)),
                    "stations to federator": sum(size(aligned_sum(u, length), length, sealed=sealed) for u in (1, 2))})
            check(commands, report, KEYS, ["--shape", "2,3", "--round", 70000, "--type", "f4"], {
                "clients to stations":
                    sum(size(keys_share(i, u), 7, sealed=sealed) for i in (1, 300) for u in (1, 2)) +
                    sum(size(key(["client", i], ["station", 1], [i, i]), 7, sealed=sealed) for i in (1, 300)),
                "station to station": size(key(["station", 1], ["station", 2], [1, 1, 300, 300]), 7, sealed=sealed),
                "stations to federator":
                    sum(size(keys_sum(u), 7, sealed=sealed) for u in (1, 2)) +
                    size(key(["station", 2], ["federator", 1], [1, 1, 300, 300]), 7, sealed=sealed)})
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
