"""What is learnt from shares and prefixes of scheme staircase, exactly: staircase_views.py BIN.

By linear algebra over the integers modulo 7, for sums over two clients and all forms with up to 5 holders: any z
holders learn nothing from whole shares. A receiver that gets prefixes for several numbers of holders in a row, and
colludes with z holders, learns a part of the total, in the end all of it, and nothing else; how much after an
incomplete attempt is known in advance. And by enumeration, with the real command, which shares all
vectors with all randomness, one combination in each column.

Controls that must learn more, and do: z + 1 holders, random vectors that are used twice, a second set of clients.
"""

import itertools
import os
import random
import sys
import tempfile

import numpy

from commands import Commands
from rank import rank_modulo
from report import Report
from staircase import Staircase, forms

P = 7
CLIENTS = 2
AT_ONCE = 3125  # columns of a run; it draws the symbols of so many one after the other


class Views:
    """Rows of observations: the parts of all clients, then the random vectors of all clients."""

    def __init__(self, form):
        self.s = s = Staircase(*form)
        powers = [[pow(u + 1, i, P) for i in range(s.n)] for u in range(s.n)]
        matrix = numpy.array(s.matrix(powers), dtype="i8").reshape(s.n, s.symbols, s.parts + s.randoms)
        self.of_parts, self.of_randoms = matrix[:, :, : s.parts], matrix[:, :, s.parts :]
        self.n_parts = CLIENTS * s.parts

    def rows(self, holder, symbols, factors):
        """Symbols of a holder, of the sum over all clients with these factors."""
        parts, randoms = self.of_parts[holder, symbols], self.of_randoms[holder, symbols]
        return numpy.hstack([f * parts for f in factors] + [f * randoms for f in factors])

    def whole(self, holders, factors=None):
        """Whole shares: those of each client unless factors are given."""
        each = [factors] if factors else numpy.eye(CLIENTS, dtype="i8").tolist()
        return [self.rows(u, slice(None), f) for u in holders for f in each]

    def sent(self, holders, first, end, factors=(1,) * CLIENTS):
        return [self.rows(u, slice(first, end), factors) for u in holders]

    def total(self):
        """The total itself, which a receiver may learn."""
        one = numpy.eye(self.s.parts, dtype="i8")
        return [numpy.hstack([one] * CLIENTS + [numpy.zeros((self.s.parts, CLIENTS * self.s.randoms), "i8")])]

    def learnt(self, views):
        """The number of independent facts about the vectors: combinations without random vectors."""
        rows = numpy.vstack(views) if views else numpy.zeros((0, self.n_parts + CLIENTS * self.s.randoms), "i8")
        return rank_modulo(rows, P) - rank_modulo(rows[:, self.n_parts :], P)

    def beyond(self, views):
        """Facts that do not follow from the total."""
        return self.learnt(views + self.total()) - self.s.parts


def attempts(views, rng):
    """All begin with the prefix for the largest number; then some are lost, twice or more. In each attempt a part of
    the holders arrives. Yields what the receiver has after each, and whether that is enough."""
    s, present, end, got, has = views.s, list(range(views.s.n)), 0, [], {}
    for h in s.supported:
        if h < len(present):
            present = sorted(rng.sample(present, h))
        for u in present:
            if rng.random() < 0.7 or h == s.k:
                got += views.sent([u], end, s.sent(h))
                has[u] = has.get(u, ()) + ((end, s.sent(h)),)
        end = s.sent(h)
        yield list(got), sum(sum(b - a for a, b in have) == end for have in has.values()) >= h


def check_form(report, form, rng):
    views = Views(form)
    s, everybody = views.s, range(views.s.n)
    for colluding in itertools.combinations(everybody, s.z):
        report.equal(views.learnt(views.whole(colluding)), 0, f"facts that holders {colluding} learn")
    colluding = sorted(rng.sample(everybody, s.z))
    others = [u for u in everybody if u not in colluding]
    known = views.whole(colluding)
    for j in range(len(others) + 1):
        h, e = s.supported[0], s.sent(s.supported[0])
        got = views.sent(others[:j], 0, e)
        report.equal(views.learnt(got), max(0, min(j, h) - s.z) * e, f"facts from {j} prefixes")
        report.equal(views.learnt(got + known), min(j, h - s.z) * e, f"facts from {j} prefixes and {colluding}")
        report.equal(views.beyond(got + known), 0, f"facts beyond the total from {j} prefixes and {colluding}")
    for got, is_enough in attempts(views, rng):
        facts = views.learnt(got + known)
        report.check(facts <= s.parts, "more facts than parts")
        report.check(not is_enough or facts == s.parts, "holders cannot decode")
        report.equal(views.beyond(got + known), 0, f"facts beyond the total, with {colluding}")
    # everything that can ever be sent contains every sequence of attempts
    everything = views.sent(everybody, 0, s.symbols) + known
    report.equal((views.learnt(everything), views.beyond(everything)), (s.parts, 0), "facts from everything")
    check_controls(report, views, known)


