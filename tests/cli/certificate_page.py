"""Reads the HTML page of hagg-audit --report: certificate_page.py PAGE.

Prints one JSON object with the title, the verdict, the headings, the tables and the text. Fails if elements
are not nested properly, if the page refers to anything outside or contains a script, if headings or
table headers are missing, or if colours have too little contrast.
"""

import html.parser
import json
import re
import sys

VOID = {"meta", "br", "hr", "img", "link", "input"}
CLOSED = {"rect", "line", "path"}  # of SVG
FORBIDDEN = {"script", "iframe", "object", "embed", "link", "img", "form", "base", "a", "use", "image"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.labels = [], [], [], []
        self.title = self.lang = self.verdict = ""
        self.headings, self.tables, self.text, self.svg_titles = [], [], [], []
        self.style, self.items, self.n_svg = "", [], 0

    def handle_startendtag(self, tag, attrs):
        if tag not in CLOSED:
            self.faults.append(f"<{tag}/>")
        self.check(tag, attrs)

    def handle_starttag(self, tag, attrs):
        self.check(tag, attrs)
        if tag in VOID:
            return
        self.open.append((tag, dict(attrs)))
        attributes = dict(attrs)
        if tag == "html":
            self.lang = attributes.get("lang", "")
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")
            if tag == "th" and attributes.get("scope") not in ("row", "col"):
                self.faults.append("th without scope")
        elif tag == "svg":
            self.n_svg += 1
            if attributes.get("role") != "img":
                self.faults.append("svg without role")
            self.labels += attributes.get("aria-labelledby", "-").split()
        elif re.fullmatch("h[1-6]", tag):
            self.headings.append([int(tag[1]), ""])
        elif tag == "li":
            self.items.append("")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> in {[name for name, _ in self.open]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        inside = [name for name, _ in self.open]
        if "style" in inside:
            self.style += data
            return
        if not data.strip():
            return
        if "title" in inside:
            if "svg" in inside:
                self.svg_titles.append(data)
            else:
                self.title += data
            return
        self.text.append(data)
        if inside and re.fullmatch("h[1-6]", inside[-1]):
            self.headings[-1][1] += data
        if "table" in inside and ("td" in inside or "th" in inside):
            self.tables[-1][-1][-1] += data
        if "li" in inside:
            self.items[-1] += data
        if "strong" in inside and any("verdict" in a.get("class", "") for _, a in self.open):
            self.verdict += data

    def check(self, tag, attrs):
        if tag in FORBIDDEN:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in ("src", "href", "xlink:href", "srcset", "data", "action"):
                self.faults.append(f"{tag} {name}={value}")
            if name == "id":
                self.ids.append(value)


def luminance(colour):
    colour = colour.lstrip("#")
    colour = "".join(2 * c for c in colour) if len(colour) == 3 else colour
    parts = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    a, b = sorted((luminance(a), luminance(b)))
    return (b + 0.05) / (a + 0.05)


def check_colours(page):
    schemes = re.findall(r":root\{([^}]*)\}", page.style)
    if len(schemes) != 3:  # light, dark, print
        page.faults.append(f"{len(schemes)} colour schemes")
    for scheme in schemes:
        colours = dict(re.findall(r"--([a-z-]+):(#[0-9a-f]+)", scheme))
        pairs = [(ink, ground) for ink in ("ink", "soft") for ground in ("paper", "panel")]
        pairs += [(name, name + "-bg") for name in ("good", "bad", "open")]
        pairs += [("ink", name + "-bg") for name in ("good", "bad", "open")]
        for ink, ground in pairs:
            if contrast(colours[ink], colours[ground]) < 4.5:
                page.faults.append(f"contrast of {ink} on {ground}")


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    text = data.decode("utf-8")  # strictly
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        page.faults.append(f"not closed: {page.open}")
    if re.search(r"https?:|//[a-z]|@import|url\(|javascript:|<!--", text, re.I):
        page.faults.append("a reference to something outside")
    for name in page.labels:
        if page.ids.count(name) != 1:
            page.faults.append(f"no element with the id {name}")
    if page.lang != "en-GB" or not page.title or [level for level, _ in page.headings].count(1) != 1:
        page.faults.append("lang, title or h1 is missing")
    if any(b - a > 1 for (a, _), (b, _) in zip(page.headings, page.headings[1:])):
        page.faults.append(f"levels of headings: {page.headings}")
    check_colours(page)
    if page.faults:
        sys.exit("\n".join(page.faults))
    print(json.dumps({"title": page.title, "verdict": page.verdict, "headings": [h for _, h in page.headings],
                      "tables": page.tables, "items": page.items, "text": " ".join(" ".join(page.text).split()),
                      "svg": page.n_svg, "svg_titles": page.svg_titles, "bytes": len(data)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
