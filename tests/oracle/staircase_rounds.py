"""Rounds in which nodes send prefixes of their shares, and then the rest: staircase_rounds.py BIN COUNT [SEED [INDEX]].

In every plan all nodes are present first, and all send what everybody's presence requires. Then stations or
relays are lost, and the others send the rest with --after. The number of elements of every record is compared
with docs/staircase.md, so that nothing is sent twice, and the total with the sum of the vectors. Neither what was
sent first nor the rest alone gives a total.
"""

import os
import random
import sys
import tempfile

import numpy

from commands import Commands
from fields import field_of
from report import Report
from sharing import ceil_div
from staircase import Staircase, choices

FORMS = tuple((collusion, relays) for collusion in ("partial", "full") for relays in ("none", "pass on", "reshare"))
FIELDS = ("m31", "gf256", "m61", "prime:p=65521", "goldilocks")

# Cases that must have occurred with ENOUGH rounds.
ENOUGH = 12
tally = {"a supported number above k is left": 0, "a number that is not supported is left": 0,
         "two numbers of missing holders": 0, "relays lost": 0, "a station without a share": 0,
         "a station that was not needed before": 0}


def words(numbers):
    return " ".join(map(str, numbers))


def listed(numbers):
    return ",".join(map(str, sorted(numbers)))


class Tier:
    """The nodes of a tier, of which some hold the shares, and the staircase of a sharing among these."""

    def __init__(self, rng, numbers, missing):
        self.n, self.k, self.z = numbers
        self.holders = rng.sample(range(1, self.n + 2), self.n)
        self.scheme = Staircase(self.n, self.k, self.z, missing)

    def symbols(self, n_lost):
        """The end of the prefix that is sent when this number of holders is missing."""
        return self.scheme.sent(max(h for h in self.scheme.supported if h <= self.n - n_lost))


class Case:
    def __init__(self, rng, index):
        self.rng = rng
        self.collusion, self.relaying = FORMS[index % len(FORMS)]
        self.spec = FIELDS[index % len(FIELDS)]
        self.full = self.collusion == "full"
        drop = rng.choice((1, 2, 2))
        missing = rng.choice(choices(drop + 1, 1, 1 if self.relaying == "reshare" else 2))
        self.stations = self.choose_tier(drop, missing)
        self.relays = None
        if self.relaying != "none":
            self.relays = self.choose_tier(drop, missing) if self.relaying == "reshare" else self.stations
        self.length, self.clients = rng.randint(1, 60), [2, 3, 7]
        tally["two numbers of missing holders"] += len(missing) > 1
        self.text = self.write()

    def choose_tier(self, drop, missing):
        z = self.rng.randint(1, 2)
        n = self.rng.randint(2 * drop + z + 1, 2 * drop + z + 2)
        return Tier(self.rng, (n, n - drop, z), missing)

    def write(self):
        u, m = self.stations, self.relays
        dropped, colluding = f"stations={u.n - u.k}", f"stations={u.z}"
        lines = [f"field {self.spec}", f"scheme {u.scheme.name}", "protocol keys", "minimum 2", f"stations {u.n + 1}"]
        if m:
            # relays that pass on shares collude with the stations of other shares
            colluding += f" relays={m.z if m is not u else 0}"
            dropped += f" relays={m.n - m.k if m is not u else 0}"
            lines += [f"relays {m.n + 1}", f"station 1-{u.n + 1} via 1-{m.n + 1}"]
        lines += [f"collude {self.collusion} {colluding}", f"drop {dropped}"]
        lines += ["transform direct"] * (self.relaying == "reshare")
        client = f"client {words(self.clients)} via 1-{u.n + 1} shares {words(u.holders)}"
        client += f" relays {words(m.holders)}" if m else ""
        client += f" keys {words(u.holders)}" if self.full else f" keys {u.holders[0]}"
        client += f" key-relays {words(m.holders)}" if m and self.full else ""
        return "".join(line + "\n" for line in lines + [client])


