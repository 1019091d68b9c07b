"""Data, and sealed records of every kind and width, with the keys that open them.

The private keys and the secrets of the ephemeral keys are digests of their names, so that the files are
the same every time. Never make keys like this.
"""

import hashlib
from dataclasses import dataclass

import numpy

import good_seeds
import hpke
from good_aligned import aligned, mask
from good_vectors import EVERYTHING, SOURCE, elements, pattern, roster, share, summand, transfer, vector
from hagg_format import VERSION, write_header
from sealed import CHUNK_BYTES, key_id, seal


def private_key(name):
    return hashlib.sha256(f"a private key of the known-answer files: {name}".encode()).digest()


# The nodes of the plan. A node with two keys has the newer one last.
KEYS = {
    ("client", 3): ["client 3"],
    ("client", 4): ["client 4"],
    ("station", 2): ["station 2, until May", "station 2"],
    ("station", 5): ["station 5"],
    ("relay", 2): ["relay 2"],
    ("federator", 1): ["federator 1"],
}


def newest(node):
    return private_key(KEYS[tuple(node)][-1])


@dataclass
class Plain:
    """A record before sealing, with the private keys of both nodes."""

    header: dict
    elements: numpy.ndarray
    sender: bytes
    receiver: bytes

    def sealed(self, name):
        """(header, payload). The name determines the ephemeral key: no two records have the same."""
        ikm = hashlib.sha256(f"an ephemeral key of the known-answer files: {name}".encode()).digest()
        head = write_header(self.header)
        return self.header, seal(head, self.elements, self.sender, hpke.public_of(self.receiver), ikm)


def plain(made, sender=None, receiver=None, **fields):
    """A record from its node to another, with a plan and perhaps other keys of the header."""
    header = {**made[0], **fields}
    header.setdefault("plan", pattern(32))
    return Plain(header, made[1], sender or newest(header["from"]), receiver or newest(header["to"]))


UPWARDS = {"from": ["client", 3], "to": ["station", 2]}
BETWEEN = {"from": ["station", 5], "to": ["station", 2]}
TO_RELAY = {"from": ["station", 2], "to": ["relay", 2]}
TO_FEDERATOR = {"from": ["client", 3], "to": ["federator", 1]}


def upwards(spec="m31", n=4, **fields):
    return plain(share(spec, n, **UPWARDS), **fields)


def data(raw, part=0, last=True, **fields):
    """A part of a file from client 3 to station 2."""
    header = {"v": VERSION, "kind": "data", "plan": pattern(32), **UPWARDS, "id": pattern(16, 77), "part": part}
    if last:
        header["last"] = True
    header.update(fields)
    return header, numpy.frombuffer(raw, dtype="u1")


def file_parts(raw, size):
    """The parts of a file, each of size bytes."""
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)] or [b""]
    return [data(piece, i, i + 1 == len(pieces)) for i, piece in enumerate(pieces)]


TEXT = b"Dear station 2,\nwe have replaced our key. The new one is in identities.txt.\n"


def cases():
    """As good_vectors.cases(): data that is not sealed."""
    yield "data", "a file in one part", file_parts(TEXT, 100)
    yield "data-empty", "an empty file", file_parts(b"", 100)
    yield "data-parts", "a file in four parts", file_parts(TEXT, 20)
    yield "data-largest", "the largest part number, and a round", [data(b"x", 2**48, round=2**53 - 1)]
    yield "data-not-last", "a part that is not the last one", [data(b"", 0, last=False)]
    yield "data-extension", "a part with an extension", [data(TEXT, **{"x-note": "no reader needs it"})]


