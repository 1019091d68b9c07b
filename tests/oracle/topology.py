"""A parser of the topology language, for protocol keys.

It trusts its input: errors in a topology are reported by the commands.
"""

import dataclasses
from dataclasses import dataclass
from fractions import Fraction

from fields import field_of
from sharing import fewest


@dataclass
class Quant:
    bits: int
    clip: float
    rounding: str = "nearest"
    levels: int = 0  # in place of bits

    @property
    def largest(self):
        return self.levels - 1 if self.levels else 2 ** (self.bits - 1) - 1

    @property
    def smallest(self):
        return 0 if self.levels else -self.largest

    @property
    def middle(self):
        """The integer of 0, or between the two nearest."""
        return Fraction(self.smallest + self.largest, 2)

    @property
    def half(self):
        return Fraction(self.largest - self.smallest, 2)

    @property
    def header(self):
        number = {"levels": self.levels} if self.levels else {"bits": self.bits}
        return {**number, "clip": self.clip, "rounding": self.rounding}


@dataclass
class Client:
    shares: list  # stations, by index of the share
    keys: list  # the same for shares of the key; under partial collusion the first station gets the key
    via: list = None
    relays: list = None  # relay i receives from station i of shares
    key_relays: list = None
    said_shares: bool = False
    said_computational: bool = False
    computational: bool = False  # see couriers.py
    reach: list = None  # the stations over which it shares, if it reaches too few

    @property
    def key_station(self):
        return self.keys[0]


@dataclass
class Topology:
    field: str = "m31"
    scheme: str = "ramp"
    full: bool = False
    colluding_clients: int = 0
    z: int = 1  # colluding stations; colluders() has all colluding holders of a sharing
    drop: int = 0
    drop_clients: int = 0
    z_relays: int = 0
    drop_relays: int = 0
    transform: bool = False  # relays have sharings of their own
    quant: Quant = None
    samples: bool = False
    length: int = 0
    minimum: int = 0
    computational: bool = False  # all clients and dealers
    fallback: bool = False
    n_stations: int = 0
    n_relays: int = 0
    links: dict = dataclasses.field(default_factory=dict)  # the relays of each station
    clients: dict = dataclasses.field(default_factory=dict)

    @property
    def colluders(self):
        """Colluding holders of one sharing: docs/theory.md section 6."""
        if self.n_relays == 0:
            return self.z
        return self.z + self.z_relays if self.full else max(self.z, self.z_relays)

    @property
    def protected(self):
        """Whether the commands accept the topology without --unsafe-plan, as far as it depends on the
        numbers: no single node and no total reveals a vector."""
        holders = min(self.z, self.z_relays) if self.transform else self.colluders
        return holders > 0 and self.minimum >= self.colluding_clients + 2

    @property
    def spares(self):
        return self.drop + self.drop_relays

    @property
    def fewest(self):
        """The fewest stations of a sharing whose shares relays pass on, or without relays."""
        return fewest(self.colluders, self.spares)

    def allows(self, n_clients):
        """Whether a total may have that many clients."""
        missing = len(self.clients) - n_clients
        return n_clients >= self.minimum and (self.drop_clients == 0 or missing <= self.drop_clients)

    @property
    def tiers(self):
        """With transformations, (z, drop) of each tier's sharings."""
        return (self.z, self.drop), (self.z_relays, self.drop_relays)


def numbers(words):
    """Removes the numbers and ranges at the front of words and returns the numbers."""
    found = []
    while words and words[0][0].isdigit():
        first, _, last = words.pop(0).partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def pairs(words):
    return dict(word.split("=") for word in words)


def read_client(topology, words):
    ids, lists = numbers(words), {}
    while words:
        name = words.pop(0)
        lists[name] = numbers(words)
    via = sorted(lists["via"])
    for number in ids:
        topology.clients[number] = Client(lists.get("shares", via), lists.get("keys", via), via,
                                          lists.get("relays"), lists.get("key-relays"), "shares" in lists,
                                          "computational" in lists)


def read_quant(words):
    kind = words[0].partition("=")[0]
    given = pairs(word for word in words if "=" in word)
    clip, default = float(given["clip"]), {"sign": "sign", "ternary": "stochastic"}.get(kind, "nearest")
    rounding = given.get("rounding", default)
    if "bits" in given:
        return Quant(given["bits"] if given["bits"] == "max" else int(given["bits"]), clip, rounding)
    return Quant(0, clip, rounding, int(given.get("levels", {"sign": 2, "ternary": 3}.get(kind, 0))))


def read_station(topology, words):
    ids = numbers(words)
    words.pop(0)
    relays = sorted(numbers(words))
    topology.links.update((station, relays) for station in ids)


def most_bits(topology):
    """The largest number of bits, at most the 53 of a double, with which no sum overflows the field."""
    largest = field_of(topology.field).int_max
    return max(bits for bits in range(2, 54)
               if len(topology.clients) * (2 ** (bits - 1) - 1) <= largest)


def parse(text):
    topology, relays = Topology(), None
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        name = words.pop(0)
        if name == "client":
            read_client(topology, words)
        elif name in ("field", "scheme"):
            setattr(topology, name, words[0])
        elif name in ("length", "minimum"):
            setattr(topology, name, int(words[0]))
        elif name == "station":
            read_station(topology, words)
        elif name in ("stations", "relays"):
            setattr(topology, f"n_{name}", int(words[0]))
        elif name in ("privacy", "fallback"):
            setattr(topology, "computational" if name == "privacy" else name, words == ["computational"])
        elif name in ("samples", "transform"):
            setattr(topology, name, True)
        elif name == "collude":
            topology.full = words[0] == "full"
            given = pairs(words[1:])
            topology.colluding_clients = int(given.get("clients", 0))
            topology.z = int(given.get("stations", 1))
            relays = given.get("relays")
        elif name == "drop":
            topology.drop = int(pairs(words).get("stations", 0))
            topology.drop_relays = int(pairs(words).get("relays", 0))
            topology.drop_clients = int(pairs(words).get("clients", 0))
        elif name == "quantize":
            topology.quant = read_quant(words)
        elif name != "identities" and [name, *words] != ["protocol", "keys"]:
            raise ValueError(f"{name} has no place in a topology of this test")
    if topology.quant and topology.quant.bits == "max":
        topology.quant.bits = most_bits(topology)
    topology.clients = dict(sorted(topology.clients.items()))
    # one relay may collude if relays have sharings of their own
    topology.z_relays = int(topology.transform if relays is None else relays)
    # at least two clients of a total do not collude
    topology.minimum = topology.minimum or topology.colluding_clients + 2
    return topology
