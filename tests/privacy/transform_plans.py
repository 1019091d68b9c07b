"""What colluders learn in rounds whose relays have sharings of their own:
transform_plans.py BIN [COUNT [SEED]].

Uses linear algebra over a small field, so each answer is a theorem about that plan. Some plans are
given with the expected answers; others are random, private or not, and hagg-plan must accept exactly
the private ones.
"""

import itertools
import math
import random
import sys
import tempfile

from commands import Commands
from observed_forms import FIELD
from plan_forms import PlanForms
from report import Report
from sharing import fewest, parameters
from topology import parse


def length_of(plan):
    """A length for which no part is padded."""
    ways = [(c.shares, c.relays) for c in plan.clients.values()]
    if plan.full:
        ways += [(c.keys, c.key_relays) for c in plan.clients.values()]
    return math.lcm(*(parameters(plan.scheme, len(e), *plan.tiers[0])[2]
                      * parameters(plan.scheme, len(m), *plan.tiers[1])[2] for e, m in ways))


def coalitions(plan, more_stations=0, more_relays=0):
    """As many stations and relays as may collude, and at most as many clients as may collude."""
    n_clients = range(plan.colluding_clients + 1)
    return itertools.product(
        itertools.combinations(range(1, plan.n_stations + 1), plan.z + more_stations),
        itertools.combinations(range(1, plan.n_relays + 1), plan.z_relays + more_relays),
        itertools.chain(*(itertools.combinations(plan.clients, n) for n in n_clients)))


def leaks(plan, forms, more_stations=0, more_relays=0):
    """A coalition that learns too much, or None. Under partial collusion the federator and relays are
    on one side and stations on the other."""
    for stations, relays, clients in coalitions(plan, more_stations, more_relays):
        sides = [(stations, relays, clients, True)] if plan.full else \
            [(stations, (), clients, False), ((), relays, clients, True)]
        for side in sides:
            if forms.learnt(*side) > 0:
                return side
    return None


HEAD = f"field {FIELD}\nprotocol keys\ntransform direct\nminimum 2\n"

# A plan, the stations present in each run, and whether it is private against the colluders it allows,
# with one # more station, and with one more relay.
FULL = HEAD + "collude full clients=1 stations=1 relays=1\n"
LINKS = "stations 4\nrelays 3\nstation 1-4 via 1-3\n"
PLANS = {
    "two patterns, merged at relays": (
        FULL + LINKS + "client 1 2 via 1-4 shares 1 2 keys 1 2 relays 1-3 key-relays 1-3\n"
        "client 3 4 via 1-4 shares 3 4 keys 3 4 relays 1-3 key-relays 1-3\n", None, (True, False, False)),
    "a station with two places in what is added up": (
        FULL + LINKS + "client 1 2 via 1-4 shares 1 2 keys 1-2 relays 1-3 key-relays 1-3\n"
        "client 3 4 via 1-4 shares 3 1 keys 2 3 relays 1-3 key-relays 1-3\n", None, (True, False, False)),
    "the same relays for sharings of one and of two parts": (
        FULL + LINKS + "client 1 2 via 1-4 shares 1 2 keys 1 2 relays 1-3 key-relays 1-3\n"
        "client 3 4 via 1-4 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3\n", None, (False, False, False)),
    "one and two parts, held together by keys": (
        FULL + LINKS + "client 1 2 via 1-4 shares 1 2 keys 1 2 relays 1-3 key-relays 1-3\n"
        "client 3 4 via 1-4 shares 1-3 keys 3 4 relays 1-3 key-relays 1-3\n", None, (True, False, False)),
    "different relays": (
        FULL + LINKS + "client 1 2 via 1-4 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
        "client 3 4 via 1-4 shares 3 4 keys 3 4 relays 2 3 key-relays 2 3\n", None, (False, False, False)),
    "stations and relays to spare, and a second run with others": (
        FULL + "drop stations=1 relays=1\nstations 5\nrelays 5\nstation 1-5 via 1-5\n"
        "client 1 2 via 1-5 shares 1-4 keys 1-4 relays 1-4 key-relays 1-5\n"
        "client 3 via 1-5 shares 5 2 1 4 keys 1-4 relays 1-4 key-relays 1-5\n",
        ((1, 2, 3, 4, 5), (1, 3, 4, 5), (2, 3, 4, 5)), (True, False, True)),
    "additive sharings of different sizes": (
        FULL + "scheme additive\n" + LINKS
        + "client 1 2 via 1-4 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
        "client 3 4 via 1-4 shares 4 3 keys 1-3 relays 1 2 key-relays 1 2\n", None, (True, False, False)),
    "nobody at the relays": (
        HEAD + "collude full clients=2 stations=2 relays=0\n" + LINKS
        + "client 1-3 via 1-4 shares 1-3 keys 1-3 relays 1 2 key-relays 1\n"
        "client 4 via 1-4 shares 2-4 keys 3 1 2 relays 1 2 key-relays 1 2 3\n", None, (True, False, False)),
    "partial collusion": (
        HEAD + "collude partial clients=1 stations=1 relays=1\n" + LINKS
        + "client 1 2 via 1-4 shares 1 2 keys 1 relays 1-3\n"
        "client 3 via 1-4 shares 1-3 keys 2 relays 1-3\n"
        "client 4 via 1-4 shares 4 2 keys 4 relays 1 2\n", None, (True, False, True)),
    "partial collusion, stations and relays to spare": (
        HEAD + "collude partial clients=1 stations=1 relays=1\ndrop stations=1 relays=1\n"
        "stations 5\nrelays 4\nstation 1-5 via 1-4\n"
        "client 1 2 via 1-5 shares 1 2 4 5 keys 1 relays 1-4\n"
        "client 3 via 1-5 keys 2 relays 1-4\n",
        ((1, 2, 3, 4, 5), (1, 3, 4, 5)), (True, False, True)),
}


