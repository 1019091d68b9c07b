"""Payloads and digests that are wrong, streams that end too soon."""

from bad_cases import SHARE, VECTOR, Bad
from cbor_cursor import BYTES, TAG, TEXT
from good_vectors import elements
from hagg_format import digest_of
from raw_cbor import encode, head, payload, record

RAW = VECTOR.elements.tobytes()
DIGEST = VECTOR.good[-16:]


def cases():
    yield from payloads()
    yield from lengths()
    yield from digests()
    yield from truncations()
    yield from second_records()


def with_body(body, base=VECTOR):
    return record(base.header, body)


def payloads():
    def case(name, failure, body, description):
        return Bad(f"payload-{name}", failure, "payload", with_body(body), description)

    for tag, what in ((65, "big-endian uint16"), (66, "big-endian uint32"), (68, "clamped uint8"), (78, "sint32")):
        yield case(f"tag-{tag}", "tag", head(TAG, tag) + head(BYTES, 12) + RAW, f"the tag of {what}")
    yield case("tag-0", "tag", head(TAG, 0) + head(BYTES, 12) + RAW, "the tag of a date")
    yield case("tag-huge", "tag", head(TAG, 2**64 - 1) + head(BYTES, 12) + RAW, "the tag 2^64 - 1")
    yield case("tag-not-shortest", "not-shortest", head(TAG, 70, 2) + head(BYTES, 12) + RAW, "the tag in two bytes")
    yield case("tag-twice", "type", head(TAG, 70) + payload(VECTOR.elements), "the tag twice")
    yield case("plain-bytes", "type", head(BYTES, 12) + RAW, "a byte string without a tag")
    yield case("text", "type", head(TAG, 70) + head(TEXT, 12) + RAW, "a text string in the tag")
    yield case("array", "array", encode([0, 1, 2]), "an array of integers")
    yield case("null", "type", b"\xf6", "null")
    wide = head(TAG, 70) + head(BYTES, 12, 1) + RAW
    yield case("length-not-shortest", "not-shortest", wide, "the length in a byte of its own")
    chunks = head(TAG, 70) + b"\x5f" + encode(RAW) + b"\xff"
    yield case("indefinite", "indefinite", chunks, "a payload in chunks")
    for extra in (1, 2, 3):
        body = head(TAG, 70) + encode(RAW + bytes(extra))
        yield case(f"multiple-plus-{extra}", "multiple", body, f"{extra} bytes more than whole elements")
    body = head(TAG, 69) + encode(bytes(5))
    yield Bad("payload-multiple-uint16", "multiple", "payload", with_body(body, SHARE), "five bytes of uint16")
    body = head(TAG, 71) + encode(bytes(12))
    yield Bad("payload-multiple-uint64", "multiple", "payload", with_body(body, SHARE), "twelve bytes of uint64")


def lengths():
    def case(name, failure, data, description):
        return Bad(f"payload-{name}", failure, "payload", data, description)

    yield case("too-short", "length", with_body(payload(VECTOR.elements[:2])), "2 elements of a vector of 3")
    yield case("too-long", "length", with_body(payload(elements("m31", 4))), "4 elements of a vector of 3")
    yield case("empty", "length", with_body(payload(VECTOR.elements[:0])), "no element of a vector of 3")
    other = head(TAG, 64) + encode(bytes(12))
    yield case("of-bytes", "length", with_body(other), "the right number of bytes, but 12 elements instead of 3")
    for n, short in ((2**30, "2-30"), (2**48, "2-48")):
        header = {**VECTOR.header, "length": n}
        data = record(header, head(TAG, 70) + head(BYTES, 4 * n), digest=b"")
        yield case(f"declares-{short}", "truncated", data, f"{n} elements declared by a file of a few bytes")
    for n, short in ((2**52 + 4, "2-52-plus-4"), (2**63, "2-63"), (2**64 - 4, "2-64-minus-4")):
        data = record(SHARE.header, head(TAG, 70) + head(BYTES, n), digest=b"")
        yield case(f"declares-{short}", "range", data, f"{n} bytes declared by a file of a few bytes")
    data = record(SHARE.header, head(TAG, 64) + head(BYTES, 2**64 - 1), digest=b"")
    yield case("declares-2-64-minus-1", "range", data, "2^64 - 1 bytes declared by a file of a few bytes")


