"""Aligned sharings with keys that are wrong, missing, or where they do not belong."""

from bad_cases import ALIGNED, LAYOUT, MASK, SHARE, VECTOR, Bad
from good_vectors import elements
from raw_cbor import payload, record


def cases():
    yield from misplaced()
    yield from masks()
    yield from numbers()
    yield from for_plugins()


def misplaced():
    for base, kind in ((VECTOR, "vector"), (SHARE, "share")):
        for key, value in (("blocks", [2]), ("chunks", 2), ("dealers", [1, 1])):
            yield Bad(f"{kind}-with-{key}", "aligned", key, base.having(key, value), f"{key} without segments")
    whole = VECTOR.header | {"segments": 4, "blocks": [2]}
    yield Bad("vector-with-segments", "aligned", "segments", record(whole, VECTOR.body), "a vector in segments")
    data = ALIGNED.having("of", "padded")
    yield Bad("aligned-of-padded", "aligned", "segments", data, "an aligned sharing of a padded vector")
    data = ALIGNED.having("layout", LAYOUT.header["layout"])
    yield Bad("aligned-with-layout", "aligned", "segments", data, "segments and a layout")
    data = ALIGNED.inside_lacking("scheme", "point")
    yield Bad("aligned-without-point", "aligned", "segments", data, "an aligned sharing without a point")
    yield Bad("aligned-without-blocks", "missing", "blocks", ALIGNED.lacking("blocks"), "segments without blocks")
    yield Bad("aligned-with-chunks", "aligned", "chunks", ALIGNED.having("chunks", 2), "chunks that are not of a mask")


def masks():
    for key in ("chunks", "dealers"):
        yield Bad(f"mask-without-{key}", "missing", key, MASK.lacking(key), f"a mask without {key}")
    header = {key: value for key, value in MASK.header.items() if key not in ("segments", "blocks", "chunks", "dealers")}
    yield Bad("mask-without-segments", "missing", "segments", record(header, MASK.body), "a mask without segments")
    yield Bad("mask-of-two", "aligned", "dealers", MASK.having("dealers", [8, 9]), "a mask of two dealers")
    yield Bad("mask-with-clients", "aligned", "dealers", MASK.having("clients", [1, 1]), "a mask with a client")


def numbers():
    for name, failure, key, value, description in (
        ("segments-zero", "range", "segments", 0, "no segment"),
        ("segments-65536", "range", "segments", 65536, "65536 segments"),
        ("segments-type", "type", "segments", [4], "segments that are an array"),
        ("blocks-empty", "range", "blocks", [], "no number of blocks"),
        ("blocks-zero", "range", "blocks", [0, 2], "blocks of no segment"),
        ("blocks-65536", "range", "blocks", [2, 65536], "blocks of 65536 segments"),
        ("blocks-257", "range", "blocks", list(range(1, 258)), "257 numbers of blocks"),
        ("blocks-equal", "blocks", "blocks", [2, 2], "the same number twice"),
        ("blocks-descending", "blocks", "blocks", [3, 2], "numbers that descend"),
        ("dealers-odd", "ranges", "dealers", [1, 2, 4], "an odd number of numbers"),
        ("dealers-touching", "ranges", "dealers", [1, 2, 3, 3], "ranges that touch"),
    ):
        yield Bad(f"aligned-{name}", failure, key, ALIGNED.having(key, value), description)
    yield Bad("mask-chunks-zero", "range", "chunks", MASK.having("chunks", 0), "no chunk")
    yield Bad("mask-chunks-65536", "range", "chunks", MASK.having("chunks", 65536), "65536 chunks")


def for_plugins():
    data = ALIGNED.inside("scheme", point=3)
    yield Bad("aligned-point", "point", "scheme", data, "the point of a segment", level="plugin")
    for name, n in (("short", 5), ("long", 7)):
        data = record(ALIGNED.header, payload(elements("m31", n)))
        yield Bad(f"aligned-too-{name}", "share-length", "payload", data, f"{n} elements in two rows of three", level="plugin")
