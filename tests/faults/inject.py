"""Makes one system call after the other fail, or kills the command there, and checks the files afterwards.

    inject.py COMMAND errors|signals|kills [named] [sealed] [seeds]

COMMAND is identity, keygen, share, many, roster, aggregate, station, courier or decode: a small run of that command with several
outputs, some of which exist before, and with a state directory. With "named" the file system does not support files
without a name. With "sealed" the plan has identities, so that records are sealed, and with "seeds" also
computational privacy, so that some of them are seeds. strace first lists the calls of the run that touch files in the working directory. Then, in one run for each of these
calls, the call fails (errors), the command is terminated there (signals) or killed (kills).

Afterwards every output must be unchanged or complete. After an error, all of them must be unchanged, and the
command must end with status 1 and one message, and leave no temporary file. After a signal, all of them must
be unchanged, or all complete. After a kill, only temporary files may be left, and the same
command must still succeed. The state must never be damaged, and an output must not appear before its
entry in the state: the same command with another vector, or with other clients, is then refused.
A private key is never in a file that others can read, and a sealed record is never there unsealed.
"""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy

TOPOLOGY = "protocol keys\ncollude partial stations=1\nquantize bits=16 clip=1.0\nstations 3\nclient 1-3 via 1-3\n"
COURIERS = """protocol aligned
collude full clients=1 stations=2
quantize bits=16 clip=1.0
fallback computational
stations 3
client 1 2 via 1-3
client 3 via 1
"""
VECTORS = {1: [0.5, -0.25, 1], 2: [0.25, 0.5, -1], 3: [0, 0.125, 1]}
SUM = [0.75, 0.375, 1]
PLAN = ["--plan", "p.topo", "--round", "1"]
NODES = [("client", i) for i in VECTORS] + [("station", u) for u in (1, 2, 3)] + [("federator", 1)]
KEYS = "{tier}-{}.pem"

# System calls at which a run is stopped, and the errors that each may return.
ERRORS = {
    "openat": ["ENOSPC", "EACCES"],
    "write": ["ENOSPC", "EIO"],
    "fsync": ["EIO", "ENOSPC"],
    "fchmod": ["EPERM"],
    "syncfs": ["EIO"],
    "close": ["EIO"],
    "link": ["EIO", "ENOSPC"],
    "linkat": ["EIO", "ENOSPC"],
    "rename": ["EIO", "ENOSPC"],
    "mkdir": ["ENOSPC"],
}
KILLS = list(ERRORS) + ["unlink"]
TEMPORARY = re.compile(r"\.[A-Za-z0-9]{6}$")
STATE = "state"
os.environ["HAGG_STATE"] = STATE  # in the working directory of the command

# forbidden is a command that is refused once there is an entry, and makes its outputs elsewhere.
Scenario = collections.namedtuple("Scenario", "prepare command outputs forbidden calls")


def run(command, cwd, expect=0):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == expect, f"{command}: status {done.returncode}, {done.stderr}"
    return done


def write_vector(cwd, client, name, values=None):
    (cwd / name).write_text("".join(f"{x}\n" for x in values or VECTORS[client]))


def make_key(cwd, client):
    run(["hagg-keygen", *PLAN, "--client", str(client), "--length", "3", "-o", f"k{client}.cbor"], cwd)


def share_command(client, vector, output="s-{}/c%d.cbor"):
    return ["hagg-share", *PLAN, "--client", str(client), "--key", f"k{client}.cbor",
            "-o", output % client, vector]  # fmt: skip


def is_sealing():
    return "HAGG_IDENTITY" in os.environ


def prepare_plan(cwd, topology=TOPOLOGY):
    seeds = "privacy computational\n" if "seeds" in sys.argv else ""
    (cwd / "p.topo").write_text(topology + ("identities ids.txt\n" if is_sealing() else "") + seeds)
    (cwd / STATE).mkdir(mode=0o700)
    if is_sealing():
        which = [["--federator"] if tier == "federator" else [f"--{tier}", str(number)] for tier, number in NODES]
        lines = [run(["hagg-keygen", "--identity", KEYS, *node], cwd).stdout for node in which]
        (cwd / "ids.txt").write_text("".join(lines))


def prepare_identity(cwd):
    (cwd / STATE).mkdir(mode=0o700)
    (cwd / "out").mkdir()


