"""The number of independent linear forms over a prime field, and where they are zero."""

import numpy


def eliminate(rows, p, reduced=False):
    """The rows in echelon form over the integers modulo the prime p, and the columns of their first ones. If
    reduced is true, these columns have no other elements."""
    work, columns = rows % p, []
    for column in range(work.shape[1]):
        at = len(columns)
        if at == len(work):
            break
        pivots = numpy.flatnonzero(work[at:, column])
        if len(pivots) == 0:
            continue
        work[[at, at + pivots[0]]] = work[[at + pivots[0], at]]
        work[at] = work[at] * pow(int(work[at, column]), p - 2, p) % p
        others = work[at + 1 :, column].copy()
        work[at + 1 :] = (work[at + 1 :] - numpy.outer(others, work[at])) % p
        if reduced:
            above = work[:at, column].copy()
            work[:at] = (work[:at] - numpy.outer(above, work[at])) % p
        columns.append(column)
    return work, columns


def rank_modulo(rows, p):
    """The rank over the integers modulo the prime p."""
    return len(eliminate(rows, p)[1])


def null_space(rows, p):
    """A basis of all x with rows x = 0, over the integers modulo the prime p."""
    work, columns = eliminate(rows, p, reduced=True)
    basis = []
    for column in sorted(set(range(work.shape[1])) - set(columns)):
        x = numpy.zeros(work.shape[1], dtype="i8")
        x[column] = 1
        x[columns] = -work[: len(columns), column] % p
        basis.append(x)
    return basis
