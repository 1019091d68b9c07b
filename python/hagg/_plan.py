"""Plans: what they say, cost and reveal."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
import shutil
import subprocess
from fractions import Fraction
from typing import Any, Literal, Mapping, NamedTuple, Optional, Union, overload

from ._arrays import Numbers
from ._command import log, run_bytes
from ._errors import CommandError
from ._files import Path, replace


class Counts(NamedTuple):
    """Numbers of nodes, by tier."""

    clients: int
    stations: int
    relays: int


class Quantize(NamedTuple):
    """How real numbers become integers: in steps of clip / (2^(bits-1) - 1), up to clip in size, or if `levels`
    is set instead of `bits`, in steps of 2 clip / (levels - 1). With rounding "sign", which has 2 levels, they
    may be of any size."""

    bits: Optional[int] = None
    clip: float = 1.0
    rounding: str = "nearest"
    levels: Optional[int] = None

    @property
    def step(self) -> float:
        """The distance of two numbers that can be told apart.

        >>> Quantize(bits=4, clip=1.0).step == 1 / 7
        True
        >>> Quantize(levels=5, clip=1.0).step
        0.5
        """
        if self.bits is not None:
            return self.clip / ((1 << (self.bits - 1)) - 1)
        if self.levels is None:
            raise ValueError("Quantize needs bits or levels")
        return self.clip / ((self.levels - 1) / 2)

    @property
    def words(self) -> str:
        """As in a topology.

        >>> Quantize(levels=3, clip=1.0, rounding="stochastic").words
        'levels=3 clip=1.0 rounding=stochastic'
        """
        if self.rounding == "sign":
            return f"sign clip={self.clip!r}"
        steps = f"bits={self.bits}" if self.bits is not None else f"levels={self.levels}"
        return f"{steps} clip={self.clip!r} rounding={self.rounding}"


def quantize_of(facts: Optional[Mapping[str, Any]]) -> Optional[Quantize]:
    """From the JSON of a command."""
    return Quantize(facts.get("bits"), float(facts["clip"]), facts["rounding"], facts.get("levels")) if facts else None


def _fraction(line: Mapping[str, Any], name: str) -> Optional[Fraction]:
    return Fraction(line[name]) if name in line else None


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a round sends, in multiples of one vector, as exact fractions.

    `links` are the parts of `total` by kind of link. `bound` is a lower bound for every private protocol
    on this network, `sharper` a better one, and `ratio` is total / bound. `protocols` are the rows of
    hagg-cost(1) by name and sets, such as ("c1", "reached"). `symbols` and `size`, in bytes, are None if
    the length of the vectors is not known. `size` is that of all records of round 1, headers included, for
    vectors of one dimension, of floating-point numbers if the plan quantises and of integers otherwise;
    None also for plans with seeds but without identities. `seeds` are of 32 bytes each, and not in `total`. If the
    topology has price lines, `price` is that of `total`, `price_bound` a lower bound on it, and
    `symbol_price` the price of `symbols` and seeds; otherwise they are None. `drawn` are the random vectors of
    "clients", "stations" and in "total", without seeds, and `dealt` are the masks that stations can send
    before the round.
    """

    total: Fraction
    links: Mapping[str, Fraction]
    bound: Fraction
    sharper: Fraction
    protocols: Mapping[tuple[str, str], Fraction]
    symbols: Optional[int]
    size: Optional[int]
    seeds: int = 0
    price: Optional[Fraction] = None
    price_bound: Optional[Fraction] = None
    symbol_price: Optional[Fraction] = None
    drawn: Mapping[str, Fraction] = dataclasses.field(default_factory=dict)
    dealt: Fraction = Fraction(0)

    @property
    def ratio(self) -> Fraction:
        return self.total / self.bound


@dataclasses.dataclass(frozen=True)
class Leak:
    """A coalition that learns more than it may, and what it learns, in words."""

    clients: tuple[int, ...]
    stations: tuple[int, ...]
    relays: tuple[int, ...]
    federator: bool
    missing: tuple[int, ...]
    learns: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Beyond:
    """What the worst coalitions with so many `stations` or `relays` learn, with or without the
    `federator`, as multiples of the length of a vector: of `one_vector`, and `in_all` beyond the sum.

    If `exact` is False, at least one of the two is an upper bound.
    """

    stations: int
    relays: int
    federator: bool
    one_vector: Fraction
    in_all: Fraction
    exact: bool


