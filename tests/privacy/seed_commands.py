"""What coalitions learn from the records that the commands send with seeds: seed_commands.py BIN [COUNT [SEED]].

The records of the rounds below and of COUNT random ones are observed as linear forms (seed_forms.py). For
every coalition that the plan allows, exact elimination gives what it learns: nothing but the total of
the honest clients. The controls at the end must leak: a seed that is used twice, or that everybody knows, too
many stations, and a courier that can open what it passes on.
"""

import itertools
import os
import random
import sys
import tempfile

from aligned_commands import MIXED, SPARE, numbers_of, random_options, random_plan
from aligned_forms import Coalition, coalitions
from commands import Commands
from report import Report
from seed_forms import EVERYBODY, SeedObserved, SeedPlan, SeedVariables

P = 101
FEW = {1: [1, 2], 2: [2, 3, 4, 5], 3: [1, 2, 3, 4, 5], 4: [2, 5]}  # for z = 1
TWO = {1: [1, 2, 4], 2: [1, 2, 3, 4, 5], 3: [2, 3, 5], 4: [1, 3, 4, 5]}  # for z = 2

ROUNDS = (
    ("all, full", SeedPlan(P, MIXED, 3, dealers=[1, 3]), ()),
    ("all, partial", SeedPlan(P, MIXED, 3, full=False, dealers=[2]), ()),
    ("all, full, two collude", SeedPlan(P, TWO, 3, z=2, dealers=[2, 4, 5]), ()),
    ("all, one class", SeedPlan(P, {1: [1, 2, 3], 2: [1, 2, 3], 3: [1, 2, 3]}, 3, z=2), ()),
    ("all, couriers, full", SeedPlan(P, FEW, 3, via={1: [2], 4: [5]}, dealers=[1, 3]), ()),
    ("all, couriers, a spare station", SeedPlan(P, {**SPARE, 4: [1, 3, 5]}, 2, t=1, via={4: [3]}, dealers=[1, 2, 4]), ()),
    ("couriers, full", SeedPlan(P, FEW, 3, "fallback", via={1: [2], 4: [5]}, dealers=[1, 3]), ()),
    ("couriers, two collude", SeedPlan(P, TWO, 2, "fallback", via={1: [2, 4], 3: [5]}, z=2, dealers=[1, 2, 3]), ()),
    ("couriers, partial, missing clients", SeedPlan(P, FEW, 2, "fallback", via={1: [1], 4: [2]}, full=False,
                                                    dealers=[3]), ("--clients", "1,2,4")),
    ("couriers, relays", SeedPlan(P, FEW, 2, "fallback", via={4: [5]}, dealers=[1, 3],
                                  relays={u: [1 + u % 2] for u in range(1, 6)}), ()),
    ("some clients", SeedPlan(P, MIXED, 3, None, computational={2, 4}, dealers=[1, 3]), ()),
)


def random_seed_plan(rng):
    """A random plan, whose clients with the fewest stations may have a courier."""
    plan = random_plan(rng)
    few = plan.z + plan.t + 1
    via = {i: sorted(rng.sample(e, rng.randint(1, few - 1))) for i, e in plan.clients.items()
           if len(e) == few and rng.random() < 0.7}
    privacy = rng.choice(("privacy", "fallback") if via else ("privacy",))
    return SeedPlan(P, plan.clients, plan.n_segments, privacy, via, z=plan.z, t=plan.t, full=plan.full,
                    dealers=plan.dealers, n_stations=plan.n_stations)


def observe(commands, report, plan, options=(), seed_of=None, alias=lambda name: name):
    commands.begin(0, has_seeds=True)
    round_ = SeedObserved(commands, report, plan, SeedVariables(plan.p, alias), seed_of)
    round_.run(stations=False)
    round_.run_stations(*options)
    return round_


def check_round(report, commands, plan, options):
    round_ = observe(commands, report, plan, options)
    clients, dealers = (numbers_of(options, name, all_) for name, all_ in
                        (("--clients", plan.clients), ("--dealers", plan.dealers)))
    for u in plan.stations:
        sums = [record for (kind, sender, _), record in round_.records.items() if (kind, sender) == ("sum", ("station", u))]
        report.check((round_.sum_of(u, clients, dealers) == sums[0]).all(), f"the sum of station {u}")
    totals, variables = [("", clients, plan.n_segments, plan.n_chunks)], round_.variables
    federator = Coalition(plan, federator=True)
    report.equal(federator.learns(federator.sees(round_), variables), plan.n_segments * plan.n_chunks,
                 "symbols that the federator learns")
    for who in coalitions(plan, (0, 1)):
        report.equal(who.learns(who.sees(round_), variables, totals), 0, f"symbols that {who} learn")


