"""Full collusion with protocol keys, where clients have few stations in common: sparse.py BIN COUNT.

For tiny networks all choices of station sets are tried in Python, and hagg-plan must find a plan if and
only if there is one. The files in sparse/ are larger networks, made around a plan in which hardly any
client could be in other groups: hagg-plan must find a plan for each.
"""

import functools
import glob
import itertools
import os
import random
import re
import sys

from graph import is_private
from networks import Planner, some
from report import Report
from topology import parse

tally = {"a plan": 0, "no plan": 0, "no plan, shown by all choices": 0}


def tiny(seed):
    rng = random.Random(f"tiny {seed}")
    z, n_stations, n_clients = rng.randint(1, 2), rng.randint(3, 5), rng.randint(3, 6)
    lines = [f"collude full clients={rng.randint(0, 2)} stations={z}", "minimum 1", f"stations {n_stations}"]
    lines += [f"client {i} via {some(rng, n_stations, z + 1, min(n_stations, z + 2))}"
              for i in range(1, n_clients + 1)]
    return "\n".join(lines) + "\n"


def partitions(items):
    """All partitions of the list into groups."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]]] + rest
        for i, group in enumerate(rest):
            yield rest[:i] + [[items[0]] + group] + rest[i + 1:]


def has_sets(groups, reaches, least):
    """True if the groups can have different sets of stations that all their clients reach."""
    options = []
    for group in groups:
        common = set.intersection(*(reaches[i] for i in group))
        options.append([some for n in range(least, len(common) + 1)
                        for some in itertools.combinations(sorted(common), n)])

    def place(at, used):
        return at == len(options) or any(place(at + 1, used | {one}) for one in options[at] if one not in used)

    return place(0, frozenset())


@functools.lru_cache(maxsize=None)
def private_pair(y, x, z):
    return is_private(list(zip(y, x)), z)


def has_plan(topology):
    reaches = [set(client.via) for client in topology.clients.values()]
    n = len(reaches)
    sides = []
    for groups in partitions(list(range(n))):
        if has_sets(groups, reaches, topology.z + 1):
            sides.append(tuple(next(g for g, group in enumerate(groups) if i in group) for i in range(n)))
    return any(private_pair(y, x, topology.colluding_clients) for y in sides for x in sides)


def check_plan(report, topology, plan):
    """The plan is private, and uses stations that its clients reach."""
    found = parse(plan)
    for number, client in found.clients.items():
        for stations in (client.shares, client.keys):
            report.check(set(stations) <= set(topology.clients[number].via)
                         and len(set(stations)) > topology.z, f"client {number}: {stations}")
    edges = [(tuple(client.shares), tuple(client.keys)) for client in found.clients.values()]
    report.check(is_private(edges, topology.colluding_clients), "the plan is not private")


def check_tiny(report, planner, text):
    topology = parse(text)
    plan, _, said = planner.plan(text, "--protocol", "keys")
    report.equal(plan is not None, has_plan(topology), f"there is a plan; hagg-plan: {said}\n{text}")
    tally["a plan" if plan else "no plan"] += 1
    if plan:
        check_plan(report, topology, plan)
    else:
        report.check("no plan is private" in said, said)  # a network as small as this is always decided
        tally["no plan, shown by all choices"] += "all station sets were tried" in said


def check_known(report, planner, name):
    with open(name, encoding="ascii") as file:
        known = file.read()
    text = re.sub(r" shares .*", "", known)
    topology = parse(text)
    check_plan(report, topology, known)
    plan, _, said = planner.plan(text, "--protocol", "keys")
    if report.check(plan is not None, said):
        check_plan(report, topology, plan)


def main(bin_dir, count):
    report, planner = Report(), Planner(bin_dir)
    for seed in range(int(count)):
        with report.part(f"tiny network {seed}"):
            check_tiny(report, planner, tiny(seed))
    names = sorted(glob.glob(os.path.join(os.path.dirname(__file__), "sparse", "*.plan")))
    for name in names:
        with report.part(name):
            check_known(report, planner, name)
    print(tally, len(names))
    with report.part("all networks"):
        report.check(min(tally.values()) > 0 and len(names) >= 20, f"too one-sided: {tally}, {len(names)} plans")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
