"""Which shares are seeds, and what they stand for: docs/computational.md."""

import dataclasses

from expansion import expand

SEED_BYTES = 32
LINE = "privacy computational\n"


def has_seeds(index):
    """Of the random topologies of protocol keys, one in six. They are sealed anyway."""
    return index % 6 == 5


def seeds_of(stations, reached, z):
    """The stations whose shares are seeds: z of them, first those that the client does not reach, then the
    last ones of the others."""
    order = [u for u in stations if u not in reached] + [u for u in reversed(stations) if u in reached]
    return set(order[:z])


def expanded(record, n):
    """The record with its n elements, if it has a seed; otherwise the record itself. The header still tells."""
    if not record.header.get("seed"):
        return record
    return dataclasses.replace(record, payload=expand(record.elements.tobytes(), record.header["field"], n))


def courier_of(station, reached):
    """The station whose file has the record for this one: itself, or the first that the client reaches."""
    return station if station in reached else min(reached)
