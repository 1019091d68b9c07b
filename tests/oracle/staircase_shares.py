"""Shares and prefixes of scheme staircase by the commands, against an oracle: staircase_shares.py BIN [FORMS].

For a number of forms with up to 7 holders, and n = 20, k = 6, z = 3: every share, computed from the vector and from
the random source, byte by byte; what each holder sends for each number of present holders, and after a loss; and
the vectors that are decoded from these. The forms are chosen evenly from all of them; tests/unit/staircase.c tries
all forms and all sets of holders.
"""

import itertools
import random
import sys
import tempfile

import numpy

from commands import Commands
from fields import field_of
from hagg_format import write_record
from report import Report
from sharing import ceil_div, invert
from staircase import Staircase, forms

SPEC = "prime:p=251"
LENGTH = 67


def listed(holders):
    return ",".join(str(u + 1) for u in holders)


class Round:
    def __init__(self, commands, report, form, seed):
        self.commands, self.report = commands, report
        self.field, self.random = field_of(SPEC), random.Random(seed)
        self.scheme = Staircase(*form)
        self.n, self.k, self.z = form[:3]
        self.columns = ceil_div(LENGTH, self.scheme.parts)
        self.vector = [self.random.randrange(-125, 126) for _ in range(LENGTH)]

    def drawn(self, source):
        """Symbol s of holder u in each column: the first z holders draw their shares, one symbol of one of them
        after the other."""
        at, values = 0, {}
        for u, s in itertools.product(range(self.z), range(self.scheme.symbols)):
            values[u, s] = source[at : at + self.columns]
            at += self.columns
        return values

    def shares(self, source):
        """The payload of each share, from the drawn ones: each symbol is interpolated through them."""
        field, drawn, values = self.field, self.drawn(source), {}
        padded = [x % field.order for x in self.vector] + [0] * (self.columns * self.scheme.parts - LENGTH)
        parts = numpy.array(padded, dtype=object).reshape(self.scheme.parts, self.columns)
        powers = [[pow(u + 1, i, field.order) for i in range(self.n)] for u in range(self.n)]
        inverse = invert(field, [powers[u][: self.z] for u in range(self.z)]) if self.z else []
        for s, columns in enumerate(self.scheme.rows):
            of_parts = [sum(powers[u][self.z + i] * parts[column] for i, column in enumerate(columns[self.z :]))
                        for u in range(self.n)]
            rest = [numpy.array(drawn[u, s], dtype=object) - of_parts[u] for u in range(self.z)]
            randoms = [sum(c * x for c, x in zip(row, rest)) for row in inverse]
            for u in range(self.n):
                values[u, s] = (of_parts[u] + sum(powers[u][i] * r for i, r in enumerate(randoms))) % field.order
        return [[values[u, s] for s in range(self.scheme.symbols)] for u in range(self.n)]

    @staticmethod
    def payload(symbols):
        """Column by column, and in each column symbol by symbol."""
        return [int(x) for column in zip(*symbols) for x in column]

    def check_shares(self):
        source = [self.random.randrange(251) for _ in range(self.z * self.scheme.symbols * self.columns)]
        self.commands.write("source", bytes(source))
        self.commands.write("vector", "".join(f"{x}\n" for x in self.vector).encode())
        self.commands.run("share", "-n", self.n, "-k", self.k, "-z", self.z, "--field", SPEC, "--scheme",
                          self.scheme.name, "--random-source", "source", "--type", "i1", "--format", "text",
                          "-o", "shares", "vector")
        self.symbols = self.shares(source)
        found = self.commands.records("shares")
        for u, record in enumerate(found):
            self.report.equal(record.elements.tolist(), self.payload(self.symbols[u]), f"share of holder {u + 1}")
        self.report.equal(len(found), self.n, "shares")

    def send(self, output, present, after=None):
        """The holders that are present send; returns their records."""
        options = ["--present", listed(present)] + (["--after", listed(after)] if after else [])
        self.commands.run("aggregate", *options, "-o", output, "shares")
        records = {r.header["scheme"]["index"]: r for r in self.commands.records(output)}
        self.commands.write(output, b"")
        return records

    def supported(self, n_present):
        return next(h for h in self.scheme.supported if h <= n_present)

    def check_sent(self, records, first, end, what):
        """All records have exactly these symbols, and the header says so unless they are all."""
        wanted = [first, end] if end - first < self.scheme.symbols else None
        for u, record in sorted(records.items()):
            self.report.equal(record.header.get("symbols"), wanted, f"{what}: symbols of holder {u + 1}")
            self.report.equal(record.elements.tolist(), self.payload(self.symbols[u][first:end]),
                              f"{what}: holder {u + 1}")

    def check_decoded(self, records, holders, what):
        """Decodes what these holders sent."""
        self.commands.write("sent", b"".join(write_record(r.header, r.elements) for sent in records
                                             for u, r in sorted(sent.items()) if u in holders))
        decoded, _ = self.commands.run("decode", "--quiet", "--format", "text", "sent")
        self.report.equal(decoded.decode().split(), list(map(str, self.vector)), what)

    def check_prefixes(self):
        everybody = range(self.n)
        for n_present in range(self.k, self.n + 1):
            h = self.supported(n_present)
            if n_present not in (h, self.n - 1):
                continue
            present = sorted(self.random.sample(everybody, n_present))
            sent = self.send("prefixes", present)
            self.check_sent(sent, 0, self.scheme.sent(h), f"{n_present} present")
            self.check_decoded([sent], self.random.sample(present, h), f"{h} of {n_present} present")

    def check_fallback(self):
        """All begin to send; then holders are lost, step by step, and those that are left send the rest."""
        present, sent, end = list(range(self.n)), [], 0
        before, n_elements = None, 0
        for h in self.scheme.supported:
            holders = sorted(self.random.sample(present, h)) if before else list(range(self.n))
            h = self.supported(len(holders))
            # the command acts for all holders, also for those that are lost
            records = {u: r for u, r in self.send("rest", holders, before).items() if u in holders}
            if self.scheme.sent(h) == end:
                self.report.equal(records, {}, f"{len(holders)} present send nothing more")
                continue
            self.check_sent(records, end, self.scheme.sent(h), f"{len(holders)} present after {end} symbols")
            sent.append(records)
            n_elements = sum(len(r.elements) for step in sent for u, r in step.items() if u in holders)
            self.report.equal(n_elements, len(holders) * self.scheme.sent(h) * self.columns,
                              f"elements that {len(holders)} present sent in all")
            self.check_decoded(sent, set(holders), f"after a loss, {len(holders)} present")
            present, before, end = holders, holders, self.scheme.sent(h)

    def check(self):
        self.check_shares()
        self.check_prefixes()
        self.check_fallback()


def main(bin_dir, n_forms=24):
    report = Report()
    everything = list(forms(7))
    step = max(1, len(everything) // int(n_forms))
    report.equal(len(everything), 252, "forms")
    for i, form in enumerate(everything[step // 2 :: step] + [(20, 6, 3, (0,)), (7, 2, 1, (0, 2, 4))]):
        with tempfile.TemporaryDirectory() as directory, report.part(str(form)):
            Round(Commands(bin_dir, directory, report, remember=False), report, form, i).check()
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
