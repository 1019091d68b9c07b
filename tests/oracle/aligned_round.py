"""One round of protocol aligned by the real commands; every record that they write is compared with the
polynomials of aligned.py.

Shares and masks are computed from the random bytes that the commands had, sums from shares and masks.
"""

import io
import json
import os

import numpy

from aligned import Polynomials
from aligned_relays import Relays, choose, ranges
from expansion import expand
from fields import field_of
from result import MALFORMED, TOO_FEW, Result
from round import Round
from seeds import SEED_BYTES, courier_of, expanded, seeds_of
from topology import Topology

SOURCE_BYTES = 1 << 17


def listed(numbers):
    return ",".join(map(str, sorted(numbers)))


class AlignedRound(Round):
    def __init__(self, case, commands, report):
        self.case, self.commands, self.report, self.rng = case, commands, report, case.rng
        self.topology = Topology(field=case.spec, full=case.full, z=case.z, drop=case.t, quant=case.quant,
                                 samples=case.has_samples, minimum=2, n_stations=case.n_stations)
        self.field, self.length, self.unsafe = field_of(case.spec), case.length + case.has_samples, []
        self.integers, self.elements, self.shares, self.masks, self.bare = {}, {}, {}, {}, None
        self.plan_digest = None
        self.n_summands = self.n_passed_on = self.n_idle = 0
        # shares and masks either are from bytes given here, or have identities
        self.has_sources = self.rng.random() < 0.7
        self.counts = {"client": 0, "chain": 0, "relay": 0, "federator": 0}
        commands.write_plan("plan", case.text())

    # Random bytes

    def source(self, name):
        """The options that name a file of random bytes, and the bytes."""
        if not self.has_sources:
            return [], None
        data = self.rng.randbytes(SOURCE_BYTES)
        self.commands.write(f"random-{name}", data)
        return ["--random-source", f"random-{name}"], io.BytesIO(data)

    def draw(self, source, n):
        """Elements from random bytes, by rejection: hagg-plugin(3)."""
        order, found = self.field.order, []
        bits = (order - 1).bit_length()
        while len(found) < n:
            tried = int.from_bytes(source.read(self.case.size), "little") & ((1 << bits) - 1)
            if tried < order:
                found.append(tried)
        return found

    def expand(self, seed, n):
        return [int(x) for x in expand(seed, self.case.spec, n)]

    # Headers

    def check_header(self, record, station, what, **keys):
        """Checks the keys of all records for or from a station, and the given ones."""
        h, a, report = record.header, self.case.aligned, self.report
        if self.plan_digest is None:
            self.plan_digest = h["plan"]
            self.check_plan_digest()
        self.check_common(record, keys.pop("clients", []), what)
        report.equal(h["scheme"], {"name": "aligned", "n": len(a.stations), "k": a.k, "z": a.z,
                                   "index": a.stations.index(station), "point": a.point(station)},
                     f"{what}: scheme")
        report.equal(h["route"], [["station", a.stations]], f"{what}: route")
        keys = {"kind": "share", "segments": a.n_segments, "chunks": None, "dealers": None, **keys}
        report.equal({key: h.get(key) for key in keys}, keys, f"{what}: header")

    def check_common(self, record, clients, what):
        record.header.setdefault("clients", [])
        super().check_common(record, clients, what)

    def of_vector(self):
        """The keys that describe the vectors."""
        quant = self.case.quant
        return {"of": "plain", "type": self.case.type, "shape": list(self.case.shape),
                "quant": quant and quant.header}

    def rows(self, record, n_columns):
        elements = [int(x) for x in record.elements]
        return [elements[i : i + n_columns] for i in range(0, len(elements), n_columns)]

    # Clients

    def run_client(self, client):
        case = self.case
        option, source = self.source(f"client-{client}")
        samples = ["--samples", case.samples[client]] if case.has_samples else []
        threads = self.rng.choice(([], ["--threads", 2]))
        self.commands.run("share", "--plan", "plan", "--client", client, "--round", case.round, *samples, *option,
                          *threads, "-o", f"station-{{}}/client-{client}", *self.write_vector(client))
        records = self.records_of(client)
        if not self.report.equal(sorted(records), case.clients[client], f"stations of client {client}"):
            return
        values, n = {}, case.row * len(case.aligned.blocks_of(client))
        for u, record in sorted(records.items()):
            name = f"client {client} for station {u}"
            self.check_header(record, u, name, clients=[client], blocks=[case.aligned.parts(client)],
                              **{"from": ["client", client], "to": ["station", u]}, **self.of_vector())
            self.report.equal("id" in record.header, not self.has_sources, f"{name}: id")
            self.report.equal(record.header.get("seed", False), u in self.seeds_of(client), f"{name}: seed")
            values[u] = self.rows(expanded(record, n), case.row)
            self.counts["client"] += len(record.elements)
        self.shares[client] = values
        self.check_vector(client)
        if self.has_sources:
            self.check_shares(client, source)

    def seeds_of(self, client):
        """The stations that get seeds."""
        case = self.case
        return seeds_of(case.clients[client], case.reached(client), case.z) if client in case.computational else set()

    def records_of(self, client):
        """The client's records by station. Those in the file of a courier go on to the directories of their
        stations."""
        found, commands = {}, self.commands
        for u in range(1, self.case.n_stations + 1):
            name = f"station-{u}/client-{client}"
            if not commands.exists(name):
                continue
            data, moved = commands.read(name), []
            for record in commands.records(name):
                tier, to = record.header["to"]
                self.report.check(tier == "station" and to not in found, f"{name}: a second record for {to}")
                self.report.equal(u, courier_of(to, self.case.reached(client)), f"{name}: courier to {to}")
                found[to] = record
                moved.append((to, data[record.offset : record.offset + record.len_bytes]))
            commands.write(name, b"".join(raw for to, raw in moved if to == u))
            for to, raw in moved:
                if to != u:
                    os.makedirs(commands.path(f"station-{to}"), exist_ok=True)
                    commands.write(f"station-{to}/passed-on-{client}", raw)
        return found

    def check_vector(self, client):
        """The shares are on polynomials, whose values at the segments are the vector."""
        case, segments = self.case, []
        for j in range(case.row):
            column = {u: [row[j] for row in rows] for u, rows in self.shares[client].items()}
            found = case.aligned.vector_of(client, column)
            if not self.report.check(found, f"client {client}: column {j} is on no polynomial"):
                found = [0] * case.n_segments
            segments.append(found)
        elements = [segments[j][c] for c in range(case.n_segments) for j in range(case.row)]
        self.report.check(not any(elements[self.length :]), f"client {client}: is not filled up with zeros")
        self.elements[client] = self.field.vector(numpy.array(elements[: self.length], dtype=object))
        self.integers[client] = self.field.to_ints(self.elements[client])
        self.check_integers(client)

    def check_shares(self, client, source):
        """The shares that follow from the random bytes: for each block z rows, or z seeds for all blocks."""
        case, a = self.case, self.case.aligned
        if case.quant and case.quant.rounding == "stochastic":
            source.read(4 * case.length)  # for the rounding
        elements = [int(x) for x in self.elements[client]]
        elements += [0] * (case.row * case.n_segments - len(elements))
        values, blocks = {u: [] for u in case.clients[client]}, a.blocks_of(client)
        holders = sorted(self.seeds_of(client)) or case.clients[client][: case.z]
        if client in case.computational:
            expansions = [self.expand(source.read(SEED_BYTES), case.row * len(blocks)) for _ in holders]
        for block, (first, end) in enumerate(blocks):
            if client in case.computational:
                drawn = [e[block * case.row : (block + 1) * case.row] for e in expansions]
            else:
                drawn = [self.draw(source, case.row) for _ in holders]
            columns = [a.block(client, first, end, [elements[c * case.row + j] for c in range(first, end)],
                               [r[j] for r in drawn], holders) for j in range(case.row)]
            for u in values:
                values[u].append([a.polynomials.value(f, a.point(u)) for f in columns])
        self.report.check(values == self.shares[client], f"client {client}: other shares than its random bytes give")

    # Dealers

    def run_dealer(self, dealer):
        case, a = self.case, self.case.aligned
        option, source = self.source(f"dealer-{dealer}")
        self.commands.run("keygen", "--plan", "plan", "--station", dealer, "--round", case.round, "--length",
                          case.length, *option, "-o", f"station-{{}}/mask-{dealer}")
        self.check_bare(dealer)
        mask = {u: [[0] * case.mask_row for _ in a.intervals_of(u)] for u in self.bare}
        for u in a.stations:
            if u in self.bare:
                continue
            name = f"station-{u}/mask-{dealer}"
            record, = self.commands.records(name)
            self.check_header(record, u, name, blocks=a.counts[u], chunks=case.n_chunks, dealers=[dealer] * 2,
                              of="mask", **{"from": ["station", dealer], "to": ["station", u]})
            is_seed = case.privacy == "privacy" and u in a.all_drawn(self.bare)
            self.report.equal(record.header.get("seed", False), is_seed, f"{name}: seed")
            mask[u] = self.rows(expanded(record, case.mask_row * len(a.intervals_of(u))), case.mask_row)
            self.report.equal(len(mask[u]), len(a.intervals_of(u)), f"{name}: rows")
            self.counts["chain"] += len(record.elements) if u != dealer else 0
        for j in range(case.mask_row):
            column = {u: [row[j] for row in rows] for u, rows in mask.items()}
            self.report.check(a.is_mask(column), f"the mask of {dealer} does not decode to zero")
        self.masks[dealer] = mask
        if self.has_sources:
            drawn = self.draw_masks(source)
            want = [a.deal([row[j] for row in drawn], self.bare) for j in range(case.mask_row)]
            got = [{u: [row[j] for row in mask[u]] for u in a.stations} for j in range(case.mask_row)]
            self.report.check(got == want, f"the mask of {dealer} does not follow from its random bytes")

    def draw_masks(self, source):
        """By draw a row: first the seeds are drawn, then the rows of the other stations."""
        case, a = self.case, self.case.aligned
        seeds = a.all_drawn(self.bare) if case.privacy == "privacy" else []
        expansions = {u: iter(self.expand(source.read(SEED_BYTES), case.mask_row * len(a.intervals_of(u))))
                      for u in seeds}
        return [[next(expansions[u]) for _ in range(case.mask_row)] if u in seeds
                else self.draw(source, case.mask_row) for _, u in a.steps(self.bare)]

    def check_bare(self, dealer):
        """Under partial collusion the z stations with the most rows, dealers apart, have no masks."""
        case, a = self.case, self.case.aligned
        bare = [u for u in a.stations if not self.commands.exists(f"station-{u}/mask-{dealer}")]
        others = [u for u in a.stations if u not in case.dealers]
        n_rows = sorted((len(a.intervals_of(u)) for u in others), reverse=True)
        n = 0 if case.full else min(case.z, len(others))
        self.report.equal(sorted((len(a.intervals_of(u)) for u in bare), reverse=True), n_rows[:n],
                          "rows of the stations without masks")
        self.report.check(self.bare in (None, bare) and not set(bare) & set(case.dealers),
                          f"stations without masks: {bare}, {self.bare}")
        self.bare = bare

    # Stations

    def wanted_sum(self, station, clients, dealers):
        """Shares by interval, and the masks of dealers by chunk: theory.md, section 12."""
        case, a, add = self.case, self.case.aligned, self.field.add
        p, rows = Polynomials(self.field), []
        for index, (first, _) in enumerate(a.intervals_of(station)):
            row = [0] * case.row
            for i in clients:
                if station in self.shares[i]:
                    row = list(map(add, row, self.shares[i][station][first // a.parts(i)]))
            for chunk in range(case.n_chunks):
                power = [0] * chunk + [1]
                for dealer in dealers:
                    factor = p.value(power, case.dealers.index(dealer))
                    for j, x in enumerate(self.masks[dealer][station][index]):
                        at = chunk * case.mask_row + j
                        if at < case.row:
                            row[at] = add(row[at], self.field.multiply(factor, x))
            rows.append(row)
        return rows

    def files_of(self, station):
        files = [f"station-{station}/{name}" for name in os.listdir(self.commands.path(f"station-{station}"))]
        self.rng.shuffle(files)
        return files

    def choose_relays(self, stations, missing, freely):
        """By station the option that names its relay, and the relay; a station without one is as good as missing.
        With freely some use another one than the plan determines."""
        case = self.case
        if not case.n_relays:
            return {}, {}
        present = [m for m in range(1, case.n_relays + 1) if m not in self.missing_relays]
        chosen = choose(case, stations if missing else case.aligned.stations, present)
        usual = choose(case, case.aligned.stations, range(1, case.n_relays + 1))
        for u in sorted(chosen):
            if freely and self.rng.random() < 0.3:
                chosen[u] = self.rng.choice([m for m in case.links[u] if m in present])
        return {u: ["--via", m] for u, m in chosen.items() if m != usual[u]}, chosen

    def run_stations(self, clients, dealers, stations, tag, roster=None, missing=(), freely=False):
        """Returns the files for the federator, and the sums among their records by station. missing: stations
        that relays know to be missing."""
        case, sums = self.case, {}
        options = ["--roster", roster] if roster else ["--round", case.round]
        if not roster and clients != list(case.clients):
            options += ["--clients", listed(clients)]
        options += [] if len(dealers) == len(case.dealers) else ["--dealers", listed(dealers)]
        self.missing_relays = self.rng.sample(range(1, case.n_relays + 1), case.drop_relays)
        via, chosen = self.choose_relays(stations, missing, freely)
        for u in stations:
            has_any = any(u in self.shares[i] for i in clients) or (dealers and u not in self.bare)
            name = f"{tag}-{u}"
            arguments = ["--plan", "plan", "--station", u, *options, *via.get(u, [])]
            self.aggregate(name, arguments, self.files_of(u))
            if not has_any:
                self.report.equal(self.commands.read(name), b"", f"{name}: sum of nothing")
                self.n_idle += 1
                continue
            to = ["relay", chosen[u]] if chosen else ["federator", 1]
            self.check_sum(name, u, ["station", u], to, clients, dealers)
            sums[u] = name
        if not chosen:
            return list(sums.values()), sums
        relays = Relays(self, chosen, missing, clients, dealers, tag)
        files, passed_on = relays.run(sums)
        self.n_summands, self.n_passed_on = relays.n_summands, relays.n_sums
        return files, passed_on

    def check_sum(self, name, station, sender, to, clients, dealers):
        a = self.case.aligned
        record, = self.commands.records(name)
        # the sum of a mask alone does not describe vectors
        described = self.of_vector() if any(station in self.shares[i] for i in clients) else {"of": "plain"}
        self.check_header(record, station, name, clients=clients, blocks=a.counts[station],
                          dealers=ranges(dealers) or None, **{"from": sender, "to": to}, **described)
        self.report.check(self.rows(record, self.case.row) == self.wanted_sum(station, clients, dealers),
                          f"{name}: is not the sum of shares and masks")
        self.counts[to[0]] += len(record.elements)

    # The federator

    def check_measured(self):
        """hagg-cost predicts exactly what was sent. Seeds are counted in another way."""
        if self.case.has_seeds:
            return
        without = ["--without", "relays=" + listed(self.missing_relays)] if self.missing_relays else []
        out, _ = self.commands.run("cost", "--measure", "--plan", "plan", "--format", "json", *without,
                                   *self.names_of("station"), *self.names_of("all"))
        counts = {}
        for link in json.loads(out)["links"]:
            name = "client" if link["from"] == "client" else "chain" if link["to"] == "station" else link["to"]
            counts[name] = counts.get(name, 0) + link["symbols"]
        self.report.equal(counts, {name: n for name, n in self.counts.items() if n > 0}, "symbols measured")

    def spoil(self, name, everywhere):
        """Changes all or some elements of a sum, and its digest with it."""
        record, = self.commands.records(name)
        elements = record.elements.copy()
        n = len(elements) if everywhere else self.rng.randint(1, len(elements))
        for at in self.rng.sample(range(len(elements)), n):
            other = (int(elements[at]) + self.rng.randrange(1, self.field.order)) % self.field.order
            elements[at] = other
        self.commands.write_record(f"{name}-wrong", record.header, elements)
        return f"{name}-wrong"

    def check_wrong(self, clients, sums):
        """With t stations to spare, up to t wrong sums are detected, and up to t / 2 corrected and named. In
        a large field, more than t / 2 are very unlikely to look like fewer."""
        t = len(sums) - self.case.aligned.k
        for n_wrong in range(1, t + 1):
            wrong = self.rng.sample(sorted(sums), n_wrong)
            files = [self.spoil(name, 2 * n_wrong > t) if u in wrong else name for u, name in sums.items()]
            self.rng.shuffle(files)
            _, said = self.decode(files, status=MALFORMED)
            if 2 * n_wrong > t:
                if self.field.order > 2**30:
                    self.decode(files, "--correct", status=MALFORMED)
                continue
            self.report.check(any(f"station {u} " in said for u in wrong), f"blames another: {said}")
            Result(self, clients).check_sum(files, "--correct")
            wide = ["--type", "i8"] if not self.case.quant else []
            _, said = self.decode(files, "--correct", *wide)
            for u in sums:
                self.report.equal(f"the share of station {u} " in said, u in wrong, f"blames station {u}: {said}")


def run_round(case, commands, report):
    this, a = AlignedRound(case, commands, report), case.aligned
    for client in case.clients:
        this.run_client(client)
    for dealer in case.dealers:
        this.run_dealer(dealer)
    everybody = list(case.clients)
    files, sums = this.run_stations(everybody, case.dealers, a.stations, "all")
    this.check_measured()
    result = Result(this, everybody)
    result.check_all(files)
    if this.n_summands:
        this.decode(this.rng.sample(files, len(files) - 1), status=TOO_FEW)
    else:
        some = this.rng.sample(sorted(sums), a.k)
        result.check_sum([sums[u] for u in some])
        this.decode([sums[u] for u in some[1:]], status=TOO_FEW)
        this.check_wrong(everybody, sums)
    relays = this.n_summands, this.n_passed_on
    commands.forget()
    check_missing(this)
    report.check(this.n_idle > 0 or not case.has_idle, "no station is idle")
    return [relays, (this.n_summands, this.n_passed_on)] if case.n_relays else []


def check_missing(this):
    """Fewer clients, and as many missing dealers and stations as the plan allows."""
    case, a, rng = this.case, this.case.aligned, this.rng
    clients = case.choose_survivors()
    missing = rng.sample(a.stations, rng.randint(0, case.t))
    dealers = [d for d in case.dealers if d not in missing]
    stations = [u for u in a.stations if u not in missing]
    roster = None
    if rng.random() < 0.5:
        roster = "roster"
        this.commands.run("roster", "--plan", "plan", "--round", case.round, "--clients", listed(clients),
                          "-o", roster)
    known = missing if rng.random() < 0.7 else ()
    files, sums = this.run_stations(clients, dealers, stations, "some", roster, known, freely=True)
    # a station that has nothing to send is as good as one that sends zeros
    Result(this, clients).check_sum(files, *(["--roster", roster] if roster else []))
    if not this.n_summands and len(stations) == a.k and sums:
        this.decode(list(sums.values())[1:], status=TOO_FEW)
