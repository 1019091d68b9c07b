"""Rounds with stand-by sums, in which stations are lost one after the other: stand_by.py BIN COUNT [SEED [INDEX]].

Stations send the k sums with the fewest rows, and others only if one of these is lost, with --present and --after.
Which stations send is computed here from the rows of docs/aligned.md, every record that they write is compared
with its polynomials as aligned_round.py does, and the total with the sum of the vectors. No station sends twice,
none sends another set of clients, and the federator decodes as soon as it has k sums, not before.
"""

import json
import os
import random
import sys
import tempfile

from aligned_round import AlignedRound, listed
from commands import Commands
from generate_aligned import KINDS, Spares
from report import Report
from result import PRIVACY, TOO_FEW, Result

class Chain(Spares):
    """Several stations may be lost, one after the other."""

    stations, spares = (7, 10), (2, 3)


# Kinds of generate_aligned.py, and the one above; plans without spare stations or with relays are not used.
SOURCES = {"chain": Chain, **{kind: KINDS[kind] for kind in
                              ("spares", "dealers", "quantised", "alike", "bytes", "idle", "seed-spares")}}

# Cases that must have occurred with ENOUGH rounds.
ENOUGH = 16
tally = {"stations lost one after the other": 0, "lost from the start": 0, "lost after it has sent": 0,
         "a stand-by station is lost": 0, "rows differ": 0, "idle": 0, "fewer clients": 0}


class StandBy:
    """The rule: of the stations that are present, the k with the fewest rows send."""

    def __init__(self, aligned):
        rows = {u: len(aligned.intervals_of(u)) for u in aligned.stations}
        self.k, self.order = aligned.k, sorted(aligned.stations, key=lambda u: (rows[u], u))
        tally["rows differ"] += len(set(rows.values())) > 1

    def sending(self, present):
        return [u for u in self.order if u in present][: self.k]


