"""Checks what hagg-audit says about plans with seeds, from the statement of lib/protocol alone:
seeds_privacy.py BIN STATEMENT COUNT [SEED].

Of COUNT random plans of protocol aligned, every message of every client is expanded into linear forms. A
coalition of unlimited computing power also sees every seed that is sent. For every coalition that the plan
allows, the clients that hagg-audit does not list as information-theoretic against it count as colluding;
exact elimination must then find nothing but the sum of the others. Where it lists a coalition as one that
must be limited, something must be learnt with the seeds. What random coalitions learn with all seeds must be
what hagg-audit --colluders reports.
"""

import fractions
import itertools
import json
import random
import subprocess
import sys
import tempfile

import numpy

from aligned_privacy import FIELD, P, Round
from rank import rank_modulo
from report import Report


class Plan:
    """A random plan with small numbers, in which some clients send seeds."""

    def __init__(self, rng):
        self.full = rng.random() < 0.6
        self.n_stations, self.z, self.t = rng.choice(((3, 1, 0), (4, 1, 1), (4, 2, 0), (5, 1, 1)))
        self.n_segments = rng.randint(1, 3)
        self.all = rng.random() < 0.2
        self.colluding = rng.randint(0, 1)
        self.clients = []
        for _ in range(rng.randint(3, 5)):
            enough = self.z + 2 * self.t + 1
            few = rng.random() < 0.3
            n = rng.randint(1, self.z + self.t) if few else rng.randint(enough, self.n_stations)
            reached = range(1, n + 1) if rng.random() < 0.5 else rng.sample(range(1, self.n_stations + 1), n)
            self.clients.append((sorted(reached), few or rng.random() < 0.4))
        if not any(seeds for _, seeds in self.clients):
            self.clients[0] = (self.clients[0][0], True)

    def text(self):
        lines = [f"field {FIELD}", "protocol aligned", f"stations {self.n_stations}",
                 f"collude {'full' if self.full else 'partial'} clients={self.colluding} stations={self.z}",
                 f"drop stations={self.t}", f"segments {self.n_segments}"]
        lines += ["privacy computational"] * self.all
        lines += [f"client {i} via {' '.join(map(str, reached))}{' computational' if seeds else ''}"
                  for i, (reached, seeds) in enumerate(self.clients, 1)]
        return "\n".join(lines) + "\n"

    def sides(self):
        """The nodes of coalitions: any stations, with or without the federator."""
        for n in range(self.z + 1):
            for stations in itertools.combinations(range(1, self.n_stations + 1), n):
                yield set(stations), False
                if self.full or not stations:
                    yield set(stations), True


class Observer:
    """The messages of a statement, and which of them are seeds that are sent."""

    def __init__(self, statement):
        self.round = Round(statement)
        self.seeds = [s["seed"] and s["from"] != s["to"] for s in statement["sendings"]]
        self.clients = sorted({s["from"][1] for s in statement["sendings"] if s["from"][0] == "client"})

    def learns(self, stations, federator, colluding, unlimited=True):
        """Which part of a vector the coalition learns beyond the sum of honest clients, if it may learn
        that."""
        known = {("station", u) for u in stations} | {("client", i) for i in colluding}
        known |= {("federator", 1)} if federator else set()
        honest = [i for i in self.clients if i not in colluding]
        forms = [f for (sender, to, forms), seed in zip(self.round.messages, self.seeds)
                 if known & {sender, to} or (seed and unlimited) for f in forms]
        length = self.round.length
        secret = {("g", ("client", i), "", j): at for at, (i, j)
                  in enumerate(itertools.product(honest, range(length)))}
        noise = {}
        for form in forms:
            for variable in form:
                if variable[0] == "r" and variable[1] not in known:
                    noise.setdefault(variable, len(noise))
        sums = [{("g", ("client", i), "", j): 1 for i in honest} for j in range(length)]
        sums = sums if federator and len(honest) > 1 else []
        rows = numpy.zeros((len(forms) + len(sums), len(noise) + len(secret)), dtype=numpy.int64)
        for at, form in enumerate(forms + sums):
            for variable, x in form.items():
                if variable in noise:
                    rows[at, noise[variable]] = x
                elif variable in secret:
                    rows[at, len(noise) + secret[variable]] = x
        if not rows.size:
            return fractions.Fraction(0)
        of_noise = rank_modulo(rows[:, : len(noise)], P) if noise else 0
        return fractions.Fraction(int(rank_modulo(rows, P) - of_noise - len(sums)), length)


