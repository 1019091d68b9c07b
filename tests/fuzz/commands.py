"""Runs whole commands on mutated inputs, and checks what every run must fulfil.

    commands.py [--runs N | --time SECONDS] [--seed S] [--case I] [--jobs N] [--verbose] [--findings DIR] BIN

BIN is the directory of the commands, of a build with sanitizers. command_rounds.py makes small real rounds
with them. A case is one step of a round with one mutation: of an input file, of the state directory, of the
options or of the kind of a file. Case I of seed S is always the same. Every run must end

- in time, without a signal, with one of the exit statuses of hagg(7), and without a report of a sanitizer;
- on failure with one message, which begins with the name of the command and has no control characters,
  without output, and with all files unchanged except those of the state;
- with a failure if a file of records is one that the independent reader in tests/format refuses;
- on success with outputs that this reader accepts and, for hagg-decode, with the right total, unless the
  mutation changed the meaning of the inputs in a way that no node can notice.

Prints the findings, and keeps their files in DIR. The exit status is 1 if there are any.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "format"))
import command_mutations as mutate  # noqa: E402
import command_rounds as rounds  # noqa: E402
from cbor_cursor import Reject  # noqa: E402
from hagg_format import read_stream  # noqa: E402

TIME_LIMIT = 30  # seconds; a run takes well below one
OUTPUT_LIMIT = 1 << 24  # bytes in a file
SANITIZER = re.compile(rb"Sanitizer|runtime error:|SUMMARY: ")
TRY = re.compile(rb"Try `hagg[a-z-]*( --help)?' or `hagg[a-z-]* --usage' for more information\.\Z")
NOTE = re.compile(
    rb"hagg[a-z-]*: (state: new directory |--no-state: |warning: |note: |.*: missing at station|nothing to )"
)
OUTPUTS = (".cbor", ".npy", ".plan", ".txt", ".raw")
NAMES = ["\x1b[31mred", "a\nhagg-decode: b", "%s%n", "a b'\"", "\u009b2J", "$(id)", "x" * 240]
# Options after which a run may take long, or prints help.
LEFT_OUT = {"--help", "--usage", "--version", "--effort", "--time-limit", "--limit", "--sample", "--max"}
# Commands that print while they work: what they printed before a failure is right.
PRINTS_EARLY = {"hagg-inspect", "hagg-audit", "hagg-cost", "hagg"}
ENVIRONMENT = {
    "ASAN_OPTIONS": "abort_on_error=0:exitcode=99:hard_rss_limit_mb=3000:detect_leaks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=99",
    "HAGG_ISA": "",
    "HAGG_PLUGIN_PATH": "",
    "HOME": "home",
    "XDG_STATE_HOME": "",
}


class Case:
    """One step with one mutation. Everything in it follows from the seed and the number."""

    def __init__(self, fuzzer, i):
        self.r = r = random.Random(f"{fuzzer.seed}/{i}")
        command = r.choice(list(fuzzer.by_command))
        self.number, self.step = i, r.choice(fuzzer.by_command[command])
        self.argv = list(self.step.argv)
        self.environment = self.step.environment | {"TMPDIR": "."}
        self.files = dict(self.step.before)
        if r.random() < 0.3:
            self.files |= self.step.after
        self.stdin = None
        self.special = {}  # names of what is not a regular file, and its kind
        self.changed = None  # the name of the input whose contents were changed
        inputs = self.step.inputs()
        states = [name for name in self.files if name.startswith(rounds.STATE + "/")]
        what = r.choices(["input", "state", "options", "special"], [70, 8, 17, 4])[0]
        if what == "input" and inputs:
            self.mutate_input(fuzzer, r.choice(inputs))
        elif what == "special" and inputs:
            name = r.choice(inputs)
            del self.files[name]
            kinds = ["missing", "directory", "loop", "link", "fifo"]
            # a source of random bytes may be a pipe, for which the command waits
            self.special[name] = r.choice(kinds[:-1] if name.startswith("random") else kinds)
            self.what = f"{name}: {self.special[name]}"
        elif what == "state" and states:
            self.mutate_state(r.choice(states))
        else:
            self.mutate_options(fuzzer.options[self.argv[0]])

    def mutate_input(self, fuzzer, name):
        r = self.r
        self.changed, self.what = name, f"contents of {name}"
        self.files[name] = mutate.contents(r, name, self.files[name], fuzzer.pool)
        if name not in self.argv:
            return
        at, how = self.argv.index(name), r.random()
        if how < 0.1:
            self.argv[at] = "-"
            self.stdin = self.files[name]
            self.what += ", from standard input"
        elif how < 0.15:
            self.argv[at] = r.choice(NAMES) + pathlib.Path(name).suffix
            self.files[self.argv[at]] = self.files[name]
            self.what += ", with another name"

    def mutate_state(self, name):
        self.what = f"contents of {name}"
        if self.r.random() < 0.1:
            del self.files[name]
        else:
            self.files[name] = mutate.sheets(self.r, self.files[name])

    def mutate_options(self, options):
        r, argv = self.r, self.argv
        self.what = "options"
        for _ in range(r.choice([1, 1, 2])):
            i = r.randrange(1, len(argv) + 1)
            what = r.randrange(6)
            if what == 0 and i < len(argv):
                del argv[i]
            elif what == 1 and i < len(argv):
                argv.insert(r.randrange(1, len(argv) + 1), argv[i])
            elif what == 2 and i < len(argv):
                argv[i] = r.choice(mutate.OPTION_VALUES)
            elif what == 3:
                key = r.choice(["HAGG_PLAN", "HAGG_STATE", "HAGG_ISA", "HAGG_PLUGIN_PATH"])
                self.environment[key] = r.choice([v for v in mutate.OPTION_VALUES if "\0" not in v and "/dev" not in v])
            elif options:
                option, takes_value = r.choice(options)
                short = not option.startswith("--")
                value = [] if not takes_value else [r.choice(mutate.OPTION_VALUES)]
                argv[i:i] = [option, *value] if short or not value else [f"{option}={value[0]}"]
        # a word of a command line has no NUL, and a device is not a directory to work in
        argv[1:] = [w for w in argv[1:] if "\0" not in w and not ("/dev" in w and ("state" in w or "prepare" in w))]

    def write(self, root):
        for name, data in self.files.items():
            path = root / name
            for folder in reversed(path.relative_to(root).parents):
                (root / folder).mkdir(mode=0o700, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o600)
        for name, kind in self.special.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "directory":
                path.mkdir()
            elif kind == "fifo":
                os.mkfifo(path, 0o600)
            elif kind in ("loop", "link"):
                path.symlink_to(path.name if kind == "loop" else "nowhere")

    def must_fail(self):
        """True if the independent reader refuses the changed file, and the command reads it."""
        if not self.changed or not self.changed.endswith(".cbor"):
            return False
        try:
            read_stream(self.files[self.changed])
        except Reject as reject:
            # hagg-aggregate skips the payloads of records that it does not add
            skips = self.argv[0] == "hagg-aggregate" and re.search("--(only|roster|clients)", " ".join(self.argv))
            return not (skips and reject.code == "digest")
        return False

    def must_be_right(self):
        """True if a total other than the right one would be the fault of hagg-decode."""
        if self.step.expected is None or not self.changed:
            return False
        if not self.changed.endswith(".cbor"):
            return True
        try:
            new = read_stream(self.files[self.changed])
        except Reject:
            return True
        old = read_stream(self.step.before[self.changed])
        if any(record.is_sealed for record in old):
            return True
        # a plan without identities has no sealed records, so one of them is refused
        old = {bytes(record.elements) for record in old}
        others = [record.header for record in new if not record.is_sealed and bytes(record.elements) not in old]
        return all(self.step.spare and header["kind"] == "share" for header in others)


def tree(root):
    """The names and contents of everything below root except the state."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if name.split("/")[0] in (rounds.STATE, "home"):
            continue
        regular = path.is_file() and not path.is_symlink()
        found[name] = path.read_bytes() if regular else "link" if path.is_symlink() else "other"
    return found


