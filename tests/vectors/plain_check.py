#!/usr/bin/python3
"""Checks reading and writing of raw numbers and text against NumPy and Python.

Usage: plain_check.py VECTOR-REWRITE
"""

import io
import random

import numpy

from outcome import Outcome
from rewrite import rewrite

TYPES = ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
COUNTS = (0, 1, 2, 1021, 5000)

chance = random.Random(2)


def sample(type, count):
    array = numpy.frombuffer(chance.randbytes(count * int(type[1])), "<" + type).copy()
    if type[0] == "f":  # text does not preserve the bits of a NaN
        array[~numpy.isfinite(array)] = numpy.inf
    elif count > 1:
        array[:2] = numpy.iinfo(type).min, numpy.iinfo(type).max
    return array


def saved(array):
    out = io.BytesIO()
    numpy.save(out, array)
    return out.getvalue()


def lines(array):
    """Returns the numbers as Python prints them."""
    return "".join(f"{x!r}\n" for x in array.tolist()).encode()


def check_raw(array, type, outcome):
    got = rewrite(array.tobytes(), type=type)
    outcome.check(got == (0, saved(array), ""), f"raw {type}", f"read: {got[2]}")
    got = rewrite(saved(array), "raw")
    outcome.check(got == (0, array.tobytes(), ""), f"raw {type}", f"written: {got[2]}")


def check_text(array, type, outcome):
    got = rewrite(lines(array), format="text", type=type)
    outcome.check(got == (0, saved(array), ""), f"text {type}", f"read: {got[2]}")
    out = io.BytesIO()
    numpy.savetxt(out, array, header="numbers", fmt="%.18e" if type[0] == "f" else "%d")
    got = rewrite(out.getvalue(), format="text", type=type)
    outcome.check(got == (0, saved(array), ""), f"text {type}", f"read from savetxt: {got[2]}")
    status, text, message = rewrite(saved(array), "text")
    kind = float if type[0] == "f" else int
    back = numpy.array([kind(line) for line in text.split()], "<" + type)
    outcome.check(status == 0 and back.tobytes() == array.tobytes(), f"text {type}", f"written: {message}")
    outcome.check(text.count(b"\n") == array.size, f"text {type}", "one number a line")
    if type[0] != "f":
        outcome.check(text == lines(array), f"text {type}", "integers are written otherwise")
    elif type == "f8":
        longer = sum(len(a) > len(b) + 3 for a, b in zip(text.split(), lines(array).split()))
        outcome.check(longer == 0, f"text {type}", f"{longer} numbers have more digits than they need")


def check_guesses(outcome):
    got = rewrite(b"# x\n1.5\n-2\n")
    outcome.check(got == (0, saved(numpy.array([1.5, -2])), ""), "text, guessed", got[2])
    got = rewrite(b"12\x01", type="u1")
    outcome.check(got == (0, saved(numpy.frombuffer(b"12\x01", "u1")), ""), "raw, guessed", got[2])
    for text in (b"12\n", b"-1.5e3\r\n+2\n"):
        got = rewrite(text, type="u1")
        outcome.check(got[0] == 2 and "looks like text" in got[2], "text, never taken for raw", got[2])
    got = rewrite(b"1\n2", format="raw")
    outcome.check(got[0] == 2, "raw without a type", got[2])
    got = rewrite(numpy.arange(5.0).tobytes())
    outcome.check(got == (3, b"", "standard input: is neither .npy nor text: raw numbers need a type, for instance --type f4"),
                  "raw, not guessed", got[2])
    got = rewrite(saved(numpy.arange(5.0)), type="f4")
    outcome.check(got[0] == 2, "another type than the file's", got[2])


def check_grammar(outcome):
    """Of short strings of these characters, we accept exactly those that Python accepts."""
    for _ in range(400):
        word = "".join(chance.choices("0159.eE+-", k=chance.randint(1, 6)))
        try:
            want = numpy.array([float(word)])
        except ValueError:
            want = None
        status, out, message = rewrite(word.encode())
        if want is None:
            outcome.check((status, message) == (3, "standard input: line 1: is not a number"), word, message)
        elif numpy.isinf(want[0]):
            outcome.check((status, message) == (3, "standard input: line 1: does not fit type f8"), word, message)
        else:
            outcome.check((status, out) == (0, saved(want)), word, message)


def main():
    outcome = Outcome()
    for type in TYPES:
        for count in COUNTS:
            array = sample(type, count)
            check_raw(array, type, outcome)
            check_text(array, type, outcome)
    check_guesses(outcome)
    check_grammar(outcome)
    outcome.finish()


if __name__ == "__main__":
    main()
