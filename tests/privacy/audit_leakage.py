"""Compares the leakage reported by hagg-audit with the forms of plan_forms.py: audit_leakage.py BIN.

For plans whose relays have sharings of their own, and for sets of colluders that are allowed and
others: the leakage must be exactly the number of symbols that plan_forms.py computes.
"""

import itertools
import json
import random
import sys
import tempfile

from commands import Commands
from plan_forms import PlanForms
from report import Report
from topology import parse
from transform_plans import PLANS, length_of

SETS = 40  # of each plan


def some_sets(rng, plan, n):
    """Random stations, relays and clients, with the federator or without; at least two clients are
    left."""
    def some(numbers):
        numbers = list(numbers)
        return tuple(sorted(rng.sample(numbers, rng.randint(0, len(numbers)))))

    for federator in itertools.islice(itertools.cycle((True, False)), n):
        clients = some(plan.clients)
        yield (some(range(1, plan.n_stations + 1)), some(range(1, plan.n_relays + 1)),
               clients[: max(0, len(plan.clients) - 2)], federator)


def reported_leakage(commands, stations, relays, clients, federator):
    """The reported leakage: a number of parts, and the number of parts per vector."""
    named = {"stations": stations, "relays": relays, "clients": clients}
    who = " ".join(f"{name}={','.join(map(str, numbers))}" for name, numbers in named.items() if numbers)
    out, _ = commands.run("audit", "--json", "--colluders", who + " federator" * federator, "plan", status=None)
    leaks = json.loads(out)["leaks"]
    return (leaks[0]["rank"], leaks[0]["parts"]) if leaks else (0, 1)


def check(report, commands, text, sets, d, learnt):
    """learnt returns the number of symbols that a set learns, for vectors of d symbols."""
    commands.write("plan", text.encode())
    n = some = 0
    for who in sets:
        rank, parts = reported_leakage(commands, *who)
        want = learnt(who)
        report.equal(rank * d, want * parts, f"symbols that {who} learn, times {parts}")
        n, some = n + 1, some + (want > 0)
    report.check(0 < some < n, f"{some} of {n} sets learn something")


def check_transformed(report, commands, rng, text):
    plan = parse(text)
    forms = PlanForms(plan, length_of(plan))
    # the total of the keys passes through a relay, but these forms give it to the federator only
    sets = [(stations, relays if federator or plan.full else (), clients, federator)
            for stations, relays, clients, federator in some_sets(rng, plan, SETS)]
    check(report, commands, text, sets, forms.d, lambda who: forms.learnt(*who))


def main(bin_dir):
    report, rng = Report(), random.Random(1)
    with tempfile.TemporaryDirectory() as temporary:
        commands = Commands(bin_dir, temporary, report)
        for name, (text, runs, _) in PLANS.items():
            if not runs:  # a plan has no second run with other stations
                with report.part(name):
                    check_transformed(report, commands, rng, text)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
