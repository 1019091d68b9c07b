#!/usr/bin/env python3
"""Times whole rounds in one pipeline, in which one process does the steps of all clients.

  pipelines.py FOLDER ELEMENTS CLIENTS...
  pipelines.py --make|--check FOLDER ELEMENTS CLIENTS

The networks are those of whole_rounds.py: 30 stations, of which 2 may collude with the federator and a client;
each client reaches 12 stations. All nodes remember the round, in a new state directory. The vectors are the
rows of one .npy file, or a file for each client. Times are CPU times of all processes of the round, including
the kernel. Memory is the largest of each process. The totals are compared with NumPy: --make and --check do
that in processes of their own, because the system counts the memory of this one for its children.
"""
import os
import shutil
import subprocess
import sys
import time

from round_topology import BITS, write_topology

MAX_MS = 2.0
MAX_GROWTH = 1.2


def start(used, *words, stdin=None, stdout=None):
    process = subprocess.Popen(words, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL)
    used[words[0]] = process
    return process


def finish(used, name):
    """Waits for a command, and replaces its process by its CPU time and its peak memory in MB."""
    _, status, use = os.wait4(used[name].pid, 0)
    used[name].returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"pipelines: {name} failed")
    used[name] = (use.ru_utime + use.ru_stime, use.ru_maxrss / 1024)


def run_round(folder, protocol, vectors):
    """The use of each command, and the wall time."""
    used, common = {}, ["--plan", f"{folder}/round.plan", "--round", "1"]
    share = ["hagg-share", *common, "--clients", "all", vectors]
    begin, to_share = time.monotonic(), None
    from_clients, records = os.pipe()
    aggregate = start(used, "hagg-aggregate", *common[:2], stdin=from_clients, stdout=subprocess.PIPE)
    if protocol == "keys":
        to_share = start(used, "hagg-keygen", *common, "--clients", "all", stdout=subprocess.PIPE).stdout
        share += ["--key", "-"]
    else:
        start(used, "hagg-keygen", *common, "--stations", "all", stdout=records)
        finish(used, "hagg-keygen")
    start(used, *share, stdin=to_share, stdout=records)
    os.close(records)
    os.close(from_clients)
    start(used, "hagg-decode", *common[:2], "-o", f"{folder}/total.npy", stdin=aggregate.stdout)
    for name, use in list(used.items()):
        if not isinstance(use, tuple):
            finish(used, name)
    return used, time.monotonic() - begin


def make(folder, n_elements, n):
    import numpy as np

    rows = np.random.default_rng(n).uniform(-1, 1, (n, n_elements)).astype("f4")
    np.save(f"{folder}/rows.npy", rows)
    for i in range(n):
        np.save(f"{folder}/row-{i + 1}.npy", rows[i])


def check(folder, n_elements, n):
    import numpy as np

    total, rows = np.load(f"{folder}/total.npy"), np.load(f"{folder}/rows.npy", mmap_mode="r")
    # quantisation changes each client's elements by at most half a step, and the total is f4
    if abs(total - rows.sum(axis=0, dtype="f8")).max() > n * (0.5 / (2 ** (BITS - 1) - 1) + 1e-6):
        sys.exit("pipelines: a total is wrong")


def apart(what, folder, n_elements, n):
    subprocess.run([sys.executable, __file__, what, folder, str(n_elements), str(n)], check=True)


def measure(folder, protocol, vectors, n, n_elements):
    os.environ["HAGG_STATE"] = f"{folder}/state"
    os.mkdir(f"{folder}/state", mode=0o700)
    write_topology(f"{folder}/round.topo", ["collude full clients=1 stations=2"], n, n_elements, protocol)
    subprocess.run(["hagg-plan", "-q", "-o", f"{folder}/round.plan", f"{folder}/round.topo"], check=True)
    used, wall = run_round(folder, protocol, vectors)
    apart("--check", folder, n_elements, n)
    shutil.rmtree(f"{folder}/state")
    return sum(cpu for cpu, _ in used.values()), wall, used["hagg-share"][1], used["hagg-aggregate"][1]


def main():
    if sys.argv[1] in ("--make", "--check"):
        (make if sys.argv[1] == "--make" else check)(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return
    folder, n_elements, sizes = sys.argv[1], int(sys.argv[2]), [int(n) for n in sys.argv[3:]]
    os.makedirs(folder, exist_ok=True)
    print(f"rounds of {n_elements} elements in one pipeline   CPU time   a client  target           wall"
          "   share  aggregate  growth  target")
    before = {}
    for n in sizes:
        apart("--make", folder, n_elements, n)
        for name, protocol, vectors in [("aligned", "aligned", "rows.npy"),
                                        ("aligned, a file for each", "aligned", "row-{}.npy"),
                                        ("keys", "keys", "rows.npy")]:
            cpu, wall, share, aggregate = measure(folder, protocol, f"{folder}/{vectors}", n, n_elements)
            each = cpu / n * 1e3
            line = (f"{name:26} {n:8} {cpu:9.2f} s {each:7.2f} ms  <= {MAX_MS}  {'ok' if each <= MAX_MS else 'MISSED':6}"
                    f" {wall:6.2f} s {share:4.0f} MB {aggregate:7.0f} MB")
            if name in before:
                growth = share / before[name]
                line += f"  {growth:6.2f}  <= {MAX_GROWTH}  {'ok' if growth <= MAX_GROWTH else 'MISSED'}"
            before[name] = share
            print(line, flush=True)
        for i in range(n):
            os.unlink(f"{folder}/row-{i + 1}.npy")


if __name__ == "__main__":
    main()
