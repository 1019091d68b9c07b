"""Streams that are wrong before their values are read: framing, encoding, keys."""

from bad_cases import CLIENTS, EXTENDED, FULL, SHARE, VECTOR, Bad
from cbor_cursor import ARRAY, BYTES, MAP, TAG, TEXT
from good_vectors import pattern
from hagg_format import VERSION
from raw_cbor import Pairs, Raw, encode, float_as, head, integer, pairs, record

GOOD = VECTOR.good


def cases():
    yield from framing()
    yield from heads()
    yield from floats()
    yield from order()
    yield from unknown()
    yield from counts()


def framed(**parts):
    return record(VECTOR.header, VECTOR.body, **parts)


def framing():
    def case(name, failure, data, description, number=1):
        return Bad(f"record-{name}", failure, "record", data, description, number)

    yield case("tag-other", "tag", framed(tag=head(TAG, 1212237640)), "a tag that is not HAGG")
    yield case("tag-self-described", "tag", head(TAG, 55799) + GOOD, "the tag of self-described CBOR before the record")
    yield case("without-tag", "tag", framed(tag=b""), "the array without its tag")
    yield case("tag-not-shortest", "not-shortest", framed(tag=head(TAG, 1212237639, 8)), "the tag in 8 bytes")
    yield case("tag-reserved", "malformed", framed(tag=b"\xdcHAGG"), "a reserved head instead of the tag")
    yield case("text-file", "tag", b"hagg\n", "a text file")
    yield case("array-of-two", "array", framed(array=b"\x82", digest=b""), "a record without a digest")
    yield case("array-of-four", "array", framed(array=b"\x84", after=b"\x00"), "a record with a fourth member")
    yield case("array-not-shortest", "not-shortest", framed(array=b"\x98\x03"), "the array's size in a byte of its own")
    yield case("array-indefinite", "indefinite", framed(array=b"\x9f", after=b"\xff"), "an array of indefinite length")
    yield case("is-map", "type", framed(array=b"\xa3"), "a map instead of the array")
    yield case("garbage-after", "tag", GOOD + b"\x00", "one byte after the last record", 2)
    yield case("newline-after", "tag", GOOD + b"\n", "a newline after the last record", 2)
    yield case("garbage-between", "tag", GOOD + b"\xf6" + GOOD, "a null between two records", 2)
    array = Raw(head(ARRAY, 2 * len(VECTOR.pairs)) + VECTOR.members())
    yield Bad("header-is-array", "type", "header", record(array, VECTOR.body), "an array instead of the header")


def heads():
    def case(name, failure, where, data, description):
        return Bad(f"encoding-{name}", failure, where, data, description)

    def wide(name, where, base, raw, what):
        return case(name, "not-shortest", where, base.having(where, Raw(raw)), f"{what} in a byte of its own")

    for width in (1, 2, 4, 8):
        longer = Raw(head(MAP, len(VECTOR.pairs), width) + VECTOR.members())
        data = record(longer, VECTOR.body)
        yield case(f"map-size-{width}", "not-shortest", "header", data, f"the header's size in {width} bytes")
    for value, width in ((7, 1), (7, 2), (7, 4), (7, 8), (255, 2), (65535, 4), (2**32 - 1, 8)):
        data = VECTOR.having("round", integer(value, width))
        yield case(f"integer-{value}-in-{width}", "not-shortest", "round", data, f"the round {value} in {width} bytes")
    yield wide("text-length", "field", VECTOR, head(TEXT, 3, 1) + b"m31", "a text's length")
    yield wide("bytes-length", "id", FULL, head(BYTES, 16, 1) + pattern(16), "a byte string's length")
    yield wide("array-length", "clients", FULL, head(ARRAY, 2, 1) + b"\x03\x03", "an array's size")
    at = [key for key, _ in VECTOR.pairs].index("round")
    longer = VECTOR.pairs[:at] + [(Raw(b"\x78\x05round"), 7)] + VECTOR.pairs[at + 1 :]
    yield case("key-length", "not-shortest", "key", VECTOR.with_pairs(longer), "a key's length in a byte of its own")

    data = record(Raw(b"\xbf" + VECTOR.members() + b"\xff"), VECTOR.body)
    yield case("map-indefinite", "indefinite", "header", data, "a header of indefinite length")
    inner = encode(FULL.header["quant"])[1:]
    for name, where, raw, description in (
        ("text-indefinite", "field", b"\x7f\x63m31\xff", "a text in chunks"),
        ("bytes-indefinite", "id", b"\x5f\x50" + pattern(16) + b"\xff", "a byte string in chunks"),
        ("array-indefinite", "clients", b"\x9f\x03\x03\xff", "an array of indefinite length inside the header"),
        ("quant-indefinite", "quant", b"\xbf" + inner + b"\xff", "a map of indefinite length inside the header"),
    ):
        yield case(name, "indefinite", where, FULL.having(where, Raw(raw)), description)
    for name, failure, raw, description in (
        ("extension-integer", "not-shortest", b"\x18\x07", "an extension's integer in a byte of its own"),
        ("extension-text", "not-shortest", b"\x78\x01a", "the length of an extension's text in a byte of its own"),
        ("extension-bytes", "not-shortest", b"\x59\x00\x01a", "the length of an extension's bytes in two bytes"),
        ("extension-indefinite", "indefinite", b"\x7f\x61a\xff", "an extension's text in chunks"),
        ("extension-true-in-two-bytes", "malformed", b"\xf8\x15", "an extension: true in two bytes"),
        ("extension-reserved", "malformed", b"\x1c", "an extension with a reserved head"),
        ("extension-break", "malformed", b"\xff", "a break where an extension's value is due"),
    ):
        yield case(name, failure, "x-a", EXTENDED.having("x-a", Raw(raw)), description)
    for info in (28, 29, 30):
        data = VECTOR.having("round", Raw(bytes([info])))
        yield case(f"reserved-{info}", "malformed", "round", data, f"the reserved additional information {info}")
    data = FULL.having("samples", Raw(b"\xf8\x15"))
    yield case("true-in-two-bytes", "malformed", "samples", data, "true as a simple value in two bytes")
    yield case("break", "malformed", "samples", FULL.having("samples", Raw(b"\xff")), "a break where a value is due")


