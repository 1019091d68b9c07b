"""Records that are well formed, but not allowed by their field or scheme."""

import numpy

from bad_cases import SHARE, Bad
from good_vectors import elements, vector
from raw_cbor import payload, record


def cases():
    yield from field_elements()
    yield from fields()
    yield from sharings()


def plugin(name, failure, where, data, description):
    return Bad(name, failure, where, data, description, level="plugin")


def field_elements():
    def case(name, spec, position, value, description):
        header, values = vector(spec, 17)
        values = values.copy()
        values[position] = value
        return plugin(f"element-{name}", "element", "payload", record(header, payload(values)), description)

    p31, p61, pg = 2**31 - 1, 2**61 - 1, 2**64 - 2**32 + 1
    yield case("m31-p", "m31", 16, p31, "the last element is p")
    yield case("m31-largest", "m31", 0, 2**32 - 1, "the first element is 2^32 - 1")
    yield case("m61-p", "m61", 16, p61, "the last element is p")
    yield case("m61-largest", "m61", 0, 2**64 - 1, "the first element is 2^64 - 1")
    yield case("goldilocks-p", "goldilocks", 16, pg, "the last element is p")
    yield case("goldilocks-largest", "goldilocks", 0, 2**64 - 1, "the first element is 2^64 - 1")
    yield case("prime-7", "prime:p=7", 8, 7, "an element is p")
    yield case("prime-65521", "prime:p=65521", 8, 65521, "an element is p")
    yield case("prime-65537", "prime:p=65537", 8, 65537, "an element is p")
    large = 2**62 - 57
    yield case("prime-largest", f"prime:p={large}", 8, large, "an element is p")
    for spec, size in (("m31", 8), ("m61", 4), ("gf256", 2), ("prime:p=65521", 4)):
        values = numpy.arange(3, dtype=f"<u{size}")
        data = record(vector(spec, 3)[0], payload(values))
        name = f"element-{spec.partition(':')[0]}-in-{size}-bytes"
        yield plugin(name, "element-size", "payload", data, "elements of another size than the field's")


def fields():
    for name, spec in (
        ("composite", "prime:p=9"),
        ("pseudoprime", "prime:p=3215031751"),
        ("one", "prime:p=1"),
        ("zero", "prime:p=0"),
        ("leading-zero", "prime:p=07"),
        ("hexadecimal", "prime:p=0x7"),
        ("negative", "prime:p=-7"),
        ("too-large", "prime:p=4611686018427388039"),
        ("far-too-large", "prime:p=18446744073709551629"),
        ("without-parameter", "prime"),
        ("other-parameter", "prime:q=7"),
        ("parameter-too-many", "prime:p=7,q=7"),
        ("parameter-of-m31", "m31:p=7"),
        ("parameter-of-gf256", "gf256:p=7"),
    ):
        header, values = vector("prime:p=7" if spec.startswith("prime") else spec.partition(":")[0], 3)
        data = record({**header, "field": spec}, payload(values))
        yield plugin(f"field-{name}", "field", "field", data, f"the field {spec}")


def sharings():
    additive = {"name": "additive", "n": 3, "k": 3, "z": 2, "index": 1}
    for name, failure, scheme, n, description in (
        ("too-short", "share-length", {}, 3, "3 elements in a share of 4"),
        ("too-long", "share-length", {}, 5, "5 elements in a share of 4"),
        ("empty", "share-length", {}, 0, "no element in a share of 4"),
        ("of-two-parts-whole", "share-length", {"z": 0}, 4, "4 elements in a share of 4 in two parts"),
        ("point-missing", "point", {"point": None}, 4, "ramp without a point"),
        ("point-needless", "point", {**additive, "point": 2}, 4, "additive with a point"),
        ("point-p", "point", {"point": 2**31 - 1}, 4, "the point p"),
        ("point-large", "point", {"point": 2**32 + 2}, 4, "the point 2^32 + 2"),
        ("additive-k", "scheme", {**additive, "k": 2, "z": 1, "point": None}, 4, "additive with k < n"),
        ("additive-z", "scheme", {**additive, "z": 1, "point": None}, 4, "additive with z < n - 1"),
    ):
        changed = {key: value for key, value in {**SHARE.header["scheme"], **scheme}.items() if value is not None}
        where = "payload" if failure == "share-length" else "scheme"
        data = record({**SHARE.header, "scheme": changed}, payload(elements("m31", n)))
        yield plugin(f"share-{name}", failure, where, data, description)
