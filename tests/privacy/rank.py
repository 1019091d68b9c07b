"""The number of independent linear forms over a prime field."""

import numpy


def rank_modulo(rows, p):
    """The rank over the integers modulo the prime p."""
    work, found = rows % p, 0
    for column in range(work.shape[1]):
        pivots = numpy.flatnonzero(work[found:, column])
        if len(pivots) == 0:
            continue
        work[[found, found + pivots[0]]] = work[[found + pivots[0], found]]
        work[found] = work[found] * pow(int(work[found, column]), p - 2, p) % p
        below = work[found + 1 :, column]
        work[found + 1 :] = (work[found + 1 :] - numpy.outer(below, work[found])) % p
        found += 1
        if found == len(work):
            break
    return found
