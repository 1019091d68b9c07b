"""Random topologies with relays, without choices: these are made by hagg-plan."""

from generate import Case, write_list
from sharing import fewest


class RelayCase(Case):
    def __init__(self, rng, index):
        self.collusion = "full" if index % 2 else "partial"
        super().__init__(rng, index)

    def choose_sharing(self, long):
        rng = self.rng
        self.n_stations = rng.randint(3, 8)
        self.n_relays = rng.randint(3, 7)
        most = min(self.n_stations, self.n_relays) - 1
        self.scheme = rng.choice(("ramp", "ramp", "ramp", "additive"))
        spares = 0 if self.scheme == "additive" else rng.randint(0, min(2, (most - 1) // 2))
        self.drop = rng.randint(0, spares)
        self.drop_relays = spares - self.drop
        self.colluders = rng.randint(1, min(3, most - 2 * spares))
        if self.collusion == "full":
            self.z = rng.randint(0, self.colluders)
            self.z_relays = self.colluders - self.z
        else:
            few, many = rng.randint(0, self.colluders), self.colluders
            self.z, self.z_relays = rng.choice(((few, many), (many, few)))
        self.least = fewest(self.colluders, spares)

    def write_topology(self):
        return super().write_topology() + f"relays {self.n_relays}\n" + "".join(self.write_links())

    def write_links(self):
        """Many links or few; with few, some client may have no route."""
        pool, most = list(range(1, self.n_relays + 1)), self.n_relays
        if self.rng.random() < 0.4:
            pool = sorted(self.rng.sample(pool, self.rng.randint(self.least - 1, self.n_relays)))
            most = min(2, len(pool))
        for station in range(1, self.n_stations + 1):
            relays = sorted(self.rng.sample(pool, self.rng.randint(1, most)))
            yield f"station {station} via {write_list(self.rng, relays)}\n"

    def write_clients(self):
        """Clients have one of a few reaches; most stations are in most of them."""
        reaches = [self.choose_set(range(1, self.n_stations + 1)) for _ in range(self.rng.randint(1, 4))]
        return [f"client {i} via {write_list(self.rng, self.rng.choice(reaches))}" for i in self.numbers]

    def choose_set(self, stations):
        return sorted(self.rng.sample(stations, self.rng.randint(self.least, len(stations))))

    def dress(self, line):
        """Adds the words for relays to the collude and drop lines."""
        if line.startswith("collude"):
            line += f" relays={self.z_relays}"
        if line.startswith("drop"):
            line += f" relays={self.drop_relays}"
        return super().dress(line)


class TransformCase(RelayCase):
    """Each tier has its own numbers, often with too few stations to pass shares on unchanged."""

    def choose_sharing(self, long):
        rng = self.rng
        self.n_stations, self.n_relays = rng.randint(3, 6), rng.randint(2, 6)
        self.scheme = rng.choice(("ramp", "ramp", "ramp", "additive"))
        self.z, self.drop = self.choose_tier(self.n_stations)
        self.z_relays, self.drop_relays = self.choose_tier(self.n_relays)
        self.least = fewest(self.z, self.drop)

    def choose_tier(self, n):
        """How many of n nodes may collude and how many may be missing."""
        most = min(3, n - 1)
        drop = 0 if self.scheme == "additive" else self.rng.choice((0, self.rng.randint(0, most // 2)))
        return self.rng.randint(0, most - 2 * drop), drop

    def write_links(self):
        """All links, or so few that not every choice is possible."""
        n, least = self.n_relays, fewest(self.z_relays, self.drop_relays)
        sparse = self.rng.random() < 0.6
        for station in range(1, self.n_stations + 1):
            relays = sorted(self.rng.sample(range(1, n + 1), self.rng.randint(max(1, least - 1), n)
                                            if sparse else n))
            yield f"station {station} via {write_list(self.rng, relays)}\n"
