"""The parts and symbols of the schemes of hagg, from FORMAT.md alone."""

import math
import re
from dataclasses import dataclass

from cbor_cursor import Reject

SCHEMES = ("ramp", "additive", "aligned", "staircase")
SYMBOLS = 65535
MISSING = re.compile(r"missing=(0|[1-9][0-9]{0,4})(\.[1-9][0-9]{0,4}){0,2}\Z")


@dataclass
class Dimensions:
    parts: int
    symbols: int
    supported: tuple  # numbers of holders, descending; the last is k
    ends: tuple  # for each of them the number of symbols that each of them sends

    def share_length(self, length):
        return math.ceil(length / self.parts) * self.symbols


def is_scheme(name):
    return name.partition(":")[0] in SCHEMES


def missing_of(parameters, where):
    """The numbers of missing holders of scheme staircase other than n - k."""
    if not parameters:
        return [0]
    if not MISSING.match(parameters) or parameters == "missing=0":
        raise Reject("scheme", where, f"{parameters} is no list of missing holders")
    missing = [int(number) for number in parameters.removeprefix("missing=").split(".")]
    if any(a >= b for a, b in zip(missing, missing[1:])):
        raise Reject("scheme", where, "missing holders do not ascend")
    return missing


def staircase(n, k, z, parameters, where="scheme"):
    missing = missing_of(parameters, where)
    if missing[-1] >= n - k:
        raise Reject("scheme", where, f"{missing[-1]} of {n} holders are missing, but {k} are needed")
    symbols = math.lcm(*(n - m - z for m in missing))
    if symbols * k > SYMBOLS:
        raise Reject("scheme", where, f"{symbols} symbols")
    supported = tuple(n - m for m in missing) + (k,)
    parts = (k - z) * symbols
    return Dimensions(parts, symbols, supported, tuple(parts // (h - z) for h in supported))


def dimensions(scheme, where):
    """Of a scheme in a header, whose name is that of one of hagg's schemes."""
    name, colon, parameters = scheme["name"].partition(":")
    n, k, z = scheme["n"], scheme["k"], scheme["z"]
    if name == "staircase":
        return staircase(n, k, z, parameters, where)
    if colon:
        raise Reject("scheme", where, f"{name} has no parameters")
    if name == "additive" and (k != n or z != n - 1):
        raise Reject("scheme", where, "additive sharing needs k = n and z = n - 1")
    return Dimensions(k - z, 1, (k,), (1,))
