"""Compares the integers that hagg-share makes with those of quantiser.py, from the same random bytes.

Usage: quantise_check.py FOLDER-OF-HAGG-FORMAT
"""

import pathlib
import subprocess
import sys

import numpy as np
from quantiser import WORD, Quantiser

sys.path.insert(0, sys.argv[1])
import hagg_format  # noqa: E402

M31, M61 = 2**31 - 1, 2**61 - 1
LEVELS = (2, 3, 4, 5, 255, 256, 65537, 2**31 - 1, 2**50, 2**50 + 1, 2**50 + 2, 2**53 - 1, 2**53)
BITS = (2, 3, 16, 31, 51, 52, 53, 61)
CLIPS = ("1.0", "0.1", "1e-200", "1e200")
ELEMENTS = 2500  # more than two batches


def quantisers():
    for clip in CLIPS:
        for rounding in ("nearest", "stochastic"):
            yield from (f"levels={n} clip={clip} rounding={rounding}" for n in LEVELS)
            yield from (f"bits={n} clip={clip} rounding={rounding}" for n in BITS)
            yield f"ternary clip={clip} rounding={rounding}"
        yield f"ternary clip={clip}"
        yield f"sign clip={clip}"


def values(quantiser, rng, dtype):
    """Ends, zeros, the smallest numbers, numbers at and next to all kinds of ties, and random ones."""
    clip = quantiser.clip
    grid = (np.arange(-40, 41) / 40).clip(-1, 1)
    some = np.concatenate([[clip, -clip, 0.0, -0.0, 5e-324, -5e-324, np.nextafter(clip, 0), -np.nextafter(clip, 0),
                            clip / 2, -clip / 2], grid * clip])
    some = np.concatenate([some, clip * rng.uniform(-1, 1, ELEMENTS - len(some))])
    if quantiser.rounding == "sign":
        some[-100:] *= min(1e30, 1e308 / clip)
    with np.errstate(over="ignore", under="ignore"):
        some = some.astype(dtype)
    far = np.inf if quantiser.rounding == "sign" else clip
    return np.where(np.isfinite(some) & (np.abs(some.astype("f8")) <= far), some, dtype(0))


def coins_for(quantiser, floats, rng):
    """Random words, many of which leave it open whether the value is rounded up."""
    words = rng.integers(0, WORD, 4 * ELEMENTS, dtype="u8")
    if quantiser.rounding != "stochastic":
        return words.astype("<u4").tobytes()
    scaled = quantiser.scaled(floats)
    tied = np.floor((scaled - np.floor(scaled)) * WORD)
    extra = 0
    for at in range(0, len(scaled), 1024):
        for i in range(at, min(at + 1024, len(scaled)), 3):
            words[i + extra] = tied[i]
        fractions = (scaled - np.floor(scaled))[at : at + 1024] * WORD
        now = words[at + extra : at + extra + len(fractions)]
        extra += int(np.sum((fractions > now) & (fractions < now + 1)))
    return words.astype("<u4").tobytes()


def shared(words, floats, coins, form):
    pathlib.Path("coins").write_bytes(coins)
    if form == "npy":
        np.save("v.npy", floats)
    elif form == "raw":
        pathlib.Path("v.npy").write_bytes(floats.tobytes())
    else:
        pathlib.Path("v.npy").write_text("".join(f"{float(x)!r}\n" for x in floats))
    field = "m61" if Quantiser(words).high - Quantiser(words).low >= M31 else "m31"
    options = ["--format", form] + (["--type", floats.dtype.str[1:]] if form != "npy" else [])
    out = subprocess.run(["hagg-share", "-n", "1", "-k", "1", "-z", "0", "--client", "1", "--field", field, "--quantize",
                          words.replace(" ", ","), "--random-source", "coins", *options, "v.npy"],
                         capture_output=True, check=True).stdout  # fmt: skip
    record, = hagg_format.read_stream(out)
    order = M31 if field == "m31" else M61
    elements = [int(x) for x in record.elements]
    return [x if Quantiser(words).low == 0 or x <= order // 2 else x - order for x in elements]


def main():
    rng = np.random.default_rng(17)
    n_drawn_on = n_controls = 0
    for n, words in enumerate(quantisers()):
        quantiser = Quantiser(words)
        dtype = (np.float32, np.float64)[n % 2]
        floats = values(quantiser, rng, dtype)
        coins = coins_for(quantiser, floats, rng)
        form = ("npy", "raw", "text")[n % 3]
        got = shared(words, floats, coins, form)
        want = quantiser.integers(floats, coins)
        assert got == want, (words, dtype, form, [(i, floats[i], g, w) for i, (g, w) in enumerate(zip(got, want))
                                                  if g != w][:5])
        assert min(got) >= quantiser.low and max(got) <= quantiser.high
        if quantiser.rounding == "stochastic":
            # a control: with other coins the integers differ
            scaled = quantiser.scaled(floats)
            exact = (scaled - np.floor(scaled)) * WORD
            if np.sum(exact > 0) > 100:
                assert shared(words, floats, coins[1:] + b"\0", form) != got, words
                n_controls += 1
            n_drawn_on += int(np.sum((exact != np.floor(exact))[::3]))
    assert n_drawn_on > 10000 and n_controls > 40, (n_drawn_on, n_controls)


main()
