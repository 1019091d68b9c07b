"""Clients with computational privacy: who they are, over which stations they share, which of their shares are
seeds, and which go through a courier: hagg-topology(5), docs/computational.md."""

from sharing import fewest


def stations_needed(t, is_aligned):
    return t.z + t.drop + 1 if is_aligned else fewest(t.colluders, t.spares)


def settle(t, is_aligned):
    """Sets `computational` and `reach` of all clients. Those that reach too few stations share over some that most
    of them reach; but first over stations of their own, because computed shares are longer than seeds."""
    n, colluders = stations_needed(t, is_aligned), t.z if is_aligned else t.colluders
    for client in t.clients.values():
        client.computational = t.computational or client.said_computational or (
            t.fallback and len(client.via) < n)
    short = [c for c in t.clients.values() if c.computational and len(c.via) < n]

    def order(station):
        return (-sum(station in c.via for c in short), -sum(station in c.via for c in t.clients.values()), station)

    ranked = sorted(range(1, t.n_stations + 1), key=order)
    for client in short:
        if client.said_shares:
            client.reach = sorted(client.shares)
            continue
        own = [u for u in ranked if u in client.via][:n - colluders]
        client.reach = sorted(own + [u for u in ranked if u not in own][:n - len(own)])
        client.shares = client.reach


def seeds(client, stations, z):
    """The stations that get a seed: first those that the client does not reach, then the last ones."""
    if not client.computational:
        return set()
    far = [u for u in stations if client.reach and u not in client.via]
    near = [u for u in reversed(stations) if u not in far]
    return set((far + near)[:z])


def drawn_masks(model):
    """The stations of an AlignedModel whose masks have no computed value. Every value that is computed is that of a
    station with as many rows as possible, of several the last one."""
    n, k, segments = len(model.used), len(model.used) - model.spares, model.segments
    cuts = {u: {c for c in range(segments) if any(
        c % v == 0 for i, v in model.parts.items() if u in model.sets[i])} for u in model.used}
    by_rows = sorted(model.used, key=lambda u: (-len(cuts[u]), -u))
    ends = sorted(set().union(*cuts.values())) + [segments]
    drawn = set(model.used) - model.bare
    for first, end in zip(ends, ends[1:]):
        starting = [u for u in by_rows if first in cuts[u] and u not in model.bare]
        drawn -= set(starting[:n - max(k - (end - first), 0)])
    return drawn
