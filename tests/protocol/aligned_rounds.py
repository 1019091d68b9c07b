"""Runs rounds of protocol aligned with the commands and collects the records that were sent."""

import numpy

from aligned_relays import choose
from rounds import Rounds, listed


class AlignedRounds(Rounds):
    """Clients share and dealers deal once; stations and relays run once for every choice of present nodes."""

    def __init__(self, plan, commands):
        super().__init__(plan, commands)
        for dealer in plan.dealers:
            source = self.source(("station", dealer), [("mask", ())])
            commands.run("keygen", "--plan", "plan", "--station", dealer, "--round", 1, "--length", plan.n_elems,
                         *source, "-o", f"station-{{}}/mask-{dealer}")

    def run_client(self, client):
        plan = self.plan
        numpy.save(self.commands.path(f"vector-{client}.npy"),
                   numpy.array(plan.vectors[client], dtype="i8" if plan.is_numeric else "u1"))
        source = self.source(("client", client), [("plain", (client,))])
        samples = ["--samples", plan.samples[client]] if plan.has_samples else []
        self.commands.run("share", "--plan", "plan", "--client", client, "--round", 1, *samples, *self.unsafe, *source,
                          "-o", f"station-{{}}/client-{client}", f"vector-{client}.npy")
        self.sort_records(client)
        self.secrets[client] = {"vector": plan.secret(client)}

    def run_nodes(self, tag, clients, stations, relays, prefixes=False):
        plan = self.plan
        self.tag, self.clients, self.stations, self.relays = tag, clients, stations, relays
        self.missing = [u for u in plan.aligned.stations if u not in stations]
        self.chosen = [] if clients == plan.numbers else ["--clients", listed(clients)]
        dealers = [w for w in plan.dealers if w in stations]
        self.sent = [f"station-{u}/{kind}-{i}" for u in stations
                     for kind, those in (("client", clients), ("mask", dealers)) for i in those
                     if self.commands.exists(f"station-{u}/{kind}-{i}")]
        present = [u for u in plan.aligned.stations if u in stations]
        hops = choose(plan, present, relays) if relays else {}
        for station in present:
            options = ["--dealers", listed(dealers)] if len(dealers) < len(plan.dealers) else []
            options += ["--via", hops[station]] if hops else []
            self.send(f"{tag}-{station}", ("station", station), *options, *self.files(f"station-{station}/*"))
        for relay in sorted(set(hops.values())):
            files = [f"{tag}-{u}" for u in present if hops[u] == relay]
            options = ["--missing", listed(self.missing)] if self.missing else []
            self.send(f"{tag}-from-relay-{relay}", ("relay", relay), *options, *files)

    def records(self):
        """Without the masks that dealers keep."""
        return [record for record in super().records() if record.header["from"] != record.header["to"]]
