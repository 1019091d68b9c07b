"""Sealed records that are well formed, with a correct digest, but must not open: each differs from one that
does only in what its description says.
"""

from dataclasses import replace

import hpke
from good_sealed import KEYS, find, newest, private_key, sealed_records
from good_vectors import pattern
from hagg_format import write_header, write_record
from sealed import CHUNK_BYTES, SEALED_BYTES, Sealed, aad_of, info_of, key_id


def original(name, at=0):
    """(header, payload) of a record that opens."""
    return sealed_records(name, find(name))[at]


def flipped(raw, at, bit=0):
    changed = bytearray(raw)
    changed[at] ^= 1 << bit
    return bytes(changed)


def identity(node):
    return key_id(hpke.public_of(newest(node)))


def cases():
    """(name, description, header, payload)"""
    yield from bits()
    yield from pieces()
    yield from headers()
    yield from keys()
    yield from other_seals()


def bits():
    header, payload = original("sealed-share")
    for name, made, description in (
        ("enc-bit", replace(payload, enc=flipped(payload.enc, 0)), "one bit of enc changed"),
        ("enc-ignored-bit", replace(payload, enc=flipped(payload.enc, 31, 7)), "the bit of enc that X25519 ignores"),
        ("enc-zero", replace(payload, enc=bytes(32)), "a point of low order as enc"),
        ("enc-one", replace(payload, enc=b"\x01" + bytes(31)), "another point of low order as enc"),
        ("chunk-bit", replace(payload, chunks=flipped(payload.chunks, 0)), "one bit of a chunk changed"),
        ("tag-bit", replace(payload, chunks=flipped(payload.chunks, -1, 7)), "one bit of a tag changed"),
    ):
        yield name, description, header, made
    header, payload = original("sealed-nothing")
    made = replace(payload, chunks=flipped(payload.chunks, 0))
    yield "tag-of-nothing", "one bit of the tag of an empty chunk changed", header, made
    header, payload = original("sealed-chunk-more")
    made = replace(payload, chunks=flipped(payload.chunks, SEALED_BYTES + 1))
    yield "second-chunk-bit", "one bit of the last of two chunks changed", header, made


def pieces():
    header, payload = original("sealed-chunk-two")
    one, two = payload.pieces()
    yield "chunks-swapped", "two chunks, swapped", header, replace(payload, chunks=two + one)
    yield "chunk-repeated", "the first chunk twice, instead of two", header, replace(payload, chunks=one + one)
    header, payload = original("sealed-file-chunks")
    one, two = payload.pieces()
    yield "last-chunk-missing", "two chunks without the last", header, replace(payload, chunks=one)
    yield "first-chunk-missing", "two chunks without the first", header, replace(payload, chunks=two)
    header, payload = original("sealed-unknown")
    cut = payload.chunks[4:]
    yield "element-cut-off", "a chunk without its first element", header, replace(payload, chunks=cut)
    yield "nothing-left", "only the tag of a chunk", header, replace(payload, chunks=payload.chunks[-16:])


def headers():
    header, payload = original("sealed-every-field")
    changes = {"round": 13, "clients": [4, 4], "plan": pattern(32, 1), "id": pattern(16, 1), "type": "f8"}
    changes["x-note"] = "other"
    for key, value in changes.items():
        yield f"header-{key}", f"another {key} in the header", {**header, key: value}, payload
    yield "header-less", "a key of the header removed", {k: v for k, v in header.items() if k != "x-note"}, payload
    yield "header-more", "a key of the header added", {**header, "x-other": 0}, payload
    header, payload = original("sealed-seed-share")
    for key, value in (("length", 100001), ("field", "m61")):
        yield f"seed-{key}", f"another {key} in the header of a seed", {**header, key: value}, payload
    _, payload = original("sealed-seed-key-share")
    yield "seed-of-key", "the seed of a share of a key as one of a vector", header, payload
    (header, _), (_, payload) = original("sealed-stream", 0), original("sealed-stream", 1)
    made = replace(payload, sender=identity(header["from"]))
    yield "header-of-another", "the header of a record with the payload of another", header, made
    (first, payload), (second, _) = original("sealed-file-parts", 0), original("sealed-file-parts", 1)
    yield "part-moved", "the first part of a file as the second", second, payload
    ended = {**first, "last": True}
    yield "part-ended", "a part of a file, marked as the last one", ended, payload


