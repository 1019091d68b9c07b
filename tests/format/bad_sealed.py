"""Sealed records and data with faults that a reader detects without keys."""

import numpy

from bad_cases import ALIGNED, CARRIED, CLIENTS, FULL, LAYOUT, MASK, SUMMAND, Bad, Base
from bad_payloads import DIGEST
from cbor_cursor import ARRAY, BYTES, TAG, TEXT, UNSIGNED
from good_sealed import TEXT as FILE
from good_sealed import data, find, sealed_records
from raw_cbor import encode, head, payload, record
from sealed import CHUNK_BYTES, SEALED_BYTES, TAG_BYTES, Sealed

DATA = Base(*data(FILE, 3))


def base(name):
    return Base(*sealed_records(name, find(name))[0])


SHARE = base("sealed-share")
VECTOR = base("sealed-vector")
SUMMED = base("sealed-summand")
ROSTER = base("sealed-roster")
FILED = base("sealed-file")
WIDTH, SENDER, RECEIVER, ENC, CHUNKS = (encode(item) for item in SHARE.elements.items())

OF_OTHERS = {"of": "plain", "field": "m31", "length": 0, "clients": CLIENTS.header["clients"]}
OF_OTHERS |= {key: FULL.header[key] for key in ("shape", "type", "samples", "quant")}
OF_OTHERS |= {key: LAYOUT.header[key] for key in ("scheme", "route", "layout", "mix")}
OF_OTHERS |= {key: CARRIED.header[key] for key in ("source", "carrier")}
OF_OTHERS |= {key: MASK.header[key] for key in ("segments", "blocks", "chunks", "dealers")}
OF_OTHERS |= {key: SUMMAND.header[key] for key in ("stations", "basis")}


def cases():
    yield from of_data()
    yield from arrays()
    yield from items()
    yield from chunks()
    yield from encodings()
    yield from headers()
    yield from lengths()
    yield from ends()


def case(name, failure, body, description, header=None, level="format"):
    return Bad(f"sealed-{name}", failure, "payload", record(header or SHARE.header, body), description, level=level)


def of_data():
    for key in ("plan", "from", "to", "id", "part"):
        yield Bad(f"data-without-{key}", "missing", key, DATA.lacking(key), f"data without {key}")
    for key, value in OF_OTHERS.items():
        yield Bad(f"data-with-{key}", "kind", key, DATA.having(key, value), f"data with {key}")
    for key, value in (("part", 0), ("last", True)):
        for other, kind in ((FULL, "vector"), (LAYOUT, "share"), (CARRIED, "transfer"), (SUMMAND, "summand"),
                            (ALIGNED, "aligned"), (ROSTER, "roster")):
            made = other.having(key, value)
            yield Bad(f"{kind}-with-{key}", "kind", key, made, f"{key} in another record than data")
    for name, key, value, failure in (
        ("part-huge", "part", 2**48 + 1, "range"),
        ("part-wraps", "part", 2**64 - 1, "range"),
        ("part-negative", "part", -1, "type"),
        ("part-text", "part", "0", "type"),
        ("last-false", "last", False, "value"),
        ("last-type", "last", 1, "type"),
        ("id-of-15", "id", bytes(15), "range"),
    ):
        yield Bad(f"data-{name}", failure, key, DATA.having(key, value), f"data with another value of {key}")
    for width in (2, 4, 8):
        made = record(DATA.header, payload(numpy.zeros(2, dtype=f"<u{width}")))
        yield Bad(f"data-of-uint{8 * width}", "tag", "payload", made, f"data with elements of {width} bytes")


def arrays():
    five = WIDTH + SENDER + RECEIVER + ENC + CHUNKS
    yield case("array-of-four", "array", head(ARRAY, 4) + SENDER + RECEIVER + ENC + CHUNKS, "no width")
    yield case("array-of-six", "array", head(ARRAY, 6) + five + encode(b""), "one item more")
    yield case("array-empty", "array", head(ARRAY, 0), "no items")
    yield case("array-huge", "array", head(ARRAY, 2**64 - 1) + five, "2^64 - 1 items declared")
    yield case("array-not-shortest", "not-shortest", head(ARRAY, 5, 1) + five, "the number of items in two bytes")
    yield case("array-indefinite", "indefinite", b"\x9f" + five + b"\xff", "an array of indefinite length")
    yield case("in-tag", "type", head(TAG, 70) + encode(SHARE.elements.items()), "an array in the tag of a payload")
    yield case("in-bytes", "type", encode(encode(SHARE.elements.items())), "an array in a byte string")


