"""Reads PDDL text into nested forms, which know their place in the text.

The reader does not recurse, and it limits the depth of parentheses. So no text can exhaust the stack, neither here nor
in the parsers that walk the forms. Names are ASCII and compare in lower case; a symbol keeps its spelling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class PddlError(ValueError):
    """Raised when a text is not PDDL of the fragment that this package reads.

    `message` says what was expected; `line` and `column` count from 1.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class TooLarge(ValueError):
    """Raised when a task has more groundings than this package looks at: a domain that is read is not always usable."""

    def __init__(self, most: int, what: str, possible: int | None = None) -> None:
        """Say how many groundings of what there may be, and if it is known how many their types allow."""
        super().__init__(most, what, possible)
        self.most, self.what, self.allowed = most, what, possible

    def __str__(self) -> str:
        text = f"at most {self.most:,} {self.what}"
        return text if self.allowed is None else f"{text}, whose types allow {_count_text(self.allowed)}"


_COUNTED = 10**15
"""Numbers beyond it are not written out. Python refuses to write those of more than 4,300 digits."""


def _count_text(number: int) -> str:
    return f"{number:,}" if number <= _COUNTED else f"more than {_COUNTED:,}"


DEEPEST = 50
"""How deep parentheses may nest."""
LONGEST = 500_000
"""Characters of a text."""

_TOKEN = re.compile(r"[()]|;[^\n]*|[^ \t\r\n\f\v();]+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class Symbol(NamedTuple):
    """One word of the text, as it is spelled."""

    text: str
    offset: int

    @property
    def word(self) -> str:
        """The symbol in lower case; empty if it is not ASCII, because such a symbol names nothing."""
        return self.text.lower() if self.text.isascii() else ""


@dataclass(slots=True)
class PddlForm:
    """A pair of parentheses and what is between them."""

    offset: int
    items: list[Symbol | PddlForm] = field(default_factory=list)

    @property
    def head(self) -> str:
        """The first word in lower case; empty if the form does not begin with a word."""
        first = self.items[0] if self.items else None
        return first.word if isinstance(first, Symbol) else ""


Node = Symbol | PddlForm


@dataclass(frozen=True, slots=True)
class PddlText:
    """A text, and the errors that name a place in it."""

    text: str

    def error(self, at: Node | int, expected: str) -> PddlError:
        """Return the error that says what was expected at a place and what was found there."""
        offset = at if isinstance(at, int) else at.offset
        line = self.text.count("\n", 0, offset) + 1
        column = offset - self.text.rfind("\n", 0, offset)
        return PddlError(f"expected {expected}, found {_excerpt(self.text, at)}", line, column)

    def read(self) -> PddlForm:
        """Return the one form that the text consists of."""
        if len(self.text) > LONGEST:
            raise PddlError(f"expected a text of at most {LONGEST:,} characters, found {len(self.text):,}", 1, 1)
        top = PddlForm(0)
        open_forms = [top]
        for match in _TOKEN.finditer(self.text):
            word, offset = match[0], match.start()
            if word == "(":
                form = PddlForm(offset)
                open_forms[-1].items.append(form)
                open_forms.append(form)
                if len(open_forms) > DEEPEST + 1:
                    raise self.error(offset, f"at most {DEEPEST} nested parentheses")
            elif word == ")":
                if len(open_forms) == 1:
                    raise self.error(offset, "'(define ...)'")
                open_forms.pop()
            elif word[0] != ";":
                open_forms[-1].items.append(Symbol(word, offset))
            if len(top.items) > 1:
                raise self.error(offset, "the end of the text")
        if len(open_forms) > 1:
            raise self.error(open_forms[-1], "a closing parenthesis for the one opened here")
        if not top.items or isinstance(top.items[0], Symbol):
            raise self.error(top.items[0] if top.items else len(self.text), "'(define ...)'")
        return top.items[0]

    def form(self, node: Node, expected: str) -> PddlForm:
        """Return a node that has to be a form."""
        if isinstance(node, Symbol):
            raise self.error(node, expected)
        return node

    def name(self, node: Node, what: str) -> str:
        """Return a node that has to be a name, in lower case."""
        if isinstance(node, PddlForm) or not _NAME.fullmatch(node.text):
            raise self.error(node, f"{what}: a letter, then letters, digits, '-' or '_'")
        return node.word

    def variable(self, node: Node) -> str:
        """Return a node that has to be a variable, in lower case with its question mark."""
        if isinstance(node, PddlForm) or node.text[0] != "?" or not _NAME.fullmatch(node.text, 1):
            raise self.error(node, "a variable such as ?x")
        return node.word

    def typed_list(self, nodes: Sequence[Node]) -> list[tuple[Node, Symbol | None]]:
        """Return the entries of `a b - type c`, each with the name of its type."""
        entries: list[tuple[Node, Symbol | None]] = []
        untyped: list[Node] = []
        rest = iter(nodes)
        for node in rest:
            if isinstance(node, Symbol) and node.text == "-":
                kind = next(rest, None)
                if not untyped:
                    raise self.error(node, "a name before '-'")
                if not isinstance(kind, Symbol):
                    raise self.error(kind or node, "the name of one type after '-'")
                entries += [(entry, kind) for entry in untyped]
                untyped = []
            else:
                untyped.append(node)
        return [*entries, *((entry, None) for entry in untyped)]


def _excerpt(text: str, at: Node | int) -> str:
    """Return what stands at a place, short and in ASCII."""
    if isinstance(at, Symbol):
        return ascii(at.text[:40])
    offset = at if isinstance(at, int) else at.offset
    match = _TOKEN.match(text, offset)
    return ascii(match[0][:40]) if match else "the end of the text"
