"""A program of Autumn: parsed and compiled once, started as often as wanted."""

from __future__ import annotations

import threading

from herobench.data.kept import keep_last
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.language.chance import Chance, Generator
from herobench.suites.autumn.language.compiled import compile_program
from herobench.suites.autumn.language.limits import Limits
from herobench.suites.autumn.language.parser import parse
from herobench.suites.autumn.language.source import ProgramText
from herobench.suites.autumn.language.world import World

DEFAULT_LIMITS = Limits()


class Program:
    """A program that was read without an error. Worlds of one program may be used in several threads."""

    def __init__(self, source: ProgramText, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.lock = threading.RLock()
        """Held while a world of this program runs, because the generated code serves one world at a time."""
        try:
            self.tree = parse(source)
            self.compiled = compile_program(self.tree, limits)
        except (RecursionError, MemoryError):
            raise AutumnError("the program is too large", 1, 1) from None

    @classmethod
    def from_text(cls, source: str, condition: str = "", *, limits: Limits = DEFAULT_LIMITS) -> Program:
        """Return the program of a text. Raises AutumnError, which names line and column.

        `condition` is an expression about the world, with or without its outer parentheses: `World.holds` tells
        whether it is true, and so does the variable `SpecialConditionTriggered` in each step.
        """
        return cls(ProgramText(source, condition.strip()), limits)

    @property
    def notes(self) -> list[str]:
        """What is odd in the text, but no error."""
        return self.tree.notes

    def asking(self, expression: str) -> Program:
        """Return the same program with another condition."""
        return restored(self.source.program, expression.strip(), self.limits)

    def start(self, seed: Chance = 0, *, generator: Generator = "reference") -> World:
        """Return a new world. Raises AutumnError."""
        return World(self, seed, generator)

    def __reduce__(self) -> tuple[object, tuple[str, str, Limits]]:
        """Pickle the text. Several worlds of one program share it again when they are read."""
        return restored, (self.source.program, self.source.condition, self.limits)


def _size(program: Program) -> int:
    return len(program.source.text)


@keep_last(32, 300_000, _size)  # a character takes up to 2 KB
def restored(source: str, condition: str, limits: Limits) -> Program:
    """Return a program; of the last ones that were wanted, the same."""
    return Program(ProgramText(source, condition), limits)