def with_items(**changed):
    """A sealed payload with items changed; they are already encoded."""
    found = {"width": WIDTH, "sender": SENDER, "receiver": RECEIVER, "enc": ENC, "chunks": CHUNKS, **changed}
    return head(ARRAY, 5) + b"".join(found.values())


def items():
    for width in (0, 3, 5, 16, 2**32 + 4, 2**64 - 4):
        yield case(f"width-{width}", "range", with_items(width=encode(width)), f"elements of {width} bytes")
    yield case("width-negative", "type", with_items(width=encode(-1)), "elements of -1 bytes")
    yield case("width-text", "type", with_items(width=encode("4")), "a width that is text")
    for name, sizes in (("sender", (0, 7, 9, 32)), ("receiver", (0, 7, 9, 32)), ("enc", (0, 31, 33))):
        for n in sizes:
            body = with_items(**{name: encode(bytes(n))})
            yield case(f"{name}-of-{n}", "range", body, f"{name} with {n} bytes")
        n = 32 if name == "enc" else 8
        yield case(f"{name}-text", "type", with_items(**{name: encode("k" * n)}), f"{name} that is text")
    yield case("enc-huge", "range", with_items(enc=head(BYTES, 2**64 - 1)), "enc with 2^64 - 1 bytes declared")
    yield case("chunks-text", "type", with_items(chunks=encode("c" * 32)), "chunks that are text")
    tagged = head(TAG, 70) + encode(bytes(32))
    yield case("chunks-tagged", "type", with_items(chunks=tagged), "chunks in the tag of a payload")
    yield case("chunks-array", "type", with_items(chunks=encode([bytes(32)])), "an array of chunks")


def of_chunks(n, width=4):
    """A sealed payload with n bytes of chunks, which nobody can open."""
    made = Sealed(width, SHARE.elements.sender, SHARE.elements.receiver, SHARE.elements.enc, bytes(n))
    return encode(made.items())


def chunks():
    for n in (0, 1, TAG_BYTES - 1):
        yield case(f"chunks-of-{n}", "range", of_chunks(n), f"chunks of {n} bytes: less than a tag")
    for n in (1, TAG_BYTES - 1, TAG_BYTES):
        body = of_chunks(SEALED_BYTES + n)
        yield case(f"last-chunk-of-{n}", "chunks", body, f"a last chunk of {n} bytes after a full one")
    for n in (1, 2, 3):
        body = of_chunks(TAG_BYTES + 4 + n)
        yield case(f"multiple-plus-{n}", "multiple", body, f"{n} bytes more than whole elements")
    yield case("multiple-of-8", "multiple", of_chunks(TAG_BYTES + 12, width=8), "12 bytes in elements of 8")
    body = of_chunks(SEALED_BYTES + TAG_BYTES + 2)
    yield case("multiple-last", "multiple", body, "half an element in the last chunk")
    declared = head(ARRAY, 5) + encode(1) + SENDER + RECEIVER + ENC
    for n, short, failure in (
        (SEALED_BYTES << 14, "2-30", "truncated"),
        (SEALED_BYTES << 32, "2-48", "truncated"),
        (2**52 - TAG_BYTES, "2-52", "truncated"),
        (2**52 + 4, "2-52-plus-4", "range"),
        (2**63, "2-63", "range"),
        (2**64 - 4, "2-64-minus-4", "range"),
        (2**64 - 1, "2-64-minus-1", "range"),
    ):
        made = record(FILED.header, declared + head(BYTES, n), digest=b"")
        yield Bad(f"sealed-declares-{short}", failure, "payload", made, f"{n} bytes of chunks declared")


