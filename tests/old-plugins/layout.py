"""Compares the structs of two versions of hagg/plugin.h. Members may be appended, and nothing else."""

import os
import re
import subprocess
import tempfile

GROWING = ("hagg_field", "hagg_scheme")  # all others are frozen


def structs(header):
    """Returns the members of each struct in their order: {struct: [(name, declaration)]}."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    found = {}
    for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", text, flags=re.DOTALL | re.MULTILINE):
        found[name] = []
        for declaration in body.split(";")[:-1]:
            declaration = " ".join(declaration.split())
            pointer = re.search(r"\(\*(\w+)\)\(", declaration)
            names = [pointer[1]] if pointer else re.findall(r"(\w+)(?=,|$)", declaration)
            found[name] += [(member, declaration) for member in names]
    return found


def measure(header, members):
    """Compiles the header; returns the version of the interface, and sizes and offsets."""
    lines = ['#include "plugin.h"', "#include <stdio.h>", "int main(void) {", r'printf("abi %u\n", HAGG_PLUGIN_ABI);']
    for struct, names in members.items():
        lines.append(rf'printf("{struct} %zu\n", sizeof(struct {struct}));')
        for name, _ in names:
            lines.append(rf'printf("{struct}.{name} %zu %zu\n", offsetof(struct {struct}, {name}), '
                         f"sizeof(((struct {struct} *)0)->{name}));")
    lines.append("}")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "plugin.h"), "w") as f:
            f.write(header)
        subprocess.run(["cc", "-std=c17", "-x", "c", "-", "-I", folder, "-o", f"{folder}/measure"],
                       input="\n".join(lines).encode(), check=True)
        out = subprocess.run([f"{folder}/measure"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict((line.split()[0], [int(n) for n in line.split()[1:]]) for line in out.splitlines())


def differences(old, new):
    """Returns what a plugin that was compiled with the old header would stumble over."""
    members, now = structs(old), structs(new)
    if any(len(names) < 2 for names in members.values()) or not set(GROWING) <= set(members):
        return ["the old header has no structs"]
    problems = []
    for struct, names in members.items():
        later = now.get(struct, [])
        if later[:len(names)] != names or (struct not in GROWING and len(later) != len(names)):
            changed = [name for name in names if name not in later] or later[len(names):]
            problems.append(f"struct {struct}: the members are other ones: {changed}")
    if problems:
        return problems
    before, after = measure(old, members), measure(new, members)
    for what, numbers in before.items():
        if what in GROWING:
            same = numbers <= after[what]
        else:
            same = numbers == after[what]
        if not same:
            problems.append(f"{what}: was {numbers}, is {after[what]}")
    return problems
