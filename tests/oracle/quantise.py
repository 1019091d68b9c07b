"""Fixed-point arithmetic in exact fractions: the allowed roundings of a number, and the error of a sum."""

import math
from fractions import Fraction


def scaled(quant, value):
    """Where the value is between the smallest and the largest integer."""
    return Fraction(value) / Fraction(quant.clip) * quant.half + quant.middle


def step(quant):
    """The distance of two numbers whose integers differ by 1."""
    return Fraction(quant.clip) / quant.half


def slack(quant):
    """How much the rounding of doubles may change a scaled value."""
    return Fraction(quant.largest, 2**51)


def is_allowed(quant, value, integer):
    """True if the value may be rounded to this integer."""
    exact = scaled(quant, value)
    if not quant.smallest <= integer <= quant.largest:
        return False
    if quant.rounding == "sign":
        return integer == (value >= 0)
    if quant.rounding == "stochastic":
        return abs(integer - exact) < 1 + slack(quant)
    if abs(exact - math.floor(exact) - Fraction(1, 2)) > slack(quant):
        return integer == round(exact)
    return abs(integer - exact) <= Fraction(1, 2) + slack(quant)


def worst_error(quant, n_clients):
    """The worst error of a sum, in the unit of the vector, if all arithmetic were exact."""
    each = 1 if quant.rounding == "stochastic" else Fraction(1, 2)
    return each * n_clients * step(quant)


def rounding_error(quant, n_clients):
    """The additional error due to doubles."""
    return n_clients * quant.largest * step(quant) / 2**50
