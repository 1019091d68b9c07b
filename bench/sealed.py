#!/usr/bin/env python3
"""Compares commands that seal and open records with commands that do not, and with cat:
sealed.py FOLDER CLIENTS ELEMENTS ROUNDS.

All commands of a comparison run once in each round, one after the other. Times are CPU times of user and
system together, medians over the rounds; a ratio is the median of the ratios within a round.
"""
import os
import resource
import statistics
import subprocess
import sys

import numpy as np

HOLDERS = 13


def run(*command):
    """Runs a command and returns its CPU time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def prepare(clients, elements):
    """Writes a plan with identities and one without, and a vector whose shares have this many elements."""
    parts = HOLDERS - 3
    lines = ["collude full stations=3", f"stations {HOLDERS}", f"client 1-{clients} via 1-{HOLDERS}",
             f"length {parts * elements}"]
    for name, more in (("sealed", ["identities plan.ids"]), ("plain", [])):
        with open(f"{name}.topo", "w", encoding="ascii") as topology:
            topology.write("\n".join(lines + more) + "\n")
        if more:
            with open("plan.ids", "wb") as ids:
                subprocess.run(["hagg-keygen", "--plan", f"{name}.topo", "--identity", "{tier}-{}.pem", "--all"],
                               check=True, stdout=ids)
        subprocess.run(["hagg-plan", "--quiet", f"{name}.topo", "-o", f"{name}.plan"], check=True)
    rng = np.random.default_rng(1)
    np.save("vector.npy", rng.integers(-1000, 1000, parts * elements, dtype="i4"))


def share(name, client, output):
    identity = ["--identity", "{tier}-{}.pem"] if name == "sealed" else []
    return ["hagg-share", "--no-state", "--plan", f"{name}.plan", *identity, "--client", str(client), "--round", "1",
            "-o", output, "vector.npy"]


def aggregate(name, files):
    identity = ["--identity", "station-1.pem"] if name == "sealed" else []
    return ["hagg-aggregate", "--no-state", "--plan", f"{name}.plan", *identity, "--station", "1", "-o", "sum.cbor", *files]


def compare(title, target, command, peer, rounds):
    pairs = [(run(*command), run(*peer)) for _ in range(rounds)]
    ratio = statistics.median(a / b for a, b in pairs)
    mine, other = (statistics.median(column) for column in zip(*pairs))
    wanted = "" if target is None else f"{target:.2f}  {'met' if ratio <= target else 'missed'}"
    print(f"{title:44} {1e3 * mine:9.1f} ms {1e3 * other:9.1f} ms {ratio:7.2f}  {wanted}", flush=True)


def main():
    folder, clients, elements, rounds = sys.argv[1], *map(int, sys.argv[2:])
    os.makedirs(folder)
    os.chdir(folder)
    prepare(clients, elements)
    files = {}
    for name in ("sealed", "plain"):
        files[name] = []
        for client in range(1, clients + 1):
            run(*share(name, client, "out-{}.cbor"))
            os.rename("out-1.cbor", f"{name}-{client}.cbor")
            files[name].append(f"{name}-{client}.cbor")
    print(f"{'sealed records: CPU time':44} {'command':>12} {'peer':>12} {'ratio':>7}  target")
    compare(f"aggregate {clients} sealed files / cat", 2.0, aggregate("sealed", files["sealed"]),
            ["cat", *files["sealed"]], rounds)
    compare(f"aggregate {clients} files, not sealed / cat", None, aggregate("plain", files["plain"]),
            ["cat", *files["plain"]], rounds)
    compare("aggregate, sealed / not sealed", None, aggregate("sealed", files["sealed"]),
            aggregate("plain", files["plain"]), rounds)
    compare(f"share over {HOLDERS} stations, sealed / not sealed", 1.4, share("sealed", 1, "x-{}.cbor"),
            share("plain", 1, "y-{}.cbor"), rounds)
    compare("seal a file of the same length / cat", None,
            ["hagg-seal", "--plan", "sealed.plan", "--identity", "client-1.pem", "--to", "station=1", "-o", "v.sealed",
             "vector.npy"], ["cat", "vector.npy"], rounds)


if __name__ == "__main__":
    main()