def prepare_keygen(cwd):
    prepare_plan(cwd)
    (cwd / "out").mkdir()


def prepare_share(cwd):
    prepare_plan(cwd)
    make_key(cwd, 1)
    write_vector(cwd, 1, "v1.txt")
    write_vector(cwd, 1, "other.txt", [0.5, -0.25, 0])
    (cwd / "s-1").mkdir()
    (cwd / "s-1/c1.cbor").write_text("old\n")


def prepare_uploads(cwd):
    prepare_plan(cwd)
    for client in VECTORS:
        make_key(cwd, client)
        write_vector(cwd, client, f"v{client}.txt")
        run(share_command(client, f"v{client}.txt"), cwd)
    (cwd / "out").mkdir()


def prepare_aggregate(cwd):
    prepare_uploads(cwd)
    (cwd / "out/to-1.cbor").write_text("old\n")


def prepare_courier(cwd):
    """Client 3 reaches station 1 only. Its records for other stations are in the file for station 1."""
    prepare_plan(cwd, COURIERS)
    write_vector(cwd, 3, "v3.txt")
    run(["hagg-share", *PLAN, "--client", "3", "-o", "in-{}.cbor", "v3.txt"], cwd)
    (cwd / "out").mkdir()
    (cwd / "out/to-2.cbor").write_text("old\n")


def prepare_decode(cwd):
    prepare_uploads(cwd)
    # without state, because the stations are other machines than the federator
    for clients, output in ("1-3", "sums"), ("1,2", "fewer"):
        sums, keys = b"", []
        for station in 1, 2, 3:
            inputs = [f"s-{station}/c{client}.cbor" for client in VECTORS]
            run(["hagg-aggregate", *PLAN, "--no-state", "--station", str(station), "--clients", clients, *inputs, *keys,
                 "-o", f"{output}-{station}-{{}}.cbor"], cwd)  # fmt: skip
            sums += (cwd / f"{output}-{station}-1.cbor").read_bytes()
            keys = [f"{output}-{station}-{station + 1}.cbor"]  # to the next station
        (cwd / f"{output}.cbor").write_bytes(sums)
    (cwd / "out/sum.npy").write_text("old\n")


def prepare_many(cwd):
    prepare_plan(cwd)
    (cwd / "many.topo").write_text(f"collude partial stations=1\nstations 3\nclient 1-{MANY} via 1-3\n")
    for client in range(1, MANY + 1):
        write_vector(cwd, client, f"m{client}.txt", [client, 2, 3])
    write_vector(cwd, 2, "other.txt", [9, 9, 9])
    # makes the secret of the state, so that every run has the same sheets
    run([*MANY_PLAN[:3], "--round", "0", *MANY_PLAN[5:], "--client", "1", "-o", "s-{}.cbor", "other.txt"], cwd)
    for station in 2, 3:
        (cwd / f"s-{station}.cbor").unlink()
    (cwd / "s-1.cbor").write_text("old\n")


