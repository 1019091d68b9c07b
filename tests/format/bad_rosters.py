"""Rosters that lack a key, have one that belongs to a vector, or have a payload."""

import numpy

from bad_cases import CARRIED, FULL, LAYOUT, MASK, ROSTER, SUMMAND, Bad
from raw_cbor import payload, record

# Values that are allowed in a record of another kind. "plain" and 0 are easily confused with no value.
OF_OTHERS = {"of": "plain", "field": "m31", "length": 0}
OF_OTHERS |= {key: FULL.header[key] for key in ("to", "shape", "type", "samples", "quant", "id")}
OF_OTHERS |= {key: LAYOUT.header[key] for key in ("scheme", "route", "layout", "mix")}
OF_OTHERS |= {key: CARRIED.header[key] for key in ("source", "carrier")}
OF_OTHERS |= {key: MASK.header[key] for key in ("segments", "blocks", "chunks", "dealers")}
OF_OTHERS |= {key: SUMMAND.header[key] for key in ("stations", "basis")}


def cases():
    for key in ("plan", "round", "clients", "from"):
        yield Bad(f"roster-without-{key}", "missing", key, ROSTER.lacking(key), f"a roster without {key}")
    for key, value in OF_OTHERS.items():
        yield Bad(f"roster-with-{key}", "kind", key, ROSTER.having(key, value), f"a roster that has {key}")
    for name, n in (("element", 1), ("run-less", 64), ("run-more", 96), ("run-cut-off", 79)):
        data = record(ROSTER.header, payload(numpy.zeros(n, dtype="u1")))
        yield Bad(f"roster-with-{name}", "length", "payload", data, f"a roster of 5 clients with {n} bytes")
    wide = payload(numpy.zeros(0, dtype="<u4"))
    yield Bad("roster-of-uint32", "tag", "payload", record(ROSTER.header, wide), "a roster with no uint32 elements")
