"""Aligned sharings and masks that are wrong, and their keys where they do not belong."""

from bad_cases import ALIGNED, DIRECT, MASK, SHARE, VECTOR, Bad
from cbor_cursor import ARRAY
from good_aligned import aligned, mask
from good_vectors import elements
from raw_cbor import Raw, head, payload, record

KEYS = {"segments": 4, "blocks": [2], "chunks": 2, "dealers": [5, 5]}


def cases():
    yield from misplaced()
    yield from missing()
    yield from numbers()
    yield from dealers()
    yield from for_plugins()


def misplaced():
    for key in ("blocks", "chunks", "dealers"):
        data = SHARE.having(key, KEYS[key])
        yield Bad(f"share-with-{key}", "aligned", key, data, f"a share that has {key}, but no segments")
    for base, kind in ((VECTOR, "vector"), (DIRECT, "transfer")):
        data = record({**base.header, "segments": 4, "blocks": [2], "of": "plain"}, base.body)
        yield Bad(f"{kind}-with-segments", "aligned", "segments", data, f"a {kind} that has segments")
    for of in ("padded", "key"):
        data = ALIGNED.having("of", of)
        yield Bad(f"aligned-of-{of}", "aligned", "segments", data, f"an aligned sharing of {of}")
    data = ALIGNED.having("layout", [2])
    yield Bad("aligned-with-layout", "aligned", "segments", data, "an aligned sharing that has a layout")
    data = ALIGNED.having("chunks", 2)
    yield Bad("aligned-with-chunks", "aligned", "chunks", data, "a share of a vector that has chunks")
    data = MASK.having("clients", [1, 1])
    yield Bad("mask-with-clients", "aligned", "dealers", data, "a mask that has clients")
    data = VECTOR.having("of", "mask")
    yield Bad("vector-of-mask", "missing", "segments", data, "a vector that is a mask")


def missing():
    yield Bad("aligned-without-blocks", "missing", "blocks", ALIGNED.lacking("blocks"), "segments, but no blocks")
    data = ALIGNED.inside_lacking("scheme", "point")
    yield Bad("aligned-without-point", "aligned", "segments", data, "an aligned sharing without a point")
    for key in ("blocks", "chunks", "dealers"):
        yield Bad(f"mask-without-{key}", "missing", key, MASK.lacking(key), f"a mask without {key}")
    header = {key: value for key, value in MASK.header.items() if key not in KEYS}
    yield Bad("mask-without-segments", "missing", "segments", record(header, MASK.body), "a mask without segments")


def numbers():
    for base, key in ((ALIGNED, "segments"), (MASK, "chunks")):
        for name, failure, value, description in (
            ("zero", "range", 0, "0"),
            ("65536", "range", 65536, "65536"),
            ("wraps", "range", 2**32 + 2, "2^32 + 2"),
            ("text", "type", "4", "text"),
            ("negative", "type", -4, "a negative number"),
        ):
            yield Bad(f"{key}-{name}", failure, key, base.having(key, value), f"{key}: {description}")
    for name, failure, value, description in (
        ("type", "type", 2, "blocks that are an integer"),
        ("text", "type", ["2"], "a part count that is text"),
        ("none", "range", [], "no part count"),
        ("257", "range", list(range(1, 258)), "257 part counts"),
        ("zero", "range", [0, 2], "the part count 0"),
        ("65536", "range", [2, 65536], "the part count 65536"),
        ("wraps", "range", [2**32 + 2], "the part count 2^32 + 2"),
        ("descending", "blocks", [3, 2], "part counts in descending order"),
        ("twice", "blocks", [2, 2], "a part count twice"),
        ("huge", "range", Raw(head(ARRAY, 2**63)), "blocks that say 2^63 numbers"),
        ("indefinite", "indefinite", Raw(b"\x9f\x02\xff"), "blocks of indefinite length"),
        ("long", "not-shortest", Raw(b"\x81\x18\x02"), "a part count in a byte of its own"),
    ):
        yield Bad(f"blocks-{name}", failure, "blocks", ALIGNED.having("blocks", value), description)


def dealers():
    for name, failure, value, description in (
        ("type", "type", 5, "dealers that are an integer"),
        ("text", "type", ["5", 5], "a dealer's number that is text"),
        ("none", "range", [], "no dealer"),
        ("zero", "range", [0, 5], "dealer 0"),
        ("large", "range", [5, 2**32], "dealer 2^32"),
        ("odd", "ranges", [1, 2, 5], "three numbers"),
        ("descending", "ranges", [5, 5, 1, 3], "ranges in descending order"),
        ("touching", "ranges", [1, 3, 4, 6], "ranges that touch"),
    ):
        yield Bad(f"dealers-{name}", failure, "dealers", ALIGNED.having("dealers", value), description)
    for name, value, description in (("two", [5, 6], "two dealers"), ("two-ranges", [3, 3, 5, 5], "two ranges")):
        yield Bad(f"mask-of-{name}", "aligned", "dealers", MASK.having("dealers", value), f"a mask of {description}")


def for_plugins():
    def case(name, failure, where, base, n, description):
        data = record(base[0], payload(elements("m31", n)))
        return Bad(name, failure, where, data, description, level="plugin")

    yield case("aligned-too-short", "share-length", "payload", aligned(6), 5, "5 elements in two rows of three")
    yield case("aligned-too-long", "share-length", "payload", aligned(6), 7, "7 elements in two rows of three")
    yield case("aligned-empty", "share-length", "payload", aligned(6), 0, "no element in two rows of three")
    ramp = aligned(6, blocks=[1])
    yield case("aligned-one-row", "share-length", "payload", ramp, 3, "one row of four")
    yield case("aligned-row-missing", "share-length", "payload", aligned(9, blocks=[2, 3]), 6, "two rows of three")
    yield case("mask-too-long", "share-length", "payload", mask(4), 6, "rows of three, as if there were no chunks")
    yield case("mask-too-short", "share-length", "payload", mask(4), 2, "rows of one in two chunks of three")
    for name, point, failure in (("of-segment", 3, "point"), ("zero", 0, "point"), ("p", 2**31 - 1, "point")):
        scheme = {**ALIGNED.header["scheme"], "point": point}
        yield case(f"aligned-point-{name}", failure, "scheme", aligned(6, scheme=scheme), 6, f"the point {point}")
