"""The identities of all nodes of a plan: keys made here, and records opened and sealed with them independently
of the commands."""

import base64
import dataclasses
import os

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

import hpke
from hagg_format import write_header
from sealed import open_sealed, seal
from topology import numbers

LINE = "identities ids.txt\n"
KEYS = "keys/{tier}-{}.pem"


def nodes_of(text):
    """The nodes of a topology, as in headers."""
    nodes = [("federator", 1)]
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["client"]:
            nodes += [("client", i) for i in numbers(words[1:])]
        elif words[:1] in (["stations"], ["relays"]):
            nodes += [(words[0][:-1], i) for i in range(1, int(words[1]) + 1)]
    return nodes


class Identities:
    """Writes ids.txt and the private keys of the nodes of a topology to a directory."""

    def __init__(self, text, directory):
        self.private = {node: X25519PrivateKey.generate() for node in nodes_of(text)}
        os.makedirs(os.path.join(directory, "keys"), exist_ok=True)
        with open(os.path.join(directory, "ids.txt"), "w", encoding="ascii") as file:
            for (tier, number), key in self.private.items():
                words = [tier] if tier == "federator" else [tier, str(number)]
                print(*words, base64.b64encode(self.public((tier, number))).decode(), file=file)
                name = KEYS.replace("{tier}", tier).replace("{}", str(number))
                pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
                with open(os.path.join(directory, name), "wb", opener=private) as secret:
                    secret.write(pem)

    def raw(self, node):
        return self.private[tuple(node)].private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    def public(self, node):
        return hpke.public_of(self.raw(node))

    def open(self, record):
        """The record with its elements, opened as its receiver."""
        h = record.header
        elements = open_sealed(write_header(h), record.payload, self.raw(h["to"]), self.public(h["from"]))
        return dataclasses.replace(record, payload=elements)

    def seal(self, header, elements):
        return seal(write_header(header), elements, self.raw(header["from"]), self.public(header["to"]), os.urandom(32))


def private(path, flags):
    return os.open(path, flags, 0o600)


def key_of(tool, arguments):
    """The name of the key of the node that runs this command, or the pattern of all keys."""
    words = list(map(str, arguments))
    for tier in ("client", "station", "relay"):
        if f"--{tier}" in words:
            return KEYS.replace("{tier}", tier).replace("{}", words[words.index(f"--{tier}") + 1])
    return KEYS.replace("{tier}-{}", "federator-1") if tool in ("decode", "roster") else KEYS
