#!/usr/bin/python3
"""A round, and a file, between the commands and the HPKE packages of npm.

Usage: check_commands.py BIN NODE PACKAGES

npm opens every record that a command seals, and seals it again, with another ephemeral key, before the next command
opens it. The total must be right. So npm opens what we seal, and we open what npm seals. What npm seals with a wrong
key or a wrong header must be refused.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import npm_hpke  # first: it adds the directory of the next ones
import numpy
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from hagg_format import read_stream, write_record
from hpke import public_of
from outcome import Outcome
from sealed import CHUNK_BYTES, key_id

LENGTH = 50_000  # a share has several chunks

# No two clients use the same stations, so the stations send masks to each other.
TOPOLOGY = """field m31
collude full stations=1
stations 3
client 1 via 1 2
client 2 via 2 3
client 3 via 1 3
identities nodes.ids
"""
CLIENTS = STATIONS = (1, 2, 3)
NODES = [("client", i) for i in CLIENTS] + [("station", u) for u in STATIONS] + [("federator", 1)]


class Round:
    def __init__(self, binaries, npm, outcome):
        self.binaries, self.npm, self.outcome = pathlib.Path(binaries).resolve(), npm, outcome
        self.environment = {**os.environ, "HAGG_PLAN": "city.plan", "HAGG_STATE": "state"}
        self.keys = {}

    def call(self, name, *arguments, status=0):
        """Runs a command and returns its standard error."""
        done = subprocess.run([self.binaries / name, *map(str, arguments)], env=self.environment, capture_output=True,
                              text=True, check=False)
        text = f"status {done.returncode}, not {status}: {done.stderr.strip()}"
        self.outcome.check(done.returncode == status, f"{name} {' '.join(map(str, arguments))}", text)
        return done.stderr

    def make_keys(self):
        """Private keys of hagg-keygen, and one of openssl."""
        subprocess.run(["openssl", "genpkey", "-algorithm", "X25519", "-out", "client-1.pem"], check=True)
        lines = []
        for tier, number in NODES:
            path = f"{tier}-{number}.pem"
            which = ["--federator"] if tier == "federator" else [f"--{tier}", number]
            command = [self.binaries / "hagg-keygen", "--identity", path, *map(str, which)]
            lines.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            key = load_pem_private_key(pathlib.Path(path).read_bytes(), None)
            self.keys[tier, number] = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        pathlib.Path("nodes.ids").write_text("".join(lines))
        pathlib.Path("city.topo").write_text(TOPOLOGY)
        self.call("hagg-plan", "--quiet", "city.topo", "-o", "city.plan")

    def opened(self, path):
        """The records of a file with their elements, by npm."""
        for record in read_stream(pathlib.Path(path).read_bytes()):
            header = record.header
            if self.outcome.check(record.is_sealed, path, "a record is not sealed"):
                sender = public_of(self.keys[tuple(header["from"])])
                yield header, self.npm.open(record, self.keys[tuple(header["to"])], sender)

    def seal(self, header, elements, sender=None):
        """A record, sealed by npm: from the sender in the header, or with the key of another."""
        receiver = public_of(self.keys[tuple(header["to"])])
        return self.npm.seal(header, elements, self.keys[tuple(sender or header["from"])], receiver)

    def resealed(self, path):
        """Replaces a file by what npm seals again."""
        before = pathlib.Path(path).read_bytes()
        after = b"".join(write_record(header, self.seal(header, elements)) for header, elements in self.opened(path))
        self.outcome.check(len(after) == len(before) and after != before, path, "not sealed again")
        pathlib.Path(path).write_bytes(after)

    def total(self):
        vectors = [numpy.arange(LENGTH, dtype="i4") * i for i in (1, -2, 5)]
        for i, vector in enumerate(vectors, 1):
            numpy.save(f"vector-{i}.npy", vector)
            self.call("hagg-share", "--client", i, "--round", 1, "--identity", f"client-{i}.pem",
                      "-o", f"to-{{}}-from-client-{i}.cbor", f"vector-{i}.npy")
        for u in STATIONS:
            self.call("hagg-keygen", "--station", u, "--round", 1, "--length", LENGTH, "--identity",
                      f"station-{u}.pem", "-o", f"to-{{}}-mask-{u}.cbor")
        sent = sorted(pathlib.Path().glob("to-*.cbor"))
        several = [path for path in sent if path.stat().st_size > CHUNK_BYTES + 1000]
        self.outcome.check(len(several) > 6, "files", f"{len(several)} files have several chunks")
        for path in sent:
            self.resealed(path)
        for u in STATIONS:
            self.call("hagg-aggregate", "--station", u, "--identity", f"station-{u}.pem", "-o", f"sum-{u}.cbor",
                      *sorted(pathlib.Path().glob(f"to-{u}-*.cbor")))
            self.resealed(f"sum-{u}.cbor")
        self.call("hagg-decode", "--quiet", "--identity", "federator-1.pem", "-o", "total.npy",
                  *(f"sum-{u}.cbor" for u in STATIONS))
        found = numpy.load("total.npy") if os.path.exists("total.npy") else None
        self.outcome.check(found is not None and (found == sum(vectors)).all(), "the total", "wrong")

    def forged(self):
        """Records that npm seals otherwise than the plan and the header require."""
        header, elements = next(self.opened("to-2-from-client-1.cbor"))
        by_another = self.seal(header, elements, sender=("client", 2))
        self.refused("another sender", header, by_another)
        by_another.sender = key_id(public_of(self.keys["client", 1]))
        self.refused("another sender with the right key id", header, by_another)
        good = self.seal(header, elements)
        self.refused("another header", {**header, "x-note": "changed"}, good)
        good.chunks = good.chunks[:-1] + bytes([good.chunks[-1] ^ 1])
        self.refused("a changed tag", header, good)

        self.forged_roster()

    def refused(self, what, header, payload):
        """With the share of client 1 replaced by this record, station 2 forms no sum."""
        pathlib.Path("forged.cbor").write_bytes(write_record(header, payload))
        others = [path for path in pathlib.Path().glob("to-2-*.cbor") if path.name != "to-2-from-client-1.cbor"]
        self.no_sum(what, "forged.cbor", *others)

    def no_sum(self, what, *arguments):
        said = self.call("hagg-aggregate", "--no-state", "--station", 2, "--identity", "station-2.pem", "-o",
                         "forged-sum.cbor", *arguments, status=6)
        self.outcome.check("forged.cbor: record " in said and not os.path.exists("forged-sum.cbor"), what, said)

    def forged_roster(self):
        """A roster without elements: only its header says something, and only the seal protects it."""
        self.call("hagg-roster", "--no-state", "--round", 1, "--clients", "1-3", "--identity", "federator-1.pem",
                  "-o", "roster.cbor")
        records = read_stream(pathlib.Path("roster.cbor").read_bytes())
        self.outcome.check(all(record.payload.n_bytes == 0 for record in records), "roster", "has elements")
        changed = [write_record({**record.header, "clients": [1, 2]}, record.payload) for record in records]
        pathlib.Path("forged.cbor").write_bytes(b"".join(changed))
        self.no_sum("a changed roster", "--roster", "forged.cbor", *pathlib.Path().glob("to-2-*.cbor"))

    def files(self):
        """Files of several sizes, from a client to the federator."""
        for n in (0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3_000_000):
            name, content = f"file-{n}", numpy.random.default_rng(n).bytes(n)
            pathlib.Path(name).write_bytes(content)
            self.call("hagg-seal", "--to", "federator", "--identity", "client-2.pem", "-o", f"{name}.sealed", name)
            opened = b"".join(elements.tobytes() for _, elements in self.opened(f"{name}.sealed"))
            self.outcome.check(opened == content, name, "npm opens it to other bytes")
            self.resealed(f"{name}.sealed")
            self.call("hagg-open", "--from", "client=2", "--identity", "federator-1.pem", "-o", f"{name}.open",
                      f"{name}.sealed")
            found = pathlib.Path(f"{name}.open").read_bytes() if os.path.exists(f"{name}.open") else None
            self.outcome.check(found == content, name, "hagg-open opens it to other bytes")


def main():
    binaries, node, packages = sys.argv[1:]
    npm, outcome = npm_hpke.Npm(node, os.path.abspath(packages)), Outcome()
    work = Round(binaries, npm, outcome)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.umask(0o077)
        work.make_keys()
        work.total()
        work.forged()
        work.files()
        os.chdir("/")
    outcome.check(npm.close() == 0, "node", "failed")
    outcome.finish()


if __name__ == "__main__":
    main()
