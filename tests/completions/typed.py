#!/usr/bin/env python3
"""typed.py BIN SHARE: types lines and TAB into bash, zsh and fish, and checks what becomes of them.

SHARE is the share directory beside BIN, with the files that the shells load.
"""

import os
import subprocess
import sys
import tempfile

import shells
from expected import PLAN, Report, commands, documented

# Names of files that a shell could mistake for something else. Each begins with a character of its own.
HOSTILE = [
    "a b.plan",
    "c$(touch created).plan",
    "d`touch created`.plan",
    "e;touch created.plan",
    "f'\"q.plan",
    "g$HOME.plan",
    "h*?[x]{y,z}.plan",
    "i&|<>()#!~.plan",
    "j\\n%s%n.plan",
    "k=v:w.plan",
    "l\ttab.plan",
    "ä€.plan",
]


def check_options(report, shell, names):
    for command in names:
        want = sorted(o for o in documented(command) if o.startswith("--"))
        report.equal(sorted(shell.offered(f"{command} --")), want, f"{shell.NAME}: {command} --")
    report.equal(sorted(shell.offered("hagg share --")), sorted(shell.offered("hagg-share --")), "hagg share --")


def check_control(report, shell_class, bin_dir, share, environment):
    """The comparison above notices a shell that does not offer an option: the first command on PATH hides
    one from the shell."""
    os.mkdir("hides")
    with open("hides/hagg-plan", "w") as f:
        f.write(f"#!/bin/sh\n{bin_dir}/hagg-plan \"$@\" | grep -v effort\n")
    os.chmod("hides/hagg-plan", 0o755)
    path = os.environ["PATH"]
    os.environ["PATH"] = f"{os.getcwd()}/hides:{path}"
    shell = shell_class(share, ".", dict(environment, PATH=os.environ["PATH"]))
    offered = shell.offered("hagg-plan --")
    shell.close()
    os.environ["PATH"] = path
    report.equal("--effort=" in offered, False, f"{shell.NAME}: a hidden option")
    report.equal(len(offered), len([o for o in documented("hagg-plan") if o.startswith("--")]) - 1,
                 f"{shell.NAME}: the other options")
    os.remove("hides/hagg-plan")
    os.rmdir("hides")


def check_typed(report, shell, names):
    for line, want in (
        ("hagg sh", "hagg share "),
        ("hagg help top", "hagg help topology "),
        ("hagg share --pla", "hagg share --plan"),
        ("hagg-share --rou", "hagg-share --round="),
        ("hagg-share --no-p", "hagg-share --no-progress "),
        ("hagg-decode --format te", "hagg-decode --format text "),
        ("hagg-decode --format=te", "hagg-decode --format=text "),
        ("hagg-round --emit s", "hagg-round --emit s"),
        ("hagg-round --emit par", "hagg-round --emit parallel "),
        ("hagg-share --client 1 --clients=al", "hagg-share --client 1 --clients=all "),
        ("hagg-share --plan ci", "hagg-share --plan city.plan "),
        ("hagg-share --plan=ci", "hagg-share --plan=city.plan "),
        ("hagg-share --plan ./ci", "hagg-share --plan ./city.plan "),
        ("hagg-share --plan ~/ci", "hagg-share --plan ~/city.plan "),
        ("hagg-share --plan 'ci", "hagg-share --plan 'city.plan' "),
        ("hagg-share --plan folder/in", "hagg-share --plan folder/inside.plan "),
        ("hagg-share --plan fol", "hagg-share --plan folder/"),
        ("hagg-share --state=fol", "hagg-share --state=folder/"),
        ("hagg-share --state=cit", "hagg-share --state=cit"),
        ("hagg-share ci", "hagg-share city.npy "),
        ("hagg-share rea", "hagg-share readme.md "),  # no vector, so any file
        ("hagg-share -o rea", "hagg-share -o readme.md "),
        ("hagg-share -orea", "hagg-share -oreadme.md "),
        ("hagg-aggregate ci", "hagg-aggregate city.cbor "),
        ("hagg-aggregate nothing", "hagg-aggregate nothing"),
        ("hagg-plan --keep < /dev/null to", "hagg-plan --keep < /dev/null town.topo "),
        ("true | hagg-plan --qui", "true | hagg-plan --quiet "),
        ("hagg-seal --plan city.plan --to stat", "hagg-seal --plan city.plan --to station="),
        ("hagg-share --plan='city.plan' --client 7", "hagg-share --plan='city.plan' --client 7 "),
    ):
        report.equal(shell.complete(line), want, f"{shell.NAME}: {line}")
    # The first completion takes up the word; bash and zsh write the part before = in different ways.
    for line, want in (
        ("hagg-share --plan ~/city.plan --client ", ["1", "2", "7"]),
        ("hagg-share --plan ", ["city.plan", "town.topo", "folder", "hostile"]),
        ("hagg-seal --to ", ["client=", "federator", "relay=", "station="]),
        ("hagg-plan ", ["town.topo", "folder", "hostile"]),
        ("hagg-cost --plan city.plan --format ", ["gnuplot", "json", "table", "tsv"]),
        ("hagg ", sorted(n[len("hagg-"):] for n in names if n != "hagg") + ["help"]),
    ):
        got = sorted(word.rstrip("/") for word in shell.offered(line))
        report.equal(got, sorted(want), f"{shell.NAME}: {line}")
    got = [word.split("=")[-1] for word in shell.offered("hagg-share --plan=city.plan --client=")]
    report.equal(sorted(got), ["1", "2", "7"], f"{shell.NAME}: --client=")


