"""Random valid records, the same ones for the same seed."""

import random
import string

import numpy

from good_vectors import LARGEST_PRIME
from hagg_format import FLOATS, SECRETS, TYPES, VERSION, write_record
from sealed import CHUNK_BYTES, TAG_BYTES, Sealed
from known_plugins import element_size, field_order, share_length
from known_schemes import dimensions

SPECS = ["m31", "m61", "goldilocks", "gf256", "prime:p=7", "prime:p=251", "prime:p=65521", "prime:p=1000003"]
SPECS += [f"prime:p={LARGEST_PRIME}"]
TIERS = ["client", "station", "relay", "federator", "t", "tier-of-16-chars"]
CLIPS = [1.0, 0.5, 65504.0, 65520.0, 0.1, 1e-7, 3.4e38, 1e300, 2.0**-24, 2.0**-149]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def sometimes(self, probability=0.5):
        return self.random.random() < probability

    def integer(self, high):
        """A number from 0 to high; all magnitudes are equally likely."""
        return min(high, self.random.getrandbits(self.random.randint(0, high.bit_length())))

    def elements(self, spec, n):
        order = field_order(spec)
        values = [self.random.choice((0, order - 1, self.random.randrange(order))) for _ in range(n)]
        return numpy.array(values, dtype=f"<u{element_size(order)}")

    def shape(self, n):
        """Dimensions whose product is n."""
        dimensions = [1] * self.random.randint(0, 3)
        for factor in (2, 3, 5, 7):
            while n and n % factor == 0 and self.sometimes():
                dimensions.append(factor)
                n //= factor
        if n != 1 or not dimensions:
            dimensions.append(n)
        self.random.shuffle(dimensions)
        return dimensions

    def ranges(self):
        numbers, at = [], 0
        for _ in range(self.random.randint(1, 6)):
            first = at + 1 + self.integer(2**20)
            last = first + self.integer(1000)
            numbers += [first, last]
            at = last + 1
        if self.sometimes(0.1):
            numbers[-1] = 2**32 - 1
        return numbers

    def node(self):
        return [self.random.choice(TIERS), 1 + self.integer(2**32 - 2)]

    def extension(self):
        return self.random.choice(
            [
                self.integer(2**64 - 1),
                self.sometimes(),
                "".join(self.random.choices(string.ascii_letters + " !~\"\\", k=self.integer(40))),
                self.random.randbytes(self.integer(40)),
            ]
        )

    def optional(self, header):
        samples = 1 if header["length"] > 0 and self.sometimes(0.3) else 0
        choices = {
            "from": self.node,
            "to": self.node,
            "round": lambda: self.integer(2**53 - 1),
            "clients": self.ranges,
            "shape": lambda: self.shape(header["length"] - samples),
            "type": lambda: self.random.choice(TYPES),
            "plan": lambda: self.random.randbytes(32),
            "id": lambda: self.random.randbytes(16),
        }
        for key, make in choices.items():
            if self.sometimes(0.4):
                header[key] = make()
        if samples:
            header["samples"] = True
        if header.get("type") in FLOATS and self.sometimes(0.7):
            rounding = self.random.choice(("nearest", "stochastic"))
            clip = self.random.choice(CLIPS + [self.random.uniform(1e-9, 1e9)])
            header["quant"] = {**self.steps(), "clip": clip, "rounding": rounding}
            if header["quant"].get("levels") == 2 and self.sometimes(0.5):
                header["quant"]["rounding"] = "sign"
        self.extensions(header)

    def steps(self):
        if self.sometimes(0.5):
            return {"bits": self.random.randint(2, 62)}
        return {"levels": self.random.choice((2, 3, 255, 2**32, 2**53, self.random.randint(2, 2**53)))}

    def extensions(self, header):
        for _ in range(self.random.choice((0, 0, 1, 3))):
            name = "".join(self.random.choices("abcxyz019-", k=self.random.choice((1, 5, 22, 62))))
            header["x-" + name] = self.extension()

    def staircase(self, spec):
        """A scheme with prefixes."""
        n = self.random.randint(2, min(9, field_order(spec) - 1))
        k = self.random.randint(1, n - 1)
        z = self.random.randint(0, k - 1)
        missing = sorted(self.random.sample(range(n - k), self.random.randint(1, min(3, n - k))))
        parameters = "" if missing == [0] else "missing=" + ".".join(map(str, missing))
        name = ":".join(filter(None, ("staircase", parameters)))
        return {"name": name, "n": n, "k": k, "z": z, "point": self.random.randrange(1, field_order(spec))}

    def symbols(self, scheme):
        """Those of a record that has not all of them; None if there are no such records."""
        ends = dimensions(scheme, "scheme").ends
        choices = [[a, b] for a in (0, *ends) for b in ends if a < b and (a, b) != (0, ends[-1])]
        return self.random.choice(choices) if choices else None

    def scheme(self, spec):
        n = self.random.randint(1, min(30, field_order(spec) - 1))
        if self.sometimes(0.3):
            scheme = self.staircase(spec)
            n = scheme["n"]
        elif self.sometimes(0.3):
            scheme = {"name": "additive", "n": n, "k": n, "z": n - 1}
        else:
            k = self.random.randint(1, n)
            point = self.random.randrange(1, field_order(spec))
            scheme = {"name": "ramp", "n": n, "k": k, "z": self.random.randint(0, k - 1), "point": point}
        return {**scheme, "index": self.random.randrange(n)}

    def share(self, header):
        """Makes the header that of a share or a transfer. Returns the number of elements in its payload."""
        header["kind"] = self.random.choice(("share", "share", "transfer"))
        header["scheme"] = self.scheme(header["field"])
        n = header["scheme"]["n"]
        tiers = self.random.choices(TIERS, k=self.random.choice((1, 1, 2, 8)))
        header["route"] = [[tier, self.random.sample(range(1, 2**32), n)] for tier in tiers]
        if self.sometimes(0.4):
            header["layout"] = [self.random.randint(1, 5) for _ in range(self.random.choice((1, 1, 2, 4)))]
        if self.sometimes(0.4):
            header["mix"] = self.random.randbytes(16)
        if header["kind"] == "transfer":
            keys = self.random.choice((("source",), ("source", "carrier"), ("carrier",)))
            if "source" in keys:
                header["source"] = self.scheme(header["field"])
            if "carrier" in keys:
                header["carrier"] = self.random.randrange(n)
        symbols = self.symbols(header.get("source", header["scheme"]))
        if symbols and "carrier" not in header and self.sometimes(0.6):
            header["symbols"] = symbols
        return self.integer(200) if "carrier" in header else share_length(header)

    def aligned(self, header):
        """Makes the header that of a share or a mask of an aligned sharing, if the field has enough points.
        Returns the number of elements in its payload."""
        order = field_order(header["field"])
        header["kind"], header["of"] = "share", self.random.choice(("plain", "mask"))
        header["segments"] = self.random.randint(1, min(40, order - 1))
        k = self.random.randint(1, 9)
        n = self.random.randint(k, 9)
        header["scheme"] = {"name": "aligned", "n": n, "k": k, "z": self.random.randint(0, k - 1),
                            "point": self.random.randrange(header["segments"], order),
                            "index": self.random.randrange(n)}
        header["route"] = [["station", self.random.sample(range(1, 2**32), n)]]
        header["blocks"] = sorted(self.random.sample(range(1, 12), self.random.randint(1, 4)))
        if header["of"] == "mask":
            header.pop("clients", None)
            header["chunks"] = self.random.randint(1, 9)
            header["dealers"] = [1 + self.integer(2**32 - 2)] * 2
        elif self.sometimes():
            header["dealers"] = self.ranges()
        return share_length(header)

    def summand(self, header):
        """Makes the header that of a summand."""
        header["kind"], header["of"] = "summand", "plain"
        header.pop("id", None)
        header.setdefault("plan", self.random.randbytes(32))
        header.setdefault("round", self.integer(2**53 - 1))
        header.setdefault("clients", self.ranges())
        header.setdefault("from", self.node())
        header["basis"] = [number % 2**16 + 2**17 * at for at, number in enumerate(self.ranges())]
        at = 2 * self.random.randrange(len(header["basis"]) // 2)
        header["stations"] = header["basis"][at : at + 2]
        if self.sometimes():
            header["dealers"] = self.ranges()
        if self.sometimes():
            header["mix"] = self.random.randbytes(16)

    def roster(self):
        header = {"v": VERSION, "kind": "roster", "plan": self.random.randbytes(32), "from": self.node()}
        header.update({"round": self.integer(2**53 - 1), "clients": self.ranges()})
        self.extensions(header)
        n = sum(b - a + 1 for a, b in zip(header["clients"][::2], header["clients"][1::2]))
        data = self.random.randbytes(16 * n) if n < 1000 and self.sometimes() else b""
        return self.write(header, numpy.frombuffer(data, dtype="u1"))

    def data(self):
        header = {"v": VERSION, "kind": "data", "plan": self.random.randbytes(32), "from": self.node()}
        header.update({"to": self.node(), "id": self.random.randbytes(16), "part": self.integer(2**48)})
        if self.sometimes():
            header["last"] = True
        if self.sometimes():
            header["round"] = self.integer(2**53 - 1)
        self.extensions(header)
        n = self.random.choice((0, 1, 100, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES))
        return self.write(header, numpy.frombuffer(self.random.randbytes(n), dtype="u1"))

    def seed(self, header):
        """Makes the header that of a seed, if it can have one. Returns True if it has."""
        is_key = header["kind"] == "vector" and header["of"] == "key"
        if not is_key and (header["kind"] != "share" or "layout" in header or "symbols" in header):
            return False
        header["seed"] = True
        if header["of"] != "mask":
            number = 1 + self.integer(2**32 - 2)
            header["clients"], header["from"] = [number, number], ["client", number]
            header.pop("dealers", None)
        if not is_key or self.sometimes():
            header["to"] = self.node()
        else:
            header.pop("to", None)
        return True

    def write(self, header, elements):
        """Writes a record, sometimes one that looks sealed; no key opens it."""
        if self.sometimes(0.7) and not ("seed" in header and "to" in header):
            return write_record(header, elements)
        for key in ("from", "to"):
            header.setdefault(key, self.node())
        header.setdefault("plan", self.random.randbytes(32))
        n = elements.nbytes
        chunks = self.random.randbytes(n + TAG_BYTES * max(1, -(-n // CHUNK_BYTES)))
        sender, receiver, enc = (self.random.randbytes(size) for size in (8, 8, 32))
        return write_record(header, Sealed(elements.dtype.itemsize, sender, receiver, enc, chunks))

    def record(self):
        if self.sometimes(0.1):
            return self.roster()
        if self.sometimes(0.1):
            return self.data()
        spec = self.random.choice(SPECS)
        n = self.random.choice((0, 1, 2, 5, 6, 7, 23, 24, 60, 64, 256, 1000))
        header = {"v": VERSION, "kind": "vector", "of": self.random.choice(SECRETS[:3]), "field": spec, "length": n}
        self.optional(header)
        if self.sometimes(0.1):
            self.summand(header)
        elif self.sometimes():
            n = self.aligned(header) if self.sometimes(0.3) else self.share(header)
        if self.sometimes(0.3) and self.seed(header):
            return self.write(header, numpy.frombuffer(self.random.randbytes(32), dtype="u1"))
        return self.write(header, self.elements(spec, n))

    def stream(self):
        return b"".join(self.record() for _ in range(self.random.choice((1, 1, 2, 4))))
