#!/usr/bin/env python3
"""Prints every text that a command can print, once, with the places where it is written.

usage: message_catalogue.py SOURCE [--check]

A message is a string literal with at least two words, in lib, share-format, plugins and tools. Texts that are
the same fault in several commands are one line with several places. With --check it prints only the lines that
break a rule of CONTRIBUTING.md, "Prose", and fails if there are any.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\s+|\w+|.', re.S)
WORDS = re.compile(r"[a-z]+ [a-z%]|[a-z%] [a-z]+", re.I)
CALLS = ("err_set", "err_errno", "reader_fail", "words_fail", "argp_error", "cli_note")

# Words that are never the usual technical word; the second column is what to write instead.
ODD = {
    r"\b(say|says|said)\b": "use, set, specify, name",
    r"\b(tell|tells|told)\b": "report, print, reveal",
    r"\b(come|comes|came)\b": "arrive, is from, is missing",
    r"\bhold(s)? (keys|clients|shares of|no|numbers)\b": "contain, list",
    r"(?<!there )\bis no [a-z]": "is not a",
    r"\b(goes|go) on\b": "is passed on, continue",
    r"\bfor one$": "for example",
    r"\bone too many\b": "is extra",
    r"\b(is|are) there\b": "appears, exists, is available",
    r"\basked for\b": "required",
    r"\bnot known\b": "unknown",
    r"\bwhoever\b": "name the party",
}


def literals(text):
    """(line, call, text) of every string; neighbouring literals are one string, as in C."""
    line, start, string, calls, call = 1, 0, None, [], ""
    for match in TOKEN.finditer(text):
        token = match.group()
        if token[0] == '"':
            start, string = (line, "") if string is None else (start, string)
            string += token[1:-1]
        elif not (token.isspace() or token.startswith(("/*", "//"))):
            if string is not None and token.startswith("PRI"):
                string += "u"
            elif string is not None:
                yield start, next((name for name in reversed(calls) if name), ""), string
                string = None
            if token == "(":
                calls.append(call if call in CALLS else "")
            elif token == ")" and calls:
                calls.pop()
            call = token
        line += token.count("\n")


def catalogue(root):
    """{text: [(place, call)]} in the order of the text."""
    found = {}
    for folder in ("lib", "share-format", "plugins", "tools"):
        for path in sorted((root / folder).rglob("*.[ch]")):
            for line, call, text in literals(path.read_text()):
                if WORDS.search(text):
                    found.setdefault(text, []).append((f"{path.relative_to(root)}:{line}", call))
    return dict(sorted(found.items(), key=lambda item: item[0].lstrip("%s:' ").lower()))


def faults(text, calls):
    """The rules that a text breaks."""
    if any(calls):
        if re.match(r"[A-Z]", text) and not text.startswith(("HAGG_", "Slurm")):
            yield "begins with a capital"
        if re.search(r"[.!]$", text) and not text.endswith(".."):
            yield "ends with a full stop"
        if "\\n" in text:
            yield "has more than one line"
    for pattern, instead in ODD.items():
        if re.search(pattern, text):
            yield f"'{re.search(pattern, text).group()}': write {instead}"


def main():
    root = pathlib.Path(sys.argv[1])
    messages = catalogue(root)
    broken = 0
    for text, places in messages.items():
        wrong = list(faults(text, [call for _, call in places]))
        broken += bool(wrong)
        if "--check" not in sys.argv:
            print(f"{text}\n        {' '.join(place for place, _ in places)}")
        for fault in wrong:
            print(f"{places[0][0]}: {text!r}: {fault}")
    print(f"{len(messages) - broken} passed, {broken} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
