"""The fields again, slowly and independently: Python's integers, and carry-less products by hand."""

import numpy


class Prime:
    def __init__(self, p):
        self.order = self.characteristic = p
        self.sample_bits = p.bit_length()
        self.int_min, self.int_max = -((p - 1) // 2), p // 2

    def add(self, a, b):
        return (a + b) % self.order

    def sub(self, a, b):
        return (a - b) % self.order

    def mul(self, a, b):
        return a * b % self.order

    def power(self, a, exponent):
        return pow(a, exponent, self.order)

    def from_int(self, i):
        return i % self.order

    def to_int(self, a):
        return a if a <= self.int_max else a - self.order

    def product(self, matrix, rows, n):
        """The matrix times the rows of n elements."""
        if not matrix or not rows:
            return [[0] * n for _ in matrix]
        exact = numpy.array(matrix, dtype=object).dot(
            numpy.array(rows, dtype=object).reshape(len(rows), n))
        return [[int(x) % self.order for x in row] for row in exact]


class Bytes:
    """Polynomials over GF(2) modulo x^8 + x^4 + x^3 + x^2 + 1."""

    MODULUS = 0x11D
    order, characteristic, int_min, int_max, sample_bits = 256, 2, 0, 255, 8

    def __init__(self):
        self.table = numpy.array([[self.mul(a, b) for b in range(256)] for a in range(256)],
                                 dtype=numpy.uint8)

    def add(self, a, b):
        return a ^ b

    sub = add

    def mul(self, a, b):
        product = 0
        for i in range(8):
            if b >> i & 1:
                product ^= a << i
        for i in range(14, 7, -1):
            if product >> i & 1:
                product ^= self.MODULUS << (i - 8)
        return product

    def power(self, a, exponent):
        result = 1
        for _ in range(exponent):
            result = self.mul(result, a)
        return result

    def from_int(self, i):
        return i

    def to_int(self, a):
        return a

    def product(self, matrix, rows, n):
        result = []
        for coefficients in matrix:
            total = numpy.zeros(n, numpy.uint8)
            for c, row in zip(coefficients, rows):
                total ^= self.table[c][numpy.array(row, dtype=numpy.uint8)]
            result.append([int(x) for x in total])
        return result
