"""hagg-plan with computational privacy and couriers: seeds.py BIN COUNT.

The plan costs what hagg-cost counts, and no more than with all stations. The plan of a plan is the same. No plan with
protocol keys costs less than what the command says about all of them. Nothing is proved if masks are seeds or if
clients have couriers. More effort never costs more.
"""

import random
import re
import sys
from fractions import Fraction

from networks import check_networks, some

tally = {"couriers": 0, "privacy computational": 0, "proved": 0, "keys are bounded": 0, "all stations cost more": 0}


def network(seed):
    rng = random.Random(f"seeds {seed}")
    z, drop, kind = rng.randint(1, 2), rng.randint(0, 1), rng.choice(("partial", "full"))
    n_stations = rng.randint(z + 2 * drop + 1, 7)
    lines = [f"collude {kind} clients={rng.randint(0, 1)} stations={z}", f"stations {n_stations}"]
    if drop:
        lines.append("drop stations=1")
    if rng.random() < 0.3:
        lines.append(f"length {rng.randint(1, 300)}")
    everybody = rng.random() < 0.4
    lines.append("privacy computational" if everybody else "fallback computational")
    # enough stations are in use, whatever is chosen
    lines.append(f"client 1 via 1-{n_stations} shares 1-{n_stations}")
    for i in range(2, rng.randint(4, 10)):
        via = some(rng, n_stations, rng.choice((1, z + drop + 1)))
        lines.append(f"client {i} via {via}{rng.choice(('', ' computational'))}")
    return "\n".join(lines) + "\n", everybody


def row(said, name):
    """Cost of a row of the table, and whether it is only a bound."""
    found = re.search(rf"^hagg-plan: {name} +(at least )?([\d/]+)", said, re.M)
    return (Fraction(found[2]), bool(found[1])) if found else (None, False)


def check(report, planner, seed):
    text, everybody = network(seed)
    plan, cost, said = planner.plan(text, "--protocol", "auto", "--effort", "1")
    report.check(plan is not None, said)
    counted, seeds = planner.count(plan)
    report.equal(cost, counted, "cost of the plan")
    report.equal(f"{seeds} seed" in said, seeds > 0, f"{seeds} seeds: {said}")
    report.equal(planner.plan(plan, "--effort", "1")[0], plan, "plan of the plan")
    couriers = "courier to other stations" in said
    proved = "proved: " in said
    report.check(not proved or "protocol aligned" in plan and not everybody and not couriers, said)

    whole, _ = row(said, "aligned, all stations")
    costs = [planner.plan(text, "--protocol", "aligned", "--effort", level)[1] for level in "12"]
    if "length" not in text:  # with one, symbols count
        report.check(costs[1] <= costs[0] <= whole, f"{costs} by effort, but {whole} with all stations")
        tally["all stations cost more"] += costs[0] < whole

    least, is_bound = row(said, "keys")
    _, keys, _ = planner.plan(text, "--protocol", "keys", "--effort", "1")
    if is_bound and keys is not None:
        report.check(keys >= least, f"keys cost {keys}, but at least {least}")
        tally["keys are bounded"] += 1
    tally["couriers"] += couriers
    tally["privacy computational"] += everybody
    tally["proved"] += proved


if __name__ == "__main__":
    sys.exit(check_networks(*sys.argv[1:], check, tally))
