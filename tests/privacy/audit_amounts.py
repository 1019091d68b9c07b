"""Checks whose vectors hagg-audit says are affected, and how much of each: audit_amounts.py BIN.

The amounts are computed again, by rank: from the forms that --json lists, for many plans and coalitions,
and for plans whose relays have sharings of their own also from the forms of plan_forms.py, which owe
nothing to the audit.
"""

import itertools
import json
import random
import sys
import tempfile

import numpy

from audit_leakage import some_sets
from commands import Commands
from observed_forms import P as SMALL
from plan_forms import PlanForms
from rank import eliminate, null_space, rank_modulo
from report import Report
from topology import parse
from transform_plans import PLANS as RELAYED, length_of

M31 = 2**31 - 1
SETS = 60  # of each plan

RING = """collude full clients=1 stations=2
stations 5
client 1 via 1 2 3 5 shares 1 3 5 keys 1 2 5
client 2 via 1 2 3 5 shares 1 3 5 keys 1 2 3 5
client 3 via 1-5 shares 2-5 keys 1 2 3 5
client 4 via 2-5 shares 2-5 keys 2 4 5
client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5
client 6 via 1 2 5 shares 1 2 5 keys 1 2 5
protocol keys
"""
SIX = "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\nclient 6 via 1 2 5\n"
PLANS = {
    "ring": RING,
    "same groups": "collude full clients=1 stations=2\nstations 5\nprotocol keys\n" + SIX,
    "chain of keys": "collude partial clients=1 stations=2\nstations 5\nprotocol keys\n" + SIX,
    "aligned": "collude full clients=1 stations=2\nstations 5\n" + SIX,
    "aligned, partial": "collude partial clients=1 stations=1\nstations 5\n" + SIX,
    "parts": "collude partial stations=1\nstations 5\nclient 1-3 via 1-4 keys 4\nclient 4 5 via 2-5 keys 2\nprotocol keys\n",
    "no protection": "collude partial stations=0\nstations 3\nclient 1-4 via 1-3\nprotocol keys\n",
}


class Space:
    """The span of forms in the vectors of some clients, cut into parts."""

    def __init__(self, rows, clients, parts, p):
        self.clients, self.parts, self.p = list(clients), parts, p
        self.rows = numpy.array(rows, dtype="i8").reshape(-1, len(self.clients) * parts)
        self.rank = rank_modulo(self.rows, p)

    def columns(self, clients):
        return [self.clients.index(i) * self.parts + j for i in clients for j in range(self.parts)]

    def sums(self, clients):
        """The sum over the clients, part by part."""
        rows = numpy.zeros((self.parts, self.rows.shape[1]), dtype="i8")
        for j in range(self.parts):
            rows[j, [self.clients.index(i) * self.parts + j for i in clients]] = 1
        return rows

    def about(self, clients):
        """A basis of all that is known about these clients and no others."""
        inside = self.columns(clients)
        outside = [c for c in range(self.rows.shape[1]) if c not in set(inside)]
        work, pivots = eliminate(self.rows[:, outside + inside], self.p)
        rows = numpy.zeros((0, self.rows.shape[1]), dtype="i8")
        for at, pivot in enumerate(pivots):
            if pivot >= len(outside):
                row = numpy.zeros(self.rows.shape[1], dtype="i8")
                row[outside + inside] = work[at]
                rows = numpy.vstack([rows, row])
        return rows

    def known_sums(self, clients):
        """Everything that is known about the sum over these clients."""
        sums = self.sums(clients)
        basis, n = eliminate(self.rows, self.p)
        both = numpy.vstack([basis[: len(n)], sums])
        found = null_space(both.T, self.p)
        rows = [numpy.array([sum(int(x) * int(y) for x, y in zip(v[len(n):], column)) % self.p
                             for column in sums.T], dtype="i8") for v in found]
        return numpy.array(rows, dtype="i8").reshape(-1, self.rows.shape[1])


