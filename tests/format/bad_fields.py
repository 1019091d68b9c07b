"""Headers with a key that is missing, or a value of the wrong type, out of range or misspelt."""

from bad_cases import CLIENTS, FULL, LEVELS, SHARE, VECTOR, Bad
from cbor_cursor import ARRAY, BYTES, MAP, TEXT
from good_vectors import pattern
from raw_cbor import Raw, encode, head, record, text

NESTED = Raw(b"\x81" * 4000 + b"\x00")
U64 = 2**64 - 1


def cases():
    yield from missing()
    yield from types()
    yield from ranges()
    yield from huge()
    yield from texts()
    yield from names()


def missing():
    for base, keys in ((VECTOR, ("v", "kind", "of", "field", "length")), (SHARE, ("scheme", "route"))):
        for key in keys:
            yield Bad(f"missing-{key}", "missing", key, base.lacking(key), f"no {key}")
    for base, key, inner_keys in (
        (SHARE, "scheme", ("k", "n", "z", "name", "index")),
        (FULL, "quant", ("bits", "clip", "rounding")),
    ):
        for inner in inner_keys:
            data = base.inside_lacking(key, inner)
            yield Bad(f"missing-{key}-{inner}", "missing", f"{key}.{inner}", data, f"no {inner} in {key}")


def types():
    """Each key with a value of the wrong type."""
    for base, key, value, what in (
        (VECTOR, "v", "1", "text"),
        (VECTOR, "kind", 0, "an integer"),
        (VECTOR, "of", b"plain", "bytes"),
        (VECTOR, "field", b"m31", "bytes"),
        (VECTOR, "length", -1, "a negative integer"),
        (SHARE, "scheme", "ramp", "text"),
        (SHARE, "route", {"station": [1, 2, 5]}, "a map"),
        (FULL, "from", "client", "text"),
        (FULL, "to", 2, "an integer"),
        (VECTOR, "round", 7.0, "a float"),
        (FULL, "clients", 3, "an integer"),
        (FULL, "shape", 6, "an integer"),
        (FULL, "type", 4, "an integer"),
        (FULL, "samples", 1, "an integer"),
        (FULL, "quant", 16, "an integer"),
        (FULL, "plan", "0123456789abcdef" * 2, "text"),
        (FULL, "id", [0] * 16, "an array"),
    ):
        yield Bad(f"type-{key}", "type", key, base.having(key, value), f"{key} is {what}")
    for base, key, inner, value, what in (
        (SHARE, "scheme", "k", "2", "text"),
        (SHARE, "scheme", "n", 3.0, "a float"),
        (SHARE, "scheme", "z", -1, "a negative integer"),
        (SHARE, "scheme", "name", 0, "an integer"),
        (SHARE, "scheme", "index", b"\x01", "bytes"),
        (SHARE, "scheme", "point", -2, "a negative integer"),
        (FULL, "quant", "bits", 16.0, "a float"),
        (LEVELS, "quant", "levels", "16", "text"),
        (FULL, "quant", "clip", 1, "an integer"),
        (FULL, "quant", "rounding", True, "true"),
    ):
        data = base.inside(key, **{inner: value})
        yield Bad(f"type-{key}-{inner}", "type", f"{key}.{inner}", data, f"{inner} in {key} is {what}")
    for name, value, what in (
        ("negative", -1, "a negative integer"),
        ("float", 0.5, "a float"),
        ("null", None, "null"),
        ("undefined", Raw(b"\xf7"), "undefined"),
        ("simple", Raw(b"\xf8\xff"), "the simple value 255"),
        ("array", [], "an array"),
        ("map", {}, "a map"),
        ("tagged", Raw(b"\xc1\x00"), "a tagged integer"),
        ("nested", NESTED, "4000 arrays one inside the other"),
    ):
        data = VECTOR.having("x-a", value)
        yield Bad(f"extension-{name}", "type", "x-a", data, f"an extension that is {what}")