class Attempts:
    def __init__(self, case, commands, report):
        self.case, self.commands, self.report, self.rng = case, commands, report, case.rng
        self.round, self.rule = AlignedRound(case, commands, report), StandBy(case.aligned)
        for client in case.clients:
            self.round.run_client(client)
        for dealer in case.dealers:
            self.round.run_dealer(dealer)
        self.clients = list(case.clients)
        if case.has_idle or self.rng.random() < 0.3:
            self.clients = case.choose_survivors()
            tally["fewer clients"] += 1
        self.sent, self.idle = {}, set()  # by station its file
        unused = set(range(1, case.n_stations + 1)) - set(case.aligned.stations)
        # stations that no client uses may be named or not
        self.others = [u for u in sorted(unused) if self.rng.random() < 0.5]

    def options(self, clients=None):
        clients = clients or self.clients
        return [] if clients == list(self.case.clients) else ["--clients", listed(clients)]

    def aggregate(self, name, station, present, after, clients=None, status=0):
        named = ["--present", listed([*present, *self.others])]
        named += ["--after", listed([*after, *self.others])] if after else []
        return self.commands.run("aggregate", "--plan", "plan", "--round", self.case.round, "--station", station,
                                 *self.options(clients), *named, "-o", name, *self.round.files_of(station), status=status)

    def is_idle(self, station):
        return not any(station in self.round.shares[i] for i in self.clients) and (
            not self.case.dealers or station in self.round.bare)

    def attempt(self, number, present, before):
        """All stations that are present run the command; returns the files that are not empty."""
        sending = self.rule.sending(present)
        expected = {u for u in sending if not before or u not in before or u not in self.rule.sending(before)}
        for u in present:
            name = f"{number}-{u}"
            _, said = self.aggregate(name, u, present, before)
            if self.is_idle(u):
                self.report.equal(self.commands.read(name), b"", f"{name}: sum of nothing")
                tally["idle"] += u not in self.idle
                self.idle.add(u)
            elif u in expected:
                self.round.check_sum(name, u, ["station", u], ["federator", 1], self.clients, self.case.dealers)
                self.report.check(u not in self.sent, f"station {u} sends twice")
                self.sent[u] = name
            else:
                self.report.equal(self.commands.read(name), b"", f"{name}: station {u} sends nothing")
                why = "the sum stands by" if u not in sending else "the run with --after sent what these nodes require"
                self.report.check(f"nothing to send: {why}" in said, f"{name}: {said}")
        self.refuse_another_set(present, before)

    def refuse_another_set(self, present, before):
        """Also a station that has sent nothing."""
        other = [i for i in self.case.clients if i != self.rng.choice(self.clients)]
        able = [u for u in present if u not in self.idle]
        if len(other) < 2 or other == self.clients or not able:
            return
        silent = [u for u in able if u not in self.sent]
        u = self.rng.choice(silent or able)
        if not any(u in self.case.clients[i] for i in other):
            return
        _, said = self.aggregate("other", u, present, before, other, status=PRIVACY)
        self.report.check("already sent sums" in said and not self.commands.exists("other"), said)

    def refuse_too_few(self, lost):
        """One station less than the plan needs."""
        stations = self.case.aligned.stations
        few = self.rng.sample([u for u in stations if u not in lost], self.case.aligned.k - 1)
        if not few:
            return
        _, said = self.aggregate("few", few[0], few, (), status=TOO_FEW)
        self.report.check(f"--present names only {len(few)} of the stations in use" in said, said)
        self.report.check(not self.commands.exists("few"), "wrote a file")

    def check_measured(self, lost):
        """hagg-cost counts what was sent, also by stations that were lost later, and predicts it."""
        if self.case.has_seeds:
            return
        options = ["--without", "stations=" + listed(lost)] if lost else []
        out, _ = self.commands.run("cost", "--measure", "--plan", "plan", "--format", "json", *self.options(),
                                   *options, *self.round.names_of("station"), *self.sent.values())
        links = [x for x in json.loads(out)["links"] if x["to"] == "federator"]
        n = sum(len(record.elements) for name in self.sent.values() for record in self.commands.records(name))
        self.report.equal(sum(x["symbols"] for x in links), n, "symbols of sums")
        self.report.equal(sum(x["predicted_symbols"] for x in links), n, "symbols of sums predicted")
        self.lose_one(options, lost)

    def lose_one(self, options, lost):
        """The measurement misses a sum that had to be sent."""
        due = self.rule.sending([u for u in self.case.aligned.stations if u not in lost])
        gone = self.rng.choice([u for u in due if u not in self.idle])
        files = [name for u, name in self.sent.items() if u != gone]
        _, said = self.commands.run("cost", "--measure", "--plan", "plan", *self.options(), *options,
                                    *self.round.names_of("station"), *files, status=4)
        self.report.check(f"station {gone} to federator" in said, said)

    def run(self):
        case, stations = self.case, self.case.aligned.stations
        lost, arrived, before = set(), {}, ()
        if self.rng.random() < 0.3:
            lost.add(self.rng.choice(stations))
            tally["lost from the start"] += 1
        self.refuse_too_few(lost)
        for number in range(case.t + 1):
            present = [u for u in stations if u not in lost]
            self.attempt(number, present, before)
            before = present
            # some are lost before their sums arrive; the last attempt succeeds
            able = [u for u in present if u not in self.idle]
            more = self.rng.choice((1, 1, self.rng.randint(0, case.t))) if case.t > len(lost) else 0
            more = min(more, case.t - len(lost))
            falling = set(self.rng.sample(able, min(more, len(able))))
            for u, name in self.sent.items():
                if u not in arrived and u not in lost and (u not in falling or self.rng.random() < 0.3):
                    arrived[u] = name
                    tally["lost after it has sent"] += u in falling
            tally["a stand-by station is lost"] += bool(falling - set(self.sent))
            tally["stations lost one after the other"] += bool(lost and falling)
            lost |= falling
            files = self.rng.sample(sorted(arrived.values()), len(arrived))
            if len(arrived) + len(self.idle) >= case.aligned.k:
                Result(self.round, self.clients).check_sum(files)
            else:
                self.round.decode(files, status=TOO_FEW)
            if not falling:
                break
        else:
            present = [u for u in stations if u not in lost]
            self.attempt("last", present, before)
            arrived.update({u: name for u, name in self.sent.items() if u not in lost})
        self.report.check(len(arrived) + len(self.idle) >= case.aligned.k, f"only {len(arrived)} sums in the end")
        Result(self.round, self.clients).check_sum(sorted(arrived.values()))
        self.check_measured(lost)
        self.check_everybody(lost)

    def check_everybody(self, lost):
        """To check the total, stations send their stand-by sums afterwards, and a wrong sum is found."""
        left = [u for u in self.case.aligned.stations if u not in lost and u not in self.sent and u not in self.idle]
        for u in left:
            self.round.aggregate(f"all-{u}", ["--plan", "plan", "--round", self.case.round, "--station", u,
                                              *self.options()], self.round.files_of(u))
            self.round.check_sum(f"all-{u}", u, ["station", u], ["federator", 1], self.clients, self.case.dealers)
        sums = {**{u: name for u, name in self.sent.items() if u not in lost}, **{u: f"all-{u}" for u in left}}
        if not self.idle:
            self.round.check_wrong(self.clients, sums)


def cases(count, seed):
    """Plans with spare stations and without relays."""
    for index in range(count):
        rng = random.Random(f"{seed} {index}")
        kind = list(SOURCES)[index % len(SOURCES)]
        while True:
            case = SOURCES[kind](rng, index)
            if case.t > 0 and not case.links:
                yield index, kind, case
                break


def main(bin_dir, count, seed=27, only=None):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for index, kind, case in cases(int(count), seed):
        if only is not None and index != int(only):
            continue
        failed = report.failed
        with tempfile.TemporaryDirectory(dir=scratch) as temporary, \
                report.part(f"{kind}, round {index} of seed {seed}"):
            commands = Commands(bin_dir, temporary, report)
            commands.begin(index, case.has_seeds)
            Attempts(case, commands, report).run()
        if report.failed > failed:
            print(f"{report.where}:\n{case.text()}", file=sys.stderr)
    print(tally)
    if only is None and int(count) >= ENOUGH:
        with report.part("all rounds"):
            report.check(min(tally.values()) > 0, f"a case did not occur: {tally}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
