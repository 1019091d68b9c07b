"""Compares hagg-cost with exact fractions for shares that are sent in part: cost_staircase.py BIN COUNT [SEED [INDEX]].

Random plans of protocol keys with scheme staircase, without relays, with relays that pass shares on and with
relays that have sharings of their own, and networks given in numbers. The worst case of a sum is found by trying
every order in which holders can fail. At last hagg-plan must not choose staircase where ramp has fewer symbols.
"""

import functools
import itertools
import json
import math
import random
import sys
import tempfile
from fractions import Fraction

from commands import Commands
from cost import LINKS, add_up, parse, read_line
from report import Report
from sharing import ceil_div


class Staircase:
    """A sharing: a share has `symbols` symbols, and h holders need the first need(h) of each."""

    def __init__(self, n, k, z, missing):
        self.n, self.k, self.z = n, k, z
        self.widths = [n - m for m in missing if n - m > k] + [k]
        self.symbols = math.lcm(*(h - z for h in self.widths[:-1]))
        self.parts = self.symbols * (k - z)

    def width(self, present):
        return max(h for h in self.widths if h <= present)

    def need(self, present):
        return self.parts // (self.width(present) - self.z)


@functools.lru_cache(maxsize=None)
def worst_of_sum(n, k, z, missing, reshared):
    """The most symbols that the holders of a sum have sent, after at most n - k of them have failed, each after
    all had sent what was required. With resharing only as many send as are needed, the first ones present."""
    s = Staircase(n, k, z, missing)

    def send(sent, present):
        sending = present[:s.width(len(present))] if reshared else present
        return tuple(max(have, s.need(len(present))) if i in sending else have for i, have in enumerate(sent))

    def most(sent, present):
        sent = send(sent, present)
        if len(present) == k:
            return sent
        return max((most(sent, [i for i in present if i != lost]) for lost in present), key=sum)

    return sorted(most((0,) * n, list(range(n))))


class Model:
    """The messages of a plan: with everybody there, and in the worst case."""

    def __init__(self, topology, missing, length, worst):
        self.t, self.missing, self.worst = topology, missing, worst
        self.length = length + topology.samples
        self.messages = []

    def sharing(self, tier, n):
        t = self.t
        z, drop = t.tiers[tier] if t.transform else (t.colluders, t.spares)
        return Staircase(n, n - drop, z, self.missing)

    def add(self, link, rows, *cuts):
        length = self.length
        for parts in cuts:
            length = ceil_div(length, parts)
        ends = next(ends for ends, name in LINKS.items() if name == link)
        self.messages.append((*((tier, 0) for tier in ends), Fraction(rows, math.prod(cuts)), rows * length))

    def amounts(self, s, reshared):
        """Symbols that each holder sends of its share of a sum."""
        passed_on = self.t.n_relays and not self.t.transform
        if not self.worst:
            return [s.need(s.n)] * (s.width(s.n) if reshared else s.n)
        if passed_on:
            return [s.symbols] * s.n
        return worst_of_sum(s.n, s.k, s.z, self.missing, reshared)

    def side(self, sets, relays):
        """Shares of all clients, and everything that is made of them."""
        for stations in sets.values():
            s = self.sharing(0, len(stations))
            for _ in stations:
                self.add("clients to stations", s.symbols, s.parts)
        ways = {(tuple(sets[i]), tuple(relays[i]) if relays else None) for i in sets}
        kept = set()
        for stations, through in ways:
            s = self.sharing(0, len(stations))
            if not self.t.transform:
                for rows in self.amounts(s, False):
                    self.add("stations to relays" if through else "stations to federator", rows, s.parts)
                kept.add((through, None))
                continue
            new = self.sharing(1, len(through))
            for rows, _ in itertools.product(self.amounts(s, True), through):
                self.add("stations to relays", rows * new.symbols, s.parts, new.parts)
            kept.add((through, s.parts))
        for through, old in kept - {(None, None)}:
            s = self.sharing(1 if self.t.transform else 0, len(through))
            for rows in self.amounts(s, False):
                cuts = (old, s.parts) if old else (s.parts,)
                self.add("relays to federator", rows * (old or 1), *cuts)

    def keys_in_clear(self, clients):
        first = min(c.key_station for c in clients.values())
        for _ in clients:
            self.add("clients to stations", 1, 1)
        for _ in range(first, self.t.n_stations):
            self.add("station to station", 1, 1)
        for link in ("stations to relays", "relays to federator") if self.t.n_relays else ("stations to federator",):
            self.add(link, 1, 1)

    def round(self):
        clients = self.t.clients
        relayed = bool(self.t.n_relays)
        self.side({i: c.shares for i, c in clients.items()},
                  {i: c.relays for i, c in clients.items()} if relayed else None)
        if self.t.full:
            self.side({i: c.keys for i, c in clients.items()},
                      {i: c.key_relays for i, c in clients.items()} if relayed else None)
        else:
            self.keys_in_clear(clients)
        return add_up(self.messages)


