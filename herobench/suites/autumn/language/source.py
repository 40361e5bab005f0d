"""Reads the text of a program into nested forms, which know their place in it.

The reader does not recurse and limits the depth of parentheses, so no text can exhaust the stack, neither here nor in
what walks the forms later. Only the first form of a text is read, as in the reference; what follows it is noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.language.limits import DEEPEST_SOURCE, LONGEST_SOURCE

_TOKEN = re.compile(r'\s+|;[^\n]*|"(?:[^"\\\n]|\\.)*"|[()]|"|[^\s()"][^\s()]*')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class Word(NamedTuple):
    """One atom of the text, as it is spelled."""

    text: str
    at: int

    @property
    def quoted(self) -> bool:
        """Whether the atom is a string."""
        return self.text.startswith('"')

    @property
    def string(self) -> str:
        """The text between the quotes of a string, with its escapes resolved."""
        return _ESCAPE.sub(_unescaped, self.text[1:-1])


@dataclass(slots=True)
class ProgramForm:
    """A pair of parentheses and what is between them."""

    at: int
    items: list[Word | ProgramForm] = field(default_factory=list)

    @property
    def head(self) -> str:
        """The first word; empty if the form does not begin with a word."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Node = Word | ProgramForm


@dataclass(frozen=True, slots=True)
class ProgramText:
    """The text of a program, and of the condition that may come with it. Offsets count through both."""

    program: str
    condition: str = ""

    @property
    def text(self) -> str:
        """Both texts, the condition in parentheses of its own."""
        return f"{self.program}\n({self.condition})" if self.condition else self.program

    def error(self, at: int, message: str) -> AutumnError:
        """Return the error with a message about a place."""
        if self.condition and at > len(self.program):
            return AutumnError(message, *_place(self.condition, max(0, at - len(self.program) - 2)), "condition")
        return AutumnError(message, *_place(self.program, max(0, min(at, len(self.program)))))

    def expected(self, node: Node | int, what: str) -> AutumnError:
        """Return the error that says what was expected at a place, and what stands there."""
        at = node if isinstance(node, int) else node.at
        return self.error(at, f"expected {what}, found {self._shown(at)}")

    def place(self, at: int) -> tuple[int, int]:
        """Return line and column of an offset in the program."""
        return _place(self.program, at)

    def _shown(self, at: int) -> str:
        """Return what stands at a place, short and in ASCII."""
        match = _TOKEN.match(self.text, at)
        return ascii(match[0][:40]) if match and match[0].strip() else "the end of the text"

    def read_program(self) -> tuple[ProgramForm, int]:
        """Return the form of the program, and the offset after it."""
        if len(self.program) > LONGEST_SOURCE:
            raise self.error(0, f"expected at most {LONGEST_SOURCE} characters")
        return self._read(0, len(self.program))

    def read_condition(self) -> ProgramForm | None:
        """Return the form of the condition; None if there is none."""
        if not self.condition:
            return None
        if len(self.condition) > LONGEST_SOURCE:
            raise self.error(len(self.program) + 2, f"expected at most {LONGEST_SOURCE} characters")
        text = self.text
        form, end = self._read(len(self.program) + 1, len(text))
        if end != len(text):
            raise self.expected(end, "the end of the condition")
        return form

    def _read(self, start: int, end: int) -> tuple[ProgramForm, int]:
        """Return the first form after a place, and the offset after it."""
        text = self.text
        opened: list[ProgramForm] = []
        position = start
        while match := _TOKEN.match(text, position, end):
            word, at, position = match[0], position, match.end()
            if word == "(":
                form = ProgramForm(at)
                if opened:
                    opened[-1].items.append(form)
                opened.append(form)
                if len(opened) > DEEPEST_SOURCE:
                    raise self.error(at, f"expected at most {DEEPEST_SOURCE} nested parentheses")
            elif word == ")":
                if not opened:
                    break
                form = opened.pop()
                if not opened:
                    return form, position
            elif word[0] == ";" or word.isspace():
                continue
            elif word == '"':
                raise self.error(at, "expected a closing quote on the same line")
            elif not opened:
                raise self.expected(at, "'(program ...)'")
            else:
                opened[-1].items.append(Word(word, at))
        if opened:
            raise self.error(opened[-1].at, "expected a closing parenthesis for the one opened here")
        raise self.expected(min(position, end), "'(program ...)'")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "x":
        return chr(int(code[1:], 16)) if len(code) > 1 else code
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _ESCAPED.get(code, code)


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
