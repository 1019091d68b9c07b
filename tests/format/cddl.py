"""A small CDDL (RFC 8610) interpreter, only for the constructs in share-format/hagg.cddl.

Values are those of cbor2. An unknown construct is an error when the grammar is read; it is never
ignored.
"""

import re

import cbor2

TOKEN = re.compile(
    r"""\s+ | ;[^\n]*
    | (?P<text>"[^"\\]*")
    | (?P<float>-?\d+\.\d+(?!\d))
    | (?P<tag>\#6\.\d+)
    | (?P<int>-?\d+)
    | (?P<control>\.[a-z]+)
    | (?P<name>[A-Za-z_][A-Za-z0-9_-]*)
    | (?P<mark>\.\.|=>|//|[=/(){}\[\],:?*+])""",
    re.VERBOSE,
)

PRELUDE = {
    "any": lambda v: True,
    "uint": lambda v: is_int(v) and v >= 0,
    "bool": lambda v: isinstance(v, bool),
    "true": lambda v: v is True,
    "float": lambda v: isinstance(v, float),
    "tstr": lambda v: isinstance(v, str),
    "bstr": lambda v: isinstance(v, bytes),
}
CONTROLS = (".and", ".gt", ".regexp", ".size")
UNBOUNDED = float("inf")


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


class GrammarError(Exception):
    pass


class CutError(Exception):
    """A key with a colon was present and its value was wrong: no other choice is tried."""


