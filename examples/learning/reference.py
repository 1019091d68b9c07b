"""The sum that hagg must find, computed with NumPy from the vectors of all clients, which nobody has in a
real network."""

import numpy as np


def integers(precision, vector):
    """The least and the greatest integer that each element may become. They differ only with stochastic
    rounding, which chooses one of two neighbours."""
    if precision.rounding == "sign":
        sign = np.where(vector >= 0, 1, -1)
        return sign, sign
    scaled = vector * precision.steps
    if precision.rounding == "nearest":
        nearest = np.rint(scaled)
        return nearest, nearest
    return np.floor(scaled), np.ceil(scaled)


def n_wrong(precision, mean, vectors):
    """The number of elements of the mean that are not a sum of such integers, divided by the number of
    vectors."""
    low, high = (sum(ends) for ends in zip(*(integers(precision, vector) for vector in vectors)))
    total = mean * len(vectors) * precision.steps
    found = np.rint(total)
    # the mean is a double, which has 2^-53 of its size as error, and no total exceeds 2^27
    return np.count_nonzero((found < low) | (found > high) | (abs(total - found) > 1e-6))
