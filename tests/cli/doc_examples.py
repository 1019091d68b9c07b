"""Extracts the sessions from a Markdown page, so that they can be run.

    doc_examples.py PAGE.md DIRECTORY

Every fenced block marked console is a session and becomes NN.sh and NN.txt, as in man_examples.py.
"""

import pathlib
import re
import sys

from man_examples import script


def main(page, directory):
    text = pathlib.Path(page).read_text()
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S)
    if not blocks:
        sys.exit(f"{page}: has no sessions")
    for number, block in enumerate(blocks, 1):
        lines = block.splitlines()
        pathlib.Path(directory, f"{number:02}.sh").write_text("\n".join(script(lines)) + "\n")
        pathlib.Path(directory, f"{number:02}.txt").write_text(block)


main(*sys.argv[1:])
