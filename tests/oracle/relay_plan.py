"""Checks a plan with relays: docs/theory.md sections 6 and 5."""

import itertools

from graph import is_private


def matching_size(stations, links):
    """The largest number of these stations that can be matched with relays, by trying subsets (Hall)."""
    stations = list(stations)
    return min(len(stations) - len(crowd) + len({r for s in crowd for r in links[s]})
               for n in range(len(stations) + 1) for crowd in itertools.combinations(stations, n))


def short_of_relays(topology):
    """Clients that cannot send enough shares to relays, whatever is chosen."""
    return [number for number, client in topology.clients.items()
            if matching_size(client.via, topology.links) < topology.fewest]


def meeting_relays(topology):
    """Relays that all clients can use. Then there is one group of vectors and one of keys, which is
    private whichever clients collude, if stations do not. None if there are no such relays, or if
    stations collude."""
    if topology.z:
        return None
    least = topology.fewest
    for relays in itertools.combinations(range(1, topology.n_relays + 1), least):
        links = {station: set(found) & set(relays) for station, found in topology.links.items()}
        if all(matching_size(client.via, links) == least for client in topology.clients.values()):
            return relays
    return None


def check_way(report, topology, what, client, stations, relays):
    """Checks one sharing: the client reaches its stations, and each is matched with a relay along a
    link."""
    report.check(set(stations) <= set(client.via) and len(set(stations)) == len(stations),
                 f"{what}: stations {stations}")
    report.check(len(set(relays)) == len(relays), f"{what}: a relay gets two shares: {relays}")
    # under full collusion another order prevents sums that are not allowed
    report.check(topology.full or list(relays) == sorted(relays), f"{what}: {relays} do not ascend")
    report.check(len(relays) == len(stations)
                 and all(r in topology.links[s] for s, r in zip(stations, relays)),
                 f"{what}: {relays} are not matched with {stations}")
    report.check(len(stations) >= topology.fewest, f"{what}: {stations} are few")


def check_agree(report, ways, what):
    """Patterns with the same stations have the same order and the same relays."""
    by_set = {}
    for stations, relays in ways:
        by_set.setdefault(frozenset(stations), set()).add((tuple(stations), tuple(relays)))
    report.check(all(len(found) == 1 for found in by_set.values()), f"{what}: {by_set}")


def check_places(report, ways, what):
    """Every station has the same position in all patterns that relays add up. With two positions it
    would know, together with the sum, two shares of each client."""
    places = {}
    for stations, relays in ways:
        for index, station in enumerate(stations):
            found = places.setdefault((tuple(relays), station), index)
            report.equal(found, index, f"{what}: place of station {station} among {relays}")


def check_settings(report, topology, plan):
    """The plan differs from the topology only in its choices."""
    report.equal((plan.n_stations, plan.n_relays, plan.links, plan.full, plan.z, plan.z_relays,
                  plan.drop, plan.drop_relays, plan.field, plan.scheme, plan.minimum),
                 (topology.n_stations, topology.n_relays, topology.links, topology.full, topology.z,
                  topology.z_relays, topology.drop, topology.drop_relays, topology.field,
                  topology.scheme, topology.minimum), "what the plan says besides")
    report.equal({i: c.via for i, c in plan.clients.items()},
                 {i: c.via for i, c in topology.clients.items()}, "what clients reach")


def check_ways(report, plan, check_way):
    """Checks every sharing, and that they agree with each other."""
    for number, client in plan.clients.items():
        check_way(report, plan, f"client {number}", client, client.shares, client.relays)
        if plan.full:
            check_way(report, plan, f"key of client {number}", client, client.keys, client.key_relays)
        else:
            report.check(len(client.keys) == 1 and client.keys[0] in client.via and not client.key_relays,
                         f"client {number}: key to {client.keys} and {client.key_relays}")
    clients = plan.clients.values()
    check_agree(report, [(c.shares, c.relays) for c in clients], "shares")
    if plan.full:
        check_agree(report, [(c.keys, c.key_relays) for c in clients], "keys")


def check_plan(report, topology, plan):
    """Checks the choices of the plan against the topology."""
    check_settings(report, topology, plan)
    check_ways(report, plan, check_way)
    clients = plan.clients.values()
    if plan.full:
        if plan.z:
            check_places(report, [(c.shares, c.relays) for c in clients], "shares")
            check_places(report, [(c.keys, c.key_relays) for c in clients], "keys")
        edges = [(tuple(c.relays), tuple(c.key_relays)) for c in clients]
        report.check(is_private(edges, plan.colluding_clients), f"not private: {edges}")
