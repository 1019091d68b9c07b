"""Mutations for commands.py. Each takes the random generator r of the case, and returns new bytes or words."""

import copy
import re
import string
from dataclasses import replace

import numpy
import xxhash

from cbor_cursor import Reject
from hagg_format import read_stream, write_record
from sealed import Sealed

INTEGERS = [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 63, 64, 127, 255, 256, 65534, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1,
            2**32, 2**48, 2**48 + 1, 2**53 - 1, 2**53, 2**63, 2**64 - 1]  # fmt: skip
WORDS = ["vector", "share", "transfer", "roster", "plain", "padded", "key", "m31", "m61", "gf256", "goldilocks", "prime",
         "prime:p=7", "prime:p=4", "prime:p=18446744073709551557", "ramp", "additive", "staircase", "staircase:missing=1", "station", "relay", "client",
         "federator", "f4", "f8", "i1", "i8", "u8", "nearest", "stochastic", "", "a" * 64, "a" * 300, "../x", "x-a",
         "\x1b[31m", "a\nb", "%s%n", "\u00e9\u202e"]  # fmt: skip
KEYS = ["of", "field", "length", "scheme", "route", "layout", "symbols", "source", "carrier", "from", "to", "round", "clients", "shape",
        "type", "samples", "quant", "plan", "id", "mix", "x-note"]  # fmt: skip
TEXT_WORDS = ["collude", "partial", "full", "clients=1", "stations=2", "relays=1", "drop", "price", "price stations=0.1", "price station 1 send=1/3", "quantize", "integers", "0..5", "u1", "most=9", "bits=16", "bits=max", "levels=5", "ternary", "sign",
              "clip=1.0", "clip=1e308", "clip=nan", "rounding=stochastic", "stations", "relays", "station", "client", "via",
              "shares", "keys", "key-relays", "length", "minimum", "samples", "field", "m61", "gf256", "prime:p=101",
              "scheme", "additive", "ramp", "transform", "direct", "forward", "transport", "protocol", "aligned", "segments", "dealers", "1-3", "1,2", "3-1", "4294967295",
              "4294967296", "0", "-1", "#", "1-300", "\x00", "\x1b[2J", "\ufeff", "\r"]  # fmt: skip
NUMBERS = ["0", "-0", "-1", "1", "2", "255", "32768", "2147483647", "-2147483649", "9223372036854775808",
           "18446744073709551616", "1e308", "1e309", "-1e-320", "nan", "inf", "0x10", "1.5", "1_0", "+1", ".", "", "1 2",
           "1" * 400, "\x00"]  # fmt: skip
OPTION_VALUES = NUMBERS + ["1-3", "1-4,2", "3-1", "1-4294967295", "1-65536", "all", "-", "--", "nowhere/x", "/dev/null", "/dev/full",
                           ".", "a{}b{}", "{}", "\n", "\x1b[31mred", "%n%s", "a" * 5000, "stations=1", "relays=1-9",
                           "bits=16,clip=1.0", "bits=62,clip=1e-300", "ramp", "additive", "m61", "gf256", "npy", "raw", "text",
                           "f4", "i8", "u1", "contribute", "collect", "finish", "direct", "forward", "transport"]  # fmt: skip


def number(r, near=0):
    return r.choice(INTEGERS) if r.random() < 0.6 else max(0, near + r.randint(-3, 3))


