"""The files that every reader must accept: (name, description, [(header, elements), ...])."""

import hashlib

import numpy

from hagg_format import VERSION
from known_plugins import element_size, field_order

M31 = 2**31 - 1
LARGEST_PRIME = 2**62 - 57


def elements(spec, n, seed=""):
    """n elements of a field, including 0 and the largest; the same ones every time."""
    order = field_order(spec)
    size = element_size(order)
    words = numpy.frombuffer(hashlib.shake_128(f"{spec} {n} {seed}".encode()).digest(8 * n), dtype="<u8")
    values = (words % numpy.uint64(order)).astype(f"<u{size}")
    values[:1] = 0
    values[1:2] = order - 1
    return values


def vector(spec="m31", n=3, **fields):
    """A vector record with the mandatory keys, and the given ones."""
    header = {"v": VERSION, "kind": "vector", "of": "plain", "field": spec, "length": n}
    header.update(fields)
    return header, elements(spec, n, str(sorted(fields)))


def share(spec="m31", n_elems=4, **fields):
    """A share of the ramp scheme (3, 2, 1): one part, so it is as long as the secret."""
    header = {
        "v": VERSION,
        "kind": "share",
        "of": "padded",
        "field": spec,
        "length": n_elems,
        "scheme": {"name": "ramp", "n": 3, "k": 2, "z": 1, "index": 1, "point": 2},
        "route": [["station", [1, 2, 5]]],
    }
    header.update(fields)
    return header, elements(spec, n_elems, str(sorted(fields)))


def transfer(n_elems=4, **fields):
    """A transfer of a vector of 12 elements to three relays; needs a source or a carrier to be valid."""
    route = [["relay", [4, 1, 9]]]
    header, _ = share(kind="transfer", route=route, length=12, **fields)
    return header, elements("m31", n_elems, str(sorted(fields)))


def summand(n=3, **fields):
    """What relay 2 sends instead of the sums of stations 2 and 3."""
    header, _ = vector(n=n, plan=pattern(32), round=12, clients=[1, 4], stations=[2, 3], basis=[1, 3, 5, 5],
                       **{"from": ["relay", 2], "to": ["federator", 1]})
    header.update(fields)
    header["kind"] = "summand"
    return header, elements("m31", n, str(sorted(fields)))


def roster(**fields):
    """The clients of round 12, from the federator."""
    header = {"v": VERSION, "kind": "roster", "plan": pattern(32), "round": 12, "clients": [1, 4, 6, 6]}
    header["from"] = ["federator", 1]
    header.update(fields)
    return header, numpy.array([], dtype="u1")


def pattern(length, start=0):
    return bytes((start + i) % 256 for i in range(length))


EVERYTHING = {
    "from": ["client", 3],
    "to": ["station", 2],
    "round": 12,
    "clients": [3, 3],
    "shape": [2, 3],
    "type": "f4",
    "samples": True,
    "quant": {"bits": 16, "clip": 1.0, "rounding": "stochastic"},
    "plan": pattern(32),
    "id": pattern(16, 240),
    "x-note": "no reader needs it",
}

QUANT = {"bits": 16, "clip": 1.0, "rounding": "nearest"}

SOURCE = {"name": "ramp", "n": 5, "k": 4, "z": 1, "index": 3, "point": 4}

TIER_NAMES = ["station", "relay", "tier-3", "a", "b0", "c--", "tier-of-16-chars", "federator-side"]


def dotted_ranges(n, step):
    """n ranges of two clients each, step apart."""
    return [number for i in range(n) for number in (1 + i * step, 2 + i * step)]


def levels(n, clip=1.0, rounding="nearest"):
    return vector(n=2, type="f4", quant={"clip": clip, "levels": n, "rounding": rounding})


def quantised(clip, **quant):
    return vector(n=2, type="f8", quant={**QUANT, "clip": clip, **quant})


def longest_spec():
    spec = "f" * 64 + ":" + ",".join(f"{c}={c * 64}" for c in "ab")
    return spec + ",cccccccccccccccc=" + "C" * (255 - len(spec) - 18)


def eight_parameters():
    return "odd-one:" + ",".join(f"k{i}={v}" for i, v in enumerate(("0", "-1", "1.5", "_", "Z", "a-b", "..", "9z")))


def cases():
    yield "empty", "a stream of no record at all", []
    yield from by_field()
    yield from vectors()
    yield from shares()
    yield from layouts()
    yield from transfers()
    yield from summands()
    yield from rosters()
    yield from numbers()
    yield from larger()


