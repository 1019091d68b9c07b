"""Compares what hagg-audit reports for scheme staircase with linear algebra: audit_staircase.py BIN.

Plans of protocol keys without relays, under partial and full collusion, in which all holders send whole shares:
what can be sent at most. For sets of colluders that are allowed and others, the leakage must be exactly the number
of symbols computed here, from a construction of the shares that uses nothing of hagg. A plan with too many
colluders must leak.
"""

import itertools
import math
import random
import sys
import tempfile

import numpy

from audit_leakage import check, some_sets
from commands import Commands
from observed_forms import FIELD, P
from rank import rank_modulo
from report import Report
from topology import parse

PLANS = (
    ("staircase", (0,), "collude partial stations=1\ndrop stations=1\nstations 4\n",
     "client 1-2 via 1-4\nclient 3 via 1-4 keys 2\n"),
    ("staircase", (0,), "collude partial stations=2\ndrop stations=1\nstations 6\n",
     "client 1 via 1-5 keys 5\nclient 2-3 via 1-6 keys 3\n"),
    ("staircase:missing=0.1", (0, 1), "collude partial stations=1\ndrop stations=2\nstations 6\n",
     "client 1-2 via 1-6\nclient 3 via 1-6 keys 4\n"),
    ("staircase", (0,), "collude full stations=1 clients=1\ndrop stations=1\nstations 5\n",
     "client 1-2 via 1-5 shares 1-4 keys 2-5\nclient 3-4 via 1-5 shares 1-4 keys 1-5\n"),
)


def staircase(n, k, z, missing):
    """The symbols of a share: for each its random vectors and its parts, lowest coefficient first."""
    widths = [n - m for m in missing] + [k]
    n_symbols = math.lcm(*(h - z for h in widths[:-1]))
    ends = [n_symbols * (k - z) // (h - z) for h in widths]
    symbols = [list(range(s * (widths[0] - z), (s + 1) * (widths[0] - z))) for s in range(ends[0])]
    for before, width in itertools.pairwise(widths):
        again = [part for parts in symbols for part in parts[width - z:before - z]]
        symbols += [again[i:i + width - z] for i in range(0, len(again), width - z)]
    assert len(symbols) == n_symbols and ends[-1] == n_symbols
    return symbols


class Forms:
    """Rows are forms in the vectors, the keys and the random values of all clients."""

    def __init__(self, plan, missing):
        self.plan, self.missing = plan, missing
        sets = [c.shares for c in plan.clients.values()]
        sets += [c.keys for c in plan.clients.values()] if plan.full else []
        self.d = math.lcm(*((len(s) - plan.drop - plan.z) * len(self.symbols(len(s))) for s in sets))
        self.columns = {}
        for i in plan.clients:
            self.variables("vector", i, self.d)
        self.n_vectors = len(self.columns)
        self.shares = {(what, i): self.share(what, i) for i in plan.clients
                       for what in (("padded", "key") if plan.full else ("padded",))}

    def symbols(self, n):
        return staircase(n, n - self.plan.drop, self.plan.z, self.missing)

    def variables(self, *name_and_n):
        *name, n = name_and_n
        return [self.columns.setdefault((*name, j), len(self.columns)) for j in range(n)]

    def secret(self, what, i):
        """A list of forms, each a dict from columns to factors."""
        forms = [{column: 1} for column in self.variables("key", i, self.d)]
        if what == "padded":
            forms = [form | {column: 1} for form, column in zip(forms, self.variables("vector", i, self.d))]
        return forms

    def holders(self, what, i):
        client = self.plan.clients[i]
        return client.shares if what == "padded" else client.keys

    def share(self, what, i):
        """The forms of each holder's share."""
        holders, z = self.holders(what, i), self.plan.z
        symbols, secret = self.symbols(len(holders)), self.secret(what, i)
        length = self.d // ((len(holders) - self.plan.drop - z) * len(symbols))
        shares = {}
        for index, holder in enumerate(holders):
            shares[holder] = []
            for s, parts in enumerate(symbols):
                for j in range(length):
                    form = {}
                    for power in range(z + len(parts)):
                        factor = pow(index + 1, power, P)
                        if power < z:
                            drawn = self.variables("draw", what, i, s, power, length)[j]
                            summand = {drawn: 1}
                        else:
                            summand = secret[parts[power - z] * length + j]
                        for column, value in summand.items():
                            form[column] = (form.get(column, 0) + factor * value) % P
                    shares[holder].append(form)
        return shares

    @staticmethod
    def add(lists):
        total = []
        for forms in zip(*lists):
            form = {}
            for column, value in (item for f in forms for item in f.items()):
                form[column] = (form.get(column, 0) + value) % P
            total.append(form)
        return total

    def seen_by_station(self, u):
        plan = self.plan
        for (what, i), shares in self.shares.items():
            yield from shares.get(u, ())
        if not plan.full:
            for i, client in plan.clients.items():
                if client.key_station == u:
                    yield from self.secret("key", i)
            yield from self.add([self.secret("key", i) for i, c in plan.clients.items() if c.key_station < u])

    def seen_by_federator(self):
        plan = self.plan
        for what in {what for what, _ in self.shares}:
            classes = {}
            for i in plan.clients:
                classes.setdefault(tuple(self.holders(what, i)), []).append(i)
            for holders, members in classes.items():
                for u in holders:
                    yield from self.add([self.shares[what, i][u] for i in members])
        if not plan.full:
            yield from self.add([self.secret("key", i) for i in plan.clients])

    def learnt(self, who):
        """Symbols; with the federator, beyond the total of the others."""
        stations, _, clients, federator = who
        forms = [form for u in stations for form in self.seen_by_station(u)]
        forms += self.seen_by_federator() if federator else []
        allowed = self.d if federator else 0
        rows = numpy.zeros((len(forms) + allowed, len(self.columns)), dtype="i8")
        for row, form in zip(rows, forms):
            row[list(form)] = list(form.values())
        honest = [i for i in self.plan.clients if i not in clients]
        for j in range(allowed):
            rows[len(forms) + j, [self.columns["vector", i, j] for i in honest]] = 1
        kept = [column for name, column in self.columns.items()
                if (name[2] if name[0] == "draw" else name[1]) not in clients]
        hidden = [column for column in kept if column >= self.n_vectors]
        return rank_modulo(rows[:, kept], P) - rank_modulo(rows[:len(forms), hidden], P) - allowed


def main(bin_dir):
    report = Report()
    for index, (scheme, missing, lines, clients) in enumerate(PLANS):
        with tempfile.TemporaryDirectory() as work, report.part(f"plan {index}"):
            commands = Commands(bin_dir, work, report)
            text = f"protocol keys\nfield {FIELD}\nscheme {scheme}\n{lines}{clients}"
            plan = parse(text.replace("protocol keys\n", ""))
            forms = Forms(plan, missing)
            sets = list(some_sets(random.Random(index), plan, 12))
            check(report, commands, text, sets, forms.d, forms.learnt)
            commands.write("plan", text.encode())
            out, _ = commands.run("audit", "plan")
            report.check(b"private: " in out and b"confirmed by elimination" in out, f"the plan: {out}")
            # more colluders than the shares are made for; under full collusion enough for vectors and keys
            both = [u for u in plan.clients[1].shares if u in plan.clients[1].keys or not plan.full]
            few = ",".join(str(u) for u in sorted({*both[:plan.z + 1 + plan.full], *plan.clients[1].keys[:not plan.full]}))
            out, _ = commands.run("audit", "--colluders", f"stations={few}", "plan", status=6)
            report.check(b"learn:" in out, f"stations {few}: {out}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
