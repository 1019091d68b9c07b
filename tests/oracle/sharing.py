"""The sharings of docs/theory.md section 2: from parts to shares, and from any k shares back."""

import numpy


def parameters(scheme, n, z, drop):
    """(k, z, parts) of the sharing among n holders that a plan requires."""
    if scheme == "additive":
        return n, n - 1, 1
    return n - drop, z, n - drop - z


def fewest(z, drop):
    """The smallest number of holders: any two sets of all but drop of them have more than z in common."""
    n = z + drop + 1
    while 2 * (n - drop) - n <= z:
        n += 1
    return n


def ceil_div(a, b):
    return -(-a // b)


class Sharing:
    def __init__(self, field, scheme, n, k, z, points):
        self.field, self.n, self.k = field, n, k
        self.parts = 1 if scheme == "additive" else k - z
        if scheme == "additive":
            minus = field.subtract(0, 1)
            self.rows = [[int(c == u + 1) for c in range(n)] for u in range(n - 1)]
            self.rows.append([1] + [minus] * (n - 1))
        else:
            self.rows = [self.powers(point) for point in points]

    def powers(self, point):
        row = [1]
        while len(row) < self.k:
            row.append(self.field.multiply(row[-1], point))
        return row

    def combine(self, coefficients, vectors):
        total = None
        for c, vector in zip(coefficients, vectors):
            term = self.field.scale(c, vector)
            total = term if total is None else self.field.add(total, term)
        return total

    def share(self, u, secrets):
        """Share number u of the parts and random vectors."""
        return self.combine(self.rows[u], secrets)

    def decode(self, shares):
        """Parts and random vectors from k shares {u: share}."""
        chosen = sorted(shares)
        inverse = invert(self.field, [self.rows[u] for u in chosen])
        return [self.combine(row, [shares[u] for u in chosen]) for row in inverse]

    def secret(self, secrets, length):
        """The vector that the parts form, and the padding of the last ones."""
        joined = numpy.concatenate(secrets[: self.parts])
        return joined[:length], joined[length:]


def invert(field, rows):
    n = len(rows)
    work = [list(row) + [int(i == j) for j in range(n)] for i, row in enumerate(rows)]
    for column in range(n):
        pivot = next(i for i in range(column, n) if work[i][column])
        work[column], work[pivot] = work[pivot], work[column]
        factor = field.inverse(work[column][column])
        work[column] = [field.multiply(factor, x) for x in work[column]]
        for i in range(n):
            factor = work[i][column]
            if i != column and factor:
                work[i] = [field.subtract(x, field.multiply(factor, y))
                           for x, y in zip(work[i], work[column])]
    return [row[n:] for row in work]
