"""A CBOR encoder that can also encode wrongly, on request, to make files that must be refused."""

import struct

from cbor_cursor import ARRAY, BYTES, MAP, NEGATIVE, SIMPLE, TAG, TEXT, UNSIGNED, fits
from hagg_format import RECORD_TAG, TAGS, digest_of
from sealed import Sealed


class Raw(bytes):
    """An item that is already encoded."""


class Pairs(list):
    """A map as pairs in the given order."""


def head(major, argument, width=None):
    """A head; width is the size of its argument in bytes, by default the smallest."""
    if width is None:
        width = 0 if argument < 24 else next(w for w in (1, 2, 4, 8) if argument < 1 << (8 * w))
    if width == 0:
        return bytes([major << 5 | argument])
    return bytes([major << 5 | 23 + width.bit_length()]) + argument.to_bytes(width, "big")


def integer(value, width):
    return Raw(head(UNSIGNED, value, width))


def text(raw):
    """A text string of any bytes."""
    return Raw(head(TEXT, len(raw)) + raw)


def float_as(form, value):
    return Raw(bytes([SIMPLE << 5 | {">e": 25, ">f": 26, ">d": 27}[form]]) + struct.pack(form, value))


def encode(value):
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, bool):
        return head(SIMPLE, 21 if value else 20)
    if value is None:
        return head(SIMPLE, 22)
    if isinstance(value, int):
        return head(UNSIGNED, value) if value >= 0 else head(NEGATIVE, -1 - value)
    if isinstance(value, float):
        return float_as(next((form for form in (">e", ">f") if fits(form, value)), ">d"), value)
    if isinstance(value, bytes):
        return head(BYTES, len(value)) + value
    if isinstance(value, str):
        return text(value.encode())
    if isinstance(value, Pairs):
        return head(MAP, len(value)) + b"".join(encode(k) + encode(v) for k, v in value)
    if isinstance(value, dict):
        return encode(Pairs(sorted(value.items(), key=lambda pair: encode(pair[0]))))
    if isinstance(value, list):
        return head(ARRAY, len(value)) + b"".join(encode(item) for item in value)
    raise TypeError(type(value))


def pairs(header):
    """The pairs of a map in the correct order, for modification."""
    return Pairs(sorted(header.items(), key=lambda pair: encode(pair[0])))


def payload(elements):
    """The payload item of an array, or of Sealed."""
    if isinstance(elements, Sealed):
        return encode(elements.items())
    raw = elements.tobytes()
    return head(TAG, TAGS[elements.dtype.itemsize]) + head(BYTES, len(raw)) + raw


def record(header, body, *, tag=None, array=None, digest=None, after=b""):
    """A record with a correct digest, whatever else is wrong. body is the bytes of the payload item."""
    covered = encode(header) + body
    if tag is None:
        tag = head(TAG, RECORD_TAG)
    if array is None:
        array = head(ARRAY, 3)
    if digest is None:
        digest = encode(digest_of(covered))
    return tag + array + covered + digest + after