MANY = 30  # clients, whose entries are in so many files that the file system is synced as a whole
MANY_PLAN = ["hagg-share", "--plan", "many.topo", "--round", "1", "--format", "text", "--type", "i4"]
UPLOADS = [f"s-{u}/c{i}.cbor" for u in (1, 2, 3) for i in (1, 2, 3)]
SCENARIOS = {
    "identity": Scenario(
        prepare_identity,
        ["hagg-keygen", "--identity", "out/client-1.pem", "--client", "1"],
        ["out/client-1.pem"],
        None,
        {"openat", "write", "fsync", "fchmod", "close", "linkat", "link"},
    ),
    "keygen": Scenario(
        prepare_keygen,
        ["hagg-keygen", *PLAN, "--client", "1", "--length", "3", "-o", "out/k1.cbor"],
        ["out/k1.cbor"],
        None,
        {"openat", "write", "fsync", "fchmod", "close", "linkat", "link"},
    ),
    "share": Scenario(
        prepare_share,
        share_command(1, "v1.txt"),
        ["s-1/c1.cbor", "s-2/c1.cbor", "s-3/c1.cbor"],
        share_command(1, "other.txt"),
        {"openat", "write", "fsync", "fchmod", "close", "linkat", "rename", "mkdir"},
    ),
    "many": Scenario(
        prepare_many,
        [*MANY_PLAN, "--clients", "all", "-o", "s-{}.cbor", "m{}.txt"],
        ["s-1.cbor", "s-2.cbor", "s-3.cbor"],
        [*MANY_PLAN, "--client", "2", "-o", "s-{}.cbor", "other.txt"],
        {"openat", "write", "fsync", "syncfs", "close", "linkat", "rename"},
    ),
    "roster": Scenario(
        prepare_keygen,
        ["hagg-roster", "-q", *PLAN, "--clients", "1-3", "-o", "out/roster.cbor"],
        ["out/roster.cbor"],
        ["hagg-roster", "-q", *PLAN, "--clients", "1,2", "-o", "out/other.cbor"],
        {"openat", "write", "fsync", "fchmod", "close", "linkat"},
    ),
    "aggregate": Scenario(
        prepare_aggregate,
        ["hagg-aggregate", *PLAN, "-o", "out/to-{}.cbor", *UPLOADS],
        ["out/to-0.cbor", "out/to-1.cbor"],
        ["hagg-aggregate", *PLAN, "--clients", "1,2", "-o", "out/to-{}.cbor", *UPLOADS],
        {"openat", "write", "fsync", "fchmod", "close", "linkat", "rename"},
    ),
    "station": Scenario(
        prepare_aggregate,
        ["hagg-aggregate", *PLAN, "--station", "1", "-o", "out/to-{}.cbor", *UPLOADS[:3]],
        ["out/to-1.cbor", "out/to-2.cbor"],
        ["hagg-aggregate", *PLAN, "--station", "1", "--clients", "1,2", "-o", "out/to-{}.cbor", *UPLOADS[:3]],
        {"openat", "write", "fsync", "fchmod", "close", "linkat", "rename"},
    ),
    "courier": Scenario(
        prepare_courier,
        ["hagg-aggregate", *PLAN, "--pass-on", "--station", "1", "-o", "out/to-{}.cbor", "in-1.cbor"],
        ["out/to-2.cbor", "out/to-3.cbor"],
        None,
        {"openat", "write", "fsync", "fchmod", "close", "linkat", "rename"},
    ),
    "decode": Scenario(
        prepare_decode,
        ["hagg-decode", *PLAN, "-q", "-o", "out/sum.npy", "sums.cbor"],
        ["out/sum.npy"],
        ["hagg-decode", *PLAN, "-q", "-o", "out/sum.npy", "fewer.cbor"],
        {"openat", "write", "fsync", "fchmod", "close", "linkat", "rename"},
    ),
}


def contents(cwd, names):
    return {n: (cwd / n).read_bytes() if (cwd / n).exists() else None for n in names}


def files(cwd):
    return {str(p.relative_to(cwd)) for p in cwd.rglob("*") if p.is_file()}


def is_complete(cwd, name, kind):
    """Returns true if an output is what a complete run writes."""
    if kind == "decode":
        total = numpy.load(cwd / name)
        return total.shape == (3,) and numpy.abs(total - SUM).max() < 1e-4
    if kind == "identity":
        done = subprocess.run(["openssl", "pkey", "-in", name, "-noout"], cwd=cwd, capture_output=True)
        return done.returncode == 0 and (cwd / name).stat().st_mode & 0o777 == 0o600
    done = subprocess.run(["hagg-inspect", "--json", name], cwd=cwd, capture_output=True, text=True)
    expected = {"keygen": 1, "roster": 4 if is_sealing() else 1, "many": MANY, "share": 2 if name == "s-1/c1.cbor" else 1,
                "station": 1, "courier": 1, "aggregate": 1 if name == "out/to-0.cbor" else 3}  # fmt: skip
    n_sealed = done.stdout.count('"sealed":true')
    return (done.returncode == 0 and len(done.stdout.splitlines()) == expected[kind] + 1
            and n_sealed == (expected[kind] if is_sealing() and kind != "keygen" else 0))  # fmt: skip


def strace(options, command, cwd, log):
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C")
    if os.geteuid() != 0:
        environment["HAGG_NO_CONFINEMENT"] = "1"  # which hides the names of files from strace
    return subprocess.run(["strace", "-f", "-y", "-o", str(log), *options, *command], cwd=cwd,
                          capture_output=True, text=True, env=environment)  # fmt: skip


