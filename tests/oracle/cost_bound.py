"""The sharper bound of docs/theory.md section 9 by an exact simplex method: cost_bound.py BIN COUNT [SEED [INDEX]].

In small networks every constraint is written down: one for each client and each z of its stations. In larger
ones, constraints are added until none is violated. The bound must be exact in all of them.
"""

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from commands import Commands
from cost_model import rate
from report import Report
from sharing import fewest
from topology import parse

GENERATOR = os.path.join(os.path.dirname(__file__), "..", "..", "bench", "geometric_topology.py")


def solve(columns, n):
    """Maximises the total weight of the columns, which are sets of nodes 0..n-1, so that no node has more than
    1. Returns the total and the prices of the nodes. By Bland's rule, in fractions."""
    m = len(columns)
    rows = [[Fraction(int(u in column)) for column in columns] + [Fraction(int(u == v)) for v in range(n)]
            + [Fraction(1)] for u in range(n)]
    last = [Fraction(-1)] * m + [Fraction(0)] * (n + 1)
    basis = [m + u for u in range(n)]
    while True:
        entering = next((j for j in range(m + n) if last[j] < 0), None)
        if entering is None:
            return last[-1], last[m : m + n]
        _, _, leaving = min((row[-1] / row[entering], basis[i], i) for i, row in enumerate(rows)
                            if row[entering] > 0)
        pivot = rows[leaving] = [x / rows[leaving][entering] for x in rows[leaving]]
        basis[leaving] = entering
        for row in [row for i, row in enumerate(rows) if i != leaving] + [last]:
            factor = row[entering]
            if factor:
                row[:] = [x - factor * y if y else x for x, y in zip(row, pivot)]


def constraints(sets, whole, z):
    """The different sets that count, and how many of their nodes are left out: none of those in whole."""
    return {(frozenset(s), z) for s in sets if len(s) > z} | {(frozenset(s), 0) for s in whole}


def optimum(sets, z, whole=()):
    """All constraints at once."""
    sets = constraints(sets, whole, z)
    nodes = sorted(set().union(*(s for s, _ in sets)))
    columns = [frozenset(nodes.index(u) for u in s) - {nodes.index(u) for u in out}
               for s, n_out in sets for out in itertools.combinations(sorted(s), n_out)]
    total, prices = solve(columns, len(nodes))
    # the prices are feasible, and equal values prove both optimal
    assert sum(prices) == total and min(prices) >= 0
    assert all(sum(prices[u] for u in column) >= 1 for column in columns)
    return total


class Basis:
    """The simplex method with one column for each node, of which the inverse is kept. Limits of nodes are
    slightly above 1 and all different, so that it does not cycle."""

    def __init__(self, n):
        self.inverse = [{u: Fraction(1)} for u in range(n)]
        self.weights = [1 + Fraction(7919 * u % 1009, 10**9) for u in range(n)]
        self.prices = [Fraction(0)] * n
        self.columns = [None] * n  # None: a slack

    def enter(self, nodes, gain, column):
        direction = [sum((row.get(u, 0) for u in nodes), Fraction(0)) for row in self.inverse]
        step, leaving = min((w / d, i) for i, (w, d) in enumerate(zip(self.weights, direction)) if d > 0)
        pivot = {u: x / direction[leaving] for u, x in self.inverse[leaving].items()}
        for row, d in zip(self.inverse, direction):
            for u, x in pivot.items() if d else ():
                row[u] = row.get(u, 0) - d * x
        self.inverse[leaving] = pivot
        self.weights = [w - d * step for w, d in zip(self.weights, direction)]
        self.weights[leaving] = step
        for u, x in pivot.items():
            self.prices[u] += gain * x
        self.columns[leaving] = column


def optimum_step_by_step(sets, z, whole=()):
    """Only constraints that are violated. Sets that contain another set are checked in the end."""
    everything = sorted(constraints(sets, whole, z), key=lambda one: (sorted(one[0]), one[1]))
    sets = [(s, n) for s, n in everything if not any(other < s and m == n for other, m in everything)]
    nodes = sorted(set().union(*(s for s, _ in everything)))
    place = {u: i for i, u in enumerate(nodes)}
    basis = Basis(len(nodes))
    while True:
        prices = basis.prices
        rests = [sorted((place[u] for u in s), key=lambda u: prices[u])[:len(s) - n] for s, n in sets]
        least, rest = min((sum(prices[u] for u in rest), rest) for rest in rests)
        negative = min(range(len(nodes)), key=lambda u: prices[u])
        if prices[negative] < 0:
            basis.enter([negative], -prices[negative], None)
        elif least < 1:
            basis.enter(rest, 1 - least, rest)
        else:
            break
    # weights without perturbation. Both solutions are feasible, and equal values prove them optimal
    weights = [sum(row.values()) for row in basis.inverse]
    used = [(w, column) for w, column in zip(weights, basis.columns) if column]
    assert all(w >= 0 for w, _ in used)
    assert all(sum(w for w, column in used if u in column) <= 1 for u in range(len(nodes)))
    assert all(sum(sorted(prices[place[u]] for u in s)[:len(s) - n]) >= 1 for s, n in everything)
    assert sum(w for w, _ in used) == sum(prices)
    return sum(prices)