def check_controls(report, views, known):
    s = views.s
    report.check(views.learnt(views.whole(range(s.z + 1))) > 0, "control: z + 1 holders learn nothing")
    report.check(views.beyond(views.sent(range(s.n), 0, s.symbols) + views.whole(range(s.z + 1))) > 0,
                 "control: z + 1 holders and the receiver learn nothing about single vectors")
    # a second set of clients: prefixes of the sum of both, then whole shares of the first client alone
    e = s.sent(s.supported[0])
    second = views.sent(range(s.n), 0, e) + views.sent(range(s.n), 0, s.symbols, (1, 0)) + known
    report.equal(views.learnt(second), CLIENTS * s.parts, "control: facts from a second set of clients")
    incomplete = views.sent(range(s.z + 1), 0, e) + views.sent(range(s.n), 0, s.symbols, (1, 0))
    report.check(views.learnt(incomplete) > s.parts, "control: an incomplete attempt and a second set of clients")
    # the second client uses the random vectors of the first: holders see the difference of the vectors
    if s.z:
        rows = numpy.vstack(views.whole([0]))
        randoms = rows[:, views.n_parts :].reshape(len(rows), CLIENTS, s.randoms).sum(axis=1)
        reused = numpy.hstack([rows[:, : views.n_parts], randoms])
        report.check(rank_modulo(reused, P) > rank_modulo(randoms, P), "control: random vectors used twice")


def enumerated(commands, report, n, k, z, p):
    """The shares of all vectors with all randomness, by the command: [vector, randomness, holder, symbol]."""
    s, made = Staircase(n, k, z), []
    combinations = numpy.array(list(itertools.product(range(p), repeat=s.parts + s.randoms)), dtype="u1")
    for at in range(0, len(combinations), AT_ONCE):
        parts, drawn = numpy.split(combinations[at : at + AT_ONCE].T, [s.parts])
        commands.write("vector", numpy.where(parts > p // 2, parts.astype("i2") - p, parts).astype("i1").tobytes())
        commands.write("source", drawn.tobytes())
        commands.run("share", "-n", n, "-k", k, "-z", z, "--field", f"prime:p={p}", "--scheme", s.name,
                     "--random-source", "source", "--type", "i1", "--format", "raw", "-o", "shares", "vector")
        shares = numpy.stack([r.elements.reshape(-1, s.symbols) for r in commands.records("shares")], axis=1)
        report.check((shares[:, :z].reshape(len(shares), -1) == drawn.T).all(), "the first shares are not those drawn")
        made.append(shares)
    return s, numpy.vstack(made).reshape(p**s.parts, p**s.randoms, n, s.symbols).astype("i8")


def code(values, p):
    """One number for the values in the last axis."""
    return values @ (p ** numpy.arange(values.shape[-1], dtype="i8"))


def distributions(shares, holders, p):
    """By vector: all views of these holders, sorted."""
    return numpy.sort(code(shares[:, :, list(holders)].reshape(shares.shape[0], shares.shape[1], -1), p), axis=1)


def check_enumeration(commands, report, n, k, z, p):
    s, shares = enumerated(commands, report, n, k, z, p)
    for size in (z, z + 1):
        for holders in itertools.combinations(range(n), size):
            views = distributions(shares, holders, p)
            same = bool((views == views[0]).all())
            report.equal(same, size == z, f"holders {holders} see the same whatever the vector is")
    if (n, k, z) == (3, 2, 1):
        check_two_clients(report, s, shares, p)


def check_two_clients(report, s, shares, p):
    """All pairs of vectors with all randomness: the receiver and holder 3 see the same for all pairs with the same
    total; with holder 2 as well, they do not."""
    vectors = numpy.array(list(itertools.product(range(p), repeat=s.parts)))
    seen = {(3,): {}, (2, 3): {}}
    for a, b in itertools.product(range(0, len(vectors), 3), range(len(vectors))):
        sums = (shares[a][:, None] + shares[b][None]) % p
        for colluding, by_total in seen.items():
            own = [x[:, u - 1].reshape(len(x), -1) for u in colluding for x in (shares[a], shares[b])]
            n_each = len(shares[a])
            own = [numpy.repeat(x, n_each, 0) if i % 2 == 0 else numpy.tile(x, (n_each, 1)) for i, x in enumerate(own)]
            # all send the first symbol, then holders 1 and 2 the second
            sent = [sums[:, :, :, 0].reshape(n_each**2, -1), sums[:, :, :2, 1].reshape(n_each**2, -1)]
            view = numpy.sort(code(numpy.hstack(own + sent), p))
            by_total.setdefault(tuple((vectors[a] + vectors[b]) % p), []).append(view)
    for colluding, by_total in seen.items():
        same = all((view == views[0]).all() for views in by_total.values() for view in views)
        report.equal(same, len(colluding) == 1, f"the receiver and holders {colluding} learn only the total")
    firsts = [views[0] for views in seen[(3,)].values()]
    report.equal(len({view.tobytes() for view in firsts}), len(vectors), "totals that the receiver tells apart")


def main(bin_dir):
    report, rng = Report(), random.Random(1)
    for form in forms(5):
        with report.part(str(form)):
            check_form(report, form, rng)
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for case in ((3, 2, 1, 5), (4, 2, 1, 5), (4, 3, 2, 5)):
        with tempfile.TemporaryDirectory(dir=scratch) as directory, report.part(f"enumeration of {case}"):
            check_enumeration(Commands(bin_dir, directory, report, remember=False), report, *case)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
