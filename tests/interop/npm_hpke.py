"""Sealed payloads by the HPKE packages of npm: hpke.mjs seals and opens, and only the form is made here."""

import json
import pathlib
import subprocess
import sys

import numpy

SOURCE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SOURCE.parent / "format"))

from hagg_format import write_header  # noqa: E402
from hpke import NotAuthentic, public_of  # noqa: E402
from sealed import CHUNK_BYTES, Sealed, aad_of, info_of, key_id  # noqa: E402


class Npm:
    """A running node, which answers one request a line."""

    def __init__(self, node, packages):
        command = [node, str(SOURCE / "hpke.mjs"), packages]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self):
        self.process.stdin.close()
        return self.process.wait()

    def ask(self, name, **request):
        """The answer, with the lists of messages as bytes."""
        messages = [[aad.hex(), message.hex()] for aad, message in request.pop("messages")]
        encoded = {key: value.hex() for key, value in request.items()}
        self.process.stdin.write(json.dumps({name: {**encoded, "messages": messages}}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "refused" in answer:
            raise NotAuthentic(answer["refused"])
        answer["messages"] = [bytes.fromhex(message) for message in answer["messages"]]
        return answer

    def open(self, record, receiver_private, sender_public):
        """The elements of a sealed record."""
        payload = record.payload
        info = info_of(write_header(record.header), payload.width, payload.n_bytes)
        pieces = payload.pieces()
        messages = [(aad_of(i == len(pieces)), piece) for i, piece in enumerate(pieces, 1)]
        answer = self.ask("open", receiver=receiver_private, sender=sender_public, enc=payload.enc, info=info,
                          messages=messages)
        return numpy.frombuffer(b"".join(answer["messages"]), dtype=f"<u{payload.width}")

    def seal(self, header, elements, sender_private, receiver_public):
        raw, width = elements.tobytes(), elements.dtype.itemsize
        pieces = [raw[at : at + CHUNK_BYTES] for at in range(0, len(raw), CHUNK_BYTES)] or [b""]
        messages = [(aad_of(i == len(pieces)), piece) for i, piece in enumerate(pieces, 1)]
        info = info_of(write_header(header), width, len(raw))
        answer = self.ask("seal", sender=sender_private, receiver=receiver_public, info=info, messages=messages)
        ids = key_id(public_of(sender_private)), key_id(receiver_public)
        return Sealed(width, *ids, bytes.fromhex(answer["enc"]), b"".join(answer["messages"]))