def most(round_, plan, everybody, sees=lambda who, round_: who.sees(round_)):
    totals = [("", list(plan.clients), plan.n_segments, plan.n_chunks)]
    return max(who.learns(sees(who, round_), round_.variables, totals) for who in everybody)


def leaks(report, n, least=1):
    report.check(n >= least, f"{n} symbols leak, not {least}")
    print(f"{report.where.splitlines()[0]}: {n} symbols beyond the total")


def same_for_stations(report, commands, plan):
    """A client uses one seed for both stations."""
    seed = b"one seed for both, of 32 bytes.."

    def alias(name):
        return (*name[:3], name[3] - name[3] % plan.z, *name[4:]) if name[:2] == ("r", ("client", 2)) else name

    round_ = observe(commands, report, plan, seed_of=lambda owner, _: seed if owner == ("client", 2) else None, alias=alias)
    leaks(report, most(round_, plan, coalitions(plan, (0,))))


def same_for_clients(report, commands, plan):
    """Two clients with the same stations use the same seed: each can take it from its own records."""
    seed = b"one seed for two, of 32 bytes..."

    def alias(name):
        return (name[0], ("client", 1), *name[2:]) if name[:2] == ("r", ("client", 2)) else name

    round_ = observe(commands, report, plan, alias=alias,
                     seed_of=lambda owner, _: seed if owner in (("client", 1), ("client", 2)) else None)
    leaks(report, most(round_, plan, [Coalition(plan, (u,), (1,)) for u in plan.stations]))


def constant(report, commands, plan):
    """A client uses a seed that everybody knows, so that a station with a computed share learns that part."""
    def alias(name):
        return (name[0], EVERYBODY, *name[2:]) if name[:2] == ("r", ("client", 2)) else name

    round_ = observe(commands, report, plan, seed_of=lambda owner, _: b"\0\1" * 16 if owner == ("client", 2) else None,
                     alias=alias)
    everybody = [Coalition(plan, (u,)) for u in plan.stations]
    for who in everybody:
        who.nodes.add(EVERYBODY)
    leaks(report, most(round_, plan, everybody))


def all_stations(report, commands, plan):
    """The z + 1 stations of a client with a courier together learn its vector; any z of them, with all other
    clients, learn nothing of it."""
    round_ = observe(commands, report, plan)
    for i in plan.via:
        others, stations = [other for other in plan.clients if other != i], plan.clients[i]
        report.equal(most(round_, plan, [Coalition(plan, some, others) for some in
                                         itertools.combinations(stations, plan.z)]), 0, f"symbols of client {i}")
        leaks(report, most(round_, plan, [Coalition(plan, stations, others)]), plan.n_segments * plan.n_chunks)


def open_courier(report, commands, plan):
    """A courier that can open what it passes on learns the vector."""
    round_ = observe(commands, report, plan)

    def sees(who, round_):
        return who.sees(round_) + [round_.forms(record) for (kind, sender, _), record in round_.records.items()
                                   if kind == "share" and sender[1] in plan.via]

    courier = Coalition(plan, plan.via[1])
    report.equal(most(round_, plan, [courier]), 0, "symbols that the courier learns")
    leaks(report, most(round_, plan, [courier], sees), plan.n_segments * plan.n_chunks)


ALIKE = {1: [1, 2, 3], 2: [1, 2, 3], 3: [1, 2, 3, 4]}

CONTROLS = (
    ("one seed for two stations", SeedPlan(P, TWO, 3, z=2, full=False, dealers=[2]), same_for_stations),
    ("one seed for two clients", SeedPlan(P, ALIKE, 3, full=False, dealers=[2]), same_for_clients),
    ("a constant seed", SeedPlan(P, MIXED, 3, full=False, dealers=[2]), constant),
    ("all stations of a client with a courier", SeedPlan(P, FEW, 3, "fallback", via={1: [2], 4: [5]}, full=False,
                                                        dealers=[3]), all_stations),
    ("a courier that opens records", SeedPlan(P, FEW, 3, "fallback", via={1: [2]}, full=False, dealers=[3]), open_courier),
)


def main(bin_dir, count=8, seed=24):
    report, rng = Report(), random.Random(int(seed))
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    plans = [(f"random plan {i} of seed {seed}", random_seed_plan(rng)) for i in range(int(count))]
    rounds = [*ROUNDS, *((name, plan, random_options(rng, plan)) for name, plan in plans)]
    for name, plan, options in rounds:
        with report.part(f"{name} {options}:\n{plan.text()}"), tempfile.TemporaryDirectory(dir=scratch) as temporary:
            check_round(report, Commands(bin_dir, temporary, report, remember=False), plan, options)
    for name, plan, run in CONTROLS:
        with report.part(f"{name}:\n{plan.text()}"), tempfile.TemporaryDirectory(dir=scratch) as temporary:
            run(report, Commands(bin_dir, temporary, report, remember=False), plan)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
