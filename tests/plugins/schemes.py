"""The matrices of the shipped schemes against independent arithmetic.

usage: schemes.py PLUGIN-DIRECTORY
"""

import math
import random
import sys

from arithmetic import Bytes, Prime
from plugin_abi import Field, Refused, Scheme, Tally
from staircase import Staircase, forms

FIELDS = [("m31", "", Prime(2**31 - 1)), ("m61", "", Prime(2**61 - 1)),
          ("goldilocks", "", Prime(2**64 - 2**32 + 1)), ("gf256", "", Bytes()),
          ("prime", "p=7", Prime(7)), ("prime", "p=251", Prime(251)),
          ("prime", "p=4611686018427387847", Prime(4611686018427387847))]

FORMS = [(n, k, z) for n in range(1, 8) for k in range(1, n + 1) for z in range(k)]
FORMS += [(13, 13, 3), (25, 20, 4), (100, 60, 30), (250, 2, 1)]


def refusal(call, *args):
    try:
        call(*args)
    except Refused as refused:
        return str(refused)
    raise AssertionError(f"{args} is accepted")


def expect(what, found, wanted):
    if found != wanted:
        raise AssertionError(f"{what}: {found}, not {wanted}")


def points_of(model, n, rng):
    """The first points, the last ones, and random ones: distinct and not zero."""
    yield list(range(1, n + 1))
    yield [model.order - 1 - u for u in range(n)]
    chosen = set()
    while len(chosen) < n:
        chosen.add(rng.randrange(1, model.order))
    yield rng.sample(sorted(chosen), n)


def value_at(model, coefficients, point):
    """The polynomial's value, lowest coefficient first, by Horner's rule."""
    total = 0
    for c in reversed(coefficients):
        total = model.add(model.mul(total, point), c)
    return total


def times(model, row, vector):
    total = 0
    for a, b in zip(row, vector):
        total = model.add(total, model.mul(a, b))
    return total


def check_ramp(directory, name, params, model):
    ramp, field, rng = Scheme(directory, "ramp"), Field(directory, name, params), random.Random(1)
    for n, k, z in FORMS:
        expect(f"shape of {n, k, z}", ramp.shape(n, k, z), (k - z, z, 1, 1))
        if n >= model.order:
            continue
        for points in points_of(model, n, rng):
            matrix = ramp.matrix(n, k, z, field, points)
            expect(f"rows of {n, k, z}", (len(matrix), {len(row) for row in matrix}), (n, {k}))
            secret = [rng.randrange(model.order) for _ in range(k)]
            for point, row in zip(points, matrix):
                power = 1
                for j, entry in enumerate(row):
                    expect(f"{point}^{j} of {n, k, z}", entry, power)
                    power = model.mul(power, point)
                expect(f"share at {point} of {n, k, z}", times(model, row, secret),
                       value_at(model, secret, point))


def check_ramp_points(directory, name, params, model):
    """Zero and equal points are refused with a reason that names the holders, counted from 1."""
    ramp, field = Scheme(directory, "ramp"), Field(directory, name, params)
    n = min(5, model.order - 1)
    for k in range(1, n + 1):
        for u in range(n):
            points = list(range(1, n + 1))
            points[u] = 0
            expect("reason", refusal(ramp.matrix, n, k, 0, field, points),
                   f"the point of holder {u + 1} of {n} is zero, which would disclose the first part")
            for v in range(u):
                points = list(range(1, n + 1))
                points[u] = points[v]
                expect("reason", refusal(ramp.matrix, n, k, k - 1, field, points),
                       f"holders {v + 1} and {u + 1} of {n} have the same point")


def check_ramp_too_many(directory):
    """With as many holders as elements there are no points left: 7 holders over 7 elements."""
    ramp, field = Scheme(directory, "ramp"), Field(directory, "prime", "p=7")
    for points in ([1, 2, 3, 4, 5, 6, 0], [1, 2, 3, 4, 5, 6, 6]):
        refusal(ramp.matrix, 7, 3, 1, field, points)


def check_additive(directory, name, params, model):
    additive, field = Scheme(directory, "additive"), Field(directory, name, params)
    rng = random.Random(2)
    for n in list(range(1, 9)) + [40, 300]:
        expect(f"shape of {n}", additive.shape(n, n, n - 1), (1, n - 1, 1, 0))
        matrix = additive.matrix(n, n, n - 1, field)
        one, minus_one = 1, model.sub(0, 1)
        wanted = [[int(c == u + 1) * one for c in range(n)] for u in range(n - 1)]
        wanted.append([one] + [minus_one] * (n - 1))
        expect(f"matrix of {n}", matrix, wanted)
        secret = [rng.randrange(model.order) for _ in range(n)]
        total = 0
        for row in matrix:
            total = model.add(total, times(model, row, secret))
        expect(f"sum of the shares of {n}", total, secret[0])


