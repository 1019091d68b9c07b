"""Rounds: clients share, stations add up, relays pass on, and the federator decodes.

The files of a round are below WORKDIR/round-NUMBER, under the names that hagg-round(1) uses: what a node
receives is in station-U/in, relay-M/in and federator/in.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import json
import math
import operator
import os
import pathlib
import re
import shutil
from typing import Any, Callable, Collection, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._arrays import Array, Numbers, npy, read_npy, spelt, type_option
from ._command import Feed, run, run_bytes
from ._errors import CommandError, DamagedError, MismatchError, PrivacyError, UsageError
from ._files import Path, private, replace
from ._plan import Plan
from ._records import read

Without = Union[str, Mapping[str, Iterable[int]], None]
Kind = tuple[tuple[int, ...], "np.dtype[Any]"]  # of an array: its shape and its type

_TOGETHER = "clients-"  # begins the names of files with the shares of several clients
_VIA = "-via-"  # in the names of files that a courier has passed on, as those of hagg-round(1)
_MOST_NAMES = 2000  # files on a command line; more are passed on standard input


@dataclasses.dataclass(frozen=True)
class Report:
    """What hagg-decode(1) reports about a total: its clients, the number of samples, if they are counted,
    and bounds on the error of an element due to quantisation: on its absolute value, on its standard deviation,
    which is 0 unless rounding is stochastic, and on the absolute value of its mean."""

    clients: Numbers
    samples: Optional[int]
    error_bound: float
    error_deviation: float
    error_bias: float


class Round:
    """A round of private aggregation.

    A simulation calls `share` for every client, or `share_all`, and then `total`. A party of a real round
    calls only the methods of its own node: a client `share`; a station `deal`, `report_clients`, `sum` and, if
    it is a courier, `pass_on`; a relay `relay`; the federator `roster` and `decode`. Files for another node are in that node's
    directory `in` below `directory`, and the roster for all nodes is in federator/out. Any program can carry
    them to the same place on another machine.

    The nodes remember what they did in WORKDIR/state, so that a round has one total; `state` names another
    directory. Use one workdir for all rounds of a plan.

    With `sealed`, records are encrypted for their receivers. If the plan has no identities, a simulation
    is assumed: the key pairs of all nodes are made in WORKDIR/keys, and `plan` is the plan with these
    identities. If it has some, `identity` is the file with the private key of the node; in a simulation
    it contains {tier} and {}, as in "keys/{tier}-{}.pem".

    >>> plan = Plan('''
    ...     collude  full clients=1 stations=1
    ...     quantize bits=24 clip=1
    ...     stations 3
    ...     client   1-4 via 1-3
    ... ''')
    >>> vectors = np.random.default_rng(1).uniform(-1, 1, (4, 5, 2)).astype("f4")
    >>> round = Round(plan, 1, workdir="work", sealed=True)
    >>> for client in plan.clients:
    ...     round.share(client, vectors[client - 1])
    >>> round.survivors()
    {1, 2, 3, 4}
    >>> mean = round.total(mean=True)
    >>> mean.shape, mean.dtype, bool(np.abs(mean - vectors.mean(axis=0)).max() < 1e-6)
    ((5, 2), dtype('float32'), True)
    >>> round.report.clients
    Numbers('1-4')
    """

    def __init__(self, plan: Plan, number: int, workdir: Path, *, sealed: bool = False,
                 identity: Optional[Path] = None, state: Optional[Path] = None):
        if not isinstance(plan, Plan):
            raise TypeError(f"plan must be a hagg.Plan, not {plan!r}")
        self.number = _whole(number, "number")
        if self.number < 0:
            raise UsageError(f"the number of a round must not be negative, but is {number}", 2)
        if plan.transform:
            raise UsageError("the relays of this plan have sharings of their own, which Round cannot make: "
                             "use hagg-round", 2)
        self.workdir = _absolute(workdir)
        try:
            private(self.workdir)
        except (FileExistsError, NotADirectoryError):
            raise CommandError(f"{self.workdir}: is not a directory: use another workdir", 1) from None
        self.state = _absolute(state) if state is not None else _own_state(self.workdir)
        self.identity = os.path.abspath(identity) if identity is not None else None
        if sealed and not plan.identities:
            self.identity = os.fspath(self.workdir / "keys" / "{tier}-{}.pem")
            plan = _with_identities(plan, self.workdir, self.identity)
        self.plan = _with_file(plan, self.workdir)
        self._plan_path = os.path.abspath(str(self.plan.path))
        self.directory = self.workdir / f"round-{self.number}"
        self.report: Optional[Report] = None
        self._shared = _Shared()

    def __repr__(self) -> str:
        sealed = "sealed" if self.plan.identities else "not sealed"
        return f"<hagg.Round: round {self.number} in {self.workdir}, {sealed}>"

    # --- clients

    def share(self, client: int, array: npt.ArrayLike, samples: Optional[int] = None, *, clip: bool = False,
              again: bool = False, missing: Iterable[int] = ()) -> None:
        """Shares the array of a client: its stations get their shares.

        `samples` is the number of samples, if the plan counts them. Then the array must be the sum over them,
        not their mean, and the clip of the plan must cover the sum; otherwise the mean is wrong.
        The same array can be shared again, and gives the same shares. PrivacyError for another array in
        the same round, and for an array that was shared in another round. MismatchError if the clients
        before had arrays of another shape or type.

        With `clip`, numbers that are too large are clipped; otherwise they are an error. With `again`, an
        array that was shared in another round is accepted; hagg-share(1) describes when that is safe.
        `missing` are stations that are known to be missing, so that they cannot be couriers.
        """
        client = _whole(client, "client")
        if not self.plan.has_client(client):
            raise UsageError(f"the plan has no client {client}", 2)
        values, parts = npy(array)
        counts = _counts(None if samples is None else [samples], [client])
        self._share([client], ["--client", client], (values.shape, values.dtype), parts, counts, f"client-{client}",
                    f"array of client {client}", clip, again, missing)

    def share_all(self, arrays: npt.ArrayLike, samples: Optional[Sequence[int]] = None,
                  clients: Optional[Collection[int]] = None, *, clip: bool = False, again: bool = False) -> None:
        """Shares an array of shape (clients, ...), with a row for each client in ascending order, in one
        process. `clients` are all of the plan, unless given. Otherwise it is like `share`.

        If the plan counts samples, `samples` has a number for each client, and each row must be the sum over
        the samples of its client, not their mean."""
        values, parts = npy(arrays)
        chosen = sorted(self.plan.clients if clients is None else {_whole(i, "client") for i in clients})
        unknown = set(chosen).difference(self.plan.clients)
        if unknown:
            raise UsageError(f"the plan has no client {min(unknown)}", 2)
        if values.ndim == 0 or len(values) != len(chosen) or not chosen:
            raise UsageError(f"an array of shape {values.shape} does not have a row for each of "
                             f"{len(chosen)} clients", 2)
        counts = _counts(samples, chosen)
        self._share(chosen, ["--clients", spelt(chosen)], (values.shape[1:], values.dtype), parts, counts,
                    f"{_TOGETHER}{chosen[0]}", "array", clip, again)

    def _share(self, clients: Sequence[int], who: list[Any], kind: Kind, parts: list[Any],
               counts: Optional[list[int]], name: str, array_name: str, clip: bool, again: bool,
               missing: Iterable[int] = ()) -> None:
        shared = self._look()
        shared.check(clients, kind, name)
        private(self.directory)
        self._make_keys(clients, math.prod(kind[0]))
        feeds = []
        # the file may have changed since the plan was read; records of another plan are refused later
        options = self._options("hagg-share") + ["--plan-digest", self.plan.digest] + who
        options += ["--clip"] * clip + ["--again"] * again
        gone = sorted(missing)
        options += ["--missing", spelt(gone)] if gone else []
        if self.plan.protocol == "keys":
            number = "{}" if who[0] == "--clients" else who[1]
            options += ["--key", self.directory / f"client-{number}" / "private" / "key.cbor"]
        if counts is not None:
            # not as an option, which other users could read in the list of processes
            feeds.append(Feed("samples", ["".join(f"{n}\n" for n in counts).encode()]))
            options += ["--samples-file", feeds[0].name]
        run_bytes("hagg-share", *options, "-o", self.directory / "station-{}" / "in" / f"{name}.cbor", "-",
                  stdin=parts, stdin_name=array_name, feeds=feeds)
        shared.add(clients, kind, name)

    def _make_keys(self, clients: Collection[int], length: int) -> None:
        """With protocol keys, makes the keys of these clients that do not have one."""
        key = self.directory / "client-{}" / "private" / "key.cbor"
        missing = [i for i in clients if not pathlib.Path(str(key).replace("{}", str(i))).exists()]
        if self.plan.protocol == "keys" and missing:
            run_bytes("hagg-keygen", *self._options("hagg-keygen"), "--clients", spelt(missing),
                      "--length", length, "-o", key)

    # --- stations and relays

    def deal(self, stations: Optional[Iterable[int]] = None) -> None:
        """Makes the masks of these dealers, or of all. Masks that exist are kept. `total` does it too."""
        dealers = [u for u in (self.plan.dealers if stations is None else stations)
                   if not any(self.directory.glob(f"station-*/in/mask-{u}.cbor"))]
        if dealers:
            private(self.directory)
            run_bytes("hagg-keygen", *self._options("hagg-keygen"), "--stations", spelt(dealers),
                      "--length", self._vector_length(),
                      "-o", self.directory / "station-{}" / "in" / "mask-{dealer}.cbor")

    def pass_on(self, station: int) -> None:
        """Passes on, at a courier, the records of clients that do not reach the stations they are for."""
        options = ["--plan", self._plan_path, "--round", self.number, "--pass-on", "--station", station]
        for path in self._received(f"station-{station}", "client*.cbor"):
            if _VIA not in path.stem:
                output = self.directory / "station-{}" / "in" / f"{path.stem}{_VIA}{station}.cbor"
                self._run("hagg-aggregate", options + ["-o", output], [path], notes=False)

    def report_clients(self, station: int) -> None:
        """Reports to the federator which clients have delivered everything to a station."""
        output = self._federator("in") / f"report-station-{station}.cbor"
        self._run("hagg-roster", self._options("hagg-roster") + ["--station", station, "--quiet", "-o", output],
                  self._received(f"station-{station}", "client*.cbor"), notes=False)

    def sum(self, station: int, without: Without = None, *, present: Optional[Iterable[int]] = None,
            after: Optional[Iterable[int]] = None) -> None:
        """Adds up the shares and masks at a station, over the clients of the roster.

        `present` are the stations that are present. If the scheme of the plan has prefixes, as staircase has,
        the station then sends only the symbols of its share that their number requires; otherwise the whole
        share. With protocol aligned, the station sends its sum only if it is one of the shortest that are enough, and
        otherwise keeps it back; by default it sends it, so that wrong sums are detected. If a station is lost after
        that, call it again with those that are left, and with those of the first call in `after`: only what is missing
        is sent, in another file.
        """
        gone = _Gone(without)
        options = self._options("hagg-aggregate") + ["--station", station, "--roster", self._issued()]
        options += ["--present", spelt(present)] if present is not None else []
        options += ["--after", spelt(after)] if after is not None else []
        dealers = [u for u in self.plan.dealers if u not in gone.stations]
        if len(dealers) < len(self.plan.dealers):
            options += ["--dealers", spelt(dealers)]
        if self.plan.protocol == "keys":
            options += ["--only", "shares"] if self.plan.collusion == "partial" else []
        elif gone.relays:
            options += ["--via", self._relay_for(station, gone)]
        name = f"from-station-{station}" + ("-rest" if after is not None else "")
        self._aggregate(options, self._received(f"station-{station}"), name)

    def _present(self, gone: _Gone) -> Optional[list[int]]:
        """The stations whose number determines what is sent of a share; None for whole shares, which are needed
        if a relay does not pass its share on."""
        if self.plan.protocol != "keys" or gone.relays:
            return None
        return [u for u in self.plan.stations if u not in gone.stations]

    def relay(self, relay: int, without: Without = None) -> None:
        """Passes on, at a relay, the sums that it received."""
        gone = _Gone(without)
        options = self._options("hagg-aggregate") + ["--relay", relay, "--roster", self._issued()]
        if gone.stations:
            options += ["--missing", spelt(gone.stations)]
        output = self._federator("in") / f"from-relay-{relay}.cbor"
        self._run("hagg-aggregate", options + ["-o", output], self._received(f"relay-{relay}"), notes=False)

    def _relay_for(self, station: int, gone: _Gone) -> int:
        for relay in self.plan.relays_of(station):
            if relay not in gone.relays:
                return relay
        raise UsageError(f"all relays that station {station} reaches are missing: name the station in without, too", 2)

    def _sum_keys(self, gone: _Gone) -> None:
        """With protocol keys and partial collusion: adds up the keys along the chain of stations."""
        before: list[pathlib.Path] = []
        stations = [u for u in self.plan.stations if u not in gone.stations]
        for station in stations:
            options = self._options("hagg-aggregate") + ["--station", station, "--roster", self._roster,
                                                         "--only", "keys"]
            options += ["--missing", spelt(gone.stations)] if gone.stations else []
            received = before + self._received(f"station-{station}", "client*.cbor")
            if not received:
                continue
            if station == stations[-1]:
                options += ["--via", self._relay_for(station, gone)] if gone.relays else []
                self._aggregate(options, received, "keys")
            else:
                before = [self._node(f"station-{station}", "out") / "keys.cbor"]
                self._run("hagg-aggregate", options + ["-o", before[0]], received, notes=False)

    def _aggregate(self, options: list[Any], files: list[pathlib.Path], name: str) -> None:
        """Writes sums for the next tier."""
        private(self.directory)
        tier = self.directory / "relay-{}" / "in" if self.plan.relays else self._federator("in")
        self._run("hagg-aggregate", options + ["-o", tier / f"{name}.cbor"], files, notes=False)

    # --- the federator

    def survivors(self, without: Without = None) -> set[int]:
        """The clients whose shares have reached all their stations, except missing stations. Nothing is
        decided by it. PrivacyError if they are too few for a total."""
        files = self._client_files(_Gone(without))
        if not files:
            return set()
        options = self._options("hagg-roster") + _Gone(without).without_stations
        found = json.loads(self._run("hagg-roster", options + ["--json"], files, notes=False))
        return set(Numbers(found["clients"]))

    def roster(self, clients: Union[str, Iterable[int], None] = None, without: Without = None) -> set[int]:
        """Issues the roster, which decides the clients of the total: the survivors, or those of `clients`
        among them. It is made from the reports of the stations or, if there are none, from the files of the
        clients. PrivacyError if another roster of this round was issued."""
        options = self._options("hagg-roster") + _Gone(without).without_stations
        options += ["--clients", spelt(clients)] if clients is not None else []
        self._federator("out")
        files = self._received("federator", "report-*.cbor") or self._client_files(_Gone(without))
        if not files:
            raise UsageError(f"{self.directory}: no client has shared an array in this round", 2)
        self._run("hagg-roster", options + ["--quiet", "-o", self._roster], files, notes=False)
        return set(read(self._roster)[0].clients or ())

    def decode(self, *, mean: bool = False, dtype: Optional[npt.DTypeLike] = None) -> Array:
        """Decodes the sum, or the mean, from what arrived at the federator, with the shape of the clients'
        arrays, and with their type unless `dtype` is another one. MismatchError if the sum of integers does
        not fit the type. The mean is over clients, or over samples if the plan counts them. `report`
        then has the clients, the number of samples and bounds on the error."""
        facts: dict[str, Any] = {}
        options = self._options("hagg-decode") + ["--roster", self._issued(), "--quiet", "-o", "-"]
        options += type_option(dtype) + (["--mean"] if mean else [])
        names, stdin = _inputs(self._received("federator", "from-*.cbor") + self._received("federator", "keys.cbor"))
        result = run("hagg-decode", *options, *names, read=read_npy, stdin=stdin, stdin_name="sums", facts=facts)
        errors = (float(facts[name]) for name in ("error_bound", "error_deviation", "error_bias"))
        self.report = Report(Numbers(facts["clients"]), facts.get("samples"), *errors)
        return result

    def total(self, clients: Union[str, Iterable[int], None] = None, without: Without = None, *, mean: bool = False,
              dtype: Optional[npt.DTypeLike] = None) -> Array:
        """Does everything after the sharing, at all nodes, and returns the sum or the mean over the
        survivors, or over those in `clients`, such as [1, 2, 3, 5] or "1-3,5", as `decode` does.

        `without` names stations and relays that are missing, as {"stations": [3], "relays": [1]} or as
        "stations=3 relays=1". The plan must have a drop line that allows it.
        """
        gone = _Gone(without)
        for old in [*self.directory.glob("relay-*"), self.directory / "federator" / "in"]:
            shutil.rmtree(old, ignore_errors=True)  # sums of an earlier attempt, perhaps through other relays
        self.deal(u for u in self.plan.dealers if u not in gone.stations)
        # if a courier is missing, any other station may be one
        couriers = self.plan.stations if self.plan.couriers and gone.stations else self.plan.couriers
        _each(self.pass_on, [u for u in couriers if u not in gone.stations])
        self.roster(clients, without)
        self._federator("in")
        _each(lambda station: self.sum(station, without, present=self._present(gone)),
              [u for u in self.plan.stations if u not in gone.stations and self._received(f"station-{u}")])
        if self.plan.protocol == "keys" and self.plan.collusion == "partial":
            self._sum_keys(gone)
        _each(lambda relay: self.relay(relay, without),
              [m for m in self.plan.relays if m not in gone.relays and self._received(f"relay-{m}")])
        return self.decode(mean=mean, dtype=dtype)

    def clear(self) -> None:
        """Removes the files of this round, with shares, masks and keys. The state remains, so the round has
        no other total."""
        shutil.rmtree(self.directory, ignore_errors=True)
        self._shared = _Shared()

    # --- files and options

    @property
    def _roster(self) -> pathlib.Path:
        return self.directory / "federator" / "out" / "roster.cbor"

    def _issued(self) -> pathlib.Path:
        """The roster, which must exist."""
        if not self._roster.exists():
            raise UsageError(f"{self._roster}: is missing: call roster() first, or copy it from the federator", 2)
        return self._roster

    def _node(self, node: str, which: str) -> pathlib.Path:
        private(self.directory)
        return private(self.directory / node / which)

    def _federator(self, which: str) -> pathlib.Path:
        return self._node("federator", which)

    def _received(self, node: str, pattern: str = "*.cbor") -> list[pathlib.Path]:
        return sorted(path for path in (self.directory / node / "in").glob(pattern) if path.stat().st_size > 0)

    def _client_files(self, gone: _Gone) -> list[pathlib.Path]:
        return [path for u in self.plan.stations if u not in gone.stations
                for path in self._received(f"station-{u}", "client*.cbor") if _VIA not in path.stem]

    def _look(self) -> _Shared:
        """What was shared in this round: by this object or, before that, according to the files."""
        if self._shared.kind is None:
            for path in self._client_files(_Gone(None)):
                alone = re.fullmatch(r"client-(\d+)", path.stem)
                if alone and self._shared.kind:
                    self._shared.names[int(alone[1])] = path.stem
                    continue
                with contextlib.suppress(DamagedError):  # to share again replaces the file
                    for record in read(path):
                        if record.type is not None and record.length is not None:
                            length = record.length - record.header.get("samples", False)
                            shape = (length,) if record.shape is None else record.shape
                            self._shared.add(record.clients or (), (shape, np.dtype(record.type)), path.stem)
        return self._shared

    def _vector_length(self) -> int:
        if self.plan.length is not None:
            return self.plan.length
        kind = self._look().kind
        if kind is None:
            raise UsageError("the length of the vectors is not known: share one first, or add a length line "
                             "to the plan", 2)
        return math.prod(kind[0])

    def _options(self, command: str) -> list[Any]:
        options = ["--plan", self._plan_path, "--round", self.number, "--state", self.state]
        if command != "hagg-roster":
            options.append("--no-progress")
        if self.plan.identities and self.identity is not None:
            options += ["--identity", self.identity]
        return options

    def _run(self, name: str, options: list[Any], files: list[pathlib.Path], **others: Any) -> bytes:
        names, stdin = _inputs(files)
        return run_bytes(name, *options, *names, stdin=stdin, **others)


class _Shared:
    """What clients have shared in a round: the kind of their arrays, and in which files."""

    def __init__(self) -> None:
        self.kind: Optional[Kind] = None
        self.names: dict[int, str] = {}

    def add(self, clients: Iterable[int], kind: Kind, name: str) -> None:
        self.kind = self.kind or kind
        self.names.update(dict.fromkeys(clients, name))

    def check(self, clients: Sequence[int], kind: Kind, name: str) -> None:
        """Refuses arrays of another kind, which could not be added, and a client in two files, which would be
        added twice."""
        who = f"client{'s' if len(clients) > 1 else ''} {spelt(clients)}"
        if self.kind and (kind[0], kind[1].newbyteorder("=")) != (self.kind[0], self.kind[1].newbyteorder("=")):
            raise MismatchError(f"{who}: array of shape {kind[0]} and type {kind[1].name}, but this round has "
                                f"{self.kind[0]} and {self.kind[1].name}", 4)
        wrong = {i for i in clients if self.names.get(i, name) != name}
        if name.startswith(_TOGETHER):
            wrong |= {i for i, other in self.names.items() if other == name}.difference(clients)
        if wrong:
            before = "share_all" if self.names[min(wrong)].startswith(_TOGETHER) else "share"
            raise UsageError(f"client {min(wrong)} has already shared in this round, with {before}: to share again, "
                             f"call {before} for the same clients", 2)


class _Gone:
    """The nodes that are missing."""

    def __init__(self, without: Without):
        words = without.replace(",", " ").split() if isinstance(without, str) else []
        named: dict[str, list[int]] = {}
        if isinstance(without, str):
            tier = ""
            for word in words:  # stations=3,5 relays=1: a number without a tier belongs to the one before
                tier, _, number = word.rpartition("=") if "=" in word else (tier, "", word)
                named.setdefault(tier, []).extend(_range(number, without))
        elif without is not None:
            if not isinstance(without, Mapping):
                raise UsageError(f"without: {without!r} is not like {{'stations': [3]}} or 'stations=3 relays=1'", 2)
            named = {tier: list(numbers) for tier, numbers in without.items()}
        unknown = set(named) - {"stations", "relays"}
        if unknown:
            raise UsageError(f"without: '{min(unknown)}' cannot be missing: use stations and relays", 2)
        self.stations = frozenset(named.get("stations", ()))
        self.relays = frozenset(named.get("relays", ()))

    @property
    def without_stations(self) -> list[str]:
        return ["--without", f"stations={spelt(self.stations)}"] if self.stations else []


def _whole(number: Any, name: str) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {number!r}") from None


def _counts(samples: Optional[Iterable[Any]], clients: Sequence[int]) -> Optional[list[int]]:
    """The number of samples of each client."""
    if samples is None:
        return None
    given = list(samples) if isinstance(samples, Iterable) else None
    if given is None or len(given) != len(clients):
        raise UsageError(f"samples must have one number for each of {len(clients)} clients, not "
                         f"{samples if given is None else len(given)}", 2)
    counts = []
    for client, n in zip(clients, given):
        try:
            counts.append(operator.index(n))
        except TypeError:
            raise UsageError(f"samples of client {client} must be a whole number, not {n!r}", 2) from None
        if counts[-1] < 0:
            raise UsageError(f"samples of client {client} must not be negative, but are {n}", 2)
    return counts


def _range(text: str, whole: str) -> range:
    first, _, last = text.partition("-")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise UsageError(f"without: '{whole}' is not like 'stations=3 relays=1'", 2) from None


def _inputs(files: list[pathlib.Path]) -> tuple[list[Any], Iterable[bytes]]:
    """The arguments for these input files, and the standard input."""
    if len(files) <= _MOST_NAMES:
        return ["--", *files], ()
    return ["-"], (path.read_bytes() for path in files)


def _each(step: Callable[[int], None], numbers: Sequence[int]) -> None:
    """The same step of several nodes, some at the same time."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(step, numbers):
            pass


