"""The messages of protocol aligned, in fractions: docs/aligned.md, and random topologies for it."""

import itertools
import math
from fractions import Fraction

from couriers import drawn_masks
from fields import field_of
from generate import FIELDS, write_list
from sharing import ceil_div, fewest

MOST_SEGMENTS = 840


class AlignedModel:
    """sets: {client: stations}. segments and dealers are the default if they are None."""

    def __init__(self, net, sets, full, segments=None, dealers=None):
        t = net.t
        self.net, self.sets, self.full = net, {i: set(e) for i, e in sets.items()}, full
        self.z, self.spares = t.z, t.drop
        self.used = sorted(set().union(*self.sets.values()))
        self.order = field_of(t.field).order
        self.parts = {i: len(e) - self.z - self.spares for i, e in self.sets.items()}
        self.segments = segments or self.default_segments()
        if self.is_possible():
            self.rows = {u: self.count_rows(u) for u in self.used}
            self.choose_masks(dealers)

    def is_possible(self):
        return (min(self.parts.values()) > 0 and len(self.used) >= fewest(self.z, self.spares)
                and self.order >= self.segments + self.net.t.n_stations)

    def default_segments(self):
        n, t = 1, self.net.t
        if min(self.parts.values()) < 1:
            return 1
        for parts in sorted(set(self.parts.values())):
            n = min(math.lcm(n, parts), MOST_SEGMENTS + 1)
        n = min(n, MOST_SEGMENTS)
        if self.order > t.n_stations:
            n = min(n, self.order - t.n_stations)
        return min(n, self.net.known_length) if self.net.known_length else n

    def count_rows(self, station):
        counts = {self.parts[i] for i, e in self.sets.items() if station in e}
        return sum(any(c % v == 0 for v in counts) for c in range(self.segments))

    def choose_masks(self, dealers):
        """The stations with most rows deal and, under partial collusion, need no masks."""
        by_rows = sorted(self.used, key=lambda u: (-self.rows[u], u))
        one_class = len({frozenset(e) for e in self.sets.values()}) == 1
        if dealers is None:
            dealers = [] if one_class else self.used if self.full else by_rows[:1 + self.spares]
        others = [u for u in by_rows if u not in dealers]
        self.dealers = dealers
        self.bare = set(others[:self.z]) if dealers and not self.full else set()
        self.chunks = len(dealers) - self.spares - (self.z if self.full else 0) if dealers else 1

    def masks(self):
        """What dealers send before the round."""
        n, length = self.segments, ceil_div(self.net.length, self.segments)
        seeds = drawn_masks(self) if self.dealers and self.net.t.computational else ()
        for dealer, u in itertools.product(self.dealers, self.used):
            if dealer != u and u in seeds:
                yield ("station", dealer), ("station", u), 0, 0, 1
            elif dealer != u and u not in self.bare:
                yield (("station", dealer), ("station", u), Fraction(self.rows[u], n * self.chunks),
                       self.rows[u] * ceil_div(length, self.chunks))

    def messages(self):
        n, length = self.segments, ceil_div(self.net.length, self.segments)
        for client, stations in self.sets.items():
            blocks = ceil_div(n, self.parts[client])
            yield from self.net.sent(client, sorted(stations), self.z, Fraction(blocks, n), blocks * length)
        yield from self.masks()
        sums = {u: (Fraction(self.rows[u], n), self.rows[u] * length) for u in self.used}
        relays, combining = self.choose_relays() if self.net.t.n_relays else ({}, ())
        for u, one in sums.items():
            yield ("station", u), ("relay", relays[u]) if relays else ("federator", 1), *one
            if relays and relays[u] not in combining:
                yield ("relay", relays[u]), ("federator", 1), *one
        for relay in combining:
            yield ("relay", relay), ("federator", 1), Fraction(1), self.net.length

    def has_stand_by(self):
        return self.spares > 0 and not self.net.t.n_relays

    def standing_by(self, missing=()):
        """Of the stations that are present, the sums of those with the fewest rows are enough."""
        present = sorted((u for u in self.used if u not in missing), key=lambda u: (self.rows[u], u))
        return present[len(self.used) - self.spares :]

    def messages_without_stand_by(self):
        for message in self.messages():
            if message[1] != ("federator", 1) or message[0][1] not in self.standing_by():
                yield message

    def choose_relays(self, missing=(), missing_relays=()):
        """By station its relay, and the relays that combine: one after the other takes all stations that are
        left and reach it, if their rows are more than a vector. None does if there are spare stations. The
        others take turns. A station has no relay if all that it reaches are missing."""
        relays, combining, n = {}, [], self.net.t.n_relays
        links = {u: [m for m in self.net.t.links[u] if m not in missing_relays] for u in self.used}
        while True:
            left = [u for u in self.used if u not in relays and u not in missing]
            rows = [sum(self.rows[u] for u in left if m in links[u]) for m in range(1, n + 1)]
            if self.spares > len(missing) or max(rows) <= self.segments:
                break
            combining.append(rows.index(max(rows)) + 1)
            relays.update({u: combining[-1] for u in left if combining[-1] in links[u]})
        for turn, u in enumerate(self.used):
            if u in left and links[u]:
                reached = self.net.t.links[u]
                first = turn % len(reached)
                relays[u] = next(m for m in reached[first:] + reached[:first] if m in links[u])
        return relays, combining


