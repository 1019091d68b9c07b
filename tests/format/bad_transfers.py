"""Layouts, sources and carriers that are wrong, or where they do not belong."""

from bad_cases import CARRIED, COLLECTED, DIRECT, LAYOUT, SHARE, VECTOR, Bad
from cbor_cursor import ARRAY, MAP, UNSIGNED
from good_vectors import SOURCE, elements, share, transfer
from raw_cbor import Pairs, Raw, encode, head, pairs, payload, record


def cases():
    yield from missing()
    yield from misplaced()
    yield from layouts()
    yield from mixes()
    yield from sources()
    yield from carriers()
    yield from encodings()
    yield from for_plugins()


def missing():
    for key in ("scheme", "route"):
        yield Bad(f"transfer-without-{key}", "missing", key, DIRECT.lacking(key), f"a transfer without a {key}")
    data = DIRECT.lacking("source")
    yield Bad("transfer-of-nothing", "missing", "source", data, "a transfer with neither source nor carrier")
    for inner in ("k", "n", "z", "name", "index"):
        data = DIRECT.inside_lacking("source", inner)
        yield Bad(f"missing-source-{inner}", "missing", f"source.{inner}", data, f"no {inner} in source")


def misplaced():
    for base, kind in ((VECTOR, "vector"), (SHARE, "share")):
        for key, value in (("source", SOURCE), ("carrier", 0)):
            yield Bad(f"{kind}-with-{key}", "kind", key, base.having(key, value), f"a {kind} that has a {key}")
    for key in ("layout", "mix"):
        data = VECTOR.having(key, LAYOUT.header[key])
        yield Bad(f"vector-with-{key}", "kind", key, data, f"a vector that has a {key}")


def layouts():
    for name, failure, value, description in (
        ("type", "type", 2, "a layout that is an integer"),
        ("text", "type", ["2"], "a number of parts that is text"),
        ("empty", "range", [], "a layout of no number"),
        ("nine", "range", [1] * 9, "a layout of nine numbers"),
        ("zero", "range", [2, 0], "no part"),
        ("65536", "range", [65536], "65536 parts"),
        ("wraps", "range", [2**32 + 2], "2^32 + 2 parts"),
        ("huge", "range", Raw(head(ARRAY, 2**63)), "a layout that says 2^63 numbers"),
        ("blocks", "layout", [1024, 1025], "1024 more than 2^20 blocks"),
        ("blocks-many", "layout", [65535] * 8, "65535^8 blocks"),
        ("blocks-wrap", "layout", [65535, 65535, 1, 1, 1, 1, 1, 1], "65535^2 blocks, close to 2^32"),
        ("blocks-wrap-64", "layout", [256] * 8, "2^64 blocks, which is 0 modulo 2^64"),
    ):
        yield Bad(f"layout-{name}", failure, "layout", LAYOUT.having("layout", value), description)
    data = CARRIED.having("layout", [1024, 1025])
    yield Bad("layout-blocks-transfer", "layout", "layout", data, "1024 more than 2^20 blocks in a transfer")


def mixes():
    for name, failure, value, description in (
        ("type", "type", "0123456789abcdef", "a mix that is text"),
        ("of-15", "range", bytes(15), "a mix of 15 bytes"),
        ("of-17", "range", bytes(17), "a mix of 17 bytes"),
    ):
        yield Bad(f"mix-{name}", failure, "mix", LAYOUT.having("mix", value), description)


def sources():
    def case(name, failure, where, data, description):
        return Bad(f"source-{name}", failure, where, data, description)

    yield case("type", "type", "source", DIRECT.having("source", "ramp"), "a source that is text")
    for name, fields, description in (
        ("k-above-n", {"k": 6}, "k = 6 of n = 5"),
        ("z-is-k", {"z": 4}, "z = k = 4"),
        ("index-is-n", {"index": 5}, "index 5 of n = 5"),
    ):
        yield case(name, "scheme", "source", DIRECT.inside("source", **fields), description)
    for key, value in (("k", 0), ("n", 65536), ("z", 65535), ("index", 65535)):
        data = DIRECT.inside("source", **{key: value})
        yield case(f"{key}-{value}", "range", f"source.{key}", data, f"{key} in source: {value}")
    data = DIRECT.inside("source", point=-1)
    yield case("point-negative", "type", "source.point", data, "a negative point in source")
    for short, name in (("empty", ""), ("capital", "Ramp")):
        data = DIRECT.inside("source", name=name)
        yield case(f"name-{short}", "name", "source.name", data, f'the source "{name}"')
    # without this rule, such a record with a carrier would be a second encoding of one without a source
    data = CARRIED.inside("source", name="")
    yield case("name-empty-carried", "name", "source.name", data, 'the source "" in a transfer with a carrier')
    data = DIRECT.inside("source", tier="station")
    yield case("unknown", "unknown", "source.tier", data, "a tier in source")


