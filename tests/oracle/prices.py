"""Prices of a network: draws them, and adds up what messages cost."""

import itertools
from fractions import Fraction

WORDS = {
    ("client", "station"): "clients-stations",
    ("station", "station"): "stations",
    ("station", "relay"): "stations-relays",
    ("relay", "relay"): "relays",
    ("station", "federator"): "stations-federator",
    ("relay", "federator"): "relays-federator",
}
VALUES = ("0", "1", "3", "0.1", "0.25", "2.5", "1/3", "5/6", "100")
SEED_BYTES = 32


def solve(rows):
    """The solution of linear equations, each a list of coefficients and the right side; None if not unique."""
    rows, n = [list(row) for row in rows], len(rows)
    for i in range(n):
        pivot = next((k for k in range(i, n) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i])]
    return [row[n] for row in rows]


def spread(prices, z, known={}):
    """The least price of amounts whose sum is at least 1 whichever z of them are left out: the best vertex of the
    linear program, among all of them. With more than 4 nodes they are too many; then of those with equal amounts."""
    prices, n = tuple(sorted(prices)), len(prices)
    if n <= z:
        return None
    if n > 4:
        return min(sum(prices[:k]) / (k - z) for k in range(z + 1, n + 1))
    if (prices, z) in known:
        return known[prices, z]
    limits = [([Fraction(u not in left_out) for u in range(n)], Fraction(1))
              for left_out in itertools.combinations(range(n), z)]
    limits += [([Fraction(u == v) for u in range(n)], Fraction(0)) for v in range(n)]
    found = []
    for tight in itertools.combinations(limits, n):
        x = solve([[*row, right] for row, right in tight])
        if x and all(sum(a * b for a, b in zip(row, x)) >= right for row, right in limits):
            found.append(sum(p * v for p, v in zip(prices, x)))
    known[prices, z] = min(found)
    return known[prices, z]


class Prices:
    def __init__(self, rng, n_stations, n_relays):
        self.n_stations, self.n_relays = n_stations, n_relays
        self.links = {pair: "1" for pair in WORDS if self.exists(pair)}
        self.nodes = {}
        for pair in self.links:
            if rng.random() < 0.7:
                self.links[pair] = rng.choice(VALUES)
        given = [f"{WORDS[pair]}={value}" for pair, value in self.links.items() if value != "1" or rng.random() < 0.5]
        rng.shuffle(given)
        self.lines = ["price " + " ".join(given)] if given else []
        for tier, n in (("station", n_stations), ("relay", n_relays)):
            for number in range(1, n + 1):
                if rng.random() < 0.4:
                    pays = self.nodes[tier, number] = rng.choice(VALUES), rng.choice(VALUES)
                    self.lines.append(f"price {tier} {number} send={pays[0]} receive={pays[1]}")
        if not self.lines:
            self.lines = ["price stations=1"]

    def exists(self, pair):
        return pair[0] == "client" or pair == ("station", "station") or (self.n_relays > 0) == ("relay" in pair)

    def hop(self, sender, receiver):
        pays = self.nodes.get(sender, "00")[0], self.nodes.get(receiver, "00")[1]
        return Fraction(self.links[sender[0], receiver[0]]) + Fraction(pays[0]) + Fraction(pays[1])

    def price(self, messages):
        return sum((times * self.hop(sender, receiver) for sender, receiver, times, *_ in messages), Fraction(0))

    def symbol_price(self, messages, symbol_bytes):
        return sum(((symbols + Fraction(SEED_BYTES * sum(seeds), symbol_bytes)) * self.hop(sender, receiver)
                    for sender, receiver, _, symbols, *seeds in messages), Fraction(0))

    def bound(self, net):
        """The lower bound of docs/theory.md, section 9."""
        t = net.t
        stations = [("station", u) for u in range(1, t.n_stations + 1)]
        relays = [("relay", m) for m in range(1, t.n_relays + 1)]
        federator = ("federator", 1)
        up = {u: min(self.hop(u, ("relay", m)) for m in t.links[u[1]]) if relays else self.hop(u, federator)
              for u in stations}
        on = {u: min([up[u]] + [self.hop(u, other) for other in stations if other != u]) for u in stations}
        relay_up = {m: self.hop(m, federator) for m in relays}
        relay_on = {m: min([relay_up[m]] + [self.hop(m, other) for other in relays if other != m]) for m in relays}
        least_send = min(Fraction(self.nodes.get(u, "00")[0]) for u in stations)
        into = {m: Fraction(self.links["station", "relay"]) + least_send + Fraction(self.nodes.get(m, "00")[1])
                for m in relays}
        clients, sent, received, n_received, relays_sent = [[Fraction(0)] for _ in range(5)]
        for c in net.clients.values():
            weak = c.computational
            z, z_relays = (0, 0) if weak else (t.z, t.z_relays)
            via = [("station", u) for u in c.via]
            reached = [m for m in relays if weak or any(m[1] in t.links[u] for u in c.via)]
            clients.append(spread([self.hop(("client", 1), u) for u in via], z) or 0)
            sent.append(spread([on[u] for u in via], z) or 0)
            received.append(spread([into[m] for m in reached], z_relays) or 0)
            n_received.append(spread([Fraction(1)] * len(reached), z_relays) or 0)
            relays_sent.append(spread([relay_on[m] for m in reached], z_relays) or 0)
        more = min(up[u] - on[u] for u in stations)
        if not relays:
            return sum(clients) + max(max(sent) + more, min(up.values()))
        return (sum(clients) + max(max(sent) + more * max(n_received), max(received)) + max(relays_sent) +
                min(relay_up[m] - relay_on[m] for m in relays))
