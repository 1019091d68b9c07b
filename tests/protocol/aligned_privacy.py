"""Proves rounds of protocol aligned private, from the statement of lib/protocol alone:
aligned_privacy.py BIN STATEMENT COUNT [SEED].

The statement of each of COUNT random plans is expanded into linear forms in the clients' vectors and all
random vectors. For every coalition that the plan allows, the forms that it sees are eliminated with exact
arithmetic. The result must be "private", as hagg-audit must say too, and the total must decode. Changed
statements are the controls: each kind must leak.
"""

import collections
import itertools
import json
import random
import subprocess
import sys
import tempfile

import numpy

from aligned import Aligned
from rank import rank_modulo
from report import Report

FIELD = "prime:p=101"
P = 101

# From this number of plans on, every control must leak.
ENOUGH = 20


class Plan:
    """A random plan with small numbers."""

    def __init__(self, rng):
        self.rng = rng
        while True:
            self.full = rng.random() < 0.6
            self.n_stations, self.z = rng.choice(((4, 1), (5, 1), (5, 2), (6, 1)))
            self.t = rng.choice((0, 0, 1))
            self.n_segments = rng.randint(1, 4)
            self.sets = []
            for _ in range(rng.randint(3, 4)):
                v = rng.randint(1, self.n_stations - self.z - self.t)
                self.sets.append(sorted(rng.sample(range(1, self.n_stations + 1), v + self.z + self.t)))
            self.used = sorted(set().union(*self.sets))
            if len(self.used) - 2 * self.t > self.z and len(set(map(tuple, self.sets))) > 1:
                break
        self.links = {}
        if rng.random() < 0.5:
            self.n_relays = rng.randint(1, 3)
            self.links = {u: sorted(rng.sample(range(1, self.n_relays + 1), rng.randint(1, self.n_relays)))
                          for u in range(1, self.n_stations + 1)}
        self.dealers = None
        least = (self.z if self.full else 0) + self.t + 1
        if rng.random() < 0.5:
            self.dealers = rng.sample(self.used, rng.randint(least, min(len(self.used), least + 2)))

    def text(self):
        lines = [f"field {FIELD}", "protocol aligned", f"stations {self.n_stations}", "minimum 3",
                 f"collude {'full' if self.full else 'partial'} clients=1 stations={self.z}",
                 f"drop stations={self.t}", f"segments {self.n_segments}"]
        if self.dealers:
            lines.append("dealers " + " ".join(map(str, self.dealers)))
        if self.links:
            lines.append(f"relays {self.n_relays}")
            lines += [f"station {u} via {' '.join(map(str, relays))}" for u, relays in self.links.items()]
        lines += [f"client {i + 1} via {' '.join(map(str, s))}" for i, s in enumerate(self.sets)]
        return "\n".join(lines) + "\n"


def add(form, other, factor=1):
    for variable, x in other.items():
        form[variable] = (form.get(variable, 0) + factor * x) % P


class Round:
    """All messages of a statement as forms. A variable is (kind, owner, number, element)."""

    def __init__(self, statement, tag=""):
        self.tag, self.by_id, self.messages = tag, collections.defaultdict(list), []
        self.n_chunks = max(s["cuts"][1] for s in statement["sendings"])
        self.n_segments = statement["sendings"][0]["cuts"][0]
        self.length = self.n_segments * self.n_chunks
        for s in statement["sendings"]:
            rows = [self.row(s, row) for row in s["rows"]]
            self.by_id[s["id"]].append(rows)
            self.messages.append((tuple(s["from"]), tuple(s["to"]), [f for row in rows for f in row]))

    def row(self, s, terms):
        node = tuple(s["from"])
        n = self.length // s["cuts"][0] // s["cuts"][1]
        forms = [{} for _ in range(n)]
        for of, number, row, segment, n_segments, factor in terms:
            for j, form in enumerate(forms):
                if of == "secret":
                    add(form, {("g", node, self.tag, segment * n + j): 1}, factor)
                elif of == "draw":
                    # a dealing is the same in every round that uses it
                    tag = self.tag if node[0] == "client" else ""
                    add(form, {("r", node, tag, number, row, segment * n + j): 1}, factor)
                else:
                    for rows in self.by_id[number]:
                        add(form, rows[row][segment * n + j], factor)
        return forms


def leakage(rounds, clients, colluding, nodes):
    """How many symbols the nodes and colluding clients learn beyond the sums."""
    known = set(nodes) | {("client", i) for i in colluding}
    honest = [i for i in clients if i not in colluding]
    seen = [form for r in rounds for sender, to, forms in r.messages if known & {sender, to}
            for form in forms]
    secret, noise = {}, {}
    for r in rounds:
        for i in honest:
            for j in range(r.length):
                secret[("g", ("client", i), r.tag, j)] = len(secret)
    for form in seen:
        for variable in form:
            if variable[0] == "r" and variable[1] not in known:
                noise.setdefault(variable, len(noise))
    sums = [{("g", ("client", i), r.tag, j): 1 for i in honest} for r in rounds for j in range(r.length)]
    rows = numpy.zeros((len(seen) + len(sums), len(noise) + len(secret)), dtype=numpy.int64)
    for at, form in enumerate(seen + sums):
        for variable, x in form.items():
            if variable in noise:
                rows[at, noise[variable]] = x
            elif variable in secret:
                rows[at, len(noise) + secret[variable]] = x
    of_noise = rank_modulo(rows[:, : len(noise)], P) if noise else 0
    return rank_modulo(rows, P) - of_noise - len(sums)


