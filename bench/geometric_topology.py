#!/usr/bin/env python3
"""Writes a random geometric topology: stations and clients are uniform in the unit square, with a link if
their distance is within a radius. A client that would reach fewer stations than a sharing needs, or than
--fewest, reaches that number of the nearest stations instead. The same arguments give the same topology.

  geometric_topology.py --clients 10000 --seed 1 > city.topo

--fading F draws a separate radius for each link, from 1 - F to 1 + F times the radius. Then hardly two
clients reach the same stations.
"""
import argparse
import random


def ranges(numbers):
    """Writes 1 2 3 5 as '1-3 5'."""
    parts = []
    for n in numbers:
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


class Stations:
    """Stations by the cell of a grid, so that a million clients take seconds. A link is not longer than a
    cell."""

    def __init__(self, rng, n, longest):
        self.places = [(rng.random(), rng.random()) for _ in range(n)]
        self.n_cells = max(1, int(1 / longest))
        cells = {}
        for s, (x, y) in enumerate(self.places, 1):
            cells.setdefault(self.cell(x, y), []).append((s, x, y))
        sides = range(self.n_cells)
        self.near = {(i, j): sorted(s for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1)
                                    for s in cells.get((a, b), ())) for i in sides for j in sides}

    def cell(self, x, y):
        return int(x * self.n_cells), int(y * self.n_cells)

    def within(self, x, y, radius):
        return [s for s, a, b in self.near[self.cell(x, y)] if (x - a) ** 2 + (y - b) ** 2 <= radius * radius]

    def within_each(self, x, y, radii):
        return [s for s, ((a, b), r) in enumerate(zip(self.places, radii), 1)
                if (x - a) ** 2 + (y - b) ** 2 <= r * r]

    def nearest(self, x, y, n):
        squares = [(x - a) ** 2 + (y - b) ** 2 for a, b in self.places]
        return sorted(sorted(range(1, len(squares) + 1), key=lambda s: squares[s - 1])[:n])


def reach(rng, stations, radius, fading, fewest):
    x, y = rng.random(), rng.random()
    if fading:
        found = stations.within_each(x, y, [radius * (1 + fading * rng.uniform(-1, 1)) for _ in stations.places])
    else:
        found = stations.within(x, y, radius)
    return found if len(found) >= fewest else stations.nearest(x, y, fewest)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--stations", type=int, default=100)
    parser.add_argument("--radius", type=float, default=0.19)
    parser.add_argument("--fading", type=float, default=0)
    parser.add_argument("--fewest", type=int, default=0, help="smallest number of stations that a client reaches")
    parser.add_argument("--collude", type=int, default=3, help="number of stations that may collude")
    parser.add_argument("--collude-clients", type=int, default=0, help="full collusion, with this number of clients")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    rng = random.Random(args.seed)
    stations = Stations(rng, args.stations, max(args.radius, 0.02))
    fewest = max(args.fewest, args.collude + 1)
    groups = {}
    for client in range(1, args.clients + 1):
        found = reach(rng, stations, args.radius, args.fading, fewest)
        groups.setdefault(tuple(found), []).append(client)

    if args.collude_clients:
        print(f"collude full clients={args.collude_clients} stations={args.collude}")
    else:
        print(f"collude partial stations={args.collude}")
    print(f"stations {args.stations}")
    for found, clients in groups.items():
        print(f"client {ranges(clients)} via {ranges(found)}")


if __name__ == "__main__":
    main()