def ranges():
    """Each value just outside its range."""
    for base, key, value, what in (
        (VECTOR, "length", 2**48 + 1, "2^48 + 1"),
        (VECTOR, "length", U64, "2^64 - 1"),
        (VECTOR, "round", 2**53, "2^53"),
        (VECTOR, "round", U64, "2^64 - 1"),
        (FULL, "plan", bytes(16), "16 bytes"),
        (FULL, "plan", bytes(31), "31 bytes"),
        (FULL, "plan", bytes(33), "33 bytes"),
        (FULL, "id", bytes(15), "15 bytes"),
        (FULL, "id", bytes(17), "17 bytes"),
        (FULL, "id", b"", "no bytes"),
        (FULL, "shape", [1] * 31 + [2, 3], "33 dimensions"),
        (FULL, "shape", [2**48 + 1, 0], "2^48 + 1"),
        (CLIENTS, "clients", [], "an empty array"),
        (CLIENTS, "clients", [0, 5], "a range from 0"),
        (CLIENTS, "clients", [3, 2**32], "a range to 2^32"),
        (VECTOR, "x-a", "t" * 1025, "1025 bytes of text"),
        (VECTOR, "x-a", bytes(1025), "1025 bytes"),
    ):
        short = what.replace("+", "plus").replace(" - ", " minus ").replace("^", " ").replace(" ", "-")
        yield Bad(f"range-{key}-{short}", "range", key, base.having(key, value), f"{key}: {what}")
    data = record({**VECTOR.header, **{f"x-{i:02}": i for i in range(17)}}, VECTOR.body)
    yield Bad("range-extensions-17", "range", "x-16", data, "17 extensions")
    for base, key, inner, value, short in (
        (SHARE, "scheme", "k", 0, "0"),
        (SHARE, "scheme", "k", 65536, "65536"),
        (SHARE, "scheme", "n", 0, "0"),
        (SHARE, "scheme", "n", 65536, "65536"),
        (SHARE, "scheme", "n", 2**32 + 3, "2-32-plus-3"),
        (SHARE, "scheme", "z", 2**32, "2-32"),
        (SHARE, "scheme", "index", 2**32 + 1, "2-32-plus-1"),
        (FULL, "quant", "bits", 1, "1"),
        (FULL, "quant", "bits", 0, "0"),
        (FULL, "quant", "bits", 63, "63"),
        (FULL, "quant", "bits", 2**32 + 16, "2-32-plus-16"),
        (LEVELS, "quant", "levels", 0, "0"),
        (LEVELS, "quant", "levels", 1, "1"),
        (LEVELS, "quant", "levels", 2**53 + 1, "2-53-plus-1"),
        (FULL, "quant", "clip", 0.0, "zero"),
        (FULL, "quant", "clip", -0.0, "minus-zero"),
        (FULL, "quant", "clip", -1.0, "minus-1"),
        (FULL, "quant", "clip", float("inf"), "infinity"),
        (FULL, "quant", "clip", float("-inf"), "minus-infinity"),
        (FULL, "quant", "clip", Raw(b"\xf9\x7e\x00"), "nan"),
    ):
        data = base.inside(key, **{inner: value})
        yield Bad(f"range-{key}-{inner}-{short}", "range", f"{key}.{inner}", data, f"{inner} in {key}: {short}")


def huge():
    """Lengths far beyond the bytes present, in files of a few bytes."""

    def case(name, failure, where, base, raw, description):
        return Bad(f"huge-{name}", failure, where, base.having(where, Raw(raw)), description)

    yield case("text", "range", "field", VECTOR, head(TEXT, 2**30), "a field that says 2^30 bytes")
    yield case("text-64", "range", "field", VECTOR, head(TEXT, U64), "a field that says 2^64 - 1 bytes")
    yield case("kind", "value", "kind", VECTOR, head(TEXT, 2**63), "a kind that says 2^63 bytes")
    yield case("bytes", "range", "plan", FULL, head(BYTES, 2**30), "a plan that says 2^30 bytes")
    yield case("shape", "range", "shape", FULL, head(ARRAY, 2**32), "a shape that says 2^32 dimensions")
    yield case("route", "range", "route", SHARE, head(ARRAY, U64), "a route that says 2^64 - 1 tiers")
    numbers = b"\x81\x82\x67station" + head(ARRAY, 2**63)
    yield case("tier", "range", "route", SHARE, numbers, "a tier that says 2^63 numbers")
    yield case("extension", "range", "x-a", VECTOR, head(TEXT, 2**31), "an extension that says 2^31 bytes")
    pairs = head(MAP, U64) + encode(SHARE.header["scheme"])[1:]
    data = SHARE.having("scheme", Raw(pairs))
    yield Bad("huge-scheme", "type", "scheme.key", data, "a scheme that says 2^64 - 1 pairs")
    data = CLIENTS.having("clients", Raw(head(ARRAY, 2**40)))
    yield Bad("huge-clients", "header-size", "header", data, "clients that say 2^40 numbers")
    ranges_of_two = [number for i in range(105_000) for number in (10**6 + 3 * i, 10**6 + 3 * i + 1)]
    data = CLIENTS.having("clients", ranges_of_two)
    yield Bad("huge-header", "header-size", "header", data, "a header of just over 1 MiB, within all other limits")


