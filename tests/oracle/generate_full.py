"""Random plans for full collusion, some private and some not."""

from generate import Case, write_list


class FullCase(Case):
    collusion, most_colluding = "full", 4

    def choose_lists(self):
        """A few lists of stations; some may have the same stations in a different order."""
        n = self.rng.choice((1, 2, 3, 3, 4))
        lists = [self.choose_set(range(1, self.n_stations + 1)) for _ in range(n)]
        if self.rng.random() < 0.3:
            lists.append(self.rng.sample(lists[0], len(lists[0])))
        return lists

    def write_clients(self):
        vectors, keys = self.choose_lists(), self.choose_lists()
        pairs = [(self.rng.choice(vectors), self.rng.choice(keys)) for _ in self.numbers]
        if self.rng.random() < 0.1:
            pairs = [(shares, shares) for shares, _ in pairs]
        return [self.write_client(i, *pair) for i, pair in zip(self.numbers, pairs)]

    def write_client(self, number, shares, keys):
        via = {*shares, *keys, *self.rng.sample(range(1, self.n_stations + 1), self.rng.randint(0, 1))}
        line = f"client {number} via {write_list(self.rng, sorted(via))}"
        # an omitted list means all stations that the client reaches
        for word, stations in (("shares", shares), ("keys", keys)):
            if stations != sorted(via) or self.rng.random() < 0.5:
                line += f" {word} {write_list(self.rng, stations)}"
        return line
