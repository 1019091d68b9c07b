"""What parties of a round with masks of stations see, as linear forms: docs/station-masks.md.

The variables are the clients' vectors, what hides their shares, the stations' masks, and what hides
the shares of the masks' totals. The forms are those of the definition; that the commands compute
them is seen by a run on random values, record by record.
"""

import os

import numpy

from fields import field_of
from sharing import Sharing, ceil_div

class Case:
    """clients: {number: (stations, relays)}; relays None where there are none. without_masks: what
    the commands would not do."""

    def __init__(self, name, collusion, z, n_stations, clients, n_relays=0, d=2, chain=None,
                 without_masks=False, links=None, p=251):
        self.name, self.full, self.clients = name, collusion == "full", clients
        (self.z_stations, self.z_relays), self.n_stations, self.n_relays = z, n_stations, n_relays
        self.d, self.without_masks, self.p = d, without_masks, p
        self.chain = not self.full if chain is None else chain
        self.links = links or {u: range(1, n_relays + 1) for u in range(1, n_stations + 1)}
        self.z = self.z_stations if not n_relays else \
            self.z_stations + self.z_relays if self.full else max(self.z_stations, self.z_relays)

    def text(self):
        lines = [f"field prime:p={self.p}", "masks stations", f"stations {self.n_stations}",
                 f"collude {'full' if self.full else 'partial'} stations={self.z_stations} relays={self.z_relays}"]
        if self.n_relays:
            lines.append(f"relays {self.n_relays}")
            lines += [f"station {u} via {' '.join(map(str, found))}" for u, found in self.links.items()]
        for number, (stations, relays) in self.clients.items():
            chosen = " ".join(map(str, stations))
            lines.append(f"client {number} via {' '.join(map(str, sorted(stations)))} shares {chosen}"
                         + (f" relays {' '.join(map(str, relays))}" if relays else ""))
        return "\n".join(lines) + "\n"


