"""Fixed point in exact fractions: what a number may become, and what a sum may be off by."""

import math
from fractions import Fraction


def scaled(quant, value):
    """The value in units of the step."""
    return Fraction(value) / Fraction(quant.clip) * quant.largest


def slack(quant):
    """What a few roundings of doubles may move a scaled value by."""
    return Fraction(quant.largest, 2**51)


def is_allowed(quant, value, integer):
    """Whether the integer is one that the value may be rounded to."""
    exact = scaled(quant, value)
    if abs(integer) > quant.largest:
        return False
    if quant.rounding == "stochastic":
        return abs(integer - exact) < 1 + slack(quant)
    if abs(exact - math.floor(exact) - Fraction(1, 2)) > slack(quant):
        return integer == round(exact)
    return abs(integer - exact) <= Fraction(1, 2) + slack(quant)


def worst_error(quant, n_clients):
    """Of a sum, in the vector's own unit, if all arithmetic were exact."""
    each = Fraction(1, 2) if quant.rounding == "nearest" else 1
    return each * n_clients * Fraction(quant.clip) / quant.largest


def rounding_error(quant, n_clients):
    """What doubles may add to it."""
    return n_clients * Fraction(quant.clip) / 2**50
