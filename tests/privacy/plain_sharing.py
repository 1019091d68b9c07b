"""Enumerates all randomness of small sharings with the real commands: plain_sharing.py BIN.

Any z shares of a vector must have the same distribution whatever the vector is, counted exactly; some k
shares must reveal it. The bytes of a random source must become elements without bias.
"""

import itertools
import os
import sys
import tempfile
from collections import Counter

from commands import Commands
from fields import field_of
from report import Report
from sharing import Sharing

# field, scheme, n, k, z, length; with length k - z a share has one element
CASES = (
    ("prime:p=3", "ramp", 2, 2, 1, 1),
    ("prime:p=3", "additive", 3, 3, 2, 1),
    ("prime:p=5", "ramp", 3, 2, 1, 1),
    ("prime:p=5", "ramp", 4, 3, 1, 2),
    ("prime:p=5", "ramp", 3, 3, 2, 1),
    ("prime:p=7", "ramp", 4, 2, 1, 1),
    ("prime:p=7", "additive", 2, 2, 1, 1),
)


class Plain:
    def __init__(self, commands, report, case):
        self.commands, self.report = commands, report
        self.spec, self.scheme, self.n, self.k, self.z, self.length = case
        self.field = field_of(self.spec)
        self.sharing = Sharing(self.field, self.scheme, self.n, self.k, self.z,
                               range(1, self.n + 1))

    def shares(self, vector, drawn):
        """The shares that the command makes from these random bytes, after checking their headers."""
        self.commands.write("vector", "".join(f"{x}\n" for x in vector).encode())
        self.commands.write("source", bytes(drawn))
        self.commands.run("share", "-n", self.n, "-k", self.k, "-z", self.z, "--field", self.spec,
                          "--scheme", self.scheme, "--random-source", "source",
                          "--format", "text", "--type", "i1", "-o", "shares", "vector")
        got = [int(record.elements[0]) for record in self.commands.records("shares")]
        what = f"shares of {vector} with {drawn}"
        self.report.equal(got[: self.z], list(drawn), f"{what}: those that are drawn")
        secrets = self.sharing.decode({u: self.field.from_ints([got[u]]) for u in range(self.k)})
        self.report.equal([int(x[0]) for x in secrets[: self.sharing.parts]],
                          [int(self.field.from_ints([x])[0]) for x in vector], f"{what}: their parts")
        self.report.equal(got, [int(self.sharing.share(u, secrets)[0]) for u in range(self.n)], what)
        return got

    def distributions(self, vector):
        """By set of holders: the counts of their views."""
        counts = {}
        for drawn in itertools.product(range(self.field.order), repeat=self.z):
            shares = self.shares(vector, drawn)
            for size in range(1, self.k + 1):
                for holders in itertools.combinations(range(self.n), size):
                    counts.setdefault(holders, Counter())[tuple(shares[u] for u in holders)] += 1
        return counts

    def check(self):
        values = range(-self.field.int_max, self.field.int_max + 1)
        vectors = list(itertools.product(values, repeat=self.length))
        counts = {vector: self.distributions(vector) for vector in vectors}
        for holders in counts[vectors[0]]:
            distinct = {frozenset(counts[vector][holders].items()) for vector in vectors}
            if len(holders) <= self.z:
                self.report.equal(len(distinct), 1, f"distributions that {holders} see")
            elif len(holders) == self.k:
                self.report.equal(len(distinct), len(vectors), f"vectors that {holders} tell apart")
            else:
                self.report.check(len(distinct) > 1, f"{holders} should learn something")


def check_sampling(commands, report, spec):
    """A source with every byte value once gives every element of the field equally often."""
    order = field_of(spec).order
    per_element = 256 >> (order - 1).bit_length()
    commands.write("plan", f"field {spec}\nprotocol keys\nstations 2\nclient 1 2 via 1 2\n".encode())
    commands.write("source", bytes(16) + bytes(range(256)))
    commands.write("key", commands.run("keygen", "--plan", "plan", "--client", 1, "--round", 1, "--length",
                                       per_element * order, "--random-source", "source", "--no-state")[0])
    counts = Counter(int(x) for x in commands.records("key")[0].elements)
    report.equal(counts, Counter({x: per_element for x in range(order)}), "elements of the key")
    commands.run("keygen", "--plan", "plan", "--client", 1, "--round", 1, "--length",
                 per_element * order + 1, "--random-source", "source", "--no-state", "-o", "key-2", status=1)
    report.check(not commands.exists("key-2"), "a key from a source that is too short")


def main(bin_dir):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        commands = Commands(bin_dir, temporary, report)
        for case in CASES:
            with report.part(str(case)):
                Plain(commands, report, case).check()
        for spec in ("prime:p=5", "prime:p=7", "prime:p=13", "prime:p=251", "gf256"):
            with report.part(f"sampling, {spec}"):
                check_sampling(commands, report, spec)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