class Forms:
    def __init__(self, case):
        self.case = case
        self.ways = sorted({way for way in case.clients.values()}, key=str)
        self.columns = {}
        self.name_variables()
        self.total_sharing = self.sharing(case.n_stations, case.z_stations)
        self.share = {(i, u): form for i, (stations, _) in case.clients.items()
                      for u, form in self.share_forms(i, stations)}

    # The variables.

    def name_variables(self):
        case, d = self.case, self.case.d
        for i, (stations, _) in case.clients.items():
            self.add(("vector", i), d)
            self.add(("hiding", i), case.z * self.part(len(stations)))
        for way in self.ways:
            for u in way[0]:
                self.add(("mask", u, way), self.part(len(way[0])))
        for u in range(1, case.n_stations + 1):
            self.add(("noise", u), case.z_stations * ceil_div(d, case.n_stations - case.z_stations))

    def add(self, name, n):
        start = sum(len(columns) for columns in self.columns.values())
        self.columns[name] = range(start, start + n)

    @property
    def n_variables(self):
        return sum(len(columns) for columns in self.columns.values())

    def of(self, name):
        forms = numpy.zeros((len(self.columns[name]), self.n_variables), dtype="i8")
        forms[range(len(forms)), self.columns[name]] = 1
        return forms

    # The sharings: rows are forms, a column of a part each.

    def part(self, n):
        return ceil_div(self.case.d, n - self.case.z)

    def sharing(self, n, z):
        return Sharing(field_of(f"prime:p={self.case.p}"), "ramp", n, n, z, range(1, n + 1))

    def combine(self, rows, coefficients):
        return sum(int(c) * row for c, row in zip(coefficients, rows)) % self.case.p

    def cut(self, forms, n_parts):
        length = ceil_div(len(forms), n_parts)
        filled = numpy.zeros((n_parts * length, self.n_variables), dtype="i8")
        filled[: len(forms)] = forms
        return [filled[i * length : (i + 1) * length] for i in range(n_parts)]

    def share_forms(self, client, stations):
        n = len(stations)
        secrets = self.cut(self.of(("vector", client)), n - self.case.z)
        secrets += self.cut(self.of(("hiding", client)), self.case.z) if self.case.z else []
        for index, station in enumerate(stations):
            yield station, self.combine(secrets, self.sharing(n, self.case.z).rows[index])

    # What stations send.

    def masked(self, way, index):
        """The sum that a station sends on for one pattern."""
        station = way[0][index]
        total = sum(self.share[i, station] for i, own in self.case.clients.items() if own == way)
        if not self.case.without_masks:
            total = total + self.of(("mask", station, way))
        return total % self.case.p

    def total(self, station):
        """What the station's masks decode to when all others are zeros."""
        total = numpy.zeros((self.case.d, self.n_variables), dtype="i8")
        for way in self.ways:
            if station not in way[0]:
                continue
            sharing, index = self.sharing(len(way[0]), self.case.z), way[0].index(station)
            unit = {u: numpy.array([int(u == index)]) for u in range(sharing.n)}
            column = [int(x[0]) for x in sharing.decode(unit)[: sharing.parts]]
            parts = [c * self.of(("mask", station, way)) % self.case.p for c in column]
            total = (total + numpy.concatenate(parts)[: self.case.d]) % self.case.p
        return total

    def masking(self):
        return sorted({u for way in self.ways for u in way[0]})

    def total_share(self, station, holder):
        secrets = self.cut(self.total(station), self.total_sharing.parts)
        if self.case.z_stations:
            secrets += self.cut(self.of(("noise", station)), self.case.z_stations)
        return self.combine(secrets, self.total_sharing.rows[holder - 1])

    def total_sum(self, holder):
        return sum(self.total_share(u, holder) for u in self.masking()) % self.case.p

    # What parties see.

    def chain_before(self, station):
        return sum((self.total(u) for u in self.masking() if u < station),
                   numpy.zeros((self.case.d, self.n_variables), dtype="i8")) % self.case.p

    def of_station(self, station):
        """But for its own masks, which it knows."""
        seen = [form for (_, u), form in self.share.items() if u == station]
        if self.case.without_masks:
            return seen
        if self.case.chain:
            return seen + [self.chain_before(station)]
        return seen + [self.total_share(u, station) for u in self.masking()]

    def of_relay(self, relay):
        seen = [self.masked(way, i) for way in self.ways for i, m in enumerate(way[1]) if m == relay]
        return seen + ([] if self.case.without_masks else self.of_totals(relay))

    def of_totals(self, relay=None):
        """That pass the relay, or all."""
        links = self.case.links
        if self.case.chain:
            last = self.masking()[-1]
            return [self.chain_before(last + 1)] if relay in (None, min(links[last], default=0)) else []
        return [self.total_sum(u) for u in range(1, self.case.n_stations + 1)
                if relay in (None, min(links[u], default=0))]

    def groups(self):
        return sorted({way[1] or way[0] for way in self.ways})

    def merged(self, group, index):
        return sum(self.masked(way, index) for way in self.ways if (way[1] or way[0]) == group) % self.case.p

    def of_federator(self):
        seen = [self.merged(group, i) for group in self.groups() for i in range(len(group))]
        return seen + ([] if self.case.without_masks else self.of_totals())


