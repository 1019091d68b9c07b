"""The random vectors that nodes draw for a round, in fractions, for the rows of hagg-cost(1).

Everything is one list of (who draws, fraction of the vector, symbols), with a 1 at the end for seeds.
"""

from fractions import Fraction

import couriers
from sharing import ceil_div


def add_up(draws):
    """By who draws, and in total: multiples of the vector, symbols, seeds."""
    lines = {name: [Fraction(0), 0, 0] for name in ("clients", "stations", "relays", "total")}
    for who, times, symbols, *seeds in draws:
        for line in (lines[who], lines["total"]):
            line[0] += times
            line[1] += symbols
            line[2] += sum(seeds)
    return lines


def read_line(line):
    return [Fraction(line["times"]), line.get("symbols", 0), line.get("seeds", 0)]


def of_sharing(net, number, stations, s):
    """z random vectors as long as a part, or seeds that they are expanded from."""
    n_seeds = len(couriers.seeds(net.clients[number], stations, s.z))
    yield from [("clients", 0, 0, 1)] * n_seeds
    yield from [("clients", Fraction(1, s.parts), ceil_div(net.length, s.parts))] * (s.z - n_seeds)


def shares(net, sets, full):
    for number, stations in sets.items():
        yield from of_sharing(net, number, stations, net.share(len(stations), full))


def own_shares(net, sets):
    for number, stations in sets.items():
        yield from of_sharing(net, number, stations, net.own(0, len(stations)))


def whole_keys(net):
    return [("clients", Fraction(1), net.length) for _ in net.clients]


def keys(net):
    """Keys in the clear, which may be seeds."""
    return [("clients", 0, 0, 1) if c.computational else ("clients", Fraction(1), net.length)
            for c in net.clients.values()]


def client_keys(net, sets):
    return [*shares(net, sets, False), *keys(net)]


def shared_keys(net, sets, key_sets):
    return [*shares(net, sets, True), *shares(net, key_sets, True), *whole_keys(net)]


def patterns_of(net, sets, through):
    return {tuple(s): tuple(through[i]) if through else net.common(s) for i, s in sets.items()}.items()


def direct(net, sets, through=None):
    """k stations of a pattern share what they have."""
    yield from own_shares(net, sets)
    for stations, relays in patterns_of(net, sets, through):
        old, new = net.own(0, len(stations)), net.own(1, len(relays))
        one = Fraction(1, old.parts * new.parts), ceil_div(ceil_div(net.length, old.parts), new.parts)
        yield from [("stations", *one)] * (old.k * new.z)


def transport(net, sets):
    """k stations share their summand of the secret, and then share each of these shares."""
    yield from own_shares(net, sets)
    for stations, relays in patterns_of(net, sets, None):
        old, new = net.own(0, len(stations)), net.own(1, len(relays))
        pieces, part = len(relays) - new.z, ceil_div(net.length, new.parts)
        yield from [("stations", Fraction(1, new.parts), part)] * (old.k * new.z)
        yield from [("stations", Fraction(1, new.parts * pieces),
                     ceil_div(part, pieces))] * (old.k * len(relays) * new.z)


def aligned(model):
    """z random vectors for each block, and the values that determine a mask: docs/aligned.md."""
    net, n = model.net, model.segments
    segment = ceil_div(net.length, n)
    for number, stations in model.sets.items():
        n_seeds = len(couriers.seeds(net.clients[number], sorted(stations), model.z))
        rows = ceil_div(n, model.parts[number]) * (model.z - n_seeds)
        yield from [("clients", 0, 0, 1)] * n_seeds
        yield "clients", Fraction(rows, n), rows * segment
    seeds = couriers.drawn_masks(model) if model.dealers and net.t.computational else ()
    for _ in model.dealers:
        rows = mask_size(model) - sum(model.rows[u] for u in seeds)
        yield from [("stations", 0, 0, 1)] * len(seeds)
        yield ("stations", Fraction(rows, n * model.chunks), rows * ceil_div(segment, model.chunks))


def mask_size(model):
    """Masks decode to zero. In an interval of that many segments, the sums of all stations in use are the values of
    a polynomial of degree below k that is zero at the segments, so any k - segments of them determine the others.
    Those that began before, and those without masks, are known."""
    starts = {u: {c for c in range(model.segments) if any(
        c % v == 0 for i, v in model.parts.items() if u in model.sets[i])} for u in model.used}
    ends = sorted(set().union(*starts.values())) + [model.segments]
    size = 0
    for first, end in zip(ends, ends[1:]):
        new = sum(first in starts[u] and u not in model.bare for u in model.used)
        size += max(0, len(model.used) - model.spares - (end - first) - (len(model.used) - new))
    return size
