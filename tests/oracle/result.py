"""Compares what the federator decodes with the sum computed here: sums, means, and refusals."""

from fractions import Fraction

import numpy

from quantise import rounding_error, step, worst_error

MALFORMED, MISMATCH, TOO_FEW, PRIVACY = 3, 4, 5, 6


class Result:
    def __init__(self, round_, clients):
        self.round, self.report, self.case = round_, round_.report, round_.case
        self.clients = clients
        self.quant = round_.topology.quant if self.case.type[0] == "f" else None
        rows = [round_.integers[i] for i in clients]
        if round_.field.is_numeric:
            self.total = [sum(column) for column in zip(*rows)]
        else:
            self.total = round_.field.to_ints(round_.total(round_.elements[i] for i in clients))
        self.samples = self.total.pop() if round_.topology.samples else None

    def check_all(self, files):
        self.check_sum(files)
        self.check_mean(files)

    def check_sum(self, files, *options):
        if self.quant:
            self.check_floats(files, self.case.type, None, *options)
            if self.case.type == "f4":
                self.check_floats(files, "f8", None, "--type", "f8", *options)
            return
        bounds = numpy.iinfo(self.case.type)
        fits = all(bounds.min <= x <= bounds.max for x in self.total)
        self.check_integers(files, self.case.type if fits else None, *options)
        if not fits:
            self.check_integers(files, "i8", "--type", "i8", *options)

    def check_integers(self, files, dtype, *options):
        """dtype None: the sum does not fit, which must be reported."""
        got, said = self.round.decode(files, *options, status=0 if dtype else MISMATCH)
        if not dtype:
            self.report.check(f"does not fit type {self.case.type}" in said, said)
        elif got is not None:
            self.report.equal((got.dtype, got.shape), (numpy.dtype(dtype), self.case.shape), "sum")
            self.report.check([int(x) for x in got.reshape(-1)] == self.total,
                              "the sum of the integers is wrong")
            self.check_said(said)

    def check_said(self, said):
        self.report.check(f"total of {len(self.clients)} clients: " in said, said)
        self.report.equal(f"of {self.samples} samples" in said, self.samples is not None, said)

    def check_floats(self, files, dtype, divisor, *options):
        """The result is the exact sum of the quantised integers, to the precision of the type, and so
        within the reported error of the true sum."""
        got, said = self.round.decode(files, *options)
        if got is None:
            return
        self.report.equal((got.dtype, got.shape), (numpy.dtype(dtype), self.case.shape), "floats")
        got = got.reshape(-1)
        unit, middle = step(self.quant) / (divisor or 1), len(self.clients) * self.quant.middle
        precision = Fraction(1, 2**24 if dtype == "f4" else 2**50)
        worst = worst_error(self.quant, len(self.clients)) / (divisor or 1)
        more = rounding_error(self.quant, len(self.clients)) / (divisor or 1)
        reported = Fraction(self.round.reported_error(said) or 0)
        self.report.check(worst <= reported <= (worst + more) * Fraction(102, 100),
                          lambda: f"reports an error of {float(reported)}, not {float(worst)}")
        for i in self.round.sample():
            want, value = (self.total[i] - middle) * unit, Fraction(float(got[i]))
            self.report.check(abs(value - want) <= abs(want) * precision,
                              lambda: f"element {i}: {got[i]!r}, not {float(want)!r}")
            if not divisor and dtype == "f8" and self.quant.largest < 2**45:
                self.report.check(round(value / unit + middle) == self.total[i],
                                  f"element {i}: is not {self.total[i]} steps")
            true = self.true_sum(i) / (divisor or 1)
            allowed = reported + (abs(want) * precision if dtype == "f4" else 0)
            self.report.check(abs(value - true) <= allowed,
                              lambda: f"element {i}: {got[i]!r} is too far from {float(true)!r}")
        self.check_said(said)

    def true_sum(self, i):
        return sum(Fraction(float(self.case.vectors[c].reshape(-1)[i])) for c in self.clients)

    def check_mean(self, files):
        divisor = self.samples if self.samples is not None else len(self.clients)
        if not self.round.field.is_numeric or divisor == 0:
            _, said = self.round.decode(files, "--mean", status=MISMATCH)
            self.report.check("no mean" in said, said)
            return
        if self.quant:
            self.check_floats(files, self.case.type, divisor, "--mean")
            return
        got, said = self.round.decode(files, "--mean")
        if got is None:
            return
        self.report.equal((got.dtype, got.shape), (numpy.dtype("f8"), self.case.shape), "mean")
        for i, value in enumerate(got.reshape(-1)):
            want = Fraction(self.total[i], divisor)
            self.report.check(abs(Fraction(float(value)) - want) <= abs(want) / 2**52,
                              lambda: f"mean {i}: {value!r}, not {float(want)!r}")
        self.check_said(said)
