"""Checks a plan with transformations, and computes the cost of the best one."""

import itertools
from fractions import Fraction

from graph import is_private
from relay_plan import check_settings, check_ways
from sharing import fewest, parameters


def least(topology, tier):
    """The smallest number of holders of a sharing of the tier."""
    return fewest(*topology.tiers[tier])


def has_form(topology, tier):
    return topology.scheme == "ramp" or topology.tiers[tier][1] == 0


def common_relays(topology, stations):
    return frozenset.intersection(*(frozenset(topology.links[u]) for u in stations))


def choices(topology, via):
    """The possible sets of stations, each with all relays that its stations have in common."""
    if not (has_form(topology, 0) and has_form(topology, 1)):
        return
    for n in range(least(topology, 0), len(via) + 1):
        for stations in itertools.combinations(via, n):
            relays = common_relays(topology, stations)
            if len(relays) >= least(topology, 1):
                yield stations, relays


def stuck(topology):
    """Clients without a possible set."""
    return [number for number, client in topology.clients.items()
            if next(choices(topology, client.via), None) is None]


def can_meet(topology):
    """True if the sharings of all clients can be added up at some relays, which is private whichever
    clients collude. For that they need the same relays and the same number of parts."""
    reaches = {tuple(client.via) for client in topology.clients.values()}
    found = [{(parts_of(topology, 0, len(stations)), frozenset(some))
              for stations, relays in choices(topology, via)
              for some in itertools.combinations(sorted(relays), least(topology, 1))}
             for via in reaches]
    return bool(set.intersection(*found))


def parts_of(topology, tier, n):
    return parameters(topology.scheme, n, *topology.tiers[tier])[2]


def least_cost(topology):
    """The least cost for one kind of sharing, by trying all choices. For clients with the same reach
    one choice is best. Using fewer relays than possible only pays if other patterns have no more."""
    weights = {}
    for client in topology.clients.values():
        weights[tuple(client.via)] = weights.get(tuple(client.via), 0) + 1
    kinds = sorted(weights, key=weights.get, reverse=True)
    every = {via: list(choices(topology, via)) for via in kinds}
    closed = {relays for via in kinds for _, relays in every[via]}
    while True:
        more = {a & b for a in closed for b in closed} - closed
        if not more:
            break
        closed |= more

    def rate(tier, n):
        return Fraction(n, parts_of(topology, tier, n))

    # additive sharing is cheapest with few relays, so all subsets are tried
    def onward(relays):
        if topology.scheme == "additive":
            return [frozenset(some) for some in itertools.combinations(sorted(relays), least_additive)]
        return [some for some in closed if some <= relays and len(some) >= least(topology, 1)]

    least_additive = least(topology, 1)
    options = {via: sorted(((weights[via] * rate(0, len(e)), e, m, parts_of(topology, 0, len(e)))
                            for e, relays in every[via] for m in onward(relays)),
                           key=lambda option: option[0]) for via in kinds}
    rest = [sum(options[via][0][0] for via in kinds[i:]) for i in range(len(kinds) + 1)]
    best = [None]

    def search(at, cost, ways, groups):
        if best[0] is not None and cost + rest[at] >= best[0]:
            return
        if at == len(kinds):
            best[0] = cost
            return
        for own, e, m, cut in options[kinds[at]]:
            if best[0] is not None and cost + own + rest[at + 1] >= best[0]:
                return
            if ways.get(e, m) != m:
                continue
            more = own
            if e not in ways:
                k = parameters(topology.scheme, len(e), *topology.tiers[0])[0]
                more += Fraction(k, cut) * rate(1, len(m))
            if (m, cut) not in groups:
                more += rate(1, len(m))
            search(at + 1, cost + more, {**ways, e: m}, groups | {(m, cut)})

    search(0, Fraction(0), {}, frozenset())
    return best[0]


def check_way(report, plan, what, client, stations, relays):
    report.check(set(stations) <= set(client.via) and len(set(stations)) == len(stations),
                 f"{what}: stations {stations}")
    report.equal(list(relays), sorted(set(relays)), f"{what}: relays")
    report.check(all(relay in plan.links[u] for u in stations for relay in relays),
                 f"{what}: {stations} do not all reach {relays}")
    report.check(len(stations) >= least(plan, 0) and len(relays) >= least(plan, 1),
                 f"{what}: {stations} or {relays} are few")


def check_plan(report, topology, plan):
    """Checks the choices of the plan against the topology."""
    report.check(plan.transform, "the plan has no transformation")
    check_settings(report, topology, plan)
    check_ways(report, plan, check_way)
    if plan.full:
        edges = [((tuple(c.relays), parts_of(plan, 0, len(c.shares))),
                  (tuple(c.key_relays), parts_of(plan, 0, len(c.keys)))) for c in plan.clients.values()]
        report.check(is_private(edges, plan.colluding_clients), f"not private: {edges}")