def check_hostile(report, shell):
    """A completed name reaches the command as it is, and nothing in it is executed, not even on Enter."""
    for name in HOSTILE:
        for line in (f"hagg-audit {name[0]}", f"hagg-share --plan={name[0]}", f"hagg-share --plan={name[0]}"):
            completed = shell.complete(line)
            want = line.split(" ", 1)[1][:-1] + name
            if shell.NO_NAMES_WITH and shell.NO_NAMES_WITH in name:
                report.equal(completed, line, f"{shell.NAME}: {line}")
                continue
            report.equal(shell.arguments(completed), [want], f"{shell.NAME}: {line}, which became {completed!r}")
        # a name that is there already, and words after it
        completed = shell.complete(f"{completed.rstrip(' ')} --rou")
        report.equal(completed.endswith(" --round="), True, f"{shell.NAME}: after {name!r}: {completed!r}")
    for line in ("hagg-audit '$(touch created)", "hagg-audit $(touch created)", "hagg-share --plan `touch created` --cli",
                 "hagg-share --plan '`touch created`' --client ", "hagg-share --plan $(touch${IFS}created) --client="):
        shell.complete(line)
    report.equal(shell.press(""), "", f"{shell.NAME}: the line")
    report.equal(os.path.exists("created"), False, f"{shell.NAME}: a file was created")


def main():
    bin_dir, share = (os.path.abspath(path) for path in sys.argv[1:])
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("HAGG_PLAN", "HAGG_STATE", "XDG_STATE_HOME", "HAGG_PLUGIN_PATH", "FPATH"):
            os.environ.pop(name, None)
        os.environ.update(PATH=f"{bin_dir}:/usr/bin:/bin", HOME=folder, LC_ALL="C.UTF-8")
        os.mkdir("folder")
        for name in ("city.plan", "town.topo", "folder/inside.plan"):
            with open(name, "w") as f:
                f.write(PLAN)
        for name in ("city.npy", "city.cbor", "readme.md"):
            open(name, "w").close()
        os.mkdir("hostile")
        for name in HOSTILE + ["new\nline.plan", "-x.plan"]:
            open(f"hostile/{name}", "w").close()
        for shell_class in shells.ALL:
            before = sorted(os.listdir("."))
            shell = shell_class(share, ".", os.environ)
            check_options(report, shell, commands(bin_dir))
            check_typed(report, shell, commands(bin_dir))
            shell.close()
            os.chdir("hostile")
            shell = shell_class(share, ".", os.environ)
            check_hostile(report, shell)
            shell.close()
            os.chdir("..")
            check_control(report, shell_class, bin_dir, share, os.environ)
            report.equal([f for f in sorted(os.listdir(".")) if f not in before], [], f"{shell.NAME}: new files")
            report.equal(os.path.exists(".local/state"), False, f"{shell.NAME}: a state directory")
        os.chdir("/")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
