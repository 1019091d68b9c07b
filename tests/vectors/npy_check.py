#!/usr/bin/python3
"""Checks our .npy reader and writer against those of NumPy.

Usage: npy_check.py VECTOR-REWRITE FILES

FILES is a directory of files whose names tell whether they are good or bad; fuzzers use it as a corpus.
"""

import io
import itertools
import pathlib
import random
import sys
import tempfile

import numpy
from numpy.lib import format as npy

from outcome import Outcome
from rewrite import rewrite

TYPES = ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
SHAPES = ((), (1,), (7,), (5000,), (0,), (2, 3), (1, 9), (9, 1), (4, 0), (0, 4), (2, 3, 4, 5),
          (1,) * 32, (1,) * 13 + (99,), (1,) * 13 + (100,), (0, 10**12, 65536))
VERSIONS = ((1, 0), (2, 0), (3, 0))

chance = random.Random(1)


def sample(type, shape):
    """Random bits, which include NaN, infinity and the extreme integers."""
    count = 0 if 0 in shape else int(numpy.prod(shape, dtype=object))
    size = int(type[1])
    data = bytearray(chance.randbytes(count * size))
    for i in range(0, count, 5):
        data[i * size:(i + 1) * size] = chance.choice((b"\0", b"\xff")) * size
    return numpy.frombuffer(bytes(data), "<" + type).reshape(shape)


def saved(array, version=None):
    out = io.BytesIO()
    npy.write_array(out, array, version)
    return out.getvalue()


def with_header(text, data, version=1):
    """Returns a file whose header is exactly this text."""
    length = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes((version, 0)) + length + text.encode("latin1") + data


def check_types_and_shapes(outcome):
    versions = itertools.cycle(VERSIONS)  # 3 versions, coprime to the 20 files for each shape
    for shape, type, order in itertools.product(SHAPES, TYPES, "<>"):
        version = next(versions)
        array = sample(type, shape)
        name = f"{order}{type} {shape} {version}"
        given = saved(array.astype(order + type), version)
        outcome.check(rewrite(given) == (0, saved(array), ""), name, "read and written, it differs")
    for type, shape in zip(itertools.cycle(TYPES), SHAPES):
        array = sample(type, shape)
        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            numpy.save(file, array)
            file.flush()
            status, out, text = rewrite(None, file=file.name)
        outcome.check(status == 0 and not text, f"{type} {shape}", f"from a file: {text}")
        back = numpy.load(io.BytesIO(out))
        outcome.check(back.dtype == array.dtype and back.shape == array.shape
                      and back.tobytes() == array.tobytes(), f"{type} {shape}", "NumPy reads otherwise")


def check_conversions(outcome):
    for type in TYPES:
        array = sample(type, (3000,))
        with numpy.errstate(invalid="ignore"):
            want = array.astype("<f8")
        status, out, text = rewrite(saved(array), "double")
        outcome.check(status == 0 and numpy.array_equal(numpy.load(io.BytesIO(out)), want, equal_nan=True),
                      type, f"as doubles: {text}")
        got = rewrite(saved(array), "int")
        if type[0] == "f":
            outcome.check(got[::2] == (4, f"standard input: contains numbers of type {type}, but integers are needed"),
                          type, f"as integers: {got[2]}")
            continue
        if type == "u8":
            first = int(numpy.argmax(array > 2**63 - 1))
            outcome.check(got[::2] == (3, f"standard input: element {first} exceeds 2^63 - 1"),
                          type, f"as integers: {got[2]}")
            array = array >> numpy.uint64(1)
            got = rewrite(saved(array), "int")
        outcome.check(got == (0, saved(array.astype("<i8")), ""), type, f"as integers: {got[2]}")


def check_fortran(outcome):
    shapes = ((), (5,), (1, 5), (5, 1), (2, 2), (2, 1, 3), (1, 1, 1), (0, 3, 2), (3, 4, 5))
    for shape, order in itertools.product(shapes, "<>"):
        array = numpy.asfortranarray(sample("i4", shape).astype(order + "i4")).reshape(shape, order="A")
        header = {"descr": array.dtype.str, "fortran_order": True, "shape": shape}
        file = with_header(repr(header), array.tobytes("F"))
        outcome.check(numpy.array_equal(numpy.load(io.BytesIO(file)), array), f"fortran {shape}", "bad test")
        if sum(n > 1 for n in shape) > 1 and 0 not in shape:
            wanted = (3, b"", "standard input: is in Fortran order: convert it with np.ascontiguousarray and save it again")
        else:
            wanted = (0, saved(numpy.ascontiguousarray(array.astype("<i4")).reshape(shape)), "")
        outcome.check(rewrite(file) == wanted, f"fortran {shape}", "not as it should be")


