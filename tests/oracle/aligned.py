"""Aligned sharing with polynomials as lists of coefficients: theory of docs/aligned.md, step by step.

Nothing here uses closed formulas for matrices. A block is a polynomial that is put together by
multiplication and interpolation, sums are evaluated and interpolated, and a mask is a solution of linear
equations. `aligned.py` alone prints the known answers of tests/unit/aligned.c.
"""

from fields import field_of


class Polynomials:
    """Polynomials over a field: lists of coefficients, lowest first."""

    def __init__(self, field):
        self.field = field

    def add(self, a, b):
        n = max(len(a), len(b))
        a, b = a + [0] * (n - len(a)), b + [0] * (n - len(b))
        return [self.field.add(x, y) for x, y in zip(a, b)]

    def scale(self, c, a):
        return [self.field.multiply(c, x) for x in a]

    def multiply(self, a, b):
        product = [0] * (len(a) + len(b) - 1) if a and b else []
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                product[i + j] = self.field.add(product[i + j], self.field.multiply(x, y))
        return product

    def value(self, a, x):
        total = 0
        for coefficient in reversed(a):
            total = self.field.add(self.field.multiply(total, x), coefficient)
        return total

    def through(self, pairs):
        """The polynomial of least degree through these points, by Newton's method."""
        found, base = [], [1]
        for x, y in pairs:
            missing = self.field.subtract(y, self.value(found, x))
            step = self.field.multiply(missing, self.field.inverse(self.value(base, x)))
            found = self.add(found, self.scale(step, base))
            base = self.multiply(base, [self.field.subtract(0, x), 1])
        return found


def cuts(n_segments, counts):
    return [c for c in range(n_segments) if any(c % v == 0 for v in counts)]


def intervals(n_segments, counts):
    starts = cuts(n_segments, counts)
    return list(zip(starts, starts[1:] + [n_segments]))


