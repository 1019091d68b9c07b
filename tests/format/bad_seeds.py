"""Seeds that are not sealed, are no seeds of 32 bytes, or belong to a record that cannot have one."""

import numpy

from bad_cases import CARRIED, DIRECT, FULL, ROSTER, SUMMAND, Bad, Base
from good_sealed import TEXT, data, find, sealed_records
from good_seeds import own_key, seeded, sent_key, sealed_cases
from raw_cbor import encode, payload, record
from sealed import TAG_BYTES, Sealed

OWN_KEY = Base(*own_key())
FILED = Base(*data(TEXT))


def sealed(name):
    return Base(*sealed_records(name, find(name))[0])


SHARE, ALIGNED, MASK, KEY = (sealed(f"sealed-seed-{name}") for name in ("share", "aligned", "mask", "key"))


def cases():
    yield from not_sealed()
    yield from payloads()
    yield from values()
    yield from kinds()
    yield from sums()


def not_sealed():
    for name, _, records in sealed_cases():
        if name == "sealed-seed-and-share":
            continue
        short = name.removeprefix("sealed-")
        made = record(records[0][0], payload(records[0][1]))
        yield Bad(f"{short}-unsealed", "seed", "payload", made, "a seed that is not sealed")
    header, elements = seeded(({key: value for key, value in SHARE.header.items() if key != "to"}, None))
    made = record(header, payload(elements))
    yield Bad("seed-share-unsealed-without-to", "seed", "payload", made, "a share, which is no key, without a receiver")
    header, elements = sent_key()
    del header["from"]
    made = record(header, payload(elements))
    yield Bad("seed-key-unsealed-without-from", "seed", "payload", made, "a key with a receiver")


def chunks_of(n, width):
    """A sealed payload of n bytes, which nobody can open."""
    made = SHARE.elements
    return encode(Sealed(width, made.sender, made.receiver, made.enc, bytes(n + TAG_BYTES)).items())


def payloads():
    for n, width in ((0, 1), (31, 1), (33, 1), (32, 2), (32, 4), (128, 4), (32, 8)):
        name, description = f"{n}-in-{width}", f"{n} bytes in elements of {width}"
        made = record(OWN_KEY.header, payload(numpy.zeros(n // width, dtype=f"<u{width}")))
        yield Bad(f"seed-of-{name}", "seed", "payload", made, description)
        made = record(SHARE.header, chunks_of(n, width))
        yield Bad(f"sealed-seed-of-{name}", "seed", "payload", made, f"{description}, sealed")
    made = record(KEY.header, chunks_of(8 * KEY.header["length"], 8))
    yield Bad("sealed-seed-of-length", "seed", "payload", made, "the elements of a key instead of a seed")


def values():
    for name, failure, value in (("false", "value", False), ("number", "type", 1), ("bytes", "type", bytes(32))):
        for base, kind in ((OWN_KEY, "own-key"), (SHARE, "share")):
            made = base.having("seed", value)
            yield Bad(f"seed-{kind}-{name}", failure, "seed", made, f"the value {value} instead of true")


def kinds():
    for base, kind, failure in (
        (FULL, "vector", "seed"),
        (DIRECT, "transfer", "seed"),
        (CARRIED, "carried", "seed"),
        (SUMMAND, "summand", "seed"),
        (ROSTER, "roster", "kind"),
        (FILED, "data", "kind"),
    ):
        yield Bad(f"{kind}-with-seed", failure, "seed", base.having("seed", True), f"a seed in {kind}")
    for name, kind in (("sealed-transfer", "transfer"), ("sealed-summand", "summand")):
        made = record({**sealed(name).header, "seed": True}, chunks_of(32, 1))
        yield Bad(f"sealed-{kind}-with-seed", "seed", "seed", made, f"a sealed seed in a {kind}")
    for of in ("plain", "padded"):
        made = record({**OWN_KEY.header, "of": of}, OWN_KEY.body)
        yield Bad(f"seed-vector-of-{of}", "seed", "seed", made, f"the seed of a {of} vector")
    yield Bad("seed-with-layout", "seed", "seed", SHARE.having("layout", [2]), "a share with a layout")
    yield Bad("seed-with-symbols", "symbols", "symbols", SHARE.having("symbols", [0, 1]), "some symbols of a share")


def sums():
    for base, name in ((SHARE, "share"), (ALIGNED, "aligned"), (KEY, "key"), (OWN_KEY, "own-key")):
        for short, ranges in (("two-clients", [3, 4]), ("two-ranges", [3, 3, 5, 5])):
            made = base.having("clients", ranges)
            yield Bad(f"seed-{name}-of-{short}", "seed", "seed", made, "a sum over several clients")
        yield Bad(f"seed-{name}-without-clients", "seed", "seed", base.lacking("clients"), "no clients")
        for short, node in (("another", ["client", 4]), ("a-station", ["station", 3])):
            made = base.having("from", node)
            yield Bad(f"seed-{name}-from-{short}", "seed", "seed", made, "not from its client")
    made = ALIGNED.having("dealers", [5, 5])
    yield Bad("seed-aligned-with-dealers", "seed", "seed", made, "a sum with the mask of a dealer")
