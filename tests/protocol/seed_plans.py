"""Lets the clients of a plan send seeds: all of them, some, or those that reach too few stations, for which
this chooses couriers."""

import random

from seeds import courier_of
from sharing import fewest


class Seeds:
    """Changes a plan. Its text then has the lines of computational privacy."""

    def __init__(self, plan, index):
        self.plan, self.rng = plan, random.Random(f"{plan.text} {index}")
        self.is_aligned = hasattr(plan, "aligned")
        self.shares = plan.sets if self.is_aligned else {i: way[0] for i, way in plan.chosen["shares"].items()}
        self.privacy = self.rng.choice(("privacy", "fallback", None))
        self.via = self.choose_couriers()
        self.words = set()
        if self.privacy != "privacy":
            self.words = set(self.rng.sample(plan.numbers, self.rng.randint(1, len(plan.numbers))))
        if self.privacy is None:
            self.words |= set(self.via)
        plan.text = self.write()

    def choose_couriers(self):
        """Couriers exist with protocol aligned, and with protocol keys in its simplest form."""
        plan, rng = self.plan, self.rng
        if not self.is_aligned and plan.form != ("partial", "none"):
            return {}
        least = plan.z + plan.drop[0] + 1 if self.is_aligned else fewest(plan.z[0], plan.drop[0])
        found = {}
        for i, stations in self.shares.items():
            if len(stations) != least or least < 2 or rng.random() < 0.2:
                continue
            needed = set() if self.is_aligned else {plan.key_station[i]}
            others = [u for u in stations if u not in needed]
            found[i] = sorted(needed | set(rng.sample(others, rng.randint(1 - len(needed), least - 1 - len(needed)))))
        return found

    def reached(self, client):
        return self.via.get(client, range(1, self.plan.n_stations + 1))

    def courier(self, client, station):
        """The station that gets the record for this one."""
        return courier_of(station, self.reached(client))

    def write(self):
        lines = [f"{self.privacy} computational"] if self.privacy else []
        for line in self.plan.text.splitlines():
            words = line.split()
            lines.append(self.write_client(words) if words[0] == "client" else line)
        return "".join(line + "\n" for line in lines)

    def write_client(self, words):
        """client N via ... and lists of other names."""
        number, rest, i = int(words[1]), [], 3
        while i < len(words) and words[i].isdigit():
            i += 1
        via, rest = words[3:i], words[i:]
        if number in self.via:
            via = list(map(str, self.via[number]))
            if "shares" not in rest:
                rest += ["shares", *map(str, self.shares[number])]
        return " ".join(["client", words[1], "via", *via, *["computational"] * (number in self.words), *rest])
