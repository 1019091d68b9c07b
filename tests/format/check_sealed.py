#!/usr/bin/python3
"""Opens the sealed records among the known-answer files.

Usage: check_sealed.py DIRECTORY

Every record that sealed.json lists as one that opens must open to its elements, with the keys of the nodes in its
header, and with no other key. No record of the other list may open, and no record with a bit changed.
"""

import hashlib
import json
import pathlib
import sys
from dataclasses import replace

import hpke
from hagg_format import Record, read_stream, write_header
from make_vectors import describe_plain
from outcome import Outcome
from sealed import open_sealed

# The first two messages of RFC 9180's published vectors for mode 2, KEM 0x0020, KDF 0x0001, AEAD 0x0002.
RFC_INFO, RFC_TEXT = b"Ode on a Grecian Urn", b"Beauty is truth, truth beauty"
RFC_EPHEMERAL = "734369ab3061f71ee85e090fae308553cac8e7b3fbd45b4ba83d05e0cd05b1c4"
RFC_SENDER = "98fdf9b9773578a79d4ba82fbe483c74cc2e3b8d9525d148a18969fd79a74876"
RFC_RECEIVER = "47f1eee3670dfaaf27c30a83d06ee9f257af174727c17b35328ef730dfc1cd81"
RFC_ENC = "9e59f4b1fa5c876f684765290c34e51145894cc4f244342b9fb1a4bdfd8bb426"
RFC_SEALED = (
    "10b964283ac2cc0bdc4c85ab617291b446bf3832e9359b2c3a0facc50ea75a3c1afd08aeaacd6041d02eb560ec",
    "83b24287a5ac672289ccebf5ec303d3c0a85bc60bb7a748014d85179b51c7552ca93a70817ee3140442f92e23b",
)


class Opener:
    """Opens records with the keys of the nodes in their headers."""

    def __init__(self, keys):
        self.keys = keys

    def keys_of(self, node, identity):
        return [bytes.fromhex(key["private"]) for key in self.keys
                if key["node"] == list(node) and key["id"] == identity.hex()]

    def open(self, record):
        header, payload = record.header, record.payload
        senders = self.keys_of(header["from"], payload.sender)
        receivers = self.keys_of(header["to"], payload.receiver)
        if not senders or not receivers:
            raise hpke.NotAuthentic("no key of this node has this id")
        return self.open_with(record, receivers[0], hpke.public_of(senders[0]))

    def open_with(self, record, receiver, sender_public):
        return open_sealed(write_header(record.header), record.payload, receiver, sender_public)

    def opens(self, record):
        try:
            self.open(record)
        except hpke.NotAuthentic:
            return False
        return True


class Opened:
    """What describe_plain needs of a record."""

    def __init__(self, elements):
        self.elements = elements


def check_rfc(outcome):
    sender, receiver = bytes.fromhex(RFC_SENDER), bytes.fromhex(RFC_RECEIVER)
    enc, sends = hpke.send(sender, hpke.public_of(receiver), RFC_INFO, bytes.fromhex(RFC_EPHEMERAL))
    receives = hpke.receive(enc, receiver, hpke.public_of(sender), RFC_INFO)
    outcome.check(enc.hex() == RFC_ENC, "RFC 9180", "another enc")
    for i, wanted in enumerate(RFC_SEALED):
        aad = f"Count-{i}".encode()
        sealed = sends.seal(aad, RFC_TEXT)
        outcome.check(sealed.hex() == wanted, "RFC 9180", f"another message {i}")
        outcome.check(receives.open(aad, sealed) == RFC_TEXT, "RFC 9180", f"message {i} opens to another text")


def check_opens(entry, records, opener, outcome):
    outcome.check(len(records) == len(entry["records"]), entry["name"], f"{len(records)} records")
    for record, wanted in zip(records, entry["records"]):
        try:
            found = json.loads(json.dumps(describe_plain(Opened(opener.open(record)))))
            outcome.check(found == wanted, entry["name"], "other elements")
        except hpke.NotAuthentic as error:
            outcome.check(False, entry["name"], str(error))


def check_bits(record, opener, outcome):
    """Every bit of every item of a payload but the width, which the form of the payload determines in part."""
    for name in ("sender", "receiver", "enc", "chunks"):
        raw = getattr(record.payload, name)
        for bit in range(8 * len(raw)):
            changed = bytearray(raw)
            changed[bit // 8] ^= 1 << bit % 8
            payload = replace(record.payload, **{name: bytes(changed)})
            forged = Record(record.header, payload, record.digest, 0, 0)
            outcome.check(not opener.opens(forged), f"bit {bit} of {name}", "changed, it still opens")


def main():
    directory = pathlib.Path(sys.argv[1])
    vectors = json.loads((directory / "sealed.json").read_text())
    opener, outcome, encs = Opener(vectors["keys"]), Outcome(), set()
    check_rfc(outcome)
    for key in vectors["keys"]:
        public = hpke.public_of(bytes.fromhex(key["private"]))
        outcome.check(public.hex() == key["public"], str(key["node"]), "another public key")
        outcome.check(hashlib.sha256(public).hexdigest()[:16] == key["id"], str(key["node"]), "another id")
    for entry in vectors["opens"]:
        records = read_stream((directory / entry["name"]).read_bytes())
        check_opens(entry, records, opener, outcome)
        for record in records:
            outcome.check(record.payload.enc not in encs, entry["name"], "an ephemeral key is used twice")
            encs.add(record.payload.enc)
    for entry in vectors["must_not_open"]:
        records = read_stream((directory / entry["name"]).read_bytes())
        outcome.check(not any(opener.opens(record) for record in records), entry["name"], "opens")
    check_bits(read_stream((directory / "good/sealed-share.cbor").read_bytes())[0], opener, outcome)
    outcome.finish()


if __name__ == "__main__":
    main()