def worst(rounds, plan):
    clients, federator = range(1, len(plan.sets) + 1), {("federator", 1)}
    # all relays collude with the federator
    federator |= {("relay", m) for relays in plan.links.values() for m in relays}
    most = 0
    for stations in itertools.combinations(range(1, plan.n_stations + 1), plan.z):
        stations = {("station", u) for u in stations}
        sides = [federator | stations] if plan.full else [federator, stations]
        for colluding in [()] + [(i,) for i in clients]:
            for nodes in sides:
                most = max(most, leakage(rounds, clients, colluding, nodes))
    return most


def changed(statement, keep):
    """The statement without the terms of sums for which keep is false."""
    sendings = []
    masks = {s["id"]: s for s in statement["sendings"] if s["of"] == "mask"}
    for s in statement["sendings"]:
        if s["from"][0] == "station" and s["of"] != "mask":
            s = {**s, "rows": [[t for t in row if keep(s, t, masks)] for row in s["rows"]]}
        sendings.append(s)
    return {**statement, "sendings": sendings}


def controls(statement, plan):
    """Statements that must leak in some of the plans."""
    dealers = sorted({tuple(s["from"]) for s in statement["sendings"] if s["of"] == "mask"})
    enough = max(s["cuts"][1] for s in statement["sendings"]) + (plan.z if plan.full else 0)
    few = dealers[: enough - 1]
    yield "no masks", [changed(statement, lambda s, t, masks: t[1] not in masks)]
    yield "one dealer too few", [changed(
        statement, lambda s, t, masks: t[1] not in masks or tuple(masks[t[1]]["from"]) in few)]
    if plan.t:
        who = plan.sets[0][0]
        shares = {s["id"] for s in statement["sendings"] if s["from"] == ["client", 1]}
        only = {s["id"] for s in statement["sendings"] if s["from"][0] == "client"
                and s["from"] != ["client", 1]}
        yield "a station adds another set of clients", [changed(
            statement, lambda s, t, masks: s["from"] != ["station", who]
            or t[1] not in shares or t[1] in only)]
    yield "a dealing used twice", [statement, statement]


def check_total(report, statement, plan):
    """Decodes what the federator receives with the polynomials of the oracle: k sums, or summands of
    relays and the sums that others passed on."""
    a = Aligned(FIELD, dict(enumerate(plan.sets, 1)), plan.z, plan.t, plan.n_segments)
    r = Round(statement)
    received = [(s, forms) for s, (_, to, forms) in zip(statement["sendings"], r.messages)
                if to[0] == "federator"]
    sums = {a.stations[s["index"]]: forms for s, forms in received if s["kind"] == "share"}
    summands = [forms for s, forms in received if s["kind"] == "summand"]
    variables = sorted({v for _, forms in received for form in forms for v in form})
    basis = sorted({s["from"][1] for s in statement["sendings"] if s["to"][0] == "relay"}) \
        if summands else plan.rng.sample(sorted(sums), a.k)
    report.equal(len(basis), a.k, "stations to decode from")
    for chunk in range(r.n_chunks):
        for variable in variables:
            values = {u: [forms[i * r.n_chunks + chunk].get(variable, 0)
                          for i in range(len(a.intervals_of(u)))] for u, forms in sums.items()}
            found = a.summand(values, sums if summands else basis, basis)
            for forms in summands:
                found = [(x + forms[c * r.n_chunks + chunk].get(variable, 0)) % P for c, x in enumerate(found)]
            want = [int(variable[0] == "g" and variable[3] == c * r.n_chunks + chunk)
                    for c in range(plan.n_segments)]
            report.equal(found, want, f"the total in {variable}")
    return len(summands), len(sums)


def states(program, path, plan):
    """The statements with all stations and, if relays may combine only then, with as many missing as the
    plan allows."""
    missing = plan.rng.sample(plan.used, plan.t)
    for without in ([], [f"stations={','.join(map(str, missing))}"])[: 2 if plan.t and plan.links else 1]:
        output = subprocess.run([program, path, *without], capture_output=True, check=True)
        yield json.loads(output.stdout)


def main(bin_dir, statement_program, count, seed=20):
    report, leaks, relays = Report(), collections.Counter(), collections.Counter()
    rng = random.Random(int(seed))
    for index in range(int(count)):
        plan = Plan(rng)
        with report.part(f"plan {index}:\n{plan.text()}"), tempfile.NamedTemporaryFile("w") as file:
            file.write(plan.text())
            file.flush()
            statements = list(states(statement_program, file.name, plan))
            for statement in statements:
                report.equal(worst([Round(statement)], plan), 0, "leakage")
                n_summands, n_sums = check_total(report, statement, plan)
                if plan.links:
                    relays["combine"] += n_summands > 0
                    relays["pass on"] += n_sums > 0
                    relays["do both"] += n_summands > 0 and n_sums > 0
            audit = subprocess.run([f"{bin_dir}/hagg-audit", file.name], capture_output=True, check=False)
            report.equal((audit.returncode, audit.stdout[:8]), (0, b"private:"), "hagg-audit")
            for name, changes in controls(statements[0], plan):
                rounds = [Round(s, tag) for s, tag in zip(changes, ("", "again"))]
                leaks[name] += worst(rounds, plan) > 0
    with report.part("relays"):
        for name in ("combine", "pass on", "do both"):
            print(f"relays {name} in {relays[name]} rounds")
            report.check(relays[name] > 0 or int(count) < ENOUGH, f"relays never {name}")
    with report.part("controls"):
        for name in ("no masks", "one dealer too few", "a station adds another set of clients",
                     "a dealing used twice"):
            print(f"{name}: leaks in {leaks[name]} of {count} plans")
            # the third leaks in one of ten plans only
            report.check(leaks[name] > 0 or int(count) < ENOUGH, f"{name}: never leaks")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
