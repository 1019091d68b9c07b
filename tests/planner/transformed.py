"""Plans with transformations: transformed.py BIN COUNT.

For small networks, all sets of stations and relays of all reach classes are tried in Python. Under partial
collusion hagg-plan must find the cheapest choice; under full collusion one that is at most as expensive as
the cheapest private choice in which clients with the same reach have the same sets.
"""

import itertools
import random
import sys
from fractions import Fraction

from graph import is_private
from networks import check_networks, some
from sharing import parameters
from topology import parse
from transform_plan import check_plan, choices, least, parts_of

tally = {"partial": 0, "full": 0, "two groups": 0, "sides differ": 0}


def small(seed):
    rng = random.Random(f"transformed {seed}")
    n_stations, n_relays, z = rng.randint(3, 6), rng.randint(3, 5), rng.randint(1, 2)
    z_relays = rng.randint(1, 2)
    n_stations = max(n_stations, z + 2)
    kind = ("partial", "full")[seed % 2]
    lines = [f"collude {kind} clients={rng.randint(0, 1)} stations={z} relays={z_relays}",
             f"stations {n_stations}", f"relays {n_relays}", "protocol keys"]
    fewest = rng.choice((n_relays, z_relays + 1))
    lines += [f"station {u} via {some(rng, n_relays, fewest)}" for u in range(1, n_stations + 1)]
    number = 1
    for _ in range(rng.randint(2, 3)):
        n = rng.choice((2, 3, 5, 9))
        lines.append(f"client {number}-{number + n - 1} via {some(rng, n_stations, z + 1)}")
        number += n
    return "\n".join(lines) + "\n"


def rate(topology, tier, n):
    return Fraction(n, parts_of(topology, tier, n))


def cost_of_side(topology, ways):
    """ways: the stations and relays of each client. What is sent for this kind of sharing."""
    total = sum(rate(topology, 0, len(stations)) for stations, _ in ways)
    for stations, relays in set(ways):
        k, _, parts = parameters(topology.scheme, len(stations), *topology.tiers[0])[:3]
        total += Fraction(k, parts) * rate(topology, 1, len(relays))
    return total + sum(rate(topology, 1, len(relays)) for relays, _ in {group(topology, way) for way in ways})


def group(topology, way):
    stations, relays = way
    return relays, parts_of(topology, 0, len(stations))


def sides(topology):
    """The cost and the groups of every side in which clients with the same reach have the same sets;
    with the cheapest cost for the same groups only."""
    reaches = [tuple(client.via) for client in topology.clients.values()]
    kinds = sorted(set(reaches))
    options = {via: [(e, tuple(sorted(m))) for e, common in choices(topology, via)
                     for n in range(least(topology, 1), len(common) + 1)
                     for m in itertools.combinations(sorted(common), n)] for via in kinds}
    if any(not found for found in options.values()) or \
            len(list(itertools.islice(itertools.product(*options.values()), 30001))) > 30000:
        return None
    found = {}
    for chosen in itertools.product(*(options[via] for via in kinds)):
        relays_of = {}
        if any(relays_of.setdefault(e, m) != m for e, m in chosen):
            continue
        way = dict(zip(kinds, chosen))
        ways = [way[via] for via in reaches]
        cost = cost_of_side(topology, ways)
        key = tuple(group(topology, one) for one in ways)
        if key not in found or cost < found[key]:
            found[key] = cost
    return found


def least_cost(topology, found):
    if not topology.full:
        return min(found.values())
    order = sorted(found.items(), key=lambda item: item[1])
    best = None
    for y, cost in order:
        for x, more in order:
            if best is not None and cost + more >= best:
                break
            if is_private(list(zip(y, x)), topology.colluding_clients):
                best = cost + more
                break
    return best


def check(report, planner, seed):
    text = small(seed)
    topology = parse(text)
    found = sides(topology)
    if found is None:
        return
    best = least_cost(topology, found)
    plan, _, said = planner.plan(text, "--transform", "always")
    if plan is None:
        report.check(best is None, f"refused, and {best} is possible: {said}\n{text}")
        return
    planned = parse(plan)
    check_plan(report, topology, planned)
    ways = [[(tuple(c.shares), tuple(c.relays)) for c in planned.clients.values()]]
    if topology.full:
        ways.append([(tuple(c.keys), tuple(c.key_relays)) for c in planned.clients.values()])
    cost = sum(cost_of_side(planned, side) for side in ways)
    if topology.full:
        report.check(best is None or cost <= best, f"costs {cost}, and the best is {best}\n{text}")
    else:
        report.equal(cost, best, f"cost of the cheapest choice\n{text}")
    if seed % 3 == 0:
        report.equal(planner.run("audit", plan, "-").returncode, 0, f"status of hagg-audit\n{plan}")
    tally["full" if topology.full else "partial"] += 1
    tally["two groups"] += any(len({group(planned, way) for way in side}) > 1 for side in ways)
    tally["sides differ"] += len(ways) == 2 and ways[0] != ways[1]


if __name__ == "__main__":
    sys.exit(check_networks(*sys.argv[1:], check, tally))
