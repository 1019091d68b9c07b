"""Relays of protocol aligned: which relay a station uses, and what relays send. The rules are those of
docs/aligned.md."""



def rows_of(case, stations):
    return sum(len(case.aligned.intervals_of(u)) for u in stations)


def combines(case, stations, n_present):
    """True if a relay with the sums of these stations combines them; n_present stations are not known to be
    missing."""
    return n_present == case.aligned.k and rows_of(case, stations) > case.n_segments


def choose(case, stations, relays):
    """By station its relay: one relay after the other gets all stations that reach it and have none, as long as
    it combines them; the rest take turns among the relays that they reach. Stations without a relay are not in
    it."""
    chosen, left = {}, list(stations)
    while True:
        mine = {m: [u for u in left if m in case.links[u]] for m in relays}
        best = max(relays, key=lambda m: (rows_of(case, mine[m]), -m))
        if not combines(case, mine[best], len(stations)):
            break
        chosen.update({u: best for u in mine[best]})
        left = [u for u in left if u not in chosen]
    for u in left:
        turn, links = case.aligned.stations.index(u), case.links[u]
        reached = [m for m in (links[(turn + j) % len(links)] for j in range(len(links))) if m in relays]
        if reached:
            chosen[u] = reached[0]
    return dict(sorted(chosen.items()))


def ranges(numbers):
    found = []
    for u in sorted(numbers):
        found = found[:-1] + [u] if found and found[-1] == u - 1 else found + [u, u]
    return found


class Relays:
    """The relays of a round. chosen: by station its relay. missing: stations that the relays know to be
    missing."""

    def __init__(self, this, chosen, missing, clients, dealers, tag):
        self.this, self.case, self.chosen, self.tag = this, this.case, chosen, tag
        self.clients, self.dealers, self.missing = clients, dealers, missing
        self.basis = [u for u in self.case.aligned.stations if u not in missing]
        self.n_summands = self.n_sums = 0

    def run(self, sums):
        """Returns the files for the federator, and the sums among the records, by station, as files of their
        own. sums: by station its file."""
        files, passed_on = [], {}
        for relay in sorted(set(self.chosen.values())):
            stations = [u for u in sums if self.chosen[u] == relay]
            if stations:
                files.append(self.run_relay(relay, stations, [sums[u] for u in stations], passed_on))
        return files, passed_on

    def run_relay(self, relay, stations, names, passed_on):
        this, name = self.this, f"{self.tag}-relay-{relay}"
        this.rng.shuffle(names)
        options = ["--missing", ",".join(map(str, self.missing))] if self.missing else []
        this.commands.run("aggregate", "--plan", "plan", "--relay", relay, *options, "-o", name, *names)
        records = this.commands.records(name)
        if combines(self.case, stations, len(self.basis)):
            this.report.equal([r.header["kind"] for r in records], ["summand"], f"{name}: kinds")
            self.check_summand(records[0], relay, stations, name)
            self.n_summands += 1
        else:
            this.report.equal(len(records), len(stations), f"{name}: records")
            for record in records:
                station = self.case.aligned.stations[record.header["scheme"]["index"]]
                passed_on[station] = f"one-{self.tag}-{station}"
                this.commands.write_record(passed_on[station], record.header, record.elements)
                this.check_sum(passed_on[station], station, ["relay", relay], ["federator", 1], self.clients,
                               self.dealers)
                self.n_sums += 1
        return name

    def check_summand(self, record, relay, stations, name):
        this, case, h = self.this, self.case, record.header
        described = any(u in this.shares[i] for u in stations for i in self.clients)
        want = {"kind": "summand", "from": ["relay", relay], "to": ["federator", 1], "stations": ranges(stations),
                "basis": ranges(self.basis), "dealers": ranges(self.dealers) or None, "of": "plain",
                "id": None, "scheme": None, "route": None, **(this.of_vector() if described else {})}
        this.check_common(record, self.clients, name)
        this.report.equal({key: h.get(key) for key in want}, want, f"{name}: header")
        sums = {u: this.wanted_sum(u, self.clients, self.dealers) for u in stations}
        columns = [case.aligned.summand({u: [row[j] for row in rows] for u, rows in sums.items()}, stations,
                                        self.basis) for j in range(case.row)]
        elements = [columns[j][c] for c in range(case.n_segments) for j in range(case.row)]
        this.report.check([int(x) for x in record.elements] == elements[: this.length],
                          f"{name}: is not what its stations add to the total")
        this.counts["federator"] += len(record.elements)
