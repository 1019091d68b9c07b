#!/usr/bin/env python3
"""answers.py BIN [few]: what the commands answer to a shell that asks for completions, without a shell.

All options of --help and no other are offered; values are those that the parser accepts; nothing is
created, nothing is waited for, and nothing is printed to standard error, whatever the words and files are.
With few, there are fewer words, because sanitizers make every start of a command slow.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile

import xxhash

from expected import PLAN, Report, commands, documented

PLANS, RECORDS = ["*.plan", "*.topo"], ["*.cbor"]


def ask(command, *words, **variables):
    """Returns the answer as lists of fields. Whatever is asked, the status is 0 and nothing is said."""
    done = subprocess.run([command, "--complete", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=dict(os.environ, **variables))
    if done.returncode or done.stderr:
        return f"status {done.returncode}, {done.stderr!r}"
    return [line.split("\t") for line in done.stdout.decode().splitlines()]


def words(command, *line, **variables):
    """Returns the words that are offered, in their order."""
    answer = ask(command, *line, **variables)
    return answer if isinstance(answer, str) else [fields[1] for fields in answer if fields[0] == "word"]


def check_options(report, names):
    for command in names:
        offered = words(command, "-")
        report.equal(sorted(offered), sorted(documented(command)), f"{command} -")
        if command != "hagg":
            report.equal(words("hagg", command[len("hagg-"):], "-"), offered, f"hagg {command} -")
    # a command without operands offers its options at once
    report.equal(words("hagg-keygen", ""), words("hagg-keygen", "-"), "hagg-keygen")
    report.equal(words("hagg-keygen", "--", ""), [], "hagg-keygen --")


def check_control(report):
    """The comparison above notices an option that is not offered: hagg-audit has a hidden one."""
    report.equal(documented("hagg-audit") - set(words("hagg-audit", "-")) == set(), True, "hagg-audit")
    report.equal("--collude=" in words("hagg-audit", "-"), False, "a hidden option")
    offered = [word for word in words("hagg-plan", "-") if word != "--effort="]
    report.equal(sorted(offered) == sorted(documented("hagg-plan")), False, "an option that is missing")


def check_hagg(report, names):
    report.equal(sorted(words("hagg", "")), sorted([n[len("hagg-"):] for n in names if n != "hagg"] + ["help"]),
                 "hagg")
    topics = words("hagg", "help", "")
    for topic in ("share", "topology", "operations", "field-m31", "plugin", "hagg"):
        report.equal(topics.count(topic), 1, f"hagg help {topic}")
    for line in (["help", "share", ""], ["nothing", ""], ["../hagg-share", "-"], ["-x", ""], []):
        report.equal(ask("hagg", *line), [], f"hagg {line}")


def check_words(report):
    """Values that are words. The second way to write an option and its value gets the same answer."""
    for command, option, want in (
        ("hagg-round", "--emit", ["make", "sh", "parallel", "slurm", "dot"]),
        ("hagg-share", "--format", ["npy", "raw", "text"]),
        ("hagg-decode", "--type", ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]),
        ("hagg-cost", "--format", ["table", "tsv", "json", "gnuplot"]),
        ("hagg-transform", "--step", ["contribute", "collect", "finish"]),
        ("hagg-transform", "--method", ["direct", "forward", "transport"]),
        ("hagg-transform", "--tier", ["client", "station", "relay"]),
        ("hagg-plan", "--protocol", ["auto", "keys", "aligned"]),
        ("hagg-plan", "--condition", ["exact", "paper"]),
        ("hagg-plan", "--transform", ["auto", "never", "always"]),
        ("hagg-aggregate", "--only", ["shares", "keys"]),
        ("hagg-round", "--node", ["client=", "station=", "relay=", "federator"]),
        ("hagg-seal", "--to", ["client=", "station=", "relay=", "federator"]),
        ("hagg-audit", "--colluders", ["federator", "clients=", "stations=", "relays=", "missing="]),
        ("hagg-round", "--without", ["stations=", "relays="]),
        ("hagg-roster", "--without", ["stations="]),
        ("hagg-keygen", "--clients", ["all"]),
        ("hagg-cost", "--only", ["plan", "aligned", "c1", "c2", "c3", "bare", "direct", "transport", "bound",
                                 "sharper", "zhao-sun", "swiftagg+", "lightsecagg", "bonawitz"]),
        ("hagg-share", "--threads", []),
        ("hagg-share", "--plan-digest", []),  # is compared with what others say, not with the plan
    ):
        report.equal(words(command, option, ""), want, f"{command} {option}")
        report.equal(words(command, option + "=x"), [f"{option}={word}" for word in want], f"{command} {option}=")
    report.equal(words("hagg-plan", "--dot="), ["--dot=round", "--dot=patterns"], "--dot=")
    report.equal(ask("hagg-plan", "--dot", ""), [["file", "", "*.topo"]], "--dot has its value after =")
    report.equal(words("hagg-round", "--em", "")[:2], ["make", "sh"], "an abbreviated option")
    report.equal(words("hagg-cost", "--only=c1,")[:2], ["--only=c1,plan", "--only=c1,aligned"], "a list")
    report.equal(words("hagg-cost", "--only=`x`,"), [], "a list after something special")
    report.equal(sorted(words("hagg-share", "--field", "")), ["gf256", "goldilocks", "m31", "m61", "prime"], "fields")
    report.equal(sorted(words("hagg-cost", "--scheme", "")), ["additive", "aligned", "ramp", "staircase"], "schemes")


def check_files(report):
    for line, want in (
        (["hagg-share", "--plan="], ["file", "--plan=", *PLANS]),
        (["hagg-share", "--plan", "x"], ["file", "", *PLANS]),
        (["hagg-share", ""], ["file", "", "*.npy", "*.txt"]),
        (["hagg-plan", ""], ["file", "", "*.topo"]),
        (["hagg-plan", "--", "-x"], ["file", "", "*.topo"]),
        (["hagg-audit", ""], ["file", "", *PLANS]),
        (["hagg-aggregate", "a.cbor", ""], ["file", "", *RECORDS]),
        (["hagg-aggregate", "--roster="], ["file", "--roster=", *RECORDS]),
        (["hagg-share", "--key", ""], ["file", "", *RECORDS]),
        (["hagg-share", "--identity="], ["file", "--identity=", "*.pem"]),
        (["hagg-share", "-qo"], None),
        (["hagg-share", "-qox"], ["file", "-qo"]),
        (["hagg-share", "-o", ""], ["file", ""]),
        (["hagg-round", "--workdir="], ["directory", "--workdir="]),
        (["hagg-inspect", "--state="], ["directory", "--state="]),
        (["hagg-inspect", "--state", ""], ["file", "", *RECORDS]),
    ):
        answer = ask(*line)
        report.equal([f for f in answer if f[0] != "word"], [want] if want else [], str(line))


def check_nodes(report):
    with open("six.topo", "w") as f:
        f.write(PLAN)
    with open("broken.topo", "w") as f:
        f.write(PLAN + "client $(touch created) via 1\n")
    os.mkfifo("pipe.topo")
    for line, want in (
        (["hagg-share", "--plan", "six.topo", "--client", ""], ["1", "2", "7"]),
        (["hagg-share", "--plan=six.topo", "--client=1"], ["--client=1", "--client=2", "--client=7"]),
        (["hagg-share", "--plan=six.topo", "--clients", "1-"], ["all", "1-1", "1-2", "1-7"]),
        (["hagg-share", "--plan=six.topo", "--clients", "`x`,"], ["all"]),
        (["hagg-aggregate", "--plan=six.topo", "--station="], ["--station=1", "--station=2", "--station=3"]),
        (["hagg-aggregate", "--plan=six.topo", "--relay="], []),
        (["hagg-round", "six.topo", "--node", "station="], ["station=1", "station=2", "station=3"]),
        (["hagg-audit", "six.topo", "--colluders", "federator,clients=1-"],
         [f"federator,clients=1-{i}" for i in (1, 2, 7)]),
        (["hagg-audit", "six.topo", "--colluders", "clients=1,s"],
         [f"clients=1,{word}" for word in ("federator", "clients=", "stations=", "relays=", "missing=", 1, 2, 7)]),
        (["hagg-share", "--plan=broken.topo", "--client", ""], []),
        (["hagg-share", "--plan=pipe.topo", "--client", ""], []),
        (["hagg-share", "--plan=-", "--client", ""], []),
        (["hagg-share", "--plan=nowhere", "--client", ""], []),
        (["hagg-share", "--plan=", "--client", ""], []),
        (["hagg-share", "--client", ""], []),
    ):
        report.equal(words(*line), [str(w) for w in want], str(line))
    report.equal(words("hagg-share", "--client", "", HAGG_PLAN="six.topo"), ["1", "2", "7"], "HAGG_PLAN")


def share(round_, **variables):
    subprocess.run(["hagg-share", "--plan=six.topo", "--client=1", f"--round={round_}", "--again", "--type=i4",
                    "--format=text", "-o", f"{round_}-{{}}.cbor"], input=b"1\n2\n", stderr=subprocess.PIPE,
                   env=dict(os.environ, **variables), check=True)


def check_rounds(report):
    """Rounds and plans are those of the state directory, which is not changed, not even by its lock."""
    for round_ in (4, 10, 9):
        share(round_, HAGG_STATE="state")
    os.mkdir("empty", 0o700)
    digest = subprocess.run(["hagg-plan", "--digest", "six.topo"], stdout=subprocess.PIPE, check=True).stdout
    digest = "".join(digest.decode().split())
    rounds = ["11", "10", "9", "4"]
    for line, want in (
        (["hagg-share", "--state", "state", "--round", ""], rounds),
        (["hagg-decode", "--state=state", "--round="], ["--round=" + r for r in rounds]),
        (["hagg-inspect", "--state=state", "--plan="], ["--plan=" + digest]),
        (["hagg-inspect", "--state=state", f"--plan={digest[:9]}", "--prune-before", ""], rounds),
        (["hagg-inspect", "--state=state", "--plan=00", "--prune-before", ""], []),
        (["hagg-share", "--state", "nowhere", "--round", ""], []),
        (["hagg-share", "--state", "empty", "--round", ""], []),
        (["hagg-share", "--state", "six.topo", "--round", ""], []),
        (["hagg-round", "--workdir", "state", "--round", ""], []),  # is not the state directory
    ):
        report.equal(words(*line), want, str(line))
    report.equal(words("hagg-share", "--round", "", HAGG_STATE="state"), rounds, "HAGG_STATE")
    report.equal(os.listdir("empty"), [], "an empty state directory")
    with open("state/lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        report.equal(words("hagg-share", "--state", "state", "--round", ""), [], "a state directory in use")


def write_sheet(name, lines):
    """A file of a state directory, as docs/state.md describes it."""
    text = f"hagg-state 2 {name}\n" + "".join(f"{line}\n" for line in lines)
    os.makedirs(os.path.dirname(f"hostile/{name}"), 0o700, exist_ok=True)
    with open(f"hostile/{name}", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(f"{text}digest {xxhash.xxh3_128(text.encode()).hexdigest()}\n")


def check_hostile_state(report):
    """Text in the place of a digest is not offered, and not printed either."""
    for text, want in (("0123456789abcdef" * 4, 1), ("$(touch${IFS}created)".ljust(64, "a"), 0),
                       ("\x1b]0;title\x07".ljust(64, "a"), 0)):
        shutil.rmtree("hostile", ignore_errors=True)
        write_sheet(f"{text}/files", ["station-2.shares.0"])
        write_sheet(f"{text}/station-2.shares.0", ["7 1-5 70540ac782a54119=9878df4e9e05d1e2d5ba4551ea753f38"])
        write_sheet("index", ["secret " + "00" * 32, f"plan 1 {text} 0"])
        open("hostile/lock", "w", opener=lambda path, flags: os.open(path, flags, 0o600)).close()
        os.chmod("hostile", 0o700)
        report.equal(words("hagg-inspect", "--state=hostile", "--plan="), [f"--plan={text}"] * want, repr(text))
        printed = subprocess.run(["hagg-inspect", "--state=hostile"], capture_output=True)
        report.equal(printed.stdout.count(text[:12].encode()) + printed.stderr.count(text[:12].encode()), want,
                     f"hagg-inspect, {text!r}")
    report.equal(os.path.exists("created"), False, "a file was created")


def listing():
    return sorted((path, os.stat(os.path.join(path, name)).st_mtime_ns, name)
                  for path, _, files in os.walk(".") for name in files)


def check_harmless(report, names, few):
    """Every value of every option, and strange words, leave everything as it is."""
    before = listing()
    strange = ["", "-", "--", "=", "--=", "---", "-=", "$(touch created)", "`touch created`", "\n", "\t", "'", '"',
               "\xff", "a" * 5000, "--plan", "--plan=", "-o", "{}", "1,,", "1-", "stations=,=", "../../x", "=,="]
    for command in names:
        for option in sorted(documented(command)):
            lines = ([option.rstrip("="), ""], [option], [option + "x"], [option.rstrip("="), "1,"])
            for line in lines[:1 if few else None]:
                report.equal(isinstance(ask(command, *line), list), True, f"{command} {line}")
    for word in strange[::4 if few else 1]:
        for line in ([word], [word, ""], ["--clients", word], [f"--without={word}"], ["--state", word, "--round="]):
            for command in ("hagg", "hagg-round"):
                answer = ask(command, *line)
                report.equal([f for f in answer if f[0] == "word" and "touch" in f[1]], [], f"{command} {line}")
    report.equal(listing(), before, "files")
    report.equal(os.path.exists("home/.local"), False, "a state directory was created")


def main():
    bin_dir = sys.argv[1]
    names = commands(bin_dir)
    report = Report()
    os.environ["PATH"] = bin_dir + ":" + os.environ["PATH"]
    for name in ("HAGG_PLAN", "HAGG_STATE", "XDG_STATE_HOME", "HAGG_PLUGIN_PATH"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("home")
        os.environ["HOME"] = os.path.join(folder, "home")
        check_options(report, names)
        check_control(report)
        check_hagg(report, names)
        check_words(report)
        check_files(report)
        check_nodes(report)
        check_rounds(report)
        check_hostile_state(report)
        check_harmless(report, names, few=sys.argv[2:] == ["few"])
        os.chdir("/")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