def numbers(ranges):
    return {n for first, last in ranges for n in range(first, last + 1)}


def audit(bin_dir, path, *options):
    output = subprocess.run([f"{bin_dir}/hagg-audit", "--json", *options, path], capture_output=True, check=False)
    return json.loads(output.stdout)


def check_claims(report, plan, observer, privacy):
    """Returns how many claims held, and how many coalitions learn something with seeds as they should."""
    n_claims = n_leaks = 0
    kinds = privacy["computational"]
    listed = [i for kind in [privacy["information_theoretic"]] + [k["clients"] for k in kinds]
              for i in numbers(kind)]
    report.equal(sorted(listed), observer.clients, "each client is listed once")
    for stations, federator in plan.sides():
        broken = set()
        for kind in kinds:
            if numbers(kind["stations"]) & stations or (federator and kind["federator"]):
                broken |= numbers(kind["clients"])
        for colluding in [()] + [(i,) for i in observer.clients] * plan.colluding:
            others = broken | set(colluding)
            if len(observer.clients) - len(others) >= (2 if federator else 1):
                report.equal(observer.learns(stations, federator, others), 0,
                             f"stations {stations}, federator {federator}, with {others}")
                n_claims += 1
    for kind in kinds:
        who = min(numbers(kind["clients"]))
        for station in numbers(kind["stations"]):
            others = [i for i in observer.clients if i != who]
            report.check(observer.learns({station}, False, others) > 0, f"station {station} and client {who}")
            report.equal(observer.learns({station}, False, others, unlimited=False), 0,
                         f"station {station} and client {who}, without seeds")
            n_leaks += 1
    return n_claims, n_leaks


def check_coalition(report, bin_dir, path, plan, observer, rng):
    """Compares what one coalition learns with all seeds."""
    stations, federator = rng.choice(list(plan.sides()))
    colluding = rng.sample(observer.clients, rng.randint(0, 1))
    if not (stations or federator or colluding):
        return 0
    who = [f"stations={','.join(map(str, stations))}"] * bool(stations)
    who += [f"clients={i}" for i in colluding] + ["federator"] * federator
    found = audit(bin_dir, path, "--colluders", ",".join(who))["with_seeds"]
    learnt = fractions.Fraction(found["rank"], found["parts"])
    report.equal(learnt, observer.learns(stations, federator, colluding), f"with all seeds, {who}")
    return int(learnt > 0)


def main(bin_dir, statement_program, count, seed=24):
    report, rng = Report(), random.Random(int(seed))
    n_plans = n_claims = n_leaks = n_coalitions = 0
    while n_plans < int(count):
        plan = Plan(rng)
        with report.part(f"plan {n_plans}:\n{plan.text()}"), tempfile.NamedTemporaryFile("w") as file:
            file.write(plan.text())
            file.flush()
            output = subprocess.run([statement_program, file.name], capture_output=True, check=False)
            if output.returncode:
                continue
            observer = Observer(json.loads(output.stdout))
            found = audit(bin_dir, file.name)
            report.equal(found["private"], True, "the verdict")
            claims, leaks = check_claims(report, plan, observer, found["privacy"])
            n_claims, n_leaks, n_plans = n_claims + claims, n_leaks + leaks, n_plans + 1
            for _ in range(4):
                n_coalitions += check_coalition(report, bin_dir, file.name, plan, observer, rng)
    report.check(n_leaks >= n_plans and n_coalitions > 0, "coalitions learn something with seeds")
    print(f"{n_plans} plans, {n_claims} claims, {n_leaks} computed shares and {n_coalitions} coalitions that leak")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
