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

from aligned import Aligned
from commands import Commands
from fields import field_of
from seeds import expanded, seeds_of
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

# the same with seeds: also the line of computational privacy
SEEDS = {
    "seeds, one row": ("m31", 0, 300_001, "full stations=1", 0, ["1-4", "1-4"], "privacy"),
    "seeds, rows that cross pieces": ("prime:p=257", 7, 70_000, "partial stations=2", 2, ["1-5", "2-7", "1-7", "2 9"],
                                      "privacy"),
    "seeds of bytes, couriers": ("gf256", 5, 400_000, "full stations=1", 0, ["1-4", "2-6", "1-6", "3"], "fallback"),
    "seeds, short rows": ("m61", 400, 100_003, "full clients=1 stations=1", 0, ["1-5", "2-7", "1-9", "4"], "fallback"),
}
N_COLUMNS = 60  # of long shares that are compared with polynomials, apart from those at the ends of pieces


def listed(word):
    """The numbers of a range."""
    first, _, last = word.partition("-")
    return range(int(first), int(last or first) + 1)


class Long:
    def __init__(self, commands, report, case, seed):
        self.field, segments, self.length, collude, self.spares, self.reach, *privacy = case
        self.z, self.privacy = int(collude.split("stations=")[1]), privacy[0] if privacy else None
        self.commands, self.report = commands, report
        self.rng = numpy.random.default_rng(seed)
        self.picks = random.Random(seed)
        lines = [f"field {self.field}", "protocol aligned", f"collude {collude}", f"drop stations={self.spares}",
                 "stations 9", f"length {self.length}"] + ([f"segments {segments}"] if segments else [])
        lines += [f"client {i} via {stations}" for i, stations in enumerate(self.reach, 1)]
        lines += [f"{self.privacy} computational"] if self.privacy else []
        commands.begin(0, has_seeds=bool(self.privacy))
        commands.write_plan("topology", "\n".join(lines + [""]))
        commands.run("plan", "--keep", "-q", "topology", "-o", "plan")

    def share(self):
        """Returns the total."""
        bytewise, most = self.field == "gf256", min(10**6, field_of(self.field).int_max // len(self.reach))
        total = numpy.zeros(self.length, "u1" if bytewise else "i8")
        for i, _ in enumerate(self.reach, 1):
            vector = self.rng.integers(0, 256, self.length).astype("u1") if bytewise else \
                self.rng.integers(-most, most, self.length).astype("i4")
            total = total ^ vector if bytewise else total + vector
            numpy.save(self.commands.path(f"vector-{i}.npy"), vector)
            self.commands.run("share", "--plan", "plan", "--client", i, "--round", 1, f"vector-{i}.npy",
                              "-o", f"at-{{}}/client-{i}", "--threads", self.picks.choice((1, 3)))
        if self.privacy:
            self.check_shares()
        return total

    def lines_of(self, word):
        return [line.split()[1:] for line in self.commands.read("plan").decode().splitlines() if line.startswith(f"{word} ")]

    def check_shares(self):
        """Seeds are those of the plan, and in some columns all shares of a client are on the polynomial through
        the expansions of its seeds and its vector. Records for couriers are passed on."""
        clients, via = {}, {}
        for words in self.lines_of("client"):
            lists, name = {"": []}, ""
            for word in words:
                if word.isalpha():
                    lists[word], name = [], word
                else:
                    lists[name] += listed(word)
            for i in lists[""]:
                via[i], clients[i] = lists["via"], lists.get("shares", lists["via"])
                if self.privacy != "privacy" and "computational" not in lists:
                    via[i] = None
        a = Aligned(self.field, clients, self.z, self.spares, int(self.lines_of("segments")[0][0]))
        for i in clients:
            self.check_client(a, i, seeds_of(clients[i], via[i], self.z) if via[i] else set())

    def check_client(self, a, i, seeds):
        row, shares = -(-self.length // a.n_segments), self.pass_on(i)
        self.report.equal(sorted(shares), a.clients[i], f"stations of client {i}")
        self.report.equal({u for u, record in shares.items() if "seed" in record.header}, seeds, f"seeds of client {i}")
        values = {u: expanded(r, row * len(a.blocks_of(i))).elements.reshape(-1, row) for u, r in shares.items()}
        vector = numpy.load(self.commands.path(f"vector-{i}.npy")).astype(object) % a.field.order
        vector = numpy.concatenate([vector, [0] * (row * a.n_segments - len(vector))]).reshape(-1, row)
        ends = {end + by for block in range(len(a.blocks_of(i))) for piece in range(4096, 65536 + 4096, 4096)
                for end in [piece - block * row] for by in (-1, 0)} | {0, row - 1}
        columns = sorted({c for c in ends if 0 <= c < row})
        columns = self.picks.sample(columns, min(len(columns), N_COLUMNS)) + self.picks.choices(range(row), k=N_COLUMNS)
        for c in columns:
            got = a.vector_of(i, {u: [int(x) for x in rows[:, c]] for u, rows in values.items()})
            self.report.check(got == list(vector[:, c]), lambda: f"client {i}: shares of column {c}: {got}, {vector[:, c]}")

    def pass_on(self, i):
        """The records of a client by station. Those in the file of a courier go to the directories of their stations."""
        found, commands = {}, self.commands
        for place in [name for name in os.listdir(commands.work_dir) if commands.exists(f"{name}/client-{i}")]:
            name = f"{place}/client-{i}"
            data, own = commands.read(name), b""
            for record in commands.records(name):
                to, raw = record.header["to"][1], data[record.offset : record.offset + record.len_bytes]
                found[to] = record
                if place == f"at-{to}":
                    own += raw
                else:
                    os.makedirs(commands.path(f"at-{to}"), exist_ok=True)
                    commands.write(f"at-{to}/passed-on-{i}", raw)
            commands.write(name, own)
        return found

    def deal(self):
        words = self.lines_of("dealers")
        for word in words[0] if words else []:
            for dealer in listed(word):
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
            if self.privacy:  # every seal is another one
                one, three = (self.commands.records(f"sum-{place[3:]}-{threads}")[0].elements for threads in (1, 3))
                same = numpy.array_equal(one, three)
            else:
                same = self.commands.read(sums[-1]) == self.commands.read(f"sum-{place[3:]}-3")
            self.report.check(same, f"{place}: the sum depends on the number of threads")
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
        self.commands.write_record(f"{name}-wrong", record.header, elements)
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
    for seed, (name, case) in enumerate((CASES | SEEDS).items()):
        with tempfile.TemporaryDirectory(dir=scratch) as temporary, report.part(name):
            Long(Commands(bin_dir, temporary, report), report, case, seed).run()
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
