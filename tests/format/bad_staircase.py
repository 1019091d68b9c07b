"""Symbols and parameters of schemes that are wrong, or where they do not belong."""

from bad_cases import ALIGNED, CARRIED, COLLECTED, ROSTER, SHARE, SUMMAND, VECTOR, Bad, Base
from cbor_cursor import ARRAY
from good_staircase import STAIRCASE, STAIRCASES, staircase
from good_vectors import SOURCE, elements, share, transfer
from raw_cbor import Raw, head, payload, record

PREFIX = Base(*staircase(6, symbols=[0, 2]))


def cases():
    yield from values()
    yield from misplaced()
    yield from names()
    yield from for_plugins()


def values():
    for name, failure, value, description in (
        ("type", "type", 2, "symbols that are an integer"),
        ("text", "type", ["0", 2], "a symbol that is text"),
        ("negative", "type", [-1, 2], "a negative symbol"),
        ("of-one", "range", [2], "one number"),
        ("of-three", "range", [0, 2, 4], "three numbers"),
        ("none", "range", [], "no number"),
        ("huge", "range", Raw(head(ARRAY, 2**63)), "symbols that say 2^63 numbers"),
        ("end-zero", "range", [0, 0], "an end of 0"),
        ("65536", "range", [0, 65536], "65536 symbols"),
        ("wraps", "range", [0, 2**32 + 2], "2^32 + 2 symbols"),
        ("empty", "symbols", [2, 2], "no symbol"),
        ("descending", "symbols", [4, 2], "an end before the first symbol"),
    ):
        yield Bad(f"symbols-{name}", failure, "symbols", PREFIX.having("symbols", value), description)
    data = PREFIX.having("symbols", Raw(b"\x82\x00\x18\x02"))
    yield Bad("encoding-symbols", "not-shortest", "symbols", data, "a symbol in a byte of its own")


def misplaced():
    for base, kind in ((VECTOR, "vector"), (SUMMAND, "summand"), (ROSTER, "roster")):
        data = base.having("symbols", [0, 2])
        yield Bad(f"{kind}-with-symbols", "kind", "symbols", data, f"a {kind} that has symbols")
    for base, short, name in (
        (ALIGNED, "aligned", "an aligned sharing"),
        (CARRIED, "carried", "a carried transfer"),
        (COLLECTED, "collected", "a collected one"),
    ):
        yield Bad(f"symbols-of-{short}", "symbols", "symbols", base.having("symbols", [0, 1]), f"symbols of {name}")


def names():
    many = "p:" + ",".join(f"{letter}=1" for letter in "abcdefghi")
    for short, name in (
        ("colon-only", "staircase:"),
        ("no-value", "staircase:missing="),
        ("no-equals", "staircase:missing"),
        ("value-comma", "staircase:missing=0,2"),
        ("keys-descending", "staircase:n=3,missing=1"),
        ("keys-twice", "staircase:missing=1,missing=2"),
        ("nine-parameters", many),
    ):
        data = SHARE.inside("scheme", name=name)
        yield Bad(f"scheme-name-{short}", "name", "scheme.name", data, f'the scheme "{name}"')


def for_plugins():
    def case(name, failure, where, base, n, description):
        data = record(base[0], payload(elements("m31", n)))
        return Bad(name, failure, where, data, description, level="plugin")

    def named(name, **fields):
        return staircase(12, scheme={**STAIRCASE, "name": name, **fields})

    for short, parameters, description in (
        ("zero", "missing=0", "the default spelt out"),
        ("leading-zero", "missing=01", "a number with a leading zero"),
        ("descending", "missing=1.0", "numbers that descend"),
        ("twice", "missing=1.1", "the same number twice"),
        ("four", "missing=0.1.2.3", "four numbers"),
        ("point-last", "missing=1.", "a point at the end"),
        ("sign", "missing=-1", "a negative number"),
        ("too-many", "missing=2", "as many missing as can be, which is whole shares"),
        ("other", "present=4", "another parameter"),
        ("two", "missing=1,present=4", "a second parameter"),
    ):
        name = f"staircase:{parameters}"
        yield case(f"staircase-missing-{short}", "scheme", "scheme", named(name), 12, description)
    scheme = {**STAIRCASE, "n": 3}
    base = staircase(12, scheme=scheme, route=[["station", [1, 2, 5]]])
    yield case("staircase-k-is-n", "scheme", "scheme", base, 12, "staircase with k = n")
    scheme = {"name": "staircase:missing=0.1.2", "n": 100, "k": 3, "z": 1, "index": 2, "point": 3}
    base = staircase(12, scheme=scheme, route=[["station", list(range(1, 101))]])
    yield case("staircase-symbols-too-many", "scheme", "scheme", base, 12, "lcm(99, 98, 97) symbols")
    for name, scheme, symbols, n, description in (
        ("all", STAIRCASE, [0, 4], 12, "all symbols, which is a whole share"),
        ("short", STAIRCASE, [0, 1], 3, "half of a prefix"),
        ("beyond", STAIRCASE, [2, 5], 9, "a symbol more than there is"),
        ("between", STAIRCASE, [1, 4], 9, "from the middle of a prefix on"),
        ("other-parameter", STAIRCASES, [0, 2], 2, "a prefix of the scheme without the parameter"),
    ):
        base = staircase(n, scheme=scheme, symbols=symbols)
        yield case(f"symbols-{name}", "symbols", "symbols", base, n, description)
    yield case("symbols-of-ramp", "symbols", "symbols", share(symbols=[0, 1]), 4, "symbols of a scheme that has one")
    prefix = staircase(6, symbols=[0, 2])
    yield case("symbols-too-long", "share-length", "payload", prefix, 12, "a whole share instead of a prefix")
    yield case("symbols-too-short", "share-length", "payload", prefix, 5, "5 elements in a prefix of 6")
    ramp = share(scheme={**SHARE.header["scheme"], "name": "ramp:missing=1"})
    yield case("scheme-parameter-of-ramp", "scheme", "scheme", ramp, 4, "a parameter of ramp")
    to_prefix = transfer(source=SOURCE, scheme={**STAIRCASE, "n": 3, "k": 2}, symbols=[0, 1])
    yield case("transfer-symbols-of-scheme", "symbols", "symbols", to_prefix, 4,
               "symbols of the new sharing instead of those of the source")
    prefix = transfer(source=STAIRCASE, symbols=[0, 2])
    yield case("transfer-prefix-whole", "share-length", "payload", prefix, 8, "all symbols instead of a prefix")
