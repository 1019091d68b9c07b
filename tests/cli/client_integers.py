"""For tests: the integers that a client of examples/learning has shared, from its opened shares."""

import numpy as np

from aligned import Polynomials
from fields import field_of
from sealed_records import elements, only

N_STATIONS, N_SEGMENTS = 5, 2
POINTS = range(N_SEGMENTS, N_SEGMENTS + N_STATIONS)


class ClientIntegers:
    """A share is the value, at the point of its station, of a polynomial that has the two halves of the vector
    as values at 0 and 1, and is zero at the station that has no share. Three of the four shares determine it,
    and the fourth must agree."""

    def __init__(self, field, steps, levels=None):
        self.polynomials, self.steps, self.levels = Polynomials(field_of(field)), steps, levels
        self.order = self.polynomials.field.order

    def of(self, directory, client):
        """Integers from -steps to steps. Levels are shared as integers from 0."""
        found = self.elements(directory, client).astype(np.int64)
        if self.levels:
            assert found.min() >= 0 and found.max() < self.levels
            return (2 * found - (self.levels - 1)) * self.steps // (self.levels - 1)
        return np.where(found > self.order // 2, found - self.order, found)

    def elements(self, directory, client):
        shares = {}
        for path in directory.glob(f"station-*/in/client-{client}.cbor"):
            header, payload = only(path)
            point = POINTS[header["to"][1] - 1]
            assert header["scheme"]["point"] == point
            shares[point] = elements(header, payload).astype(object)
        assert len(shares) == 4
        spare = max(shares)
        points = [x for x in POINTS if x != spare]
        assert np.all(self.value(spare, points, shares) == shares[spare])
        return np.concatenate([self.value(c, points, shares) for c in range(N_SEGMENTS)])

    def value(self, at, points, shares):
        """The value of the polynomial through these points, for all elements."""
        total = 0
        for point in set(points) & set(shares):
            unit = self.polynomials.through([(x, int(x == point)) for x in points])
            total = total + self.polynomials.value(unit, at) * shares[point]
        return total % self.order