def check_additive_refusals(directory):
    additive = Scheme(directory, "additive")
    for n, k, z in FORMS:
        if (k, z) != (n, n - 1):
            expect(f"reason for {n, k, z}", refusal(additive.shape, n, k, z),
                   f"additive sharing among {n} needs k = {n} and z = {n - 1}, "
                   f"not k = {k} and z = {z}")


def powers_of(model, point, n):
    powers = [1]
    while len(powers) < n:
        powers.append(model.mul(powers[-1], point))
    return powers


def check_staircase(directory, name, params, model):
    """All forms with up to 7 holders over m31, up to 5 over other fields, and one of 17 symbols."""
    field, rng = Field(directory, name, params), random.Random(3)
    for n, k, z, missing in list(forms(7 if name == "m31" else 5, most=3)) + [(20, 6, 3, (0,))]:
        wanted = Staircase(n, k, z, missing)
        plugin = Scheme(directory, "staircase", wanted.name.partition(":")[2])
        form = f"{wanted.name} {n, k, z}"
        expect(f"shape of {form}", plugin.shape(n, k, z), (wanted.parts, wanted.randoms, wanted.symbols, 1))
        expect(f"prefixes of {form}", plugin.prefixes(n, k, z),
               [(h, wanted.sent(h)) for h in wanted.supported[:-1]])
        if n >= model.order:
            continue
        points = rng.choice(list(points_of(model, n, rng)))
        powers = [powers_of(model, point, n) for point in points]
        expect(f"matrix of {form}", plugin.matrix(n, k, z, field, points), wanted.matrix(powers))
        if missing == (0,):
            expect(f"matrix of {form} by default", Scheme(directory, "staircase").matrix(n, k, z, field, points),
                   wanted.matrix(powers))


def check_staircase_points(directory, name, params, model):
    """Zero and equal points are refused with a reason that names the holders, counted from 1."""
    field, n = Field(directory, name, params), min(5, model.order - 1)
    for plugin in (Scheme(directory, "staircase"), Scheme(directory, "staircase", "missing=1")):
        for u in range(n):
            points = list(range(1, n + 1))
            points[u] = 0
            expect("reason", refusal(plugin.matrix, n, 2, 0, field, points),
                   f"the point of holder {u + 1} of {n} is zero")
            for v in range(u):
                points[u] = points[v]
                expect("reason", refusal(plugin.matrix, n, 2, 1, field, points),
                       f"holders {v + 1} and {u + 1} of {n} have the same point")


def check_staircase_sizes(directory):
    """The known answer of n = 20, k = 6, z = 3, and where shares become too large."""
    plugin = Scheme(directory, "staircase", "")
    expect("shape", plugin.shape(20, 6, 3), (51, 51, 17, 1))
    expect("prefixes", plugin.prefixes(20, 6, 3), [(20, 3)])
    expect("twice the vector against 20/17", (6 * 17 / 51, 20 * 3 / 51), (2, 20 / 17))
    expect("largest shape", plugin.shape(65535, 1, 0), (65535, 0, 65535, 1))
    expect("reason", refusal(plugin.shape, 65535, 2, 0),
           "a share would have too many symbols: use fewer holders, or fewer numbers of missing ones")
    largest = Scheme(directory, "staircase", "missing=0.1.2")
    expect("three numbers", largest.shape(41, 1, 0)[2], math.lcm(41, 40, 39))
    refusal(largest.shape, 43, 1, 0)  # lcm(43, 42, 41) > 65535


def main(directory):
    tally = Tally()
    for name, params, model in FIELDS:
        label = f"{name}:{params}" if params else name
        for check in (check_ramp, check_ramp_points, check_additive, check_staircase, check_staircase_points):
            words = check.__name__.removeprefix("check_").replace("_", " ")
            tally.run(f"{words} over {label}", check, directory, name, params, model)
    tally.run("ramp with too many holders", check_ramp_too_many, directory)
    tally.run("additive refusals", check_additive_refusals, directory)
    tally.run("staircase sizes", check_staircase_sizes, directory)
    return tally.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
