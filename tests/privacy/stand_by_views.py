"""What coalitions learn from stand-by sums that are sent in several attempts: stand_by_views.py BIN.

The records of the commands are observed as linear forms (aligned_forms.py). All stations that are present run
hagg-aggregate --present, some are lost, and the others run it again with --after. Exact elimination shows that
everything that was sent in all attempts, and by stations that check the total afterwards, is worth the total and
nothing else, for the federator and every coalition that the plan allows.

Controls: a station that has kept its sum back sends one over other clients. This must leak, and a station with a
state refuses it.
"""

import itertools
import os
import sys
import tempfile

from aligned_controls import Control
from aligned_forms import Coalition, Observed, Plan, coalitions
from commands import Commands
from report import Report
from result import PRIVACY

SPARE = {1: [1, 2, 3, 4], 2: [2, 3, 4, 5], 3: [1, 2, 3, 4, 5]}
MORE = {**SPARE, 4: [1, 2, 3, 4, 5]}
WIDE = {1: [1, 2, 3, 4, 5], 2: [2, 3, 4, 5, 6], 3: [1, 2, 3, 4, 5, 6]}

# name, plan, stations that are lost, one after the other
ROUNDS = (
    ("full", Plan(31, SPARE, 3, t=1, dealers=[1, 2, 4]), [2]),
    ("full, a dealer is lost", Plan(31, SPARE, 2, t=1, dealers=[1, 2, 3, 4]), [1]),
    ("full, two are lost", Plan(31, {**WIDE, 4: [1, 2, 3, 4]}, 3, t=2, dealers=[1, 2, 3, 5]), [3, 1]),
    ("full, one class", Plan(31, {i: [1, 2, 3, 4] for i in (1, 2, 3)}, 2, t=1), [2]),
    ("partial", Plan(31, SPARE, 3, t=1, full=False, dealers=[2, 5]), [1]),
    ("partial, two are lost", Plan(31, WIDE, 2, t=2, full=False, dealers=[1, 4, 5]), [2, 6]),
)


def listed(numbers):
    return ",".join(map(str, sorted(numbers)))


def rule(plan, present):
    """The stations that send: docs/aligned.md."""
    order = sorted(present, key=lambda u: (len(plan.aligned.intervals_of(u)), u))
    return set(order[: plan.aligned.k])


def attempt(round_, number, present, before=(), options=()):
    """Runs all stations that are present; returns those that have sent something."""
    sent = set()
    for u in present:
        name = f"attempt-{number}-{u}"
        round_.run_station(u, name, "--present", listed(present), *(["--after", listed(before)] if before else []), *options)
        for record in round_.commands.records(name):
            round_.keep(record, f"attempt {number}", ("station", u), name)
            sent.add(u)
    return sent


def sums_of(round_):
    return [round_.forms(record) for (_, sender, to), record in round_.records.items() if to == ("federator", 1)]


def check_round(control, lost):
    """All attempts, and then all sums as a check."""
    plan, report = control.plan, control.report
    round_ = control.observe_stations()
    totals, federator = [control.total()], Coalition(plan, federator=True)
    present, before, sent = list(plan.stations), (), set()
    for number in range(len(lost) + 1):
        wanted = rule(plan, present) - (rule(plan, before) & set(before) if before else set())
        report.equal(attempt(round_, number, present, before), wanted, f"stations that send in attempt {number}")
        report.check(not wanted & sent, "a station sends twice")
        sent, before = sent | wanted, present
        present = [u for u in present if u not in lost[: number + 1]]
        # as much as the total, from the first attempt on
        report.equal(federator.learns(sums_of(round_), round_.variables), plan.n_segments * plan.n_chunks,
                     f"attempt {number}: symbols that the sums are worth")
        check_coalitions(report, round_, totals, f"attempt {number}")
    for u in set(plan.stations) - sent:
        round_.run_station(u, f"sum-{u}")
        round_.read("sum", ("station", u), [f"sum-{u}"])
    check_coalitions(report, round_, totals, "all sums")


def check_coalitions(report, round_, totals, what):
    for who in coalitions(round_.plan):
        report.equal(who.learns(who.sees(round_), round_.variables, totals), 0, f"{what}: symbols that {who} learn")


class Rounds(Control):
    def observe_stations(self):
        """The round up to the stations."""
        self.round = Observed(self.commands, self.report, self.plan, self.variables)
        self.round.run(stations=False)
        return self.round


def another_set(control, lost, options):
    """After an attempt the stations that have kept their sums back send others."""
    plan, report, round_ = control.plan, control.report, control.observe_stations()
    everybody = list(plan.stations)
    left = [u for u in everybody if u not in lost]
    attempt(round_, 0, everybody)
    late = rule(plan, left) - rule(plan, everybody)
    for u in sorted(late):
        name = f"other-{u}"
        round_.run_station(u, name, "--present", listed(left), "--after", listed(everybody), *options)
        round_.read("other", ("station", u), [name])
    control.expect(lambda who: who.sees(round_), everybody=list(coalitions(plan)))
    # with a state, a station that has sent nothing refuses it, too
    keeping = Commands(control.commands.bin_dir, control.commands.work_dir, report)
    u = min(late)
    line = ["--plan", "plan", "--station", u, *round_.files(u), "--present"]
    keeping.run("aggregate", *line, listed(everybody), "-o", "kept")
    report.equal(keeping.read("kept"), b"", "a sum that stands by")
    _, said = keeping.run("aggregate", *line, listed(left), "--after", listed(everybody), *options, "-o", "none",
                          status=PRIVACY)
    report.check("already sent" in said and not keeping.exists("none"), said)


CONTROLS = (
    ("other clients, full", Plan(31, MORE, 2, t=1, dealers=[1, 2, 3]), [2], ["--clients", "1-3"]),
    ("other clients, partial", Plan(31, MORE, 2, t=1, full=False, dealers=[2, 5]), [2], ["--clients", "1-3"]),
    ("other clients, one class", Plan(31, {i: [1, 2, 3, 4] for i in (1, 2, 3, 4)}, 2, t=1), [1], ["--clients", "1-3"]),
    ("other clients, two are lost", Plan(31, {**WIDE, 4: [1, 2, 3, 4, 5, 6]}, 2, t=2, dealers=[1, 2, 3, 5]), [1, 2],
     ["--clients", "1-3"]),
)


def main(bin_dir):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for (name, plan, lost, *options), run in itertools.chain(
            zip(ROUNDS, itertools.repeat(check_round)), zip(CONTROLS, itertools.repeat(another_set))):
        with report.part(f"{name}:\n{plan.text()}"), tempfile.TemporaryDirectory(dir=scratch) as temporary:
            run(Rounds(bin_dir, temporary, report, plan), lost, *options)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