def _absolute(path: Path) -> pathlib.Path:
    """The path, which stays the same if the working directory of the process changes."""
    absolute = os.path.abspath(path)
    if "{" in absolute:
        raise UsageError(f"{absolute}: the commands replace braces in names: use a directory without them", 2)
    return pathlib.Path(absolute)


def _own_state(workdir: pathlib.Path) -> pathlib.Path:
    """The state directory in the working directory. It is made once; after that the file .used is there, so a
    state that was lost is noticed."""
    state, used = workdir / "state", workdir / ".used"
    if used.exists() and not state.exists():
        raise PrivacyError(f"{state}: is missing, and without it nothing stops a second total: restore it, or use "
                           "another workdir", 6)
    private(state)
    used.touch(mode=0o600)
    return state


def _with_file(plan: Plan, workdir: pathlib.Path) -> Plan:
    """The plan, in a file that the commands can read."""
    if plan.path:
        return plan
    if plan.identities:
        raise UsageError("the plan has identities: save it beside their file first, with plan.save(path)", 2)
    path = workdir / "hagg.plan"
    _own(path, plan.text)
    if not path.exists():
        replace(path, [plan.text.encode()], mode=0o644)
    return Plan(path)


def _with_identities(plan: Plan, workdir: pathlib.Path, identity: str) -> Plan:
    """The plan with key pairs of all nodes, which are made in the working directory, once."""
    topology, sealed = workdir / "hagg.topo", workdir / "sealed.plan"
    text = f"{plan.text.rstrip()}\nidentities hagg.ids\n"
    _own(topology, text)
    if not sealed.exists():
        private(workdir / "keys")
        replace(topology, [text.encode()], mode=0o644)
        run_bytes("hagg-keygen", "--plan", topology, "--identity", identity, "--all", "-o", workdir / "hagg.ids")
        run_bytes("hagg-plan", "--quiet", "--keep", "--no-progress", "-o", sealed, "--", topology)
    return Plan(sealed)


def _own(path: pathlib.Path, text: str) -> None:
    """UsageError if the file exists and is another one."""
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise UsageError(f"{path}: this directory is used with another plan: use another workdir", 2)