class Case:
    """A random network, and a scheme for it."""

    def __init__(self, rng):
        self.kind = rng.choice(("stations", "stations", "passed on", "reshared"))
        self.drop, self.drop_relays = rng.randint(1, 2), 0
        self.z, self.z_relays = rng.randint(0 if self.kind == "stations" else 1, 1), 0
        self.full = rng.random() < 0.4
        if self.kind != "stations":
            self.z_relays, self.drop, self.drop_relays = 1, 1, rng.randint(self.kind == "reshared", 1)
        z, spares = self.z, self.drop
        if self.kind == "passed on":
            z = self.z + self.z_relays if self.full else max(self.z, self.z_relays)
            spares += self.drop_relays
        least = z + 2 * spares + 1
        self.b = least + rng.randint(0, 2)
        self.r = 0 if self.kind == "stations" else max(least, self.z_relays + 2 * self.drop_relays + 1)
        self.r += rng.randint(0, 1) if self.r else 0
        most = min(spares, self.drop_relays) if self.kind == "reshared" else spares
        self.missing = rng.choice([(0,)] + [m for m in ((0, 1), (1,)) if m[-1] < most])
        self.n = rng.randint(2, 6)
        self.reach = [sorted(rng.sample(range(1, self.b + 1), rng.randint(least, self.b))) for _ in range(self.n)]
        if self.full:  # other reaches may have no private plan
            self.reach = [list(range(1, self.b + 1))] * self.n
        self.length = rng.choice((1, 24, 1000, 2**33 + 1))

    @property
    def scheme(self):
        return "staircase" if self.missing == (0,) else "staircase:missing=" + ".".join(map(str, self.missing))

    def text(self):
        lines = [f"stations {self.b}", "protocol keys", f"scheme {self.scheme}",
                 f"collude {'full' if self.full else 'partial'} stations={self.z} relays={self.z_relays}",
                 f"drop stations={self.drop} relays={self.drop_relays}", f"length {self.length}"]
        if self.r:
            lines += [f"relays {self.r}", f"station 1-{self.b} via 1-{self.r}"]
        lines += [f"client {i + 1} via {' '.join(map(str, reach))}" for i, reach in enumerate(self.reach)]
        return "\n".join(lines) + "\n"


def compare(report, got, name, sets, lines):
    row = next((r for r in got["protocols"] if (r["name"], r["sets"]) == (name, sets)), None)
    if not report.check(row is not None, f"no row {name!r} of {sets!r}"):
        return
    report.equal(read_line(row["total"]), lines["total"], name)
    for link in LINKS.values():
        report.equal(read_line(row["links"].get(link, {"times": 0})), lines[link], f"{name}: {link}")


