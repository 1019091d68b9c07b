"""Masks of stations on fields so small that every outcome is counted: mask_exhaustive.py [BIN].

What colluders see has, for any two inputs that agree in what they may know, the same distribution:
as many outcomes of all that is drawn lead to each view. The forms are those that mask_linear.py
holds against the commands.
"""

import itertools
import sys

import numpy

from mask_forms import Case, Forms
from report import Report

ONE, TWO, BACK = (1, 2), (2, 3), (2, 1)


def alone(*stations):
    return {i + 1: (own, None) for i, own in enumerate(stations)}


CASES = (
    (Case("partial", "partial", (1, 0), 3, alone(ONE, ONE, TWO), d=1, p=3), True),
    (Case("partial, three patterns", "partial", (1, 0), 3, alone(ONE, BACK, TWO), d=1, p=3), True),
    (Case("full", "full", (1, 0), 2, alone(ONE, ONE, BACK), d=1, p=3), True),
    (Case("full, relays", "full", (1, 0), 2, {1: (ONE, (1, 2)), 2: (ONE, (1, 2)), 3: (BACK, (1, 2))}, 2, d=1, p=3),
     True),
    (Case("full, the chain", "full", (1, 0), 3, alone(ONE, ONE, TWO), d=1, p=3, chain=True), False),
    (Case("partial, no masks", "partial", (1, 0), 3, alone(ONE, ONE, TWO), d=1, p=3, without_masks=True), False),
)


class Outcomes:
    def __init__(self, case):
        self.case, self.forms = case, Forms(case)
        used = [name for name in self.forms.columns if name[0] != "noise" or not case.chain]
        columns = [c for name in used for c in self.forms.columns[name]]
        values = numpy.zeros((case.p ** len(columns), self.forms.n_variables), dtype="i1")
        for at, column in enumerate(columns):
            values[:, column] = numpy.arange(len(values)) // case.p**at % case.p
        self.values = values

    def numbers(self, rows):
        """What the rows come to in every outcome, as a number."""
        number = numpy.zeros(len(self.values), dtype="i8")
        for row in rows:
            number = number * self.case.p + self.values.dot(row.astype("i1")) % self.case.p
        return number

    def view(self, stations, relays, clients, federator):
        """With all that they have drawn themselves."""
        forms = self.forms
        seen = [form for u in stations for form in forms.of_station(u)]
        seen += [form for m in relays for form in forms.of_relay(m)]
        seen += forms.of_federator() if federator else []
        seen += [forms.of(name) for name in forms.columns
                 if name[0] in ("mask", "noise") and name[1] in stations or name[0] == "hiding" and name[1] in clients]
        return self.numbers(numpy.concatenate(seen)) if seen else self.numbers([])

    def is_private(self, stations, relays, clients, federator):
        honest = [i for i in self.case.clients if i not in clients]
        inputs = self.numbers(numpy.concatenate([self.forms.of(("vector", i)) for i in self.case.clients]))
        known = [self.forms.of(("vector", i)) for i in clients]
        if federator:
            known.append(sum(self.forms.of(("vector", i)) for i in honest) % self.case.p)
        allowed = self.numbers(numpy.concatenate(known) if known else [])
        view, expected = self.view(stations, relays, clients, federator), {}
        for given in numpy.unique(inputs):
            where = inputs == given
            counts = numpy.unique(view[where], return_counts=True)
            first = expected.setdefault(int(allowed[where][0]), counts)
            if len(first[0]) != len(counts[0]) or (first[0] != counts[0]).any() or (first[1] != counts[1]).any():
                return False
        return True


def observers(case):
    """Sets that the topology speaks of, and one client among them or none."""
    stations = list(itertools.combinations(range(1, case.n_stations + 1), case.z_stations))
    relays = tuple(range(1, case.n_relays + 1))
    for clients in ((), (3,)):
        if case.full:
            yield from ((own, relays, clients, True) for own in stations)
        else:
            yield from ((own, (), clients, False) for own in stations)
            yield (), relays, clients, True


def main(_=None):
    report = Report()
    for case, is_private in CASES:
        with report.part(case.name):
            outcomes = Outcomes(case)
            found = [outcomes.is_private(*who) for who in observers(case)]
            report.check(all(found) if is_private else not all(found), f"private, observer by observer: {found}")
            too_many = tuple(range(1, case.z + 2)), (), (), case.full
            report.check(not outcomes.is_private(*too_many), "one station more learns nothing")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
