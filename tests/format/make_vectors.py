#!/usr/bin/python3
"""Writes share-format/vectors/: the known-answer files, their manifest, the keys of sealed records, and
expansions of seeds.

Usage: make_vectors.py DIRECTORY

The output is the same every time. The messages in the manifest are those of hagg-inspect, from
messages.json beside this script; everything else is made by the independent reader and writer.
"""

import hashlib
import json
import pathlib
import sys

import bad_vectors
import forged_sealed
import good_aligned
import good_sealed
import good_seeds
import good_staircase
import good_vectors
import hpke
from hagg_format import VERSION, read_stream, write_record
from sealed import key_id

LIST_IN_FULL = 40
ENDS = 4
EXACT_IN_JSON = 2**53 - 1

MESSAGES = pathlib.Path(__file__).with_name("messages.json")


def plain(value):
    """A value of a header as JSON; vectors/README.md explains the two objects."""
    if isinstance(value, bool) or isinstance(value, (str, float)):
        return value
    if isinstance(value, int):
        return value if value <= EXACT_IN_JSON else {"integer": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return plain_list(value)


def plain_list(values):
    if len(values) <= LIST_IN_FULL:
        return [plain(value) for value in values]
    first, last = values[:ENDS], values[-ENDS:]
    return {"count": len(values), "first": [plain(v) for v in first], "last": [plain(v) for v in last]}


def describe(record):
    described = {
        "offset": record.offset,
        "bytes": record.len_bytes,
        "header": plain(record.header),
        "element_bytes": record.width,
    }
    if record.is_sealed:
        names = ("sender", "receiver", "enc")
        described["sealed"] = {name: getattr(record.payload, name).hex() for name in names}
        described["sealed"]["elements"] = record.n_elements
    else:
        described["elements"] = plain_list(record.payload.tolist())
    return {**described, "digest": record.digest.hex()}


def accepted():
    """(path, description, bytes) of every file that a reader accepts without keys."""
    modules = (good_vectors, good_aligned, good_sealed, good_seeds, good_staircase)
    for name, description, records in (case for module in modules for case in module.cases()):
        yield f"good/{name}.cbor", description, b"".join(write_record(*record) for record in records)
    for name, description, records in good_sealed.sealed_cases():
        data = b"".join(write_record(*record) for record in good_sealed.sealed_records(name, records))
        yield f"good/{name}.cbor", description, data
    yield from forged_sealed.files()


def describe_plain(plain):
    """What a sealed record has when it is open."""
    raw = plain.elements.tobytes()
    return {"elements": plain_list(plain.elements.tolist()), "sha256": hashlib.sha256(raw).hexdigest()}


def keys():
    """sealed.json."""
    nodes = []
    for node, private in good_sealed.identities():
        public = hpke.public_of(private)
        key = {"private": private.hex(), "public": public.hex(), "id": key_id(public).hex()}
        nodes.append({"node": list(node), **key})
    opens = [
        {"name": f"good/{name}.cbor", "records": [describe_plain(plain) for plain in records]}
        for name, _, records in good_sealed.sealed_cases()
    ]
    forged = [{"name": name, "description": description} for name, description, _ in forged_sealed.files()]
    parts = (("keys", nodes), ("opens", opens), ("must_not_open", forged))
    lists = ",\n".join(f'"{key}": [\n' + ",\n".join(map(json.dumps, values)) + "\n]" for key, values in parts)
    return f"{{{lists}}}\n".encode()


def make():
    """{name: bytes} of every file, including the manifest."""
    files, entries = {"sealed.json": keys(), "seeds.json": good_seeds.known_answers()}, []
    messages = json.loads(MESSAGES.read_text())
    for path, description, data in accepted():
        files[path] = data
        records = [describe(record) for record in read_stream(data)]
        entries.append({"name": path, "valid": True, "description": description, "records": records})
    for bad in bad_vectors.cases():
        path = f"bad/{bad.name}.cbor"
        if path in files:
            raise ValueError(f"{path} is made twice")
        files[path] = bad.data
        entries.append(
            {
                "name": path,
                "valid": False,
                "description": bad.description,
                "failure": bad.failure,
                "where": bad.where,
                "record": bad.record,
                "level": bad.level,
                "message": messages.get(bad.name, ""),
            }
        )
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    files["manifest.json"] = f'{{"format": "hagg share format", "version": {VERSION}, "files": [\n{lines}\n]}}\n'.encode()
    return files


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_vectors.py DIRECTORY")
    directory = pathlib.Path(sys.argv[1])
    files = make()
    for kind in ("good", "bad", "forged"):
        (directory / kind).mkdir(parents=True, exist_ok=True)
        for stale in (directory / kind).glob("*.cbor"):
            if f"{kind}/{stale.name}" not in files:
                stale.unlink()
    for name, data in files.items():
        (directory / name).write_bytes(data)


if __name__ == "__main__":
    main()
