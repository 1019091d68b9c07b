"""The quantisers of hagg-topology(5) in NumPy and exact fractions, from FORMAT.md alone."""

from fractions import Fraction

import numpy as np

BATCH = 1024
WORD = 2**32


class Quantiser:
    """words are those of a quantize line, such as "levels=5 clip=2.0 rounding=stochastic"."""

    def __init__(self, words):
        parts = dict(word.partition("=")[::2] for word in words.split())
        self.words = words
        self.clip = float(parts["clip"])
        self.rounding = parts.get("rounding", "stochastic" if "ternary" in parts else "nearest")
        if "bits" in parts:
            self.high = 2 ** (int(parts["bits"]) - 1) - 1
            self.low = -self.high
        else:
            self.high = (3 if "ternary" in parts else 2 if "sign" in parts else int(parts["levels"])) - 1
            self.low = 0
        if "sign" in parts:
            self.rounding = "sign"
        self.half = Fraction(self.high - self.low, 2)
        self.middle = Fraction(self.high + self.low, 2)
        self.step = Fraction(self.clip) / self.half

    def scaled(self, values):
        values = np.asarray(values, "f8")
        with np.errstate(under="ignore"):
            scaled = values / self.clip * float(self.half) + float(self.middle)
        return np.clip(scaled, float(self.low), float(self.high))

    def integers(self, values, coins=b""):
        """As Python integers. coins are the random bytes, if there are enough of them."""
        values = np.asarray(values, "f8").reshape(-1)
        if self.rounding == "sign":
            return [int(value >= 0) for value in values]
        scaled = self.scaled(values)
        rounded = np.rint(scaled) if self.rounding == "nearest" else self.by_chance(scaled, Coins(coins))
        return [min(max(int(x), self.low), self.high) for x in rounded]

    @staticmethod
    def by_chance(scaled, coins):
        low = np.floor(scaled)
        up = []
        for at in range(0, len(scaled), BATCH):
            fractions = [Fraction(float(x)) for x in (scaled - low)[at : at + BATCH]]
            rests = [p * WORD - coin for p, coin in zip(fractions, coins.words(len(fractions)))]
            for rest in rests:
                while 0 < rest < 1:
                    rest = rest * WORD - coins.words(1)[0]
                up.append(rest > 0)
        return low + np.array(up, "f8")

    def number(self, total, n_clients=1):
        """The exact number that a sum of integers represents."""
        return (total - n_clients * self.middle) * self.step


class Coins:
    def __init__(self, data):
        self.data, self.at = data, 0

    def words(self, n):
        found = np.frombuffer(self.data, "<u4", n, self.at)
        self.at += 4 * n
        return [int(x) for x in found]
