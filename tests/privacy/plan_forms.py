"""What the parties see in a round in which relays have sharings of their own, as linear forms.

Rows are forms. Columns are the variables of the round: vectors first, then keys and all random values
of clients and stations. tests/oracle/transform_round.py checks that the commands compute these forms.
"""

import numpy

from fields import field_of
from observed_forms import FIELD, P, rank
from sharing import Sharing, invert, parameters

SECRETS = ("padded", "key")


class Variables:
    """Assigns columns to names in the order of first use."""

    def __init__(self):
        self.columns = {}

    def rows(self, name, n):
        """One form per variable, for n variables, as rows that are widened later."""
        return [{self.columns.setdefault((name, i), len(self.columns)): 1} for i in range(n)]


def add(*rows):
    total = {}
    for coefficient, row in rows:
        for column, value in row.items():
            total[column] = (total.get(column, 0) + coefficient * value) % P
    return total


def share(matrix_row, parts):
    """A share of parts and random vectors, all of them lists of forms."""
    return [add(*zip(matrix_row, elements)) for elements in zip(*parts)]


class PlanForms:
    """runs: one set of present stations per run; these stations contribute in each run."""

    def __init__(self, plan, length, runs=None):
        self.plan, self.d, self.field = plan, length, field_of(FIELD)
        self.secrets = SECRETS if plan.full else SECRETS[:1]
        self.variables = Variables()
        for client in plan.clients:
            self.variables.rows(("vector", client), length)
        self.keys = {i: self.variables.rows(("key", i), length) for i in plan.clients}
        self.shares = {}  # by client, secret, index of the station
        for client in plan.clients:
            for secret in self.secrets:
                self.share_client(client, secret)
        self.drawn, self.sent, self.new = {}, {}, {}
        for run, present in enumerate(runs or [range(1, plan.n_stations + 1)]):
            for way in {self.way(i, s) for i in plan.clients for s in self.secrets}:
                self.transform(run, way, present)

    def way(self, client, secret):
        place = self.plan.clients[client]
        lists = (place.shares, place.relays) if secret == "padded" else (place.keys, place.key_relays)
        return (secret, *map(tuple, lists))

    def sharing(self, tier, n):
        k, z, _ = parameters(self.plan.scheme, n, *self.plan.tiers[tier])
        return Sharing(self.field, self.plan.scheme, n, k, z, range(1, n + 1))

    def spread(self, tier, n, elements, name):
        """Shares of the elements among n holders, and the new random vectors."""
        sharing = self.sharing(tier, n)
        length = len(elements) // sharing.parts
        parts = [elements[i * length : (i + 1) * length] for i in range(sharing.parts)]
        drawn = [self.variables.rows((name, j), length) for j in range(sharing.k - sharing.parts)]
        return [share(row, parts + drawn) for row in sharing.rows], [row for part in drawn for row in part]

    def share_client(self, client, secret):
        stations = self.way(client, secret)[1]
        vector = self.variables.rows(("vector", client), self.d)
        elements = self.keys[client]
        if secret == "padded":
            elements = [add((1, a), (1, b)) for a, b in zip(vector, elements)]
        shares, _ = self.spread(0, len(stations), elements, ("share", client, secret))
        for index, forms in enumerate(shares):
            self.shares[client, secret, index] = forms

    def transform(self, run, way, present):
        secret, stations, relays = way
        sharing = self.sharing(0, len(stations))
        members = [i for i in self.plan.clients if self.way(i, secret) == way]
        taking = [u for u, number in enumerate(stations) if number in present][: sharing.k]
        inverse = invert(self.field, [sharing.rows[u] for u in taking])
        for u in taking:
            total = share([1] * len(members), [self.shares[i, secret, u] for i in members])
            sent, drawn = self.spread(1, len(relays), total, ("transfer", run, way, u))
            self.drawn[run, way, u] = drawn
            for m, forms in enumerate(sent):
                self.sent[run, way, u, m] = forms
        for m in range(len(relays)):
            got = [self.sent[run, way, u, m] for u in taking]
            self.new[run, way, m] = [form for row in inverse[: sharing.parts] for form in share(row, got)]

    # What a party sees.

    def of_station(self, station):
        seen = [forms for (client, secret, index), forms in self.shares.items()
                if self.way(client, secret)[1][index] == station]
        seen += [forms for (_, way, u), forms in self.drawn.items() if way[1][u] == station]
        if not self.plan.full:
            seen += [self.keys[i] for i, c in self.plan.clients.items() if c.key_station == station]
            if station > 1:
                seen.append(self.key_total(station - 1))
        return [form for forms in seen for form in forms]

    def key_total(self, last):
        """The sum of the keys along the chain up to this station."""
        keys = [self.keys[i] for i, c in self.plan.clients.items() if c.key_station <= last]
        return share([1] * len(keys), keys) if keys else []

    def of_relay(self, relay):
        return [form for (_, way, _, m), forms in self.sent.items() if way[2][m] == relay
                for form in forms]

    def of_federator(self):
        """Relays add up sharings with the same relays and the same number of parts."""
        groups = {}
        for (run, way, m), forms in self.new.items():
            cut = self.sharing(0, len(way[1])).parts
            groups.setdefault((run, way[0], way[2], cut, m), []).append(forms)
        seen = [form for group in groups.values() for form in share([1] * len(group), group)]
        return seen if self.plan.full else seen + self.key_total(self.plan.n_stations)

    # What they learn.

    def seen(self, stations, relays, clients, federator):
        """What these parties see together, with the sum that they may learn, as a table of what they do not
        know, the columns of the table, and the number of symbols that they may learn."""
        rows = [form for u in stations for form in self.of_station(u)]
        rows += [form for m in relays for form in self.of_relay(m)]
        others = [i for i in self.plan.clients if i not in clients]
        allowed = 0
        if federator:
            rows += self.of_federator()
            vectors = [self.variables.rows(("vector", i), self.d) for i in others]
            rows += share([1] * len(others), vectors)
            allowed = self.d
        table = numpy.zeros((len(rows), len(self.variables.columns)), dtype="i8")
        for i, row in enumerate(rows):
            table[i, list(row)] = list(row.values())
        hidden = [column for (name, _), column in self.variables.columns.items()
                  if not self.is_known(name, clients)]
        return table, hidden, allowed

    def learnt(self, stations, relays, clients, federator):
        """The number of symbols of the others' vectors, beyond their sum, that these parties learn
        together."""
        table, hidden, allowed = self.seen(stations, relays, clients, federator)
        n_secret = self.d * len(self.plan.clients)
        # vectors have the first columns
        return rank(table[:, hidden]) - rank(table[:, [c for c in hidden if c >= n_secret]]) - allowed

    def learnt_of(self, client, *who):
        """The number of symbols that these parties learn about the vector of one client alone."""
        table, hidden, _ = self.seen(*who)
        own = {column for (name, _), column in self.variables.columns.items() if name == ("vector", client)}
        return rank(table[:, hidden]) - rank(table[:, [c for c in hidden if c not in own]])

    @staticmethod
    def is_known(name, clients):
        """True if the variable is a random value or input of one of the clients."""
        name = name[0] if isinstance(name[0], tuple) else name
        return name[0] in ("vector", "key", "share") and name[1] in clients