def trace_run(scenario, base, calls, world):
    """Returns the trace of a run without further faults than those of the world."""
    cwd, log = base / "count", base / "log"
    shutil.copytree(base / "start", cwd)
    done = strace(["-e", "trace=" + ",".join(calls), *world], scenario.command, cwd, log)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(cwd)
    return cwd, log.read_text().splitlines()


def without_nameless(scenario, base):
    """Returns the options that make O_TMPFILE fail: every second openat from the first one with O_TMPFILE,
    because each is followed by an openat with a name."""
    _, lines = trace_run(scenario, base, ["openat"], [])
    numbers = [i for i, line in enumerate((l for l in lines if "openat(" in l), 1) if "O_TMPFILE" in line]
    n = len(numbers)
    assert n > 0 and numbers == list(range(numbers[0], numbers[0] + n)), numbers
    return ["-e", f"inject=openat:error=EOPNOTSUPP:when={numbers[0]}..{numbers[0] + 2 * n - 2}+2"]


def points(kind, scenario, base, calls, world):
    """Returns the calls of a run that touch the working directory, as pairs of name and number."""
    cwd, lines = trace_run(scenario, base, calls, world)
    found, counts = [], collections.Counter()
    # paths of outputs, of the state, and of their directories
    output = re.compile(rf"out/|s-\d|{STATE}[/\">]|<{re.escape(str(cwd))}(/out|/s-\d)?>")
    for line in lines:
        match = re.match(r"\d+ +(\w+)\(", line)
        if not match:
            continue
        counts[match[1]] += 1
        line = line.replace(f"AT_FDCWD<{cwd}>", "")
        if output.search(line) and not (kind in ("aggregate", "station") and "s-" in line):
            found.append((match[1], counts[match[1]]))
    missing = scenario.calls - {name for name, _ in found} - ({"linkat"} if world else set())
    assert not missing, f"the run makes no call of {missing}"
    if kind == "many":  # most calls are those of one sheet after the other
        found = [p for i, p in enumerate(found) if p[0] == "syncfs" or i % 5 == 0 or i + 40 > len(found)]
    if is_sealing():  # most calls are those of records that are not sealed
        found = [p for i, p in enumerate(found) if i % 4 == 0 or i + 16 > len(found)]
    # strace injects only one fault per kind of call, and the world already uses openat
    return [point for point in found if not (world and point[0] == "openat")]


def check_outputs(kind, scenario, cwd, before, where):
    """Checks that every output is unchanged or complete, and returns the new ones."""
    new = []
    for name, content in contents(cwd, scenario.outputs).items():
        if content == before[name]:
            continue
        assert content is not None and is_complete(cwd, name, kind), f"{where}: {name} is in pieces"
        new.append(name)
    return new


def left_behind(cwd, before, scenario):
    """New files that are neither outputs nor files of the state; those of the state must be sound."""
    run(["hagg-inspect", "--state"], cwd)
    for name in files(cwd):
        readable = (cwd / name).stat().st_mode & 0o077
        assert not readable or b"PRIVATE" not in (cwd / name).read_bytes(), f"others can read {name}"
    return {name for name in files(cwd) - before - set(scenario.outputs)
            if not name.startswith(STATE + "/") or name.endswith(".new")}  # fmt: skip


def check_forbidden(kind, scenario, cwd, new, where):
    """After a stop: the forbidden command is refused if an output was published."""
    elsewhere = cwd.parent / "elsewhere"
    shutil.copytree(cwd, elsewhere)
    done = subprocess.run(scenario.forbidden, cwd=elsewhere, capture_output=True, text=True)
    assert done.returncode in ((6,) if new else (0, 6)), f"{where}: the forbidden command: {done}"
    shutil.rmtree(elsewhere)
    return done.returncode == 6


def finish(kind, scenario, cwd, new, where):
    """Runs the same command again, which must complete everything and change no output. Returns True if
    there was an entry in the state."""
    remembered = bool(scenario.forbidden) and check_forbidden(kind, scenario, cwd, new, where)
    published = contents(cwd, new)
    if kind != "keygen" or not new:
        run(scenario.command, cwd)
    # a sum that is sealed again has other bytes
    same = contents(cwd, new) == published or kind == "decode" or (kind == "station" and is_sealing())
    assert same, f"{where}: the second run gave other bytes"
    for name in scenario.outputs:
        assert is_complete(cwd, name, kind), f"{where}: {name} is not complete after another run"
    return remembered


