"""Compares records with the messages of a round: the same messages, and the same bytes."""

import math

from executor import Name
from seeds import expanded


def clients_of(header):
    said = header.get("clients", [])
    return tuple(i for a, b in zip(said[::2], said[1::2]) for i in range(a, b + 1))


def name_of(header):
    return Name(tuple(header["from"]), tuple(header["to"]), header["kind"], header["of"],
                header.get("scheme", {}).get("index", 0), header.get("source", {}).get("index", 0),
                clients_of(header))


def expanded_bytes(record, message):
    """The elements of the record: of a seed, as many as the message has."""
    return expanded(record, sum(map(len, message.rows))).elements.tobytes()


def n_blocks(header, message):
    """A transfer has a block for each symbol of a share that is shared again."""
    n = len(message.rows) // message.n_symbols
    return 1 if header["kind"] == "transfer" else n


def compare(messages, records, length):
    """The differences, as pairs of a word and the name of the message."""
    found, wanted = [], {}
    for message in messages:
        if message.name.sender == message.name.to:
            continue  # it is not sent
        if message.name in wanted:
            found.append(("stated twice", message.name))
        wanted[message.name] = message
    for record in records:
        name = name_of(record.header)
        message = wanted.pop(name, None)
        if message is None:
            found.append(("not stated", name))
            continue
        if "scheme" in record.header and "segments" not in record.header and \
                math.prod(record.header.get("layout", [1])) != n_blocks(record.header, message):
            found.append(("has another layout", name))
        if record.header.get("symbols", [0, 0]) != message.symbols:
            found.append(("has other symbols", name))
        if record.header["length"] != length:
            found.append(("has another length", name))
        if bool(record.header.get("seed")) != message.is_seed:
            found.append(("is a seed" if "seed" in record.header else "is no seed", name))
        elif expanded_bytes(record, message) != message.payload:
            found.append(("differs", name))
    return found + [("is missing", name) for name in wanted]
