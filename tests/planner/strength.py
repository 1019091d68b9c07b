"""The number of clients that may collude, as hagg-plan reports it: strength.py BIN COUNT.

It is compared with hagg-audit --max, which eliminates all that the federator sees, and with a search over
all sets of colluding clients.
"""

import json
import re
import sys

from graph import is_private
from networks import Planner, with_relays, without_relays
from report import Report
from topology import parse

tally = {"a number": 0, "any number": 0, "at least": 0}


def edges_of(plan):
    def vertex(stations, relays):
        if not relays:
            return tuple(stations)
        return (tuple(relays), len(stations)) if plan.transform else tuple(relays)

    return [(vertex(c.shares, c.relays), vertex(c.keys, c.key_relays)) for c in plan.clients.values()]


def check(report, planner, text):
    plan, _, said = planner.plan(text, "--protocol", "keys", "--effort", "1")
    if plan is None:
        return
    at_least, found, required = re.search(
        r"clients that may collude or be missing: (at least )?(\d+|any number) \(required: (\d+)[,)]",
        said).groups()
    parsed = parse(plan)
    n, missing = len(parsed.clients), parsed.drop_clients
    report.equal(int(required), parsed.colluding_clients + missing, "required")
    if at_least:
        tally["at least"] += 1
        report.check(is_private(edges_of(parsed), int(found)), f"not private against {found}")
        return
    tally["any number" if found == "any number" else "a number"] += 1
    audited = json.loads(planner.run("audit", plan, "--max", "--json", "-").stdout)["clients"]
    strength = n - 2 if found == "any number" else int(found)
    # hagg-plan reports what the structure of the plan allows, whatever the minimum of a total is
    report.equal(audited["larger_minimum"], {"private": True, "most": strength - missing, "at_least": False},
                 "hagg-audit --max")
    report.equal(audited["most"], min(strength - missing, parsed.minimum - 2), "with the minimum of the plan")
    if n <= 10:
        edges = edges_of(parsed)
        report.check(is_private(edges, strength), f"not private against {strength}")
        report.check(strength == n - 2 or not is_private(edges, strength + 1), f"more than {strength}")


def many_patterns(n, seed=1):
    """A plan whose flows are too large for an exact answer: n clients, each in two of 200 groups."""
    lines = ["collude full clients=2 stations=3", "stations 12", "protocol keys"]
    sets = [f"{a} {b} {c} {d}" for a in range(1, 10) for b in range(a + 1, 11) for c in range(b + 1, 12)
            for d in range(c + 1, 13)]
    for i in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        lines.append(f"client {i + 1} via 1-12 shares {sets[seed // 2 ** 33 % 200]} "
                     f"keys {sets[200 + seed // 2 ** 50 % 200]}")
    return "\n".join(lines) + "\n"


def main(bin_dir, count):
    report, planner = Report(), Planner(bin_dir)
    for seed in range(int(count)):
        with report.part(f"network {seed} without relays"):
            check(report, planner, without_relays(seed))
        with report.part(f"network {seed} with relays"):
            check(report, planner, with_relays(2 * seed + 1))
    with report.part("a plan with many patterns"):
        text = many_patterns(10000)
        said = planner.plan(text, "--keep")[2]
        found = re.search(r"collude or be missing: at least (\d+) \(required: 2\)", said)
        report.check(found, said)
        # the claim is checked by the commands: they accept the plan for this number
        more = text.replace("clients=2", f"clients={found.group(1)}", 1)
        report.check(planner.plan(more, "--keep")[0] is not None, "not private against that number")
        tally["at least"] += 1
    print(tally)
    with report.part("all networks"):
        report.check(min(tally.values()) > 0, f"too one-sided: {tally}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
