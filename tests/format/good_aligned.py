"""Records of aligned sharings that every reader must accept, among them those of a whole round by hand.

The round (docs/aligned.md) is over the integers modulo 11, with three stations, one of which colludes with the
federator, and two segments. The points are 0 and 1 for the segments, and 2, 3 and 4 for stations 1, 2 and 3.
Vectors have four elements, so a segment has two: column 0 and column 1.

    client 1, stations 1 2 3, two parts: the vector 2 0 | -1 1, draws 4 1 for station 1
        column 0: 2 + 4x + 4x^2, which is 2 at 0, -1 at 1 and 4 at station 1: 4 6 5 at the stations
        column 1:     7x + 5x^2, which is 0 at 0,  1 at 1 and 1 at station 1: 1 0 9
    client 2, stations 2 3, one part: the vector 1 -2 | 2 0, draws 3 8 | 1 5 for station 2
        block 0: (x-2)(5 + 3x), which is 1 at 0 and 3 at station 2: 3 1; (x-2)(1 + 6x), which is -2 and 8: 8 6
        block 1: (x-2)(9 + 7(x-1)), which is 2 at 1 and 1 at station 2: 1 5; (x-2)(8(x-1)), 0 and 5: 5 4

All clients of station 1 have blocks of two segments, so it has one interval. Stations 2 and 3 have two. All
stations deal, and a segment has 3 - 1 = 2 chunks. A mask is a polynomial x(..) for segment 0 and (x-1)(..) for
segment 1, both of degree 2 and with the same value at station 1. It is determined by what the dealer draws: for
station 1, for station 2 in segment 0, and for station 2 in segment 1.

    dealer 1, draws 5 6 8:  x(9 + 5x), (x-1)(7 + 10x): 5 | 6 8 | 6 9 at the stations
    dealer 2, draws 1 4 2:  x(8 + 10x), (x-1):         1 | 4 2 | 5 3
    dealer 3, draws 7 0 10: x(5 + 2x), (x-1)(9x):      7 | 0 10 | 8 9

A station adds shares and masks. Column 0 is chunk 0, where all factors are 1. Column 1 is chunk 1, where the
factors are 0, 1 and 2.

    station 1:            4 + 5 + 1 + 7 = 6,      1 + 1 + 2*7 = 5
    station 2, segment 0: 6 + 3 + 6 + 4 + 0 = 8,  0 + 8 + 4 + 2*0 = 1
               segment 1: 6 + 1 + 8 + 2 + 10 = 5, 0 + 5 + 2 + 2*10 = 5
    station 3, segment 0: 5 + 1 + 6 + 5 + 8 = 3,  9 + 6 + 5 + 2*8 = 3
               segment 1: 5 + 5 + 9 + 3 + 9 = 9,  9 + 4 + 3 + 2*9 = 1

The federator interpolates. At 0 the factors are 6, -8 and 3, at 1 they are 3, -3 and 1.

    segment 0: 6*6 - 8*8 + 3*3 = 3, 6*5 - 8*1 + 3*3 = -2
    segment 1: 3*6 - 3*5 + 1*9 = 1, 3*5 - 3*5 + 1*1 = 1

The total is 3 -2 1 1, the sum of the vectors. tests/oracle/aligned_by_hand.py runs the commands with these draws.
"""

import numpy

from good_vectors import EVERYTHING, elements, pattern, share

ROUND = 1
VECTORS = {1: [2, 0, -1, 1], 2: [1, -2, 2, 0]}
CLIENT_DRAWS = {1: [4, 1], 2: [3, 8, 1, 5]}
DEALER_DRAWS = {1: [5, 6, 8], 2: [1, 4, 2], 3: [7, 0, 10]}
SHARES = {1: {1: [4, 1], 2: [6, 0], 3: [5, 9]}, 2: {2: [3, 8, 1, 5], 3: [1, 6, 5, 4]}}
MASKS = {1: {1: [5], 2: [6, 8], 3: [6, 9]}, 2: {1: [1], 2: [4, 2], 3: [5, 3]}, 3: {1: [7], 2: [0, 10], 3: [8, 9]}}
SUMS = {1: [6, 5], 2: [8, 1, 5, 5], 3: [3, 3, 9, 1]}
TOTAL = [3, -2, 1, 1]
BLOCKS = {1: [2], 2: [1, 2], 3: [1, 2]}


