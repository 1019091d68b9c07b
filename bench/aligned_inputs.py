#!/usr/bin/env python3
"""Inputs of bench-aligned, and the check of what the timed commands have written.

  aligned_inputs.py FOLDER ELEMENTS    writes plans, vectors, shares, masks and sums
  aligned_inputs.py --check FOLDER     ends with status 1 if a total is wrong

Each round is in a folder of its own. Only some clients of a large plan take part, because rows and
matrices follow from the plan, not from the number of shares.
"""
import os
import random
import shutil
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def run(*words, text=None):
    """Runs a command and returns its output; messages are shown only if it fails."""
    done = subprocess.run([str(word) for word in words], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


class Round:
    """The clients that take part, their vectors, and the folders of the stations."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def plan(self, lines, n):
        """Writes the plan of a topology. --keep makes no choice, and adds the defaults."""
        os.makedirs(self.path("dealt"))
        topology = "\n".join(["protocol aligned", *lines]) + "\n"
        write(self.path("plan"), run("hagg-plan", "--keep", "-q", text=topology))
        write(self.path("length"), str(n))
        write(self.path("dealer"), str(self.dealers()[0]))

    def dealers(self):
        words = next(line.split()[1:] for line in read(self.path("plan")).splitlines() if line.startswith("dealers "))
        ends = [(int(word.split("-")[0]), int(word.split("-")[-1])) for word in words]
        return [station for first, last in ends for station in range(first, last + 1)]

    def run(self, command, *words):
        return run(f"hagg-{command}", "--no-state", "--plan", self.path("plan"), *words)

    def share(self, clients):
        """Shares vectors of small integers, and writes the total that decoding must find."""
        n, total = int(read(self.path("length"))), 0
        for client in clients:
            vector = np.random.default_rng(client).integers(-1000, 1000, n, dtype="i4")
            total = total + vector
            np.save(self.path(f"vector-{client}.npy"), vector)
            self.run("share", "--client", client, "--round", 1, self.path(f"vector-{client}.npy"),
                     "-o", self.path(f"station-{{}}/client-{client}.cbor"))
        np.save(self.path("expected.npy"), total)
        write(self.path("clients"), ",".join(map(str, clients)))

    def deal(self):
        for dealer in self.dealers():
            self.run("keygen", "--station", dealer, "--round", 1, "--length", read(self.path("length")),
                     "-o", self.path(f"station-{{}}/dealer-{dealer}.cbor"))

    def add_up(self):
        os.makedirs(self.path("sums"), exist_ok=True)
        for name in sorted(name for name in os.listdir(self.folder) if name.startswith("station-")):
            inputs = [self.path(f"{name}/{file}") for file in sorted(os.listdir(self.path(name)))]
            self.run("aggregate", "--station", name[8:], "--clients", read(self.path("clients")), *inputs,
                     "-o", self.path(f"sums/{name}.cbor"))

    def take(self, folder, name):
        """Uses what a timed command has written for each station, instead of the file of this name."""
        for station in (entry for entry in os.listdir(self.path(folder)) if entry.isdigit()):
            shutil.copy(self.path(f"{folder}/{station}"), self.path(f"station-{station}/{name}"))

    def decode(self):
        self.run("decode", "--clients", read(self.path("clients")), "-q",
                 *(self.path(f"sums/{name}") for name in sorted(os.listdir(self.path("sums")))),
                 "-o", self.path("total.npy"))

    def check_total(self):
        if not np.array_equal(np.load(self.path("total.npy")), np.load(self.path("expected.npy"))):
            sys.exit(f"{self.path('total.npy')}: the total is wrong")


def thirteen():
    """Client 1 has 13 of 20 stations. Stations have clients with other part counts, hence 840 segments."""
    return ["collude partial stations=6", "stations 20", "client 1 via 1-13", "client 2 via 3-16",
            "client 3 via 5-16", "client 4 via 1-20", "client 5 via 10-20"]


def five_counts():
    """A hundred clients of station 1, which have 4 to 8 parts; 15 dealers."""
    rng = random.Random(1)
    return ["collude full clients=1 stations=3", "stations 15"] + [
        f"client {i} via 1 {' '.join(map(str, sorted(rng.sample(range(2, 16), 6 + i % 5))))}" for i in range(1, 101)]


def spread():
    """A thousand clients with 28 random stations of 100 each, so all have 25 parts."""
    rng = random.Random(2)
    return ["collude partial stations=3", "stations 100"] + [
        f"client {i} via {' '.join(map(str, sorted(rng.sample(range(1, 101), 28))))}" for i in range(1, 1001)]


def geometric(*arguments):
    """Clients in the unit square, which reach the stations near them."""
    return run(f"{HERE}/geometric_topology.py", "--fewest", 8, *arguments).splitlines()


ROUNDS = {  # lines of the plan, factor of the length, clients that take part
    "thirteen": (thirteen, 10, range(1, 3)),
    "five": (five_counts, 1, range(1, 101)),
    "partial": (lambda: geometric("--clients", 2000), 1, range(1, 11)),
    "full": (lambda: geometric("--clients", 2000, "--collude-clients", 1), 1, ()),
    "spread": (spread, 1, range(1, 11)),
}


def prepare(folder, n):
    for name, (lines, factor, clients) in ROUNDS.items():
        this = Round(os.path.join(folder, name))
        this.plan(lines(), factor * n)
        if clients:
            this.share(clients)
            this.deal()
        if name in ("partial", "spread"):
            this.add_up()
    os.makedirs(os.path.join(folder, "state"), mode=0o700)
    many = Round(os.path.join(folder, "many"))
    many.plan(geometric("--clients", 10000), n)
    write(many.path("keys"), run("hagg-plan", "--keep", "-q", text="\n".join(
        ["protocol keys", *geometric("--clients", 10000)]) + "\n"))


def check(folder):
    """The totals of the timed decodings; and those from the timed shares and masks."""
    for name in ROUNDS:
        this = Round(os.path.join(folder, name))
        if name in ("partial", "spread"):
            this.check_total()
        if name == "partial":
            this.take("dealt", f"dealer-{this.dealers()[0]}.cbor")
        if name == "thirteen":
            this.take("shared", "client-1.cbor")
        if name in ("thirteen", "five", "partial"):
            this.add_up()
            this.decode()
            this.check_total()


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(sys.argv[2])
    else:
        prepare(sys.argv[1], int(sys.argv[2]))
