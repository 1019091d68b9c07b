"""Compares networks given in numbers with explicit ones: cost_numbers.py BIN COUNT [SEED [INDEX]].

Stages times multiplicities must equal the sum over all messages of all clients, for the given number of
patterns, and for the smallest and the largest possible number.
"""

import itertools
import json
import math
import random
import sys
import tempfile
from fractions import Fraction

import cost_draws
import cost_peers
import topology as language
from commands import Commands
from cost import LINKS, add_up, check_draws, read_line
from cost_aligned import AlignedModel
from cost_model import Network, rate
from prices import WORDS, Prices
from report import Report
from sharing import fewest


class Numbers:
    def __init__(self, rng):
        self.b = rng.randint(2, 7)
        self.r = rng.choice((0, 0, rng.randint(2, 6)))
        self.full = rng.random() < 0.5
        self.scheme = rng.choice(("ramp", "ramp", "additive"))
        most = min(self.b, self.r or self.b) - 1
        self.drop, self.drop_relays = 0, 0
        if self.scheme == "ramp" and rng.random() < 0.3 and most > 1:
            self.drop, self.drop_relays = rng.choice(((1, 0), (0, 1 if self.r else 0)))
        most -= 2 * (self.drop + self.drop_relays)
        z = rng.randint(0, most)
        self.z, self.z_relays = (rng.randint(0, z), 0) if self.r and self.full else (z, 0)
        if self.r:
            self.z_relays = z - self.z if self.full else rng.randint(0, z)
        self.needed = fewest(z, self.drop + self.drop_relays)
        self.reach = rng.randint(self.needed, self.b)
        self.n = rng.randint(1, 14)
        self.colluding, self.drop_clients = rng.randint(0, 3), rng.randint(0, 2)
        self.most = min(self.n, math.comb(self.b, self.reach))
        self.most_full = max(1, min(self.most, self.n // (1 + self.colluding + self.drop_clients)))
        self.given = rng.choice((None, rng.randint(1, self.most)))
        self.length = rng.choice((1, 10, 999, 2**40 + 1))

    def line(self):
        words = ["--clients", self.n, "--stations", self.b, "--reach", self.reach,
                 "--length", self.length, "--scheme", self.scheme, "--format", "json",
                 "--collude", f"{'full' if self.full else 'partial'},clients={self.colluding},"
                              f"stations={self.z},relays={self.z_relays}",
                 "--drop", f"stations={self.drop},relays={self.drop_relays},"
                           f"clients={self.drop_clients}"]
        words += ["--relays", self.r] if self.r else []
        return words + (["--patterns", self.given] if self.given else [])

    def spread_sets(self, n_patterns):
        """Different sets that have as many stations together as possible."""
        most = min(self.b, n_patterns * self.reach)
        sets = [tuple(range(first + 1, first + 1 + self.reach)) for first in
                (min(i * self.reach, most - self.reach) for i in range(math.ceil(most / self.reach)))]
        others = (s for s in itertools.combinations(range(1, most + 1), self.reach) if s not in sets)
        return sets + list(itertools.islice(others, n_patterns - len(sets)))

    def network(self, n_patterns, size):
        """Clients use that many sets in turn."""
        return self.network_of(
            list(itertools.islice(itertools.combinations(range(1, self.b + 1), size), n_patterns)))

    def network_of(self, sets):
        """Clients use these sets in turn; all stations reach all relays."""
        t = language.Topology(scheme=self.scheme, full=self.full, colluding_clients=self.colluding,
                              z=self.z, drop=self.drop, z_relays=self.z_relays,
                              drop_relays=self.drop_relays, n_stations=self.b, n_relays=self.r)
        t.links = {u: list(range(1, self.r + 1)) for u in range(1, self.b + 1)}
        t.clients = {i: language.Client(list(sets[i % len(sets)]), [sets[i % len(sets)][0]],
                                        list(sets[i % len(sets)])) for i in range(1, self.n + 1)}
        return Network(t, self.drop_clients, self.length)

    def aligned_row(self, name, n_patterns):
        net = self.network_of(self.spread_sets(n_patterns))
        model = AlignedModel(net, {i: c.via for i, c in net.clients.items()}, self.full)
        return ("aligned", name, "full" if self.full else "partial"), (
            list(model.messages()), cost_draws.aligned(model), model.masks())

    def rows(self, name, n_patterns, n_patterns_full):
        yield self.aligned_row(name, n_patterns)
        size = min(self.reach, self.r or self.reach)
        # sets limited by the number of relays: there may be fewer, which are counted but not made
        if size < self.reach and math.comb(self.b, size) < n_patterns:
            return
        net, net_full = self.network(n_patterns, size), self.network(n_patterns_full, size)
        sets = {i: c.via for i, c in net.clients.items()}
        sets_full = {i: c.via for i, c in net_full.clients.items()}
        relays = {i: list(range(1, size + 1)) for i in sets} if self.r else None
        if net.suffices(sets, False):
            yield ("c3" if self.r else "c1", name, "partial"), (
                net.client_keys(sets, relays), cost_draws.client_keys(net, sets), ())
        if net.suffices(sets, True):
            yield ("c2", name, "full"), (net_full.shared_keys(sets_full, sets_full, relays, relays),
                                         cost_draws.shared_keys(net_full, sets_full, sets_full), ())
        if n_patterns == 1:
            yield ("bare", name, "full" if self.full else "partial"), (
                net.bare(sets, self.full, relays), cost_draws.shares(net, sets, self.full), ())
        if self.r:
            net = self.network(n_patterns, self.reach)
            sets = {i: c.via for i, c in net.clients.items()}
            if net.can_reshare(sets):
                keys = cost_draws.keys(net)
                yield ("direct", name, "partial"), (
                    [*net.direct(sets), *net.keys()], [*cost_draws.direct(net, sets), *keys], ())
                yield ("transport", name, "partial"), (
                    [*net.transport(sets), *net.keys()], [*cost_draws.transport(net, sets), *keys], ())

    def expected(self):
        if self.given:
            return dict(self.rows("given", self.given, min(self.given, self.most_full)))
        found = dict(self.rows("fewest", 1, 1))
        if self.most > 1:
            found.update(self.rows("most", self.most, self.most_full))
        return found


def price_bound(numbers, prices):
    """All clients reach the same number of stations, and all relays."""
    def price(*pair):
        return Fraction(prices.links[pair])

    up = price("station", "relay" if numbers.r else "federator")
    on = min(up, price("station", "station")) if numbers.b > 1 else up
    shared = rate(numbers.reach, numbers.z)
    relayed = rate(numbers.r, numbers.z_relays) if numbers.r else 1
    bound = numbers.n * shared * price("client", "station") + max(on * shared + (up - on) * relayed, up * relayed)
    if numbers.r:
        relay_up = price("relay", "federator")
        relay_on = min(relay_up, price("relay", "relay")) if numbers.r > 1 else relay_up
        bound += relay_on * relayed + relay_up - relay_on
    return bound


def check_prices(report, numbers, prices, got, want):
    rows = {(row["name"], row["sets"], row["against"]): row["total"] for row in got["protocols"]}
    for key, (messages, *_) in want.items():
        report.equal(Fraction(rows[key]["price"]), prices.price(messages), f"{key}: price")
        report.equal(Fraction(rows[key]["symbol_price"]), prices.symbol_price(messages, got["symbol_bytes"]),
                     f"{key}: symbol price")
    report.equal(Fraction(rows["bound", "", ""]["price"]), price_bound(numbers, prices), "bound of the price")


def check_numbers(report, commands, numbers):
    prices = Prices(random.Random(f"prices of {numbers.line()}"), numbers.b, numbers.r)
    prices.nodes = {}
    given = ",".join(f"{WORDS[pair]}={value}" for pair, value in prices.links.items())
    priced = numbers.n % 2
    out, _ = commands.run("cost", *numbers.line(), *(["--price", given] if priced else []))
    got = json.loads(out)
    want = numbers.expected()
    if priced:
        check_prices(report, numbers, prices, got, want)
    rows = {(row["name"], row["sets"], row["against"]): row for row in got["protocols"]
            if "links" in row and "drawn" in row}
    # the model omits the rows whose sets it cannot make explicit
    report.check(set(want) <= set(rows), lambda: f"rows: {set(want) - set(rows)} are missing")
    for key, (messages, draws, dealt) in want.items():
        lines, row = add_up(messages), rows[key]
        check_draws(report, row, draws, dealt, key)
        report.equal(read_line(row["total"]), lines["total"], f"{key}")
        for link in LINKS.values():
            report.equal(read_line(row["links"].get(link, {"times": 0})), lines[link], f"{key}: {link}")
    others = {row["name"]: Fraction(row["total"]["times"]) for row in got["protocols"]}
    net = numbers.network(1, numbers.reach)
    report.equal(others["bound"], net.bound(), "bound")
    report.equal(others["no privacy"], numbers.n + (2 if numbers.r else 1), "no privacy")
    for name, times, _ in net.peers(got["symbol_bytes"]):
        report.equal(others[name], times, name)
    cost_peers.check(report, net, numbers.n % numbers.b == 0, got)


def main(bin_dir, count, seed=1, only=None):
    report = Report()
    for index in range(int(count)) if only is None else [int(only)]:
        rng = random.Random(f"numbers {seed} {index}")
        with tempfile.TemporaryDirectory() as work, report.part(f"seed {seed}, case {index}"):
            check_numbers(report, Commands(bin_dir, work, report), Numbers(rng))
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
