"""An independent reader and writer of the hagg share format, from FORMAT.md alone.

It shares no code with the commands, so that a shared bug cannot hide a difference from FORMAT.md. The
reader refuses everything that FORMAT.md does not allow. It encodes each header that it accepts again
with another CBOR library and compares the bytes.
"""

import math
import re
from dataclasses import dataclass

import cbor2
import numpy
import xxhash

# The C module behind cbor2.dumps encodes some floats in four bytes that fit into two.
from cbor2.encoder import dumps as dumps_shortest

from cbor_cursor import ARRAY, BYTES, MAP, SIMPLE, TAG, TEXT, UNSIGNED, Cursor, Reject
from sealed import Sealed, read_sealed
from seed_checks import check_seed, check_seed_payload

VERSION = 2
RECORD_TAG = 1212237639
HEADER_BYTES = 1 << 20
PAYLOAD_BYTES = 1 << 52
LENGTH = 1 << 48
ROUND = (1 << 53) - 1
NUMBER = (1 << 32) - 1
HOLDERS = 65535
BLOCKS = 1 << 20
UINT64 = (1 << 64) - 1

DTYPES = {64: numpy.dtype("u1"), 69: numpy.dtype("<u2"), 70: numpy.dtype("<u4"), 71: numpy.dtype("<u8")}
TAGS = {dtype.itemsize: tag for tag, dtype in DTYPES.items()}

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\Z")
TIER = re.compile(r"[a-z][a-z0-9-]{0,15}\Z")
PARAMETER = re.compile(r"([a-z][a-z0-9]{0,15})=[A-Za-z0-9._-]{1,64}\Z")
EXTENSION = re.compile(r"x-[a-z0-9-]{1,62}\Z")

KINDS = ("vector", "share", "transfer", "roster", "summand", "data")
SECRETS = ("plain", "padded", "key", "mask")
FLOATS = ("f4", "f8")
TYPES = FLOATS + ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
ROUNDINGS = ("nearest", "stochastic", "sign")
LEVELS = 1 << 53
MANDATORY = ("v", "kind")
OF_VECTORS = ("of", "field", "length")
OF_ROSTERS = ("plan", "round", "clients", "from")
OF_DATA = ("plan", "from", "to", "id", "part")
OF_DATA_ALONE = ("part", "last")
OF_SEALED = ("from", "to", "plan")
WITHOUT_VECTOR = ("roster", "data")
OF_SHARES = ("scheme", "route")
OF_SHARES_AT_TIMES = ("layout", "symbols", "mix")
OF_TRANSFERS = ("source", "carrier")
OF_ALIGNED = ("segments", "blocks", "chunks", "dealers")
OF_SUMMANDS = ("stations", "basis")


@dataclass
class Record:
    header: dict
    payload: object  # an array of elements, or Sealed
    digest: bytes
    offset: int
    len_bytes: int

    @property
    def is_sealed(self):
        return isinstance(self.payload, Sealed)

    @property
    def elements(self):
        if self.is_sealed:
            raise ValueError("the elements are sealed")
        return self.payload

    @property
    def width(self):
        """The bytes of an element."""
        return self.payload.width if self.is_sealed else self.payload.dtype.itemsize

    @property
    def n_elements(self):
        return self.payload.n_bytes // self.width if self.is_sealed else len(self.payload)


def one_of(values):
    def read(cursor, where):
        text = cursor.text(255, where, too_long="value")
        if text not in values:
            raise Reject("value", where, f'"{text}"')
        return text

    return read


def uint(low, high):
    return lambda cursor, where: cursor.uint(low, high, where)


def read_version(cursor, where):
    version = cursor.expect(UNSIGNED, where)
    if version != VERSION:
        raise Reject("version", where, str(version))
    return version


def read_tier_name(cursor, where):
    text = cursor.text(16, where)
    if not TIER.match(text):
        raise Reject("name", where, f'"{text}"')
    return text


def read_spec(cursor, where):
    """The name of a field or scheme, with its parameters."""
    text = cursor.text(255, where)
    name, colon, rest = text.partition(":")
    if not NAME.match(name):
        raise Reject("name", where, f'"{text}"')
    if colon:
        parameters = [PARAMETER.match(part) for part in rest.split(",")]
        if None in parameters or len(parameters) > 8:
            raise Reject("name", where, f'"{text}"')
        keys = [match.group(1) for match in parameters]
        if any(a >= b for a, b in zip(keys, keys[1:])):
            raise Reject("name", where, "the parameters' keys do not ascend")
    return text


def read_node(cursor, where):
    cursor.count(ARRAY, 2, 2, where)
    return [read_tier_name(cursor, where), cursor.uint(1, NUMBER, where)]


def read_route(cursor, where):
    return [read_tier(cursor, where) for _ in range(cursor.count(ARRAY, 1, 8, where))]


