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

import numpy


def ranges(numbers):
    """Writes 1 2 3 5 as '1-3 5'."""
    parts = []
    for n in numbers:
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def reach(rng, stations, radius, fading, fewest):
    x, y = rng.random(), rng.random()
    squares = (x - stations[0]) ** 2 + (y - stations[1]) ** 2
    limits = radius
    if fading:
        limits = numpy.array([radius * (1 + fading * rng.uniform(-1, 1)) for _ in squares])
    found = numpy.flatnonzero(squares <= limits * limits)
    if len(found) < fewest:
        found = numpy.sort(numpy.argsort(squares, kind="stable")[:fewest])
    return found + 1


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
    stations = numpy.array([(rng.random(), rng.random()) for _ in range(args.stations)]).T
    fewest = max(args.fewest, args.collude + 1)
    groups = {}
    for client in range(1, args.clients + 1):
        found = reach(rng, stations, args.radius, args.fading, fewest)
        groups.setdefault(found.astype(numpy.uint16).tobytes(), []).append(client)

    if args.collude_clients:
        print(f"collude full clients={args.collude_clients} stations={args.collude}")
    else:
        print(f"collude partial stations={args.collude}")
    print(f"stations {args.stations}")
    for found, clients in groups.items():
        stations_found = numpy.frombuffer(found, dtype=numpy.uint16).tolist()
        print(f"client {ranges(clients)} via {ranges(stations_found)}")


if __name__ == "__main__":
    main()
