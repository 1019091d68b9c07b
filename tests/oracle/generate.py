"""Random topologies and suitable vectors. The same seed gives the same ones."""

import math

import numpy

from fields import field_of
from sharing import fewest

PRIMES = (13, 251, 257, 65521, 65537, 1000003, 2147483647, 4294967291, 2**61 - 1, 2**62 - 57)
FIELDS = ("m31", "m61", "goldilocks", "gf256") + tuple(f"prime:p={p}" for p in PRIMES)
KINDS = ("sign", "bits", "levels", "ternary", "levels")  # of quantisers, in turn
INTEGER_TYPES = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")


def write_list(rng, numbers):
    """Writes the numbers in the given order, some ascending runs as ranges."""
    words, i = [], 0
    while i < len(numbers):
        end = i + 1
        while end < len(numbers) and numbers[end] == numbers[end - 1] + 1:
            end += 1
        if end - i > 1 and rng.random() < 0.7:
            words.append(f"{numbers[i]}-{numbers[end - 1]}")
        else:
            words += map(str, numbers[i:end])
        i = end
    return " ".join(words)


class Case:
    """The text of a topology, and the vector and sample count of each client."""

    collusion, most_colluding, drop_relays = "partial", 2, 0

    def __init__(self, rng, index, long=None):
        self.rng, self.kind = rng, KINDS[index % len(KINDS)]
        self.n_clients = rng.randint(2, 12) if not long else rng.randint(2, 3)
        self.n_stations = rng.randint(2, 9) if not long else rng.randint(3, 4)
        # the first cases use each field once, so that none depends on chance
        self.spec = long or (FIELDS[index] if index < len(FIELDS) else rng.choice(FIELDS))
        self.field = field_of(self.spec)
        if self.field.is_numeric:
            self.n_clients = min(self.n_clients, self.field.int_max)
            self.max_int = self.field.int_max // self.n_clients
        else:
            self.max_int = 255
        self.numbers = sorted(rng.sample(range(1, rng.choice((20, 1000, 2**32))), self.n_clients))
        self.has_samples = self.field.is_numeric and rng.random() < 0.4
        self.type = self.choose_type()
        self.choose_sharing(long)
        self.choose_minimum()
        self.quant = self.choose_quant()
        self.shape = (rng.randint(135000, 140000),) if long == "m31" else \
            (rng.randint(1050000, 1060000),) if long == "gf256" else self.choose_shape()
        self.length = math.prod(self.shape)
        self.round = rng.choice((0, 1, 77, 2**53 - 1))
        self.text = self.write_topology()
        self.vectors = {i: self.choose_vector() for i in self.numbers}
        self.samples = {i: rng.randint(0, min(self.max_int, 1000)) for i in self.numbers}

    def choose_type(self):
        if not self.field.is_numeric:
            return self.rng.choice(("u1", "u1", "i2", "u8"))
        return self.rng.choice(INTEGER_TYPES + ("f4", "f8") * 4)

    def choose_sharing(self, long):
        self.scheme = "ramp" if long else self.rng.choice(("ramp", "ramp", "ramp", "additive"))
        self.drop = 0 if self.scheme == "additive" else self.rng.randint(0, min(2, (self.n_stations - 1) // 2))
        self.z = self.rng.randint(0, min(4, self.n_stations - 1 - 2 * self.drop))
        if long:
            self.drop, self.z = 0, self.n_stations - 2

    def choose_minimum(self):
        """At most the number of clients, also after as many as allowed have dropped out."""
        self.colluding_clients = self.rng.randint(0, min(self.most_colluding, self.n_clients - 2))
        self.minimum = self.rng.randint(2, self.n_clients) if self.rng.random() < 0.3 else None
        spare = self.n_clients - (self.minimum or self.colluding_clients + 2)
        self.drop_clients = self.rng.randint(0, spare)

    def choose_quant(self):
        if self.type[0] != "f" and self.rng.random() < 0.8 or not self.field.is_numeric:
            return None
        most = min(self.max_int.bit_length() + 1, 60)
        while 2 ** (most - 1) - 1 > self.max_int:
            most -= 1
        self.most_bits = min(most, 53)
        if self.kind != "bits":
            return self.choose_levels(self.kind)
        bits = self.rng.choice((most, self.rng.randint(2, most)))
        # with a step of 1, halves are between two integers
        clip = self.rng.choice((1.0, 0.1, 3.5, 1000.0, 2.0**-20, float(2 ** (bits - 1) - 1)))
        kind = "max" if bits == self.most_bits and self.n_clients % 2 else bits
        return f"bits={kind}", clip, self.rng.choice(("nearest", "stochastic", None))

    def choose_levels(self, kind):
        """Levels, often as many as the field holds, three values, or signs."""
        span = (self.field.order - 1) // self.n_clients if self.field.order < 2**63 else self.max_int
        most = min(span + 1, 2**53)
        if kind == "levels":
            # an even number, which has none for 0, or as many as fit
            kind = f"levels={self.rng.choice((most, self.rng.randint(1, most // 2) * 2))}"
        if kind == "ternary" and most < 3:
            kind = "sign"
        rounding = None if kind == "sign" else self.rng.choice(("nearest", "stochastic", None))
        return kind, self.rng.choice((1.0, 0.1, 3.5, 1000.0, 2.0**-20)), rounding

    def choose_shape(self):
        rng = self.rng
        return rng.choice(((), (1,), (rng.randint(2, 120),), (rng.randint(1, 12), rng.randint(1, 12)),
                           (rng.randint(1, 5), 1, rng.randint(1, 20))))

    def choose_vector(self):
        # NumPy's generator, because vectors may be long
        rng = numpy.random.default_rng(self.rng.getrandbits(64))
        if self.type[0] != "f":
            bounds = numpy.iinfo(self.type)
            low = 0 if not self.field.is_numeric else max(bounds.min, -self.max_int)
            high = min(bounds.max, self.max_int)
            return rng.integers(low, high, size=self.shape, dtype=self.type, endpoint=True)
        clip = self.quant[1]
        values = rng.uniform(-clip, clip, size=self.shape)
        if 10 < clip < 2**20:
            values = numpy.round(values * 4) / 4
        extreme = rng.random(self.shape)
        values = numpy.where(extreme < 0.05, clip, numpy.where(extreme > 0.95, -clip, values))
        values = numpy.clip(values, -clip, clip).astype(self.type)
        # the nearest f4 may be beyond the clip
        return numpy.where(numpy.abs(values.astype("f8")) > clip, values * numpy.float32(0.5),
                           values).astype(self.type)

    def write_topology(self):
        lines = [f"field {self.spec}", f"stations {self.n_stations}",
                 f"collude {self.collusion} clients={self.colluding_clients} stations={self.z}"]
        # with spare nodes hagg-plan would choose between schemes
        if self.scheme != "ramp" or self.rng.random() < 0.5 or self.drop or self.drop_relays:
            lines.append(f"scheme {self.scheme}")
        if self.drop or self.drop_relays or self.rng.random() < 0.3:
            lines.append(f"drop stations={self.drop}"
                         + (f" clients={self.drop_clients}" if self.rng.random() < 0.5 else ""))
        if self.minimum:
            lines.append(f"minimum {self.minimum}")
        if self.quant:
            kind, clip, rounding = self.quant
            lines.append(f"quantize {kind} clip={clip!r}"
                         + (f" rounding={rounding}" if rounding else ""))
        if self.has_samples:
            lines.append("samples")
        if self.rng.random() < 0.5:
            lines.append(f"length {self.length}")
        lines += self.write_clients()
        self.rng.shuffle(lines)
        return "# a topology made at random\n" + "".join(map(self.dress, lines)) + "protocol keys\n"

    def write_clients(self):
        lines, left = [], list(self.numbers)
        self.rng.shuffle(left)
        while left:
            n = self.rng.randint(1, len(left))
            ids, left = sorted(left[:n]), left[n:]
            via = self.choose_set(range(1, self.n_stations + 1))
            line = f"client {write_list(self.rng, ids)} via {write_list(self.rng, via)}"
            if self.rng.random() < 0.4:
                shares = self.choose_set(via)
                self.rng.shuffle(shares)
                line += f" shares {write_list(self.rng, shares)}"
            if self.rng.random() < 0.4:
                line += f" keys {self.rng.choice(via)}"
            lines.append(line)
        return lines

    def choose_set(self, stations):
        """Enough for those that may collude and be missing, in ascending order."""
        least = fewest(self.z, self.drop)
        return sorted(self.rng.sample(stations, self.rng.randint(least, len(stations))))

    def dress(self, line):
        """Adds white space, comments and line ends without meaning."""
        if self.rng.random() < 0.2:
            line = line.replace(" ", self.rng.choice(("\t", "  ", " \t ")))
        if self.rng.random() < 0.2:
            line += " # client 99 via 99"
        return self.rng.choice(("", "", "  ", "\n")) + line + self.rng.choice(("\n", "\n", "\r\n"))
