"""Chains of transformations, of sums, over several fields: transform_chains.py BIN [STEP].

Covers lengths that no number of parts divides, empty vectors, other points, other schemes, and keys.
The shares of every tier are decoded here, those of the last one also by hagg-decode. With STEP, only
every STEP-th chain is run.
"""

import functools
import random
import sys
import tempfile

import numpy

from commands import Commands
from fields import field_of
from report import Report
from resharing import Secret, every_decoding, vector_of
from sharing import ceil_div

LENGTHS = (0, 1, 7, 13, 60)
CLIENTS = (2, 3, 9)


class Step:
    """One transformation, with its options."""

    def __init__(self, method, n, k, z, *options):
        self.method, self.numbers, self.options = method, (n, k, z), options

    def __str__(self):
        return " ".join([self.method, str(self.numbers), *self.options])


# field, scheme, the first sharing, then its transformations
CHAINS = (
    ("prime:p=251", "ramp", (3, 2, 1), Step("direct", 5, 4, 2), Step("direct", 4, 4, 1)),
    ("prime:p=251", "ramp", (5, 5, 2), Step("direct", 5, 4, 1), Step("transport", 6, 5, 2)),
    ("prime:p=251", "ramp", (4, 3, 1), Step("transport", 5, 4, 2), Step("direct", 6, 5, 0)),
    ("prime:p=251", "ramp", (6, 6, 1), Step("direct", 6, 6, 1, "--points", "3,9,1,250,7,8"),
     Step("direct", 6, 4, 1), Step("direct", 3, 3, 0)),
    ("prime:p=251", "ramp", (4, 3, 1), Step("direct", 4, 3, 1, "--points", "4,3,2,1")),
    ("prime:p=251", "ramp", (4, 3, 1), Step("transport", 4, 3, 2, "--points", "40,30,20,10"),
     Step("direct", 5, 3, 1)),
    ("prime:p=251", "ramp", (5, 3, 1), Step("forward", 4, 3, 1), Step("direct", 4, 2, 1)),
    ("prime:p=251", "ramp", (5, 3, 1), Step("forward", 4, 3, 1), Step("transport", 6, 3, 1)),
    ("prime:p=251", "ramp", (4, 3, 1), Step("transport", 6, 3, 1), Step("forward", 3, 3, 1)),
    ("prime:p=251", "ramp", (4, 3, 1), Step("direct", 4, 3, 1), Step("transport", 6, 3, 1),
     Step("transport", 3, 2, 1)),
    ("prime:p=251", "ramp", (5, 3, 1), Step("direct", 4, 3, 1, "--from", "2,4-5")),
    ("prime:p=251", "ramp", (5, 3, 1), Step("transport", 4, 3, 2, "--from", "1,3,5")),
    ("prime:p=251", "ramp", (5, 3, 1), Step("transport", 6, 3, 1, "--from", "2,3,5")),
    ("prime:p=251", "ramp", (5, 3, 1), Step("forward", 3, 3, 1, "--from", "2,4,5"),
     Step("direct", 4, 2, 1)),
    ("prime:p=251", "additive", (3, 3, 2), Step("direct", 4, 3, 1, "--scheme", "ramp")),
    ("prime:p=251", "additive", (3, 3, 2), Step("transport", 4, 3, 1, "--scheme", "ramp")),
    ("prime:p=251", "additive", (3, 3, 2), Step("direct", 4, 4, 3), Step("forward", 4, 4, 3)),
    ("prime:p=251", "ramp", (4, 3, 1), Step("direct", 3, 3, 2, "--scheme", "additive"),
     Step("direct", 2, 2, 1)),
    ("prime:p=251", "ramp", (4, 3, 1), Step("transport", 3, 3, 2, "--scheme", "additive"),
     Step("transport", 4, 4, 3)),
    ("gf256", "ramp", (4, 3, 1), Step("direct", 5, 5, 2), Step("transport", 4, 4, 1)),
    ("gf256", "ramp", (4, 3, 1), Step("transport", 6, 3, 1), Step("direct", 3, 2, 0)),
    ("m31", "ramp", (5, 4, 1), Step("direct", 4, 3, 2), Step("transport", 5, 3, 0)),
    ("m31", "ramp", (4, 3, 1), Step("transport", 6, 3, 1), Step("direct", 2, 1, 0)),
    ("m61", "ramp", (3, 3, 1), Step("direct", 4, 3, 1), Step("direct", 3, 2, 1)),
    ("goldilocks", "ramp", (3, 3, 1), Step("transport", 4, 3, 1), Step("direct", 3, 2, 1)),
)


