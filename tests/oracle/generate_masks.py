"""Random topologies with masks of stations; with relays, for hagg-plan to choose."""

from generate import Case, write_list
from generate_relays import RelayCase


class MaskCase(Case):
    most_colluding = 4

    def __init__(self, rng, index):
        self.collusion = "full" if index % 4 == 1 else "partial"
        super().__init__(rng, index)

    def choose_sharing(self, long):
        super().choose_sharing(long)
        self.z, self.drop = min(self.z + self.drop, self.n_stations - 1), 0
        if self.collusion == "full":  # totals are shared among all stations
            self.n_stations = min(self.n_stations, self.field.order - 1)
            self.z = min(self.z, self.n_stations - 1)

    def write_clients(self):
        """Few lists, so that some stations may be in none; one may be another in another order."""
        lists = [self.choose_set(range(1, self.n_stations + 1)) for _ in range(self.rng.choice((1, 2, 3, 3, 4)))]
        if self.rng.random() < 0.3:
            lists.append(self.rng.sample(lists[0], len(lists[0])))
        return ["masks stations"] + [self.write_client(i, self.rng.choice(lists)) for i in self.numbers]

    def write_client(self, number, shares):
        via = {*shares, *self.rng.sample(range(1, self.n_stations + 1), self.rng.randint(0, 1))}
        line = f"client {number} via {write_list(self.rng, sorted(via))}"
        if shares != sorted(via) or self.rng.random() < 0.5:
            line += f" shares {write_list(self.rng, shares)}"
        return line


class MaskRelayCase(RelayCase):
    """Every second one chooses its relays itself, so that there is something to mask."""

    def __init__(self, rng, index):
        self.is_chosen = index % 8 >= 6
        super().__init__(rng, index)

    def choose_sharing(self, long):
        super().choose_sharing(long)
        self.drop = self.drop_relays = 0
        self.least = self.colluders + 1
        if self.collusion == "full":
            self.n_stations = min(self.n_stations, self.field.order - 1)

    def write_links(self):
        if not self.is_chosen:
            return super().write_links()
        return [f"station 1-{self.n_stations} via 1-{self.n_relays}\n"]

    def choose_way(self):
        """Stations in any order, and as many relays."""
        n = self.rng.randint(self.least, min(self.n_stations, self.n_relays))
        stations = self.rng.sample(range(1, self.n_stations + 1), n)
        relays = self.rng.sample(range(1, self.n_relays + 1), n)
        return (f"via {write_list(self.rng, sorted(stations))} shares {write_list(self.rng, stations)} "
                f"relays {write_list(self.rng, relays)}")

    def write_clients(self):
        """Reaches that have little in common, so that not all can share alike."""
        ways = [self.choose_way() if self.is_chosen else
                f"via {write_list(self.rng, sorted(self.rng.sample(range(1, self.n_stations + 1), self.least)))}"
                for _ in range(self.rng.randint(2, 4))]
        return ["masks stations"] + [f"client {i} {self.rng.choice(ways)}" for i in self.numbers]