def messages(stderr):
    """The lines of standard error that are messages about a failure."""
    lines = stderr.split(b"\n")[:-1]
    if lines and TRY.match(lines[-1]):
        lines.pop()
    return [line for line in lines[:-1] if not NOTE.match(line)] + lines[-1:]


class Fuzzer:
    def __init__(self, seed, commands, directory, findings=None, time_limit=TIME_LIMIT, builds=rounds.ROUNDS):
        self.seed, self.commands, self.directory = seed, str(commands), pathlib.Path(directory)
        self.findings, self.time_limit = findings, time_limit
        self.lock = threading.Lock()
        self.statuses = {}
        self.verbose = False
        steps = rounds.make(self.directory, self.commands, builds)
        self.by_command = {}
        for step in steps:
            self.by_command.setdefault(step.argv[0], []).append(step)
        self.pool = sorted({data for s in steps for name, data in s.before.items() if name.endswith(".cbor")})
        self.options = {command: self.options_of(command) for command in self.by_command}

    def options_of(self, command):
        """The options that --help lists, and whether each takes a value."""
        text = subprocess.run([f"{self.commands}/{command}", "--help"], capture_output=True, text=True, check=True).stdout
        found = re.findall(r"^ +(?:-(?P<short>\w)(?: [A-Z]+)?, +)?(--[a-z-]+|-\w)(\[?[= ][A-Z]+)?", text, re.M)
        return [(option, bool(value)) for _, option, value in found if option not in LEFT_OUT]

    def run(self, i):
        """Runs case i. Returns the findings, as texts."""
        case = Case(self, i)
        root = pathlib.Path(tempfile.mkdtemp(prefix=f"case-{i}-", dir=self.directory))
        case.write(root)
        before = tree(root)
        streams = self.directory / f"{root.name}.stdout", self.directory / f"{root.name}.stderr"
        status = None
        with open(streams[0], "wb") as stdout, open(streams[1], "wb") as stderr:
            process = subprocess.Popen(
                case.argv,
                cwd=root,
                env=os.environ | ENVIRONMENT | case.environment | {"PATH": f"{self.commands}:{os.environ['PATH']}"},
                stdin=subprocess.PIPE if case.stdin is not None else subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                restore_signals=False,  # SIGXFSZ stays ignored: a full disk instead of a signal
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_LIMIT, OUTPUT_LIMIT)),
            )
            try:
                process.communicate(case.stdin, timeout=self.time_limit)
                status = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        out, err = (stream.read_bytes() for stream in streams)
        found = list(self.check(case, status, out, err, before, tree(root)))
        with self.lock:
            key = case.argv[0], status
            self.statuses[key] = self.statuses.get(key, 0) + 1
            if self.verbose:
                print(f"case {i}: {case.step.round}: {shlex.join(case.argv)[:500]} ({case.what}): status {status}: {err[:500]}")
        if found and self.findings:
            self.keep(case, root, streams)
        for stream in streams:
            stream.unlink()
        shutil.rmtree(root, ignore_errors=True)
        return [f"case {i}: {shlex.join(case.argv)[:300]} ({case.what}): {text}" for text in found]

    def check(self, case, status, out, err, before, after):
        """Yields what is wrong with a run."""
        command = case.argv[0]
        if status is None:
            yield f"no end after {self.time_limit} s"
            return
        if SANITIZER.search(err):
            yield "report of a sanitizer: " + err[:4000].decode(errors="replace")
            return
        if status < 0:
            yield f"signal {-status}"
            return
        if status > 6:
            yield f"status {status} is not documented"
            return
        lines = err.split(b"\n")
        usage = case.what == "options" and status in (0, 2)  # argp and notes quote what the user wrote as it is
        if "--json" in case.argv and len(lines) == 2 and lines[0].startswith(b'{"command":"%s",' % command.encode()):
            lines = lines[1:]  # the report for logs
        strange = [] if usage else [line for line in lines[:-1] if not line.startswith(command.encode() + b": ") and not TRY.match(line)]
        if strange or lines[-1]:
            yield f"message without the name of the command: {strange or lines[-1]}"
        if not usage and re.search(rb"[\0-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", err):
            yield f"control characters on standard error: {err[:300]}"
        if status == 0:
            yield from self.check_success(case, out, before, after)
            return
        found = messages(err)
        if len(found) != 1 and not usage and command not in PRINTS_EARLY | {"hagg-plan"}:  # it reports costs first
            yield f"status {status} with {len(found)} messages: {err[:600]}"
        if not err:
            yield f"status {status} without a message"
        names = [name for name in before | after if before.get(name) != after.get(name)]
        if case.what == "options":  # they may name another state directory
            names = [name for name in names if name.endswith(OUTPUTS)]
        if names:
            yield f"status {status}, but files changed: {names}"
        if out and command not in PRINTS_EARLY:
            yield f"status {status} with output: {out[:80]}"

    def check_success(self, case, out, before, after):
        if case.must_fail():
            yield f"accepts {case.changed}, which the independent reader refuses"
        if case.must_be_right() and out != case.step.expected:
            yield f"wrong total: {out[:200]}, not {case.step.expected}"
        for name, data in after.items():
            if case.what != "options" and name.endswith(".cbor") and before.get(name) != data and isinstance(data, bytes):
                try:
                    read_stream(data)
                except Reject as reject:
                    yield f"wrote {name}, which the independent reader refuses: {reject}"

    def keep(self, case, root, streams):
        folder = pathlib.Path(self.findings) / f"seed-{self.seed}-case-{case.number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(root, folder, symlinks=True, ignore=lambda d, names: [n for n in names if (pathlib.Path(d) / n).is_fifo()])
        case.write(folder) if not case.special else None
        settings = "".join(f"export {k}={shlex.quote(v)}\n" for k, v in case.environment.items())
        (folder / "COMMAND").write_text(f"{settings}{shlex.join(case.argv)}\n", errors="surrogateescape")
        (folder / "STDOUT").write_bytes(streams[0].read_bytes())
        (folder / "STDERR").write_bytes(streams[1].read_bytes())
        if case.stdin is not None:
            (folder / "STDIN").write_bytes(case.stdin)


