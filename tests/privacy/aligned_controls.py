"""Rounds of protocol aligned that must leak: aligned_controls.py BIN.

Each control breaks one rule of theory.md, sections 11 and 12. What the commands do not refuse, they really
do here; otherwise this script checks that they refuse, and computes with plain arithmetic on their
records what a node would send. Exact elimination (aligned_forms.py) must find a coalition that learns more
than the total. Without the change no coalition of the same round does.
"""

import itertools
import os
import sys
import tempfile

import numpy

from aligned_forms import Coalition, Observed, Plan, Variables, coalitions
from commands import Commands
from rank import null_space
from report import Report
from result import MALFORMED, MISMATCH, PRIVACY, TOO_FEW

MIXED = {1: [1, 2, 3], 2: [2, 3, 4, 5], 3: [1, 2, 3, 4, 5]}
SPARE = {1: [1, 2, 3, 4], 2: [2, 3, 4, 5], 3: [1, 2, 3, 4, 5]}


class Control:
    """Runs the round of a plan, and collects what coalitions see in the changed one."""

    def __init__(self, bin_dir, directory, report, plan):
        self.commands, self.report, self.plan = Commands(bin_dir, directory, report, remember=False), report, plan
        self.variables = Variables(plan.p)

    def observe(self, stations=True, **options):
        self.round = Observed(self.commands, self.report, self.plan, self.variables, **options)
        self.round.run(stations)
        if stations:
            self.expect(None)
        return self.round

    @property
    def masked(self):
        """A station that gets masks."""
        return next(u for u in self.plan.stations if u not in self.plan.bare())

    def without_sums(self, who, round_=None):
        """What the coalition sees, but for the sums."""
        round_ = round_ or self.round
        return [round_.forms(record) for (kind, sender, to), record in round_.records.items()
                if kind in ("share", "mask") and (sender in who.nodes or to in who.nodes)]

    def total(self, tag="", clients=None, n_chunks=None):
        return tag, clients or list(self.plan.clients), self.plan.n_segments, n_chunks or self.plan.n_chunks

    def most(self, sees, totals, everybody=None):
        """The coalition that learns most: sees returns what one sees."""
        found = max(everybody or coalitions(self.plan), key=lambda who: who.learns(sees(who), self.variables, totals))
        return found, found.learns(sees(found), self.variables, totals)

    def expect(self, sees, totals=None, everybody=None):
        """sees is None for the unchanged round, which must not leak."""
        who, n = self.most(sees or (lambda who: who.sees(self.round)), totals or [self.total()], everybody)
        if sees is None:
            self.report.equal(n, 0, f"unchanged: symbols that {who} learn")
        else:
            self.report.check(n > 0, "does not leak")
            print(f"{self.report.where.splitlines()[0]}: {who} learn {n} symbols beyond the total")

    def expect_sums(self, sums, n_chunks=None):
        """The same with other sums: by station, rows."""
        forms = [self.round.forms(rows) for rows in sums.values()]

        def sees(who):
            return self.without_sums(who) + (forms if who.federator else [])

        self.expect(sees, [self.total(n_chunks=n_chunks)])


def few_dealers(control, n):
    """Only the masks of n dealers."""
    round_, plan = control.observe(), control.plan
    dealers = plan.dealers[:n]
    _, said = round_.run_station(plan.stations[0], "none", "--dealers", ",".join(map(str, sorted(dealers))) or "9",
                                 status=PRIVACY if n else 2)
    control.report.check(("do not hide the sums" if n else "not dealers") in said, said)
    control.expect_sums({u: round_.sum_of(u, plan.clients, dealers) for u in plan.stations})


def no_masks(control):
    """Sums of shares alone. A station that has no masks sends nothing."""
    round_, plan = control.observe(), control.plan
    files = [name for name in round_.files(control.masked) if "share" in name]
    _, said = control.commands.run("aggregate", "--plan", "plan", "--station", control.masked, "-o", "none", *files,
                                   status=TOO_FEW)
    control.report.check("the mask of dealer" in said and not control.commands.exists("none"), said)
    control.expect_sums({u: round_.sum_of(u, plan.clients, []) for u in plan.stations})


def one_dealer(control):
    """The dealer of a plan for partial collusion colludes with the federator. With full collusion such a
    plan is refused."""
    round_, plan = control.observe(), control.plan
    full = Plan(plan.p, plan.clients, plan.n_segments, plan.z, plan.t, True, plan.dealers)
    control.commands.write("full", full.text().encode())
    _, said = control.commands.run("audit", "full", status=MALFORMED)
    control.report.check("dealers" in said, said)
    both = Coalition(plan, plan.dealers, (), federator=True)
    control.expect(lambda who: who.sees(round_), everybody=[both])


def more_bare(control, station):
    """One station more than z gets zeros as its mask: a dealing whose draws are restricted to those that
    give it zeros. Without a mask it sends nothing."""
    round_, plan = control.observe(), control.plan
    control.report.check(station not in plan.bare(), "is bare anyway")
    files = [name for name in round_.files(station) if "share" in name]
    control.commands.run("aggregate", "--plan", "plan", "--station", station, "-o", "none", *files, status=TOO_FEW)
    names, change = control.variables.names, numpy.eye(len(control.variables.names), dtype="i8")
    for w in plan.dealers:
        own = [at for name, at in names.items() if name[:2] == ("r", ("station", w))]
        zero = null_space(round_.forms(round_.records["mask", ("station", w), ("station", station)])[:, own], plan.p)
        change[own] = 0
        for at, draws in zip(own, zero):
            change[own, at] = draws
    # the bare stations send what they sent, the others still decode to the total
    control.expect(lambda who: [forms.dot(change) % plan.p for forms in who.sees(round_)])