class Run:
    """The commands, on given values of all variables."""

    def __init__(self, forms, commands, values):
        self.forms, self.case, self.commands, self.values = forms, forms.case, commands, values
        commands.write("plan", self.case.text().encode())

    def drawn(self, *names):
        return bytes(int(x) for name in names for x in self.values[list(self.forms.columns[name])])

    def share(self, client):
        p = self.case.p
        vector = [x - p * (x > p // 2) for x in self.drawn(("vector", client))]
        self.commands.write("vector", "".join(f"{x}\n" for x in vector).encode())
        self.commands.write("source", self.drawn(("hiding", client)))
        self.commands.run("share", "--plan", "plan", "--client", client, "--round", 1, "--type", "i2", "--format",
                          "text", "--random-source", "source", "-o", f"station-{{}}/{client}", "vector")

    def make_masks(self, station):
        """hagg-keygen draws identities, too: of the file, and of each mask."""
        source = bytes(16)
        for header in self.patterns(station):
            source += os.urandom(16) + self.drawn(("mask", station, header))
        self.commands.write("source", source + (self.drawn(("noise", station)) if self.case.full else b""))
        self.commands.run("keygen", "--plan", "plan", "--station", station, "--round", 1, "--length", self.case.d,
                          "--random-source", "source", "-o", f"masks-{station}")

    def patterns(self, station):
        """In the order of the file, which a file with other values shows."""
        self.commands.run("keygen", "--plan", "plan", "--station", station, "--round", 1, "--length", self.case.d,
                          "-o", "order")
        for record in self.commands.records("order"):
            route = [tuple(tier[1]) for tier in record.header.get("route", [])]
            if route:
                yield (route[0], route[1] if len(route) > 1 else None)

    def aggregate(self, output, *arguments):
        self.commands.run("aggregate", "--plan", "plan", *arguments, "-o", output)

    def station(self, station):
        masks = ["--station", station, "--masks", f"masks-{station}"]
        files = [f"station-{station}/{i}" for i, (stations, _) in self.case.clients.items() if station in stations]
        self.aggregate(f"to-{{}}/sums-{station}", *masks, "--only", "shares", *files)
        if not self.case.chain:
            self.aggregate(f"for-{{}}/{station}", *masks, "--only", "masks")

    def check(self, report):
        """Everything that is sent, against the forms."""
        masking = self.forms.masking()
        for client in self.case.clients:
            self.share(client)
        for station in masking:
            self.make_masks(station)
            self.station(station)
        before = []
        for station in masking if self.case.chain else range(1, self.case.n_stations + 1):
            masks = ["--masks", f"masks-{station}"] if self.case.chain else []
            files = before if self.case.chain else [f"for-{station}/{u}" for u in masking]
            self.aggregate(f"to-{{}}/total-{station}", "--station", station, "--only", "masks", *masks, *files)
            before = [f"to-{self.next(station)}/total-{station}"]
        self.check_shares(report)
        self.check_totals(report)
        self.check_sums(report)

    def next(self, station):
        later = [u for u in self.forms.masking() if u > station]
        if self.case.chain and later:
            return later[0]
        return min(self.case.links[station], default=1)

    def holds(self, report, name, index, form):
        """That record number index of the file is what the form says."""
        got = self.commands.records(name)[index].elements.astype("i8")
        want = form.dot(self.values) % self.case.p
        report.check(len(got) == len(want) and (got == want).all(), f"{name}: {got} is not {want}")

    def check_shares(self, report):
        for (client, station), form in self.forms.share.items():
            self.holds(report, f"station-{station}/{client}", 0, form)

    def check_totals(self, report):
        for u in self.forms.masking():
            if self.case.chain:
                self.holds(report, f"to-{self.next(u)}/total-{u}", 0, self.forms.chain_before(u + 1))
        for holder in range(1, self.case.n_stations + 1):
            if not self.case.chain:
                for u in self.forms.masking():
                    self.holds(report, f"for-{holder}/{u}", 0, self.forms.total_share(u, holder))
                self.holds(report, f"to-{self.next(holder)}/total-{holder}", 0, self.forms.total_sum(holder))

    def check_sums(self, report):
        n = 0
        for station in self.forms.masking():
            for to in range(1, max(self.case.n_relays, 1) + 1):
                name = f"to-{to}/sums-{station}"
                if not self.commands.exists(name):
                    continue
                for at, record in enumerate(self.commands.records(name)):
                    first = record.header["clients"][0]
                    way = self.case.clients[first]
                    self.holds(report, name, at, self.forms.masked(way, way[0].index(station)))
                    n += 1
        report.equal(n, sum(len(way[0]) for way in self.forms.ways), "sums of stations")
