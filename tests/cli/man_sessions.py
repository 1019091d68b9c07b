"""Extracts the sessions in the text of a manual page, so that they can be run in order, in one shell.

    man_sessions.py PAGE.txt DIRECTORY

PAGE.txt is as for man_examples.py. Every display that begins with a prompt is a session: page.sh runs all of
them, and page.txt is what it prints. NN.sh has the sessions up to number NN, for tests that continue there.
"""

import pathlib
import sys

from man_examples import displays, script


def main(page, directory):
    lines = pathlib.Path(page).read_text().splitlines()
    sessions = [block for _, block in displays(lines) if block[0].startswith("$ ")]
    if not sessions:
        sys.exit(f"{page}: has no sessions")
    files = {"page.txt": sum(sessions, [])}
    for number in range(1, len(sessions) + 1):
        files[f"{number:02}.sh"] = script(sum(sessions[:number], []))
    files["page.sh"] = files[f"{len(sessions):02}.sh"]
    for name, content in files.items():
        pathlib.Path(directory, name).write_text("\n".join(content) + "\n")


main(*sys.argv[1:])
