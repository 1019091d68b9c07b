"""Searches the memory of commands, at their end, for the keys and secrets that they have used.

    check_wiped.py BIN IMAGE.so

The commands of a sealed round run with image.c preloaded, which writes their writable memory to a file when they
exit: heap, also the freed part of it, stacks and data. Searched are the private keys, as bytes and as PEM; of each
sealed record that a command wrote or read, everything from the ephemeral private key to the key of AES, computed here
with an independent HPKE; and the elements of these records, seeds and their expansions. Two controls show that the
search would find them. Then the same round with seeds, and the seeds of keys.
"""

import base64
import hashlib
import hmac
import os
import pathlib
import subprocess
import sys
import tempfile

import hagg_format
import hpke
import numpy
import sealed
from expansion import expand
from report import Report

LENGTH = 40_000  # of the vectors: every share has several chunks
# No two clients use the same stations, so the stations send masks to each other.
TOPOLOGY = """collude full stations=1
stations 3
client 1 via 1 2
client 2 via 2 3
client 3 via 1 3
identities ids.txt
"""
# The same with seeds: of clients and dealers; and of keys. Client 3 has a courier.
SEEDS = TOPOLOGY.replace("via 1 3", "via 3") + "privacy computational\n"
KEYS = """protocol keys
collude partial stations=1
stations 3
client 1-3 via 1-3
privacy computational
identities ids.txt
"""
NODES = [("client", i) for i in (1, 2, 3)] + [("station", u) for u in (1, 2, 3)] + [("federator", 1)]


