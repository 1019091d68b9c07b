"""Random plans of every form of the protocol. The same seed gives the same plans.

Sets and routes are chosen here and not by hagg-plan, so that they have many sizes, overlap, and share
relays. Whether they are private does not matter for what is sent.
"""

from executor import Elements
from sharing import fewest

FORMS = tuple((collusion, relays) for collusion in ("partial", "full")
              for relays in ("none", "pass on", "reshare"))
FIELDS = ("m31", "m61", "goldilocks", "gf256", "prime:p=13", "prime:p=257", "prime:p=65521",
          "prime:p=1000003", "prime:p=4294967291", "prime:p=4611686018427387847")


class Plan:
    def __init__(self, rng, form, index):
        self.rng, self.form = rng, form
        self.full, self.relaying = form[0] == "full", form[1]
        # each field in turn, so that none depends on chance
        self.spec = FIELDS[index % len(FIELDS)]
        self.elements = Elements(self.spec)
        self.n_clients = rng.randint(3, 6)
        self.numbers = sorted(rng.sample(range(1, rng.choice((8, 1000, 2**32))), self.n_clients))
        self.scheme = self.choose_scheme(index)
        self.choose_tolerances()
        self.choose_sets()
        self.is_numeric = self.elements.field.is_numeric
        self.has_samples = self.is_numeric and rng.random() < 0.4
        self.n_elems = rng.choice((1, rng.randint(2, 5), rng.randint(6, 40)))
        self.length = self.n_elems + self.has_samples
        self.vectors = {i: choose_integers(self, self.n_elems) for i in self.numbers}
        self.samples = {i: abs(choose_integers(self, 1)[0]) for i in self.numbers}
        self.text = self.write()

    # The numbers of nodes, and how many of them may collude or be missing.

    def choose_scheme(self, index):
        """Every third plan has shares of which a part may be sent. Sets self.needed to the fewest spare
        holders of its sharings."""
        self.needed = (0, 1, 0, 0, 2, 0)[index % 6]
        if self.needed == 0:
            return self.rng.choice(("ramp", "ramp", "ramp", "additive"))
        if self.needed == 1:
            return "staircase"
        # both would give shares of shares with hundreds of symbols
        return "staircase:missing=" + ("1" if self.relaying == "reshare" else self.rng.choice(("1", "0.1")))

    @property
    def has_prefixes(self):
        return self.needed > 0

    def choose_tolerances(self):
        rng, needed = self.rng, 2 * self.needed
        self.n_relays = 0 if self.relaying == "none" else rng.randint(max(3, needed + 2), max(5, needed + 2))
        self.n_stations = rng.randint(max(3, needed + 2), max(6, needed + 3))
        self.z, self.drop = [0, 0], [0, 0]
        if self.relaying == "pass on":
            # more stations than relays, so that different stations use the same relay
            self.n_stations = self.n_relays + rng.randint(1, 2)
            most = self.n_relays - 1
            spares = self.choose_spares((most - 1) // 2)
            self.drop[0] = max(rng.randint(0, spares), rng.randint(0, spares))
            self.drop[1] = spares - self.drop[0]
            colluders = rng.randint(1, most - 2 * spares)
            self.z[0] = rng.randint(0, colluders)
            self.z[1] = colluders - self.z[0] if self.full else colluders
            least = fewest(colluders, spares)
            self.least = [least, least]
            return
        self.least = []
        for tier, n in enumerate((self.n_stations, self.n_relays)):
            if n:
                self.drop[tier] = self.choose_spares((n - 1) // 2)
                self.z[tier] = rng.randint(0, n - 1 - 2 * self.drop[tier])
                self.least.append(fewest(self.z[tier], self.drop[tier]))

    def choose_spares(self, most):
        return 0 if self.scheme == "additive" else self.rng.randint(self.needed, min(2, most))

    # Who shares over whom.

    def choose_holders(self, tier):
        n = (self.n_stations, self.n_relays)[tier]
        return tuple(self.rng.sample(range(1, n + 1), self.rng.randint(self.least[tier], n)))

    def choose_sets(self):
        """The sets of vectors and, under full collusion, of keys: stations, and relays if there are
        any."""
        self.ways = {"shares": self.choose_ways(), "keys": self.choose_ways() if self.full else None}
        self.chosen = {what: {i: self.rng.choice(ways) for i in self.numbers}
                       for what, ways in self.ways.items() if ways}
        reached = {i: {u for chosen in self.chosen.values() for u in chosen[i][0]}
                   | set(self.rng.sample(range(1, self.n_stations + 1), self.rng.randint(0, 2)))
                   for i in self.numbers}
        self.via = {i: sorted(stations) for i, stations in reached.items()}
        self.key_station = None if self.full else \
            {i: self.rng.choice(self.via[i]) for i in self.numbers}
        self.links = self.choose_links()

    def choose_ways(self):
        n = self.rng.choice((1, 2, 3))
        if self.relaying == "none":
            return [(self.choose_holders(0), ()) for _ in range(n)]
        if self.relaying == "reshare":
            relays = [self.choose_holders(1) for _ in range(self.rng.choice((1, 1, 2)))]
            ways = {}
            for _ in range(n):
                ways.setdefault(self.choose_holders(0), self.rng.choice(relays))
            return list(ways.items())
        return [way for _ in range(self.rng.choice((1, 1, 2))) for way in self.choose_meeting(n)]

    def choose_meeting(self, n):
        """Routes with the same relays. Under full collusion a station has the same position in all of
        them."""
        size = self.rng.randint(self.least[0], self.n_relays)
        stations = self.rng.sample(range(1, self.n_stations + 1), size)
        relays = tuple(self.rng.sample(range(1, self.n_relays + 1), size))
        left = [u for u in range(1, self.n_stations + 1) if u not in stations]
        ways = [tuple(stations)]
        for _ in range(n - 1):
            other = list(stations)
            for u in left:
                if self.rng.random() < 0.7:
                    other[u % size] = u
            if not self.full:
                self.rng.shuffle(other)
            ways.append(tuple(other))
        return [(way, relays) for way in dict.fromkeys(ways)]

    def choose_links(self):
        """The links that are needed, and some more."""
        if not self.n_relays:
            return {}
        links = {u: set(self.rng.sample(range(1, self.n_relays + 1), self.rng.randint(1, 2)))
                 for u in range(1, self.n_stations + 1)}
        for ways in filter(None, self.ways.values()):
            for stations, relays in ways:
                for place, u in enumerate(stations):
                    links[u] |= set(relays if self.relaying == "reshare" else relays[place : place + 1])
        return {u: sorted(relays) for u, relays in links.items()}

    def secret(self, client):
        return secret(self, client)

    # Who takes part.

    def choose_clients(self):
        return sorted(self.rng.sample(self.numbers, self.rng.randint(2, len(self.numbers) - 1)))

    def choose_missing(self, clients):
        """Chooses spare stations and relays; stations with keys are needed."""
        keys = set() if self.full else {self.key_station[i] for i in clients}
        able = [u for u in range(1, self.n_stations + 1) if u not in keys]
        # what is sent of a share depends on how many are missing
        most = [self.rng.randint(0, n) if self.has_prefixes else n for n in self.drop]
        missing = sorted(self.rng.sample(able, min(len(able), most[0])))
        relays = sorted(self.rng.sample(range(1, self.n_relays + 1), most[1]))
        stations = [u for u in range(1, self.n_stations + 1) if u not in missing]
        if self.n_relays and not self.full and not set(self.links[stations[-1]]) - set(relays):
            relays = []  # the total of the keys has no other route
        return missing, relays

    def write(self):
        tolerated = [f"{name}s={{}}" for name in ("station", "relay")[: 1 + (self.n_relays > 0)]]
        lines = [f"field {self.spec}", f"scheme {self.scheme}", "protocol keys", "minimum 2",
                 f"collude {self.form[0]} " + " ".join(tolerated).format(*self.z),
                 f"stations {self.n_stations}"]
        if any(self.drop):
            lines.append("drop " + " ".join(tolerated).format(*self.drop))
        lines += ["samples"] * self.has_samples
        if self.n_relays:
            lines.append(f"relays {self.n_relays}")
            lines += [f"station {u} via {words(relays)}" for u, relays in self.links.items()]
        lines += ["transform direct"] * (self.relaying == "reshare")
        return "".join(line + "\n" for line in lines + list(map(self.write_client, self.numbers)))

    def write_client(self, client):
        line = f"client {client} via {words(self.via[client])}"
        for what, chosen in self.chosen.items():
            stations, relays = chosen[client]
            line += f" {what} {words(stations)}"
            if relays:
                line += f" {'relays' if what == 'shares' else 'key-relays'} {words(relays)}"
        return line if self.full else f"{line} keys {self.key_station[client]}"


def choose_integers(plan, n):
    """A vector of integers whose sums fit the field."""
    if not plan.is_numeric:
        return [plan.rng.randint(0, 255) for _ in range(n)]
    most = min(plan.elements.field.int_max // plan.n_clients, 2**63 - 1)
    return [plan.rng.randint(-most, most) for _ in range(n)]


def secret(plan, client):
    """The vector as elements, followed by the sample count."""
    integers = plan.vectors[client] + [plan.samples[client]] * plan.has_samples
    return [x % plan.elements.field.order for x in integers]


def words(numbers):
    return " ".join(map(str, numbers))
