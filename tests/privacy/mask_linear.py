"""What colluders learn from a round with masks of stations, exactly: mask_linear.py BIN.

By linear algebra over a small field, for every set of colluders, on forms that a run of the real
commands is held against. Under partial collusion stations and clients learn nothing; the federator,
all relays and clients learn the sum. Under full collusion all of them together learn the sum and
nothing else, whatever the patterns, however many clients and relays there are among them; one
station more learns something. Two examples show what is not private: the chain under full
collusion, and sums that meet at relays without masks where a station has two places.
"""

import itertools
import os
import random
import shutil
import sys
import tempfile

import numpy

from commands import Commands
from mask_forms import Case, Forms, Run
from rank import rank_modulo
from report import Report

A, B, C, D = (1, 2, 3), (2, 3, 4), (3, 1, 2), (1, 2)


def alone(*stations):
    return {i + 1: (own, None) for i, own in enumerate(stations)}


CASES = (
    Case("partial, two patterns", "partial", (1, 0), 4, alone(A, A, B)),
    Case("partial, one client a pattern", "partial", (2, 0), 4, alone(A, B, (1, 2, 3, 4)), d=3),
    Case("partial, the same stations in another order", "partial", (1, 0), 3, alone(A, A, C), d=3),
    Case("partial, no station colludes", "partial", (0, 0), 3, alone(D, D, (2, 3))),
    Case("partial, a station that masks nothing", "partial", (1, 0), 5, alone(A, (1, 2, 5), A), d=4),
    Case("full, two patterns", "full", (1, 0), 4, alone(A, A, B)),
    Case("full, one client a pattern", "full", (2, 0), 4, alone(A, B, (1, 2, 3, 4)), d=3),
    Case("full, another order and a station that masks nothing", "full", (1, 0), 4, alone(A, A, C), d=3),
    Case("partial, relays", "partial", (1, 1), 4, {1: (A, (1, 2, 3)), 2: (A, (1, 2, 3)), 3: (B, (1, 2, 3)),
                                                   4: (B, (2, 3, 4))}, 4),
    Case("full, relays", "full", (1, 1), 4, {1: (A, (1, 2, 3)), 2: (B, (2, 3, 4)), 3: (B, (2, 3, 4))}, 4),
    # station 2 is second in what clients 1 and 2 have, and first in what client 3 has
    Case("full, two places at the relays", "full", (1, 0), 4,
         {1: (A, (1, 2, 3)), 2: (A, (1, 2, 3)), 3: (B, (1, 2, 3))}, 3),
    Case("full, relays in several groups, one relay for all totals", "full", (1, 1), 4,
         {1: (A, (1, 2, 3)), 2: (C, (1, 2, 3)), 3: (B, (1, 2, 4))}, 4),
)

LEAKS = (
    Case("the chain under full collusion", "full", (1, 0), 4, alone(A, A, B), chain=True),
    Case("two places at the relays without masks", "full", (1, 0), 4,
         {1: (A, (1, 2, 3)), 2: (A, (1, 2, 3)), 3: (B, (1, 2, 3))}, 3, without_masks=True),
    Case("two patterns without masks", "full", (1, 0), 4, alone(A, A, B), without_masks=True),
)


