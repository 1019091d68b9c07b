"""Executes the statement of a round: random vectors, linear combinations, and nothing else.

It does not use stages, schemes or routes: each row of a message is the sum of the terms that the
statement lists. A vector that is cut is padded with zeros, and a term that names a message of clients
means the sum over their class.
"""

from dataclasses import dataclass

from expansion import expand
from fields import field_of
from seeds import SEED_BYTES
from sharing import invert


def ceil_div(a, b):
    return -(-a // b)


def segment_of(row, segment, n_segments):
    """A segment of a row that is padded with zeros and cut."""
    length = ceil_div(len(row), n_segments)
    filled = row + [0] * (length * n_segments - len(row))
    return filled[segment * length : (segment + 1) * length]


class Elements:
    """A field: Python integers, their packed size, and how they are made from random bytes."""

    def __init__(self, spec):
        self.spec, self.field = spec, field_of(spec)
        self.size = next(size for size in (1, 2, 4, 8) if self.field.order <= 256**size)

    def add_product(self, total, factor, vector):
        add, multiply = self.field.add, self.field.multiply
        return [add(a, multiply(factor, b)) for a, b in zip(total, vector, strict=True)]

    def add(self, a, b):
        return self.add_product(a, 1, b)

    def pack(self, vector):
        return b"".join(element.to_bytes(self.size, "little") for element in vector)

    def sample(self, source, n):
        """hagg-plugin(3): a candidate is as many bytes as an element, truncated to the bits of the
        order, and is rejected if it is not an element."""
        bits, found = (self.field.order - 1).bit_length(), []
        while len(found) < n:
            tried = int.from_bytes(source.read(self.size), "little") & ((1 << bits) - 1)
            if tried < self.field.order:
                found.append(tried)
        return found

    def expand(self, seed, n):
        return [int(x) for x in expand(seed, self.spec, n)]


@dataclass(frozen=True)
class Name:
    """What distinguishes the messages of a round, in the statement and in the header of a record."""

    sender: tuple
    to: tuple
    kind: str
    of: str
    index: int
    source: int
    clients: tuple


@dataclass
class Message:
    name: Name
    rows: list
    payload: bytes
    complete: bool
    is_seed: bool
    courier: int
    symbols: list  # those of the share, first and end, or [0, 0] for all
    n_symbols: int  # in a block: their elements alternate


class Executor:
    """secrets: by client, its vector and its key, of `length` elements. sources: by node, the random
    bytes, and the sums (of, clients) that use them, in order. seeds: the messages that are seeds and
    draws, also those to stations that are missing."""

    def __init__(self, statement, elements, length, secrets, sources, seeds):
        self.statement, self.elements, self.length = statement, elements, length
        self.secrets, self.sources = secrets, sources
        self.seeds, self.faults = {}, []
        for sending in seeds:
            self.seeds.setdefault((tuple(sending["from"]), sending["draws"]), []).append(sending)

    def run(self):
        """All messages. Sets self.faults to the faults of the statement."""
        self.clients, self.receivers, self.values, self.kinds = {}, {}, {}, {}
        self.draws, self.owners, needs = {}, {}, {}
        for sending in self.statement["sendings"]:
            self.trace(sending, needs)
        for node, wanted in needs.items():
            self.draw(node, wanted)
        return [self.make(sending) for sending in self.statement["sendings"]]

    def row_length(self, sending):
        return ceil_div(ceil_div(self.length, sending["cuts"][0]), sending["cuts"][1])

    def clients_of(self, sending):
        if sending["from"][0] == "client":
            return {sending["from"][1]}
        found = set()
        for row in sending["rows"]:
            for of, named, *_ in row:
                if of == "sending":
                    found |= self.clients.get(named, set())
        return found

    def trace(self, sending, needs):
        """Determines whose vectors or keys are in the message, and checks that its sender has all its
        terms."""
        node, to, named = tuple(sending["from"]), tuple(sending["to"]), sending["id"]
        what = f"{node} to {to}, {sending['kind']} of {sending['of']} {sending['index']}"
        for row in sending["rows"]:
            for of, other, *_ in row:
                if of == "sending" and self.receivers.get(other) != node:
                    self.faults.append(f"{what}: its sender has not received message {other}")
                if of == "draw" and other != sending["draws"]:
                    self.faults.append(f"{what}: draws of another message")
                if of == "secret" and node[0] != "client":
                    self.faults.append(f"{what}: has the secret of a client")
        clients = self.clients_of(sending)
        if named in self.receivers and (node[0] != "client" or self.receivers[named] != to):
            self.faults.append(f"{what}: message {named} is stated twice")
        self.receivers[named], self.kinds[named] = to, sending["kind"]
        self.clients.setdefault(named, set()).update(clients)
        if sending["n_draws"]:
            self.trace_draws(sending, node, what, tuple(sorted(clients)), needs)

    def trace_draws(self, sending, node, what, clients, needs):
        """Checks that all messages of one sharing, and no others, use the same random vectors. Clients
        of a class have the same number in the statement."""
        key, number = (sending["of"], clients), sending["draws"]
        secrets = tuple(sorted({term[1] for row in sending["rows"] for term in row
                                if term[0] == "secret"}))
        owner = (sending["of"], secrets) if node[0] == "client" else (node, key)
        if self.owners.setdefault(number, owner) != owner:
            self.faults.append(f"{what}: draws {number} are those of {self.owners[number]}")
        need = (number, sending["n_draws"], self.row_length(sending))
        if needs.setdefault(node, {}).setdefault(key, need) != need:
            self.faults.append(f"{what}: draws {need} and {needs[node][key]} for one sharing")

    def draw(self, node, wanted):
        source, order = self.sources[node]
        source.seek(0)
        if not set(wanted) <= set(order):
            self.faults.append(f"{node} draws for {sorted(set(wanted) - set(order))}")
        for key in order:
            if key in wanted:
                draws, n, length = wanted[key]
                seeds = sorted(self.seeds.get((node, draws), []), key=lambda sending: sending["index"])
                rows = [self.expand(sending, source) for sending in seeds]
                self.draws[node, draws] = self.draw_rows(source, seeds, rows, n, length)

    def expand(self, sending, source):
        """The rows of a seed, which is drawn."""
        length, n = self.row_length(sending), len(sending["rows"])
        expansion = self.elements.expand(source.read(SEED_BYTES), n * length)
        if self.n_symbols(sending) == n:
            return [expansion[at::n] for at in range(n)]
        return [expansion[at * length : (at + 1) * length] for at in range(n)]

    def draw_rows(self, source, seeds, expansions, n, length):
        """The random vectors. If seeds determine them all, they are the solution of linear equations;
        otherwise each row of a seed is one of them, and the others are drawn."""
        rows = [(sending, row, e) for sending, rows in zip(seeds, expansions) for row, e in zip(sending["rows"], rows)]
        if len(rows) == n > 0:
            return self.solve(rows, n, length)
        found = {row[0][2]: e for _, row, e in rows if len(row) == 1 and (row[0][0], row[0][5]) == ("draw", 1)}
        if len(found) < len(rows):
            self.faults.append(f"{seeds[0]['from']}: {len(found)} of {len(rows)} rows of seeds are different draws")
        return [found[row] if row in found else self.elements.sample(source, length) for row in range(n)]

    def solve(self, rows, n, length):
        add, factors, values = self.elements.add_product, [], []
        for sending, terms, e in rows:
            factors.append([next((t[5] for t in terms if t[0] == "draw" and t[2] == q), 0) for q in range(n)])
            known = [0] * length
            for term in terms:
                if term[0] == "secret":
                    known = add(known, term[5], self.term(sending, term))
            values.append(add(e, self.elements.field.subtract(0, 1), known))
        try:
            inverse = invert(self.elements.field, factors)
        except StopIteration:
            self.faults.append(f"{rows[0][0]['from']}: seeds do not determine the random vectors")
            return [[0] * length] * n
        found = []
        for row in inverse:
            found.append([0] * length)
            for factor, value in zip(row, values):
                found[-1] = add(found[-1], factor, value)
        return found

    def secret(self, client, number):
        """What the client shares or sends as a member of the class."""
        held, total = self.statement["classes"][number], [0] * self.length
        for what in ("vector", "key"):
            if held[what]:
                total = self.elements.add(total, self.secrets[client][what])
        return total

    def term(self, sending, term):
        """The vector of a term, or None if there is none."""
        of, named, row, segment, n_segments, _ = term
        node = tuple(sending["from"])
        if of == "secret":
            return segment_of(self.secret(node[1], named), segment, n_segments)
        rows = self.draws.get((node, named), []) if of == "draw" else self.values.get(named, [])
        return segment_of(rows[row], segment, n_segments) if row < len(rows) else None

    def make(self, sending):
        add, length, rows = self.elements.add_product, self.row_length(sending), []
        for terms in sending["rows"]:
            total = [0] * length
            for term in terms:
                if term[5] == 0:
                    continue  # most factors of a scheme with several symbols are
                vector = self.term(sending, term)
                if vector is None or len(vector) != length:
                    self.faults.append(f"{sending['from']} to {sending['to']}: {term} is no row of it")
                else:
                    total = add(total, term[5], vector)
            rows.append(total)
        named = sending["id"]
        self.values[named] = [self.elements.add(a, b) for a, b in zip(self.values[named], rows)] \
            if named in self.values else rows
        name = Name(tuple(sending["from"]), tuple(sending["to"]), sending["kind"], sending["of"],
                    sending["index"], sending["source"], tuple(sorted(self.clients_of(sending))))
        n_symbols = self.n_symbols(sending)
        payload = b"".join(map(self.elements.pack, self.alternate(n_symbols, self.join(sending, rows))))
        return Message(name, rows, payload, sending["complete"], sending["seed"], sending["courier"],
                       sending["symbols"], n_symbols)

    def n_symbols(self, sending):
        """How many rows are symbols of one share: of the message, of each part of the stations' sharing, or
        of each symbol that is shared again."""
        terms = [term for row in sending["rows"] for term in row if term[0] == "sending"]
        n_blocks = 1
        if sending["kind"] == "transfer":
            n_blocks = len({term[2] for term in terms})
        elif any(self.kinds.get(term[1]) == "transfer" for term in terms):
            n_blocks = sending["cuts"][0]
        return len(sending["rows"]) // n_blocks

    @staticmethod
    def alternate(n, rows):
        """Joins every n rows to one: their first elements, then their second ones, and so on."""
        return [[x for column in zip(*rows[i : i + n]) for x in column] for i in range(0, len(rows), n)]

    def join(self, sending, rows):
        """Undoes as many of the cuts as the statement says, the last one first."""
        first, second = sending["cuts"]
        if sending["joined"] > 0:
            rows = [sum(rows[i : i + second], [])[: ceil_div(self.length, first)]
                    for i in range(0, len(rows), second)]
        return [sum(rows, [])[: self.length]] if sending["joined"] > 1 else rows


class AlignedExecutor(Executor):
    """A sum of protocol aligned lists all clients that take part, whether they use its station or not, and a mask
    none."""

    def __init__(self, statement, elements, length, secrets, sources, seeds, clients):
        super().__init__(statement, elements, length, secrets, sources, seeds)
        self.everybody = set(clients)

    def clients_of(self, sending):
        if sending["from"][0] == "client":
            return {sending["from"][1]}
        return set() if sending["of"] == "mask" else self.everybody

    def n_symbols(self, sending):
        """A share is its segments, one after the other."""
        return 1
