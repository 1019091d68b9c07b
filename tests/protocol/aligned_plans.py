"""Random plans of protocol aligned, with and without relays. The same seed gives the same plans."""

from aligned import Aligned
from executor import Elements
from plans import FIELDS, choose_integers, secret, words

FORMS = tuple((collusion, relays) for collusion in ("partial", "full")
              for relays in ("aligned", "aligned, relays"))


class AlignedPlan:
    has_prefixes = False

    def __init__(self, rng, form, index):
        self.rng, self.form, self.full = rng, form, form[0] == "full"
        self.spec = FIELDS[index % len(FIELDS)]
        self.elements = Elements(self.spec)
        self.is_numeric = self.elements.field.is_numeric
        self.n_clients = rng.randint(3, 6)
        self.numbers = sorted(rng.sample(range(1, rng.choice((8, 1000, 2**32))), self.n_clients))
        while not self.choose_sets():
            pass
        self.choose_dealers()
        self.choose_relays(form[1] == "aligned, relays")
        self.has_samples = self.is_numeric and rng.random() < 0.4
        self.n_elems = rng.choice((1, rng.randint(2, 5), rng.randint(6, 40)))
        self.length = self.n_elems + self.has_samples
        self.vectors = {i: choose_integers(self, self.n_elems) for i in self.numbers}
        self.samples = {i: abs(choose_integers(self, 1)[0]) for i in self.numbers}
        self.text = self.write()

    def choose_sets(self):
        rng = self.rng
        self.n_stations = rng.randint(3, 7)
        self.z, spares = rng.randint(1, 2), rng.choice((0, 0, 1))
        least = self.z + spares + 1
        if self.n_stations < least + spares:
            return False
        sets = [sorted(rng.sample(range(1, self.n_stations + 1), rng.randint(least, self.n_stations)))
                for _ in range(rng.randint(1, 4))]
        self.sets = {i: rng.choice(sets) for i in self.numbers}
        self.n_segments = rng.randint(1, min(6, self.elements.field.order - self.n_stations))
        self.aligned = Aligned(self.spec, self.sets, self.z, spares, self.n_segments)
        self.drop = [spares, 0]
        return len(self.aligned.stations) >= least + spares

    def choose_dealers(self):
        used, hidden = self.aligned.stations, self.drop[0] + (self.z if self.full else 0)
        alike = len(set(map(tuple, self.sets.values()))) == 1
        self.dealers = [] if alike else self.rng.sample(used, self.rng.randint(hidden + 1, len(used)))

    def choose_relays(self, some):
        self.n_relays = self.rng.randint(2, 4) if some else 0
        self.drop[1] = self.rng.randint(0, 1) if some else 0
        self.links = {u: sorted(self.rng.sample(range(1, self.n_relays + 1),
                                                self.rng.randint(1 + self.drop[1], self.n_relays)))
                      for u in range(1, self.n_stations + 1)} if some else {}

    def secret(self, client):
        return secret(self, client)

    def choose_clients(self):
        """Clients that take part, so that every station has one: without any it might have nothing to send."""
        some = sorted(self.rng.sample(self.numbers, self.rng.randint(2, len(self.numbers) - 1)))
        return some if {u for i in some for u in self.sets[i]} == set(self.aligned.stations) else self.numbers

    def choose_missing(self, _):
        missing = sorted(self.rng.sample(self.aligned.stations, self.rng.randint(0, self.drop[0])))
        return missing, sorted(self.rng.sample(range(1, self.n_relays + 1), self.drop[1]))

    def write(self):
        lines = [f"field {self.spec}", "minimum 2", f"collude {self.form[0]} stations={self.z}",
                 f"drop stations={self.drop[0]} relays={self.drop[1]}", f"stations {self.n_stations}",
                 f"segments {self.n_segments}"] + ["samples"] * self.has_samples
        lines += [f"dealers {words(self.dealers)}"] if self.dealers else []
        if self.n_relays:
            lines.append(f"relays {self.n_relays}")
            lines += [f"station {u} via {words(relays)}" for u, relays in self.links.items()]
        lines += [f"client {i} via {words(stations)}" for i, stations in self.sets.items()]
        return "".join(line + "\n" for line in lines)
