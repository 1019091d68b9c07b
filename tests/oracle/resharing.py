"""Decodes transformed sharings from their records alone: docs/theory.md section 8.

A sharing with a layout consists of several blocks. The decoded blocks are joined from the innermost cut
outwards, and the padding is removed at every step.
"""

import functools
import itertools

import cbor2
import numpy

import hagg_format
from fields import field_of
from sharing import Sharing, ceil_div, invert


def pairs(largest):
    """All valid (n, k, z) with up to `largest` holders."""
    return [(n, k, z) for n in range(1, largest + 1) for k in range(1, n + 1) for z in range(k)]


def vector_of(field, elements):
    """A vector of Python integers, which NumPy would convert to floats if they need all 64 bits."""
    return numpy.array([int(x) for x in elements], dtype=field.dtype)


def matrix_times(field, rows, vectors):
    """Rows of a matrix times vectors; much faster if products fit in 64 bits."""
    if field.is_numeric and field.dtype != object:
        products = numpy.array(rows, dtype="i8")[:, :, None] * numpy.array(vectors, dtype="i8")
        # a product fits in 63 bits, but a sum of products may not
        return (products % field.order).sum(axis=1) % field.order
    total = []
    for row in rows:
        terms = [field.scale(c, vector_of(field, v)) for c, v in zip(row, vectors)]
        total.append(functools.reduce(field.add, terms))
    return numpy.array(total)


@functools.cache
def decoding_rows(spec, scheme, n, k, z, indices, points):
    """The rows that compute the parts from the shares with these indices and points."""
    field = field_of(spec)
    sharing = Sharing(field, scheme, n, k, z, points)
    rows = sharing.rows if scheme == "ramp" else [sharing.rows[u] for u in indices]
    return invert(field, rows)[: sharing.parts]


def join(blocks, cuts, length):
    """Joins the blocks to a vector, by its cuts, outermost first."""
    if not cuts:
        return blocks[0][:length]
    each, inner = len(blocks) // cuts[0], ceil_div(length, cuts[0])
    parts = [join(blocks[i * each : (i + 1) * each], cuts[1:], inner) for i in range(cuts[0])]
    return numpy.concatenate(parts)[:length]


def decode(records):
    """The vector that k records of one sharing decode to."""
    records = sorted(records, key=lambda record: record.header["scheme"]["index"])
    header, scheme = records[0].header, records[0].header["scheme"]
    indices = tuple(record.header["scheme"]["index"] for record in records)
    points = tuple(record.header["scheme"].get("point") for record in records)
    field, cuts = field_of(header["field"]), header.get("layout", [])
    n_blocks, block_length = 1, header["length"]
    for cut in cuts:
        n_blocks, block_length = n_blocks * cut, ceil_div(block_length, cut)
    rows = decoding_rows(header["field"], scheme["name"], scheme["n"], scheme["k"], scheme["z"],
                         indices, points)
    share_length = ceil_div(block_length, len(rows))
    if any(len(record.elements) != n_blocks * share_length for record in records):
        raise ValueError(f"{len(records[0].elements)} elements, {n_blocks} of {share_length} wanted")
    parts = matrix_times(field, rows, [record.elements for record in records])
    blocks = [numpy.concatenate([part[b * share_length : (b + 1) * share_length] for part in parts])
              for b in range(n_blocks)]
    return join([block[:block_length] for block in blocks], cuts, header["length"])


def every_decoding(records):
    """The vectors that all choices of k shares decode to, as lists of integers."""
    k = records[0].header["scheme"]["k"]
    for chosen in itertools.combinations(records, k):
        yield [int(x) for x in decode(chosen)]


class Secret:
    """A vector and its shares, made here, as records of a first tier of holders."""

    def __init__(self, rng, spec, numbers, vector, scheme="ramp", points=None):
        self.n, self.k, self.z = numbers
        self.spec, self.scheme, self.vector = spec, scheme, vector
        field = field_of(spec)
        parts = 1 if scheme == "additive" else self.k - self.z
        length = ceil_div(len(vector), parts)
        points = points or list(range(1, self.n + 1))
        padded = list(vector) + [0] * (parts * length - len(vector))
        secrets = [padded[i * length : (i + 1) * length] for i in range(parts)]
        secrets += [[rng.randrange(field.order) for _ in range(length)] for _ in range(self.k - parts)]
        sharing = Sharing(field, scheme, self.n, self.k, self.z, points)
        self.shares = matrix_times(field, sharing.rows, secrets)
        self.points = points if scheme == "ramp" else None

    def records(self, round_, **more):
        """All shares, one record after the other."""
        size = {"gf256": 1, "m31": 4, "m61": 8, "goldilocks": 8}.get(self.spec, 1)
        data = []
        for u in range(self.n):
            scheme = {"name": self.scheme, "n": self.n, "k": self.k, "z": self.z, "index": u}
            if self.points:
                scheme["point"] = self.points[u]
            header = {"v": hagg_format.VERSION, "kind": "share", "of": "plain", "field": self.spec,
                      "length": len(self.vector), "scheme": scheme, "round": round_,
                      "route": [["station", list(range(1, self.n + 1))]],
                      "to": ["station", u + 1], **more}
            elements = self.shares[u] if len(self.vector) else []
            data.append(record_of(header, numpy.array(elements, dtype=f"<u{size}")))
        return data


def record_of(header, elements):
    """Like hagg_format.write_record, but faster; for all headers without floats."""
    payload = cbor2.CBORTag(hagg_format.TAGS[elements.dtype.itemsize], elements.tobytes())
    body = cbor2.dumps(header, canonical=True) + cbor2.dumps(payload)
    return hagg_format.RECORD_HEAD + body + cbor2.dumps(hagg_format.digest_of(body))
