"""Records with symbols, and shares of scheme staircase, some of them worked out by hand.

Those are over the integers modulo 11, for n = 3, k = 2 and z = 1 (docs/staircase.md). Three holders send one of
the two symbols of their shares. The vector 5 7 9 has two parts, 5 7 | 9 0, and the random vectors are 2 3 | 4 10.

    symbol 0, random vector 0 and both parts: column 0: 2 + 5x + 9x^2: 5 4 10 at the points 1, 2 and 3
                                              column 1: 3 + 7x:        10 6 2
    symbol 1, random vector 1 and part 1:     column 0: 4 + 9x:        2 0 9
                                              column 1: 10:            10 10 10

A share has both symbols of column 0, then both of column 1.
"""

import numpy

from good_vectors import SOURCE, elements, longest_spec, share, transfer, unfamiliar

STAIRCASE = {"name": "staircase", "n": 5, "k": 3, "z": 1, "index": 2, "point": 3}
STAIRCASES = {**STAIRCASE, "name": "staircase:missing=0.1"}
ROUTE = [["station", [1, 2, 5, 3, 4]]]


def staircase(n_elems, scheme=STAIRCASE, length=20, route=ROUTE, **fields):
    header, _ = share(scheme=scheme, route=route, length=length, **fields)
    return header, elements("m31", n_elems, str(sorted(fields)))


def by_hand(index, values, **fields):
    scheme = {"name": "staircase", "n": 3, "k": 2, "z": 1, "index": index, "point": index + 1}
    header, _ = share("prime:p=11", of="plain", scheme=scheme, route=[["holder", [1, 2, 3]]], length=3, **fields)
    return header, numpy.array(values, dtype="u1")


def cases():
    yield from known_shares()
    yield from parts()
    yield from carried_on()


def known_shares():
    whole = ([5, 2, 10, 10], [4, 0, 6, 10], [10, 9, 2, 10])
    yield "staircase-shares", "three shares of 5 7 9 modulo 11, worked out by hand", [
        by_hand(index, values) for index, values in enumerate(whole)]
    yield "staircase-prefixes", "of each of these shares what three holders send", [
        by_hand(index, values[0::2], symbols=[0, 1]) for index, values in enumerate(whole)]
    yield "staircase-rest", "the rest of these shares, which two of the holders send after a loss", [
        by_hand(index, values[1::2], symbols=[1, 2]) for index, values in enumerate(whole)]


def parts():
    yield "symbols-all", "twenty elements in eight parts of three: a share of four symbols", [staircase(12)]
    yield "symbols-prefix", "the two symbols of a share from which five holders decode", [
        staircase(6, symbols=[0, 2])]
    yield "symbols-rest", "the two symbols after them", [staircase(6, symbols=[2, 4])]
    yield "symbols-parameter", "a scheme with a parameter: twelve symbols, prefixes of six and eight", [
        staircase(n, scheme=STAIRCASES, symbols=symbols)
        for symbols, n in (([0, 6], 6), ([0, 8], 8), ([6, 8], 2), ([6, 12], 6), ([8, 12], 4))]
    yield "symbols-of-layout", "a prefix in each of three blocks", [staircase(6, layout=[3], symbols=[0, 2])]
    yield "symbols-of-nothing", "a prefix of a share of no element", [staircase(0, length=0, symbols=[0, 2])]
    yield "symbols-sum", "a prefix of a sum, from a station to the federator", [
        staircase(6, symbols=[0, 2], clients=[1, 4, 6, 6], **{"from": ["station", 5], "to": ["federator", 1]})]
    header, values = share(symbols=[65534, 65535])
    yield "symbols-largest", "the last symbol that there can be", [(unfamiliar(header), values)]
    header, values = share()
    scheme = {**header["scheme"], "name": longest_spec()}
    yield "scheme-longest", "the longest name of a scheme, with parameters", [({**header, "scheme": scheme}, values)]


def carried_on():
    yield "transfer-of-symbols", "a share of each of the four symbols of a share", [transfer(8, source=STAIRCASE)]
    yield "transfer-of-prefix", "a share of each of the two symbols of a prefix", [
        transfer(4, source=STAIRCASE, symbols=[0, 2])]
    yield "transfer-of-rest", "a share of each of the two symbols after it, in each of two blocks", [
        transfer(4, source=STAIRCASE, symbols=[2, 4], layout=[2])]
    to = {"name": "staircase", "n": 3, "k": 2, "z": 1, "index": 1, "point": 2}
    yield "transfer-to-symbols", "a share of two symbols, of a source of four elements", [
        transfer(4, source=SOURCE, scheme=to)]
    yield "transfer-of-prefix-to-symbols", "a share of two symbols, of each of the two symbols of a prefix", [
        transfer(4, source=STAIRCASE, symbols=[0, 2], scheme=to)]