def run_all(fuzzer, numbers, until, jobs, report=lambda text: print(f"found: {text}", flush=True)):
    """Runs cases until there are no more numbers, or until this time; returns how many, and the findings."""
    findings, n = [], 0

    def work(i):
        return fuzzer.run(i) if until is None or time.monotonic() < until else None

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        while numbers_now := list(itertools.islice(numbers, 50 * jobs)):
            for found in pool.map(work, numbers_now):
                if found is None:
                    continue
                n += 1
                for text in found:
                    report(text)
                findings += found
            if until is not None and time.monotonic() >= until:
                break
    return n, findings


def main():
    parser = argparse.ArgumentParser(description="Run commands on mutated inputs.")
    parser.add_argument("bin", metavar="BIN", help="directory of the commands")
    parser.add_argument("--runs", type=int, help="number of cases")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="time for all cases (default: 600 without --runs)")
    parser.add_argument("--seed", type=int, help="default: from the clock")
    parser.add_argument("--case", type=int, metavar="I", help="only this case")
    parser.add_argument("--jobs", type=int, default=1, help="cases at the same time (default: 1)")
    parser.add_argument("--verbose", action="store_true", help="print every case, as with --case")
    parser.add_argument("--findings", help="directory for the files of failed cases")
    args = parser.parse_args()
    seed = args.seed if args.seed is not None else int(time.time())
    seconds = args.time if args.time or args.runs or args.case is not None else 600
    numbers = iter([args.case]) if args.case is not None else iter(range(args.runs)) if args.runs else itertools.count()
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="hagg-fuzz-") as directory:
        fuzzer = Fuzzer(seed, pathlib.Path(args.bin).resolve(), directory, args.findings)
        fuzzer.verbose = args.verbose or args.case is not None
        until = None if seconds is None else time.monotonic() + seconds
        n, findings = run_all(fuzzer, numbers, until, args.jobs)
    for (command, status), count in sorted(fuzzer.statuses.items(), key=str):
        print(f"{command}: status {status}: {count}")
    for case in sorted({int(text.split()[1].rstrip(":")) for text in findings}):
        print(f"to repeat: scripts/fuzz-commands --seed {seed} --case {case}")
    print(f"{n - len(findings)} passed, {len(findings)} failed")
    sys.exit(1 if findings or n == 0 else 0)


if __name__ == "__main__":
    main()