class Aligned:
    """clients: {number: stations}. z stations may collude and t be missing."""

    def __init__(self, spec, clients, z, t, n_segments):
        self.field, self.z, self.t, self.n_segments = field_of(spec), z, t, n_segments
        self.polynomials = Polynomials(self.field)
        self.clients = {i: sorted(stations) for i, stations in clients.items()}
        self.stations = sorted({u for stations in clients.values() for u in stations})
        self.counts = {u: sorted({self.parts(i) for i, e in self.clients.items() if u in e})
                       for u in self.stations}
        self.k = len(self.stations) - t

    def parts(self, client):
        return len(self.clients[client]) - self.z - self.t

    def point(self, station):
        return self.n_segments + station - 1

    def block(self, client, first, end, segments, drawn, holders=None):
        """The polynomial of a block: segments, and the drawn shares of these stations, in general the client's
        first z, are single elements."""
        used = self.clients[client]
        pairs = [(self.point(u), 0) for u in self.stations if u not in used]
        pairs += zip(range(first, end), segments)
        pairs += [(self.point(u), y) for u, y in zip(holders or used[: self.z], drawn, strict=True)]
        return self.polynomials.through(pairs)

    def share(self, client, vector, drawn):
        """By station: the value of each block. vector has one element for each segment; drawn has z
        elements for each block."""
        p, values = self.polynomials, {u: [] for u in self.clients[client]}
        for block, (first, end) in enumerate(self.blocks_of(client)):
            f = self.block(client, first, end, vector[first:end], drawn[block])
            assert all(p.value(f, self.point(u)) == 0 for u in self.stations if u not in values)
            for u in values:
                values[u].append(p.value(f, self.point(u)))
        return values

    def blocks_of(self, client):
        return intervals(self.n_segments, [self.parts(client)])

    def vector_of(self, client, values):
        """The vector that has these shares, by station a list with one element per block; None if there
        is none. It is found from the first stations, and the others must agree."""
        p, found = self.polynomials, []
        for block, (first, end) in enumerate(self.blocks_of(client)):
            n_known = len(self.stations) - len(self.clients[client]) + end - first + self.z
            known = [(self.point(u), 0) for u in self.stations if u not in values]
            known += [(self.point(u), values[u][block]) for u in self.clients[client]]
            f = p.through(known[:n_known])
            if any(p.value(f, x) != y for x, y in known[n_known:]):
                return None
            found += [p.value(f, c) for c in range(first, end)]
        return found

    def intervals_of(self, station):
        return intervals(self.n_segments, self.counts[station])

    def add_up(self, shares):
        """shares: by client, the result of share. By station: one value for each of its intervals."""
        sums = {}
        for u in self.stations:
            sums[u] = []
            for first, _ in self.intervals_of(u):
                total = 0
                for client, values in shares.items():
                    if u in values:
                        total = self.field.add(total, values[u][first // self.parts(client)])
                sums[u].append(total)
        return sums

    def value_at(self, sums, station, segment):
        row = sum(first <= segment for first, _ in self.intervals_of(station)) - 1
        return sums[station][row]

    def factor(self, segment, station, basis):
        """The factor of the station's value in a segment that is decoded from the stations of basis."""
        unit = self.polynomials.through([(self.point(u), int(u == station)) for u in basis])
        return self.polynomials.value(unit, segment)

    def summand(self, sums, stations, basis):
        """What the sums of some stations add to each segment of a total decoded from basis."""
        total = []
        for c in range(self.n_segments):
            total.append(0)
            for u in stations:
                product = self.field.multiply(self.factor(c, u, basis), self.value_at(sums, u, c))
                total[-1] = self.field.add(total[-1], product)
        return total

    def decode(self, sums, stations):
        """All segments, from the sums of k stations."""
        assert len(stations) == self.k
        return [self.polynomials.value(
            self.polynomials.through([(self.point(u), self.value_at(sums, u, c)) for u in stations]), c)
            for c in range(self.n_segments)]

    def finest(self):
        return intervals(self.n_segments, sorted(set().union(*self.counts.values())))

    def n_draws(self, bare=()):
        """How many elements determine a mask: theory.md, section 12."""
        return sum(1 for _ in self.steps(bare))

    def steps(self, bare):
        """The stations whose values are drawn, in this order, each with its finest interval."""
        for first, end in self.finest():
            begin = [u for u in self.stations if u not in bare and first in cuts(self.n_segments, self.counts[u])]
            # computed: the stations with the most intervals, of several the last
            order = sorted(begin, key=lambda u: (len(cuts(self.n_segments, self.counts[u])), u))
            n_known = len(self.stations) - len(begin)
            drawn = order[: max(0, self.k - (end - first) - n_known)]
            for u in begin:
                if u in drawn:
                    yield first, u

    def all_drawn(self, bare=()):
        """The stations with masks of which every value is drawn."""
        drawn = set(self.steps(bare))
        return [u for u in self.stations if u not in bare
                and all((first, u) in drawn for first in cuts(self.n_segments, self.counts[u]))]

    def deal(self, draws, bare=()):
        """The mask that these draws determine: in each finest interval the values of a polynomial of degree
        below k that is zero at its segments and at the bare stations."""
        p, draws = self.polynomials, iter(draws)
        steps, mask = set(self.steps(bare)), {u: [] for u in self.stations}
        for first, end in self.finest():
            begin = [u for u in self.stations if first in cuts(self.n_segments, self.counts[u])]
            for u in begin:
                if u in bare or (first, u) in steps:
                    mask[u].append(0 if u in bare else next(draws))
            known = [u for u in self.stations if u not in begin or u in bare or (first, u) in steps]
            f = p.through([(c, 0) for c in range(first, end)] + [(self.point(u), mask[u][-1]) for u in known])
            assert len(f) <= self.k
            for u in begin:
                if u not in known:
                    mask[u].append(p.value(f, self.point(u)))
        return mask

    def is_mask(self, sums):
        """True if the values decode to zero, whichever stations are used."""
        for c in range(self.n_segments):
            f = self.polynomials.through([(self.point(u), self.value_at(sums, u, c))
                                          for u in self.stations])
            if any(f[self.k:]) or self.polynomials.value(f, c):
                return False
        return True


def main():
    a = Aligned("prime:p=101", {1: [1, 2, 3, 5], 2: [1, 2, 3, 4, 5], 3: [2, 4, 5]}, 2, 0, 4)
    shares = {i: a.share(i, [10 * i + c for c in range(4)],
                         [[7 * i + 3 * b, 5 + i + b] for b in range(4)]) for i in a.clients}
    for i, values in shares.items():
        print("client", i, values)
    print("sums", a.add_up(shares))
    print("total", a.decode(a.add_up(shares), a.stations))


if __name__ == "__main__":
    main()