def by_field():
    yield "vector-minimal", "a vector record with the mandatory fields only", [vector()]
    for name, spec in (
        ("uint8-gf256", "gf256"),
        ("uint8-prime-2", "prime:p=2"),
        ("uint8-prime-7", "prime:p=7"),
        ("uint8-prime-251", "prime:p=251"),
        ("uint16-prime-257", "prime:p=257"),
        ("uint16-prime-65521", "prime:p=65521"),
        ("uint32-prime-65537", "prime:p=65537"),
        ("uint32-m31", "m31"),
        ("uint64-m61", "m61"),
        ("uint64-goldilocks", "goldilocks"),
        ("uint64-largest-prime", f"prime:p={LARGEST_PRIME}"),
    ):
        yield f"vector-{name}", f"elements of {spec}, zero and the largest among them", [vector(spec, 17)]


def vectors():
    for of in ("padded", "key"):
        what = f"{of} vector" if of.endswith("ed") else of
        yield f"vector-of-{of}", f"a vector that is a {what}", [vector(of=of)]
    yield "vector-every-field", "every field that a vector can have", [vector(n=7, **EVERYTHING)]
    yield "vector-empty", "a vector of no element", [vector(n=0)]
    yield "shape-scalar", "the shape of a scalar: no dimension, one element", [vector(n=1, shape=[])]
    yield "shape-scalar-samples", "a scalar and the number of samples", [vector(n=2, shape=[], samples=True)]
    yield "shape-zero", "a dimension of zero", [vector(n=0, shape=[3, 0, 5])]
    yield (
        "shape-zero-huge",
        "a dimension of zero beside ones whose product is beyond 64 bits: the product is zero all the same",
        [vector(n=0, shape=[2**48, 2**48, 0]), vector(n=1, shape=[0, 2**48, 2**48], samples=True)],
    )
    yield "shape-32-dimensions", "as many dimensions as there may be", [vector(n=6, shape=[1] * 30 + [2, 3])]
    yield "samples-without-shape", "one dimension and the number of samples", [vector(n=3, samples=True)]
    yield "samples-alone", "no element but the number of samples", [vector(n=1, samples=True)]
    yield (
        "every-type",
        "ten records, one for each type of the original elements",
        [vector(n=1, type=t) for t in ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")],
    )
    yield "quant-least-bits", "2 bits, rounded to the nearest", [quantised(1.0, bits=2)]
    yield "quant-most-bits", "62 bits, rounded at random", [quantised(1.0, bits=62, rounding="stochastic")]
    yield "quant-two-levels", "2 levels, rounded to the nearest", [levels(2)]
    yield "quant-most-levels", "2^53 levels, rounded at random", [levels(2**53, rounding="stochastic")]
    yield "quant-ternary", "3 levels, rounded at random", [levels(3, rounding="stochastic", clip=0.1)]
    yield "quant-sign", "signs", [levels(2, rounding="sign", clip=0.25)]
    yield "clip-half", "clips that a half-precision float holds", [quantised(c) for c in (0.5, 65504.0, 2.0**-24)]
    yield (
        "clip-single",
        "clips that take a single-precision float, up to the largest and down to the smallest",
        [quantised(c) for c in (65536.0, 2.0**-25, 2.0**-149, float(numpy.finfo("f4").max))],
    )
    yield (
        "clip-double",
        "clips that take a double, up to the largest and down to the smallest",
        [quantised(c) for c in (0.1, 2.0**-150, 2.0**128, float(numpy.finfo("f8").max), 5e-324)],
    )


def shares():
    yield "share-minimal", "a share with the mandatory fields only", [share()]
    yield "share-every-field", "every field that a share can have", [share(n_elems=7, **EVERYTHING)]
    first = {"name": "ramp", "n": 3, "k": 2, "z": 1, "index": 0, "point": 1}
    yield "share-first-index", "the first of n shares", [share(scheme=first)]
    yield "share-last-index", "the last of n shares", [share(scheme={**first, "index": 2, "point": 3})]
    additive = {"name": "additive", "n": 3, "k": 3, "z": 2, "index": 2}
    yield "share-without-point", "a share of the additive scheme, which has no points", [share(scheme=additive)]
    alone = {"name": "ramp", "n": 1, "k": 1, "z": 0, "index": 0, "point": 1}
    yield "share-one-of-one", "n = k = 1, z = 0", [share(scheme=alone, route=[["station", [7]]])]
    ramp = {"name": "ramp", "n": 5, "k": 4, "z": 1, "index": 4, "point": M31 - 1}
    header, _ = share(scheme=ramp, route=[["station", [5, 4, 3, 2, 1]]], length=10)
    yield "share-of-parts", "ten elements in three parts: a share of four", [(header, elements("m31", 4))]
    yield "share-of-nothing", "a share of a vector of no element", [share(n_elems=0)]
    yield (
        "share-sum",
        "a sum of shares on its way from a station to a relay",
        [
            share(
                route=[["station", [1, 2, 5]], ["relay", [9, 8, 7]]],
                clients=[1, 4, 6, 6, 8, 4294967295],
                **{"from": ["station", 2], "to": ["relay", 8]},
            )
        ],
    )
    route = [[name, [10 * i + 1, 10 * i + 2, 4294967295 - i]] for i, name in enumerate(TIER_NAMES)]
    yield "route-eight-tiers", "as many tiers as there may be, a name of 16 letters among them", [share(route=route)]
    yield (
        "route-same-tier-twice",
        "the same tier twice in a route: shares that stay among the stations",
        [share(route=[["station", [1, 2, 5]], ["station", [2, 5, 1]]])],
    )


def layouts():
    header, _ = share(length=10, layout=[3])
    yield "layout", "ten elements in three blocks of four, each of them shared", [(header, elements("m31", 12))]
    header, _ = share(length=10, layout=[3, 2], mix=pattern(16, 32))
    description = "ten elements in three parts of four, each in two blocks of two, and which transfers made it"
    yield "layout-of-two-cuts", description, [(header, elements("m31", 12))]
    scheme = {"name": "ramp", "n": 3, "k": 3, "z": 1, "index": 1, "point": 2}
    header, _ = share(length=10, layout=[3], scheme=scheme)
    yield "layout-of-parts", "three blocks of four elements in two parts each", [(header, elements("m31", 6))]
    header, _ = share(length=2, layout=[5])
    yield "layout-beyond-length", "two elements in five blocks, three of them empty", [(header, elements("m31", 5))]
    yield "layout-of-nothing", "a layout for a vector of no element", [share(n_elems=0, layout=[7, 1])]
    yield "layout-one", "a vector in one part", [share(layout=[1])]
    header, _ = share(layout=[1, 16, 1, 16, 1, 16, 1, 256])
    yield "layout-largest", "eight cuts, 2^20 blocks", [(unfamiliar(header), elements("m31", 4))]
    header, _ = share(layout=[65535, 16])
    yield "layout-largest-part", "as many parts as there may be", [(unfamiliar(header), elements("m31", 4))]
    yield "mix-alone", "which transfers made a share that has no layout", [share(mix=pattern(16, 64))]


def unfamiliar(header):
    """With a scheme that hagg does not have, so that the payload may have any length."""
    return {**header, "scheme": {**header["scheme"], "name": "a-scheme-of-the-future"}}


def transfers():
    yield "transfer-direct", "a share of a share, sent to the holder it is for", [transfer(source=SOURCE)]
    yield (
        "transfer-every-field",
        "every field that a transfer can have",
        [transfer(5, **{**EVERYTHING, "shape": [11]}, source=SOURCE, carrier=2, layout=[3, 2], mix=pattern(16, 7))],
    )
    carried = transfer(3, source=SOURCE, carrier=0)
    yield "transfer-carried", "a piece of a share of a share, sent to the holder who passes it on", [carried]
    yield "transfer-collected", "pieces from all sources, added up by a carrier", [transfer(3, carrier=2)]
    yield "transfer-to-itself", "a carrier who is the holder it is for", [transfer(3, carrier=1)]
    yield "transfer-of-layout", "a share of a share in three blocks", [transfer(6, source=SOURCE, layout=[3])]
    additive = {"name": "additive", "n": 2, "k": 2, "z": 1, "index": 0}
    yield "transfer-of-additive", "a share of a share without a point", [transfer(12, source=additive)]
    ramp = {"name": "ramp", "n": 3, "k": 3, "z": 1, "index": 2, "point": 9}
    yield (
        "transfer-of-parts",
        "two blocks of six elements, of each a source of two, of which two parts of one make a share",
        [transfer(2, source=SOURCE, layout=[2], scheme=ramp)],
    )


def summands():
    yield "summand", "the sums of two stations, combined by a relay", [summand()]
    yield "summand-every-field", "every field that a summand can have", [
        summand(7, **{key: value for key, value in EVERYTHING.items() if key not in ("id", "from", "clients")},
                clients=[1, 4, 6, 6], dealers=[1, 1, 3, 4], mix=pattern(16, 9))]
    yield "summand-of-all", "a relay that has the sums of all stations", [summand(stations=[1, 3, 5, 5])]
    yield "summand-parts", "stations from two ranges of the basis", [
        summand(stations=[2, 2, 9, 4294967295], basis=[1, 3, 5, 5, 8, 4294967295])]


def rosters():
    yield "roster", "the clients of a round, agreed upon", [roster()]
    report, _ = roster(clients=[3, 3], **{"from": ["station", 2]})
    runs = numpy.frombuffer(pattern(16, 99), dtype="u1")
    yield "roster-report", "a client that has delivered to a station, and the run of its shares", [(report, runs)]
    runs = numpy.frombuffer(pattern(64, 7) + bytes(16), dtype="u1")
    yield "roster-runs", "the runs of all clients; that of the last is unknown", [(roster()[0], runs)]
    largest = roster(clients=[1, 4294967295], round=2**53 - 1, **{"from": ["federator", 4294967295]})
    yield "roster-largest", "the widest range of clients and the largest numbers", [largest]
    yield "roster-many", "4000 ranges of clients", [roster(clients=dotted_ranges(4000, 1000))]
    yield "roster-extension", "a roster with an extension", [roster(**{"x-note": "no reader needs it"})]


def numbers():
    yield "clients-all", "the widest range of clients", [vector(clients=[1, 4294967295])]
    yield "clients-ends", "the first and the last client there can be", [vector(clients=[1, 1, 4294967295, 4294967295])]
    yield "clients-one-missing", "ranges with one number missing between them", [vector(clients=[1, 1, 3, 3, 5, 9])]
    yield "node-largest", "the largest number of a node", [vector(to=["client", 4294967295])]
    yield "node-federator", "a record for the federator", [vector(to=["federator", 1])]
    yield (
        "node-any-tier",
        "tiers that hagg does not have today, and a federator that is not the first",
        [vector(to=["planet", 2]), vector(to=["federator", 2]), vector(to=["a-1", 1])],
    )
    rounds = [0, 23, 24, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53 - 1]
    yield "round-every-width", "rounds at the ends of each width of an integer", [vector(n=1, round=r) for r in rounds]
    values = {"x-0": 0, "x-f": False, "x-t": True, "x-u": 2**64 - 1, "x-text": "", "x-bytes": b""}
    yield "extension-every-type", "an extension of each type", [vector(**values)]
    longest = {"x-" + "n" * 62: " !~" + "t" * 1021, "x-" + "-" * 62: pattern(1024)}
    yield "extension-longest", "the longest names and values", [vector(**longest)]
    yield "extension-sixteen", "as many extensions as there may be", [vector(**{f"x-{i}": i for i in range(16)})]
    spec = "longest field specification, of a field that hagg does not have"
    yield "field-longest", f"the {spec}", [unknown(longest_spec())]
    yield "field-eight-parameters", "as many parameters as there may be", [unknown(eight_parameters())]
    future = {"name": "a-scheme-of-the-future", "n": 65535, "k": 65535, "z": 65534, "index": 65534, "point": 2**64 - 1}
    header, values = share(scheme=future, route=[["station", list(range(1, 65536))]], length=2**48)
    header["field"] = "field-of-the-future"
    yield "limits-of-a-share", "65535 holders, the longest vector, the largest point", [(header, values)]


def unknown(spec):
    header, values = vector()
    return {**header, "field": spec}, values


def larger():
    yield (
        "records-of-all-kinds",
        "eight records of different kinds and fields in one stream",
        [vector(), share(), vector("gf256", 5), share("m61", 6), vector("prime:p=65521", 0), vector(n=7, **EVERYTHING)]
        + [roster(), transfer(source=SOURCE)],
    )
    sizes = [0, 1, 23, 24, 255, 256, 65535, 65536]
    yield "payload-every-width", "payloads at the ends of each width of a length", [vector("gf256", n) for n in sizes]
    yield "payload-large", "a payload of 200 000 bytes", [vector("m31", 50000)]
    yield "clients-many", "4000 ranges of clients", [vector(clients=dotted_ranges(4000, 1000))]
