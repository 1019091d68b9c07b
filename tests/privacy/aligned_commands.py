"""What coalitions learn from the records that the commands send with protocol aligned:
aligned_commands.py BIN [COUNT [SEED]].

The records of COUNT random rounds, and of the rounds below, are observed as linear forms (aligned_forms.py).
For every coalition that the plan allows, exact elimination gives what it learns: nothing but the total of
the honest clients. aligned_controls.py has rounds that must leak.
"""

import os
import random
import sys
import tempfile

from aligned_forms import Coalition, Observed, Plan, Variables, coalitions
from commands import Commands
from report import Report

MIXED = {1: [1, 2, 3], 2: [2, 3, 4, 5], 3: [1, 2, 3, 4, 5], 4: [1, 4, 5]}
SPARE = {1: [1, 2, 3, 4], 2: [2, 3, 4, 5], 3: [1, 2, 3, 4, 5]}

# name, plan, options of the stations: what a plan must have is not left to chance
ROUNDS = (
    ("full", Plan(31, MIXED, 3, dealers=[1, 3]), ()),
    ("full, many dealers", Plan(31, MIXED, 4, dealers=[5, 4, 1, 2, 3]), ()),
    ("full, two collude", Plan(31, {1: [1, 2, 3], 2: [2, 3, 4, 5], 3: [1, 2, 3, 4, 5]}, 3, z=2, dealers=[2, 4, 5]), ()),
    ("full, a spare station", Plan(31, SPARE, 3, t=1, dealers=[1, 2, 4]), ()),
    ("full, a missing dealer", Plan(31, SPARE, 2, t=1, dealers=[1, 2, 3, 4]), ("--dealers", "1,2,4")),
    ("full, missing clients", Plan(31, MIXED, 3, dealers=[1, 2, 3]), ("--clients", "1,3")),
    ("full, the smallest field", Plan(7, {1: [1, 2, 3], 2: [2, 3, 4]}, 3, dealers=[1, 2], n_stations=4), ()),
    ("full, one class", Plan(31, {1: [1, 2, 4], 2: [1, 2, 4], 3: [1, 2, 4]}, 3, n_stations=4), ()),
    ("full, relays that combine", Plan(31, MIXED, 2, dealers=[1, 3], relays={u: [1 + u % 2] for u in range(1, 6)}), ()),
    ("full, relays that pass on", Plan(31, SPARE, 3, t=1, dealers=[1, 2, 3], relays={u: [u] for u in range(1, 6)}), ()),
    ("partial", Plan(31, MIXED, 3, full=False, dealers=[2]), ()),
    ("partial, two collude", Plan(31, {1: [1, 2, 3], 2: [2, 3, 4, 5], 3: [1, 3, 4, 5]}, 3, z=2, full=False,
                                  dealers=[3]), ()),
    ("partial, three dealers", Plan(31, MIXED, 3, full=False, dealers=[4, 1, 2]), ()),
    ("partial, all stations deal", Plan(31, MIXED, 2, full=False, dealers=[1, 2, 3, 4, 5]), ()),
    ("partial, a spare station", Plan(31, SPARE, 3, t=1, full=False, dealers=[2, 5]), ("--dealers", "5")),
    ("partial, missing clients", Plan(31, MIXED, 2, full=False, dealers=[2]), ("--clients", "2,4")),
    ("partial, one class, a spare station", Plan(31, {1: [1, 2, 3, 4], 2: [1, 2, 3, 4]}, 3, t=1, full=False), ()),
    ("partial, a relay that combines", Plan(31, SPARE, 2, full=False, dealers=[1], relays={u: [1] for u in range(1, 6)}), ()),
)


def random_plan(rng):
    """Small numbers; two part counts at least, unless there is one class."""
    while True:
        full, n_stations = rng.random() < 0.6, rng.randint(4, 5)
        z, t = rng.randint(1, 2), rng.randint(0, 1)
        if n_stations <= z + 2 * t + 1:
            continue
        sets = [sorted(rng.sample(range(1, n_stations + 1), rng.randint(z + t + 1, n_stations)))
                for _ in range(rng.randint(2, 4))]
        used = sorted(set().union(*sets))
        least = (z if full else 0) + t + 1
        if len(used) - 2 * t > z and len(used) >= least:
            break
    dealers = rng.sample(used, rng.randint(least, min(least + 1, len(used))))
    if len(set(map(tuple, sets))) == 1:
        dealers = None
    numbers = sorted(rng.sample(range(1, 50), len(sets)))
    return Plan(rng.choice((13, 31, 101)), dict(zip(numbers, sets)), rng.randint(1, 4), z, t, full, dealers, n_stations)


def random_options(rng, plan):
    options = []
    if len(plan.clients) > 2 and rng.random() < 0.4:
        options += ["--clients", ",".join(map(str, sorted(rng.sample(list(plan.clients), len(plan.clients) - 1))))]
    if plan.t and plan.dealers and rng.random() < 0.6:
        options += ["--dealers", ",".join(map(str, sorted(rng.sample(plan.dealers, len(plan.dealers) - 1))))]
    return options


def numbers_of(options, name, otherwise):
    options = list(options)
    return [int(n) for n in options[options.index(name) + 1].split(",")] if name in options else list(otherwise)


def check_round(report, commands, plan, options):
    variables = Variables(plan.p)
    round_ = Observed(commands, report, plan, variables)
    round_.run(stations=False)
    round_.run_stations(*options)
    clients = numbers_of(options, "--clients", plan.clients)
    dealers = numbers_of(options, "--dealers", plan.dealers)
    for u in plan.stations:
        sums = [record for (kind, sender, _), record in round_.records.items() if (kind, sender) == ("sum", ("station", u))]
        report.check((round_.sum_of(u, clients, dealers) == sums[0]).all(), f"the sum of station {u}")
    if plan.relays:
        combined = any(kind.startswith("summand") for kind, _, _ in round_.records)
        report.equal(combined, "combine" in report.where, "relays combine")
    totals = [("", clients, plan.n_segments, plan.n_chunks)]
    federator = Coalition(plan, federator=True)
    report.equal(federator.learns(federator.sees(round_), variables), plan.n_segments * plan.n_chunks,
                 "symbols that the federator learns")
    report.equal(federator.learns(federator.sees(round_), variables, totals), 0, "symbols beyond the total")
    for who in coalitions(plan, None if len(plan.clients) < 4 else (0, 1)):
        report.equal(who.learns(who.sees(round_), variables, totals), 0, f"symbols that {who} learn")


def main(bin_dir, count=10, seed=20):
    report, rng = Report(), random.Random(int(seed))
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    plans = [(f"random plan {i} of seed {seed}", random_plan(rng)) for i in range(int(count))]
    for name, plan, options in [*ROUNDS, *((name, plan, random_options(rng, plan)) for name, plan in plans)]:
        with report.part(f"{name} {options}:\n{plan.text()}"), tempfile.TemporaryDirectory(dir=scratch) as temporary:
            check_round(report, Commands(bin_dir, temporary, report, remember=False), plan, options)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
