"""Extracts the examples from a manual page, so that they can be run.

    man_examples.py PAGE.txt DIRECTORY

PAGE.txt is the output of mandoc -T ascii without overstriking, so the text that a reader sees is
tested. A display in EXAMPLES that begins with a prompt is a session. It becomes NN.txt, the session,
and NN.sh, which also prints the prompts, so that its output is the session again. Any other display
is a file; the paragraph before it ends with its name and a colon.
"""

import pathlib
import re
import shlex
import sys

INDENT = 11  # of a display: 5 of the text plus 6 of "-offset indent"


def section(lines, name):
    start = lines.index(name) + 1
    rest = (i for i in range(start, len(lines)) if lines[i] and not lines[i].startswith(" "))
    return lines[start : next(rest, len(lines))]


def displays(lines):
    """Yields pairs of the last line before a display and the lines of the display."""
    before, block = "", []
    for line in lines + [" " * 5 + "end"]:
        if line.startswith(" " * INDENT) or (block and not line):
            block.append(line[INDENT:])
        elif line:
            if block:
                while not block[-1]:
                    block.pop()
                yield before, block
            before, block = line, []


def commands(block):
    """Returns the commands of a session as lists of lines, with their prompts."""
    found = []
    for line in block:
        if line.startswith("$ "):
            found.append([line])
        elif line.startswith("> ") and found:
            found[-1].append(line)
    return found


def script(block):
    """Returns the lines of a script that runs the session. $? is preserved between commands."""
    out = ["status=0"]
    for lines in commands(block):
        out += [f"printf '%s\\n' {shlex.quote(line)}" for line in lines]
        out.append("(exit $status)")
        out += [line[2:] for line in lines]
        out.append("status=$?")
    return out


def main(page, directory):
    lines = pathlib.Path(page).read_text().splitlines()
    for number, (before, block) in enumerate(displays(section(lines, "EXAMPLES")), 1):
        name = re.search(r"([\w.-]+\.\w+):$", before)
        if block[0].startswith("$ "):
            parts = {f"{number:02}.sh": script(block), f"{number:02}.txt": block}
        elif name:
            parts = {name.group(1): block}
        else:
            sys.exit(f"{page}: display {number} is neither a session nor a file")
        for file, content in parts.items():
            pathlib.Path(directory, file).write_text("\n".join(content) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