class Chain:
    def __init__(self, commands, report, rng, chain):
        self.commands, self.report, self.rng = commands, report, rng
        self.spec, self.scheme, self.numbers, *self.steps = chain
        self.field = field_of(self.spec)

    def add(self, vectors):
        vectors = [vector_of(self.field, vector) for vector in vectors]
        return [int(x) for x in functools.reduce(self.field.add, vectors)]

    def transform(self, step, old, new):
        """Runs all holders of a tier at once, from one file to another."""
        n, k, z = step.numbers
        self.commands.run("transform", "--step", "contribute", "--holders", f"11-{10 + n}",
                          "-k", k, "-z", z, "--method", step.method, *step.options,
                          "-o", "sent", old)
        if step.method == "transport":
            self.commands.run("transform", "--step", "collect", "-o", "collected", "sent")
        self.commands.run("transform", "--step", "finish", "-o", new,
                          "collected" if step.method == "transport" else "sent")

    def check(self, name, numbers, vector):
        records = self.commands.records(name)
        self.report.equal([tuple(r.header["scheme"][key] for key in ("n", "k", "z"))
                           for r in records], [numbers] * numbers[0], "numbers")
        for got in every_decoding(records):
            self.report.equal(got, vector, f"what {name} decodes to")
        return records

    def check_points(self, step, records):
        if "--points" in step.options:
            self.report.equal([str(r.header["scheme"]["point"]) for r in records],
                              step.options[step.options.index("--points") + 1].split(","), "points")

    def from_records(self, secret, length):
        """Starts from sums of one kind of secret, made here. The last tier adds two sums."""
        self.report.where = f"{self.name()}: {secret}, {length} elements"
        vectors = [[self.rng.randrange(self.field.order) for _ in range(length)] for _ in (1, 2)]
        for i, vector in enumerate(vectors):
            shares = Secret(self.rng, self.spec, self.numbers, vector, self.scheme)
            whose = {"clients": [10 * i + 1, 10 * i + 3]}
            self.commands.write(f"{i}-0", b"".join(shares.records(7, of=secret, **whose)))
            for at, step in enumerate(self.steps):
                self.transform(step, f"{i}-{at}", f"{i}-{at + 1}")
                records = self.check(f"{i}-{at + 1}", step.numbers, vector)
                self.check_points(step, records)
                for r in records:
                    self.report.equal({key: r.header.get(key) for key in ("of", *whose)},
                                      {"of": secret, **whose}, "whose sum")
        last = len(self.steps)
        self.commands.run("aggregate", "-o", "both", f"0-{last}", f"1-{last}")
        records = self.check("both", self.steps[-1].numbers, self.add(vectors))
        for r in records:
            self.report.equal(r.header.get("clients"), [1, 3, 11, 13], "whose sums")

    def name(self):
        return f"{self.spec} {self.scheme} {self.numbers} -> {' -> '.join(map(str, self.steps))}"

    def with_commands(self, length):
        """From hagg-share to hagg-decode, with a sum before and a sum after the transformations."""
        self.report.where = f"{self.name()}: commands, {length} elements"
        dtype, (n, k, z), last = ("u1" if self.spec == "gf256" else "i1"), self.numbers, len(self.steps)
        vectors = [numpy.array([self.rng.randrange(9) for _ in range(length)], dtype=dtype)
                   for _ in CLIENTS]
        for client, vector in zip(CLIENTS, vectors):
            numpy.save(self.commands.path("vector.npy"), vector)
            self.commands.run("share", "-n", n, "-k", k, "-z", z, "--field", self.spec, "--scheme",
                              self.scheme, "--client", client, "--round", 4, "-o", f"of-{client}",
                              "vector.npy")
        self.commands.run("aggregate", "-o", "first-0", *(f"of-{c}" for c in CLIENTS[:2]))
        self.commands.run("aggregate", "-o", "second-0", f"of-{CLIENTS[2]}")
        for at, step in enumerate(self.steps):
            for which in ("first", "second"):
                self.transform(step, f"{which}-{at}", f"{which}-{at + 1}")
        self.commands.run("aggregate", "-o", "sums", f"first-{last}", f"second-{last}")
        _, said = self.commands.run("decode", "-o", "sum.npy", "sums")
        self.report.check("total of 3 clients: 2-3 9" in said, said)
        got = numpy.load(self.commands.path("sum.npy"))
        if self.spec == "gf256":
            want = functools.reduce(numpy.bitwise_xor, vectors)
        else:
            want = sum(vectors)
        self.report.equal(got.tolist(), want.tolist(), "the sum that hagg-decode gives")


def check_lengths(report, chain, commands):
    """The length of a share after a direct transformation: old parts times the length of a share of one
    part."""
    (_, k, z), step = chain.numbers, chain.steps[0]
    for length in LENGTHS:
        shares = Secret(chain.rng, chain.spec, chain.numbers, [1] * length)
        commands.write("old", b"".join(shares.records(1)))
        chain.transform(step, "old", "new")
        want = (k - z) * ceil_div(ceil_div(length, k - z), step.numbers[1] - step.numbers[2])
        report.equal([len(r.elements) for r in commands.records("new")], [want] * step.numbers[0],
                     f"elements of a share of {length}")


def main(bin_dir, step=1):
    report, rng = Report(), random.Random(6)
    with tempfile.TemporaryDirectory() as temporary:
        commands = Commands(bin_dir, temporary, report)
        for i, description in list(enumerate(CHAINS))[:: int(step)]:
            chain = Chain(commands, report, rng, description)
            with report.part(chain.name()):
                for secret, length in zip(("padded", "key", "plain"), LENGTHS[i % 2 :]):
                    chain.from_records(secret, length)
                for length in (LENGTHS[i % len(LENGTHS)], 7):
                    chain.with_commands(length)
        with report.part("lengths of shares"):
            check_lengths(report, Chain(commands, report, rng, CHAINS[0]), commands)
            check_lengths(report, Chain(commands, report, rng, CHAINS[1]), commands)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
