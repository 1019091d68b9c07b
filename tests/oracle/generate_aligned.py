"""Random plans of protocol aligned, by kind, and suitable vectors. The same seed gives the same ones."""

import math

import numpy

from aligned import Aligned
from fields import field_of
from topology import Quant

FIELDS = ("m31", "m61", "goldilocks", "gf256", "prime:p=31", "prime:p=257", "prime:p=65521",
          "prime:p=4611686018427387847")
PRIMES = (7, 11, 13, 17, 19, 23)


def between(rng, pair):
    return rng.randint(*pair)


class Case:
    """The text of a plan, and the vector and sample count of each client. A kind changes the attributes
    below, or replaces a method."""

    stations, clients_between, colluding, spares = (3, 8), (3, 6), (1, 2), (0, 0)
    segments = (1, 12)
    n_relays = drop_relays = 0
    has_samples = has_quant = has_idle = False
    max_length = 60
    fields = FIELDS

    def __init__(self, rng, field):
        self.rng, self.spec = rng, self.fields[field % len(self.fields)]
        self.field = field_of(self.spec)
        while not self.choose_stations():
            pass
        self.choose_segments()
        self.aligned = Aligned(self.spec, self.clients, self.z, self.t, self.n_segments)
        self.choose_dealers()
        self.length = self.choose_length()
        self.row = -(-(self.length + self.has_samples) // self.n_segments)
        self.n_chunks = len(self.dealers) - self.hidden if self.dealers else 1
        self.mask_row = -(-self.row // self.n_chunks)
        self.round = rng.choice((0, 1, 77, 2**53 - 1))
        self.most = self.field.int_max // len(self.clients) if self.field.is_numeric else 255
        self.choose_type()
        self.choose_shape()
        self.choose_relays()
        self.choose_privacy()
        self.vectors = {i: self.choose_vector() for i in self.clients}
        self.samples = {i: rng.randint(0, min(self.most, 1000)) for i in self.clients}

    @property
    def size(self):
        """Bytes of an element."""
        return next(size for size in (1, 2, 4, 8) if self.field.order <= 256**size)

    @property
    def hidden(self):
        """Dealers whose masks do not count: colluding ones and missing ones."""
        return (self.z if self.full else 0) + self.t

    def choose_set(self):
        n = self.rng.randint(self.z + self.t + 1, self.n_stations)
        return sorted(self.rng.sample(range(1, self.n_stations + 1), n))

    def choose_stations(self):
        """Returns false if no plan has these numbers."""
        rng = self.rng
        self.full = rng.random() < 0.5
        self.n_stations = between(rng, self.stations)
        self.z, self.t = between(rng, self.colluding), between(rng, self.spares)
        if self.n_stations <= self.z + 2 * self.t or self.n_stations >= self.field.order:
            return False
        n = between(rng, self.clients_between)
        numbers = rng.sample(range(1, rng.choice((10, 40, 2**32))), n)
        self.clients = {i: self.choose_set() for i in sorted(numbers)}
        used = {u for stations in self.clients.values() for u in stations}
        return len(used) > self.z + 2 * self.t and (not self.field.is_numeric or n <= self.field.int_max)

    def choose_segments(self):
        low, high = self.segments
        self.n_segments = self.rng.randint(low, min(high, self.field.order - self.n_stations))

    def choose_dealers(self):
        """None if all clients have the same stations, otherwise any number, in any order."""
        used = self.aligned.stations
        if len(set(map(tuple, self.clients.values()))) == 1:
            self.dealers = []
        else:
            self.dealers = self.rng.sample(used, self.rng.randint(self.hidden + 1, len(used)))

    def choose_length(self):
        return self.rng.choice((1, self.rng.randint(2, 9), self.rng.randint(10, self.max_length)))

    def choose_type(self):
        self.quant = None
        if not self.field.is_numeric:
            self.type = self.rng.choice(("u1", "u8"))
        elif self.has_quant:
            most = self.most.bit_length()
            bits = self.rng.choice((most, self.rng.randint(2, most)))
            rounding = self.rng.choice(("nearest", "stochastic"))
            self.quant = Quant(min(bits, 50), self.rng.choice((1.0, 0.1, 3.5, 2.0**-20)), rounding)
            self.type = self.rng.choice(("f4", "f8"))
        else:
            self.type = self.rng.choice(("i1", "i4", "i8", "u2", "u8"))

    def choose_shape(self):
        n = self.length
        wide = [(n // k, k) for k in (2, 3, 5) if n % k == 0]
        self.shape = self.rng.choice([(n,)] + wide)

    def choose_relays(self):
        """By station the relays that it reaches."""
        self.links = {}
        if self.n_relays:
            for u in range(1, self.n_stations + 1):
                n = self.rng.randint(1 + self.drop_relays, self.n_relays)
                self.links[u] = sorted(self.rng.sample(range(1, self.n_relays + 1), n))

    def choose_privacy(self):
        """The clients and dealers that send seeds. A client whose stations are in via reaches only those."""
        self.privacy, self.computational, self.via = None, set(), {}

    def reached(self, client):
        return self.via.get(client, self.clients[client])

    @property
    def has_seeds(self):
        return bool(self.computational or self.privacy == "privacy")

    def choose_vector(self):
        rng = numpy.random.default_rng(self.rng.getrandbits(64))
        if self.type[0] == "f":
            values = rng.uniform(-self.quant.clip, self.quant.clip, size=self.shape)
            half = (values / 2).astype(self.type)
            return numpy.where(numpy.abs(values.astype(self.type).astype("f8")) <= self.quant.clip,
                               values.astype(self.type), half)
        bounds = numpy.iinfo(self.type)
        low = max(bounds.min, -self.most) if self.field.is_numeric else 0
        return rng.integers(low, min(bounds.max, self.most), size=self.shape, dtype=self.type, endpoint=True)

    def choose_survivors(self):
        """The clients that do not drop out."""
        return sorted(self.rng.sample(list(self.clients), self.rng.randint(2, len(self.clients) - 1)))

    def text(self):
        lines = [f"field {self.spec}", "protocol aligned", "minimum 2", f"stations {self.n_stations}",
                 f"segments {self.n_segments}", f"drop stations={self.t} relays={self.drop_relays}",
                 f"collude {'full' if self.full else 'partial'} stations={self.z}"]
        if self.dealers:
            lines.append("dealers " + " ".join(map(str, self.dealers)))
        if self.quant:
            lines.append(f"quantize bits={self.quant.bits} clip={self.quant.clip!r} rounding={self.quant.rounding}")
        if self.links:
            lines.append(f"relays {self.n_relays}")
            lines += [f"station {u} via {' '.join(map(str, relays))}" for u, relays in self.links.items()]
        lines += ["samples"] * self.has_samples
        lines += [f"{self.privacy} computational"] if self.privacy else []
        lines += map(self.line_of, self.clients)
        return "\n".join(lines) + "\n"


    def line_of(self, client):
        line = f"client {client} via {' '.join(map(str, self.reached(client)))}"
        if client in self.computational and (not self.privacy or self.privacy == "fallback" and client not in self.via):
            line += " computational"
        if client in self.via:
            line += " shares " + " ".join(map(str, self.clients[client]))
        return line


class Spares(Case):
    """Stations, and dealers with them, may be missing or wrong."""

    stations, spares = (4, 9), (1, 2)


class Dealers(Case):
    """More dealers than needed, so that masks are short, and some of them missing."""

    stations, spares, max_length = (5, 8), (1, 2), 90

    def choose_dealers(self):
        used = self.aligned.stations
        self.dealers = self.rng.sample(used, self.rng.randint(min(self.hidden + 2, len(used)), len(used)))


class Relays(Case):
    """Each sum goes to a relay, which combines sums if that is shorter, and a relay may be missing."""

    stations, segments, drop_relays, spares = (3, 9), (1, 6), 1, (0, 1)

    def choose_relays(self):
        self.n_relays = self.rng.randint(2, 5)
        super().choose_relays()


class Idle(Relays):
    """All clients of a station without masks drop out, so it has nothing to send."""

    stations, colluding, segments, has_idle = (7, 9), (2, 2), (6, 6), True

    def choose_stations(self):
        """The last client has the last stations for itself, and they have more rows than the others."""
        if not super().choose_stations():
            return False
        self.full, self.drop_relays, self.t = False, self.rng.randint(0, 1), self.rng.randint(0, 1)
        self.z = 2
        first, last = range(1, self.n_stations - self.z - self.t), range(self.n_stations - self.z - self.t,
                                                                         self.n_stations + 1)
        *others, alone = self.clients
        self.clients = {i: list(first) for i in others} | {alone: list(last)}
        return len(first) > self.z + self.t + 1

    def choose_relays(self):
        self.n_relays = self.rng.choice((0, 2, 3)) if not self.drop_relays else self.rng.randint(2, 3)
        Case.choose_relays(self)

    def choose_dealers(self):
        self.dealers = sorted(self.rng.sample(list(self.clients.values())[0], self.hidden + 1))

    def choose_survivors(self):
        return sorted(self.clients)[:-1]


class Remainders(Case):
    """Blocks of every size up to the number of segments, which none divides."""

    stations, colluding, segments = (5, 8), (1, 1), (5, 13)

    def choose_segments(self):
        super().choose_segments()
        most = max(map(len, self.clients.values())) - self.z
        candidates = [n for n in range(most + 1, most + 9) if n + self.n_stations <= self.field.order]
        prime = [n for n in candidates if all(n % d for d in range(2, n))]
        self.n_segments = (prime or candidates or [self.n_segments])[0]


class ManySegments(Case):
    """More segments than elements, so that some have none."""

    segments, max_length = (6, 20), 10

    def choose_length(self):
        return self.rng.randint(1, max(1, self.n_segments - 1 - self.has_samples))


class Samples(Case):
    """A sample count, and so means of all samples."""

    fields = tuple(spec for spec in FIELDS if spec != "gf256")
    has_samples = True


class Quantised(Case):
    """Floats."""

    fields = ("m31", "m61", "goldilocks", "prime:p=257", "prime:p=65521")
    has_quant, spares = True, (0, 1)

    def choose_stations(self):
        self.has_samples = self.rng.random() < 0.5
        return super().choose_stations()


class Alike(Case):
    """All clients use the same stations: no masks."""

    spares = (0, 1)

    def choose_set(self):
        return self.clients_set

    def choose_stations(self):
        self.clients_set = sorted(self.rng.sample(range(1, 9), self.rng.randint(4, 8)))
        self.stations = (max(self.clients_set),) * 2
        return super().choose_stations() and len(self.clients_set) > self.z + 2 * self.t


class Smallest(Case):
    """The points of stations and segments are all elements of the field."""

    stations, colluding, fields = (3, 5), (1, 1), tuple(f"prime:p={p}" for p in PRIMES)
    clients_between = (3, 3)

    def choose_segments(self):
        self.n_segments = self.field.order - self.n_stations


class Bytes(Case):
    """Bytes, with up to 256 points."""

    fields, spares = ("gf256",), (0, 1)

    def choose_segments(self):
        most = 256 - self.n_stations
        self.n_segments = self.rng.choice((most, self.rng.randint(1, 30)))


class Large(Case):
    """As many stations as blocks, and vectors that are cut into tiles."""

    stations, clients_between, segments = (10, 14), (3, 4), (2, 6)
    fields = ("m31", "m61", "gf256")

    def choose_length(self):
        return self.rng.randint(200, 900)


class Seeds(Case):
    """Drawn shares, and masks, are sent as seeds: of all clients, of some, or of those that reach too few
    stations, whose courier passes records on."""

    def choose_set(self):
        few = self.z + self.t + 1
        if self.rng.random() < 0.6:
            return super().choose_set()
        return sorted(self.rng.sample(range(1, self.n_stations + 1), few))

    def choose_privacy(self):
        super().choose_privacy()
        rng, few = self.rng, self.z + self.t + 1
        self.privacy = rng.choice(("privacy", "privacy", "fallback", None))
        short = [i for i, stations in self.clients.items() if len(stations) == few]
        for i in rng.sample(short, rng.randint(min(1, len(short)), len(short))):
            self.via[i] = sorted(rng.sample(self.clients[i], rng.randint(1, few - 1)))
        self.computational = set(self.via)
        if self.privacy == "privacy":
            self.computational = set(self.clients)
        elif not self.computational or rng.random() < 0.4:
            self.computational |= set(rng.sample(sorted(self.clients), rng.randint(1, len(self.clients))))


class SeedSpares(Seeds, Spares):
    """The same, with more than one computed share of each block."""


class SeedRelays(Seeds, Relays):
    """The same, with relays."""


class SeedSamples(Seeds, Samples):
    """The same, with a sample count."""


class SeedRejections(Seeds, Remainders):
    """The same, in fields that reject about half of all words, with blocks of all sizes."""

    fields = ("prime:p=17", "prime:p=257", "prime:p=4611686018427387847", "prime:p=32771")


class SeedRows(Seeds):
    """Seeds of more elements than are made at once, in rows that begin anywhere."""

    stations, clients_between, segments = (4, 6), (3, 3), (3, 5)
    fields = ("prime:p=257", "m31", "gf256")

    def choose_length(self):
        return self.rng.randint(4096 * self.n_segments // 2, 3 * 4096)


KINDS = {"mixed": Case, "spares": Spares, "dealers": Dealers, "relays": Relays, "idle": Idle,
         "remainders": Remainders, "segments": ManySegments, "samples": Samples, "quantised": Quantised, "alike": Alike,
         "smallest": Smallest, "bytes": Bytes, "large": Large,
         "seeds": Seeds, "seed-spares": SeedSpares, "seed-relays": SeedRelays, "seed-samples": SeedSamples,
         "seed-rejections": SeedRejections, "seed-rows": SeedRows}