def keys():
    header, payload = original("sealed-unknown")
    for width in (1, 2, 8):
        yield f"width-{width}", "another width", header, replace(payload, width=width)
    header, payload = original("sealed-share")
    client, station = ["client", 4], ["station", 5]
    yield "sender-id", "the key id of another sender", header, replace(payload, sender=identity(client))
    made = {**header, "from": client}
    yield "sender", "another sender, in the header and by key id", made, replace(payload, sender=identity(client))
    yield "sender-in-header", "another sender in the header only", made, payload
    yield "sender-unknown", "a key id that nobody has", header, replace(payload, sender=pattern(8))
    yield "receiver-id", "the key id of another receiver", header, replace(payload, receiver=identity(station))
    made = {**header, "to": station}
    other = replace(payload, receiver=identity(station))
    yield "receiver", "another receiver, in the header and by key id", made, other
    old = key_id(hpke.public_of(private_key(KEYS["station", 2][0])))
    yield "receiver-older", "the key id of an older key of the receiver", header, replace(payload, receiver=old)
    swapped = replace(payload, sender=payload.receiver, receiver=payload.sender)
    back = {**header, "from": header["to"], "to": header["from"]}
    yield "sent-back", "sent back to its sender", back, swapped


def sealed_otherwise(header, elements, sender, receiver, pieces, info):
    """A payload sealed with other inputs than those of the format. pieces are (aad, bytes)."""
    ikm = b"an ephemeral key for forged ones"
    enc, context = hpke.send(sender, hpke.public_of(receiver), info, ikm)
    chunks = b"".join(context.seal(aad, piece) for aad, piece in pieces)
    ids = identity(header["from"]), key_id(hpke.public_of(receiver))
    return Sealed(elements.dtype.itemsize, *ids, enc, chunks)


def other_seals():
    plain = find("sealed-share")[0]
    header, elements, receiver = plain.header, plain.elements, plain.receiver
    raw, head = elements.tobytes(), write_header(header)
    info = info_of(head, 4, len(raw))

    def made(pieces, info=info, sender=plain.sender, values=elements, header=header):
        return header, sealed_otherwise(header, values, sender, receiver, pieces, info)

    yield "by-another", "sealed by another client, with the key id of the sender", *made(
        [(aad_of(True), raw)], sender=newest(["client", 4]))
    yield "by-receiver-of-another", "sealed by the receiver's neighbour", *made(
        [(aad_of(True), raw)], sender=newest(["station", 5]))
    yield "not-last", "the last chunk is not sealed as the last", *made([(aad_of(False), raw)])
    yield "aad-empty", "sealed without aad", *made([(b"", raw)])
    yield "aad-longer", "an aad of two bytes", *made([(b"\x01\x00", raw)])
    yield "info-other", "another version of the seal in info", *made(
        [(aad_of(True), raw)], info=info.replace(b"seal-1", b"seal-2"))
    yield "info-empty", "no info", *made([(aad_of(True), raw)], info=b"")
    yield "info-width", "another width in info", *made([(aad_of(True), raw)], info=info_of(head, 8, len(raw)))
    yield "info-bytes", "another number of bytes in info", *made(
        [(aad_of(True), raw)], info=info_of(head, 4, len(raw) + 4))
    more = find("sealed-chunk-more")[0]
    raw = more.elements.tobytes()
    info = info_of(write_header(more.header), 4, len(raw))
    pieces = [(aad_of(True), raw[:CHUNK_BYTES]), (aad_of(True), raw[CHUNK_BYTES:])]
    yield "both-last", "both chunks are sealed as the last", *made(
        pieces, info, values=more.elements, header=more.header)


def files():
    """(name, description, bytes)"""
    for name, description, header, payload in cases():
        yield f"forged/{name}.cbor", description, write_record(header, payload)
