#!/usr/bin/env python3
"""Times whole rounds of every protocol, as hagg-round writes them for make.

  whole_rounds.py FOLDER ELEMENTS CLIENTS...

There are 30 stations, of which 2 may collude, and 10 relays; each client reaches 12 stations. Every
command of a round is a process, two run at a time, and every file is synced. Times are CPU times,
including children and the kernel, because other work on the machine affects these least. growth is the
factor by which the time grows from one line to the next, divided by the factor by which the number of
clients grows. It is 1 if the time is proportional to the number of clients. The totals are compared with
the sums of the vectors.
"""
import os
import resource
import subprocess
import sys
import time

import numpy as np

from round_topology import BITS, write_topology

MAX_GROWTH = 1.2

# name, lines of the topology, options of hagg-plan
PROTOCOLS = [
    ("partial", ["collude partial stations=2"], []),
    ("partial, relays", ["collude partial stations=2 relays=1", "relays"], []),
    ("partial, relays that share anew", ["collude partial stations=2 relays=2", "relays"],
     ["--transform", "always"]),
    ("full", ["collude full clients=1 stations=2"], []),
    ("full, relays", ["collude full clients=1 stations=2 relays=1", "relays"], []),
    ("full, relays that share anew", ["collude full clients=1 stations=2 relays=2", "relays"],
     ["--transform", "always"]),
]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_round(folder, lines, options, n_clients, n_elements):
    """CPU time and wall time of the round. No node remembers the rounds before it."""
    os.environ["HAGG_STATE"] = f"{folder}/state"
    os.mkdir(f"{folder}/state", mode=0o700)
    write_topology(f"{folder}/round.topo", lines, n_clients, n_elements)
    subprocess.run(["hagg-plan", "-q", *options, "-o", f"{folder}/round.plan", f"{folder}/round.topo"],
                   check=True)
    with open(f"{folder}/round.mk", "w") as file:
        subprocess.run(["hagg-round", "--emit", "make", "--round", "1", "--vectors", f"{folder}/grad-{{}}.npy",
                        "--workdir", f"{folder}/nodes", f"{folder}/round.plan"], stdout=file, check=True)
    cpu, wall = cpu_seconds(), time.monotonic()
    with open(f"{folder}/log", "w") as log:
        subprocess.run(["make", "-s", "-j2", "-f", f"{folder}/round.mk"], stderr=log, check=True)
    cpu, wall = cpu_seconds() - cpu, time.monotonic() - wall
    total = np.load(f"{folder}/nodes/round-1/federator/total.npy")
    true = sum(np.load(f"{folder}/grad-{i}.npy").astype("f8") for i in range(1, n_clients + 1))
    # quantisation changes each client's elements by at most half a step, and the total is f4
    if abs(total - true).max() > n_clients * (0.5 / (2 ** (BITS - 1) - 1) + 1e-6):
        sys.exit("whole_rounds: a total is wrong")
    subprocess.run(["rm", "-r", f"{folder}/nodes", f"{folder}/state"], check=True)
    return cpu, wall


def main():
    folder, n_elements, sizes = sys.argv[1], int(sys.argv[2]), [int(n) for n in sys.argv[3:]]
    os.makedirs(folder, exist_ok=True)
    for i in range(1, max(sizes) + 1):
        np.save(f"{folder}/grad-{i}.npy", np.random.default_rng(i).uniform(-1, 1, n_elements).astype("f4"))
    print(f"whole rounds of {n_elements} elements   clients    CPU time   a client        wall  growth  target")
    for name, lines, options in PROTOCOLS:
        before = None
        for n in sizes:
            cpu, wall = run_round(folder, lines, options, n, n_elements)
            line = f"{name:34} {n:7} {cpu:9.2f} s {cpu / n * 1e3:7.1f} ms {wall:9.2f} s"
            if before:
                growth = cpu / before[1] / (n / before[0])
                line += f"  {growth:6.2f}  <= {MAX_GROWTH}  {'ok' if growth <= MAX_GROWTH else 'MISSED'}"
            print(line, flush=True)
            before = n, cpu


if __name__ == "__main__":
    main()
