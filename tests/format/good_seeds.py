"""Records whose payload is a seed, and known answers of the expansion.

The seeds are patterns, so that the files are the same every time. Never make seeds like this.
"""

import hashlib
import json

import numpy

from expansion import PIECE, expand, expand_piece
from good_aligned import aligned, mask
from good_vectors import EVERYTHING, pattern, share, vector

UPWARDS = {"from": ["client", 3], "to": ["station", 2], "clients": [3, 3]}


def seeded(made, start=0, **fields):
    """The record with a seed instead of its elements."""
    header = {**made[0], **fields, "seed": True}
    return header, numpy.frombuffer(pattern(32, start), dtype="u1")


def own_key(spec="m31", length=1000, **fields):
    return seeded(vector(spec, 0), of="key", length=length, clients=[3, 3], **fields)


def sent_key(**fields):
    return seeded(vector("m61", 0), 7, of="key", length=1000000, **UPWARDS, **fields)


def seed_share(**fields):
    return seeded(share("m31", 0), 1, length=100000, **UPWARDS, **fields)


def cases():
    """As good_vectors.cases(): seeds that are not sealed."""
    yield "seed-own-key", "the key of a client, which stays with the client", [
        own_key(round=12, plan=pattern(32), id=pattern(16, 50))]
    yield "seed-own-key-minimal", "an own key with the mandatory fields only, of each width", [
        own_key("gf256"), own_key("prime:p=65521"), own_key("m31"), own_key("m61")]
    yield "seed-own-key-from", "an own key that names its client as the sender", [own_key(**{"from": ["client", 3]})]
    yield "seed-own-key-lengths", "own keys of no element, and of as many as there may be", [
        own_key(length=0), own_key(length=2**48)]
    yield "seed-own-key-unknown", "an own key over a field that hagg does not have", [
        own_key(field="field-of-the-future")]


def sealed_cases():
    """(name, description, [(header, elements), ...]) of seeds that are to be sealed."""
    yield "sealed-seed-share", "a share of a padded vector, as a seed", [seed_share()]
    yield "sealed-seed-aligned", "a share of an aligned sharing, as a seed", [
        seeded(aligned(0, length=100000), 2, **UPWARDS)]
    dealt = {"from": ["station", 5], "to": ["station", 2], "length": 100000, "dealers": [5, 5]}
    yield "sealed-seed-mask", "a mask, as a seed", [seeded(mask(0), 3, **dealt)]
    yield "sealed-seed-key", "a key from a client to a station, as a seed", [sent_key()]
    yield "sealed-seed-key-share", "a share of a key, as a seed", [seed_share(of="key")]
    every = {**EVERYTHING, "mix": pattern(16, 3)}
    yield "sealed-seed-every-field", "every field that a share can have as a seed", [
        seeded(share(length=7, **every), 4)]
    yield "sealed-seed-and-share", "a seed and a share with elements, of different clients", [
        seed_share(), share(**{**UPWARDS, "from": ["client", 4], "clients": [4, 4]})]


SPECS = ("gf256", "prime:p=2", "prime:p=5", "prime:p=65521", "m31", "m61", "goldilocks")
FAR_PIECES = (2**32 - 1, 2**32, 2**36 - 1)


def number(value):
    """An integer as in manifest.json."""
    return int(value) if value < 2**53 else {"integer": str(value)}


def known_answer(spec, seed, n):
    elements = expand(seed, spec, n)
    wanted = (0, 1, 2, 3, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE - 1, 2 * PIECE, 2 * PIECE + 1, n - 1)
    at = sorted({i for i in wanted if 0 <= i < n})
    return {"field": spec, "seed": seed.hex(), "elements": n, "at": [[i, number(elements[i])] for i in at],
            "sha256": hashlib.sha256(elements.tobytes()).hexdigest()}


def far_answer(spec, seed, piece):
    """Of a piece that is far behind the first: its whole content."""
    elements = expand_piece(seed, spec, piece, PIECE)
    return {"field": spec, "seed": seed.hex(), "piece": piece, "first": number(elements[0]),
            "last": number(elements[-1]), "sha256": hashlib.sha256(elements.tobytes()).hexdigest()}


def known_answers():
    """seeds.json."""
    other = hashlib.sha256(b"a seed of the known-answer files").digest()
    expansions = [known_answer(spec, pattern(32), n)
                  for spec in SPECS for n in (0, 1, PIECE - 1, PIECE, PIECE + 1, 10000)]
    expansions += [known_answer(spec, other, 100000) for spec in SPECS]
    far = [far_answer(spec, other, piece) for spec in SPECS for piece in FAR_PIECES]
    lists = ",\n".join(f'"{key}": [\n' + ",\n".join(map(json.dumps, values)) + "\n]"
                       for key, values in (("expansions", expansions), ("far_pieces", far)))
    return f"{{{lists}}}\n".encode()
