"""Extracts the sessions of a page of Markdown, so that they can be run.

    doc_examples.py PAGE.md DIRECTORY

Each block that is fenced as console is a session: NN.sh and NN.txt, as in man_examples.py. page.sh
runs all sessions of the page in order in one shell, as a reader does, and page.txt is what it prints.
Each block that is fenced as sh is written to sh-NN.sh: it needs machines that a test does not have.
"""

import pathlib
import re
import sys

from man_examples import script


def fenced(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def main(page, directory):
    text = pathlib.Path(page).read_text()
    sessions = fenced(text, "console")
    if not sessions:
        sys.exit(f"{page}: has no sessions")
    files = {"page.sh": "\n".join(script("".join(sessions).splitlines())) + "\n", "page.txt": "".join(sessions)}
    for number, block in enumerate(sessions, 1):
        files[f"{number:02}.sh"] = "\n".join(script(block.splitlines())) + "\n"
        files[f"{number:02}.txt"] = block
    for number, block in enumerate(fenced(text, "sh"), 1):
        files[f"sh-{number:02}.sh"] = block
    for name, content in files.items():
        pathlib.Path(directory, name).write_text(content)


main(*sys.argv[1:])