class AlignedCase:
    """The text of a random topology of protocol aligned."""

    def __init__(self, rng, index):
        spec = FIELDS[index % len(FIELDS)] if index % 3 else "m31"
        order = field_of(spec).order
        n_stations = rng.randint(3, 9)
        drop = rng.choice((0, rng.randint(0, (n_stations - 2) // 2)))
        z = rng.randint(1, n_stations - 1 - 2 * drop)
        sets = [self.choose(rng, range(1, n_stations + 1), z + drop + 1)
                for _ in range(rng.randint(1, 5))]
        if len(set().union(*sets)) < fewest(z, drop):
            sets.append(list(range(1, n_stations + 1)))
        full = rng.random() < 0.5
        lines = [f"field {spec}", f"stations {n_stations}", f"drop stations={drop} clients={rng.randint(0, 1)}",
                 f"collude {'full' if full else 'partial'} clients={rng.randint(0, 1)} stations={z}"]
        if rng.random() < 0.5:
            lines.append("protocol aligned")
        used, client = set(), 0
        # the smallest field has sums of six clients at most
        for _ in range(rng.randint(max(4, len(sets)), 12) if order > 13 else 5):
            client += rng.randint(1, 3)
            via = sets.pop() if sets else self.choose(rng, range(1, n_stations + 1), z + drop + 1)
            line, chosen = f"client {client} via {write_list(rng, via)}", via
            if rng.random() < 0.3 and len(used) >= fewest(z, drop):
                chosen = self.choose(rng, via, z + drop + 1)
                rng.shuffle(chosen)
                line += f" shares {write_list(rng, chosen)}"
            used |= set(chosen)
            lines.append(line)
        if len(used) < fewest(z, drop):
            used = set(range(1, n_stations + 1))
            lines.append(f"client {client + 1} via 1-{n_stations}")
        if rng.random() < 0.5:
            lines.append(f"segments {rng.randint(1, min(40, order - n_stations))}")
        hidden = drop + (z if full else 0)
        if rng.random() < 0.4:
            lines.append("dealers " + " ".join(
                map(str, rng.sample(sorted(used), rng.randint(hidden + 1, len(used))))))
        if rng.random() < 0.4:
            lines.append(f"length {rng.randint(1, 60)}")
        if rng.random() < 0.3 and not spec.startswith("gf"):
            lines.append("samples")
        if rng.random() < 0.4:
            n_relays = rng.randint(1, 4)
            lines.append(f"relays {n_relays}")
            lines += [f"station {u} via {' '.join(map(str, self.choose(rng, range(1, n_relays + 1), 1)))}"
                      for u in range(1, n_stations + 1)]
        self.text = "\n".join(lines) + "\n"

    @staticmethod
    def choose(rng, stations, least):
        return sorted(rng.sample(list(stations), rng.randint(least, len(stations))))