def sealed_cases():
    """(name, description, [Plain, ...]) of every file of sealed records."""
    yield "sealed-share", "a share from a client to a station", [upwards()]
    for spec, width in (("gf256", 1), ("prime:p=65521", 2), ("m31", 4), ("goldilocks", 8)):
        yield f"sealed-width-{width}", f"elements of {spec}, of {width} bytes each", [upwards(spec, 17)]
    yield "sealed-nothing", "no elements: one chunk, which has no bytes", [upwards("m31", 0)]
    yield "sealed-one", "one element of one byte", [upwards("gf256", 1)]
    for name, spec, n, description in (
        ("exactly", "m31", CHUNK_BYTES // 4, "exactly a chunk"),
        ("more", "m31", CHUNK_BYTES // 4 + 1, "a chunk and one element"),
        ("two", "goldilocks", CHUNK_BYTES // 4, "two chunks, the last one full"),
        ("three", "m31", CHUNK_BYTES // 2 + 1, "two chunks and one element"),
    ):
        yield f"sealed-chunk-{name}", description, [upwards(spec, n)]
    yield from sealed_kinds()
    yield "sealed-file", "a file in one part", [plain(part) for part in file_parts(TEXT, 100)]
    yield "sealed-file-parts", "a file in four parts", [plain(part) for part in file_parts(TEXT, 20)]
    yield "sealed-file-chunks", "a file of a chunk and one byte, in one part", [
        plain(data(elements("gf256", CHUNK_BYTES + 1).tobytes()))]
    yield "sealed-file-empty", "an empty file", [plain(part) for part in file_parts(b"", 20)]
    old = private_key(KEYS["station", 2][0])
    yield "sealed-older-key", "to and from the older of two keys of a station", [
        plain(share(**UPWARDS), receiver=old),
        plain(share(**TO_RELAY), sender=old),
    ]
    itself = {"from": ["station", 2], "to": ["station", 2]}
    yield "sealed-to-itself", "from a station to itself", [plain(share(**itself))]
    yield "sealed-same-twice", "the same record, sealed twice", [upwards(), upwards()]
    yield "sealed-stream", "sealed records of several nodes in one stream", [
        upwards(), plain(share(**{**UPWARDS, "from": ["client", 4]})), plain(vector(**TO_FEDERATOR)), upwards("m61", 3)]
    for name, description, records in good_seeds.sealed_cases():
        yield name, description, [plain(made) for made in records]


def sealed_kinds():
    """Every kind of record, between the nodes that send it."""
    every = {key: value for key, value in EVERYTHING.items() if key not in UPWARDS}
    yield "sealed-vector", "a key from a client to the federator", [plain(vector(of="key", **TO_FEDERATOR))]
    yield "sealed-every-field", "every field that a share can have", [plain(share(n_elems=7, **every, **UPWARDS))]
    direct = plain(transfer(source=SOURCE, **TO_RELAY))
    yield "sealed-transfer", "a share of a share from a station to a relay", [direct]
    yield "sealed-aligned", "a share of an aligned sharing", [plain(aligned(6, **UPWARDS))]
    yield "sealed-mask", "a mask from a station to another", [plain(mask(4, **BETWEEN))]
    yield "sealed-summand", "a summand from a relay to the federator", [plain(summand())]
    report = roster(clients=[3, 3], **{"from": ["station", 2], "to": ["federator", 1]})[0]
    runs = numpy.frombuffer(pattern(16, 99), dtype="u1")
    yield "sealed-report", "a roster from a station to the federator, with the run of a client", [plain((report, runs))]
    yield "sealed-roster", "a roster from the federator to a station", [plain(roster(to=["station", 2]))]
    unknown = {"name": "a-scheme-of-the-future", "n": 3, "k": 2, "z": 1, "index": 1, "point": 2}
    header, values = share(scheme=unknown, **UPWARDS)
    yield "sealed-unknown", "a field and a scheme that hagg does not have", [
        plain(({**header, "field": "field-of-the-future"}, values))]


def sealed_records(name, records):
    """[(header, payload), ...] of a file of sealed records."""
    return [record.sealed(f"{name} {i}") for i, record in enumerate(records)]


def find(name):
    """The records of a file, before sealing."""
    return next(records for found, _, records in sealed_cases() if found == name)


def identities():
    """[(node, private key), ...] in the order of KEYS."""
    return [(node, private_key(name)) for node, names in KEYS.items() for name in names]


def public_key(identity):
    """The public key of a key id."""
    return next(hpke.public_of(k) for _, k in identities() if key_id(hpke.public_of(k)) == identity)