def more_chunks(control):
    """One chunk more than the masks have entropy for: vectors that are longer than the masks."""
    plan, n = control.plan, control.plan.n_chunks + 1
    round_ = control.observe(stations=False, n_chunks=n)
    _, said = round_.run_station(control.masked, "none", status=MISMATCH)
    control.report.check("elements" in said or "length" in said, said)
    control.expect_sums({u: round_.sum_of(u, plan.clients, plan.dealers) for u in plan.stations}, n)


def other_clients(control, station, clients):
    """One station adds another set of clients. It does not know better, but sums over different sets are not
    decoded together."""
    round_, plan = control.observe(), control.plan
    name = f"other-{station}"
    round_.run_station(station, name, "--clients", ",".join(map(str, clients)))
    files = [name if u == station else f"sum-{u}" for u in plan.stations]
    _, said = control.commands.run("decode", "--plan", "plan", "-o", "none", *files, status=MISMATCH)
    control.report.check("all sums of a round must be over the same clients" in said, said)
    sums = {u: round_.records["sum", ("station", u), ("federator", 1)] for u in plan.stations}
    record, = control.commands.records(name)
    control.report.check((record.elements.reshape(-1, sums[station].shape[1])
                          == round_.sum_of(station, clients, plan.dealers)).all(), "the other sum")
    control.expect_sums({**sums, station: record.elements.reshape(-1, sums[station].shape[1]).astype("i8")})


def dealt_twice(control):
    """The dealers use their random bytes in two rounds. A mask of the other round is refused."""
    plan = control.plan
    rounds = [Observed(control.commands, control.report, plan, control.variables, tag, "") for tag in ("", "b")]
    for round_ in rounds:
        round_.run()
    masks = [name for name in rounds[1].files(control.masked) if "keygen" in name]
    shares = [name for name in rounds[0].files(control.masked) if "share" in name]
    _, said = control.commands.run("aggregate", "--plan", "plan", "--station", control.masked, "-o", "none",
                                   *shares, *masks, status=MISMATCH)
    control.report.check("round" in said, said)
    totals = [control.total(tag) for tag in ("", "b")]
    for round_, total in zip(rounds, totals):
        who, n = control.most(lambda who, r=round_: who.sees(r), [total])
        control.report.equal(n, 0, f"one round: symbols that {who} learn")
    control.expect(lambda who: [form for r in rounds for form in who.sees(r)], totals)


def two_sets(control, clients):
    """All stations send sums over two sets of clients, with the same masks."""
    round_, plan = control.observe(), control.plan
    round_.run_stations("--clients", ",".join(map(str, clients)), kind="second")
    line = ["--plan", "plan", "--station", 1, *round_.files(1)]
    keeping = Commands(control.commands.bin_dir, control.commands.work_dir, control.report)
    keeping.run("aggregate", *line, "-o", "first")
    _, said = keeping.run("aggregate", *line, "--clients", ",".join(map(str, clients)), "-o", "none", status=PRIVACY)
    control.report.check("already sent sums" in said and not keeping.exists("none"), said)
    control.expect(lambda who: who.sees(round_))


def more_stations(control):
    """One colluding station more than the plan allows, without the federator."""
    round_, plan = control.observe(), control.plan
    everybody = [Coalition(plan, stations) for stations in itertools.combinations(plan.stations, plan.z + 1)]
    control.expect(lambda who: who.sees(round_), everybody=everybody)


def full(**options):
    return Plan(31, MIXED, 3, **{"dealers": [1, 3], **options})


CONTROLS = (
    ("z dealers", full(), lambda c: few_dealers(c, 1)),
    ("z dealers, z = 2", full(z=2, dealers=[2, 4, 5]), lambda c: few_dealers(c, 2)),
    ("z dealers, a spare station", Plan(31, SPARE, 2, t=1, dealers=[1, 2, 4]), lambda c: few_dealers(c, 1)),
    ("no masks, full", full(), no_masks),
    ("no masks, partial", full(full=False, dealers=[2]), no_masks),
    ("one dealer under full collusion", full(full=False, dealers=[2]), one_dealer),
    ("one dealer of three under full collusion", full(z=2, dealers=[1, 2, 5]), lambda c: few_dealers(c, 1)),
    # only clients 2 and 3 use the bare stations
    ("z + 1 bare stations", full(full=False, dealers=[1, 2, 3]), lambda c: more_bare(c, 5)),
    ("z + 1 bare stations, z = 2", Plan(31, {1: [1, 2, 3], 2: [2, 4, 5, 6], 3: [1, 2, 3, 4, 5, 6]}, 3, z=2, full=False,
                                        dealers=[1, 2, 3]), lambda c: more_bare(c, 6)),
    ("a chunk too many, full", full(dealers=[1, 3, 4]), more_chunks),
    ("a chunk too many, partial", full(full=False, dealers=[2, 3]), more_chunks),
    ("a station adds other clients", Plan(31, {**SPARE, 4: [1, 2, 3, 4, 5]}, 2, t=1, dealers=[1, 2, 3]),
     lambda c: other_clients(c, 5, [1, 2, 3])),
    ("a dealing for two rounds, full", full(), dealt_twice),
    ("a dealing for two rounds, partial", full(full=False, dealers=[2]), dealt_twice),
    ("z + 1 stations", full(), more_stations),
    ("z + 1 stations, z = 2", full(z=2, full=False, dealers=[1]), more_stations),
    ("a dealing for two sets of clients", full(), lambda c: two_sets(c, [1, 3])),
)


def main(bin_dir):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for name, plan, run in CONTROLS:
        with report.part(f"{name}:\n{plan.text()}"), tempfile.TemporaryDirectory(dir=scratch) as temporary:
            run(Control(bin_dir, temporary, report, plan))
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