def value(r, old):
    """Another value in place of old, mostly of the same type."""
    if isinstance(old, bool) or r.random() < 0.08:
        return r.choice([True, False, None, -1, 0.5, float("nan"), float("inf"), "", b"", [], {}, [[]], "1", 2**64 - 1])
    if isinstance(old, int):
        return number(r, old)
    if isinstance(old, float):
        return r.choice([0.0, -1.0, 1e-320, 1e-300, 1e300, 0.5, 2.0, float("nan"), float("inf"), old * 2])
    if isinstance(old, str):
        return r.choice(WORDS)
    if isinstance(old, bytes):
        return r.choice([b"", old[:-1], old + b"\0", bytes(len(old)), bytes(reversed(old)), flip(r, old)])
    if isinstance(old, list):
        new = copy.deepcopy(old)
        what = r.randrange(6)
        if what == 0 or not new:
            return new + [copy.deepcopy(r.choice(new)) if new else 1]
        i = r.randrange(len(new))
        if what == 1:
            del new[i]
        elif what == 2:
            j = r.randrange(len(new))
            new[i], new[j] = new[j], new[i]
        elif what == 3 and all(isinstance(x, int) for x in new):
            n = r.choice([10, 1000, 20000])
            return [2 * k + 1 for k in range(n)] if r.random() < 0.5 else [3 * (k // 2) + 1 for k in range(2 * n)]
        else:
            new[i] = value(r, new[i])
        return new
    if isinstance(old, dict):
        return change_key(r, old, list(old))
    return 1


def change_key(r, header, candidates):
    new = copy.deepcopy(header)
    key = r.choice(candidates)
    if key not in new:
        new[key] = r.choice([1, "m31", [1, 1], ["station", 1], b"\0" * 16, b"\0" * 32, True,
                             {"bits": 16, "clip": 1.0, "rounding": "nearest"},
                             {"name": "ramp", "n": 3, "k": 2, "z": 1, "index": 0, "point": 1}])  # fmt: skip
    elif r.random() < 0.12:
        del new[key]
    else:
        new[key] = value(r, new[key])
    return new


def flip(r, data):
    if not data:
        return b"\0"
    i = r.randrange(len(data))
    return data[:i] + bytes([data[i] ^ 1 << r.randrange(8)]) + data[i + 1 :]


def raw(r, data):
    """Bytes of any file."""
    i, j = sorted((r.randrange(len(data) + 1), r.randrange(len(data) + 1)))
    return r.choice([
        lambda: flip(r, data),
        lambda: flip(r, flip(r, data)),
        lambda: data[:i],
        lambda: data[i:],
        lambda: data[:i] + data[j:],
        lambda: data[:i] + data[i:j] * 2 + data[j:],
        lambda: data[:i] + r.randbytes(r.randint(1, 16)) + data[i:],
        lambda: b"",
        lambda: data + data,
        lambda: data[:i] + r.choice([b"\xff", b"\x9f", b"\x5b" + b"\xff" * 8, b"\x1b" + b"\xff" * 8, b"\0"]) + data[i + 1 :],
    ])()  # fmt: skip


def elements(r, old):
    new = old.copy()
    what = r.randrange(8)
    if what < 3 and len(new):
        new[r.randrange(len(new))] ^= 1 << r.randrange(8 * new.itemsize)
    elif what == 3:
        new[:] = numpy.iinfo(new.dtype).max
    elif what == 4:
        new[:] = 0
    elif what == 5:
        new = new[: r.randrange(len(new) + 1)]
    elif what == 6:
        new = numpy.concatenate([new, new])
    else:
        new = new.astype(r.choice(["u1", "<u2", "<u4", "<u8"]))
    return new


def sealed(r, old):
    """Another sealed payload."""
    part = r.choice(["sender", "receiver", "enc", "chunks", "chunks"])
    if part == "chunks" and r.random() < 0.3:
        pieces = old.pieces()
        return replace(old, chunks=b"".join(r.choices(pieces, k=r.randint(0, len(pieces) + 1))))
    new = value(r, getattr(old, part))
    return replace(old, **{part: new if isinstance(new, bytes) else b""})


def with_digest(r, data, record):
    """Changes bytes of a record and makes its digest right again, so that the change reaches the parsers."""
    start, end = record.offset + 6, record.offset + record.len_bytes - 17
    body = raw(r, data[start:end])
    return data[:start] + body + b"\x50" + xxhash.xxh3_128(body).digest() + data[end + 17 :]


def records(r, data, pool):
    """A file of records. pool has other files of records."""
    try:
        parsed = read_stream(data)
    except Reject:
        return raw(r, data)
    if not parsed or r.random() < 0.12:
        return raw(r, data)
    if r.random() < 0.2:
        return with_digest(r, data, r.choice(parsed))
    pairs = [(copy.deepcopy(p.header), p.payload) for p in parsed]
    i = r.randrange(len(pairs))
    header, payload = pairs[i]
    what = r.choices(["header", "two", "everywhere", "graft", "payload", "remove", "repeat", "foreign"], [10, 3, 2, 4, 6, 1, 2, 3])[0]
    others = read_stream(r.choice(pool))
    if what in ("header", "two"):
        for _ in range(1 if what == "header" else 2):
            header = change_key(r, header, list(header) * 3 + KEYS)
        pairs[i] = header, payload
    elif what == "everywhere":
        key = r.choice([k for k in header if k != "v"])
        new = value(r, header[key])
        pairs = [(h | {key: new} if key in h else h, e) for h, e in pairs]
    elif what == "graft" and others:
        other = r.choice(others).header
        key = r.choice([k for k in other if k != "v"])
        pairs[i] = header | {key: other[key]}, payload
    elif what == "payload":
        pairs[i] = header, sealed(r, payload) if isinstance(payload, Sealed) else elements(r, payload)
    elif what == "remove":
        del pairs[i]
    elif what == "repeat":
        pairs.insert(r.randrange(len(pairs) + 1), pairs[i])
    elif others:
        pairs.insert(i, (others[0].header, others[0].payload))
        if r.random() < 0.5:
            del pairs[i + 1]
    return b"".join(write_record(h, e) for h, e in pairs)


def words(r, data, vocabulary):
    """A text of lines and words."""
    if r.random() < 0.1:
        return raw(r, data)
    lines = data.decode("latin-1").split("\n")
    for _ in range(r.choice([1, 1, 1, 2, 4])):
        i, j = r.randrange(len(lines)), r.randrange(len(lines))
        what = r.randrange(8)
        if what == 0 and len(lines) > 1:
            del lines[i]
        elif what == 1:
            lines.insert(j, lines[i])
        elif what == 2:
            lines[i], lines[j] = lines[j], lines[i]
        elif what == 3:
            spots = list(re.finditer(r"\d+", lines[i]))
            if spots:
                spot = r.choice(spots)
                new = str(r.choice([0, 1, 2, 3, 4, 5, 6, 9, 20, 2**32 - 1, 2**32, 2**64]))
                lines[i] = lines[i][: spot.start()] + new + lines[i][spot.end() :]
        elif what == 4:
            lines[i] += " " + r.choice(vocabulary)
        elif what == 5:
            lines[i] = " ".join(r.choice(vocabulary) if r.random() < 0.4 else word for word in lines[i].split(" "))
        elif what == 6:
            lines.insert(i, " ".join(r.choice(vocabulary) for _ in range(r.randint(1, 5))))
        else:
            lines[i] = r.choice([lines[i] * 500, "#" * 70000, "".join(r.choices(string.printable, k=20)), lines[i].upper()])
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def npy(r, data):
    """A NumPy file."""
    if r.random() < 0.3:
        return raw(r, data)
    head = bytearray(data[:128])
    text = bytes(head[10:128]).decode("latin-1")
    new = r.choice([
        lambda: text.replace("(3,)", r.choice(["(2,)", "(4,)", "()", "(3,1)", "(18446744073709551615,)", "(4294967296,4294967296)",
                                               "(3,0)", "(-3,)", "(0,)", "(" + "1," * 40 + ")", "3"])),
        lambda: re.sub(r"'[<|>][a-z]\d+'", repr(r.choice(["<f2", "<f4", ">f8", "<c16", "|O", "|S3", "<u1", "|u1", "<i8", "<M8[s]", "x"])), text),
        lambda: text.replace("False", "True"),
        lambda: text.replace("'descr'", "'other'"),
        lambda: text[:: -1],
    ])()  # fmt: skip
    what = r.randrange(4)
    if what == 0:
        head[r.choice([6, 7, 8, 9])] = r.randrange(256)
    elif what == 1:
        return data[:128] + r.choice([b"\xff" * 24, b"\0\0\0\0\0\0\xf0\x7f" * 3, b"\0" * 23, bytes(r.randbytes(24))])
    else:
        head = head[:10] + new.ljust(118)[:118].encode("latin-1")
    return bytes(head) + data[128:]


def sheets(r, data):
    """A file of a state directory, mostly with the right digest."""
    new = words(r, data, TEXT_WORDS + ["secret", "plan", "1-4", "-", "a" * 32, "=" * 8])
    if r.random() < 0.7:
        body = new[: new.rfind(b"digest")] if b"digest" in new else new
        body = body if body.endswith(b"\n") else body + b"\n"
        new = body + b"digest " + xxhash.xxh3_128(body).hexdigest().encode() + b"\n"
    return new


def contents(r, name, data, pool):
    """Other contents of an input file, by the kind of its name."""
    if r.random() < 0.02:
        return r.choice(pool)
    if name.endswith(".cbor"):
        return records(r, data, pool)
    if name.endswith(".npy"):
        return npy(r, data)
    if name.endswith((".plan", ".topo")):
        return words(r, data, TEXT_WORDS)
    if name.endswith(".txt"):
        return words(r, data, NUMBERS)
    return raw(r, data)