def carriers():
    for base, name in ((CARRIED, "carried"), (COLLECTED, "collected")):
        data = base.having("carrier", 3)
        yield Bad(f"carrier-is-n-{name}", "carrier", "carrier", data, "carrier 3 of n = 3")
    for name, failure, value, description in (
        ("type", "type", ["relay", 1], "a carrier that is a node"),
        ("negative", "type", -1, "a negative carrier"),
        ("65535", "range", 65535, "carrier 65535, which no n allows"),
        ("wraps", "range", 2**32, "carrier 2^32"),
    ):
        yield Bad(f"carrier-{name}", failure, "carrier", COLLECTED.having("carrier", value), description)


def encodings():
    def case(name, failure, where, data, description):
        return Bad(f"encoding-{name}", failure, where, data, description)

    data = COLLECTED.having("carrier", Raw(head(UNSIGNED, 2, 1)))
    yield case("carrier", "not-shortest", "carrier", data, "a carrier in a byte of its own")
    data = LAYOUT.having("layout", Raw(b"\x82\x02\x18\x02"))
    yield case("layout", "not-shortest", "layout", data, "a number of parts in a byte of its own")
    data = LAYOUT.having("layout", Raw(b"\x9f\x02\x02\xff"))
    yield case("layout-indefinite", "indefinite", "layout", data, "a layout of indefinite length")
    inner = pairs(SOURCE)
    data = DIRECT.having("source", Pairs([inner[1], inner[0]] + inner[2:]))
    yield Bad("key-order-source", "order", "source.k", data, "keys of source in the wrong order")
    data = DIRECT.having("source", Raw(head(MAP, 2**64 - 1) + encode(SOURCE)[1:]))
    yield Bad("huge-source", "type", "source.key", data, "a source that says 2^64 - 1 pairs")


def for_plugins():
    def case(name, failure, where, base, n, description):
        data = record(base[0], payload(elements("m31", n)))
        return Bad(name, failure, where, data, description, level="plugin")

    def of_source(**fields):
        source = {key: value for key, value in {**SOURCE, **fields}.items() if value is not None}
        return transfer(source=source)

    laid_out, direct = share(length=10, layout=[3]), transfer(source=SOURCE)
    yield case("layout-too-short", "share-length", "payload", laid_out, 11, "11 elements in three blocks of four")
    yield case("layout-ignored", "share-length", "payload", laid_out, 10, "10 elements, as if there was no layout")
    yield case("transfer-too-long", "share-length", "payload", direct, 5, "5 elements in a share of a share of 4")
    yield case("transfer-empty", "share-length", "payload", direct, 0, "no element in a share of a share of 4")
    yield case("transfer-as-share", "share-length", "payload", direct, 12, "12 elements, as if there was no source")
    blocks = transfer(source=SOURCE, layout=[3])
    yield case("transfer-one-block", "share-length", "payload", blocks, 2, "one block of a transfer of three")
    yield case("source-point-missing", "point", "source", of_source(point=None), 4, "ramp without a point")
    yield case("source-point-p", "point", "source", of_source(point=2**31 - 1), 4, "the point p")
    additive = of_source(name="additive", point=None)
    yield case("source-additive-k", "scheme", "source", additive, 12, "additive with k < n")
    needless = of_source(name="additive", n=5, k=5, z=4)
    yield case("source-point-needless", "point", "source", needless, 12, "additive with a point")
    carried = transfer(source={**SOURCE, "point": 2**31 - 1}, carrier=0)
    yield case("source-point-p-carried", "point", "source", carried, 3, "the point p in a transfer with a carrier")
