"""Nodes, routes, clients and schemes that are wrong, and keys that are inconsistent."""

from bad_cases import CLIENTS, FULL, LEVELS, SHARE, VECTOR, Bad
from good_vectors import QUANT, vector
from raw_cbor import payload, record


def cases():
    yield from nodes()
    yield from routes()
    yield from clients()
    yield from schemes()
    yield from consistency()


def nodes():
    for name, failure, key, value, description in (
        ("tier-type", "type", "from", [1, 3], "a tier that is an integer"),
        ("number-type", "type", "from", ["client", "3"], "a node's number that is text"),
        ("of-one", "range", "to", ["station"], "a node without a number"),
        ("of-three", "range", "to", ["station", 2, 2], "a node of three"),
        ("number-zero", "range", "to", ["station", 0], "a node's number 0"),
        ("number-large", "range", "to", ["station", 2**32], "a node's number 2^32"),
        ("tier-empty", "name", "to", ["", 2], "an empty tier"),
        ("tier-capital", "name", "to", ["Station", 2], "a capital letter in a tier"),
        ("tier-digit", "name", "to", ["2station", 2], "a tier that begins with a digit"),
        ("tier-long", "range", "to", ["s" * 17, 2], "a tier of 17 letters"),
    ):
        yield Bad(f"node-{name}", failure, key, FULL.having(key, value), description)


def routes():
    numbers = [1, 2, 5]
    for name, failure, value, description in (
        ("empty", "range", [], "a route without a tier"),
        ("nine-tiers", "range", [["station", numbers]] * 9, "a route of nine tiers"),
        ("tier-text", "type", ["station"], "a tier that is not an array"),
        ("tier-of-three", "range", [["station", numbers, 1]], "a tier of three members"),
        ("tier-of-one", "range", [["station"]], "a tier without numbers"),
        ("tier-name", "name", [["Station", numbers]], "a capital letter in a tier's name"),
        ("tier-name-type", "type", [[1, numbers]], "a tier's name that is an integer"),
        ("numbers-type", "type", [["station", 3]], "a tier whose numbers are not an array"),
        ("numbers-none", "range", [["station", []]], "a tier of no number"),
        ("number-zero", "range", [["station", [1, 0, 5]]], "the number 0 in a tier"),
        ("number-large", "range", [["station", [1, 2, 2**32]]], "the number 2^32 in a tier"),
        ("number-text", "type", [["station", [1, 2, "5"]]], "a number in a tier that is text"),
        ("number-twice", "route", [["station", [1, 2, 1]]], "a number twice in a tier"),
        ("number-twice-later", "route", [["station", numbers], ["relay", [4, 4, 5]]], "a number twice, second tier"),
        ("too-few", "route", [["station", [1, 2]]], "two numbers in a tier of a sharing for three"),
        ("too-many", "route", [["station", [1, 2, 5, 6]]], "four numbers in a tier of a sharing for three"),
        ("too-few-later", "route", [["station", numbers], ["relay", [4, 5]]], "two numbers in the second tier"),
    ):
        yield Bad(f"route-{name}", failure, "route", SHARE.having("route", value), description)


def clients():
    for name, value, description in (
        ("odd", [1, 2, 5], "three numbers"),
        ("one", [1], "one number"),
        ("descending-range", [5, 3], "a range that ends before it begins"),
        ("descending", [7, 9, 3, 5], "ranges in descending order"),
        ("touching", [1, 3, 4, 6], "ranges that touch"),
        ("overlapping", [1, 4, 3, 6], "ranges that overlap"),
        ("sharing-end", [1, 3, 3, 6], "ranges with one client in common"),
        ("repeated", [1, 3, 1, 3], "the same range twice"),
        ("touching-last", [1, 4294967294, 4294967295, 4294967295], "ranges that touch at the largest number"),
        ("after-largest", [1, 4294967295, 1, 1], "a range after the largest number"),
    ):
        yield Bad(f"clients-{name}", "ranges", "clients", CLIENTS.having("clients", value), description)
    data = CLIENTS.having("clients", ["3", 5])
    yield Bad("clients-text", "type", "clients", data, "a client's number that is text")


def schemes():
    for name, fields, description in (
        ("k-above-n", {"k": 4}, "k = 4 of n = 3"),
        ("z-is-k", {"z": 2}, "z = k = 2"),
        ("z-above-k", {"z": 3}, "z = 3 for k = 2"),
        ("index-is-n", {"index": 3}, "index 3 of n = 3"),
    ):
        yield Bad(f"scheme-{name}", "scheme", "scheme", SHARE.inside("scheme", **fields), description)
    for name, fields in (("z-65535", {"z": 65535}), ("index-65535", {"index": 65535})):
        key = next(iter(fields))
        data = SHARE.inside("scheme", **fields)
        yield Bad(f"scheme-{name}", "range", f"scheme.{key}", data, f"{key} = 65535, which no n allows")


def consistency():
    for key in ("scheme", "route"):
        data = VECTOR.having(key, SHARE.header[key])
        yield Bad(f"vector-with-{key}", "kind", key, data, f"a vector that has a {key}")
    for name, shape, description in (
        ("small", [2, 2], "a shape of 4 for 6 elements and the number of samples"),
        ("without-samples", [7], "a shape of 7 for 6 elements and the number of samples"),
        ("scalar", [], "a scalar's shape for 6 elements and the number of samples"),
        ("zero", [6, 0], "a shape of 0 for 6 elements and the number of samples"),
        ("overflow", [2**32, 2**32, 6], "a shape whose product is 0 modulo 2^64"),
        ("overflow-to-length", [2, 2**47 + 3, 1981147, 1551833575763], "a shape whose product is 6 modulo 2^64"),
    ):
        yield Bad(f"shape-{name}", "shape", "shape", FULL.having("shape", shape), description)
    empty, none = vector(n=0, samples=True)
    yield Bad("samples-of-nothing", "samples", "samples", record(empty, payload(none)), "samples, but no element")
    empty, none = vector(n=0, samples=True, shape=[0])
    data = record(empty, payload(none))
    yield Bad("samples-of-empty-shape", "samples", "samples", data, "samples and a shape of 0, but no element")
    yield Bad("quant-without-type", "quant", "quant", VECTOR.having("quant", QUANT), "quantised, but of no type")
    both = FULL.inside("quant", levels=5)
    yield Bad("quant-bits-and-levels", "quant", "quant", both, "quantised with bits and with levels")
    data = LEVELS.inside_lacking("quant", "levels")
    yield Bad("missing-quant-levels", "missing", "quant.bits", data, "neither bits nor levels in quant")
    data = FULL.inside("quant", rounding="sign")
    yield Bad("quant-sign-of-bits", "quant", "quant", data, "a sign that has bits")
    data = LEVELS.inside("quant", rounding="sign")
    yield Bad("quant-sign-of-levels", "quant", "quant", data, "a sign that has 5 levels")
    for kind in ("i4", "u8"):
        data = FULL.having("type", kind)
        yield Bad(f"quant-of-{kind}", "quant", "quant", data, f"quantised, but of type {kind}")