def members(ranges):
    return [i for first, last in ranges for i in range(first, last + 1)]


def space_of(leak, clients, p):
    """What the coalition learns, and the sum that it may learn."""
    clients = [i for i in clients if i not in leak["clients"]]
    width = len(clients) * leak["parts"]
    rows = []
    for form in leak["forms"]:
        rows.append([0] * width)
        for term in form:
            rows[-1][clients.index(term["client"]) * leak["parts"] + term["part"] - 1] += term["factor"]
    honest = [i for i in clients if i not in leak["missing"]]
    space = Space(rows, clients, leak["parts"], p)
    allowed = space.sums(honest) if leak["federator"] and len(honest) > 1 else space.rows[:0]
    return Space(numpy.vstack([space.rows, allowed]), clients, leak["parts"], p), allowed


def each_of(leak):
    """The rank of what is learnt about each client alone, by client."""
    return {i: part["rank"] for part in leak["affected"] if part["what"] == "each" for i in members(part["clients"])}


def check_leak(report, leak, clients, p, kinds):
    space, allowed = space_of(leak, clients, p)
    report.check(leak["all_forms"], "forms are left out")
    report.equal(leak["rank"], space.rank - len(allowed), "leakage")
    want = {i: len(space.about([i])) for i in space.clients}
    report.equal(each_of(leak), {i: n for i, n in want.items() if n}, "learnt about each client")
    # the parts together are all that is learnt
    parts = [space.about([i]) for i in space.clients] + [allowed]
    n = sum(want.values())
    for part in leak["affected"]:
        kinds[part["what"]] = kinds.get(part["what"], 0) + 1
        kinds["fraction"] = kinds.get("fraction", 0) + (part["rank"] < leak["parts"])
        if part["what"] == "each":
            continue
        who = members(part["clients"])
        known = (space.known_sums if part["what"] == "sum" else space.about)(who)
        report.check(len(known) >= part["rank"] > 0, lambda: f"{part}: {len(known)} of {leak['parts']}")
        parts.append(known)
        n += part["rank"]
    report.equal(rank_modulo(numpy.vstack(parts), p), space.rank, "rank of all parts")
    if len(allowed) == 0:
        report.equal(n, leak["rank"], "sum of the amounts")


def audit(commands, who):
    named = zip(("stations", "relays", "clients"), who)
    words = " ".join(f"{name}={','.join(map(str, numbers))}" for name, numbers in named if numbers)
    out, _ = commands.run("audit", "--json", "--colluders", words + " federator" * who[3], "plan", status=None)
    return json.loads(out)["leaks"]


def main(bin_dir):
    report, rng, kinds = Report(), random.Random(1), {}
    with tempfile.TemporaryDirectory() as temporary:
        commands = Commands(bin_dir, temporary, report)
        for name, text in PLANS.items():
            with report.part(name):
                plan = parse(text)
                commands.write("plan", text.encode())
                for who in some_sets(rng, plan, SETS):
                    for leak in audit(commands, who):
                        check_leak(report, leak, plan.clients, M31, kinds)
        for name, (text, runs, _) in RELAYED.items():
            if runs:
                continue
            with report.part(name):
                plan = parse(text)
                forms = PlanForms(plan, length_of(plan))
                commands.write("plan", text.encode())
                for who in itertools.islice(some_sets(rng, plan, SETS), SETS // 3):
                    who = who if who[3] or plan.full else (who[0], (), *who[2:])
                    for leak in audit(commands, who):
                        check_leak(report, leak, plan.clients, SMALL, kinds)
                        got = each_of(leak)
                        for i in plan.clients:
                            if i not in who[2]:
                                report.equal(got.get(i, 0) * forms.d, forms.learnt_of(i, *who) * leak["parts"],
                                             f"{who}: symbols learnt about client {i}, times {leak['parts']}")
    for kind in ("each", "sum", "combination", "fraction"):
        report.check(kinds.get(kind, 0) > 0, f"no finding of this kind: {kind}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
