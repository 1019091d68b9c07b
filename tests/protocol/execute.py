"""Compares rounds of random plans with the statement of the round, message by message and byte by byte:
execute.py BIN STATEMENT COUNT [SEED [FORM [INDEX]]].

Runs COUNT plans of each form. STATEMENT prints the statement of lib/protocol; executor.py executes it
with the random bytes that the commands had. Each plan is run with all nodes present, and then without
some clients, without spare stations and relays, or both. Then controls.py changes records and
statements, and every change must be found.
"""

import collections
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile

from commands import Commands
from aligned_plans import FORMS as ALIGNED, AlignedPlan
from aligned_rounds import AlignedRounds
from compare import compare
from controls import Controls
from executor import AlignedExecutor, Executor
from plans import FORMS as KEYS, Plan
from report import Report
from rounds import Rounds, listed
from seed_plans import Seeds

# The number of kinds of messages by form, as in the tables of stages.
FORMS = KEYS + ALIGNED
N_KINDS = dict(zip(FORMS, (5, 7, 7, 4, 6, 6, 3, 5, 3, 5)))

# From this number of plans of each form on, all other cases must have occurred, too.
ENOUGH = 20
SEEDS_EVERY, SEEDS_FIRST = 7, 3  # the plans whose rounds are sealed and have seeds
OCCURS = ("several rows", "sums that lack a client", "classes that meet at relays",
          "stations missing", "relays missing", "parts that do not divide the vector", "parts of zeros alone",
          "seeds", "records through couriers", "prefixes of sums", "prefixes of sums from relays",
          "prefixes in transfers", "several symbols in transfers", "several symbols of seeds",
          "prefixes without some nodes", "whole shares of several symbols")


