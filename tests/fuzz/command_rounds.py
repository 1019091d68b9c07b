"""Small real rounds for commands.py: each step is a command that succeeded, with the files it read.

The rounds are the same in every run: keys and vectors come from a seeded generator, and the secret of the
state directory, from which shares are derived, is fixed.
"""

import base64
import concurrent.futures
import io
import os
import pathlib
import random
import subprocess
from dataclasses import dataclass, field

import numpy
import xxhash
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

STATE = "state"
LENGTH = 3


@dataclass
class Step:
    round: str
    argv: list
    before: dict  # the contents of the state directory before the step, and of the inputs, by name
    after: dict  # the state directory after the step
    expected: bytes = None  # the total on standard output, for hagg-decode
    spare: bool = False  # True if one wrong share cannot pass
    environment: dict = field(default_factory=dict)

    def inputs(self):
        return [name for name in self.before if not name.startswith(STATE + "/")]


def sheet(name, lines):
    """A file of a state directory."""
    text = "".join(line + "\n" for line in [f"hagg-state 2 {name}", *lines])
    return (text + f"digest {xxhash.xxh3_128(text.encode()).hexdigest()}\n").encode()


def npy(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


class Round:
    """Runs the commands of a round in a directory and remembers them as steps."""

    def __init__(self, name, directory, commands, plan=None):
        self.name, self.root = name, pathlib.Path(directory) / name
        self.steps = []
        self.random = random.Random(name)
        self.always = []  # files that every command reads, although its options do not name them
        self.environment = {"HAGG_STATE": STATE}
        self.path = commands
        self.root.mkdir()
        (self.root / STATE).mkdir(mode=0o700)
        if plan is not None:
            self.write("round.plan", plan.encode())
            self.environment["HAGG_PLAN"] = "round.plan"
        secret = bytes(self.random.randrange(256) for _ in range(32)).hex()
        self.write(STATE + "/index", sheet("index", ["secret " + secret]))
        (self.root / STATE / "vectors").mkdir(mode=0o700)
        self.write(STATE + "/vectors/files", sheet("vectors/files", []))

    def write(self, name, data):
        (self.root / name).write_bytes(data)
        (self.root / name).chmod(0o600)
        return name

    def files(self, pattern):
        return sorted(str(p.relative_to(self.root)) for p in self.root.glob(pattern))

    def state(self):
        return {name: (self.root / name).read_bytes() for name in self.files(STATE + "/**/*") if (self.root / name).is_file()}

    def step(self, *argv, expected=None, spare=False):
        """Runs a command. expected is the total that must be on standard output."""
        argv = [str(word) for word in argv]
        names = {word.rpartition("=")[2] for word in argv} | {self.environment.get("HAGG_PLAN"), *self.always}
        before = self.state()
        before |= {name: (self.root / name).read_bytes() for name in sorted(filter(None, names)) if (self.root / name).is_file()}
        environment = os.environ | self.environment | {"PATH": f"{self.path}:{os.environ['PATH']}"}
        done = subprocess.run(argv, cwd=self.root, env=environment, capture_output=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{self.name}: {argv}: status {done.returncode}, {done.stderr.decode()}")
        if expected is not None and done.stdout != expected:
            raise SystemExit(f"{self.name}: {argv}: {done.stdout}, not {expected}")
        self.steps.append(Step(self.name, argv, before, self.state(), expected, spare, self.environment))
        return done.stdout

    def share(self, clients, vectors, *options):
        """Keys and shares; vectors are (file name, contents) by client."""
        for client in clients:
            name, data = vectors[client]
            self.write(name, data)
            source = self.write(f"random-{client}", self.random.randbytes(4096))
            self.step("hagg-keygen", "--client", client, "--round", 1, "--length", LENGTH,
                      "--random-source", source, "-o", f"key-{client}.cbor")  # fmt: skip
            self.step("hagg-share", "--client", client, "--round", 1, "--key", f"key-{client}.cbor", *options,
                      "-o", f"station-{{}}/client-{client}.cbor", name)  # fmt: skip

    def chain(self, stations, *options):
        """The chain of keys; returns the file with the total."""
        before = []
        for u in range(1, stations + 1):
            out = f"keys-{u}.cbor"
            inputs = before + self.files(f"station-{u}/*.cbor")
            self.step("hagg-aggregate", "--station", u, "--only", "keys", *options, "-o", out, *inputs)
            before = [out] if (self.root / out).exists() else before
        return before


def text(numbers):
    return "".join(f"{x}\n" for x in numbers).encode()


def integers(kind="i4"):
    values = {i: numpy.array([i, i * i, -7 * i], dtype="<" + kind) for i in (1, 2, 3, 4)}
    return values, text(sum(values.values()))


def partial(directory, commands):
    """Partial collusion with a spare station, reals, sample counts and a roster."""
    r = Round("partial", directory, commands,
              "protocol keys\ncollude partial clients=1 stations=1\ndrop stations=1 clients=1\n"
              "quantize bits=16 clip=1.0\nsamples\nstations 4\nclient 1-4 via 1-4\n")  # fmt: skip
    r.step("hagg-plan", "-q", "--time-limit", 2, "-o", "full.plan", "round.plan")
    vectors = {i: numpy.array([i / 8, -i / 4, 0.5]) for i in (1, 2, 3, 4)}
    r.environment["HAGG_PLAN"] = "full.plan"
    for i in vectors:
        source = r.write(f"random-{i}", r.random.randbytes(4096))
        vector = r.write(f"v{i}.npy", npy(vectors[i]))
        count = r.write(f"samples-{i}.txt", b"%d\n" % (10 * i))
        r.step("hagg-keygen", "--client", i, "--round", 1, "--length", LENGTH, "--random-source", source,
               "-o", f"key-{i}.cbor")  # fmt: skip
        r.step("hagg-share", "--client", i, "--round", 1, "--key", f"key-{i}.cbor", "--samples-file", count,
               "-o", f"station-{{}}/client-{i}.cbor", vector)  # fmt: skip
    for u in (1, 2, 3, 4):
        r.step("hagg-roster", "--station", u, "--round", 1, "-o", f"report-{u}.cbor", *r.files(f"station-{u}/*.cbor"))
    r.step("hagg-roster", "--round", 1, "-o", "roster.cbor", *r.files("report-*.cbor"))
    for u in (1, 2, 3, 4):
        r.step("hagg-aggregate", "--station", u, "--only", "shares", "--roster", "roster.cbor",
               "-o", f"sum-{u}.cbor", *r.files(f"station-{u}/*.cbor"))  # fmt: skip
    keys = r.chain(4, "--roster=roster.cbor")
    sums = r.files("sum-*.cbor")
    # clip 1.0 has 32767 steps
    total = sum(numpy.rint(v * 32767) for v in vectors.values()) / 32767
    r.step("hagg-decode", "--roster", "roster.cbor", "--format", "text", *sums, *keys,
           expected=text(float(x) if x % 1 else int(x) for x in total), spare=True)  # fmt: skip
    r.step("hagg-decode", "--correct", "--format", "text", *sums, *keys,
           expected=r.steps[-1].expected, spare=True)  # fmt: skip
    r.step("hagg-cost", "--measure", *r.files("station-*/*.cbor"), *sums, *r.files("keys-*.cbor"))
    return r


def full(directory, commands):
    """Full collusion, integers; all shares are needed."""
    r = Round("full", directory, commands,
              "protocol keys\ncollude full clients=1 stations=1\nstations 3\nclient 1-4 via 1-3 shares 1-3 keys 1-3\n")  # fmt: skip
    values, total = integers()
    r.share(values, {i: (f"v{i}.txt", text(values[i])) for i in values}, "--type", "i4", "--format", "text")
    for u in (1, 2, 3):
        r.step("hagg-aggregate", "--station", u, "-o", f"sum-{u}.cbor", *r.files(f"station-{u}/*.cbor"))
    r.step("hagg-decode", "--format", "text", *r.files("sum-*.cbor"), expected=total)
    return r


def relays(directory, commands):
    """Relays that pass shares on, with a relay to spare; raw vectors."""
    r = Round("relays", directory, commands,
              "protocol keys\ncollude partial clients=1 stations=1 relays=1\ndrop relays=1\nstations 4\nrelays 4\n"
              "station 1-4 via 1-4\nclient 1-4 via 1-4 shares 1-4 keys 1 relays 1-4\n")  # fmt: skip
    values, total = integers("i2")
    r.share(values, {i: (f"v{i}.raw", values[i].tobytes()) for i in values}, "--type", "i2", "--format", "raw")
    for u in (1, 2, 3, 4):
        r.step("hagg-aggregate", "--station", u, "--only", "shares", "-o", f"relay-{{}}/from-{u}.cbor",
               *r.files(f"station-{u}/*.cbor"))  # fmt: skip
    before = []
    for u in (1, 2, 3, 4):
        out = "relay-{}/keys.cbor" if u == 4 else f"keys-{u}.cbor"
        r.step("hagg-aggregate", "--station", u, "--only", "keys", "-o", out, *before, *r.files(f"station-{u}/*.cbor"))
        before = [out]
    for m in (1, 2, 3, 4):
        r.step("hagg-aggregate", "--relay", m, "-o", f"from-{m}.cbor", *r.files(f"relay-{m}/*.cbor"))
    r.step("hagg-decode", "--format", "text", *r.files("from-*.cbor"), expected=total, spare=True)
    return r


def transform(directory, commands):
    """Stations transform their sharings for relays, directly."""
    r = Round("transform", directory, commands,
              "protocol keys\ncollude partial clients=1 stations=1 relays=2\ndrop stations=1 relays=2\nstations 4\n"
              "relays 7\ntransform direct\nstation 1-4 via 1-7\nclient 1-4 via 1-4 keys 4 relays 1-7\n")  # fmt: skip
    values, total = integers()
    r.share(values, {i: (f"v{i}.npy", npy(values[i])) for i in values})
    for u in (1, 2, 3, 4):
        sums = f"sum-{u}.cbor"
        r.step("hagg-aggregate", "--station", u, "--only", "shares", "-o", sums, *r.files(f"station-{u}/*.cbor"))
        r.step("hagg-transform", "--step", "contribute", "--station", u, "-o", f"relay-{{}}/from-{u}.cbor", sums)
    r.step("hagg-aggregate", "--relay", 1, "--only", "keys", "-o", "keys.cbor", *r.chain(4))
    for m in range(1, 8):
        r.step("hagg-transform", "--step", "finish", "--relay", m, "-o", f"shares-{m}.cbor", *r.files(f"relay-{m}/*.cbor"))
        r.step("hagg-aggregate", "--relay", m, "-o", f"from-{m}.cbor", f"shares-{m}.cbor")
    r.step("hagg-decode", "--format", "text", *r.files("from-*.cbor"), "keys.cbor", expected=total, spare=True)
    return r


def staircase(directory, commands):
    """Stations and relays send prefixes of their shares. Station 5 is lost, and the others contribute the rest."""
    r = Round("staircase", directory, commands,
              "protocol keys\nscheme staircase\ncollude partial stations=1 relays=1\ndrop stations=1 relays=1\n"
              "stations 5\nrelays 4\ntransform direct\nstation 1-5 via 1-4\nclient 1-4 via 1-5 keys 4 relays 1-4\n")  # fmt: skip
    values, total = integers()
    r.share(values, {i: (f"v{i}.npy", npy(values[i])) for i in values})
    for u in range(1, 6):
        sums, own = f"sum-{u}.cbor", ("hagg-transform", "--step", "contribute", "--station", u)
        r.step("hagg-aggregate", "--station", u, "--only", "shares", "-o", sums, *r.files(f"station-{u}/*.cbor"))
        r.step(*own, "--from", "1-5", "-o", f"relay-{{}}/first-{u}.cbor", sums)
        if u < 5:
            r.step(*own, "--from", "1-4", "--after", "1-5", "-o", f"relay-{{}}/rest-{u}.cbor", sums)
    r.step("hagg-aggregate", "--relay", 1, "--only", "keys", "-o", "keys.cbor", *r.chain(5))
    for m in range(1, 5):
        r.step("hagg-transform", "--step", "finish", "--relay", m, "-o", f"shares-{m}.cbor",
               *r.files(f"relay-{m}/first-[1-4].cbor"), *r.files(f"relay-{m}/rest-*.cbor"))  # fmt: skip
        r.step("hagg-aggregate", "--relay", m, "--present", "1-4", "-o", f"from-{m}.cbor", f"shares-{m}.cbor")
    r.step("hagg-decode", "--format", "text", *r.files("from-*.cbor"), "keys.cbor", expected=total)
    return r


def aligned(directory, commands):
    """Protocol aligned, with a spare station and masks of all dealers."""
    r = Round("aligned", directory, commands,
              "protocol aligned\ncollude full clients=1 stations=1\ndrop stations=1\nstations 5\nsegments 3\n"
              "client 1 2 via 1-5\nclient 3 via 1-4\nclient 4 via 2-5\n")  # fmt: skip
    values, total = integers()
    for i in values:
        r.step("hagg-share", "--client", i, "--round", 1, "-o", f"station-{{}}/client-{i}.cbor",
               r.write(f"v{i}.npy", npy(values[i])))  # fmt: skip
    for u in range(1, 6):
        r.step("hagg-keygen", "--station", u, "--round", 1, "--length", LENGTH, "-o", f"station-{{}}/mask-{u}.cbor")
    for u in range(1, 6):
        r.step("hagg-aggregate", "--station", u, "-o", f"sum-{u}.cbor", *r.files(f"station-{u}/*.cbor"))
    sums = r.files("sum-*.cbor")
    r.step("hagg-decode", "--format", "text", *sums, expected=total, spare=True)
    r.step("hagg-cost", "--measure", *r.files("station-*/*.cbor"), *sums)
    return r


def identity(r, node):
    """Writes a private key of the round, and returns the line of its identity."""
    key = X25519PrivateKey.from_private_bytes(r.random.randbytes(32))
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    tier, _, number = node.partition(" ")
    r.always.append(r.write(f"{tier}-{number or 1}.pem", pem))
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return f"{node} {base64.b64encode(public).decode()}\n"


def couriers(directory, commands):
    """Sealed records; client 4 reaches station 2 only, which passes on what it sends to others."""
    r = Round("couriers", directory, commands,
              "protocol aligned\ncollude full clients=1 stations=1\ndrop stations=1\nfallback computational\n"
              "identities ids.txt\nstations 4\nsegments 2\nclient 1-3 via 1-4\nclient 4 via 2\n")  # fmt: skip
    nodes = [f"client {i}" for i in (1, 2, 3, 4)] + [f"station {u}" for u in (1, 2, 3, 4)] + ["federator"]
    r.always.append(r.write("ids.txt", "".join(identity(r, node) for node in nodes).encode()))
    r.environment["HAGG_IDENTITY"] = "{tier}-{}.pem"
    values, total = integers()
    for i in values:
        r.step("hagg-share", "--client", i, "--round", 1, "-o", f"station-{{}}/client-{i}.cbor",
               r.write(f"v{i}.npy", npy(values[i])))  # fmt: skip
    r.step("hagg-aggregate", "--pass-on", "--station", 2, "--round", 1, "-o", "station-{}/from-2.cbor",
           *r.files("station-2/client-*.cbor"))  # fmt: skip
    for u in range(1, 5):
        r.step("hagg-keygen", "--station", u, "--round", 1, "--length", LENGTH, "-o", f"station-{{}}/mask-{u}.cbor")
    for u in range(1, 5):
        r.step("hagg-roster", "-q", "--station", u, "--round", 1, "-o", f"report-{u}.cbor",
               *r.files(f"station-{u}/client-*.cbor"), *r.files(f"station-{u}/from-*.cbor"))  # fmt: skip
    r.step("hagg-roster", "-q", "--round", 1, "-o", "roster.cbor", *r.files("report-*.cbor"))
    for u in range(1, 5):
        r.step("hagg-aggregate", "--station", u, "--roster", "roster.cbor", "-o", f"sum-{u}.cbor",
               *r.files(f"station-{u}/*.cbor"))  # fmt: skip
    r.step("hagg-decode", "--roster", "roster.cbor", "--format", "text", *r.files("sum-*.cbor"), expected=total, spare=True)
    return r


def plain(directory, commands):
    """Without a plan: shares, sums, and a sharing transformed through relays."""
    r = Round("plain", directory, commands)
    values, _ = integers()
    for i in (1, 2):
        r.step("hagg-share", "-n", 5, "-k", 3, "-z", 1, "--client", i, "--round", 1, "--type", "i4",
               "--random-source", r.write(f"random-{i}", r.random.randbytes(4096)),
               "-o", f"station-{{}}/client-{i}.cbor", r.write(f"v{i}.raw", values[i].tobytes()))  # fmt: skip
    for u in range(1, 6):
        r.step("hagg-aggregate", "-o", f"sum-{u}.cbor", *r.files(f"station-{u}/*.cbor"))
    total = text(values[1] + values[2])
    r.step("hagg-decode", "--format", "text", *r.files("sum-*.cbor"), expected=total, spare=True)
    r.step("hagg-decode", "--correct", "--format", "text", *r.files("sum-*.cbor"), expected=total, spare=True)
    for u in range(1, 6):
        r.step("hagg-transform", "--step", "contribute", "--method", "transport", "--holders", "1-4", "-k", 3, "-z", 1,
               "--random-source", r.write(f"random-t{u}", r.random.randbytes(4096)),
               "-o", f"relay-{{}}/from-{u}.cbor", f"sum-{u}.cbor")  # fmt: skip
    collect = r.files("relay-1/*.cbor")
    if collect:
        for m in range(1, 5):
            r.step("hagg-transform", "--step", "collect", "-o", f"to-{{}}/by-{m}.cbor", *r.files(f"relay-{m}/*.cbor"))
        for m in range(1, 5):
            r.step("hagg-transform", "--step", "finish", "-o", f"new-{m}.cbor", *r.files(f"to-{m}/*.cbor"))
        r.step("hagg-decode", "--format", "text", *r.files("new-*.cbor"), expected=total, spare=True)
    r.step("hagg-inspect", *r.files("sum-*.cbor"))
    r.step("hagg-inspect", "--json", *r.files("relay-*/*.cbor"))
    return r


def documents(directory, commands):
    """The commands that read topologies, plans and states."""
    r = Round("documents", directory, commands,
              "protocol keys\ncollude partial clients=1 stations=1 relays=1\ndrop stations=1\nquantize bits=16 clip=1.0\n"
              "length 3\nstations 5\nrelays 3\nstation 1-5 via 1-3\nclient 1-3 via 1-4\nclient 4 5 via 1 3-5\n")  # fmt: skip
    topologies = {
        "whole.topo": "protocol keys\ncollude full clients=1 stations=1\nfield m61\nlength 3\nminimum 4\n"
        "stations 4\nclient 1-6 via 1-4\nclient 7 via 1-3\n",
        "transform.topo": "protocol keys\ncollude partial clients=1 stations=2 relays=4\nstations 4\nrelays 6\n"
        "station 1-4 via 1-6\nclient 1 2 via 1-3\nclient 3 via 1-4\nclient 4 via 2-4\n",
        "aligned.topo": "protocol aligned\ncollude full clients=1 stations=1\nstations 4\nrelays 3\n"
        "station 1-4 via 1-3\nclient 1-6 via 1-4\nclient 7 via 1-3\n",
        "seeds.topo": "protocol keys\ncollude partial clients=1 stations=2\nfallback computational\nstations 5\n"
        "client 1-4 via 1-4\nclient 5 via 2 3 computational\nclient 6 via 5 shares 1 3 5 keys 5\n",
    }
    names = ["round.plan"] + [r.write(name, contents.encode()) for name, contents in topologies.items()]
    for name in names:
        plan = name.replace(".topo", "") + ".made.plan"
        r.step("hagg-plan", "--time-limit", 2, "-o", plan, name)
        r.step("hagg-plan", "--digest", plan)
        r.step("hagg-audit", "--limit", 20000, plan)
        r.step("hagg-cost", plan)
        r.step("hagg-round", "--emit", "dot", plan)
        if name != "seeds.topo":  # seeds are sent only with identities
            r.step("hagg-round", "--emit", "make", "--round", 1, "--vectors", "v{}.npy", "--workdir", "w", "--length", 3, plan)
        # by default all stations deal; hagg-plan may choose others, or none
        maker = [name, "--station"] if name == "aligned.topo" else [plan, "--client"]
        r.step("hagg-keygen", "--plan", *maker, 1, "--round", 1, "--length", 3,
               "--random-source", r.write(f"random-{plan}", r.random.randbytes(4096)), "-o", f"{plan}.cbor")  # fmt: skip
    r.step("hagg-inspect", "--state")
    return r


ROUNDS = (transform, staircase, plain, relays, partial, documents, full, aligned, couriers)


def make(directory, commands, builds=ROUNDS):
    """All steps of these rounds."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        made = pool.map(lambda build: build(directory, commands).steps, builds)
        return [step for steps in made for step in steps]
