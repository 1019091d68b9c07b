"""Runs the commands in a separate directory and reads the files they write."""

import os
import shutil
import subprocess

import hagg_format


class Commands:
    """The state directory is in the directory of the commands, so that a round in a new directory
    is the first one. With remember=False nothing is remembered, for tests that repeat rounds."""

    STATE = "state"
    NOTE = "--no-state: nothing stops a second total of this round\n"

    def __init__(self, bin_dir, work_dir, report, remember=True):
        self.bin_dir, self.work_dir, self.report = bin_dir, work_dir, report
        self.remember = remember

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
        return hagg_format.read_stream(self.read(name))

    def exists(self, name):
        return os.path.exists(self.path(name))