class Sealing:
    """The secrets of a sealed record, for its receiver and, if ikm is known, for its sender."""

    def __init__(self, record, keys, randoms, version):
        header_bytes, payload = hagg_format.write_header(record.header), record.payload
        by_id = {sealed.key_id(hpke.public_of(key)): key for key in keys.values()}
        self.receiver, self.sender = by_id[payload.receiver], by_id[payload.sender]
        info = sealed.info_of(header_bytes, payload.width, payload.n_bytes)
        self.secrets = {}
        self.add_ephemeral(payload.enc, info, randoms, version)
        self.add_schedule(payload.enc, info)
        self.elements = sealed.open_sealed(header_bytes, payload, self.receiver, hpke.public_of(self.sender)).tobytes()
        self.expansion = b""
        if "seed" in record.header:
            self.secrets |= {"seed of a record": self.elements}
            self.expansion = expand(self.elements, record.header["field"], LENGTH // 2).tobytes()

    def add_ephemeral(self, enc, info, randoms, version):
        """The random bytes are ikm itself, or the seed of the generator from which it is derived."""
        for drawn in randoms:
            root = hmac.digest(drawn, b"root", hashlib.sha256)
            seed = hmac.digest(root, b"seal", hashlib.sha256)
            parts = [version, info, hpke.public_of(self.sender), hpke.public_of(self.receiver)]
            derived = hmac.digest(seed, b"".join(parts), hashlib.sha256)
            for ikm in drawn, derived:
                private = hpke.derive_private(ikm)
                if hpke.public_of(private) == enc:
                    prk = hpke.labeled_extract(hpke.KEM, b"", b"dkp_prk", ikm)
                    self.secrets |= {"ikm": ikm, "ephemeral private key": private, "prk of the ephemeral key": prk}
                    if ikm == derived:
                        self.secrets |= {"seed of the generator": drawn, "root of the generator": root,
                                         "seed of the seals": seed}  # fmt: skip

    def add_schedule(self, enc, info):
        receiver_public, sender_public = hpke.public_of(self.receiver), hpke.public_of(self.sender)
        dh = hpke.agree(self.receiver, enc), hpke.agree(self.receiver, sender_public)
        prk = hpke.labeled_extract(hpke.KEM, b"", b"eae_prk", b"".join(dh))
        shared = hpke.labeled_expand(hpke.KEM, prk, b"shared_secret", enc + receiver_public + sender_public, 32)
        hashes = (hpke.labeled_extract(hpke.SUITE, b"", b"psk_id_hash", b"")
                  + hpke.labeled_extract(hpke.SUITE, b"", b"info_hash", info))  # fmt: skip
        secret = hpke.labeled_extract(hpke.SUITE, shared, b"secret", b"")
        key = hpke.labeled_expand(hpke.SUITE, secret, b"key", hpke.MODE_AUTH + hashes, 32)
        self.secrets |= {
            "secret of the ephemeral key": dh[0], "secret of both nodes": dh[1], "prk": prk, "shared secret": shared,
            "secret of the key schedule": secret, "key of AES": key,
        }  # fmt: skip


class Round:
    def __init__(self, binaries, preload, directory, report):
        self.binaries, self.preload = pathlib.Path(binaries).resolve(), str(pathlib.Path(preload).resolve())
        self.cwd, self.report = pathlib.Path(directory), report
        self.keys = {}
        number = self.run("hagg-share --version", preload=False)[0].split()[-1]
        self.version = b"ephemeral key of hagg " + number + b"\0"

    def run(self, command, control="", preload=True):
        """Runs a command line and returns its standard output, its memory and the random bytes that it drew."""
        name, *arguments = command.split()
        environment = dict(os.environ, HAGG_NO_CONFINEMENT="1", HAGG_STATE=str(self.cwd / "state"), HAGG_THREADS="2")
        image, drawn = self.cwd / "image", self.cwd / "random"
        for path in image, drawn:
            path.unlink(missing_ok=True)
        if preload:
            environment |= {"LD_PRELOAD": self.preload, "WIPED_IMAGE": str(image), "WIPED_RANDOM": str(drawn),
                            "WIPED_CONTROL": control}  # fmt: skip
        done = subprocess.run([self.binaries / name, *arguments], cwd=self.cwd, env=environment, capture_output=True)
        assert done.returncode == 0, f"{command}: status {done.returncode}, {done.stderr}"
        randoms = drawn.read_bytes() if drawn.exists() else b""
        return (done.stdout, image.read_bytes() if preload else b"",
                [randoms[at : at + 32] for at in range(0, len(randoms), 32)])  # fmt: skip

    def read_key(self, node):
        """The base64 line of a private key, and its bytes, which are at the end of the DER."""
        line = (self.cwd / f"{node[0]}-{node[1]}.pem").read_text().splitlines()[1]
        return line, base64.b64decode(line)[-32:]

    def sealings(self, names, randoms):
        result = []
        for name in names:
            data = (self.cwd / name).read_bytes()
            for record in hagg_format.read_stream(data):
                if record.is_sealed:
                    result.append(Sealing(record, self.keys, randoms, self.version))
        return result

    def found(self, memory, node, sealings):
        """Names everything in the memory that should not be there."""
        line, key = self.read_key(node)
        # the first 22 characters and 16 bytes are the same in all keys
        wanted = {"private key": [key[:16], key[16:]],
                  "private key in PEM": [line[22:42].encode(), line[43:63].encode()]}  # fmt: skip
        for sealing in sealings:
            for name, secret in sealing.secrets.items():
                wanted.setdefault(name, []).append(secret[:16])
                wanted[name].append(secret[16:] or secret)
            pieces = wanted.setdefault("elements", [])
            for data in sealing.elements, sealing.expansion:
                for at in range(0, max(1, len(data) - 32), 4096):
                    pieces.append(data[at : at + 32])
        return {name for name, pieces in wanted.items() if any(piece and piece in memory for piece in pieces)}

    def pass_on(self):
        """Moves records from the files of couriers to those of their stations."""
        for name in self.names("to-*-client-*.cbor"):
            data = (self.cwd / name).read_bytes()
            for record in hagg_format.read_stream(data):
                to = f"to-{record.header['to'][1]}-" + name.split("-", 2)[2]
                if to != name:
                    raw = data[record.offset : record.offset + record.len_bytes]
                    (self.cwd / to).write_bytes(raw)
                    (self.cwd / name).write_bytes((self.cwd / name).read_bytes().replace(raw, b""))

    def names(self, pattern):
        return sorted(path.name for path in self.cwd.glob(pattern))

    def check(self, command, node, inputs=(), outputs=(), control=""):
        """Checks a command, or for a control returns what was found. The ephemeral keys of the outputs, which may be
        a function of the names, must follow from the random bytes."""
        with self.report.part(f"{command} {control}"):
            _, memory, randoms = self.run(command, control)
            inputs, outputs = (names() if callable(names) else names for names in (inputs, outputs))
            sealings = self.sealings(inputs, []) + self.sealings(outputs, randoms)
            self.report.check(sealings, "no sealed record")
            made = self.sealings(outputs, randoms)
            self.report.check(all("ikm" in s.secrets for s in made), "ephemeral keys do not follow from random bytes")
            self.report.check(len(memory) > 10_000, f"the image has only {len(memory)} bytes")
            found = self.found(memory, node, sealings)
            if not control:
                self.report.equal(sorted(found), [], "found in memory")
            return found


def prepare(world, topology=TOPOLOGY):
    lines = []
    for tier, number in NODES:
        which = "--federator" if tier == "federator" else f"--{tier} {number}"
        lines.append(world.run(f"hagg-keygen --identity {tier}-{number}.pem {which}", preload=False)[0])
        world.keys[tier, number] = world.read_key((tier, number))[1]
    (world.cwd / "ids.txt").write_bytes(b"".join(lines))
    (world.cwd / "p.topo").write_text(topology)
    world.run("hagg-plan --quiet p.topo -o p.plan", preload=False)
    for client in 1, 2, 3:
        vector = numpy.random.default_rng(client).integers(-9999, 9999, LENGTH, dtype=numpy.int32)
        numpy.save(world.cwd / f"v{client}.npy", vector)
    (world.cwd / "file").write_bytes(numpy.random.default_rng(9).bytes(300_000))


# Without a state, ephemeral keys depend on random bytes only, which image.c logs.
PLAN = "--plan p.plan --round 1 --no-state"
SHARE = f"hagg-share {PLAN} --client 1 --identity client-1.pem -o to-{{}}-client-1.cbor v1.npy"


def check_keys(world, report):
    """A key that is made, and one that is read."""
    for command in 2 * ["hagg-keygen --identity client-9.pem --client 9"]:
        with report.part(command):
            _, memory, _ = world.run(command)
            report.equal(sorted(world.found(memory, ("client", 9), [])), [], "found in memory")


def check_round(world):
    world.check(SHARE, ("client", 1), outputs=["to-1-client-1.cbor", "to-2-client-1.cbor"])
    world.check(f"hagg-share {PLAN} --client 2 --identity {{tier}}-{{}}.pem -o to-{{}}-client-2.cbor v2.npy",
                ("client", 2), outputs=["to-2-client-2.cbor", "to-3-client-2.cbor"])  # fmt: skip
    # with a state, ikm is not known here, but everything else is
    world.check("hagg-share --plan p.plan --round 1 --client 3 --identity client-3.pem -o to-{}-client-3.cbor v3.npy",
                ("client", 3), inputs=lambda: world.names("to-*-client-3.cbor"))  # fmt: skip
    world.pass_on()
    for station in 1, 2, 3:
        world.check(f"hagg-keygen {PLAN} --station {station} --length {LENGTH} --identity station-{station}.pem "
                    f"-o to-{{}}-mask-{station}.cbor", ("station", station),
                    outputs=lambda: world.names(f"to-*-mask-{station}.cbor"))  # fmt: skip
    for station in 1, 2, 3:
        received = world.names(f"to-{station}-*.cbor")
        world.check(f"hagg-aggregate {PLAN} --station {station} --identity station-{station}.pem -o sum-{station}.cbor "
                    + " ".join(received), ("station", station), inputs=received,
                    outputs=[f"sum-{station}.cbor"])  # fmt: skip
    sums = world.names("sum-*.cbor")
    world.check(f"hagg-decode {PLAN} --quiet --identity federator-1.pem -o total.npy {' '.join(sums)}",
                ("federator", 1), inputs=sums)  # fmt: skip
    world.check("hagg-seal --plan p.plan --identity client-1.pem --to station=2 -o sealed file", ("client", 1),
                outputs=["sealed"])  # fmt: skip
    world.check("hagg-open --plan p.plan --identity station-2.pem --from client=1 -o opened sealed", ("station", 2),
                inputs=["sealed"])  # fmt: skip


def check_controls(world, report):
    """The search finds what is not wiped. Everything is in the memory that our code wipes; and what it does not
    wipe stays, except on the stack, where other values replace it."""
    expected = {"private key", "private key in PEM", "seed of the generator", "root of the generator",
                "seed of the seals", "ikm", "prk of the ephemeral key", "ephemeral private key",
                "secret of the ephemeral key", "secret of both nodes", "prk", "shared secret",
                "secret of the key schedule", "key of AES", "elements"}  # fmt: skip
    wiped = world.check(SHARE, ("client", 1), control="wiped", outputs=["to-1-client-1.cbor"])
    report.equal(sorted(expected - wiped), [], "not found in what is wiped")
    kept = world.check(SHARE, ("client", 1), control="keep", outputs=["to-1-client-1.cbor"])
    expected = {"private key in PEM", "seed of the seals", "key of AES", "elements"}
    report.equal(sorted(expected - kept), [], "not found if nothing is wiped")


def check_seeds(world, report):
    """Seeds and expansions are in what is wiped, and expansions stay otherwise."""
    check_round(world)
    mask = f"hagg-keygen {PLAN} --station 1 --length {LENGTH} --identity station-1.pem -o again-{{}}.cbor"
    for command, node, name in (SHARE, ("client", 1), "to-2-client-1.cbor"), (mask, ("station", 1), "again-1.cbor"):
        for control in "wiped", "keep":
            for path in world.names("again-*"):
                (world.cwd / path).unlink()
            found = world.check(command, node, control=control, inputs=[name])
            # on the stack, other values replace a seed
            expected = {"seed of a record", "elements"} if control == "wiped" else {"elements"}
            report.equal(sorted(expected - found), [], f"not found: {control}")


def check_seed_of_key(world, report):
    """A client's own key, when it is made, and when it is shared."""
    for control in "wiped", "":
        (world.cwd / "key-1").unlink(missing_ok=True)
        with report.part(f"hagg-keygen --client {control}"):
            _, memory, _ = world.run(f"hagg-keygen {PLAN} --client 1 --length {LENGTH} -o key-1", control)
            record, = hagg_format.read_stream((world.cwd / "key-1").read_bytes())
            seed = record.elements.tobytes()
            report.equal((len(seed), seed[:16] in memory, seed[16:] in memory), (32, bool(control), bool(control)), "seed")
    for client in 1, 2, 3:
        if client > 1:
            world.run(f"hagg-keygen {PLAN} --client {client} --length {LENGTH} -o key-{client}", preload=False)
        share = f"hagg-share {PLAN} --client {client} --identity client-{client}.pem --key key-{client}"
        world.check(f"{share} -o to-{{}}-client-{client}.cbor v{client}.npy", ("client", client),
                    outputs=lambda: world.names(f"to-*-client-{client}.cbor"))  # fmt: skip
    for station in 1, 2, 3:
        received = world.names(f"to-{station}-client-*.cbor")
        world.check(f"hagg-aggregate {PLAN} --station {station} --only shares --identity station-{station}.pem "
                    f"-o shares-{station} " + " ".join(received), ("station", station), inputs=received)  # fmt: skip
        received += world.names(f"keys-{station - 1}")
        world.check(f"hagg-aggregate {PLAN} --station {station} --only keys --identity station-{station}.pem "
                    f"-o keys-{station} " + " ".join(received), ("station", station), inputs=received)  # fmt: skip


def main(binaries, preload):
    report = Report()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for topology, check in (SEEDS, check_seeds), (KEYS, check_seed_of_key):
        with tempfile.TemporaryDirectory(dir=scratch) as directory:
            world = Round(binaries, preload, directory, report)
            prepare(world, topology)
            check(world, report)
    with tempfile.TemporaryDirectory(dir=scratch) as directory:
        world = Round(binaries, preload, directory, report)
        prepare(world)
        check_keys(world, report)
        check_round(world)
        check_controls(world, report)
    return report.end()


sys.exit(main(*sys.argv[1:]))