class GeometricCase:
    """Clients and 100 stations in the plane, with thousands of different links."""

    def __init__(self, n_clients):
        done = subprocess.run([sys.executable, GENERATOR, "--clients", str(n_clients), "--seed", "5"],
                              check=True, capture_output=True, text=True)
        self.topology = done.stdout

    def text(self):
        return self.topology

    def bound(self):
        t = parse(self.topology)
        sets = [c.via for c in t.clients.values()]
        return sum(rate(len(s), t.z) for s in sets) + optimum_step_by_step(sets, t.z)


class BoundCase:
    """A random network as lines of a topology."""

    def __init__(self, rng, index):
        self.small = index % 4 > 0
        self.b = rng.randint(2, 7) if self.small else rng.randint(10, 16)
        self.z = rng.randint(0, min(3, self.b - 1))
        all_computational = index % 6 == 3
        self.r = rng.choice((0, 0, rng.randint(2, 5))) if not all_computational else rng.randint(2, 5)
        self.z_relays = rng.randint(0, self.r - 1) if self.r else 0
        least = fewest(self.z, 0)
        self.sets = {i: sorted(rng.sample(range(1, self.b + 1), rng.randint(least, self.b)))
                     for i in range(1, rng.randint(2, 8 if self.small else 20) + 1)}
        self.computational = set()
        if index % 3 == 0:  # these may reach too few stations
            self.computational = {i for i in self.sets if rng.random() < (0.9 if all_computational else 0.4)}
            for i in self.computational:
                most = max(1, self.z) if all_computational else len(self.sets[i])
                self.sets[i] = sorted(rng.sample(self.sets[i], rng.randint(1, most)))
        if all_computational:
            self.computational = set(self.sets)
        self.links = {u: sorted(rng.sample(range(1, self.r + 1), 1 if all_computational else rng.randint(1, self.r)))
                      for u in range(1, self.b + 1)} if self.r else {}

    def text(self):
        lines = [f"collude partial stations={self.z} relays={self.z_relays}", f"stations {self.b}"]
        word = " computational" if len(self.computational) < len(self.sets) else ""
        if self.computational and not word:
            lines.append("privacy computational")
        lines += [f"client {i} via {' '.join(map(str, s))}{word if i in self.computational else ''}"
                  for i, s in self.sets.items()]
        if self.r:
            lines.append(f"relays {self.r}")
            lines += [f"station {u} via {' '.join(map(str, m))}" for u, m in self.links.items()]
        return "\n".join(lines) + "\n"

    def bound(self):
        best = optimum if self.small else optimum_step_by_step
        others = set(self.sets) - self.computational
        clients = len(self.computational) + sum(rate(len(self.sets[i]), self.z) for i in others)
        stations = best([self.sets[i] for i in others], self.z, [self.sets[i] for i in self.computational])
        if not self.r:
            return clients + stations
        reached = {i: set().union(*(self.links[u] for u in s)) for i, s in self.sets.items()}
        for i in self.computational:
            if len(self.sets[i]) <= self.z:  # its courier reaches all stations
                reached[i] = set(range(1, self.r + 1))
        whole = [reached[i] for i in self.computational]
        rest = [reached[i] for i in others]
        relays = best(rest, self.z_relays, whole) if whole or any(len(m) > self.z_relays for m in rest) else 0
        return clients + max(stations, relays) + relays


def check(report, commands, case):
    commands.write("network", case.text().encode())
    out, _ = commands.run("cost", "--only", "bound,sharper", "--format", "json", "network")
    got = json.loads(out)
    rows = {row["name"]: Fraction(row["total"]["times"]) for row in got["protocols"]}
    value, = got["parameters"]
    want = case.bound()
    report.equal(rows["sharper"], want, "sharper bound")
    report.equal((Fraction(value["least"]), Fraction(value["most"])), (want, want), "range")
    report.check(rows["sharper"] >= rows["bound"], "the sharper bound is below the other one")


def main(bin_dir, count, seed=1, only=None):
    report = Report()
    for index in range(int(count)) if only is None else [int(only)]:
        rng = random.Random(f"bound {seed} {index}")
        with tempfile.TemporaryDirectory() as work, report.part(f"seed {seed}, case {index}"):
            check(report, Commands(bin_dir, work, report), BoundCase(rng, index))
    if only is None:
        with tempfile.TemporaryDirectory() as work, report.part("geometric"):
            check(report, Commands(bin_dir, work, report), GeometricCase(2000))
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