def floats():
    for name, form, value, description in (
        ("half-in-32", ">f", 1.0, "1.0 in 32 bits"),
        ("half-in-64", ">d", 1.0, "1.0 in 64 bits"),
        ("single-in-64", ">d", 65536.0, "65536.0, which takes 32 bits, in 64"),
        ("largest-half-in-32", ">f", 65504.0, "the largest half in 32 bits"),
        ("smallest-half-in-32", ">f", 2.0**-24, "the smallest half in 32 bits"),
        ("smallest-single-in-64", ">d", 2.0**-149, "the smallest single in 64 bits"),
    ):
        data = FULL.inside("quant", clip=float_as(form, value))
        yield Bad(f"encoding-float-{name}", "not-shortest", "quant.clip", data, description)


def order():
    def case(name, failure, where, data, description):
        return Bad(f"key-{name}", failure, where, data, description)

    found = VECTOR.pairs
    swapped = VECTOR.with_pairs(found[:-2] + [found[-1], found[-2]])
    yield case("order", "order", found[-2][0], swapped, "the last two keys in the wrong order")
    words = VECTOR.with_pairs(sorted(found, key=lambda pair: (pair[0] != "v", pair[0])))
    yield case("order-of-words", "order", "kind", words, "keys sorted as words, not as encodings")
    late = VECTOR.with_pairs([found[1], found[0]] + found[2:])
    yield case("version-not-first", "missing", "v", late, "another key before the version")
    yield case("twice", "duplicate", "kind", VECTOR.repeated("kind"), "a key twice, with the same value")
    yield case("extension-twice", "duplicate", "x-a", EXTENDED.repeated("x-a"), "an extension twice")
    for base, name, inner in ((FULL, "quant", "bits"), (SHARE, "scheme", "k")):
        parts = pairs(base.header[name])
        data = base.having(name, Pairs([parts[1], parts[0]] + parts[2:]))
        yield case(f"order-{name}", "order", f"{name}.{inner}", data, f"keys of {name} in the wrong order")
        data = base.having(name, Pairs([parts[0]] + parts))
        yield case(f"twice-{name}", "duplicate", f"{name}.{inner}", data, f"a key of {name} twice")


def unknown():
    long_name = "x-" + "n" * 63
    for name, where, data, description in (
        ("unknown", "weight", VECTOR.having("weight", 1), "a field that version 1 does not have"),
        ("unknown-letter", "w", VECTOR.having("w", 1), "an unknown key of one letter, after the version"),
        ("unknown-quant", "quant.scale", FULL.inside("quant", scale=1), "an unknown key in quant"),
        ("unknown-scheme", "scheme.w", SHARE.inside("scheme", w=1), "an unknown key in scheme"),
        ("extension-in-quant", "quant.x-a", FULL.inside("quant", **{"x-a": 1}), "an extension where there are none"),
        ("extension-without-name", "x-", VECTOR.having("x-", 1), "an extension without a name"),
        ("extension-capital", "x-A", VECTOR.having("x-A", 1), "a capital letter in an extension's name"),
        ("extension-underscore", "x-a_b", VECTOR.having("x-a_b", 1), "an underscore in an extension's name"),
        ("extension-long-name", long_name, VECTOR.having(long_name, 1), "an extension's name of 63 letters"),
    ):
        yield Bad(f"key-{name}", "unknown", where, data, description)
    data = VECTOR.having("Weight", 1)
    yield Bad("key-unknown-capital", "unknown", "Weight", data, "an unknown key with a capital letter")


def counts():
    def case(name, failure, where, raw, description, base=VECTOR):
        return Bad(f"key-{name}", failure, where, record(Raw(raw), base.body), description)

    n, members = len(VECTOR.pairs), VECTOR.members()
    yield case("one-too-many", "type", "key", head(MAP, n + 1) + members, "a header that says one pair too many")
    fewer = head(MAP, len(CLIENTS.pairs) - 1) + CLIENTS.members()
    yield case("one-too-few", "type", "payload", fewer, "a header that says one pair too few", CLIENTS)
    yield case("count-huge", "type", "key", head(MAP, 2**64 - 1) + members, "a header that says 2^64 - 1 pairs")
    raw = head(MAP, n + 1) + members + head(TEXT, 2**40)
    yield case("huge", "unknown", "key", raw, "a key that says 2^40 bytes")
    number = Pairs(VECTOR.pairs[:1] + [(1, 1)] + VECTOR.pairs[1:])
    yield case("integer", "type", "key", encode(number), "an integer as a key")
    yield case("bytes", "type", "key", encode(Pairs([(b"v", VERSION)] + VECTOR.pairs[1:])), "a byte string as a key")
    yield case("empty-map", "missing", "v", b"\xa0", "a header without any field")
