"""The expansion of a seed, from FORMAT.md alone."""

import numpy
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from known_plugins import element_size, field_order

PIECE = 4096
BLOCK_BYTES = 16


def keystream(seed, piece, first, n):
    """The blocks first .. first + n - 1 of the keystream of a piece."""
    cipher = Cipher(algorithms.AES(seed), modes.ECB()).encryptor()
    counters = (piece.to_bytes(8, "big") + i.to_bytes(8, "big") for i in range(first, first + n))
    return cipher.update(b"".join(counters))


def accepted(spec, words):
    """The elements that the words of a keystream give, in their order."""
    order = field_order(spec)
    if spec == "gf256":
        return words
    low_bits = words & words.dtype.type((1 << order.bit_length()) - 1)
    return low_bits[low_bits < words.dtype.type(order)]


def expand_piece(seed, spec, piece, n):
    """The first n elements of a piece."""
    width = element_size(field_order(spec))
    found, at = numpy.array([], dtype=f"<u{width}"), 0
    while len(found) < n:
        words = numpy.frombuffer(keystream(seed, piece, at, PIECE // BLOCK_BYTES), dtype=f"<u{width}")
        found = numpy.concatenate([found, accepted(spec, words)])
        at += PIECE // BLOCK_BYTES
    return found[:n]


def expand(seed, spec, n):
    """The n elements of a record, as words in little endian."""
    width = element_size(field_order(spec))
    pieces = [expand_piece(seed, spec, at // PIECE, min(PIECE, n - at)) for at in range(0, n, PIECE)]
    return numpy.concatenate([numpy.array([], dtype=f"<u{width}"), *pieces])
