"""Whether the documentation is complete and its relative links resolve, in the source and installed.

    documentation.py BUILD SOURCE
    documentation.py --installed DIRECTORY

docs/README.md lists every page of docs and, in the source, every page of the manual. The second form checks
only the pages that are installed in the directory.
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def without_code(page):
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)


def links(page):
    """The relative links of a page, without those in code."""
    found = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_code(page)))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(page):
    """The anchors of the headings, as forges make them."""
    headings = re.findall(r"^#+ (.*)$", without_code(page), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def resolves(page, link):
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in anchors(target))


def check(root, pages, listed):
    """Prints the failures below root; returns how many checks passed and failed."""
    index = root / "docs" / "README.md"
    failures = [
        f"{page.relative_to(root)} links to {link}, which does not exist"
        for page in pages
        for link in links(page)
        if not resolves(page, link)
    ]
    in_index = {(index.parent / link.partition("#")[0]).resolve() for link in links(index)}
    listed = [page for page in pages if index.parent in page.parents and page != index] + listed
    failures += [
        f"docs/README.md does not list {page.relative_to(root)}"
        for page in listed
        if page.resolve() not in in_index
    ]
    for failure in failures:
        print(f"failed: {failure}")
    return sum(len(links(page)) for page in pages) + len(listed) - len(failures), len(failures)


def check_installed(root):
    return check(root, sorted(root.glob("**/*.md")), [])


def end(counts):
    if min(map(sum, counts)) < 100:
        sys.exit(f"{counts}: there is more to check")
    passed, failed = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


def main(build, source):
    if build == "--installed":
        end([check_installed(pathlib.Path(source))])
    source = pathlib.Path(source)
    pages = [page for page in sorted(source.glob("**/*.md")) if page.relative_to(source).parts[0] != "build"]
    counts = [check(source, pages, list((source / "man").glob("*.[1-9]")))]
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        (readme,) = pathlib.Path(prefix).resolve().glob("**/doc/hagg/README.md")
        counts.append(check_installed(readme.parent))
    end(counts)


main(*sys.argv[1:])
