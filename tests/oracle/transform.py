"""Transforms every pair of sharings with up to HOLDERS holders: transform.py BIN HOLDERS.

Uses every method that applies, and compares with an oracle that interpolates: any k' of the new shares
must decode to the secret, and the number of symbols sent must match the formulas of theory.md section
5.
"""

import io
import random
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction

import cbor2

from commands import Commands
from report import Report
from resharing import Secret, every_decoding, pairs

FIELD = "prime:p=11"


def symbols_sent(data, shares=True):
    """The symbols sent, by round, over all records that go to another node; forwarded shares are not
    counted. Uses a library to parse, because there are many records."""
    file, counts = io.BytesIO(data), defaultdict(int)
    decoder = cbor2.CBORDecoder(file)
    while file.tell() < len(data):
        header, payload, _ = decoder.decode().value
        if header["kind"] == "share":
            sent = shares
        else:
            sent = "source" in header or header["carrier"] != header["scheme"]["index"]
        counts[header["round"]] += len(payload.value) if sent else 0
    return counts


def formula(method, old, new):
    """Symbols sent per element of the vector."""
    (n, k, z), (n_new, k_new, z_new) = old, new
    v, v_new = k - z, k_new - z_new
    if method == "forward":
        return Fraction(n_new, v_new)
    if method == "direct":
        return Fraction(k * n_new, v * v_new)
    if extends(old, new):
        return Fraction(n, v) + Fraction((n_new - n) * (k * n_new + n_new - 1), v * (n_new - z_new))
    return Fraction(n_new**2 * (k + 1) - n_new, v_new * (n_new - z_new))


def extends(old, new):
    return old[1:] == new[1:] and new[0] > old[0]


def forwards(old, new):
    return old[1:] == new[1:] and new[0] <= old[0]


class Transformation:
    """Transforms all old sharings at once, one round each, into one new sharing."""

    def __init__(self, commands, report, rng):
        self.commands, self.report, self.rng = commands, report, rng

    def divisible(self, old, new):
        """A length for which no formula has a remainder."""
        return (old[1] - old[2]) * (new[1] - new[2]) * (new[0] - new[2])

    def run(self, method, olds, new):
        n, k, z = new
        secrets, stream = {}, []
        for round_, old in enumerate(olds):
            vector = [self.rng.randrange(11) for _ in range(self.divisible(old, new))]
            secrets[round_] = Secret(self.rng, FIELD, old, vector)
            stream += secrets[round_].records(round_)
        self.commands.write("old", b"".join(stream))
        self.commands.run("transform", "--step", "contribute", "--holders", f"1-{n}", "-k", k,
                          "-z", z, "--method", method, "-o", "sent", "old")
        counts = symbols_sent(self.commands.read("sent"))
        if method == "transport":
            self.commands.run("transform", "--step", "collect", "-o", "collected", "sent")
            passed_on = symbols_sent(self.commands.read("collected"), shares=False)
            counts = {round_: counts[round_] + passed_on[round_] for round_ in counts}
        self.commands.run("transform", "--step", "finish", "-o", "new",
                          "collected" if method == "transport" else "sent")
        self.check(method, olds, new, secrets, counts)

    def check(self, method, olds, new, secrets, counts):
        found = defaultdict(list)
        for record in self.commands.records("new"):
            found[record.header["round"]].append(record)
        for round_, old in enumerate(olds):
            self.report.where = f"{method} {old} -> {new}"
            records, length = found[round_], len(secrets[round_].vector)
            self.report.equal(
                sorted(tuple(r.header["scheme"][key] for key in ("index", "n", "k", "z"))
                       for r in records),
                [(i, *new) for i in range(new[0])], "new shares")
            self.report.equal({r.header["kind"] for r in records}, {"share"}, "kinds")
            self.report.equal({tuple(r.header.get("layout", ())) for r in records},
                              {(old[1] - old[2],) if method == "direct" else ()}, "layouts")
            for got in every_decoding(records):
                self.report.equal(got, secrets[round_].vector, "the secret")
            self.report.equal(Fraction(counts[round_], length), formula(method, old, new),
                              "symbols sent")


def main(bin_dir, holders):
    report, rng = Report(), random.Random(5)
    with tempfile.TemporaryDirectory() as temporary:
        this = Transformation(Commands(bin_dir, temporary, report), report, rng)
        everything = pairs(int(holders))
        for new in everything:
            for method in ("direct", "transport", "forward"):
                olds = [old for old in everything if method != "forward" or forwards(old, new)]
                with report.part(f"{method} to {new}"):
                    this.run(method, olds, new)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
