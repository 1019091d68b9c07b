"""Checks that every relative link of the installed documentation refers to an installed file.

    documentation.py BUILD
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def targets(page):
    """Returns the relative links of a page, without those in code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text))
    return [link.partition("#")[0] for link in links if not re.match(r"[a-z]+:|#", link)]


def main(build):
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        (readme,) = pathlib.Path(prefix).glob("**/doc/hagg/README.md")
        pages = sorted(readme.parent.glob("**/*.md"))
        links = [(page, target) for page in pages for target in targets(page)]
        broken = [(page, target) for page, target in links if not (page.parent / target).exists()]
        for page, target in broken:
            print(f"failed: {page.relative_to(prefix)} links to {target}, which is not installed")
    if len(links) < 20:
        sys.exit(f"{len(links)} links in {len(pages)} pages: there are more")
    print(f"{len(links) - len(broken)} passed, {len(broken)} failed")
    sys.exit(bool(broken))


main(sys.argv[1])