def check_error(kind, scenario, base, world, name, number, error):
    where = f"{kind}: {error} at {name} {number}"
    cwd, log = base / "work", base / "log"
    shutil.copytree(base / "start", cwd)
    before, there = contents(cwd, scenario.outputs), files(cwd)
    done = strace(["-e", f"trace={name}", *world, "-e",
                   f"inject={name}:error={error}:when={number}"],
                  scenario.command, cwd, log)  # fmt: skip
    assert f"{error} (" in log.read_text(), f"{where}: was not reached"
    new = check_outputs(kind, scenario, cwd, before, where)
    if done.returncode == 0:
        assert name in ("close", "openat"), f"{where}: nobody noticed"
        assert set(new) == set(scenario.outputs), f"{where}: status 0, but only {new} are new"
    else:
        assert done.returncode == 1, f"{where}: status {done.returncode}, {done.stderr}"
        lines = done.stderr.splitlines()
        assert len(lines) == 1, f"{where}: {done.stderr}"
        assert re.fullmatch(rf"{scenario.command[0]}: .+: .+", lines[0]), f"{where}: {done.stderr}"
        assert not new, f"{where}: {new} are new after an error"
    left = left_behind(cwd, there, scenario)
    assert not left, f"{where}: {left} stay behind"
    finish(kind, scenario, cwd, new, where)
    shutil.rmtree(cwd)
    return done.returncode


def check_kill(kind, scenario, base, world, name, number, sig=signal.SIGKILL):
    where = f"{kind}: {sig.name} at {name} {number}"
    cwd, log = base / "work", base / "log"
    shutil.copytree(base / "start", cwd)
    before, there = contents(cwd, scenario.outputs), files(cwd)
    done = strace(["-e", f"trace={name}", *world, "-e",
                   f"inject={name}:signal={sig.name}:when={number}"],
                  scenario.command, cwd, log)  # fmt: skip
    assert done.returncode == -sig, f"{where}: status {done.returncode}, {done.stderr}"
    new = check_outputs(kind, scenario, cwd, before, where)
    left = left_behind(cwd, there, scenario)
    if sig != signal.SIGKILL:
        assert len(new) in (0, len(scenario.outputs)), f"{where}: only {new} are new"
    strange = {n for n in left if not TEMPORARY.search(n) and not n.endswith(".new")}
    assert not strange, f"{where}: {strange} stay behind"
    remembered = finish(kind, scenario, cwd, new, where)
    shutil.rmtree(cwd)
    return remembered, bool(new)


def main(kind, what, *options):
    scenario = SCENARIOS[kind]
    if "sealed" in options:
        os.environ["HAGG_IDENTITY"] = KEYS
    # in memory where possible, because everything is synced
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=scratch) as directory:
        base = pathlib.Path(directory).resolve()
        (base / "start").mkdir()
        scenario.prepare(base / "start")
        calls = list(ERRORS) if what == "errors" else KILLS
        world = without_nameless(scenario, base) if "named" in options else []
        found = points(kind, scenario, base, calls, world)
        if what in ("kills", "signals"):
            sig = signal.SIGKILL if what == "kills" else signal.SIGTERM
            seen = {check_kill(kind, scenario, base, world, *point, sig) for point in found}
            # killed before the entry, between the entry and the first output, and after that
            expected = {(False, False), (True, False), (True, True)} if scenario.forbidden else {(False, False)}
            assert expected <= seen, f"entry and output after kills: {seen}"
            print(f"{len(found)} {what}")
            return
        refused = collections.Counter()
        for name, number in found:
            for error in ERRORS[name]:
                status = check_error(kind, scenario, base, world, name, number, error)
                refused[name] += status != 0
        for name in {name for name, _ in found} & scenario.calls:
            assert refused[name] > 0, f"no error of {name} was ever noticed"
        print(f"{sum(len(ERRORS[name]) for name, _ in found)} errors, {refused.total()} refused")


main(*sys.argv[1:])
