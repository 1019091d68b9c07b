"""A slow implementation of the fields: Python integers modulo p, and bytes by tables of logarithms.

A vector is a NumPy array of the field's type; single elements are Python integers.
"""

import functools

import numpy

NAMED = {"m31": 2**31 - 1, "m61": 2**61 - 1, "goldilocks": 2**64 - 2**32 + 1}


class Prime:
    is_numeric = True

    def __init__(self, p):
        self.order = p
        self.int_max = (p - 1) // 2
        # below 2^31 a product plus an element fits in 64 bits
        self.dtype = numpy.dtype("u8") if p < 2**31 else numpy.dtype(object)

    def vector(self, elements):
        return numpy.asarray(elements).astype(self.dtype)

    def add(self, a, b):
        return (a + b) % self.order

    def sub(self, a, b):
        return (a + (self.order - b)) % self.order

    def scale(self, c, a):
        return a * self.dtype.type(c) % self.order if self.dtype != object else a * c % self.order

    def multiply(self, a, b):
        return a * b % self.order

    def subtract(self, a, b):
        return (a - b) % self.order

    def inverse(self, a):
        return pow(a, self.order - 2, self.order)

    def from_ints(self, integers):
        return self.vector([i % self.order for i in integers])

    def to_ints(self, vector):
        return [int(x) if x <= self.int_max else int(x) - self.order for x in vector]


class Bytes:
    """Polynomials over GF(2) modulo x^8 + x^4 + x^3 + x^2 + 1; x generates the multiplicative group."""

    is_numeric = False
    order, int_max, dtype = 256, 255, numpy.dtype("u1")

    def __init__(self):
        self.power, x = [], 1
        for _ in range(255):
            self.power.append(x)
            x = x << 1 ^ (0x11D if x & 0x80 else 0)
        self.log = {x: i for i, x in enumerate(self.power)}

    def vector(self, elements):
        return numpy.asarray(elements).astype(self.dtype)

    def add(self, a, b):
        return a ^ b

    sub = subtract = add

    def scale(self, c, a):
        return numpy.array([self.multiply(c, x) for x in range(256)], dtype="u1")[a]

    def multiply(self, a, b):
        return self.power[(self.log[a] + self.log[b]) % 255] if a and b else 0

    def inverse(self, a):
        return self.power[-self.log[a] % 255]

    def from_ints(self, integers):
        return self.vector(list(integers))

    def to_ints(self, vector):
        return [int(x) for x in vector]


@functools.cache
def field_of(spec):
    if spec == "gf256":
        return Bytes()
    if spec.startswith("prime:p="):
        return Prime(int(spec.removeprefix("prime:p=")))
    return Prime(NAMED[spec])