def encodings():
    wide = {
        "width": head(UNSIGNED, 4, 1),
        "sender": head(BYTES, 8, 1) + SENDER[1:],
        "receiver": head(BYTES, 8, 1) + RECEIVER[1:],
        "enc": head(BYTES, 32, 2) + ENC[2:],
        "chunks": head(BYTES, 32, 2) + CHUNKS[2:],
    }
    for name, item in wide.items():
        yield case(f"{name}-not-shortest", "not-shortest", with_items(**{name: item}), f"{name} with a longer head")
    for name, item in (("sender", SENDER), ("receiver", RECEIVER), ("enc", ENC), ("chunks", CHUNKS)):
        made = with_items(**{name: b"\x5f" + item + b"\xff"})
        yield case(f"{name}-indefinite", "indefinite", made, f"{name} of indefinite length")


def headers():
    for key in ("from", "to", "plan"):
        yield Bad(f"sealed-without-{key}", "missing", key, SHARE.lacking(key), f"a sealed share without {key}")
    yield Bad("sealed-roster-without-to", "missing", "to", ROSTER.lacking("to"), "a sealed roster without to")
    yield Bad("sealed-roster-with-id", "kind", "id", ROSTER.having("id", bytes(16)), "a sealed roster that has id")
    for other, name in ((ROSTER, "roster"), (FILED, "data")):
        wide = encode(Sealed(4, *other.elements.items()[1:4], bytes(TAG_BYTES)).items())
        yield case(f"{name}-of-uint32", "range", wide, "elements of 4 bytes", header=other.header)


def lengths():
    for other, name in ((VECTOR, "vector"), (SUMMED, "summand")):
        for n in (0, 2, 4):
            made = of_chunks(TAG_BYTES + 4 * n)
            yield case(f"{name}-of-{n}", "length", made, f"{n} elements of a vector of 3", header=other.header)
    for n in (1, 64, 79, 96):
        made = of_chunks(TAG_BYTES + n, width=1)
        yield case(f"roster-of-{n}", "length", made, f"a roster of 5 clients with {n} bytes", header=ROSTER.header)
    for n in (3, 5):
        yield case(f"share-of-{n}", "share-length", of_chunks(TAG_BYTES + 4 * n), f"{n} elements of a share of 4",
                   level="plugin")
    yield case("width-of-field", "element-size", of_chunks(TAG_BYTES + 32, width=8), "m31 in 8 bytes", level="plugin")


def ends():
    """Truncations at every boundary, and digests that are wrong."""
    def cut(name, where, n, description):
        return Bad(f"sealed-truncated-{name}", "truncated", where, good[:n], description)

    good, at = SHARE.good, len(SHARE.good) - 17 - len(SHARE.body)
    yield cut("array", "payload", at, "ends before the payload")
    for name, item in (("width", b""), ("sender", WIDTH), ("receiver", SENDER), ("enc", RECEIVER), ("chunks", ENC)):
        at += len(item) if item else 1
        yield cut(f"before-{name}", "payload", at, f"ends before {name}")
        if name != "width":
            yield cut(f"in-{name}", "payload", at + 3, f"ends in {name}")
    yield cut("tag", "payload", len(good) - 18, "ends in the tag of the last chunk")
    yield cut("digest", "digest", len(good) - 17, "ends before the digest")
    yield cut("in-digest", "digest", len(good) - 1, "ends in the digest")
    for name, at, description in (
        ("chunk", len(good) - 17 - 20, "one bit of a chunk changed"),
        ("enc", good.index(ENC) + 5, "one bit of enc changed"),
        ("sender", good.index(SENDER) + 1, "one bit of the key id of the sender changed"),
        ("header", good.index(b"plan") + 6, "one bit of the plan changed"),
    ):
        changed = bytearray(good)
        changed[at] ^= 1
        yield Bad(f"sealed-digest-{name}", "digest", "digest", bytes(changed), description)
    unsealed = encode(DIGEST)
    other = record(SHARE.header, SHARE.body, digest=unsealed)
    yield Bad("sealed-digest-other", "digest", "digest", other, "the digest of another record")
