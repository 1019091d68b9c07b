"""Checks that errors are found, in changed records and in changed statements.

A round that agrees with its statement is compared again after one change. The change must be reported
for the message that was changed.
"""

import copy
import dataclasses
import itertools
import random

from compare import compare, name_of


class Controls:
    def __init__(self, run, statement, records, count):
        self.this, self.statement, self.records, self.count = run, statement, records, count
        self.rng, self.report = random.Random(run.plan.text), run.report
        self.length, self.order = run.plan.length, run.plan.elements.field.order
        self.executor = run.executor(statement)
        self.messages = self.executor.run()

    def run(self):
        self.change_records()
        for change in (self.change_factor, self.exchange_factors, self.leave_out_term, self.swap_rows,
                       self.leave_out_message, self.send_elsewhere, self.name_unheard,
                       self.draw_again, self.draw_in_common):
            self.change_statement(change)
        for was_seed in (False, True):
            self.exchange_seed(was_seed)

    # Records: one of each kind of message.

    def change_records(self):
        kinds = {}
        for at, record in enumerate(self.records):
            name = name_of(record.header)
            kinds.setdefault((name.sender[0], name.to[0], name.kind, name.of), []).append(at)
        for places in kinds.values():
            self.change_record(self.rng.choice(places))

    def change_record(self, at):
        record, others = self.records[at], self.records[:at] + self.records[at + 1 :]
        name = name_of(record.header)
        elements = record.elements.copy()
        place = self.rng.randrange(len(elements))
        elements[place] = (int(elements[place]) + 1) % (256 if "seed" in record.header else self.order)
        self.expect("a changed element", others + [dataclasses.replace(record, payload=elements)],
                    [("differs", name)])
        if "symbols" in record.header:
            other = {**record.header, "symbols": [0, record.header["symbols"][1] + 1]}
            whole = {key: value for key, value in record.header.items() if key != "symbols"}
            self.expect("other symbols", others + [dataclasses.replace(record, header=other)],
                        [("has other symbols", name)])
            self.expect("no symbols", others + [dataclasses.replace(record, header=whole)],
                        [("has other symbols", name)])
        self.exchange_symbols(at, name)
        self.expect("a record left out", others, [("is missing", name)])
        self.expect("a record twice", self.records + [record], [("not stated", name)])
        elsewhere = {**record.header, "to": [name.to[0], name.to[1] + 1000]}
        self.expect("a changed addressee", others + [dataclasses.replace(record, header=elsewhere)],
                    [("not stated", name_of(elsewhere)), ("is missing", name)])

    def exchange_symbols(self, at, name):
        """Writes symbol after symbol, instead of column after column."""
        record, message = self.records[at], next(m for m in self.messages if m.name == name)
        if "seed" in record.header or message.n_symbols == 1:
            return
        elements, n_blocks = record.elements, len(message.rows) // message.n_symbols
        wrong = elements.reshape(n_blocks, -1, message.n_symbols).transpose(0, 2, 1).reshape(-1)
        if (wrong != elements).any():
            self.expect("symbol after symbol", self.records[:at] + self.records[at + 1 :] +
                        [dataclasses.replace(record, payload=wrong)], [("differs", name)])

    def expect(self, what, records, wanted):
        self.count(f"control: {what}")
        self.report.equal(compare(self.messages, records, self.length), wanted, f"control: {what}")

    # Statements: one message, chosen among those that the change affects.

    def change_statement(self, change):
        """change alters a message in place and returns what must be found, or None if it would stay the
        same."""
        for at in self.rng.sample(range(len(self.messages)), len(self.messages)):
            if self.messages[at].name.sender == self.messages[at].name.to:
                continue  # it is not compared
            if self.messages[at].is_seed:
                continue  # other messages follow from it
            wrong = {**self.statement, "sendings": list(self.statement["sendings"])}
            wrong["sendings"][at] = copy.deepcopy(wrong["sendings"][at])
            words = change(wrong, at)
            if words is None:
                continue
            what = f"control: {change.__name__.replace('_', ' ')}"
            messages, faults = self.this.execute(wrong)
            if words == "differs" and messages[at].payload == self.messages[at].payload:
                continue  # it concerned only what is cut off
            self.count(what)
            found = compare(messages, self.records, self.length)
            if words == "fault":
                self.report.check(faults, f"{what}: nothing is found")
                return
            self.report.check((words, self.messages[at].name) in found,
                              lambda: f"{what}: {self.messages[at].name} is not found")
            return

    def exchange_seed(self, was_seed):
        """States a seed where the record has elements, or the other way round."""
        places = [at for at, m in enumerate(self.messages) if m.is_seed == was_seed and m.name.sender != m.name.to]
        if not places or not any(m.is_seed for m in self.messages):
            return
        messages = list(self.messages)
        at = self.rng.choice(places)
        messages[at] = dataclasses.replace(messages[at], is_seed=not was_seed)
        what = f"control: {'no ' if was_seed else ''}seed"
        self.count(what)
        self.report.equal(compare(messages, self.records, self.length),
                          [("is a seed" if was_seed else "is no seed", messages[at].name)], what)

    def terms(self, sending):
        """The terms of its first row, with their vectors."""
        row = sending["rows"][0]
        return [(i, term, self.executor.term(sending, term)) for i, term in enumerate(row)]

    def change_factor(self, wrong, at):
        for _, term, vector in self.terms(wrong["sendings"][at]):
            if any(vector):
                term[5] = (term[5] + 1) % self.order
                return "differs"
        return None

    def exchange_factors(self, wrong, at):
        for (_, a, x), (_, b, y) in itertools.combinations(self.terms(wrong["sendings"][at]), 2):
            if a[5] != b[5] and x != y:
                a[5], b[5] = b[5], a[5]
                return "differs"
        return None

    def leave_out_term(self, wrong, at):
        """Omits a term, but not a message: without it the clients would be different ones."""
        sending = wrong["sendings"][at]
        for i, term, vector in self.terms(sending):
            if term[0] != "sending" and term[5] and any(vector):
                del sending["rows"][0][i]
                return "differs"
        return None

    def swap_rows(self, wrong, at):
        rows, values = wrong["sendings"][at]["rows"], self.messages[at].rows
        if len(rows) < 2 or values[0] == values[1]:
            return None
        rows[0], rows[1] = rows[1], rows[0]
        return "differs"

    def leave_out_message(self, wrong, at):
        del wrong["sendings"][at]
        return "not stated"

    def send_elsewhere(self, wrong, at):
        wrong["sendings"][at]["to"][1] += 1000
        return "not stated"

    def name_unheard(self, wrong, at):
        """Uses a message that only another node received."""
        sending = wrong["sendings"][at]
        others = [s["id"] for s in wrong["sendings"][:at] if s["to"] != sending["from"]]
        for term in sending["rows"][0]:
            if term[0] == "sending" and others:
                term[1] = self.rng.choice(others)
                return "fault"
        return None

    def draw_anew(self, sending, number):
        for row in sending["rows"]:
            for term in row:
                if term[0] == "draw":
                    term[1] = number
        sending["draws"] = number
        return "fault"

    def draw_again(self, wrong, at):
        """Makes one share with other random vectors than the rest of the sharing."""
        sending = wrong["sendings"][at]
        return self.draw_anew(sending, 10**6) if sending["n_draws"] else None

    def draw_in_common(self, wrong, at):
        """Makes two sharings with the same random vectors."""
        sending = wrong["sendings"][at]
        for other in wrong["sendings"]:
            if sending["n_draws"] and other["n_draws"] and other["draws"] != sending["draws"]:
                return self.draw_anew(sending, other["draws"])
        return None
