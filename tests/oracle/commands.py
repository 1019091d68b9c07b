"""Runs the commands in a separate directory and reads the files they write."""

import os
import shutil
import subprocess

import hagg_format
from identities import LINE, Identities, key_of


class Commands:
    """The state directory is in the directory of the commands, so that a round in a new directory
    is the first one. With remember=False nothing is remembered, for tests that repeat rounds. After
    begin(), plans may have identities; then each command runs with the private key of its node only."""

    STATE = "state"
    NOTE = "--no-state: nothing stops a second total of this round\n"

    def __init__(self, bin_dir, work_dir, report, remember=True):
        self.bin_dir, self.work_dir, self.report = bin_dir, work_dir, report
        self.remember = remember
        self.seals, self.identities = False, None

    def begin(self, index, has_seeds=False):
        """Every third round is sealed; with HAGG_ORACLE_SEALED set to all or none, every round or none. Rounds
        with seeds always are."""
        chosen = {"all": True, "none": False}.get(os.environ.get("HAGG_ORACLE_SEALED"), index % 3 == 2)
        self.seals = chosen or has_seeds
        self.identities = None

    def write_plan(self, name, text):
        """Writes a topology or a plan, with identities if the round is sealed."""
        if self.seals and not self.identities:
            self.identities = Identities(text, self.work_dir)
        self.write(name, (text if not self.seals or "\nidentities " in text else text + LINE).encode())

    def forget(self):
        """The nodes forget what they did, for a test that repeats a round."""
        shutil.rmtree(self.path(self.STATE), ignore_errors=True)

    def path(self, name):
        return os.path.join(self.work_dir, name)

    def run(self, tool, *arguments, status=0, stdin=b""):
        """Runs hagg-TOOL and returns its standard output and error. Another status is a failed check,
        unless status is None: then the caller decides by the messages and files."""
        line = [os.path.join(self.bin_dir, f"hagg-{tool}"), *map(str, arguments)]
        if not self.remember and tool in ("share", "aggregate", "transform", "decode"):
            line.insert(1, "--no-state")
        os.makedirs(self.path(self.STATE), mode=0o700, exist_ok=True)
        environment = dict(os.environ, HAGG_STATE=self.path(self.STATE))
        if self.identities:
            environment["HAGG_IDENTITY"] = key_of(tool, arguments)
        done = subprocess.run(line, cwd=self.work_dir, input=stdin, capture_output=True, check=False, env=environment)
        said = done.stderr.decode().replace(f"hagg-{tool}: {self.NOTE}", "")
        self.report.check(status is None or done.returncode == status,
                          lambda: f"hagg-{tool} {' '.join(map(str, arguments))}: "
                                  f"status {done.returncode}, not {status}: {said}")
        return done.stdout, said

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def records(self, name):
        """The records of a file. In a sealed round all records with an addressee must be sealed, and are opened."""
        found = hagg_format.read_stream(self.read(name))
        for record in found:
            self.report.equal(record.is_sealed, bool(self.identities) and "to" in record.header, f"{name}: sealed")
        return [self.identities.open(record) if record.is_sealed else record for record in found]

    def write_record(self, name, header, elements):
        """Writes a record, sealed if the round is."""
        self.write(name, hagg_format.write_record(
            header, self.identities.seal(header, elements) if self.identities else elements))

    def exists(self, name):
        return os.path.exists(self.path(name))