class Grammar:
    """The rules of a grammar. By default `matches` uses the first one."""

    def __init__(self, source):
        self.tokens, self.pos, self.rules = list(tokenize(source)), 0, {}
        while self.peek() is not None:
            kind, name = self.next()
            self.want("=")
            if kind != "name" or name in self.rules or name in PRELUDE:
                raise GrammarError(f"{name} cannot be defined here")
            # A rule in parentheses is a group; this grammar has no type in parentheses.
            self.rules[name] = self.group(")") if self.skip("(") else self.type()
        self.start = next(iter(self.rules))
        for name in self.references(list(self.rules.values())):
            if name not in self.rules and name not in PRELUDE:
                raise GrammarError(f"{name} is not defined")

    # --- reading the grammar

    def peek(self, ahead=0):
        return self.tokens[self.pos + ahead] if self.pos + ahead < len(self.tokens) else None

    def next(self):
        token = self.peek()
        if token is None:
            raise GrammarError("unexpected end")
        self.pos += 1
        return token

    def skip(self, mark):
        if self.peek() == ("mark", mark):
            self.pos += 1
            return True
        return False

    def want(self, mark):
        if not self.skip(mark):
            raise GrammarError(f"{mark} expected, not {self.peek()}")

    def type(self):
        choices = [self.type1()]
        while self.skip("/"):
            choices.append(self.type1())
        return ("choice", choices)

    def type1(self):
        left = self.type2()
        if self.skip(".."):
            return ("range", left[1], self.type2()[1])
        token = self.peek()
        if token is not None and token[0] == "control":
            if self.next()[1] not in CONTROLS:
                raise GrammarError(f"control {token[1]}")
            return ("control", token[1], left, self.type2())
        return left

    def type2(self):
        kind, value = self.next()
        if kind in ("text", "float", "int"):
            return ("literal", value)
        if kind == "name":
            return ("ref", value)
        if kind == "tag":
            self.want("(")
            inner = self.type()
            self.want(")")
            return ("tag", value, inner)
        if value == "(":
            inner = self.type()
            self.want(")")
            return inner
        if value == "[":
            return ("array", self.group("]"))
        if value == "{":
            return ("map", self.group("}"))
        raise GrammarError(f"{value} is no type")

    def group(self, closing):
        alternatives = [[]]
        while not self.skip(closing):
            if self.skip("//"):
                alternatives.append([])
            else:
                alternatives[-1].append(self.entry())
                self.skip(",")
        return ("group", alternatives)

    def entry(self):
        low, high = self.occurrence()
        after = self.peek(1)
        if after == ("mark", ":"):
            key, cut = ("literal", self.next()[1]), True
            self.next()
        elif after == ("mark", "=>"):
            key, cut = self.type1(), False
            self.next()
        else:
            key, cut = None, False
        return (low, high, key, cut, self.type())

    def occurrence(self):
        if self.skip("?"):
            return 0, 1
        if self.skip("+"):
            return 1, UNBOUNDED
        low = 0
        if self.peek()[0] == "int" and self.peek(1) == ("mark", "*"):
            low = self.next()[1]
        elif self.peek() != ("mark", "*"):
            return 1, 1
        self.want("*")
        return low, self.next()[1] if self.peek()[0] == "int" else UNBOUNDED

    def references(self, node):
        """Every name that a node uses."""
        if isinstance(node, tuple) and node and node[0] == "ref":
            yield node[1]
        elif isinstance(node, (tuple, list)):
            for part in node:
                yield from self.references(part)

    # --- matching values

    def matches(self, value, rule=None):
        return self.match(("ref", rule or self.start), value)

    def match(self, node, value):
        kind = node[0]
        if kind == "choice":
            return any(self.match(choice, value) for choice in node[1])
        if kind == "ref":
            if node[1] in PRELUDE:
                return PRELUDE[node[1]](value)
            return self.match(self.rules[node[1]], value)
        if kind == "literal":
            return type(value) is type(node[1]) and value == node[1]
        if kind == "range":
            return is_int(value) and node[1] <= value <= node[2]
        if kind == "control":
            return self.match(node[2], value) and self.control(node[1], value, node[3])
        if kind == "tag":
            return isinstance(value, cbor2.CBORTag) and value.tag == node[1] and self.match(node[2], value.value)
        if kind == "array":
            return isinstance(value, list) and self.match_items(node[1], value, 0) == len(value)
        if kind == "map":
            try:
                return isinstance(value, dict) and self.match_pairs(node[1], value) == {}
            except CutError:
                return False
        raise GrammarError(f"a {kind} is no type")

    def control(self, name, value, argument):
        if name == ".and":
            return self.match(argument, value)
        if name == ".gt":
            return value > argument[1]
        if name == ".regexp":
            return re.fullmatch(argument[1], value) is not None
        size = len(value.encode()) if isinstance(value, str) else len(value)
        return self.match(argument, size)

    def group_of(self, node):
        """The group that an entry without a key refers to, or None if it is a type."""
        if node[0] == "choice" and len(node[1]) == 1:
            return self.group_of(node[1][0])
        if node[0] == "ref" and node[1] in self.rules:
            return self.group_of(self.rules[node[1]])
        return node if node[0] == "group" else None

    def match_items(self, group, items, start):
        """The position in an array after the first alternative that matches; None if none does."""
        for alternative in group[1]:
            pos = start
            for low, high, _, _, node in alternative:
                inner, n = self.group_of(node), 0
                while n < high and pos is not None and pos < len(items):
                    if inner is not None:
                        after = self.match_items(inner, items, pos)
                    else:
                        after = pos + 1 if self.match(node, items[pos]) else None
                    if after is None:
                        break
                    pos, n = after, n + 1
                if n < low:
                    pos = None
                    break
            if pos is not None:
                return pos
        return None

    def match_pairs(self, group, pairs):
        """The pairs that the first matching alternative leaves of a map; None if none matches."""
        for alternative in group[1]:
            left = pairs
            for low, high, key, cut, node in alternative:
                n = 0
                while n < high and left is not None:
                    after = self.match_pair(key, cut, node, left)
                    if after is None or after == left:
                        break
                    left, n = after, n + 1
                if n < low:
                    left = None
                    break
            if left is not None:
                return left
        return None

    def match_pair(self, key, cut, node, pairs):
        if key is None:
            return self.match_pairs(self.group_of(node), pairs)
        for name, value in pairs.items():
            if self.match(key, name):
                if self.match(node, value):
                    return {k: v for k, v in pairs.items() if k != name}
                if cut:
                    raise CutError
        return None


def tokenize(source):
    pos = 0
    while pos < len(source):
        match = TOKEN.match(source, pos)
        if match is None:
            raise GrammarError(f"unknown text at {source[pos:pos + 20]!r}")
        pos = match.end()
        if match.lastgroup:
            text = match.group(match.lastgroup)
            value = {"text": lambda t: t[1:-1], "float": float, "int": int, "tag": lambda t: int(t[3:])}
            yield match.lastgroup, value.get(match.lastgroup, str)(text)
