"""The base records of the files that must be refused.

Each file differs from a good one only in the fault for which it is named. Even the digest is correct,
unless the digest is the fault.
"""

from dataclasses import dataclass

from good_aligned import aligned, mask
from good_vectors import EVERYTHING, SOURCE, levels, roster, share, summand, transfer, vector
from raw_cbor import Pairs, encode, pairs, payload, record


@dataclass
class Bad:
    name: str
    failure: str  # the codes are in vectors/README.md
    where: str  # a header's key, "record", "header", "key", "payload" or "digest"
    data: bytes
    description: str
    record: int = 1
    level: str = "format"  # or "plugin": well formed, but not allowed by the field or the scheme


class Base:
    """A good record, with functions that make records which differ from it."""

    def __init__(self, header, elements):
        self.header, self.elements = header, elements
        self.body = payload(elements)
        self.good = record(header, self.body)
        self.pairs = pairs(header)

    def having(self, key, value):
        """With one key changed or added."""
        return record({**self.header, key: value}, self.body)

    def lacking(self, key):
        return record({name: value for name, value in self.header.items() if name != key}, self.body)

    def inside(self, key, **fields):
        """With keys of a map inside the header changed or added."""
        return self.having(key, {**self.header[key], **fields})

    def inside_lacking(self, key, inner):
        return self.having(key, {name: value for name, value in self.header[key].items() if name != inner})

    def with_pairs(self, changed):
        return record(Pairs(changed), self.body)

    def repeated(self, key):
        """With a pair twice."""
        at = [name for name, _ in self.pairs].index(key)
        return self.with_pairs(self.pairs[: at + 1] + self.pairs[at:])

    def members(self):
        """The encoded pairs without the head of the map."""
        return encode(self.pairs)[1:]


VECTOR = Base(*vector(n=3, round=7))
SHARE = Base(*share(n_elems=4))
FULL = Base(*vector(n=7, **EVERYTHING))
LEVELS = Base(*levels(5))
EXTENDED = Base(*vector(n=3, **{"x-a": 1}))
LAYOUT = Base(*share(n_elems=4, layout=[2, 2], mix=bytes(16)))
DIRECT = Base(*transfer(source=SOURCE))
CARRIED = Base(*transfer(3, source=SOURCE, carrier=0))
COLLECTED = Base(*transfer(3, carrier=2))
ROSTER = Base(*roster())
SUMMAND = Base(*summand())
ALIGNED = Base(*aligned(6))
MASK = Base(*mask(4))
CLIENTS = Base(*vector(n=3, clients=[3, 5]))
