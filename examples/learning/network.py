"""Rounds of private aggregation, from the files of the clients to the mean of the federator."""

import os
import pathlib
import shutil
import subprocess

import numpy as np


class NetworkError(Exception):
    pass


IDENTITY = "keys/{tier}-{}.pem"  # the private keys of the nodes


class Network:
    """The nodes of a plan, as folders under a directory."""

    def __init__(self, plan, directory):
        self.plan = plan
        self.directory = pathlib.Path(directory)
        self.before = None  # the folder of the last round

    def mean(self, number, sums, counts, lost, without=None):
        """The mean that the federator decodes in this round, over all samples of the clients in sums
        except those in lost. NetworkError if a command fails."""
        self.write_vectors(sums, counts)
        makefile, log, result = (f"round-{number}.{end}" for end in ("mk", "log", "npy"))
        for i in lost:
            self.lose(number, i, log)
        command = ["hagg-round", "--emit", "make", "--round", str(number), "--mean"]
        command += ["--identity", IDENTITY]
        command += ["--vectors", "client-{}.npy", "--samples", "client-{}.count"]
        command += ["--clients", ",".join(str(i) for i in sums if i not in lost)]
        command += ["--without", without] if without else []
        self.run([*command, "--workdir", "nodes", "-o", result, self.plan.path], makefile, log)
        self.run(["make", "-s", "-j2", "-f", makefile], log, log)
        self.clear(number)
        return np.load(self.directory / result)

    def write_vectors(self, sums, counts):
        for i in sums:
            np.save(self.directory / f"client-{i}.npy", sums[i])
            (self.directory / f"client-{i}.count").write_text(f"{counts[i]}\n", encoding="ascii")

    def lose(self, number, client, log):
        """Simulates a client that disappears after its first share has arrived: one station has a
        share of it, the others have none."""
        folder, own = f"nodes/round-{number}", f"nodes/round-{number}/client-{client}"
        options = ["--plan", self.plan.path, "--client", str(client), "--round", str(number)]
        options += ["--identity", IDENTITY]
        self.run(["hagg-round", "--prepare", own], log, log)
        self.run(["hagg-share", *options, "--samples-file", f"client-{client}.count",
                  "-o", f"{own}/out/station-{{}}.cbor", f"client-{client}.npy"], log, log)
        share = min(self.directory.glob(f"{own}/out/station-*.cbor"))
        self.run(["hagg-round", "--prepare", f"{folder}/{share.stem}"], log, log)
        shutil.copy(share, self.directory / folder / share.stem / "in" / f"client-{client}.cbor")

    def run(self, command, output, errors):
        # if make runs this program, its job server must not be passed on
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS")}
        with open(self.directory / output, "a") as out, open(self.directory / errors, "a") as err:
            result = subprocess.run(command, cwd=self.directory, env=environment, stdout=out, stderr=err)
        if result.returncode != 0:
            raise NetworkError(f"{command[0]} ended with status {result.returncode}: see "
                               f"{(self.directory / errors).resolve()}")

    def clear(self, number):
        """Deletes the shares at the clients and all masks of a decoded round. The other files are kept
        until the next round, for inspection."""
        folder = self.directory / "nodes" / f"round-{number}"
        for client in folder.glob("client-*"):
            shutil.rmtree(client)
        for mask in folder.glob("station-*/*/mask-*.cbor"):
            mask.unlink()
        if self.before:
            shutil.rmtree(self.before)
        self.before = folder
