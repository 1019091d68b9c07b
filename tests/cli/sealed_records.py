"""For tests: reads, opens, seals and writes records with the reader and the HPKE of tests/format, which share
no code with the commands. The private keys are in keys/TIER-NUMBER.pem, and keys/federator.pem."""

import os
import sys
from dataclasses import replace  # noqa: F401 - for tests

import numpy
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

import hpke
from hagg_format import read_stream, write_header, write_record
from sealed import SEALED_BYTES, Sealed, key_id, open_sealed, seal  # noqa: F401 - for tests


def records(name):
    with open(name, "rb") as file:
        return read_stream(file.read())


def only(name):
    """The header and the payload of the only record of a file."""
    record, = records(name)
    return dict(record.header), record.payload


def save(name, header, payload):
    with open(name, "wb") as file:
        file.write(write_record(header, payload))


def private(node):
    """The private key of a node such as ["client", 3]."""
    tier, number = node
    name = "keys/federator.pem" if tier == "federator" else f"keys/{tier}-{number}.pem"
    with open(name, "rb") as file:
        key = load_pem_private_key(file.read(), None)
    return key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())


def public(node):
    return hpke.public_of(private(node))


def opened(header, payload):
    """The elements of a record, opened as its addressee."""
    return open_sealed(write_header(header), payload, private(header["to"]), public(header["from"]))


def sealed_by(node, header, elements):
    """The elements, sealed with the private key of this node to the addressee in the header."""
    return seal(write_header(header), elements, private(node), public(header["to"]), os.urandom(32))


def chunks(payload, *which):
    """The payload with these of its chunks, in this order."""
    pieces = payload.pieces()
    return replace(payload, chunks=b"".join(pieces[i] for i in which))


def elements(header, payload):
    """The elements of a record, sealed or not."""
    return opened(header, payload) if isinstance(payload, Sealed) else numpy.asarray(payload)