class Audit:
    def __init__(self, case, forms):
        self.case, self.forms = case, forms

    def rows(self, stations, relays, federator):
        rows = [form for u in stations for form in self.forms.of_station(u)]
        rows += [form for m in relays for form in self.forms.of_relay(m)]
        rows += self.forms.of_federator() if federator else []
        return numpy.concatenate(rows) if rows else numpy.zeros((0, self.forms.n_variables), dtype="i8")

    def unknown(self, kinds, stations, clients):
        """Columns of variables that no colluder has drawn itself."""
        return [c for name, columns in self.forms.columns.items() if name[0] in kinds
                and name[1] not in (clients if name[0] in ("vector", "hiding") else stations) for c in columns]

    def learnt(self, stations, relays, clients, federator):
        """Symbols of the vectors of honest clients, beyond their sum if the federator takes part;
        and whether it knows the sum."""
        rows, d = self.rows(stations, relays, federator), self.case.d
        vectors = self.unknown(("vector",), stations, clients)
        hiding = self.unknown(("hiding", "mask", "noise"), stations, clients)
        rows = numpy.hstack([rows[:, hiding], rows[:, vectors]])
        allowed = numpy.zeros((d, rows.shape[1]), dtype="i8")
        for at, column in enumerate(range(len(hiding), rows.shape[1])):
            allowed[at % d, column] = 1
        hidden = rank_modulo(rows[:, : len(hiding)], self.case.p)
        all_of_it = rank_modulo(rows, self.case.p) - hidden
        with_sum = rank_modulo(numpy.vstack([rows, allowed]), self.case.p) - hidden
        return (with_sum - d if federator else all_of_it), with_sum == all_of_it

    def sets(self, n_stations, n_relays):
        """Stations, relays, and fewer clients than would leave one alone."""
        clients = list(self.case.clients)
        return itertools.product(
            itertools.combinations(range(1, self.case.n_stations + 1), n_stations),
            itertools.combinations(range(1, self.case.n_relays + 1), n_relays),
            [c for n in range(len(clients) - 1) for c in itertools.combinations(clients, n)])

    def count(self, n_stations, n_relays, federator):
        """Sets that learn too much, or with the federator not the sum; of how many."""
        leaking = n = 0
        for stations, relays, clients in self.sets(n_stations, n_relays):
            leak, knows_sum = self.learnt(stations, relays, clients, federator)
            leaking += leak > 0 or federator and not knows_sum
            n += 1
        return leaking, n


def check_private(report, case, audit):
    z, all_relays = case.z_stations, case.n_relays
    if case.full:
        for relays in {0, case.z_relays, all_relays}:
            report.equal(audit.count(z, relays, True)[0], 0, f"{z} stations, {relays} relays and the federator")
        report.equal(audit.count(z, case.z_relays, False)[0], 0, f"{z} stations and {case.z_relays} relays")
        report.check(audit.count(case.z + 1, 0, True)[0] > 0, f"{case.z + 1} stations learn nothing more")
        return
    report.equal(audit.count(z, 0, False)[0], 0, f"{z} stations")
    report.check(audit.count(case.z + 1, 0, False)[0] > 0, f"{case.z + 1} stations learn nothing")
    report.equal(audit.count(0, all_relays, True)[0], 0, f"{all_relays} relays and the federator")
    report.equal(audit.count(0, case.z_relays, False)[0], 0, f"{case.z_relays} relays")


def check_commands(report, commands, case, forms, rng):
    """Twice, so that not even zeros hide anything."""
    for _ in range(2):
        shutil.rmtree(commands.work_dir, ignore_errors=True)
        os.mkdir(commands.work_dir)
        values = numpy.array([rng.randrange(case.p) for _ in range(forms.n_variables)])
        # what clients may share, so that the sum fits the field
        for name, columns in forms.columns.items():
            if name[0] == "vector":
                most = case.p // 2 // len(case.clients)
                values[list(columns)] = [rng.randint(-most, most) % case.p for _ in columns]
        Run(forms, commands, values).check(report)


def main(bin_dir):
    report, rng = Report(), random.Random(1)
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        commands = Commands(bin_dir, os.path.join(temporary, "round"), report)
        for case in CASES:
            with report.part(case.name):
                forms = Forms(case)
                check_commands(report, commands, case, forms, rng)
                check_private(report, case, Audit(case, forms))
        for case in LEAKS:
            with report.part(case.name):
                audit = Audit(case, Forms(case))
                report.check(audit.count(case.z_stations, 0, True)[0] > 0, "nothing leaks")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
