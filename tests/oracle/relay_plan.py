"""Whether a plan with relays is what it should be: theory.md section 4, relays, and section 6."""

import itertools

from graph import is_private


def matching_size(stations, links):
    """The most of these stations that can have relays of their own, by trying subsets (Hall)."""
    stations = list(stations)
    return min(len(stations) - len(crowd) + len({r for s in crowd for r in links[s]})
               for n in range(len(stations) + 1) for crowd in itertools.combinations(stations, n))


def short_of_relays(topology):
    """Clients who cannot send enough shares to relays, whatever is chosen."""
    least = topology.colluders + topology.spares + 1
    return [number for number, client in topology.clients.items()
            if matching_size(client.via, topology.links) < least]


def meeting_relays(topology):
    """Relays at which all clients can meet: one group of vectors and one of keys is private, however
    many clients collude, if stations do not. None if there are none, or if stations do."""
    if topology.z:
        return None
    least = topology.colluders + topology.spares + 1
    for relays in itertools.combinations(range(1, topology.n_relays + 1), least):
        links = {station: set(found) & set(relays) for station, found in topology.links.items()}
        if all(matching_size(client.via, links) == least for client in topology.clients.values()):
            return relays
    return None


def check_way(report, topology, what, client, stations, relays):
    """One sharing: stations that are reached, a relay for each along a link, none twice."""
    report.check(set(stations) <= set(client.via) and len(set(stations)) == len(stations),
                 f"{what}: stations {stations}")
    report.check(len(set(relays)) == len(relays), f"{what}: a relay gets two shares: {relays}")
    # another order keeps apart what must not be added up, which is for full collusion
    report.check(topology.full or list(relays) == sorted(relays), f"{what}: {relays} do not ascend")
    report.check(len(relays) == len(stations)
                 and all(r in topology.links[s] for s, r in zip(stations, relays)),
                 f"{what}: {relays} are not matched with {stations}")
    report.check(len(stations) > topology.colluders + topology.spares, f"{what}: {stations} are few")


def check_agree(report, ways, what):
    """The same stations mean the same order and the same relays."""
    by_set = {}
    for stations, relays in ways:
        by_set.setdefault(frozenset(stations), set()).add((tuple(stations), tuple(relays)))
    report.check(all(len(found) == 1 for found in by_set.values()), f"{what}: {by_set}")


def check_places(report, ways, what):
    """In what relays add up every station has the same place: if it had two, it would have, with the
    sum, two shares of each."""
    places = {}
    for stations, relays in ways:
        for index, station in enumerate(stations):
            found = places.setdefault((tuple(relays), station), index)
            report.equal(found, index, f"{what}: place of station {station} among {relays}")


def check_settings(report, topology, plan):
    """Nothing has changed but what is chosen."""
    report.equal((plan.n_stations, plan.n_relays, plan.links, plan.full, plan.z, plan.z_relays,
                  plan.drop, plan.drop_relays, plan.field, plan.scheme, plan.minimum),
                 (topology.n_stations, topology.n_relays, topology.links, topology.full, topology.z,
                  topology.z_relays, topology.drop, topology.drop_relays, topology.field,
                  topology.scheme, topology.minimum), "what the plan says besides")
    report.equal({i: c.via for i, c in plan.clients.items()},
                 {i: c.via for i, c in topology.clients.items()}, "what clients reach")


def check_ways(report, plan, check_way):
    """Every sharing by itself, and that they agree."""
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
    """What was chosen fits what was asked for."""
    check_settings(report, topology, plan)
    check_ways(report, plan, check_way)
    clients = plan.clients.values()
    if plan.full:
        if plan.z:
            check_places(report, [(c.shares, c.relays) for c in clients], "shares")
            check_places(report, [(c.keys, c.key_relays) for c in clients], "keys")
        edges = [(tuple(c.relays), tuple(c.key_relays)) for c in clients]
        report.check(is_private(edges, plan.colluding_clients), f"not private: {edges}")
