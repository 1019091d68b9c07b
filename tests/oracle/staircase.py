"""Scheme staircase, from docs/staircase.md alone: which part or random vector is which coefficient.

It shares no code with the plugin. Everything here is independent of the field: a symbol is a list of columns,
those of the coefficients of its polynomial, lowest first. The columns of the parts come first, then those of the
random vectors.
"""

import itertools
import math


class Staircase:
    def __init__(self, n, k, z, missing=(0,)):
        self.n, self.k, self.z = n, k, z
        self.supported = [n - m for m in missing] + [k]
        self.symbols = math.lcm(*(h - z for h in self.supported[:-1]))
        self.parts, self.randoms = (k - z) * self.symbols, z * self.symbols
        self.name = "staircase" if tuple(missing) == (0,) else "staircase:missing=" + ".".join(map(str, missing))
        self.rows = self.place()

    def sent(self, h):
        """The symbols that each of h holders sends."""
        return self.parts // (h - self.z)

    def place(self):
        rows, parts, before = [], list(range(self.parts)), None
        for h in self.supported:
            if before:
                parts = [column for row in rows for column in row[h:before]]
            while parts:
                own = self.parts + len(rows) * self.z
                rows.append(list(range(own, own + self.z)) + parts[:h - self.z])
                parts = parts[h - self.z:]
            before = h
        return rows

    def matrix(self, powers):
        """powers has, for each holder, the powers of its point from 0 on."""
        rows = []
        for own in powers:
            for columns in self.rows:
                row = [0] * (self.parts + self.randoms)
                for column, power in zip(columns, own):
                    row[column] = power
                rows.append(row)
        return rows


def choices(n, k, most):
    """All lists of up to `most` numbers of missing holders."""
    return [c for size in range(1, most + 1) for c in itertools.combinations(range(n - k), size)]


def forms(largest, most=2):
    """Every staircase of up to this number of holders."""
    for n in range(2, largest + 1):
        for k in range(1, n):
            for z in range(k):
                for missing in choices(n, k, most):
                    yield n, k, z, missing