def check_refused_types(outcome):
    arrays = {
        "booleans (|b1)": numpy.zeros(3, bool),
        "complex numbers (<c8)": numpy.zeros(3, "<c8"),
        "complex numbers (>c16)": numpy.zeros(3, ">c16"),
        "floating-point numbers of another width (<f2)": numpy.zeros(3, "<f2"),
        "floating-point numbers of another width (<f16)": numpy.zeros(3, "<f16"),
        "byte strings (|S4)": numpy.array([b"abcd"]),
        "strings (<U2)": numpy.array(["ab"]),
        "dates (<M8[s])": numpy.zeros(3, "<M8[s]"),
        "time differences (<m8[D])": numpy.zeros(3, "<m8[D]"),
        "records (|V4)": numpy.zeros(3, "V4"),
        "records (structured)": numpy.zeros(3, [("a", "<f4"), ("b", "<i2")]),
        "Python objects (|O)": numpy.array([None, 1]),
    }
    for kind, array in arrays.items():
        got = rewrite(saved(array))
        outcome.check(got == (3, b"", f"standard input: contains {kind}: convert with astype to "
                              "f4, f8, i1 to i8 or u1 to u8"), kind, got[2])


def numpy_reads(file):
    try:
        array = numpy.load(io.BytesIO(file))
    except Exception:  # any exception means that NumPy refuses the file
        return None
    return saved(array.astype(array.dtype.newbyteorder("<"), order="C"))


def check_spellings(outcome):
    """Keys in any order with any white space."""
    items = ("'descr': '<i2'", "'fortran_order': False", "'shape': (2, 3)")
    for order in itertools.permutations(items):
        for between, end in itertools.product((",", ", ", " ,\n\t"), ("", ",", " , ")):
            file = with_header("{" + between.join(order) + end + "}", bytes(range(12)))
            got = rewrite(file)
            outcome.check(got == (0, numpy_reads(file), ""), f"{order}{end}", got[2])


def check_mutations(outcome):
    """If we accept a header after random changes, NumPy accepts it too, as the same array."""
    text = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }  \n"
    pieces = list("{}()[]'\",:+-.#\\0123456789LTFiuf<>|=") + ["True", "False", "'shape'", "()"]
    pieces += [" ", "\n", "\t"] * len(pieces)
    taken = 0
    for _ in range(300):
        mutant = text
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(mutant))
            cut = chance.choice((0, 0, 1, 2))
            mutant = mutant[:at] + chance.choice(pieces + [""]) + mutant[at + cut:]
        file = with_header(mutant, bytes(range(12)), chance.choice((1, 2, 3)))
        status, out, message = rewrite(file)
        if status == 0:
            taken += 1
            outcome.check(out == numpy_reads(file), repr(mutant), "NumPy reads otherwise")
        else:
            outcome.check(status == 3 and message, repr(mutant), f"status {status}: {message}")
    outcome.check(taken > 20, "mutations", f"only {taken} were taken")


def check_damage(outcome):
    file = saved(numpy.arange(6, dtype="<i2").reshape(2, 3))
    for end in range(len(file)):
        status, out, message = rewrite(file[:end], format="npy")
        outcome.check(status == 3 and not out and "ends too early" in message, f"{end} bytes", message)
    got = rewrite(file + b"\0")
    outcome.check(got == (3, b"", "standard input: has bytes after its last element"), "one byte more", got[2])
    promise = with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,)}", b"")
    got = rewrite(promise)
    outcome.check(got == (3, b"", "standard input: ends too early: its header declares 1099511627776 "
                          "elements, but it has 0"), "promise", got[2])


def check_files(outcome):
    for path in sorted(pathlib.Path(sys.argv[2]).iterdir()):
        status, out, message = rewrite(None, file=str(path))
        if path.name.startswith("bad-"):
            outcome.check(status == 3 and not out and message.startswith(f"{path}: "), path.name, message)
        elif path.suffix == ".npy":
            outcome.check((status, out) == (0, numpy_reads(path.read_bytes())), path.name, message)
        else:
            want = saved(numpy.loadtxt(path, "<f8"))
            outcome.check((status, out) == (0, want), path.name, message)


def main():
    outcome = Outcome()
    check_files(outcome)
    check_types_and_shapes(outcome)
    check_conversions(outcome)
    check_fortran(outcome)
    check_refused_types(outcome)
    check_spellings(outcome)
    check_mutations(outcome)
    check_damage(outcome)
    outcome.finish()


if __name__ == "__main__":
    main()
