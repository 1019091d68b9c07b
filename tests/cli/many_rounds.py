#!/usr/bin/env python3
"""Runs random rounds with many clients in one process, and checks the totals against NumPy.

usage: many_rounds.py SEED COUNT

Each round has a random network, protocol, kind of collusion, field, type, set of clients, form of the inputs
and number of threads. The total of integers must be exact, that of real numbers within the quantisation error.
The records must be those of a process for each client. Works in the current directory.
"""
import os
import random
import subprocess
import sys

import numpy as np


def run(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, **options).stdout


def write_topology(rng, protocol, bits, length, n_clients, samples):
    n_stations = rng.randint(4, 7)
    lines = [f"protocol {protocol}", f"collude {rng.choice(['partial', 'full'])} clients=1 stations=1",
             f"field {rng.choice(['m31', 'm61'])}", f"length {length}", f"stations {n_stations}"]
    lines += [f"quantize bits={bits} clip=1.0"] if bits else []
    lines += ["samples"] if samples else []
    lines += [f"drop clients={n_clients - 4}"]
    kinds = [sorted(rng.sample(range(1, n_stations + 1), rng.randint(4, n_stations))) for _ in range(3)]
    for i in range(1, n_clients + 1):
        lines.append(f"client {i} via {' '.join(map(str, rng.choice(kinds)))}")
    with open("random.topo", "w") as file:
        print(*lines, sep="\n", file=file)
    run("hagg-plan", "-q", "random.topo", "-o", "random.plan")


def text(numbers):
    return ",".join(map(str, numbers))


def one_round(rng, seed):
    protocol, bits = rng.choice(["aligned", "keys"]), rng.choice([0, 12, 20])
    n_clients, length, samples = rng.randint(8, 40), rng.randint(1, 300), rng.random() < 0.5
    write_topology(rng, protocol, bits, length, n_clients, samples)
    clients = sorted(rng.sample(range(1, n_clients + 1), rng.randint(5, n_clients)))
    numbers = np.random.default_rng(seed)
    shape = (len(clients), length) if length % 2 else (len(clients), length // 2, 2)
    vectors = (numbers.uniform(-1, 1, shape).astype(rng.choice(["f4", "f8"])) if bits
               else numbers.integers(-9999, 9999, shape, rng.choice(["i2", "i4", "i8"])))
    counts = numbers.integers(0, 1000, len(clients))
    np.save("rows.npy", vectors)
    np.savetxt("counts.txt", counts, "%d")
    for i, client in enumerate(clients):
        np.save(f"row-{client}.npy", vectors[i])
        with open(f"count-{client}.txt", "w") as file:
            print(counts[i], file=file)

    common = ["--plan", "random.plan", "--round", str(seed)]
    clients_set = ["--clients", "all" if len(clients) == n_clients else text(clients)]
    threads = ["--threads", str(rng.choice([1, 2, 3]))]
    braces = rng.random() < 0.5
    share = ["hagg-share", *common, *clients_set, *threads]
    share += ["--samples-file", rng.choice(["count-{}.txt", "counts.txt"])] if samples else []
    if protocol == "keys":
        keys = "key-{}.cbor" if braces else "keys.cbor"
        run("hagg-keygen", *common, *clients_set, *threads, "-o", keys)
        share += ["--key", keys]
        masks = b""
    else:
        masks = run("hagg-keygen", *common, *threads, "--stations", "all")
    shares = run(*share, "row-{}.npy" if braces else "rows.npy")

    # a process for each client gives the same
    if protocol == "aligned" or braces:
        alone = b""
        for client in clients:
            words = ["hagg-share", *common, "--client", str(client), f"row-{client}.npy"]
            words += ["--samples-file", f"count-{client}.txt"] if samples else []
            words += ["--key", f"key-{client}.cbor"] if protocol == "keys" else []
            alone += run(*words)
        assert alone == shares, "the records differ"

    sums = run("hagg-aggregate", "--plan", "random.plan", "--clients", text(clients), input=masks + shares)
    decode = ["hagg-decode", "-q", "--plan", "random.plan"]
    run(*decode, "--type", "f8" if bits else "i8", "-o", "total.npy", input=sums)
    total, true = np.load("total.npy"), vectors.astype("f8" if bits else "i8").sum(axis=0)
    assert total.shape == vectors.shape[1:], "the shape differs"
    error = len(clients) * 0.5 / (2 ** (bits - 1) - 1) * (1 + 1e-9) if bits else 0
    assert abs(total - true).max() <= error, "the total is wrong"
    run(*decode, "--mean", "--type", "f8", "-o", "mean.npy", input=sums)
    divisor = counts.sum() if samples else len(clients)
    assert np.allclose(np.load("mean.npy"), total / divisor, rtol=1e-12), "the mean is wrong"
    for name in os.listdir("."):
        os.unlink(name)


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(first, first + count):
        try:
            one_round(random.Random(seed), seed)
        except Exception as error:
            sys.exit(f"many_rounds: seed {seed}: {error}")


if __name__ == "__main__":
    main()