def check_given(report, commands):
    for name, (text, runs, wanted) in PLANS.items():
        with report.part(name):
            plan = parse(text)
            forms = PlanForms(plan, length_of(plan), runs)
            for private, more in zip(wanted, ((0, 0), (1, 0), (0, 1))):
                found = leaks(plan, forms, *more)
                report.check((found is None) == private, f"{more} more: {found} learn")
            check_verdict(report, commands, text, wanted[0])


def check_verdict(report, commands, text, private):
    commands.write("plan", text.encode())
    _, said = commands.run("plan", "--keep", "plan", "-o", "kept", status=0 if private else 6)
    report.check(private or "would learn" in said, said)


def random_plan(rng):
    """A random plan; clients use a few routes, different ones on each side."""
    n_stations, n_relays = rng.randint(2, 4), rng.randint(2, 3)
    scheme = rng.choice(("ramp", "ramp", "additive"))
    z, z_relays = rng.randint(0, min(2, n_stations - 1)), rng.randint(0, min(1, n_relays - 1))
    drop = rng.randint(0, min(1, (n_stations - 1 - z) // 2)) if scheme == "ramp" else 0
    lines = [f"scheme {scheme}", f"stations {n_stations}", f"relays {n_relays}",
             f"collude full clients={rng.randint(0, 1)} stations={z} relays={z_relays}",
             f"station 1-{n_stations} via 1-{n_relays}"]
    if drop:
        lines.append(f"drop stations={drop}")
    pool = {}
    while len(pool) < 4:
        e = rng.sample(range(1, n_stations + 1), rng.randint(fewest(z, drop), n_stations))
        m = sorted(rng.sample(range(1, n_relays + 1), rng.randint(z_relays + 1, n_relays)))
        pool[rng.random(), " ".join(map(str, e))] = " ".join(map(str, m))
    sides = [sorted({e: m for (_, e), m in rng.sample(sorted(pool.items()), 2)}.items())
             for _ in range(2)]
    together = rng.random() < 0.8
    for client in range(1, rng.randint(3, 4) + 1):
        # often both sides are chosen together, which separates the clients into two parts
        first = rng.randrange(2)
        second = first if together else rng.randrange(2)
        (e, m), (f, l) = (side[at % len(side)] for side, at in zip(sides, (first, second)))
        lines.append(f"client {client} via 1-{n_stations} shares {e} keys {f} relays {m} key-relays {l}")
    return HEAD + "\n".join(lines) + "\n"


def main(bin_dir, count=60, seed=2):
    report, counts = Report(), {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as temporary:
        commands = Commands(bin_dir, temporary, report)
        check_given(report, commands)
        for index in range(int(count)):
            text = random_plan(random.Random(f"plans {seed} {index}"))
            with report.part(f"plan {index}:\n{text}"):
                plan = parse(text)
                private = leaks(plan, PlanForms(plan, length_of(plan))) is None
                counts[private] += 1
                check_verdict(report, commands, text, private)
    print(counts)
    report.check(min(counts.values()) * 5 >= int(count), f"too one-sided: {counts}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
