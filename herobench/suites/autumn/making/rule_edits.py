"""Programs with one rule off: small edits of a program's text, each of which may change what happens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from herobench.suites.autumn.language.source import Form, Source

_TOKEN = re.compile(r';[^\n]*|"(?:[^"\\\n]|\\.)*"|[^\s()";]+')
_PAIRS = (
    ("moveLeft", "moveRight"),
    ("moveUp", "moveDown"),
    ("moveLeftNoCollision", "moveRightNoCollision"),
    ("moveUpNoCollision", "moveDownNoCollision"),
    ("moveLeftPos", "moveRightPos"),
    ("moveUpPos", "moveDownPos"),
    ("left", "right"),
    ("up", "down"),
    ("nextSolid", "nextLiquid"),
    ("adjacentObjs", "adjacentObjsDiag"),
    ("<", "<="),
    (">", ">="),
    ("==", "!="),
    ("+", "-"),
    ("&", "|"),
    ("true", "false"),
)
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class RuleEdit:
    """Other text at one place of a program."""

    at: int
    old: str
    new: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> RuleEdit:
        """Return the edit of a row."""
        return cls(row["at"], row["old"], row["new"])

    def applied(self, program: str) -> str | None:
        """Return the program with the edit; None if the old text does not stand at the place."""
        end = self.at + len(self.old)
        return program[: self.at] + self.new + program[end:] if program[self.at : end] == self.old else None

    def as_row(self) -> dict[str, Any]:
        """Return the edit as plain data."""
        return asdict(self)


def rule_edits(program: str) -> Iterator[RuleEdit]:
    """Yield all edits of a program: words become their counterparts, numbers their neighbours, handlers are removed."""
    form, end = Source(program).read_program()
    for match in _TOKEN.finditer(program, form.at, end):
        word, at = match[0], match.start()
        if word in _OTHER:
            yield RuleEdit(at, word, _OTHER[word])
        elif _NUMBER.fullmatch(word):
            yield from (RuleEdit(at, word, str(int(word) + step)) for step in (1, -1))
    ends = _ends(program)
    for item in form.items:
        if isinstance(item, Form) and item.head == "on":
            yield RuleEdit(item.at, program[item.at : ends[item.at]], "true")


def _ends(program: str) -> dict[int, int]:
    """Return the offset after each form, by the offset of its first parenthesis."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r';[^\n]*|"(?:[^"\\\n]|\\.)*"|[()]', program):
        if match[0] == "(":
            opened.append(match.start())
        elif match[0] == ")" and opened:
            ends[opened.pop()] = match.end()
    return ends