def read_tier(cursor, where):
    cursor.count(ARRAY, 2, 2, where)
    name = read_tier_name(cursor, where)
    numbers = [cursor.uint(1, NUMBER, where) for _ in range(cursor.count(ARRAY, 1, HOLDERS, where))]
    if len(set(numbers)) != len(numbers):
        raise Reject("route", where, f"a number twice in tier {name}")
    return [name, numbers]


def read_layout(cursor, where):
    parts = [cursor.uint(1, HOLDERS, where) for _ in range(cursor.count(ARRAY, 1, 8, where))]
    if math.prod(parts) > BLOCKS:
        raise Reject("layout", where, f"{math.prod(parts)} blocks")
    return parts


def read_symbols(cursor, where):
    cursor.count(ARRAY, 2, 2, where)
    first, end = cursor.uint(0, HOLDERS - 1, where), cursor.uint(1, HOLDERS, where)
    if first >= end:
        raise Reject("symbols", where, f"{first} to {end}")
    return [first, end]


def read_blocks(cursor, where):
    counts = [cursor.uint(1, HOLDERS, where) for _ in range(cursor.count(ARRAY, 1, 256, where))]
    if any(a >= b for a, b in zip(counts, counts[1:])):
        raise Reject("blocks", where, "do not ascend")
    return counts