def by_hand(station, values, **fields):
    header = {"v": 2, "kind": "share", "of": "plain", "field": "prime:p=11", "length": 4, "round": ROUND,
              "scheme": {"name": "aligned", "n": 3, "k": 3, "z": 1, "index": station - 1, "point": station + 1},
              "route": [["station", [1, 2, 3]]], "segments": 2, "plan": pattern(32)}
    return {**header, **fields}, numpy.array(values, dtype="u1")


def round_by_hand():
    """All records: shares, masks, sums."""
    vector = {"type": "i1", "shape": [4]}
    for i, parts in ((1, 2), (2, 1)):
        for u, values in SHARES[i].items():
            yield by_hand(u, values, blocks=[parts], clients=[i, i], **vector,
                          **{"from": ["client", i], "to": ["station", u]})
    for w, masks in MASKS.items():
        for u, values in masks.items():
            yield by_hand(u, values, of="mask", blocks=BLOCKS[u], chunks=2, dealers=[w, w],
                          **{"from": ["station", w], "to": ["station", u]})
    for u, values in SUMS.items():
        yield by_hand(u, values, blocks=BLOCKS[u], clients=[1, 2], dealers=[1, 3], **vector,
                      **{"from": ["station", u], "to": ["federator", 1]})


def aligned(n_elems, spec="m31", **fields):
    """A share of ten elements in four segments of three, in blocks of two; n_elems are in the payload."""
    scheme = {"name": "aligned", "n": 3, "k": 3, "z": 1, "index": 1, "point": 5}
    header, _ = share(spec, length=10, of="plain", scheme=scheme, segments=4, blocks=[2])
    header.update(fields)
    return header, elements(spec, n_elems, str(sorted(fields)))


def mask(n_elems, **fields):
    """The mask of dealer 5 for the same, in two chunks of two."""
    return aligned(n_elems, **{"of": "mask", "chunks": 2, "dealers": [5, 5], **fields})


def cases():
    yield "aligned-round", "the shares, masks and sums of a round worked out by hand", [*round_by_hand()]
    yield "aligned-share", "four segments of three elements in two blocks", [aligned(6)]
    yield "aligned-remainder", "four segments in a block of three and one of one", [aligned(6, blocks=[3])]
    yield "aligned-one-block", "four segments in a block of as many", [aligned(3, blocks=[4])]
    yield "aligned-large-block", "a block for more segments than there are", [aligned(3, blocks=[5])]
    yield "aligned-no-element", "a vector of no element", [aligned(0, length=0)]
    yield "aligned-few-elements", "fewer elements than segments", [aligned(2, length=1), aligned(2, length=4)]
    sum_ = {"blocks": [2, 3], "clients": [1, 4, 6, 6], "from": ["station", 2], "to": ["federator", 1]}
    yield "aligned-sum", "a sum with cuts at 0, 2 and 3, and masks of four dealers", [aligned(9, dealers=[1, 3, 5, 5], **sum_)]
    yield "aligned-sum-without-masks", "the same without masks", [aligned(9, **sum_)]
    yield "aligned-sum-relayed", "the same on its way through a relay", [
        aligned(9, **{**sum_, "to": ["relay", 2]}), aligned(9, **{**sum_, "from": ["relay", 2]})]
    yield "aligned-mask", "a mask with a row of two elements for each block", [mask(4)]
    yield "aligned-mask-of-sum", "a mask with the cuts of a sum", [mask(6, blocks=[2, 3])]
    yield "aligned-mask-many-chunks", "more chunks than elements in a segment", [mask(2, chunks=65535)]
    everything = {**EVERYTHING, "shape": [9], "mix": pattern(16, 3), "dealers": [7, 4294967295]}
    yield "aligned-every-field", "every field that a share of an aligned sharing can have", [aligned(6, **everything)]
    del everything["clients"]
    everything["dealers"] = [4294967295, 4294967295]
    yield "mask-every-field", "every field that a mask can have", [mask(4, **everything)]
    scheme = {"name": "aligned", "n": 3, "k": 2, "z": 1, "index": 2}
    yield "aligned-bytes", "all 256 points: 253 segments, and the last of three stations", [
        aligned(127, "gf256", segments=253, scheme={**scheme, "point": 255})]
    yield "aligned-smallest-field", "all seven points", [aligned(6, "prime:p=7", scheme={**scheme, "point": 6})]
    many = {**scheme, "point": 65535}
    yield "aligned-largest", "as many segments, blocks and chunks as there may be", [
        aligned(1, length=1, segments=65535, blocks=[65535], scheme=many),
        aligned(257, length=2, segments=65535, blocks=list(range(32768, 33024)), scheme=many),
        mask(1, length=2**16 - 1, segments=65535, blocks=[65535], chunks=65535, scheme=many)]
