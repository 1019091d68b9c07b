"""Compares hagg-audit with what the commands send: audit_commands.py BIN.

On tiny fields, clients are run for two inputs and every value of their random bytes. For every set of
colluders, the views are then counted for all inputs that the set must not distinguish: hagg-audit must
report that it learns too much exactly if the counts differ. The sums of stations are computed here; for
some outcomes real stations compute them too, and must agree.
"""

import itertools
import os
import random
import sys
import tempfile

import numpy

from commands import Commands
from report import Report

# name, p, plan, and by client its stations for shares and for keys; one station for keys means in the
# clear
CASES = (
    ("one client, partial", 3,
     "collude partial stations=1\nminimum 1\nstations 2\nclient 1 via 1 2 keys 2\n",
     {1: ((1, 2), 2)}),
    ("two patterns, partial", 5,
     "collude partial stations=1\nstations 3\nclient 1 via 1 2 keys 2\nclient 2 via 2 3\n",
     {1: ((1, 2), 2), 2: ((2, 3), 2)}),
    ("two groups of keys, full", 5,
     "collude full stations=1\nstations 3\nclient 1 via 1-3 shares 1 2 keys 1 2\n"
     "client 2 via 1-3 shares 1 2 keys 2 3\n",
     {1: ((1, 2), (1, 2)), 2: ((1, 2), (2, 3))}),
    ("apart, full", 5,
     "collude full stations=1\nstations 3\nclient 1 via 1-3 shares 1 2 keys 1 2\n"
     "client 2 via 1-3 shares 2 3 keys 2 3\n",
     {1: ((1, 2), (1, 2)), 2: ((2, 3), (2, 3))}),
)


class Case:
    def __init__(self, commands, report, case):
        self.commands, self.report = commands, report
        self.name, self.p, plan, self.clients = case
        self.full = isinstance(self.clients[1][1], tuple)
        self.n_stations = int(plan.split("stations ")[-1].split()[0])
        self.inputs = (0, 1)
        # the key and a random vector per sharing, one element each
        self.points = list(itertools.product(range(self.p), repeat=3 if self.full else 2))
        commands.write("plan", f"field prime:p={self.p}\nprotocol keys\n{plan}".encode())
        self.keys = {}
        self.sent = {i: self.tabulate(i) for i in self.clients}

    def key(self, client, value):
        """The file with the key, which begins with an identity."""
        if (client, value) not in self.keys:
            self.commands.write("source", bytes(range(16)) + bytes([value]))
            self.keys[client, value], _ = self.commands.run(
                "keygen", "--plan", "plan", "--client", client, "--round", 1, "--length", 1,
                "--random-source", "source", "--no-state", "-o", "-")
        return self.keys[client, value]

    def run_client(self, client, value, point, name):
        key = self.key(client, point[0])  # which also writes a source
        self.commands.write("vector", f"{value}\n".encode())
        self.commands.write("source", bytes(point[1:]))
        self.commands.run("share", "--plan", "plan", "--client", client, "--round", 1, "--key", "-", "--unsafe-plan",
                          "--random-source", "source", "--type", "i1", "--format", "text",
                          "-o", name, "vector", stdin=key)

    def tabulate(self, client):
        """For each message, an array of its values over inputs and points."""
        table = {}
        shape = (len(self.inputs), len(self.points))
        for (i, value), (j, point) in itertools.product(enumerate(self.inputs), enumerate(self.points)):
            self.run_client(client, value, point, "sent")
            for record in self.commands.records("sent"):
                what = (record.header["of"], record.header["to"][1])
                table.setdefault(what, numpy.zeros(shape, "i8"))[i, j] = record.elements[0]
        return table

    # What is seen: sums over clients, each a dictionary from client to its message.

    def chain(self, last):
        return {i: ("key", keys) for i, (_, keys) in self.clients.items() if keys <= last}

    def of_station(self, station):
        for i, (stations, keys) in self.clients.items():
            if station in stations:
                yield {i: ("padded", station)}
            if station in keys if self.full else station == keys:
                yield {i: ("key", station)}
        if not self.full:
            yield self.chain(station - 1)

    def of_federator(self):
        for place, secret in enumerate(("padded", "key") if self.full else ("padded",)):
            patterns = {own[place] for own in self.clients.values()}
            for pattern, station in ((p, u) for p in patterns for u in p):
                yield {i: (secret, station) for i, own in self.clients.items() if own[place] == pattern}
        if not self.full:
            yield self.chain(self.n_stations)

    def views(self, sums, inputs):
        """The views as numbers, sorted, with their counts."""
        n = len(self.points)
        number = numpy.zeros((n,) * len(self.clients), "i8")
        for one in sums:
            digit = numpy.zeros_like(number)
            for axis, i in enumerate(self.clients):
                if i in one:
                    shape = [n if a == axis else 1 for a in range(len(self.clients))]
                    digit = digit + self.sent[i][one[i]][inputs[axis]].reshape(shape)
            number = number * self.p + digit % self.p
        return numpy.sort(number.ravel())

    def distinguishes(self, stations, federator):
        sums = [one for u in stations for one in self.of_station(u)]
        sums += self.of_federator() if federator else []
        seen = {}
        for inputs in itertools.product(range(len(self.inputs)), repeat=len(self.clients)):
            allowed = sum(inputs) if federator else 0
            views = self.views(sums, inputs)
            if not numpy.array_equal(seen.setdefault(allowed, views), views):
                return True
        return False

    def check(self):
        """Returns the number of sets that learn something and of those that do not."""
        counts = [0, 0]
        for n in range(self.n_stations + 1):
            for stations in itertools.combinations(range(1, self.n_stations + 1), n):
                for federator in (False, True) if len(self.clients) > 1 else (False,):
                    who = "stations=" + ",".join(map(str, stations)) if stations else ""
                    tells = self.distinguishes(stations, federator)
                    self.commands.run("audit", "--colluders", who + " federator" * federator, "plan",
                                      status=6 if tells else 0)
                    counts[tells] += 1
        self.report.check(min(counts) > 0, f"told and hidden: {counts}")

    def check_sums(self, rng):
        """Checks a few outcomes with the real stations."""
        for _ in range(3):
            at = {i: (rng.randrange(len(self.inputs)), rng.randrange(len(self.points))) for i in self.clients}
            for i, (value, point) in at.items():
                self.run_client(i, self.inputs[value], self.points[point], f"{i}-{{}}")
            for u in range(1, self.n_stations + 1):
                files = [f"{i}-{u}" for i in self.clients if self.commands.exists(f"{i}-{u}")]
                what = ["--unsafe-plan"] + ([] if self.full else ["--only", "shares"])
                self.commands.run("aggregate", "--plan", "plan", "--station", u, *what, "-o", "sums", *files)
                for record in self.commands.records("sums"):
                    flat = record.header["clients"]  # first and last of each range
                    clients = [i for i in self.clients
                               if any(a <= i <= b for a, b in zip(flat[::2], flat[1::2]))]
                    want = sum(self.sent[i][record.header["of"], u][at[i]] for i in clients) % self.p
                    self.report.equal(int(record.elements[0]), int(want), f"a sum of station {u}")


def main(bin_dir):
    report, rng = Report(), random.Random(1)
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for case in CASES:
        with report.part(case[0]), tempfile.TemporaryDirectory(dir=scratch) as temporary:
            this = Case(Commands(bin_dir, temporary, report, remember=False), report, case)
            this.check()
            this.check_sums(rng)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
