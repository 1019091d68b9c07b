#!/usr/bin/env python3
"""Compares private work with plain work, and with another program for secret sharing, by CPU time.

  plain_work.py FOLDER VECTORS ELEMENTS BYTES ROUNDS

The first line is a whole round of clients with vectors of f4, in one pipeline: hagg-share, hagg-aggregate and
hagg-decode, with 5 stations, of which 2 may collude with the federator and a client, and a new state directory.
It is divided by numpy.mean of the same files, including numpy.load, without the start of Python.

The second line is hagg-share of random bytes over gf256, 3 of 5, with its start and five synced files. It is
divided by the function split of the npm package shamir-secret-sharing, which shares bytes over the same field,
without the start of node and without files. If npm is missing, there is no such line.

Both sides are measured in turn, and the ratio is the median of the ratios. Results are checked.
"""
import os
import resource
import shutil
import statistics
import subprocess
import sys

PEER = "shamir-secret-sharing"

MEAN = """
import sys, time
import numpy as np

begin = time.process_time()
mean = np.mean([np.load(name) for name in sys.argv[2:]], axis=0)
print(time.process_time() - begin)
if abs(mean - np.load(sys.argv[1])).max() > 1e-4:
    sys.exit("plain_work: the mean is wrong")
"""

MAKE = """
import sys
import numpy as np

for i in range(1, int(sys.argv[2]) + 1):
    np.save(f"{sys.argv[1]}/vector-{i}.npy", np.random.default_rng(i).uniform(-1, 1, int(sys.argv[3])).astype("f4"))
"""

SPLIT = """
import { combine, split } from "%s";
import { readFileSync } from "node:fs";

const secret = new Uint8Array(readFileSync("bytes"));
const begin = process.cpuUsage();
const shares = await split(secret, 5, 3);
const used = process.cpuUsage(begin);
if (Buffer.compare(Buffer.from(secret), Buffer.from(await combine(shares.slice(1, 4)))) !== 0)
    process.exit(1);
console.log((used.user + used.system) / 1e6);
"""


def cpu_of(folder, command):
    """The CPU time of a shell command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def python(*words):
    return subprocess.run([sys.executable, "-c", *words], check=True, stdout=subprocess.PIPE).stdout


def private_mean(folder):
    shutil.rmtree(f"{folder}/state", ignore_errors=True)
    os.mkdir(f"{folder}/state", mode=0o700)
    return cpu_of(folder, "export HAGG_STATE=state HAGG_PLAN=plan; hagg-share --clients all --round 1 'vector-{}.npy' |"
                          " hagg-aggregate | hagg-decode --mean -o mean.npy")


def show(title, ours, others):
    ratio = statistics.median(a / b for a, b in zip(ours, others))
    print(f"{title:66} {statistics.median(ours) * 1e3:8.0f} ms {statistics.median(others) * 1e3:8.0f} ms {ratio:8.3f}",
          flush=True)


def compare_mean(folder, n, n_elements, rounds):
    with open(f"{folder}/topology", "w") as file:
        print(f"collude full clients=1 stations=2\nquantize bits=16 clip=1.0\nlength {n_elements}\nstations 5\n"
              f"client 1-{n} via 1-5", file=file)
    subprocess.run(["hagg-plan", "-q", "-o", f"{folder}/plan", f"{folder}/topology"], check=True)
    python(MAKE, folder, str(n), str(n_elements))
    names = [f"{folder}/vector-{i}.npy" for i in range(1, n + 1)]
    ours, others = [], []
    for _ in range(rounds):
        ours.append(private_mean(folder))
        others.append(float(python(MEAN, f"{folder}/mean.npy", *names)))
    show(f"private mean of {n} x {n_elements} floats / numpy.mean of the files", ours, others)


def compare_split(folder, n_bytes, rounds):
    if not shutil.which("npm") or not shutil.which("node"):
        print(f"{PEER}: not measured, because npm or node is not installed")
        return
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PEER], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(f"{folder}/bytes", "wb") as file:
        file.write(os.urandom(n_bytes))
    with open(f"{folder}/split.mjs", "w") as file:
        file.write(SPLIT % PEER)
    ours, others = [], []
    for _ in range(rounds):
        ours.append(cpu_of(folder, "hagg-share -n 5 -k 3 -z 2 --field gf256 --type u1 -o 'share-{}.cbor' bytes"))
        cpu_of(folder, "hagg-decode --format raw share-2.cbor share-3.cbor share-5.cbor | cmp - bytes")
        done = subprocess.run(["node", "split.mjs"], cwd=folder, check=True, stdout=subprocess.PIPE)
        others.append(float(done.stdout))
    show(f"gf256 3 of 5, {n_bytes} bytes / {PEER}", ours, others)


def main():
    folder, (n, n_elements, n_bytes, rounds) = sys.argv[1], map(int, sys.argv[2:])
    os.makedirs(folder, exist_ok=True)
    os.environ.pop("HAGG_PLAN", None)
    print(f"{'CPU time':66} {'hagg':>11} {'other':>11} {'ratio':>8}")
    compare_mean(folder, n, n_elements, rounds)
    compare_split(folder, n_bytes, rounds)


if __name__ == "__main__":
    main()
