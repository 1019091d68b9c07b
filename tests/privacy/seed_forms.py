"""What the commands send in rounds with seeds, as linear forms observed from real records.

As in aligned_forms.py, but nobody can choose the expansion of a seed. So the variables have random values
in every column, those of a seed the elements of its expansion, which is computed here. The forms are the
solution of linear equations in as many columns as there are variables. In the other columns the
records must be what the forms give. So the privacy that is checked is that of expansions that are
uniform and independent: docs/computational.md.
"""

import os

import numpy

from aligned_forms import Observed, Plan, Variables
from expansion import expand
from rank import eliminate
from seeds import SEED_BYTES, courier_of, expanded, seeds_of

N_EXTRA = 16  # columns more than variables: some may be dependent, the others are checked
EVERYBODY = ("everybody", 0)  # who knows a constant


class SeedPlan(Plan):
    """privacy: None, "privacy" or "fallback". Clients in via reach only these stations."""

    def __init__(self, p, clients, n_segments, privacy="privacy", via=None, computational=(), **options):
        super().__init__(p, clients, n_segments, **options)
        self.privacy, self.via = privacy, via or {}
        self.word = set(computational)
        self.computational = set(clients) if privacy == "privacy" else self.word | set(self.via)

    def reached(self, client):
        return self.via.get(client, self.clients[client])

    def seeds_of(self, client):
        """The stations that get seeds."""
        return sorted(seeds_of(self.clients[client], self.reached(client), self.z)) if client in self.computational else []

    def seeds_of_masks(self):
        return self.aligned.all_drawn(self.bare()) if self.privacy == "privacy" else []

    def text(self):
        lines = [line for line in super().text().splitlines() if not line.startswith("client ")]
        lines += [f"{self.privacy} computational"] if self.privacy else []
        for i, stations in self.clients.items():
            line = f"client {i} via {' '.join(map(str, self.reached(i)))}" + " computational" * (i in self.word)
            lines.append(line + (f" shares {' '.join(map(str, stations))}" if i in self.via else ""))
        return "\n".join(lines) + "\n"


class SeedVariables(Variables):
    """alias: by name of a variable, that of the variable that has the same values."""

    def __init__(self, p, alias=lambda name: name):
        super().__init__(p)
        self.alias = alias

    def add(self, name):
        return super().add(self.alias(name))

    def table(self, largest):
        n = len(self.names)
        values = numpy.zeros((n, n + N_EXTRA), dtype="i8")
        for name, at in self.names.items():
            low, high = (-largest, largest) if name[0] == "g" else (0, self.p - 1)
            values[at] = [self.rng.randint(low, high) for _ in range(n + N_EXTRA)]
        return values


class SeedObserved(Observed):
    """seed_of: the seed that an owner draws for a station, if it is not a fresh one."""

    def __init__(self, commands, report, plan, variables, seed_of=None):
        super().__init__(commands, report, plan, variables)
        given = seed_of or (lambda owner, station: None)
        self.seeds = {(("client", i), u): given(("client", i), u) or variables.rng.randbytes(SEED_BYTES)
                      for i in plan.clients for u in plan.seeds_of(i)}
        self.seeds |= {(("station", w), u): given(("station", w), u) or variables.rng.randbytes(SEED_BYTES)
                       for w in plan.dealers for u in plan.seeds_of_masks()}

    def row(self, *name):
        return self.values[self.variables.names[self.variables.alias(name)]]

    def rows_of(self, kind, owner, station):
        """The number of rows of a share or mask, each of as many elements as the vectors have columns."""
        a = self.plan.aligned
        return len(a.blocks_of(owner[1])) * self.n_chunks if kind == "share" else len(a.intervals_of(station))

    def expansion(self, kind, owner, station):
        n = self.rows_of(kind, owner, station)
        return expand(self.seeds[owner, station], f"prime:p={self.plan.p}", n * self.width).reshape(n, self.width)

    def set_values(self, values):
        self.values, self.width, plan = values, values.shape[1], self.plan
        for i in plan.clients:
            for j, u in enumerate(plan.seeds_of(i)):
                for at, row in enumerate(self.expansion("share", ("client", i), u)):
                    block, k = divmod(at, self.n_chunks)
                    self.row("r", ("client", i), self.tag, block * plan.z + j, k)[:] = row
        for w in plan.dealers:
            rows = {u: iter(self.expansion("mask", ("station", w), u)) for u in plan.seeds_of_masks()}
            for q, (_, u) in enumerate(plan.aligned.steps(plan.bare())):
                if u in rows:
                    self.row("r", ("station", w), self.dealing, q)[:] = next(rows[u])
        self.solve()
        super().set_values(values)

    def solve(self):
        """The columns from which forms are found, and the matrix that finds them."""
        n = len(self.values)
        _, self.columns = eliminate(self.values, self.plan.p)
        self.report.equal(len(self.columns), n, "independent columns")
        both = numpy.concatenate([self.values[:, self.columns], numpy.eye(n, dtype="i8")], axis=1)
        self.inverse = eliminate(both, self.plan.p, reduced=True)[0][:, n:]

    def drawn_by_client(self, i):
        if i not in self.plan.computational:
            return super().drawn_by_client(i)
        return b"".join(self.seeds[("client", i), u] for u in self.plan.seeds_of(i))

    def drawn_by_dealer(self, w):
        plan = self.plan
        data = b"".join(self.seeds[("station", w), u] for u in plan.seeds_of_masks())
        return data + self.bytes_of([self.row("r", ("station", w), self.dealing, q)
                                     for q, (_, u) in enumerate(plan.aligned.steps(plan.bare()))
                                     if u not in plan.seeds_of_masks()])

    def read_shares(self, i):
        """Records in the file of a courier go on to the directories of their stations."""
        for courier in sorted({courier_of(u, self.plan.reached(i)) for u in self.plan.clients[i]}):
            name = f"at-{courier}/share-{i}"
            data, own = self.commands.read(name), b""
            for record in self.commands.records(name):
                raw, (_, to) = data[record.offset : record.offset + record.len_bytes], record.header["to"]
                self.report.equal(courier, courier_of(to, self.plan.reached(i)), f"{name}: courier to {to}")
                self.keep(record, "share", ("client", i), name)
                if to == courier:
                    own += raw
                else:
                    os.makedirs(self.commands.path(f"at-{to}"), exist_ok=True)
                    self.commands.write(f"at-{to}/passed-on-{i}", raw)
            self.commands.write(name, own)

    def keep(self, record, kind, sender, name):
        if kind in ("share", "mask"):
            is_seed = (sender, record.header["to"][1]) in self.seeds
            self.report.equal(record.header.get("seed", False), is_seed, f"{name}: seed")
            record = expanded(record, self.rows_of(kind, sender, record.header["to"][1]) * self.width)
        super().keep(record, kind, sender, name)

    def forms(self, record):
        return record.reshape(-1, self.width)[:, self.columns].dot(self.inverse) % self.plan.p

    def check_linear(self, record, what):
        want = self.forms(record).dot(self.values) % self.plan.p
        self.report.check((record.reshape(-1, self.width) == want).all(), f"{what}: is not what its forms give")
