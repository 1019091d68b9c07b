"""The data of a plan that training needs. The format is described in hagg-topology(5)."""

import dataclasses


@dataclasses.dataclass
class Plan:
    path: str
    bits: int
    clip: float
    n_clients: int
    n_stations: int
    n_relays: int
    drop: dict  # how many clients, stations, relays may be missing


def load(path):
    lines = [line.split() for line in open(path, encoding="ascii")]
    words = {line[0]: line[1:] for line in lines if line and line[0] != "client"}
    pairs = {word: dict(pair.split("=") for pair in words[word]) for word in ("quantize", "drop")}
    clients = [line[1 : line.index("via")] for line in lines if line and line[0] == "client"]
    last = max(int(item.split("-")[-1]) for group in clients for item in group)
    return Plan(
        path=path,
        bits=int(pairs["quantize"]["bits"]),
        clip=float(pairs["quantize"]["clip"]),
        n_clients=last,
        n_stations=int(words["stations"][0]),
        n_relays=int(words["relays"][0]),
        drop={tier: int(n) for tier, n in pairs["drop"].items()},
    )