def read_ranges(cursor, where):
    n = cursor.count(ARRAY, 1, UINT64, where)
    if n > HEADER_BYTES:
        raise cursor.limit[1]
    if n % 2:
        raise Reject("ranges", where, f"{n} numbers, an odd count")
    numbers, before = [], -1
    for _ in range(n // 2):
        first, last = cursor.uint(1, NUMBER, where), cursor.uint(1, NUMBER, where)
        if first > last or first < before + 2:
            raise Reject("ranges", where, f"{first}-{last} after {before}")
        numbers += [first, last]
        before = last
    return numbers


def read_shape(cursor, where):
    return [cursor.uint(0, LENGTH, where) for _ in range(cursor.count(ARRAY, 0, 32, where))]


def read_true(cursor, where):
    if not cursor.simple(where):
        raise Reject("value", where, "false")
    return True


def read_clip(cursor, where):
    value = cursor.float(where)
    if not (value > 0 and math.isfinite(value)):
        raise Reject("range", where, repr(value))
    return value


def bytes_of(n):
    return lambda cursor, where: cursor.bytes(n, n, where)


def read_extension(cursor, where):
    major = cursor.data[cursor.pos] >> 5 if not cursor.at_end() else UNSIGNED
    if major == UNSIGNED:
        return cursor.uint(0, UINT64, where)
    if major == BYTES:
        return cursor.bytes(0, 1024, where)
    if major == TEXT:
        return cursor.text(1024, where)
    if major == SIMPLE:
        return cursor.simple(where)
    cursor.head(where)
    raise Reject("type", where, "no type of an extension")


def read_scheme(cursor, where):
    scheme = read_map(cursor, where + ".", SCHEME_FIELDS, cursor.expect(MAP, where))
    require(scheme, ("k", "n", "z", "name", "index"), where + ".")
    if not scheme["k"] <= scheme["n"]:
        raise Reject("scheme", where, "k > n")
    if not scheme["z"] < scheme["k"]:
        raise Reject("scheme", where, "z >= k")
    if not scheme["index"] < scheme["n"]:
        raise Reject("scheme", where, "index >= n")
    return scheme


def read_quant(cursor, where):
    quant = read_map(cursor, where + ".", QUANT_FIELDS, cursor.expect(MAP, where))
    require(quant, ("clip", "rounding"), where + ".")
    if "bits" not in quant and "levels" not in quant:
        raise Reject("missing", where + ".bits", "neither bits nor levels")
    if "bits" in quant and "levels" in quant:
        raise Reject("quant", where, "bits and levels")
    if quant["rounding"] == "sign" and quant.get("levels") != 2:
        raise Reject("quant", where, "a sign without 2 levels")
    return quant


SCHEME_FIELDS = {
    "k": uint(1, HOLDERS),
    "n": uint(1, HOLDERS),
    "z": uint(0, HOLDERS - 1),
    "name": read_spec,
    "index": uint(0, HOLDERS - 1),
    "point": uint(0, UINT64),
}
QUANT_FIELDS = {"bits": uint(2, 62), "clip": read_clip, "levels": uint(2, LEVELS), "rounding": one_of(ROUNDINGS)}
HEADER_FIELDS = {
    "v": read_version,
    "kind": one_of(KINDS),
    "of": one_of(SECRETS),
    "field": read_spec,
    "length": uint(0, LENGTH),
    "scheme": read_scheme,
    "route": read_route,
    "layout": read_layout,
    "symbols": read_symbols,
    "segments": uint(1, HOLDERS),
    "blocks": read_blocks,
    "chunks": uint(1, HOLDERS),
    "dealers": read_ranges,
    "stations": read_ranges,
    "basis": read_ranges,
    "source": read_scheme,
    "carrier": uint(0, HOLDERS - 1),
    "from": read_node,
    "to": read_node,
    "round": uint(0, ROUND),
    "clients": read_ranges,
    "shape": read_shape,
    "type": one_of(TYPES),
    "samples": read_true,
    "quant": read_quant,
    "plan": bytes_of(32),
    "id": bytes_of(16),
    "mix": bytes_of(16),
    "part": uint(0, LENGTH),
    "last": read_true,
    "seed": read_true,
}


def require(found, keys, prefix=""):
    for key in keys:
        if key not in found:
            raise Reject("missing", prefix + key, "not there")


def forbid(header, keys):
    for key in keys:
        if key in header:
            raise Reject("kind", key, f'not in the kind {header["kind"]}')


def read_map(cursor, prefix, fields, n, extensions=False):
    """Reads n pairs with ascending keys. fields has the functions that read the values."""
    found, before = {}, b""
    for _ in range(n):
        start = cursor.pos
        key = cursor.text(255, prefix + "key", too_long="unknown")
        encoded = bytes(cursor.data[start : cursor.pos])
        if encoded <= before:
            code = "duplicate" if encoded == before else "order"
            raise Reject(code, prefix + key, "keys must ascend")
        before = encoded
        if extensions and not found and key != "v":
            raise Reject("missing", prefix + "v", "not the first key")
        if key in fields:
            found[key] = fields[key](cursor, prefix + key)
        elif extensions and EXTENSION.match(key):
            found[key] = read_extension(cursor, prefix + key)
            if sum(name.startswith("x-") for name in found) > 16:
                raise Reject("range", prefix + key, "more than 16 extensions")
        else:
            raise Reject("unknown", prefix + key, "no such field")
    return found


def read_header(cursor):
    start = cursor.pos
    cursor.limit = (start + HEADER_BYTES, Reject("header-size", "header", "more than 1 MiB"))
    header = read_map(cursor, "", HEADER_FIELDS, cursor.expect(MAP, "header"), extensions=True)
    cursor.limit = None
    check_header(header)
    encoded = bytes(cursor.data[start : cursor.pos])
    if dumps_shortest(header, canonical=True) != encoded or cbor2.loads(encoded) != header:
        raise Reject("encoding", "header", "another encoding of the same header differs")
    return header


def check_header(header):
    """Checks that concern more than one key."""
    require(header, MANDATORY)
    if header["kind"] == "roster":
        check_keys(header, OF_ROSTERS, ("to",))
        return
    if header["kind"] == "data":
        check_keys(header, OF_DATA, ("round", "last"))
        return
    forbid(header, OF_DATA_ALONE)
    require(header, OF_VECTORS)
    if header["kind"] == "vector":
        forbid(header, OF_SHARES + OF_SHARES_AT_TIMES)
    elif header["kind"] == "summand":
        check_summand(header)
    else:
        require(header, OF_SHARES)
        for name, numbers in header["route"]:
            if len(numbers) != header["scheme"]["n"]:
                raise Reject("route", "route", f"{len(numbers)} numbers in tier {name}")
    if header["kind"] != "transfer":
        forbid(header, OF_TRANSFERS)
    elif "carrier" not in header:
        require(header, ("source",))
    elif header["carrier"] >= header["scheme"]["n"]:
        raise Reject("carrier", "carrier", f'{header["carrier"]} of {header["scheme"]["n"]}')
    if header["kind"] != "summand":
        forbid(header, OF_SUMMANDS)
        check_aligned(header)
    if "symbols" in header and any(key in header for key in ("segments", "seed", "carrier")):
        raise Reject("symbols", "symbols", "of an aligned sharing, a seed, or a transfer with a carrier")
    check_seed(header)
    samples = 1 if "samples" in header else 0
    if header["length"] < samples:
        raise Reject("samples", "samples", "no element for the number of samples")
    if "shape" in header and math.prod(header["shape"]) + samples != header["length"]:
        raise Reject("shape", "shape", "the product does not fit the length")
    if "quant" in header and header.get("type") not in FLOATS:
        raise Reject("quant", "quant", "not of a float vector")


def check_keys(header, mandatory, optional):
    """Of a kind without a vector: these keys and extensions, and no others."""
    known = MANDATORY + mandatory + optional
    forbid(header, [key for key in header if key not in known and not key.startswith("x-")])
    require(header, mandatory)


def pairs_of(ranges):
    return list(zip(ranges[::2], ranges[1::2]))


def check_summand(header):
    forbid(header, OF_SHARES + ("layout", "symbols", "id") + tuple(key for key in OF_ALIGNED if key != "dealers"))
    require(header, OF_ROSTERS + OF_SUMMANDS)
    if header["of"] != "plain":
        raise Reject("kind", "of", "not of plain vectors")
    if not all(any(low <= first and last <= high for low, high in pairs_of(header["basis"]))
               for first, last in pairs_of(header["stations"])):
        raise Reject("stations", "stations", "not all in the basis")


def check_aligned(header):
    """The keys of an aligned sharing."""
    mask = header["of"] == "mask"
    if "segments" not in header:
        if mask:
            require(header, ("segments",))
        for key in OF_ALIGNED:
            if key in header:
                raise Reject("aligned", key, "needs segments")
        return
    if header["kind"] != "share" or header["of"] not in ("plain", "mask") or "layout" in header \
            or "point" not in header["scheme"]:
        raise Reject("aligned", "segments", "not a share of a plain vector or a mask with a point")
    require(header, ("blocks",) + (("chunks", "dealers") if mask else ()))
    if not mask and "chunks" in header:
        raise Reject("aligned", "chunks", "not a mask")
    if mask and ("clients" in header or header["dealers"][1:] != header["dealers"][:1]):
        raise Reject("aligned", "dealers", "a mask has one dealer and no clients")


def read_payload(cursor, header):
    if not cursor.at_end() and cursor.data[cursor.pos] >> 5 == ARRAY:
        payload = read_sealed(cursor, PAYLOAD_BYTES)
        require(header, OF_SEALED)
        if header["kind"] in WITHOUT_VECTOR and payload.width != 1:
            raise Reject("range", "payload", f'elements of {payload.width} bytes in the kind {header["kind"]}')
        check_length(header, payload.n_bytes, payload.width, True)
        return payload
    if header["kind"] == "roster":
        forbid(header, ("to",))
    tag = cursor.expect(TAG, "payload")
    if tag not in DTYPES:
        raise Reject("tag", "payload", f"tag {tag}")
    size = DTYPES[tag].itemsize
    if header["kind"] in WITHOUT_VECTOR and size != 1:
        raise Reject("tag", "payload", f'tag {tag} in the kind {header["kind"]}')
    n = cursor.expect(BYTES, "payload")
    if n > PAYLOAD_BYTES:
        raise Reject("range", "payload", f"{n} bytes")
    if n % size:
        raise Reject("multiple", "payload", f"{n} bytes are no multiple of {size}")
    check_length(header, n, size, False)
    return numpy.frombuffer(cursor.take(n, "payload"), dtype=DTYPES[tag])


def check_length(header, n, size, is_sealed):
    """Of a payload of n bytes, in elements of size bytes."""
    if "seed" in header:
        check_seed_payload(header, is_sealed, n, size)
    elif header["kind"] in ("vector", "summand") and n // size != header["length"]:
        raise Reject("length", "payload", f'{n // size} elements, the header says {header["length"]}')
    if header["kind"] == "roster" and n not in (0, 16 * sum(b - a + 1 for a, b in pairs_of(header["clients"]))):
        raise Reject("length", "payload", f"{n} bytes in a roster")


def read_record(cursor):
    offset = cursor.pos
    major, argument, _ = cursor.head("record")
    if (major, argument) != (TAG, RECORD_TAG):
        raise Reject("tag", "record", "does not begin with the tag of a record")
    n = cursor.expect(ARRAY, "record")
    if n != 3:
        raise Reject("array", "record", f"an array of {n}")
    start = cursor.pos
    header = read_header(cursor)
    payload = read_payload(cursor, header)
    covered = cursor.data[start : cursor.pos]
    digest = cursor.bytes(16, 16, "digest")
    if digest != digest_of(covered):
        raise Reject("digest", "digest", "is not that of header and payload")
    return Record(header, payload, digest, offset, cursor.pos - offset)


def read_stream(data):
    """All records of a stream."""
    cursor, records = Cursor(memoryview(data)), []
    while not cursor.at_end():
        try:
            records.append(read_record(cursor))
        except Reject as reject:
            reject.record = len(records) + 1
            raise
    return records


def digest_of(data):
    return xxhash.xxh3_128(data).digest()


def write_header(header):
    return dumps_shortest(header, canonical=True)


def write_record(header, payload):
    """The bytes of a record. payload is an array of u1, u2, u4 or u8, or Sealed."""
    if isinstance(payload, Sealed):
        item = payload.items()
    else:
        dtype = DTYPES[TAGS[payload.dtype.itemsize]]
        item = cbor2.CBORTag(TAGS[dtype.itemsize], payload.astype(dtype, copy=False).tobytes())
    body = write_header(header) + cbor2.dumps(item)
    return RECORD_HEAD + body + cbor2.dumps(digest_of(body))


RECORD_HEAD = b"\xdaHAGG\x83"