def texts():
    """Bytes that are not allowed in text."""
    for name, raw, what in (
        ("nul", b"m31\0", "a NUL at its end"),
        ("nul-inside", b"m\x0031", "a NUL inside"),
        ("latin-1", b"m31\xe9", "a byte above 0x7f, no UTF-8"),
        ("utf-8", "m31\u00e9".encode(), "a letter beyond ASCII, as UTF-8"),
        ("delete", b"m31\x7f", "a DEL"),
        ("newline", b"m31\n", "a newline"),
        ("escape", b"\x1b[31mm31", "a terminal's escape sequence"),
    ):
        yield Bad(f"text-field-{name}", "text", "field", VECTOR.having("field", text(raw)), f"a field with {what}")
        yield Bad(f"text-extension-{name}", "text", "x-a", VECTOR.having("x-a", text(raw)), f"an extension with {what}")
    yield Bad("text-kind-nul", "text", "kind", VECTOR.having("kind", text(b"vector\0")), "a kind with a NUL at its end")
    data = VECTOR.having(text(b"x-a\0"), 1)
    yield Bad("text-key-nul", "text", "key", data, "a key with a NUL at its end")
    data = VECTOR.having(text(b"x-\xe9"), 1)
    yield Bad("text-key-latin-1", "text", "key", data, "a key with a byte above 0x7f")


def names():
    """Texts that are not among the allowed ones, or are not valid names."""
    for base, key, value in (
        (VECTOR, "kind", "sum"),
        (VECTOR, "kind", ""),
        (VECTOR, "kind", "Vector"),
        (VECTOR, "of", "secret"),
        (FULL, "type", "f2"),
        (FULL, "type", ""),
        (FULL, "type", "f16"),
        (FULL, "type", "<f4"),
    ):
        short = {"": "empty", "Vector": "capital", "<f4": "byte-order"}.get(value, value)
        yield Bad(f"value-{key}-{short}", "value", key, base.having(key, value), f'{key}: "{value}"')
    data = FULL.inside("quant", rounding="up")
    yield Bad("value-quant-rounding", "value", "quant.rounding", data, 'rounding: "up"')
    yield Bad("value-samples-false", "value", "samples", VECTOR.having("samples", False), "samples: false")
    for version in (0, 1, 3, U64):
        data = VECTOR.having("v", version)
        yield Bad(f"version-{version}", "version", "v", data, f"format version {version}")
    later = {"v": 3, "kind": "tensor", "field": ["m31"], "length": -1, "zzz": None}
    yield Bad("version-3-of-its-own", "version", "v", record(later, VECTOR.body), "version 3, with fields of its own")
    earlier = {**FULL.header, "v": 1, "plan": pattern(16)}
    yield Bad("version-1-of-its-own", "version", "v", record(earlier, FULL.body), "version 1, with a plan of 16 bytes")
    many = "p:" + ",".join(f"{letter}=1" for letter in "abcdefghi")
    for short, spec in (
        ("empty", ""),
        ("capital", "M31"),
        ("path", "../m31"),
        ("slash", "/m31"),
        ("dot", "m31.so"),
        ("hyphen-first", "-m31"),
        ("name-of-65", "m" * 65),
        ("colon-only", "prime:"),
        ("no-name", ":p=7"),
        ("no-value", "prime:p="),
        ("no-key", "prime:=7"),
        ("no-equals", "prime:p7"),
        ("comma-last", "prime:p=7,"),
        ("two-commas", "prime:p=7,,q=3"),
        ("space", "prime:p=7, q=3"),
        ("key-capital", "prime:P=7"),
        ("key-digit-first", "prime:1p=7"),
        ("key-of-17", "prime:" + "p" * 17 + "=7"),
        ("value-of-65", "prime:p=" + "7" * 65),
        ("value-plus", "prime:p=+7"),
        ("keys-descending", "prime:q=3,p=7"),
        ("keys-twice", "prime:p=7,p=7"),
        ("nine-parameters", many),
    ):
        yield Bad(f"field-{short}", "name", "field", VECTOR.having("field", spec), f'the field "{spec}"')
    spec = "f:" + ",".join(f"{letter}={letter * 64}" for letter in "abc") + ",d=" + "d" * 53
    yield Bad("field-of-256", "range", "field", VECTOR.having("field", spec), "a field specification of 256 bytes")
    for short, name in (("empty", ""), ("capital", "Ramp"), ("path", "../ramp"), ("underscore", "ra_mp")):
        data = SHARE.inside("scheme", name=name)
        yield Bad(f"scheme-name-{short}", "name", "scheme.name", data, f'the scheme "{name}"')
    data = SHARE.inside("scheme", name="r" * 65)
    yield Bad("scheme-name-of-65", "name", "scheme.name", data, "a scheme's name of 65 letters")
    data = SHARE.inside("scheme", name=spec)
    yield Bad("scheme-name-of-256", "range", "scheme.name", data, "a scheme's name of 256 bytes")
