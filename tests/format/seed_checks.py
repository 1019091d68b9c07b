"""The rules of records whose payload is a seed, for the independent reader."""

from cbor_cursor import Reject

SEED_BYTES = 32


def is_own_key(header):
    """A key that stays with its client."""
    return header["kind"] == "vector" and "to" not in header


def check_seed(header):
    """The header of a record that has a vector."""
    if "seed" not in header:
        return
    is_key = header["kind"] == "vector" and header["of"] == "key"
    if not is_key and (header["kind"] != "share" or "layout" in header):
        raise Reject("seed", "seed", "neither a share without a layout nor a key")
    if header["of"] == "mask":
        return
    first, *others = header.get("clients", [0])
    if others != [first] or "dealers" in header or header.get("from", ["client", first]) != ["client", first]:
        raise Reject("seed", "seed", "not of one client, which is the sender")


def check_seed_payload(header, is_sealed, n_bytes, width):
    if not is_sealed and not is_own_key(header):
        raise Reject("seed", "payload", "a seed that is not sealed")
    if (n_bytes, width) != (SEED_BYTES, 1):
        raise Reject("seed", "payload", f"{n_bytes} bytes in elements of {width}, instead of a seed")
