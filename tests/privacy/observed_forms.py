"""What the parties of a transformation see, as linear forms observed from the real commands.

The variables are the secret, the randomness of its first sharing, and the random bytes of the old
holders. A run in which one variable is 1 and all others are 0 shows its coefficients in everything that
is written. Each variable is one round of one stream.
"""

import random

import numpy

from fields import field_of
from rank import rank_modulo
from resharing import Secret
from sharing import Sharing, ceil_div

P = 11
FIELD = f"prime:p={P}"


class Case:
    def __init__(self, method, old, new, old_scheme="ramp", options=()):
        self.method, self.old, self.new = method, old, new
        self.old_scheme, self.options = old_scheme, tuple(options)
        self.new_scheme = old_scheme
        if "--scheme" in options:
            self.new_scheme = options[options.index("--scheme") + 1]
        self.parts = 1 if old_scheme == "additive" else old[1] - old[2]
        self.new_parts = 1 if self.new_scheme == "additive" else new[1] - new[2]
        self.extends = method == "transport" and old[1:] == new[1:] and new[0] > old[0]

    def __str__(self):
        return f"{self.method} {self.old_scheme} {self.old} -> {self.new} {' '.join(self.options)}"

    def length(self):
        """A length for which no part, and no piece of a part, is padded."""
        pieces = self.new[0] - self.new[2] if self.method == "transport" else 1
        return int(numpy.lcm.reduce([self.parts * self.new_parts, self.new_parts * pieces,
                                     self.parts * pieces]))

    def n_random(self):
        """The number of random elements of each old holder."""
        (n, _, _), (n_new, _, z_new), d = self.old, self.new, self.length()
        piece = ceil_div(d, self.new_parts * (n_new - z_new))
        if self.method == "forward":
            return 0
        if self.method == "direct":
            return z_new * (d // self.parts // self.new_parts)
        if self.extends:
            return (n_new - n) * z_new * ceil_div(d, self.parts * (n_new - z_new))
        return z_new * (d // self.new_parts) + n_new * z_new * piece


class Forms:
    """Rows are forms; columns are the variables, those of the secret first."""

    def __init__(self, commands, report, case):
        self.commands, self.report, self.case = commands, report, case
        n, k, _ = case.old
        self.d, self.drawn = case.length(), case.n_random()
        self.part_length = self.d // case.parts
        self.n_old = k * self.part_length  # the parts and the random vectors
        self.n_variables = self.n_old + k * self.drawn
        sharing = Sharing(field_of(FIELD), case.old_scheme, *case.old, range(1, n + 1))
        self.share = [self.share_forms(sharing.rows[u]) for u in range(n)]
        self.sent, self.collected, self.new = {}, {}, {}
        self.observe()

    def share_forms(self, row):
        """The share of an old holder: element i is row times element i of every part and random vector."""
        forms = numpy.zeros((self.part_length, self.n_variables), dtype="i8")
        for j, coefficient in enumerate(row):
            for i in range(self.part_length):
                forms[i, j * self.part_length + i] = coefficient
        return forms

    def random_forms(self, station):
        """The randomness of an old holder, which it knows."""
        forms = numpy.zeros((self.drawn, self.n_variables), dtype="i8")
        if station < self.case.old[1]:
            start = self.n_old + station * self.drawn
            forms[:, start : start + self.drawn] = numpy.eye(self.drawn, dtype="i8")
        return forms

    def stream(self, assignments):
        """The shares of every assignment, one round each, and the random bytes for them."""
        shares, source = [], bytearray()
        template = Secret(random.Random(1), FIELD, self.case.old, [0] * self.d, self.case.old_scheme)
        for round_, values in enumerate(assignments):
            template.shares = [form.dot(values) % P for form in self.share]
            shares += template.records(round_)
            source += bytes(int(x) for x in values[self.n_old :])
        return b"".join(shares), bytes(source)

    def contribute(self, status=0):
        n, k, z = self.case.new
        return self.commands.run("transform", "--step", "contribute", "--holders", f"1-{n}",
                                 "-k", k, "-z", z, "--method", self.case.method,
                                 *self.case.options, "--random-source", "source", "-o", "sent",
                                 "old", status=status)

    def observe(self):
        rng = random.Random(2)
        some = numpy.array([rng.randrange(P) for _ in range(self.n_variables)])
        assignments = [*numpy.eye(self.n_variables, dtype="i8"), some]
        shares, source = self.stream(assignments)
        self.commands.write("old", shares)
        if source:
            # exactly as many bytes are drawn as there are variables
            self.commands.write("source", source[:-1])
            _, said = self.contribute(status=1)
            self.report.check("source" in said, said)
        self.commands.write("source", source)
        self.contribute()
        finish = "sent"
        if self.case.method == "transport":
            self.commands.run("transform", "--step", "collect", "-o", "collected", "sent")
            finish = "collected"
            self.collected = self.read("collected", some)
        self.commands.run("transform", "--step", "finish", "-o", "new", finish)
        self.sent, self.new = self.read("sent", some), self.read("new", some)

    def read(self, name, some):
        """The forms by sender, receiver and index. The last round checks that they are linear."""
        values = {}
        for record in self.commands.records(name):
            header = record.header
            sender = header["from"][1] - 1 if "from" in header else None
            key = (header["kind"], sender, header["to"][1] - 1, header["scheme"]["index"])
            values.setdefault(key, {})[header["round"]] = record.elements.astype("i8")
        forms = {}
        for key, rounds in values.items():
            forms[key] = numpy.array([rounds[t] for t in range(self.n_variables)]).T
            self.report.check((forms[key].dot(some) % P == rounds[self.n_variables]).all(),
                              f"{name} of {key} is not linear")
        return forms

    # What a party sees.

    def of_station(self, station):
        return [self.share[station], self.random_forms(station)]

    def of_relay(self, relay):
        """Everything that it receives, which determines everything that it sends, and its new share."""
        got = [form for forms in (self.sent, self.collected, self.new)
               for (_, _, to, _), form in forms.items() if to == relay]
        return got

    def of_federator(self):
        return list(self.new.values())


def rank(rows):
    """The rank over the integers modulo P."""
    return rank_modulo(rows, P)