class Run:
    """One plan."""

    def __init__(self, plan, commands, statement, report, seeds):
        self.seeds = seeds
        self.plan, self.statement, self.report = plan, statement, report
        self.rounds = (AlignedRounds if plan.form in ALIGNED else Rounds)(plan, commands)
        self.tally = collections.Counter()
        # keys are seeds, too, but are drawn before
        self.drawn = [s for s in self.state(plan.numbers, (), ())["sendings"] if s["seed"] and s["n_draws"]]

    def count(self, word, n=1):
        self.tally[word] += int(n)

    def state(self, clients, missing, relays_missing, prefixes=False):
        """The statement of lib/protocol."""
        line = [self.statement, self.rounds.commands.path("plan"), f"clients={listed(clients)}"]
        line += ["prefixes"] * prefixes
        line += [f"{name}={listed(nodes)}" for name, nodes in
                 (("stations", missing), ("relays", relays_missing)) if nodes]
        return json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE).stdout)

    def executor(self, statement):
        arguments = statement, self.plan.elements, self.plan.length, self.rounds.secrets, self.rounds.sources, self.drawn
        return AlignedExecutor(*arguments, self.clients) if self.plan.form in ALIGNED else Executor(*arguments)

    def execute(self, statement):
        """The messages that are sent, and the faults of the statement."""
        this = self.executor(statement)
        messages = this.run()
        # sums without some client are not sent
        return [m for m in messages if m.complete], this.faults

    def check(self, tag, clients, missing=(), relays_missing=(), prefixes=False):
        """Checks that the records sent are the messages stated; returns both."""
        plan, self.clients = self.plan, clients
        self.rounds.commands.forget()
        self.rounds.run_nodes(tag, clients,
                              [u for u in range(1, plan.n_stations + 1) if u not in missing],
                              [m for m in range(1, plan.n_relays + 1) if m not in relays_missing], prefixes)
        statement, records = self.state(clients, missing, relays_missing, prefixes), self.rounds.records()
        messages, faults = self.execute(statement)
        self.report.equal(faults, [], f"{tag}: statement")
        found = compare(messages, records, plan.length)
        self.report.equal(found, [], f"{tag}: clients {clients}, without stations {missing} and relays "
                                     f"{relays_missing}{', prefixes' * prefixes}")
        self.report.passed += len(messages)
        if not missing:
            self.check_couriers(messages)
        self.count_kinds(statement)
        self.count_symbols(messages, missing or relays_missing)
        return statement, records

    def check_couriers(self, messages):
        """Each record of a client is in the file of its courier, if it has one, otherwise in that of its
        station."""
        for m in messages:
            if m.name.sender[0] == "client":
                self.report.equal(self.rounds.places.get(m.name), m.courier or m.name.to[1], f"{m.name}: given to")
                if self.seeds:
                    courier = self.seeds.courier(m.name.sender[1], m.name.to[1])
                    self.report.equal(m.courier or m.name.to[1], courier, f"{m.name}: courier")
            self.count("seeds", m.is_seed)
            self.count("records through couriers", m.courier > 0)

    def count_kinds(self, statement):
        clients = collections.defaultdict(set)
        for s in statement["sendings"]:
            if s["from"][0] == "client":
                clients[s["id"]].add(s["from"][1])
            named = {term[1] for row in s["rows"] for term in row if term[0] == "sending"}
            clients[s["id"]].update(*(clients[i] for i in named))
            self.count((*self.plan.form, s["from"][0], s["to"][0], s["kind"], s["of"]))
            self.count("several rows", len(s["rows"]) > 1)
            if not s["complete"]:
                self.count("sums that lack a client")
            self.count("classes that meet at relays", s["from"][0] == "relay" and s["kind"] == "share"
                       and len({frozenset(clients[i]) for i in named}) > 1)
            for cut in s["cuts"]:
                part = -(-self.plan.length // cut)
                self.count("parts that do not divide the vector", self.plan.length % cut)
                self.count("parts of zeros alone", part * (cut - 1) >= self.plan.length)

    def count_symbols(self, messages, some_missing):
        for m in messages:
            name, prefix, several = m.name, m.symbols[1] > 0, m.n_symbols > 1
            of_relay = name.sender[0] == "relay"
            self.count("prefixes of sums from relays" if of_relay else "prefixes of sums",
                       prefix and name.kind == "share")
            self.count("prefixes in transfers", prefix and name.kind == "transfer")
            self.count("prefixes without some nodes", prefix and bool(some_missing))
            self.count("several symbols in transfers",
                       several and name.kind == "transfer" and len(m.rows) > m.n_symbols)
            self.count("several symbols of seeds", several and m.is_seed)
            self.count("whole shares of several symbols", several and not prefix and name.sender[0] != "client")

    def run(self):
        plan, everybody = self.plan, self.plan.numbers
        prefixes = plan.has_prefixes
        if prefixes:
            self.check("whole", everybody)
        statement, records = self.check("all", everybody, prefixes=prefixes)
        Controls(self, statement, records, self.count).run()
        some = plan.choose_clients()
        if not any(plan.drop):
            self.check("some", some)
            return
        clients = plan.rng.choice((everybody, some, some))
        missing, relays = plan.choose_missing(clients)
        self.check("fewer", clients, missing, relays, prefixes)
        self.count("stations missing", len(missing))
        self.count("relays missing", len(relays))


def run_plan(bin_dir, statement, seed, form, index):
    """The numbers of passed and failed checks, and the cases that occurred."""
    report, tally = Report(), collections.Counter()
    kind = AlignedPlan if FORMS[form] in ALIGNED else Plan
    plan = kind(random.Random(f"{seed} {form} {index}"), FORMS[form], index)
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=scratch) as temporary, \
            report.part(f"plan {index} of form {form}, {' and '.join(FORMS[form])}"):
        seeds = Seeds(plan, index) if index % SEEDS_EVERY == SEEDS_FIRST else None
        commands = Commands(bin_dir, temporary, report)
        commands.begin(0, has_seeds=bool(seeds))
        run = Run(plan, commands, statement, report, seeds)
        tally = run.tally
        run.run()
    if report.failed:
        print(f"{report.where}:\n{plan.text}", file=sys.stderr)
    return report.passed, report.failed, tally


def check_tally(report, tally):
    """Checks that all cases occurred."""
    for word in OCCURS:
        report.check(tally[word], f"{word}: did not occur")
    for form, n in N_KINDS.items():
        kinds = [word for word in tally if isinstance(word, tuple) and word[:2] == form]
        report.equal(len(kinds), n, f"{' and '.join(form)}: kinds of messages")
    report.equal(sum(isinstance(word, str) and word.startswith("control") for word in tally), 18,
                 "kinds of controls")


def main(bin_dir, statement, n_plans, seed=16, form=None, index=None):
    report, tally = Report(), collections.Counter()
    print(f"{n_plans} plans of each form, seed {seed}")
    jobs = [(bin_dir, statement, seed, i, j) for i in range(len(FORMS)) for j in range(int(n_plans))
            if form in (None, str(i)) and index in (None, str(j))]
    with multiprocessing.Pool(2) as pool:
        for passed, failed, seen in pool.starmap(run_plan, jobs, chunksize=1):
            report.passed += passed
            report.failed += failed
            tally += seen
    for word, n in sorted(tally.items(), key=str):
        print(f"{n:7} {word if isinstance(word, str) else ', '.join(word)}")
    if form is None and int(n_plans) >= ENOUGH:
        with report.part("all plans"):
            check_tally(report, tally)
    return report.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
