"""Summands that lack a key, have one that belongs to a sharing, or name stations outside the basis."""

from bad_cases import ALIGNED, CARRIED, FULL, LAYOUT, MASK, SHARE, SUMMAND, VECTOR, Bad
from good_vectors import elements
from raw_cbor import payload, record

OF_SHARINGS = {key: LAYOUT.header[key] for key in ("scheme", "route", "layout")}
OF_SHARINGS |= {key: MASK.header[key] for key in ("segments", "blocks", "chunks")}
OF_SHARINGS |= {key: CARRIED.header[key] for key in ("source", "carrier")} | {"id": FULL.header["id"]}


def cases():
    for key in ("plan", "round", "clients", "from", "stations", "basis"):
        yield Bad(f"summand-without-{key}", "missing", key, SUMMAND.lacking(key), f"a summand without {key}")
    for key, value in OF_SHARINGS.items():
        yield Bad(f"summand-with-{key}", "kind", key, SUMMAND.having(key, value), f"a summand that has {key}")
    for of in ("padded", "key", "mask"):
        yield Bad(f"summand-of-{of}", "kind", "of", SUMMAND.having("of", of), f"a summand of {of}")
    for base, kind in ((VECTOR, "vector"), (SHARE, "share"), (ALIGNED, "aligned-share")):
        for key in ("stations", "basis"):
            data = base.having(key, SUMMAND.header[key])
            yield Bad(f"{kind}-with-{key}", "kind", key, data, f"{key} in another record than a summand")
    for name, value, description in (
        ("outside", [4, 4], "a station that is not in the basis"),
        ("across", [3, 5], "a range of stations with one that is not in the basis"),
        ("beyond", [5, 6], "a range of stations that begins in the basis"),
    ):
        yield Bad(f"summand-{name}", "stations", "stations", SUMMAND.having("stations", value), description)
    for key in ("stations", "basis"):
        data = SUMMAND.having(key, [1, 2, 3, 5])
        yield Bad(f"summand-{key}-touching", "ranges", key, data, f"ranges of {key} that touch")
        data = SUMMAND.having(key, [0, 3, 5, 5])
        yield Bad(f"summand-{key}-zero", "range", key, data, f"number 0 in {key}")
    for name, n in (("short", 2), ("long", 4)):
        data = record(SUMMAND.header, payload(elements("m31", n)))
        yield Bad(f"summand-too-{name}", "length", "payload", data, f"{n} elements of a vector of 3")
