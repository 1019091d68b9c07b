"""The views of coalitions in protocol aligned, by enumeration: aligned_enumeration.py BIN.

The fields are so small that all random elements of a round can be enumerated. Every column of the vectors
is one outcome, so that one run of each real command makes its records for all outcomes. For each coalition
that the plan allows, and for all inputs that it must not distinguish, the views are counted: each view occurs
equally often. Coalitions that the plan does not allow are the controls: there the counts must differ.
"""

import itertools
import os
import sys
import tempfile

import numpy

from aligned_forms import Coalition, Observed, Plan, Variables, coalitions
from commands import Commands
from report import Report

BITS = (0, 1)
SIGNS = (-1, 0, 1)

# name, plan, values of each element of a vector, colluding clients of the control
CASES = (
    ("full", Plan(5, {1: [1, 2], 2: [1, 2, 3]}, 1, dealers=[1, 2]), SIGNS, ()),
    ("full, three clients", Plan(7, {1: [1, 2], 2: [2, 3], 3: [1, 2, 3]}, 1, dealers=[3, 1]), BITS, (1,)),
    ("full, two part counts", Plan(5, {1: [1, 2, 3], 2: [1, 2]}, 2, dealers=[2, 3]), BITS, ()),
    ("full, a spare station", Plan(5, {1: [1, 2, 3], 2: [1, 2, 3, 4]}, 1, t=1, dealers=[1, 2, 4]), BITS, ()),
    ("full, one class", Plan(5, {1: [1, 2, 3], 2: [1, 2, 3]}, 2), SIGNS, ()),
    ("partial, two part counts", Plan(5, {1: [1, 2, 3], 2: [1, 2]}, 2, full=False, dealers=[1]), SIGNS, ()),
    ("partial, two chunks", Plan(5, {1: [1, 2, 3], 2: [2, 3]}, 1, full=False, dealers=[2, 1]), BITS, ()),
    ("partial, three clients", Plan(7, {1: [1, 2], 2: [2, 3, 4], 3: [1, 3, 4]}, 1, full=False, dealers=[3]), BITS, ()),
)


class Outcomes(Observed):
    """A round with all outcomes of its random elements."""

    def __init__(self, commands, report, plan):
        super().__init__(commands, report, plan, Variables(plan.p))
        draws = [at for name, at in self.variables.names.items() if name[0] == "r"]
        values = numpy.zeros((len(self.variables.names), plan.p ** len(draws)), dtype="i2")
        # in random order, because a source that begins with zeros is refused
        order = numpy.random.default_rng(1).permutation(values.shape[1])
        for place, at in enumerate(draws):
            values[at] = order // plan.p**place % plan.p
        self.set_values(values)
        self.own = {}
        for name, at in self.variables.names.items():
            if name[0] == "g":
                self.own.setdefault(name[1][1], []).append(at)

    def check_draws(self, data, tool, *arguments):
        """aligned_commands.py has checked that."""

    def check_linear(self, record, what):
        """Nothing is assumed about records here."""

    def set_inputs(self, inputs):
        """inputs: by client a list of elements."""
        for i, elements in inputs.items():
            for at, x in zip(self.own[i], elements):
                self.values[at] = x

    def view(self, who, sums=None):
        """What the coalition has, by outcome, as sorted numbers: what it received, and what it drew. sums replaces
        what the federator received."""
        rows = [row for (_, sender, to), record in self.records.items()
                if to in who.nodes and sender not in who.nodes and not (sums and to == ("federator", 1))
                for row in record.reshape(-1, self.width)]
        rows += [row for record in (sums or {}).values() for row in record.reshape(-1, self.width)]
        rows += [self.values[at] for name, at in self.variables.names.items()
                 if name[0] == "r" and name[1] in who.nodes]
        words, per_word = [], int(63 / numpy.log2(self.plan.p))
        for first in range(0, len(rows), per_word):
            word = numpy.zeros(self.width, dtype="i8")
            for row in rows[first : first + per_word]:
                word = word * self.plan.p + row
            words.append(word)
        if len(words) == 1:
            return [numpy.sort(words[0])]
        order = numpy.lexsort(words)
        return [word[order] for word in words]


def same(a, b):
    return all(map(numpy.array_equal, a, b))


class Counts:
    """The views of a coalition, compared with those of inputs that it must not tell apart."""

    def __init__(self, who):
        self.who, self.seen, self.n, self.n_different = who, {}, 0, 0

    def add(self, inputs, view):
        honest = [x for i, x in inputs.items() if i not in self.who.clients]
        # colluding clients know their own vectors, and the federator the total
        key = tuple(tuple(x) for i, x in inputs.items() if i in self.who.clients)
        key += tuple(map(sum, zip(*honest))) if self.who.federator else ()
        if key in self.seen:
            self.n += 1
            self.n_different += not same(view, self.seen[key])
        else:
            self.seen[key] = view


def vectors_of(plan, values):
    """A few vectors, so that a million outcomes of each are no more than seconds of work."""
    n = plan.n_segments * plan.n_chunks
    if plan.full and n > 1 and plan.dealers:
        return [(0, 0), (1, 0), (1, 1)]
    return list(itertools.product(values, repeat=n))


def check_case(report, commands, plan, values, colluding):
    round_ = Outcomes(commands, report, plan)
    for w in plan.dealers:
        round_.run_dealer(w)
    allowed = [Counts(who) for who in coalitions(plan)]
    controls = [(Counts(Coalition(plan, plan.stations[: plan.z + 1])), None)]
    if plan.dealers:
        # full collusion: the masks of one dealer, who colludes; partial: one who colludes with the federator
        few = plan.dealers[:1] if plan.full else None
        controls.append((Counts(Coalition(plan, plan.dealers[:1], colluding, federator=True)), few))
    for vectors in itertools.product(vectors_of(plan, values), repeat=len(plan.clients)):
        inputs = dict(zip(plan.clients, vectors))
        round_.set_inputs(inputs)
        for i in plan.clients:
            round_.run_client(i)
        round_.run_stations()
        for u in plan.stations:
            record = round_.records["sum", ("station", u), ("federator", 1)]
            report.check((round_.sum_of(u, plan.clients, plan.dealers) == record).all(), f"the sum of station {u}")
        for counts in allowed:
            counts.add(inputs, round_.view(counts.who))
        for counts, dealers in controls:
            sums = dealers and {u: round_.sum_of(u, plan.clients, dealers) for u in plan.stations}
            counts.add(inputs, round_.view(counts.who, sums))
    for counts in allowed:
        report.check(counts.n > 0, f"{counts.who}: no inputs to compare")
        report.equal(counts.n_different, 0, f"{counts.who}: inputs with different counts, of {counts.n}")
    for counts, _ in controls:
        report.check(counts.n_different > 0, f"{counts.who}: all counts are the same, of {counts.n}")
    print(f"{report.where.splitlines()[0]} {round_.width} outcomes, {len(allowed)} coalitions, "
          f"{sum(counts.n for counts in allowed)} pairs of inputs; controls: "
          + ", ".join(f"{counts.n_different} of {counts.n} differ" for counts, _ in controls))


def main(bin_dir):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for name, plan, values, colluding in CASES:
        with report.part(f"{name}:\n{plan.text()}"), tempfile.TemporaryDirectory(dir=scratch) as temporary:
            check_case(report, Commands(bin_dir, temporary, report, remember=False), plan, values, colluding)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