class Round:
    def __init__(self, case, commands, report):
        self.case, self.commands, self.report, self.rng = case, commands, report, case.rng
        self.field = field_of(case.spec)
        self.only = [] if case.full else ["--only", "shares"]
        self.secrets = ("padded", "key") if case.full else ("padded",)
        self.n_sent = 0
        commands.write_plan("plan", case.text)
        self.vectors = {i: self.choose_vector() for i in case.clients}
        for i in case.clients:
            self.share(i)

    def choose_vector(self):
        most = 255 if not self.field.is_numeric else min(self.field.int_max // 3, 2**62)
        least = -most if self.field.is_numeric else 0
        return [self.rng.randint(least, most) for _ in range(self.case.length)]

    def share(self, client):
        own = ["--plan", "plan", "--client", client, "--round", 1]
        numpy.save(self.commands.path(f"vector-{client}.npy"),
                   numpy.array(self.vectors[client], dtype="i8" if self.field.is_numeric else "u1"))
        self.commands.run("keygen", *own, "--length", self.case.length, "-o", f"key-{client}")
        self.commands.run("share", *own, "--key", f"key-{client}", "-o", f"station-{{}}/client-{client}",
                          f"vector-{client}.npy")

    def total(self):
        columns = zip(*self.vectors.values())
        if self.field.is_numeric:
            return [sum(column) for column in columns]
        return [a ^ b ^ c for a, b, c in columns]

    # What the nodes do.

    def own(self, *arguments):
        return "--plan", "plan", *arguments

    def aggregate(self, tier, node, output, files, *options):
        self.commands.run("aggregate", *self.own(f"--{tier}", node, *options), "-o", output, *files)

    def files(self, station):
        return [f"station-{station}/client-{i}" for i in self.case.clients]

    def send_sums(self, tag, who, present, after):
        """Stations send prefixes of their sums, to the federator or to relays, which pass them on."""
        case, options = self.case, ["--present", listed(present)] + (["--after", listed(after)] if after else [])
        for u in who:
            output = f"{tag}-relay-{{}}/{u}" if case.relays else f"{tag}-{u}"
            self.aggregate("station", u, output, self.files(u), *options, *self.only)
        return self.pass_on(tag) if case.relays else [f"{tag}-{u}" for u in who]

    def pass_on(self, tag):
        found = []
        for m in self.case.relays.holders:
            files = self.received(tag, m)
            if files:
                self.aggregate("relay", m, f"{tag}-from-{m}", files)
                found.append(f"{tag}-from-{m}")
        return found

    def received(self, tag, relay):
        return [name for name in (f"{tag}-relay-{relay}/{u}" for u in self.case.stations.holders)
                if self.commands.exists(name)]

    def contribute(self, tag, who, present, after):
        for u in who:
            if not self.commands.exists(f"sum-{u}"):
                self.aggregate("station", u, f"sum-{u}", self.files(u), *self.only)
            self.commands.run("transform", "--step", "contribute", *self.own("--station", u), "--from", listed(present),
                              *(["--after", listed(after)] if after else []), "-o", f"{tag}-relay-{{}}/{u}", f"sum-{u}")

    def send_new(self, tag, who, present, after):
        for m in who:
            self.aggregate("relay", m, f"{tag}-from-{m}", [f"new-{m}"], "--present", listed(present),
                           *(["--after", listed(after)] if after else []))
        return [f"{tag}-from-{m}" for m in who]

    def keys(self, lost):
        """The total of the keys under partial collusion, added up along the chain."""
        if self.case.full:
            return []
        before, present = [], [u for u in range(1, self.case.stations.n + 2) if u not in lost]
        for u in present:
            options = ["--only", "keys"] + (["--missing", listed(lost)] if lost else [])
            if u < self.case.stations.holders[0]:
                continue
            self.aggregate("station", u, f"keys-{u}", before + [name for name in self.files(u) if
                                                                self.commands.exists(name)], *options)
            before = [f"keys-{u}"]
        if self.case.relays:
            relay = self.commands.records(before[0])[0].header["to"][1]
            self.aggregate("relay", relay, "key-total", before, "--only", "keys")
            before = ["key-total"]
        return before

    # What must be so.

    def check_sizes(self, names, first, end, n_symbols, n_columns, n_records):
        """Each of the records has these symbols, and as many elements as they have."""
        records = [record for name in names for record in self.commands.records(name)]
        self.report.equal(len(records), n_records, f"records in {names}")
        for record in records:
            self.report.equal(record.header.get("symbols", [0, n_symbols]), [first, end], "symbols of a record")
            self.report.equal(len(record.elements), n_columns * (end - first), "elements of a record")
            self.n_sent += len(record.elements)

    def decode(self, names, status=0):
        self.commands.run("decode", "--plan", "plan", "-o", "total.npy", *names, status=status)
        found = self.commands.exists("total.npy")
        self.report.equal(found, status == 0, f"a total of {names}")
        if found:
            self.report.equal(numpy.load(self.commands.path("total.npy")).tolist(), self.total(), "the total")
            os.unlink(self.commands.path("total.npy"))

    def choose_lost(self, tier, kept=()):
        """Holders that are lost, so that what is left requires more symbols; and perhaps a station that has no
        share, too."""
        able = [u for u in tier.holders if u not in kept]
        few = [n for n in range(1, tier.n - tier.k + 1) if tier.symbols(n) > tier.symbols(0)]
        lost = self.rng.sample(able, self.rng.choice(few))
        left = tier.n - len(lost)
        tally["a supported number above k is left"] += left in tier.scheme.supported[:-1]
        tally["a number that is not supported is left"] += left not in tier.scheme.supported
        idle = ({*range(1, tier.n + 2)} - {*tier.holders}).pop()
        if len(lost) < tier.n - tier.k and self.case.relaying != "pass on" and self.rng.random() < 0.5:
            tally["a station without a share"] += 1
            return lost + [idle], lost
        return lost, lost

    def run_sums(self):
        """Without relays, or with relays that pass on what they receive."""
        tier, everybody = self.case.stations, range(1, self.case.stations.n + 2)
        n_columns, n_sums = ceil_div(self.case.length, tier.scheme.parts), len(self.secrets)
        whole = (tier.scheme.symbols, n_columns)
        ends = [tier.symbols(0)]
        first = self.send_sums("first", tier.holders, everybody, ())
        self.check_sizes(first, 0, ends[0], *whole, tier.n * n_sums)
        gone, lost = self.choose_lost(tier, () if self.case.full else tier.holders[:1])
        left = [u for u in tier.holders if u not in lost]
        ends.append(tier.symbols(len(lost)))
        rest = self.send_sums("rest", left, [u for u in everybody if u not in gone], everybody)
        self.check_sizes(rest, *ends, *whole, len(left) * n_sums)
        self.report.equal(self.n_sent, n_sums * n_columns * (tier.n * ends[0] + len(left) * (ends[1] - ends[0])),
                          "elements that were sent")
        if not self.case.relays:
            first = [f"first-{u}" for u in left]
        else:
            relays = [m for m, u in zip(self.case.relays.holders, tier.holders) if u in left]
            first = [f"first-from-{m}" for m in relays]
        keys = self.keys(gone)
        self.decode(first + keys, status=5)
        self.decode(rest + keys, status=5)
        self.decode(rest + first + keys)

    def finish(self, tags, status=0):
        for m in self.case.relays.holders:
            self.commands.run("transform", "--step", "finish", *self.own("--relay", m), "-o", f"new-{m}",
                              *(name for tag in tags for name in self.received(tag, m)), status=status)
            self.report.equal(self.commands.exists(f"new-{m}"), status == 0, f"{tags}: a share of relay {m}")

    def run_transform(self):
        """A station is lost after all have contributed, and a relay after all have sent their shares."""
        old, new = self.case.stations, self.case.relays
        everybody, n_sums = range(1, old.n + 2), len(self.secrets)
        n_columns = ceil_div(ceil_div(self.case.length, old.scheme.parts), new.scheme.parts) * new.scheme.symbols
        whole = (old.scheme.symbols, n_columns)
        ends = [old.symbols(0)]
        self.contribute("first", old.holders, everybody, ())
        first = [name for m in new.holders for name in self.received("first", m)]
        contributors = old.holders[: old.scheme.supported[0]]
        self.check_sizes(first, 0, ends[0], *whole, n_sums * len(contributors) * new.n)
        gone, lost = self.choose_lost(old, () if self.case.full else old.holders[:1])
        left = [u for u in old.holders if u not in lost]
        for name in first:
            if int(name.rpartition("/")[2]) in lost:
                os.unlink(self.commands.path(name))
        self.finish(["first"], status=5)
        ends.append(old.symbols(len(lost)))
        self.contribute("rest", left, [u for u in everybody if u not in gone], everybody)
        able = left[: max(h for h in old.scheme.supported if h <= len(left))]
        for u in able:
            # a station that was not needed before sends everything
            names = [f"rest-relay-{m}/{u}" for m in new.holders]
            self.check_sizes(names, ends[0] if u in contributors else 0, ends[1], *whole, n_sums * new.n)
        tally["a station that was not needed before"] += not set(able) <= set(contributors)
        rest = [name for m in new.holders for name in self.received("rest", m)]
        self.report.equal(len(rest), len(able) * new.n, "files of those that send the rest")
        self.finish(["rest"], status=5)
        self.finish(["first", "rest"])
        self.run_relays(self.keys(gone))

    def run_relays(self, keys):
        old, new = self.case.stations, self.case.relays
        n_columns = ceil_div(ceil_div(self.case.length, old.scheme.parts), new.scheme.parts) * old.scheme.parts
        everybody, whole = range(1, new.n + 2), (new.scheme.symbols, n_columns)
        first = self.send_new("first", new.holders, everybody, ())
        self.check_sizes(first, 0, new.symbols(0), *whole, len(self.secrets) * new.n)
        self.decode(first + keys)
        gone, lost = self.choose_lost(new)
        left = [m for m in new.holders if m not in lost]
        rest = self.send_new("rest", left, [m for m in everybody if m not in gone], everybody)
        self.check_sizes(rest, new.symbols(0), new.symbols(len(lost)), *whole, len(self.secrets) * len(left))
        first = [f"first-from-{m}" for m in left]
        self.decode(first + keys, status=5)
        self.decode(rest + keys, status=5)
        self.decode(first + rest + keys)
        tally["relays lost"] += 1


def main(bin_dir, count, seed=25, only=None):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for index in range(int(count)):
        if only is not None and index != int(only):
            continue
        case = Case(random.Random(f"{seed} {index}"), index)
        failed = report.failed
        with tempfile.TemporaryDirectory(dir=scratch) as temporary, \
                report.part(f"plan {index} of seed {seed}, {case.collusion} and {case.relaying}"):
            commands = Commands(bin_dir, temporary, report)
            commands.begin(index)
            this = Round(case, commands, report)
            if case.relaying == "reshare":
                this.run_transform()
            else:
                this.run_sums()
        if report.failed > failed:
            print(f"{report.where}:\n{case.text}", file=sys.stderr)
    print(tally)
    if only is None and int(count) >= ENOUGH:
        with report.part("all plans"):
            report.check(min(tally.values()) > 0, f"a case did not occur: {tally}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
