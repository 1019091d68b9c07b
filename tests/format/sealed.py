"""Sealed payloads: their form, which can be checked without keys, and sealing and opening with keys."""

import hashlib
import math
from dataclasses import dataclass

import numpy

import hpke
from cbor_cursor import ARRAY, BYTES, Reject

CHUNK_BYTES = 65536
TAG_BYTES = 16
SEALED_BYTES = CHUNK_BYTES + TAG_BYTES
WIDTHS = (1, 2, 4, 8)
KEY_ID_BYTES = 8


@dataclass
class Sealed:
    """The payload of a sealed record."""

    width: int
    sender: bytes
    receiver: bytes
    enc: bytes
    chunks: bytes

    @property
    def n_bytes(self):
        """Bytes of all elements."""
        return content_bytes(len(self.chunks))

    def items(self):
        return [self.width, self.sender, self.receiver, self.enc, self.chunks]

    def pieces(self):
        return [self.chunks[at : at + SEALED_BYTES] for at in range(0, len(self.chunks), SEALED_BYTES)]


def content_bytes(n):
    """The bytes of elements in a string of chunks of n bytes."""
    return n - TAG_BYTES * math.ceil(n / SEALED_BYTES)


def read_sealed(cursor, limit):
    """Reads a sealed payload with at most limit bytes of chunks."""
    n = cursor.expect(ARRAY, "payload")
    if n != 5:
        raise Reject("array", "payload", f"an array of {n}")
    width = cursor.uint(1, 8, "payload")
    if width not in WIDTHS:
        raise Reject("range", "payload", f"elements of {width} bytes")
    sender, receiver = (cursor.bytes(KEY_ID_BYTES, KEY_ID_BYTES, "payload") for _ in range(2))
    enc = cursor.bytes(32, 32, "payload")
    n = cursor.expect(BYTES, "payload")
    if not TAG_BYTES <= n <= limit:
        raise Reject("range", "payload", f"{n} bytes of chunks")
    last = n % SEALED_BYTES
    if n > SEALED_BYTES and 0 < last <= TAG_BYTES:
        raise Reject("chunks", "payload", f"a last chunk of {last} bytes")
    if content_bytes(n) % width:
        raise Reject("multiple", "payload", f"{content_bytes(n)} bytes are no multiple of {width}")
    return Sealed(width, sender, receiver, enc, bytes(cursor.take(n, "payload")))


def key_id(public):
    return hashlib.sha256(public).digest()[:KEY_ID_BYTES]


def info_of(header_bytes, width, n_bytes):
    digest = hashlib.sha256(header_bytes).digest()
    return b"hagg-seal-1" + digest + bytes([width]) + n_bytes.to_bytes(8, "big")


def aad_of(is_last):
    return b"\x01" if is_last else b"\x00"


def seal(header_bytes, elements, sender_private, receiver_public, ikm):
    """Seals elements under an encoded header."""
    raw, width = elements.tobytes(), elements.dtype.itemsize
    enc, context = hpke.send(sender_private, receiver_public, info_of(header_bytes, width, len(raw)), ikm)
    pieces = [raw[at : at + CHUNK_BYTES] for at in range(0, len(raw), CHUNK_BYTES)] or [b""]
    chunks = b"".join(context.seal(aad_of(i == len(pieces)), piece) for i, piece in enumerate(pieces, 1))
    return Sealed(width, key_id(hpke.public_of(sender_private)), key_id(receiver_public), enc, chunks)


def open_sealed(header_bytes, payload, receiver_private, sender_public):
    """The elements of a sealed payload; hpke.NotAuthentic if it does not open."""
    if key_id(sender_public) != payload.sender or key_id(hpke.public_of(receiver_private)) != payload.receiver:
        raise hpke.NotAuthentic("sealed with another key")
    info = info_of(header_bytes, payload.width, payload.n_bytes)
    context = hpke.receive(payload.enc, receiver_private, sender_public, info)
    pieces = payload.pieces()
    raw = b"".join(context.open(aad_of(i == len(pieces)), piece) for i, piece in enumerate(pieces, 1))
    return numpy.frombuffer(raw, dtype=f"<u{payload.width}")