@dataclasses.dataclass(frozen=True)
class Audit:
    """What hagg-audit(1) found.

    `private` is True if it is proved that no coalition learns more than it may, False if one does or if
    the plan has another defect, the `objection`, and None if neither is decided. `coalitions` is the
    number of coalitions that this covers. `meets` is True if the plan is proved private and meets all
    conditions that were required. An Audit is true if `meets` is. If the privacy of some clients is
    computational only, `computational` are these clients, and `assumed` is what it rests on. `beyond`
    is what larger coalitions learn than the plan allows, if that was asked.
    """

    private: Optional[bool]
    meets: bool
    coalitions: int
    leaks: tuple[Leak, ...]
    objection: Optional[str]
    computational: tuple[int, ...] = ()
    assumed: Optional[str] = None
    beyond: tuple[Beyond, ...] = ()

    def __bool__(self) -> bool:
        return self.meets


class Plan:
    """A plan: the network, who may collude, and the stations that each client uses.

    `source` is the text of a plan, if it has several lines, or the path of one. A topology is accepted
    too and has the default sets; `Plan.from_topology` chooses the cheapest ones.

    The attributes are those of hagg-topology(5), with defaults filled in: `digest`, `protocol`, `field`,
    `scheme`, `collusion`, `collude`, `drop`, `minimum`, `quantize`, `integers`, `samples`, `most_samples`, `length`,
    `transform`, `identities`, `dealers`, and the numbers of all `clients`, `stations` and `relays`. `text` is the plan
    itself, and `path` its file, or None.

    >>> plan = Plan('''
    ...     collude  full clients=1 stations=1
    ...     quantize bits=16 clip=1
    ...     stations 4
    ...     client   1-3 via 1-4
    ...     client   4   via 1-3
    ... ''')
    >>> plan.clients, list(plan.stations), plan.stations_of(4)
    ((1, 2, 3, 4), [1, 2, 3, 4], (1, 2, 3))
    >>> plan.quantize, plan.collude.stations, plan.minimum
    (Quantize(bits=16, clip=1.0, rounding='nearest', levels=None), 1, 3)
    """

    def __init__(self, source: Path):
        self.path: Optional[pathlib.Path] = None
        if is_text(source):
            self.text = str(source)
        else:
            self.path = pathlib.Path(source)
            self.text = _read_text(self.path)
        facts = json.loads(self._run("hagg-plan", "--json"))
        self.digest: str = facts["digest"]
        self.protocol: str = facts["protocol"]
        self.field: str = facts["field"]
        self.scheme: str = facts["scheme"]
        self.collusion: str = facts["collusion"]
        self.collude = Counts(**facts["collude"])
        self.drop = Counts(**facts["drop"])
        self.minimum: int = facts["minimum"]
        self.quantize = quantize_of(facts["quantize"])
        integers = facts["integers"]
        self.integers: Optional[tuple[int, int]] = (integers[0], integers[1]) if integers else None
        self.samples: bool = facts["samples"]
        self.most_samples: Optional[int] = facts["most_samples"]
        self.length: Optional[int] = facts["length"]
        self.transform: bool = facts["transform"]
        self.identities: Optional[str] = facts["identities"]
        self.dealers: tuple[int, ...] = tuple(facts["dealers"])
        self.stations = range(1, facts["stations"] + 1)
        self.relays = range(1, facts["relays"] + 1)
        self._ranges: list[list[int]] = facts["clients"]
        self._groups: list[dict[str, Any]] = facts["groups"]
        self._station_via: list[list[int]] = facts["station_via"]

    @classmethod
    def from_topology(cls, source: Path, *, protocol: Optional[str] = None, keep: bool = False,
                      effort: Optional[int] = None) -> Plan:
        """Makes a plan: private, and as cheap as possible.

        `source` is the text of a topology, if it has several lines, or its path. `protocol` is "aligned",
        "keys" or "auto"; `keep` keeps the sets of the topology; `effort` is from 1 to 9. These are options
        of hagg-plan(1). PrivacyError if there is no private plan.

        >>> plan = Plan.from_topology('''
        ...     collude  full clients=1 stations=2
        ...     stations 5
        ...     client   1 2  via 1 2 3 5
        ...     client   3    via 1-5
        ...     client   4    via 2-5
        ...     client   5    via 1 2 4 5
        ...     client   6    via 1 2 5
        ... ''')
        >>> plan
        <hagg.Plan: 6 clients, 5 stations, protocol aligned, full collusion of 1 client and 2 stations>
        >>> plan.stations_of(3)
        (1, 2, 4, 5)
        """
        options = ["--quiet", "--no-progress"]
        options += ["--protocol", protocol] if protocol else []
        options += ["--effort", str(effort)] if effort else []
        options += ["--keep"] if keep else []
        if is_text(source):
            text = run_bytes("hagg-plan", *options, "-", stdin=[str(source).encode()], stdin_name="topology")
        else:
            text = run_bytes("hagg-plan", *options, "--", os.fspath(source))
        return cls(text.decode())

    def save(self, path: Path) -> None:
        """Writes the plan to a file, which is then its `path`. If the plan has identities, the file must be
        in the directory of the file of identities."""
        replace(path, [self.text.encode()], mode=0o644)
        self.path = pathlib.Path(path)

    def has_client(self, client: int) -> bool:
        """True if the plan has a client with this number."""
        return any(first <= client <= last for first, last, _ in self._ranges)

    @functools.cached_property
    def clients(self) -> tuple[int, ...]:
        return tuple(Numbers([first, last] for first, last, _ in self._ranges))

    def stations_of(self, client: int) -> tuple[int, ...]:
        """The stations that get a share of this client. KeyError if there is no such client."""
        for first, last, group in self._ranges:
            if first <= client <= last:
                return tuple(self._groups[group]["shares"])
        raise KeyError(f"the plan has no client {client}")

    @functools.cached_property
    def couriers(self) -> tuple[int, ...]:
        """The stations that pass on records of clients to stations that these clients do not reach."""
        return tuple(sorted({group["courier"] for group in self._groups} - {None}))

    def relays_of(self, station: int) -> tuple[int, ...]:
        """The relays that this station reaches."""
        return tuple(self._station_via[station - 1]) if self._station_via else ()

    def cost(self, length: Optional[int] = None) -> Cost:
        """What a round costs, exactly. `length` is the number of elements of a vector, if the plan does not
        state it.

        >>> plan = Plan('''
        ...     collude full stations=1
        ...     stations 3
        ...     client 1-10 via 1-3
        ... ''')
        >>> cost = plan.cost(length=1000)
        >>> cost.total, cost.bound, cost.ratio
        (Fraction(33, 2), Fraction(33, 2), Fraction(1, 1))
        >>> cost.links["clients to stations"], cost.symbols, cost.size
        (Fraction(15, 1), 16500, 75090)
        >>> cost.drawn["clients"], cost.dealt
        (Fraction(5, 1), Fraction(0, 1))
        >>> priced = Plan('''
        ...     price stations-federator=1/5
        ...     stations 3
        ...     client 1-10 via 1-3
        ... ''').cost()
        >>> priced.total, priced.price, priced.price_bound
        (Fraction(33, 2), Fraction(153, 10), Fraction(153, 10))
        """
        options = ["--length", str(length)] if length else []
        rows = json.loads(self._run("hagg-cost", "--format", "json", *options))["protocols"]
        totals = {(row["name"], row["sets"]): Fraction(row["total"]["times"]) for row in rows}
        plan = next(row for row in rows if row["name"] == "plan")
        return Cost(total=Fraction(plan["total"]["times"]),
                    links={link: Fraction(part["times"]) for link, part in plan["links"].items()},
                    bound=totals["bound", ""], sharper=totals["sharper", ""], protocols=totals,
                    symbols=plan["total"].get("symbols"), size=plan["total"].get("bytes"),
                    seeds=plan["total"].get("seeds", 0), price=_fraction(plan["total"], "price"),
                    price_bound=_fraction(next(row for row in rows if row["name"] == "bound")["total"], "price"),
                    symbol_price=_fraction(plan["total"], "symbol_price"),
                    drawn={who: Fraction(part["times"]) for who, part in plan["drawn"].items()
                           if who != "dealer"},  # other protocols have one
                    dealt=Fraction(plan["dealt"]["times"]))

    def audit(self, require: str = "", beyond: int = 0) -> Audit:
        """Determines what coalitions learn under this plan. A plan that is not private raises no exception.

        `require` are conditions of hagg-audit(1), such as "stations>=1 clients>=2". With `beyond`, up to
        so many more stations or relays collude than the plan allows.

        >>> plan = Plan('''
        ...     collude  full clients=1 stations=1
        ...     protocol keys
        ...     stations 5
        ...     client   1 2 via 1-3
        ...     client   3 4 via 2-5
        ... ''')
        >>> audit = plan.audit()
        >>> audit.private
        False
        >>> audit.leaks[0].federator, audit.leaks[0].learns[0]
        (True, 'the sum of the vectors of clients 1 and 2')
        >>> plan = Plan('stations 5\\nclient 1-3 via 1-5\\n')
        >>> [(row.stations, str(row.one_vector)) for row in plan.audit(beyond=2).beyond]
        [(2, '1/4'), (3, '1/2')]
        """
        options = ["--require", require] if require else []
        options += [f"--beyond={beyond}"] if beyond else []
        found = json.loads(self._run("hagg-audit", "--json", "--no-progress", *options, accept=(0, 5, 6), notes=False))
        leaks = tuple(Leak(clients=tuple(leak["clients"]), stations=tuple(leak["stations"]),
                           relays=tuple(leak["relays"]), federator=leak["federator"],
                           missing=tuple(leak["missing"]),
                           learns=tuple(part["words"] for part in leak["affected"])) for leak in found["leaks"])
        privacy = found.get("privacy", {"assumed": None, "computational": []})
        computational = sorted(i for kind in privacy["computational"] for i in Numbers(kind["clients"]))
        return Audit(private=found["private"], meets=found.get("meets", found["private"] is True),
                     coalitions=found["checked"], leaks=leaks, objection=found["objection"],
                     computational=tuple(computational), assumed=privacy["assumed"],
                     beyond=tuple(self._beyond(row) for row in found.get("beyond", ())))

    @staticmethod
    def _beyond(row: dict[str, Any]) -> Beyond:
        one, all_ = ((Fraction(row[name]["numerator"], row[name]["denominator"]), row[name]["exact"])
                     for name in ("one_vector", "in_all"))
        return Beyond(stations=row.get("stations", 0), relays=row.get("relays", 0), federator=row["federator"],
                      one_vector=one[0], in_all=all_[0], exact=one[1] and all_[1])

    @overload
    def draw(self, format: Literal["svg", "dot"] = "svg", what: str = "round") -> str: ...

    @overload
    def draw(self, format: str, what: str = "round") -> Union[str, bytes]: ...

    def draw(self, format: str = "svg", what: str = "round") -> Union[str, bytes]:
        """A drawing of who sends how much to whom, or with what="patterns" of the sets of stations.

        With format="dot" it is a graph for Graphviz. With "svg" the program dot draws it; CommandError if
        that is not installed. With another format of that program, such as "png", it is bytes.

        >>> plan = Plan('''
        ...     stations 3
        ...     client 1-3 via 1-3
        ... ''')
        >>> plan.draw("dot").startswith("digraph")
        True
        """
        graph = self._run("hagg-plan", "--keep", "--quiet", f"--dot={what}", "--no-progress")
        if format == "dot":
            return graph.decode()
        drawing = _dot(graph, format)
        return drawing.decode() if format == "svg" else drawing

    def _run(self, name: str, *options: str, **others: Any) -> bytes:
        if self.path:
            return run_bytes(name, *options, "--", self.path, **others)
        return run_bytes(name, *options, "-", stdin=[self.text.encode()], stdin_name="plan", **others)

    def __repr__(self) -> str:
        tiers = [_count(len(self.clients), "client"), _count(len(self.stations), "station")]
        tiers += [_count(len(self.relays), "relay")] if self.relays else []
        colluders = [_count(n, tier[:-1]) for tier, n in self.collude._asdict().items() if n]
        n = sum(last - first + 1 for first, last, group in self._ranges if self._groups[group]["computational"])
        weaker = f", computational privacy of {_count(n, 'client')}" if n else ""
        return (f"<hagg.Plan: {', '.join(tiers)}, protocol {self.protocol}, {self.collusion} collusion of "
                f"{' and '.join(colluders) or 'nobody'}{weaker}>")


def is_text(source: Path) -> bool:
    """True for text, which has several lines; False for a path."""
    return isinstance(source, str) and "\n" in source


def _read_text(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", 1) from error


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _dot(graph: bytes, format: str) -> bytes:
    program = shutil.which("dot")
    if program is None:
        raise CommandError("dot is not on PATH: install Graphviz, or use draw('dot')", 1, ["dot"])
    log.debug("dot -T%s", format)
    result = subprocess.run([program, f"-T{format}"], input=graph, capture_output=True)
    if result.returncode != 0:
        raise CommandError(f"dot: {result.stderr.decode(errors='replace').strip()}", result.returncode, ["dot"])
    return result.stdout
