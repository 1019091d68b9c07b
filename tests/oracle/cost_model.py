"""The messages of a network under each protocol, in fractions: theory.md sections 4, 5, 7 and 8.

Everything is one list of messages (sender, receiver, fraction of the vector, symbols), with a 1 at the end for
seeds. Totals, links and loads are sums over it.
"""

import copy
import itertools
from dataclasses import dataclass
from fractions import Fraction

import couriers
from graph import is_private
from sharing import ceil_div, fewest


def rate(m, z):
    return Fraction(m, m - z)


@dataclass
class Sharing:
    """k, z and parts of a sharing among n."""
    n: int
    k: int
    z: int
    parts: int


def sharing(scheme, n, z, spares):
    if scheme == "additive":
        return Sharing(n, n, n - 1, 1)
    return Sharing(n, n - spares, z, n - spares - z)


class Network:
    """A parsed topology. The kind of collusion is an argument, so that both kinds can be compared."""

    def __init__(self, topology, drop_clients, length):
        self.t, self.drop_clients = topology, drop_clients
        self.length = length + topology.samples
        self.known_length = self.length  # 0 if segments do not depend on it
        self.clients = topology.clients

    def colluders(self, full):
        t = self.t
        if not t.n_relays:
            return t.z
        return t.z + t.z_relays if full else max(t.z, t.z_relays)

    def suffices(self, sets, full):
        return all(len(s) >= fewest(self.colluders(full), self.t.spares) for s in sets.values())

    def share(self, n, full):
        return sharing(self.t.scheme, n, self.colluders(full), self.t.spares)

    def has_seeds(self):
        return any(c.computational for c in self.clients.values())

    def with_seeds(self):
        """The same network with privacy computational."""
        other = copy.copy(self)
        other.t = copy.copy(self.t)
        other.t.computational = True
        other.clients = {i: copy.copy(c) for i, c in self.clients.items()}
        for client in other.clients.values():
            client.computational = True
        return other

    def sent(self, number, stations, z, times, symbols):
        """Shares of a client: seeds, and those that its courier passes on, twice."""
        client = self.clients[number]
        seeds = couriers.seeds(client, stations, z)
        for u in stations:
            size = (0, 0, 1) if u in seeds else (times, symbols)
            if u in client.via:
                yield ("client", number), ("station", u), *size
            else:
                yield ("client", number), ("station", client.via[0]), *size
                yield ("station", client.via[0]), ("station", u), *size

    def whole(self, sender, receiver):
        return (sender, receiver, Fraction(1), self.length)

    def shares(self, sets, full):
        """What clients send if they share over sets[client]."""
        for number, stations in sets.items():
            s = self.share(len(stations), full)
            yield from self.sent(number, stations, s.z, Fraction(1, s.parts), ceil_div(self.length, s.parts))

    def sums(self, sets, full, relays=None):
        """One sum per pattern and, with relays, one per pattern of relays."""
        ways = {(tuple(sets[i]), tuple(relays[i]) if relays else None) for i in sets}
        for stations, through in ways:
            s = self.share(len(stations), full)
            one = (Fraction(1, s.parts), ceil_div(self.length, s.parts))
            for j, u in enumerate(stations):
                yield ("station", u), ("relay", through[j]) if through else ("federator", 1), *one
        for through in {way[1] for way in ways} - {None}:
            s = self.share(len(through), full)
            for r in through:
                yield (("relay", r), ("federator", 1), Fraction(1, s.parts),
                       ceil_div(self.length, s.parts))

    def key_relay(self):
        return self.t.links[self.t.n_stations][0]

    def chain(self, first=1):
        """Complete vectors from station to station, and their total to the federator."""
        last = self.t.n_stations
        for u in range(first, last):
            yield self.whole(("station", u), ("station", u + 1))
        if self.t.n_relays:
            yield self.whole(("station", last), ("relay", self.key_relay()))
            yield self.whole(("relay", self.key_relay()), ("federator", 1))
        else:
            yield self.whole(("station", last), ("federator", 1))

    def keys(self, first=1):
        for number, client in self.clients.items():
            # a plan for full collusion has no stations for whole keys, so they are the default
            station = client.via[0] if self.t.full else client.key_station
            key = self.whole(("client", number), ("station", station))
            yield (*key[:2], 0, 0, 1) if client.computational else key
        yield from self.chain(first)

    def client_keys(self, sets, relays=None, first=1):
        return [*self.shares(sets, False), *self.sums(sets, False, relays), *self.keys(first)]

    def shared_keys(self, sets, key_sets, relays=None, key_relays=None):
        return [*self.shares(sets, True), *self.sums(sets, True, relays),
                *self.shares(key_sets, True), *self.sums(key_sets, True, key_relays)]

    def bare(self, sets, full, relays=None):
        return [*self.shares(sets, full), *self.sums(sets, full, relays)]

    # relays with sharings of their own

    def common(self, stations):
        return tuple(sorted(set.intersection(*(set(self.t.links[u]) for u in stations))))

    def own(self, tier, n):
        """The sharing of one tier, with its own z and spares."""
        t = self.t
        return sharing(t.scheme, n, *((t.z, t.drop) if tier == 0 else (t.z_relays, t.drop_relays)))

    def can_reshare(self, sets):
        t = self.t
        return all(len(s) >= fewest(*t.tiers[0]) and len(self.common(s)) >= fewest(*t.tiers[1])
                   for s in sets.values())

    def own_shares(self, sets):
        for number, stations in sets.items():
            s = self.own(0, len(stations))
            yield from self.sent(number, stations, s.z, Fraction(1, s.parts), ceil_div(self.length, s.parts))

    def direct(self, sets, through=None):
        """Shares of shares from k stations to all relays; then sums by relays and number of parts. The
        relays are through[client], or all that the stations have in common."""
        yield from self.own_shares(sets)
        patterns = {tuple(s): tuple(through[i]) if through else self.common(s)
                    for i, s in sets.items()}
        kept = {}
        for stations, relays in patterns.items():
            old, new = self.own(0, len(stations)), self.own(1, len(relays))
            symbols = ceil_div(ceil_div(self.length, old.parts), new.parts)
            for u, r in itertools.product(stations[:old.k], relays):
                yield ("station", u), ("relay", r), Fraction(1, old.parts * new.parts), symbols
            kept[relays, old.parts] = Fraction(1, new.parts), old.parts * symbols
        for (relays, _), one in kept.items():
            for r in relays:
                yield ("relay", r), ("federator", 1), *one

    def transport(self, sets):
        yield from self.own_shares(sets)
        patterns = {tuple(s) for s in sets.values()}
        for stations in patterns:
            relays = self.common(stations)
            old, new = self.own(0, len(stations)), self.own(1, len(relays))
            pieces = len(relays) - new.z
            one = (Fraction(1, new.parts * pieces),
                   ceil_div(ceil_div(self.length, new.parts), pieces))
            for _, u, r in itertools.product(relays, stations[:old.k], relays):
                yield ("station", u), ("relay", r), *one
            for r, target in itertools.permutations(relays, 2):
                yield ("relay", r), ("relay", target), *one
        for relays in {self.common(s) for s in patterns}:
            new = self.own(1, len(relays))
            for r in relays:
                yield (("relay", r), ("federator", 1), Fraction(1, new.parts),
                       ceil_div(self.length, new.parts))

    # what all of them are compared with

    def bound(self):
        """A client with computational privacy must send its vector once, and so must its stations and relays."""
        t = self.t
        rates = [1 if c.computational else rate(len(c.via), t.z) for c in self.clients.values()]
        if not t.n_relays:
            return sum(rates) + max(rates)
        through = [1] if self.has_seeds() else []
        for client in self.clients.values():
            n = len({r for u in client.via for r in t.links[u]})
            if not client.computational and n > t.z_relays:
                through.append(rate(n, t.z_relays))
        return sum(rates) + max(through, default=0) + max(through + rates)

    def peers(self, symbol_bytes):
        n, missing = len(self.clients), self.drop_clients
        z = max(self.t.colluding_clients, self.t.z)
        if z + missing < n:
            parts = n - z - missing
            yield "swiftagg+", Fraction(n * n, parts), n * n * ceil_div(self.length, parts)
            yield ("lightsecagg", n + Fraction(n * (n - 1) + n - missing, parts),
                   n * self.length + (n * (n - 1) + n - missing) * ceil_div(self.length, parts))
        keys = n * (7 * n - 4) * ceil_div(256, 8 * symbol_bytes)
        yield "bonawitz", n + Fraction(keys, self.length), n * self.length + keys

    def is_private(self, sets, key_sets):
        edges = [(tuple(sets[i]), tuple(key_sets[i])) for i in sets]
        return is_private(edges, self.t.colluding_clients + self.drop_clients)