def digests():
    def case(name, failure, digest, description):
        return Bad(f"digest-{name}", failure, "digest", record(VECTOR.header, VECTOR.body, digest=digest), description)

    flipped = bytes([DIGEST[0] ^ 0x80]) + DIGEST[1:]
    yield case("wrong", "digest", encode(flipped), "one bit of the digest changed")
    yield case("little-endian", "digest", encode(DIGEST[::-1]), "the digest's bytes in the wrong order")
    payload_only = digest_of(VECTOR.body)
    yield case("of-payload", "digest", encode(payload_only), "the digest of the payload alone")
    whole = digest_of(VECTOR.good[:-17])
    yield case("of-tag-too", "digest", encode(whole), "a digest that covers the record's tag too")
    yield case("zero", "digest", encode(bytes(16)), "a digest of zeros")
    yield case("of-15", "range", encode(DIGEST[:15]), "a digest of 15 bytes")
    yield case("of-17", "range", encode(DIGEST + b"\0"), "a digest of 17 bytes")
    yield case("empty", "range", encode(b""), "a digest of no bytes")
    yield case("text", "type", encode("0123456789abcdef"), "a digest that is text")
    yield case("null", "type", encode(None), "null instead of a digest")
    yield case("not-shortest", "not-shortest", head(BYTES, 16, 1) + DIGEST, "the digest's length in a byte of its own")
    yield case("indefinite", "indefinite", b"\x5f" + encode(DIGEST) + b"\xff", "a digest in chunks")
    for name, at, description in (
        ("header-changed", VECTOR.good.index(b"round") + 5, "the round changed from 7 to 6"),
        ("payload-changed", len(VECTOR.good) - 17 - 4, "one bit of the last element changed"),
    ):
        data = bytearray(VECTOR.good)
        data[at] ^= 1
        yield Bad(f"digest-{name}", "digest", "digest", bytes(data), description)


def truncations():
    def case(name, where, n, description):
        return Bad(f"truncated-{name}", "truncated", where, VECTOR.good[:n], description)

    good = VECTOR.good
    body = len(good) - 17 - len(VECTOR.body)
    yield case("first-byte", "record", 1, "nothing but the first byte")
    yield case("tag", "record", 3, "ends in the tag")
    yield case("after-tag", "record", 5, "ends after the tag")
    yield case("after-array", "header", 6, "ends before the header")
    yield case("key", "key", good.index(b"field") + 2, "ends in a key")
    yield case("after-key", "field", good.index(b"field") + 5, "ends between a key and its value")
    yield case("value", "field", good.index(b"m31") + 1, "ends in a value")
    yield case("after-header", "payload", body, "ends before the payload")
    yield case("payload-tag", "payload", body + 1, "ends in the payload's tag")
    yield case("payload-head", "payload", body + 2, "ends before the payload's length")
    yield case("payload-empty", "payload", body + 3, "ends before the first element")
    yield case("element", "payload", body + 5, "ends in an element")
    yield case("payload", "payload", body + 11, "ends before the last element")
    yield case("after-payload", "digest", len(good) - 17, "ends before the digest")
    yield case("digest", "digest", len(good) - 1, "ends in the digest")


def second_records():
    first = SHARE.good
    wrong = VECTOR.good[:-1] + bytes([VECTOR.good[-1] ^ 1])
    for name, failure, where, data, description in (
        ("damaged", "digest", "digest", first + wrong, "a good record, then one with a wrong digest"),
        ("truncated", "truncated", "digest", first + VECTOR.good[:-1], "a good record, then one that ends too soon"),
        ("other-version", "version", "v", first + VECTOR.having("v", 1), "a good record, then one of version 1"),
        ("between", "digest", "digest", first + wrong + first, "a record with a wrong digest between two good ones"),
    ):
        yield Bad(f"second-{name}", failure, where, data, description, record=2)
