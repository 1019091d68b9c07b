"""Every function of every shipped field against independent arithmetic.

usage: fields.py PLUGIN-DIRECTORY [ISA...]

Random and extreme elements, all lengths 0 .. 67, unaligned vectors, every instruction set
or those named.
"""

import ctypes
import functools
import random
import sys

import numpy

from arithmetic import Bytes, Prime
from plugin_abi import ISAS, Buffer, Field, Refused, Tally

M31, M61, GOLDILOCKS = 2**31 - 1, 2**61 - 1, 2**64 - 2**32 + 1

# Small and large primes of every element size, at both ends of each.
PRIMES = [2, 3, 5, 7, 251, 257, 509, 521, 32749, 32771, 65521, 65537, 1000003, 67108859, 2147483629, 2147483659,
          4294967291, 4294967311, 1000000000039, 2305843009213693921, 2305843009213693967,
          4611686018427387847]

FIELDS = [("m31", "", Prime(M31), 4), ("m61", "", Prime(M61), 8),
          ("goldilocks", "", Prime(GOLDILOCKS), 8), ("gf256", "", Bytes(), 1)]
FIELDS += [("prime", f"p={p}", Prime(p), None) for p in PRIMES]

LENGTHS = range(68)
LONG = (1000, 4099)


@functools.cache
def extremes(model):
    q = model.order
    chosen = {0, 1, 2, q - 1, q - 2, q // 2, q // 2 - 1, q // 2 + 1}
    chosen |= {2**i for i in range(64)} | {2**i - 1 for i in range(64)} | {q - 2**i for i in range(64)}
    return sorted(x for x in chosen if 0 <= x < q)


def elements(model, rng, n):
    """Half of them extreme."""
    chosen = extremes(model)
    return [rng.choice(chosen) if rng.random() < 0.5 else rng.randrange(model.order)
            for _ in range(n)]


def expect(what, found, wanted):
    if found == wanted:
        return
    for i, (f, w) in enumerate(zip(found, wanted)):
        if f != w:
            raise AssertionError(f"{what}: element {i} is {f}, not {w}")
    raise AssertionError(f"{what}: {len(found)} elements, not {len(wanted)}")


def expect_intact(what, *buffers):
    for buffer in buffers:
        if not buffer.intact():
            raise AssertionError(f"{what}: wrote outside its elements")


def check_info(field, model, elem_size):
    info = field.info
    found = (info.order, info.characteristic, info.int_min, info.int_max)
    wanted = (model.order, model.characteristic, model.int_min, model.int_max)
    if found != wanted:
        raise AssertionError(f"order, characteristic, int_min, int_max are {found}, not {wanted}")
    if elem_size not in (None, info.elem_size) or model.order - 1 >> 8 * info.elem_size:
        raise AssertionError(f"elem_size is {info.elem_size}")


def each_length(rng):
    """(n, three offsets), where an offset is the distance from an aligned address."""
    for n in LENGTHS:
        for offsets in ((0, 0, 0), (rng.randrange(1, 16), rng.randrange(16), rng.randrange(16))):
            yield n, offsets
    for n in LONG:
        yield n, (1, 2, 3)


def check_sums(field, model, rng, name):
    call, reference = getattr(field.plugin, name), getattr(model, name)
    for n, offsets in each_length(rng):
        a, b = elements(model, rng, n), elements(model, rng, n)
        wanted = [reference(x, y) for x, y in zip(a, b)]
        x, y = field.vector(a, offsets[0]), field.vector(b, offsets[1])
        out = field.empty(n, offsets[2])
        call(field.ctx, out.pointer, x.pointer, y.pointer, n)
        expect(f"{n} elements", out.values(), wanted)
        expect_intact(f"{n} elements", out, x, y)
        call(field.ctx, x.pointer, x.pointer, y.pointer, n)
        expect(f"{n} elements, out == a", x.values(), wanted)
        x = field.vector(a, offsets[0])
        call(field.ctx, y.pointer, x.pointer, y.pointer, n)
        expect(f"{n} elements, out == b", y.values(), wanted)
        call(field.ctx, x.pointer, x.pointer, x.pointer, n)
        expect(f"{n} elements, out == a == b", x.values(), [reference(v, v) for v in a])


def check_every_pair(field, model, name):
    """Extreme with extreme, so that no carry is left out."""
    chosen = extremes(model)
    for a in chosen:
        x, y = field.vector([a] * len(chosen)), field.vector(chosen)
        out = field.vector(chosen)
        if name == "scale_add":
            wanted = [model.add(o, model.mul(a, o)) for o in chosen]
            field.plugin.scale_add(field.ctx, out.pointer, x.pointer, y.pointer, len(chosen))
        else:
            wanted = [getattr(model, name)(a, o) for o in chosen]
            getattr(field.plugin, name)(field.ctx, out.pointer, x.pointer, y.pointer, len(chosen))
        expect(f"{a} with extremes", out.values(), wanted)


def check_scale_add(field, model, rng):
    for n, offsets in each_length(rng):
        a, out, (c,) = elements(model, rng, n), elements(model, rng, n), elements(model, rng, 1)
        x, o, factor = field.vector(a, offsets[0]), field.vector(out, offsets[1]), \
            field.vector([c], offsets[2])
        field.plugin.scale_add(field.ctx, o.pointer, factor.pointer, x.pointer, n)
        expect(f"{n} elements times {c}", o.values(),
               [model.add(u, model.mul(c, v)) for u, v in zip(out, a)])
        expect_intact(f"{n} elements times {c}", o, x, factor)
        field.plugin.scale_add(field.ctx, x.pointer, factor.pointer, x.pointer, n)
        expect(f"{n} elements times {c}, out == a", x.values(),
               [model.add(v, model.mul(c, v)) for v in a])


def check_inv(field, model, rng):
    chosen = range(model.order) if model.order <= 65536 else \
        extremes(model) + elements(model, rng, 300)
    if model.order <= 65536 and model.order > 2000:
        chosen = extremes(model) + rng.sample(chosen, 2000)
    for a in chosen:
        x, out = field.vector([a], 1), field.vector([1], 1)
        status = field.plugin.inv(field.ctx, out.pointer, x.pointer)
        if a == 0:
            if (status, out.values()) != (-1, [1]):
                raise AssertionError("0 is not refused, or something is written")
        elif status != 0 or out.values() != [model.power(a, model.order - 2)]:
            raise AssertionError(f"1 / {a} is {out.values()[0]}")


def wrong_words(field, model):
    return [w for w in (model.order, model.order + 1, 2**(8 * field.elem_size) - 1,
                        2**(8 * field.elem_size - 1))
            if model.order <= w < 2**(8 * field.elem_size)]


def check_add_checked(field, model, rng):
    words = wrong_words(field, model)
    for n, offsets in each_length(rng):
        a, b = elements(model, rng, n), elements(model, rng, n)
        wanted = [model.add(x, y) for x, y in zip(a, b)]
        x, y = field.vector(a, offsets[0]), field.vector(b, offsets[1])
        out = field.empty(n, offsets[2])
        for to in (out, x):
            found = field.plugin.add_checked(field.ctx, to.pointer, x.pointer, y.pointer, n)
            if found != n:
                raise AssertionError(f"{n} canonical elements: {found}")
            expect(f"{n} elements", to.values(), wanted)
        expect_intact(f"{n} elements", out, x, y)
        expect(f"{n} elements, b", y.values(), b)
        x = field.vector(a, offsets[0])
        for word in words:
            for index in range(n) if n <= 67 else (0, n // 2, n - 1):
                y.elements[index] = word
                found = field.plugin.add_checked(field.ctx, out.pointer, x.pointer, y.pointer, n)
                if found != index:
                    raise AssertionError(f"{word} at {index} of {n}: {found}")
                y.elements[index] = b[index]
        expect_intact(f"{n} elements with faults", out, x, y)


def check_check(field, model, rng):
    words = wrong_words(field, model)
    for n, offsets in each_length(rng):
        good = elements(model, rng, n)
        packed = field.vector(good, offsets[0])
        found = field.plugin.check(field.ctx, packed.pointer, n)
        if found != n:
            raise AssertionError(f"{n} canonical elements: {found}")
        bad = field.vector(good, offsets[1])
        for word in words:
            for index in range(n) if n <= 67 else (0, n // 2, n - 1):
                later = rng.randrange(index, n)
                bad.elements[later] = rng.choice(words)
                bad.elements[index] = word
                found = field.plugin.check(field.ctx, bad.pointer, n)
                if found != index:
                    raise AssertionError(f"{word} at {index} of {n}: {found}")
                bad.elements[later], bad.elements[index] = good[later], good[index]


def expected_sample(model, words, n):
    """A word cut to the field's bits, rejected when it is still no element."""
    mask, made, used = 2**model.sample_bits - 1, [], 0
    for word in words:
        if len(made) == n:
            break
        used += 1
        if word & mask < model.order:
            made.append(word & mask)
    return made, used


def check_sample(field, model, rng):
    size = field.elem_size
    top = 2**(8 * size) - 1
    edges = [model.order - 1, model.order, model.order + 1, top, top - 1, top // 2, 0]
    edges = [w for w in edges if w <= top]
    for n, offsets in each_length(rng):
        for n_words in {0, n // 2, n, n + 1, 2 * n + 5}:
            words = [rng.choice(edges) if rng.random() < 0.3 else rng.randrange(top + 1)
                     for _ in range(n_words)]
            rest = rng.randrange(size)
            stream = Buffer(max(n_words * size + rest, n * size), 1, offsets[0])
            stream.bytes[:n_words * size] = numpy.array(words, dtype=f"<u{size}").view(numpy.uint8)
            wanted, wanted_used = expected_sample(model, words, n)
            out, used = field.empty(n, offsets[1]), ctypes.c_size_t(99)
            for place in (out.pointer, stream.pointer):
                made = field.plugin.sample(field.ctx, place, n, stream.pointer,
                                           n_words * size + rest, ctypes.byref(used))
                what = f"{n} from {n_words} words{' in place' if place == stream.pointer else ''}"
                if (made, used.value) != (len(wanted), wanted_used * size):
                    raise AssertionError(f"{what}: {made} elements, {used.value} bytes used, not "
                                         f"{len(wanted)} and {wanted_used * size}")
                source = out.bytes if place == out.pointer else stream.bytes
                expect(what, [int(x) for x in source[:made * size].view(f"<u{size}")], wanted)
                expect_intact(what, out, stream)


def check_integers(field, model, rng):
    low, high = model.int_min, model.int_max
    special = sorted({i for i in (low, low + 1, -2, -1, 0, 1, 2, high - 1, high) if low <= i <= high})
    outside = [i for i in (low - 1, high + 1, -2**63, 2**63 - 1)
               if not low <= i <= high and -2**63 <= i < 2**63]
    for n, offsets in each_length(rng):
        ints = [rng.choice(special) if rng.random() < 0.5 else rng.randint(low, high)
                for _ in range(n)]
        source, out = numpy.array(ints, dtype=numpy.int64), field.empty(n, offsets[0])
        if field.plugin.from_int(field.ctx, out.pointer, source.ctypes.data, n) != n:
            raise AssertionError(f"from_int refuses one of {n} integers in its range")
        expect(f"from_int of {n}", out.values(), [model.from_int(i) for i in ints])
        expect_intact(f"from_int of {n}", out)
        back = numpy.full(n + 1, 77, numpy.int64)
        field.plugin.to_int(field.ctx, back.ctypes.data, out.pointer, n)
        expect(f"to_int of {n}", [int(i) for i in back], ints + [77])
        for wrong in outside:
            for index in {0, n // 2, n - 1} if n else ():
                bad = source.copy()
                bad[index] = wrong
                found = field.plugin.from_int(field.ctx, out.pointer, bad.ctypes.data, n)
                if found != index:
                    raise AssertionError(f"from_int of {wrong} at {index} of {n}: {found}")
    chosen = extremes(model)
    back, packed = numpy.zeros(len(chosen), numpy.int64), field.vector(chosen, 1)
    field.plugin.to_int(field.ctx, back.ctypes.data, packed.pointer, len(chosen))
    expect("to_int of extremes", [int(i) for i in back], [model.to_int(a) for a in chosen])


def pointers(buffers):
    return (ctypes.c_void_p * max(1, len(buffers)))(*[b.pointer for b in buffers])


def apply(field, model, rng, n_out, n_in, n, largest=False):
    if not field.plugin.mat_apply:
        raise AssertionError("a shipped field has mat_apply")
    make = (lambda count: [model.order - 1] * count) if largest else \
        (lambda count: elements(model, rng, count))
    matrix, rows = [make(n_in) for _ in range(n_out)], [make(n) for _ in range(n_in)]
    packed = field.vector([x for row in matrix for x in row], rng.randrange(16))
    ins = [field.vector(row, rng.randrange(16)) for row in rows]
    outs = [field.empty(n, rng.randrange(16)) for _ in range(n_out)]
    field.plugin.mat_apply(field.ctx, pointers(outs), n_out, pointers(ins), n_in, packed.pointer, n)
    wanted = model.product(matrix, rows, n)
    for r, out in enumerate(outs):
        expect(f"{n_out} x {n_in} matrix, {n} elements, row {r}", out.values(), wanted[r])
    expect_intact(f"{n_out} x {n_in} matrix, {n} elements", packed, *ins, *outs)


def check_mat_apply(field, model, rng):
    for n in LENGTHS:
        apply(field, model, rng, 13, 13, n)
        apply(field, model, rng, 5, 3, n)
        apply(field, model, rng, rng.randrange(12), rng.randrange(40), n)
    for n_out, n_in, n in ((0, 3, 5), (3, 0, 5), (1, 1, 4099), (3, 4, 20011), (13, 13, 2000),
                           (2, 300, 67), (70, 3, 67), (13, 257, 70), (26, 26, 129)):
        apply(field, model, rng, n_out, n_in, n)


def check_mat_apply_largest(field, model, rng):
    """What overflows an accumulator that is reduced too late."""
    for n_in in list(range(1, 41)) + [63, 64, 65, 100, 128, 255, 256, 257, 1000]:
        apply(field, model, rng, 7, n_in, 19, largest=True)


def narrow_primes():
    """All below 1100, and the last ones below 2^15 and 2^16 and the first ones above 2^15."""
    composite = bytearray(2**16)
    for i in range(2, 256):
        composite[i * i::i] = bytes([1]) * len(composite[i * i::i])
    primes = [i for i in range(2, 2**16) if not composite[i]]
    return [p for p in primes if p < 1100 or 2**15 - 100 < p < 2**15 + 100 or p > 2**16 - 150]


def check_narrow_sums(directory, p, isa):
    """Sums of one and two bytes at the bounds of mat16.h: every row has one entry and every column
    one element, those with the largest words and limbs."""
    field, root = Field(directory, "prime", f"p={p}", isa), pow(2, -16, p) if p > 2 else 1
    half = (p - 1) // 2
    words = {0, 1, half, half - 1, -half, 127, 128, -128, -129, 255 - half % 256}
    words |= {w - w % 256 + low for w in (half, -half) for low in (127, 128, -128)}
    entries = sorted({w * root % p for w in words if abs(w) <= half})
    inputs = sorted({x for x in (0, 1, p // 2, 2**15 - 1, 2**15, p - 2**15, p - 1) if 0 <= x < p})
    ins, outs = field.vector(inputs), [field.empty(len(inputs)) for _ in entries]
    for n_in in (127, 128, 129, 257):
        packed = field.vector([e for e in entries for _ in range(n_in)])
        field.plugin.mat_apply(field.ctx, pointers(outs), len(outs), pointers([ins] * n_in), n_in,
                               packed.pointer, len(inputs))
        for entry, out in zip(entries, outs):
            expect(f"p={p}: {n_in} times {entry}", out.values(),
                   [n_in * entry * x % p for x in inputs])


def check_narrow_bound():
    """The control: two more terms than the 128 of a sum would overflow for p = 509."""
    largest = 508 * 254
    if not 128 * largest < 509 * 2**15 < 130 * largest:
        raise AssertionError("the elements of check_narrow_sums do not reach the bound")


def check_all_narrow_sums(directory, isa):
    for p in narrow_primes():
        check_narrow_sums(directory, p, isa)


def check_refused(directory, params):
    try:
        Field(directory, "prime", params)
    except Refused as refusal:
        if not str(refusal):
            raise AssertionError(f"prime:{params} is refused without a reason") from None
    else:
        raise AssertionError(f"prime:{params} is accepted")


def check_field(tally, directory, name, params, model, elem_size, isa):
    label = f"{name}{':' + params if params else ''} {isa}"
    field = Field(directory, name, params, isa)
    for check, *args in ((check_info, elem_size),
                         (check_sums, random.Random(1), "add"),
                         (check_sums, random.Random(2), "sub"),
                         (check_every_pair, "add"),
                         (check_every_pair, "sub"),
                         (check_every_pair, "scale_add"),
                         (check_scale_add, random.Random(3)),
                         (check_inv, random.Random(4)),
                         (check_check, random.Random(5)),
                         (check_add_checked, random.Random(10)),
                         (check_sample, random.Random(6)),
                         (check_integers, random.Random(7)),
                         (check_mat_apply, random.Random(8)),
                         (check_mat_apply_largest, random.Random(9))):
        words = [check.__name__.removeprefix("check_")] + [a for a in args if isinstance(a, str)]
        tally.run(f"{label} {' '.join(words)}", check, field, model, *args)


def main(directory, isas):
    tally = Tally()
    for isa in isas:
        for name, params, model, elem_size in FIELDS:
            tally.run(f"{name} {params} {isa}", check_field, tally, directory, name, params, model,
                      elem_size, isa)
        tally.run("narrow bound", check_narrow_bound)
        tally.run(f"narrow sums {isa}", check_all_narrow_sums, directory, isa)
    # No prime, no number, or not its one spelling. 2^62 + 135 is prime but too large, and
    # 3825123056546413051 is a product that passes for a prime to the bases 2 .. 23.
    for value in ("", "0", "1", "4", "9", "561", "65536", "1000001", str(2**62), str(2**62 + 135),
                  str(2**64 + 13), "-7", "+7", "07", " 7", "7 ", "0x7", "7.0", "p",
                  "3825123056546413051", "318665857834031151167461"):
        tally.run(f"prime:p={value}", check_refused, directory, f"p={value}")
    for params in ("", "q=7", "p=7,q=7", "p=7,p=7"):
        tally.run(f"prime:{params}", check_refused, directory, params)
    return tally.close()


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(ISAS):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:] or ISAS))
