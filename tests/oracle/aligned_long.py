"""Rounds of protocol aligned with long vectors: aligned_long.py BIN.

A short row is read with many others, and a long one piece by piece if it is used only once. So each kind of
row occurs here, at stations and at the federator, on one thread and on three. The total is compared with
numpy's, in every element.
"""

import os
import random
import sys
import tempfile

import numpy

from commands import Commands
from hagg_format import write_record
from report import Report

# field, segments (0: the default), length, collusion, spare stations, and the stations of each client
CASES = {
    "one class, one row of 1.3 MB": ("m31", 0, 1_000_003, "full stations=1", 0, ["1-4", "1-4"]),
    "one class, rows of 100 kB": ("m61", 30, 400_000, "full stations=1", 0, ["1-4", "1-4", "1-4"]),
    "long rows, kept and masked": ("m31", 4, 1_300_000, "full clients=1 stations=1", 0, ["1-5", "1-3", "3-5"]),
    "some rows are kept, others not": ("m31", 6, 600_001, "partial stations=1", 0, ["1-4", "1-4", "3-6", "4-7 9"]),
    "all begin together, with masks": ("m31", 3, 500_000, "full stations=1", 0, ["1-4", "2-5", "1 3-5"]),
    "many short rows": ("m31", 840, 300_007, "full clients=1 stations=2", 0, ["1-5", "2-7", "1-9", "3-9", "4-7"]),
    "rows of one element": ("goldilocks", 5000, 4999, "partial stations=1", 0, ["1-4", "2-6", "1-6"]),
    "bytes": ("gf256", 60, 2_000_000, "partial stations=1", 0, ["1-4", "2-6", "1-6"]),
    "wrong sums in long rows": ("m31", 2, 200_000, "partial stations=1", 2, ["1-7", "1-5", "3-7"]),
    "wrong sums, one class": ("m31", 0, 300_000, "full stations=1", 2, ["1-6", "1-6"]),
}


class Long:
    def __init__(self, commands, report, case, seed):
        self.field, segments, self.length, collude, self.spares, self.reach = case
        self.commands, self.report = commands, report
        self.rng = numpy.random.default_rng(seed)
        self.picks = random.Random(seed)
        lines = [f"field {self.field}", "protocol aligned", f"collude {collude}", f"drop stations={self.spares}",
                 "stations 9", f"length {self.length}"] + ([f"segments {segments}"] if segments else [])
        lines += [f"client {i} via {stations}" for i, stations in enumerate(self.reach, 1)]
        commands.write("topology", "\n".join(lines + [""]).encode())
        commands.run("plan", "--keep", "-q", "topology", "-o", "plan")

    def share(self):
        """Returns the total."""
        bytewise = self.field == "gf256"
        total = numpy.zeros(self.length, "u1" if bytewise else "i8")
        for i, _ in enumerate(self.reach, 1):
            vector = self.rng.integers(0, 256, self.length).astype("u1") if bytewise else \
                self.rng.integers(-10**6, 10**6, self.length).astype("i4")
            total = total ^ vector if bytewise else total + vector
            numpy.save(self.commands.path(f"vector-{i}.npy"), vector)
            self.commands.run("share", "--plan", "plan", "--client", i, "--round", 1, f"vector-{i}.npy",
                              "-o", f"at-{{}}/client-{i}", "--threads", self.picks.choice((1, 3)))
        return total

    def deal(self):
        words = [line.split()[1:] for line in self.commands.read("plan").decode().splitlines()
                 if line.startswith("dealers ")]
        for word in words[0] if words else []:
            first, last = int(word.split("-")[0]), int(word.split("-")[-1])
            for dealer in range(first, last + 1):
                self.commands.run("keygen", "--plan", "plan", "--station", dealer, "--round", 1,
                                  "-o", f"at-{{}}/dealer-{dealer}")

    def add_up(self):
        """Returns the files of the sums. Three threads change no byte."""
        sums = []
        for place in sorted(name for name in os.listdir(self.commands.work_dir) if name.startswith("at-")):
            files = sorted(f"{place}/{name}" for name in os.listdir(self.commands.path(place)))
            for threads in (1, 3):
                self.commands.run("aggregate", "--plan", "plan", "--station", place[3:], "--threads", threads,
                                  *files, "-o", f"sum-{place[3:]}-{threads}")
            sums.append(f"sum-{place[3:]}-1")
            self.report.check(self.commands.read(sums[-1]) == self.commands.read(f"sum-{place[3:]}-3"),
                              f"{place}: the sum depends on the number of threads")
        return sums

    def decode(self, sums, total, *options):
        for threads in (1, 3):
            _, said = self.commands.run("decode", "--plan", "plan", "--threads", threads, *options, *sums, "-o", "total.npy",
                                        "--type", str(total.dtype.str)[1:])
            self.report.check(numpy.array_equal(numpy.load(self.commands.path("total.npy")), total),
                              f"the total is wrong on {threads} threads")
        return said

    def spoil(self, name):
        """Changes one element: the first, the last, or any."""
        record, = self.commands.records(name)
        elements = record.elements.copy()
        at = self.picks.choice((0, len(elements) - 1, self.picks.randrange(len(elements))))
        elements[at] ^= 1
        self.commands.write(f"{name}-wrong", write_record(record.header, elements))
        return f"{name}-wrong"

    def check_wrong(self, sums, total):
        """With two spare stations, one wrong sum is corrected and named, and two missing ones do not matter."""
        for _ in range(4):
            wrong = self.picks.choice(sums)
            said = self.decode([self.spoil(name) if name == wrong else name for name in sums], total, "--correct")
            self.report.check(f"station {wrong.split('-')[1]}" in said, lambda: f"{wrong} is not named: {said}")
        self.decode(self.picks.sample(sums, len(sums) - 2), total)

    def run(self):
        total = self.share()
        self.deal()
        sums = self.add_up()
        self.decode(sums, total, "-q")
        if self.spares:
            self.check_wrong(sums, total)


def main(bin_dir):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for seed, (name, case) in enumerate(CASES.items()):
        with tempfile.TemporaryDirectory(dir=scratch) as temporary, report.part(name):
            Long(Commands(bin_dir, temporary, report), report, case, seed).run()
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
