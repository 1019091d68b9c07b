"""Wraps an HTML page for a test in a browser: browser_page.py PAGE WIDTH... >WRAPPER.

The wrapper shows the page in a frame of each width. Its script replaces the wrapper by one JSON object: for
each width, the width of the document, the elements that are wider than the frame and cannot be scrolled,
and the text that a reader sees. The page's own policy forbids scripts and applies to the frames, which
share it; the wrapper has none.
"""

import html
import sys

SCRIPT = """
addEventListener("load", () => {
    const found = {};
    for (const frame of document.querySelectorAll("iframe")) {
        const page = frame.contentDocument, width = frame.clientWidth, wide = [];
        for (const element of page.querySelectorAll("body *")) {
            const box = element.getBoundingClientRect();
            if (box.right > width + 0.5 && !element.closest("figure, .scroll"))
                wide.push(element.outerHTML.slice(0, 80));
        }
        const verdict = page.querySelector(".verdict");
        found[width] = {
            document: page.documentElement.scrollWidth, wide, text: page.body.innerText,
            verdict: verdict.firstElementChild.innerText,
            colour: frame.contentWindow.getComputedStyle(verdict).color,
            scripts: page.scripts.length,
            drawings: [...page.querySelectorAll("svg")].map(svg => {
                const box = svg.getBoundingClientRect();
                return [Math.round(box.width), Math.round(box.height)];
            }),
        };
    }
    document.body.textContent = "FOUND" + JSON.stringify(found) + "END";
});
"""


def main(path, *widths):
    with open(path, encoding="utf-8") as file:
        page = html.escape(file.read())
    frames = "".join(f'<iframe style="border:0;width:{width}px;height:900px" srcdoc="{page}"></iframe>'
                     for width in widths)
    print(f'<!DOCTYPE html><meta charset="utf-8"><title>test</title><body>{frames}<script>{SCRIPT}</script>')


if __name__ == "__main__":
    main(*sys.argv[1:])
