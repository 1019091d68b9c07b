#!/usr/bin/env python3
"""check.py BIN CONFORMANCE SOURCE: plugins of earlier versions can be loaded, and do what they did.

For each version in this folder: the binaries that were built then, on a machine of that kind; the sources
of then, compiled with the headers of then; and with the headers of today. plugin.h of today begins as the
one of then.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile

import cbor2

from layout import differences

HERE = os.path.dirname(os.path.abspath(__file__))
BIN, CONFORMANCE, SOURCE = sys.argv[1:]
HEADERS = os.path.join(SOURCE, "plugins", "include")
FIELDS = {"tiny": (251, 1, ""), "small": (65521, 2, "p=65521")}  # order, bytes of an element, parameters
passed = failed = 0


def check(good, what, why=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"{what}: {why}")
    return good


def run(path, *command, **more):
    """Runs a command that finds plugins in the directory `path` first."""
    environment = dict(os.environ, HAGG_PLUGIN_PATH=path, HAGG_STATE=os.path.abspath("state"),
                       PATH=BIN + ":" + os.environ["PATH"])
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def plugins(path, kind):
    return sorted(re.fullmatch(rf"hagg-{kind}-(.*)\.so", name)[1] for name in os.listdir(path)
                  if name.startswith(f"hagg-{kind}-"))


def elements(order, size, random):
    """The elements that a field makes of random bytes, by the rule of sample in hagg/plugin.h."""
    bits = (order - 1).bit_length() if size > 1 else 8  # tiny does not truncate
    for at in range(0, len(random), size):
        x = int.from_bytes(random[at:at + size], "little") % 2**bits
        if x < order:
            yield x


def check_sharing(what, path, field):
    """Three shares of a vector by scheme sum, computed here: the first two are known random bytes; and back."""
    order, size, params = FIELDS[field]
    vector, random = [3, -1, 4, 0, 125], bytes((167 * i + i // 256) % 256 for i in range(4096))
    spec = field + (":" if params else "") + params
    with open("random", "wb") as f:
        f.write(random)
    done = run(path, "hagg-share", "-n3", "-k3", "-z2", f"--field={spec}", "--scheme=sum", "--type=i8", "--format=text",
               "--random-source=random", "-o", "share-{}.cbor", input="\n".join(map(str, vector)).encode())
    if not check(done.returncode == 0, f"{what}: hagg-share", done.stderr):
        return
    drawn = elements(order, size, random)
    first, second = ([next(drawn) for _ in vector] for _ in range(2))
    shares = [first, second, [(s - a - b) % order for s, a, b in zip(vector, first, second)]]
    for i, want in enumerate(shares):
        with open(f"share-{i + 1}.cbor", "rb") as f:
            payload = cbor2.load(f).value[1].value
        got = [int.from_bytes(payload[at:at + size], "little") for at in range(0, len(payload), size)]
        check(got == want, f"{what}: share {i + 1}", f"{got}, not {want}")
    done = run(path, "hagg-decode", "--format=text", *(f"share-{i}.cbor" for i in (1, 2, 3)))
    check(done.stdout.split() == [str(x).encode() for x in vector], f"{what}: hagg-decode", done)


def check_round(what, path, field, scheme):
    """A round of three clients with a scheme for protocol aligned; this scheme, not the one of today."""
    params = FIELDS[field][2]
    with open("round.topo", "w") as f:
        f.write(f"field {field}{':' if params else ''}{params}\nscheme {scheme}\ncollude full stations=1\nstations 4\n"
                "client 1 2 via 1-3\nclient 3 via 2-4\n")
    done = run(path, "hagg-plan", "-q", "round.topo", "-o", "round.plan")
    if not check(done.returncode == 0, f"{what}: hagg-plan", done.stderr):
        return
    line = ("export HAGG_PLAN=round.plan; { hagg-keygen --stations all --round 1 --length 3; "
            "for i in 1 2 3; do printf '%s\\n' $i -5 100$i | hagg-share --client $i --round 1 --type i8 --format text; "
            "done; } | hagg-aggregate | LD_DEBUG=files LD_DEBUG_OUTPUT=loaded hagg-decode -q --format text")
    done = run(path, "sh", "-c", line)
    check(done.stdout.split() == [b"6", b"-15", b"3006"], f"{what}: a round", done)
    loaded = "".join(open(name).read() for name in os.listdir(".") if name.startswith("loaded."))
    check(f"{path}/hagg-scheme-{scheme}.so" in loaded, f"{what}: the old scheme was not used", loaded[-500:])


def check_refused(what, path):
    """A scheme from before protocol aligned is refused, not called beyond the end of its struct."""
    with open("early.topo", "w") as f:
        f.write("field tiny\nscheme sum\ncollude full stations=1\nstations 3\nclient 1 2 via 1-3\n")
    done = run(path, "hagg-plan", "-q", "--protocol=aligned", "early.topo")
    check(done.returncode in (2, 3) and b"scheme 'sum'" in done.stderr and not done.stdout, f"{what}: aligned", done)


def check_plugins(what, path):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("state", 0o700)
        for field in plugins(path, "field"):
            field_file = f"{path}/hagg-field-{field}.so"
            params = [FIELDS[field][2]] if FIELDS[field][2] else []
            for command in [[field_file, *params]] + [[f"{path}/hagg-scheme-{scheme}.so", field_file, *params]
                                                      for scheme in plugins(path, "scheme")]:
                done = run(path, CONFORMANCE, *command)
                check(done.returncode == 0, f"{what}: conformance {command}", done.stdout)
            check_sharing(f"{what}, {field}", path, field)
        if "aligned" in plugins(path, "scheme"):
            check_round(what, path, "small", "aligned")
        check_refused(what, path)
        os.chdir("/")


def build(version, headers, out):
    """Compiles the sources of a version as the authors of plugins would do it."""
    for name in sorted(os.listdir(version)):
        stem, ending = os.path.splitext(name)
        if ending in (".c", ".cc"):
            compiler = ["cc", "-std=c17"] if ending == ".c" else ["c++", "-std=c++11"]
            done = run(out, *compiler, "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-fvisibility=hidden", "-shared",
                       f"-I{headers}", "-Wl,-z,defs", "-o", f"{out}/{stem}.so", os.path.join(version, name))
            check(done.returncode == 0, f"{name} of {version} with {headers}", done.stderr.decode())


def check_layout(version):
    with open(os.path.join(version, "include/hagg/plugin.h")) as f:
        old = f.read()
    with open(os.path.join(HEADERS, "hagg/plugin.h")) as f:
        new = f.read()
    problems = differences(old, new)
    check(not problems, f"{version}: today's hagg/plugin.h", problems)
    return old


def check_controls(old):
    """The comparison of headers finds each change that would break a plugin, and accepts a new member."""
    last = "                      size_t n_in, const void *matrix, size_t n);\n"
    for what, before, after, allowed in (
        ("a new version of the interface", "HAGG_PLUGIN_ABI 1u", "HAGG_PLUGIN_ABI 2u", False),
        ("a member before others", "    size_t ctx_size; ", "    int first;\n    size_t ctx_size; ", False),
        ("a member that is gone", "    const char *summary;", "", False),
        ("a member with another name", "(*sub)(", "(*subtract)(", False),
        ("another signature", "int (*inv)(const void *ctx, void *out, const void *a)",
         "int (*inv)(const void *ctx, void *out, const void *a, size_t n)", False),
        ("another type", "    uint32_t elem_size;", "    uint64_t elem_size;", False),
        ("a frozen struct that grows", "    int64_t int_max;", "    int64_t int_max, int_more;", False),
        ("a packed struct", "struct hagg_field_info {", "#pragma pack(1)\nstruct hagg_field_info {", False),
        ("a member at the end", last, last + "    int (*more)(void);\n", True),
    ):
        changed = old.replace(before, after, 1)
        check(changed != old and (differences(old, changed) == []) == allowed, f"control: {what}",
              differences(old, changed))


def main():
    versions = sorted(name for name in os.listdir(HERE) if os.path.isdir(os.path.join(HERE, name, "include")))
    for name in versions:
        version = os.path.join(HERE, name)
        binaries = os.path.join(version, platform.machine())
        if os.path.isdir(binaries):
            check_plugins(f"{name}, binaries", binaries)
        for what, headers in (("headers of then", os.path.join(version, "include")), ("headers of today", HEADERS)):
            with tempfile.TemporaryDirectory() as out:
                build(version, headers, out)
                check_plugins(f"{name}, {what}", out)
        old = check_layout(version)
    check_controls(old)
    check("0.1.0" in versions, "version 0.1.0 is kept", versions)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