def check_plan(report, commands, case):
    commands.write("net", case.text().encode())
    transform = "always" if case.kind == "reshared" else "never"
    commands.run("plan", "--effort", 1, "--transform", transform, "-o", "plan", "net")
    with open(commands.path("plan"), encoding="utf-8") as file:
        topology, _, _ = parse(file.read())
    got = json.loads(commands.run("cost", "--format", "json", "plan")[0])
    for worst in (False, True):
        lines = Model(topology, case.missing, case.length, worst).round()
        compare(report, got, "plan worst case" if worst else "plan", "chosen", lines)


def check_numbers(report, commands, case):
    """All clients reach the same stations, and stations all relays: one pattern."""
    words = ["--clients", case.n, "--stations", case.b, "--scheme", case.scheme, "--length", case.length,
             "--collude", f"{'full' if case.full else 'partial'},stations={case.z},relays={case.z_relays}",
             "--drop", f"stations={case.drop},relays={case.drop_relays}", "--patterns", 1, "--format", "json"]
    words += ["--relays", case.r] if case.r else []
    got = json.loads(commands.run("cost", *words)[0])
    sets = f"1-{case.b}" if case.kind != "passed on" else f"1-{min(case.b, case.r)}"
    relays = f"1-{case.r if case.kind == 'reshared' else min(case.b, case.r)}"
    through = f" relays {relays}" if case.r else ""
    keys = f" keys {sets}" + (f" key-relays {relays}" if case.r else "") if case.full else " keys 1"
    text = "\n".join(line for line in case.text().splitlines() if not line.startswith("client"))
    text += f"\nclient 1-{case.n} via 1-{case.b} shares {sets}{through}{keys}\n"
    text += "transform direct\n" if case.kind == "reshared" else ""
    topology, _, _ = parse(text)
    name = "direct" if case.kind == "reshared" else "c2" if case.full else "c3" if case.r else "c1"
    got["protocols"] = [r for r in got["protocols"] if r["against"] == ("full" if case.full else "partial")]
    for worst in (False, True):
        compare(report, got, f"{name} worst case" if worst else name, "given",
                Model(topology, case.missing, case.length, worst).round())


def check_choice(report, commands, case):
    """Without a scheme line hagg-plan keeps the scheme with fewer symbols, or ramp."""
    text = "\n".join(line for line in case.text().splitlines() if not line.startswith("scheme")) + "\n"
    symbols = {}
    for scheme in ("", "ramp", "staircase"):
        commands.write("net", (text + (f"scheme {scheme}\n" if scheme else "")).encode())
        commands.run("plan", "--effort", 1, "-q", "-o", f"plan-{scheme}", "net")
        got = json.loads(commands.run("cost", "--format", "json", "--only", "plan", f"plan-{scheme}")[0])
        symbols[scheme] = got["protocols"][0]["total"]["symbols"]
    report.equal(symbols[""], min(symbols["ramp"], symbols["staircase"]), "symbols of the chosen scheme")
    with open(commands.path("plan-"), encoding="utf-8") as file:
        chosen = next(line.split()[1] for line in file if line.startswith("scheme"))
    report.equal(chosen, "staircase" if symbols["staircase"] < symbols["ramp"] else "ramp", "scheme")
    return chosen


# From this number of networks on, both schemes must have been chosen.
ENOUGH = 30


def main(bin_dir, count, seed=1, only=None):
    report, chosen = Report(), set()
    for index in range(int(count)) if only is None else [int(only)]:
        rng = random.Random(f"staircase {seed} {index}")
        with tempfile.TemporaryDirectory() as work, report.part(f"seed {seed}, network {index}"):
            commands, case = Commands(bin_dir, work, report), Case(rng)
            check_plan(report, commands, case)
            check_numbers(report, commands, case)
            if index % 3 == 0:
                chosen.add(check_choice(report, commands, case))
    if only is None and int(count) >= ENOUGH:
        report.equal(chosen, {"ramp", "staircase"}, "schemes chosen in all networks together")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
