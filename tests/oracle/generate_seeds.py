"""Random topologies with computational privacy, made from others."""

import re

from couriers import stations_needed
from generate import write_list


def weaken(rng, line, t, needed):
    """The client reaches too few stations. Its shares, which must be enough, are chosen anew or left out."""
    head = re.match(r"client [\d\s-]+? via", line)[0]
    via = sorted(rng.sample(range(1, t.n_stations + 1), rng.randint(1, needed - 1)))
    line = f"{head} {write_list(rng, via)}"
    if rng.random() < 0.3:
        line += " computational"
        own = rng.sample(via, rng.randint(1, len(via)))
        far = [u for u in range(1, t.n_stations + 1) if u not in own]
        if len(own) + len(far) >= needed and rng.random() < 0.5:
            line += f" shares {write_list(rng, sorted(own + rng.sample(far, needed - len(own))))}"
    return line


def with_seeds(rng, text, t, is_aligned):
    """With privacy computational, with some clients that have the word, or with a fallback that some need."""
    needed, kind = stations_needed(t, is_aligned), rng.choice(("privacy", "word", "fallback", "fallback"))
    lines = [" ".join(line.partition("#")[0].split()) for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("dealers")]
    couriers = is_aligned or (not t.full and not t.n_relays)
    for i, line in enumerate(lines):
        if not line.startswith("client") or rng.random() < 0.5:
            continue
        if kind == "word":
            lines[i] = re.sub(r"( via [\d\s-]*\d)", r"\1 computational", line)
        elif couriers and needed > 1:
            lines[i] = weaken(rng, line, t, needed)
    # enough stations in use, whoever was weakened
    last = max(i for i, line in enumerate(lines) if line.startswith("client"))
    lines[last] = f"{re.match('client .*? via', lines[last])[0]} 1-{t.n_stations}"
    if kind == "privacy" or rng.random() < 0.1:
        lines.insert(0, "privacy computational")
    if rng.random() < 0.5 or kind == "fallback" or (couriers and kind == "privacy"):
        lines.insert(0, "fallback computational")
    return "\n".join(lines) + "\n"
