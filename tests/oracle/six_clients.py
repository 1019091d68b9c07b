"""The example of docs/theory.md section 4, with known sums and costs: six_clients.py BIN."""

import os
import random
import sys
import tempfile
from fractions import Fraction

import numpy

from commands import Commands
from report import Report
from whole_round import run_round, station_files

TOPOLOGY = """\
# six phones, five base stations, of which two may collude
field     m31
collude   partial clients=1 stations=2
stations  5
client    1 2  via 1 2 3 5
client    3    via 1-5
client    4    via 2-5
client    5    via 1 2 4 5
client    6    via 1 2 5
protocol  keys
"""

# A multiple of 6, so that 1, 2 and 3 parts divide it and the costs are the exact fractions.
LENGTH = 12


class Example:
    """Client i has i, 2i, 3i, ... with alternating signs: the sum has 21, -42, 63, ..."""

    def __init__(self, extra="", dtype="i4"):
        self.text = TOPOLOGY + extra
        self.type, self.shape, self.length, self.round = dtype, (3, 4), LENGTH, 1
        signed = numpy.array([(-1) ** j * (j + 1) for j in range(LENGTH)]).reshape(self.shape)
        self.vectors = {i: (i * signed).astype(dtype) for i in range(1, 7)}
        self.samples = {i: 10 * i for i in range(1, 7)}


SUM = [[21, -42, 63, -84], [105, -126, 147, -168], [189, -210, 231, -252]]


def check_cost(report, counts):
    d = LENGTH
    report.equal(Fraction(counts["client"], d), Fraction(56, 3), "clients to stations")
    report.equal(Fraction(counts["chain"], d), 4, "station to station")
    report.equal(Fraction(counts["federator"], d), Fraction(35, 3), "stations to federator")
    report.equal(Fraction(sum(counts.values()), d), Fraction(103, 3), "C1")


REFUSED = (
    ("prime:p=11", "", "field 'prime:p=11' is too small for a sum over 6 clients: use a larger one"),
    ("gf256", "samples\n", "samples cannot be counted in field 'gf256', because its addition is "
                           "not integer addition: use a prime field or remove samples"),
)


def check_refused(commands, report):
    """Plans under which a sum could overflow."""
    for field, extra, reason in REFUSED:
        commands.write("small", (TOPOLOGY.replace("m31", field) + extra).encode())
        _, said = commands.run("keygen", "--plan", "small", "--client", 1, "--round", 1,
                               "--length", 1, "-o", "key", status=3)
        report.equal(said, f"hagg-keygen: small: {reason}\n", f"a sum in {field}")
        report.check(not commands.exists("key"), f"a key in {field}")


def check_integers(commands, report, rng):
    this = run_round(Example(), commands, report, rng)
    commands.forget()
    files = sorted(station_files(commands, "all")) + ["all-keys-5"]
    got, said = this.decode(files)
    report.equal(got.tolist(), SUM, "the known sum")
    report.equal(said, "hagg-decode: round 1: total of 6 clients: 1-6\n", "what decode says")
    report.equal(this.decode(files, "--mean")[0].tolist(), [[x / 6 for x in row] for row in SUM],
                 "the known mean")
    check_cost(report, this.costs)


def check_floats(commands, report, rng):
    """With sample counts 10, 20, .., 60, so that the mean is over 210 samples."""
    case = Example("samples\nquantize bits=16 clip=100.0\n", "f8")
    this = run_round(case, commands, report, rng)
    commands.forget()
    files = sorted(station_files(commands, "all")) + ["all-keys-5"]
    got, said = this.decode(files, "--mean")
    report.check(abs(got - numpy.array(SUM) / 210).max() <= 6 * 0.5 * 100 / 32767 / 210,
                 "the known mean over 210 samples")
    report.check("of 210 samples\n" in said, said)


def main(bin_dir):
    report, rng = Report(), random.Random(6)
    with tempfile.TemporaryDirectory() as temporary:
        commands = Commands(bin_dir, os.path.join(temporary, "round"), report)
        with report.part("six clients"):
            check_integers(commands, report, rng)
        with report.part("six clients with samples"):
            check_floats(commands, report, rng)
        with report.part("fields that do not suit"):
            check_refused(commands, report)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
