"""Computes exactly what colluders learn from a transformation: transform_linear.py BIN.

Uses linear algebra over a small field on the forms that the real commands compute, so each answer is a
theorem about that case, not an estimate. With direct and transport, any z old holders and any z' new
holders together learn nothing about the secret. With the federator, which gets all new shares, they
learn the sum over two clients and nothing else about either, although the old holders saw the shares of
each. One more old or new holder learns something. Forwarding is not a second sharing: there, and if a
sharing is extended, the colluders of both tiers count together, and more than z of them that hold
different shares learn something.
"""

import itertools
import sys
import tempfile

import numpy

from commands import Commands
from observed_forms import Case, Forms, rank
from report import Report

CASES = (
    Case("direct", (2, 2, 1), (2, 2, 1)),
    Case("direct", (3, 2, 1), (3, 3, 1)),
    Case("direct", (3, 3, 1), (4, 4, 2)),
    Case("direct", (4, 4, 2), (4, 3, 1)),
    Case("direct", (4, 3, 2), (5, 4, 3)),
    Case("direct", (4, 3, 0), (4, 3, 2)),
    Case("direct", (4, 3, 1), (4, 3, 1)),
    Case("direct", (4, 4, 1), (5, 5, 2), options=("--points", "7,2,10,4,5")),
    Case("direct", (3, 3, 2), (4, 3, 1), "additive", ("--scheme", "ramp")),
    Case("direct", (4, 3, 1), (3, 3, 2), options=("--scheme", "additive")),
    Case("direct", (3, 2, 1), (3, 3, 1), options=("--from", "1-2")),
    Case("transport", (2, 2, 1), (2, 2, 1)),
    Case("transport", (3, 2, 1), (3, 3, 1)),
    Case("transport", (3, 3, 1), (4, 4, 2)),
    Case("transport", (4, 4, 2), (4, 3, 1)),
    Case("transport", (4, 3, 2), (5, 4, 3)),
    Case("transport", (3, 3, 0), (4, 3, 2)),
    Case("transport", (4, 3, 1), (4, 3, 1)),
    Case("transport", (3, 3, 1), (4, 3, 2), options=("--points", "7,2,10,4")),
    Case("transport", (3, 3, 2), (4, 3, 1), "additive", ("--scheme", "ramp")),
    Case("transport", (4, 3, 1), (3, 3, 2), options=("--scheme", "additive")),
    Case("forward", (3, 2, 1), (3, 2, 1)),
    Case("forward", (5, 4, 2), (4, 4, 2)),
    Case("transport", (3, 2, 1), (4, 2, 1)),
    Case("transport", (3, 3, 1), (5, 3, 1)),
    Case("transport", (4, 4, 2), (5, 4, 2)),
)


class Audit:
    def __init__(self, forms):
        self.forms, self.d, self.n_old = forms, forms.d, forms.n_old
        self.n_old_holders, self.n_new_holders = forms.case.old[0], forms.case.new[0]

    def learnt(self, stations, relays):
        """The number of symbols of the secret that these holders learn together."""
        rows = [form for u in stations for form in self.forms.of_station(u)]
        rows += [form for m in relays for form in self.forms.of_relay(m)]
        rows = numpy.concatenate(rows) if rows else numpy.zeros((0, self.d), dtype="i8")
        return rank(rows) - rank(rows[:, self.d :])

    def learnt_beyond_sum(self, stations, relays):
        """With the federator, and two clients whose shares the old holders add up: the number of
        symbols learnt beyond the sum. Forms of the sum have equal coefficients for the variables of
        both clients."""
        of_sum = [self.forms.random_forms(u) for u in stations]
        of_sum += [form for m in relays for form in self.forms.of_relay(m)]
        of_sum += self.forms.of_federator()
        rows = [self.of_clients(form, 1, 1) for form in of_sum]
        for u in stations:
            rows += [self.of_clients(self.forms.share[u], 1, 0),
                     self.of_clients(self.forms.share[u], 0, 1)]
        allowed = numpy.eye(self.d, self.forms.n_variables, dtype="i8")
        rows = numpy.concatenate([*rows, self.of_clients(allowed, 1, 1)])
        return rank(rows) - rank(rows[:, 2 * self.d :]) - self.d

    def of_clients(self, form, first, second):
        """The same form in the variables of the first client and of the second, or of only one."""
        secret, hiding = form[:, : self.d], form[:, self.d : self.n_old]
        return numpy.hstack([first * secret, second * secret, first * hiding, second * hiding,
                             form[:, self.n_old :]])

    def sets(self, n_stations, n_relays):
        return itertools.product(
            itertools.combinations(range(self.n_old_holders), n_stations),
            itertools.combinations(range(self.n_new_holders), n_relays))


def check_reshared(report, audit, case):
    z, z_new = case.old[2], case.new[2]
    for stations, relays in audit.sets(z, z_new):
        who = f"stations {stations} and relays {relays}"
        report.equal(audit.learnt(stations, relays), 0, f"symbols that {who} learn")
        report.equal(audit.learnt_beyond_sum(stations, relays), 0,
                     f"symbols beyond the sum that {who} and the federator learn")
    for stations, relays in [*audit.sets(z + 1, 0), *audit.sets(0, z_new + 1)]:
        report.check(audit.learnt(stations, relays) > 0,
                     f"stations {stations} and relays {relays} are too many, and learn nothing")


def check_handed_over(report, audit, case):
    """Relay m has the share of station m, or a new one."""
    z = case.old[2]
    for n_stations, n_relays in itertools.product(range(z + 2), repeat=2):
        for stations, relays in audit.sets(n_stations, n_relays):
            who, shares = f"stations {stations} and relays {relays}", {*stations, *relays}
            learnt = audit.learnt(stations, relays)
            if len(shares) <= z:
                report.equal(learnt, 0, f"symbols that {who} learn")
                report.equal(audit.learnt_beyond_sum(stations, relays), 0,
                             f"symbols beyond the sum that {who} and the federator learn")
            else:
                at_least = min(len(shares) - z, case.parts) * (audit.d // case.parts)
                # more than z carriers also learn what is shared among the carriers
                exact = case.method == "forward" or n_relays <= z
                report.check(learnt == at_least or learnt > at_least and not exact,
                             f"{who} learn {learnt} symbols, not {at_least}")


def main(bin_dir):
    report = Report()
    with tempfile.TemporaryDirectory() as temporary:
        commands = Commands(bin_dir, temporary, report)
        for case in CASES:
            with report.part(str(case)):
                audit = Audit(Forms(commands, report, case))
                if case.method == "forward" or case.extends:
                    check_handed_over(report, audit, case)
                else:
                    check_reshared(report, audit, case)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
