"""The checks of a reader that knows the fields and schemes of hagg, beyond the format itself."""

import math

import numpy

from cbor_cursor import Reject
from hagg_format import WITHOUT_VECTOR
from known_schemes import dimensions, is_scheme

ORDERS = {"m31": 2**31 - 1, "m61": 2**61 - 1, "goldilocks": 2**64 - 2**32 + 1, "gf256": 256}
PRIMES_BELOW = 2**62


def is_prime(n):
    """The Miller-Rabin test, exact below 3 * 10^24 with these bases."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if n < 2 or any(n % base == 0 for base in bases):
        return n in bases
    twos = (n - 1 & 1 - n).bit_length() - 1
    return all(survives(base, n, twos) for base in bases)


def survives(base, n, twos):
    power = pow(base, (n - 1) >> twos, n)
    if power in (1, n - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % n
        if power == n - 1:
            return True
    return False


def field_order(spec):
    """The number of elements in the field; None if hagg has no field of that name."""
    name, _, parameters = spec.partition(":")
    if name == "prime":
        p = int(parameters[2:]) if parameters.startswith("p=") and parameters[2:].isdecimal() else 0
        if parameters != f"p={p}" or p >= PRIMES_BELOW or not is_prime(p):
            raise Reject("field", "field", f"{spec} is no field")
        return p
    if name in ORDERS and parameters:
        raise Reject("field", "field", f"{name} has no parameters")
    return ORDERS.get(name)


def element_size(order):
    """Bytes of a packed element: the smallest of 1, 2, 4 and 8 into which every element fits."""
    return next(size for size in (1, 2, 4, 8) if order <= 1 << (8 * size))


def is_known(header):
    """True if hagg has all plugins of a record, so that it can check everything."""
    if header["kind"] in WITHOUT_VECTOR:
        return True
    schemes = [header[key]["name"] for key in ("scheme", "source") if key in header]
    return field_order(header["field"]) is not None and all(is_scheme(name) for name in schemes)


def check_record(record):
    if record.header["kind"] in WITHOUT_VECTOR:
        return
    order = field_order(record.header["field"])
    has_elements = "seed" not in record.header
    if order is not None and has_elements and record.width != element_size(order):
        raise Reject("element-size", "payload", f"elements of this field have {element_size(order)} bytes")
    if "scheme" in record.header:
        check_share(record, order)
    if order is not None and has_elements and not record.is_sealed:
        bad = numpy.flatnonzero(record.payload > numpy.uint64(order - 1))
        if bad.size:
            raise Reject("element", "payload", f"element {bad[0]} is not canonical")


def check_share(record, order):
    header = record.header
    for key in ("scheme", "source"):
        if key in header and is_scheme(header[key]["name"]):
            check_scheme(header[key], key, order)
            if "symbols" in header and (key == "source") == (header["kind"] == "transfer"):
                check_symbols(header["symbols"], header[key], key)
    if "segments" in header and is_known(header) and header["scheme"]["point"] < header["segments"]:
        raise Reject("point", "scheme", "the point is that of a segment")
    expected = share_length(header) if "seed" not in header else None
    if expected is not None and record.n_elements != expected:
        raise Reject("share-length", "payload", f"{record.n_elements} elements, not {expected}")


def check_scheme(scheme, where, order):
    additive = scheme["name"] == "additive"
    dimensions(scheme, where)
    if ("point" in scheme) == additive:
        raise Reject("point", where, "there, or not there, against the scheme")
    if order is not None and scheme.get("point", 0) >= order:
        raise Reject("point", where, "the point is no element of the field")


def check_symbols(symbols, scheme, where):
    first, end = symbols
    ends = dimensions(scheme, where).ends
    if first not in (0, *ends) or end not in ends or [first, end] == [0, ends[-1]]:
        raise Reject("symbols", "symbols", f"{first} to {end}, but prefixes end at {ends}")


def share_length(header):
    """The number of elements in the payload; None if a scheme is unknown or the format does not fix it."""
    schemes = [header[key] for key in ("source", "scheme") if key in header]
    if "carrier" in header or any(not is_scheme(scheme["name"]) for scheme in schemes):
        return None
    length = header["length"]
    if "segments" in header:
        n = header["segments"]
        rows = sum(any(segment % v == 0 for v in header["blocks"]) for segment in range(n))
        return rows * math.ceil(math.ceil(length / n) / header.get("chunks", 1))
    for cut in header.get("layout", []):
        length = math.ceil(length / cut)
    of_share = dimensions(schemes[0], "scheme")
    first, end = header.get("symbols", (0, of_share.symbols))
    length = math.ceil(length / of_share.parts)
    if len(schemes) > 1:
        length = dimensions(schemes[1], "scheme").share_length(length)
    return math.prod(header.get("layout", [])) * (end - first) * length
