"""Fixed-point arithmetic in exact fractions: the allowed roundings of a number, and the error of a sum."""

import math
from fractions import Fraction


def scaled(quant, value):
    """The value in units of the step."""
    return Fraction(value) / Fraction(quant.clip) * quant.largest


def slack(quant):
    """How much the rounding of doubles may change a scaled value."""
    return Fraction(quant.largest, 2**51)


def is_allowed(quant, value, integer):
    """True if the value may be rounded to this integer."""
    exact = scaled(quant, value)
    if abs(integer) > quant.largest:
        return False
    if quant.rounding == "stochastic":
        return abs(integer - exact) < 1 + slack(quant)
    if abs(exact - math.floor(exact) - Fraction(1, 2)) > slack(quant):
        return integer == round(exact)
    return abs(integer - exact) <= Fraction(1, 2) + slack(quant)


def worst_error(quant, n_clients):
    """The worst error of a sum, in the unit of the vector, if all arithmetic were exact."""
    each = Fraction(1, 2) if quant.rounding == "nearest" else 1
    return each * n_clients * Fraction(quant.clip) / quant.largest


def rounding_error(quant, n_clients):
    """The additional error due to doubles."""
    return n_clients * Fraction(quant.clip) / 2**50
