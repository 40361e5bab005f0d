"""A program of Autumn: parsed and compiled once, started as often as wanted; and what is seen when it is played at
random."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from hashlib import blake2b
from random import Random

from herobench.data.kept import keep_last
from herobench.suites.autumn.language.chance import Chance, Generator
from herobench.suites.autumn.language.compiled import compile_program
from herobench.suites.autumn.language.errors import AutumnError, Limits
from herobench.suites.autumn.language.library import RANDOM
from herobench.suites.autumn.language.names import parts, within
from herobench.suites.autumn.language.parser import ProgramText, parse
from herobench.suites.autumn.language.tree import Name
from herobench.suites.autumn.language.world import KEYS, AutumnWorld

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

        `condition` is an expression about the world, with or without its outer parentheses: `AutumnWorld.holds` tells
        whether it is true, and so does the variable `SpecialConditionTriggered` in each step.
        """
        return cls(ProgramText(source, condition.strip()), limits)

    @property
    def notes(self) -> list[str]:
        """What is odd in the text, but no error."""
        return self.tree.notes

    def asking(self, expression: str) -> Program:
        """Return the same program with another condition."""
        return restore(self.source.program, expression.strip(), self.limits)

    def start(self, seed: Chance = 0, *, generator: Generator = "reference") -> AutumnWorld:
        """Return a new world. Raises AutumnError."""
        return AutumnWorld(self, seed, generator)

    def __reduce__(self) -> tuple[object, tuple[str, str, Limits]]:
        """Pickle the text. Several worlds of one program share it again when they are read."""
        return restore, (self.source.program, self.source.condition, self.limits)


def _size(program: Program) -> int:
    return len(program.source.text)


@keep_last(32, 300_000, _size)  # a character takes up to 2 KB
def restore(source: str, condition: str, limits: Limits) -> Program:
    """Return a program; of the last ones that were wanted, the same."""
    return Program(ProgramText(source, condition), limits)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Holds what random play of a program showed."""

    colors: list[str]
    """Colours that were seen, but for the background."""
    background: str
    grid_size: int
    random: bool
    """Whether the program can draw random numbers."""
    steps: int
    """Actions that were played."""
    frames: int
    """Different grids that were seen."""

    def as_row(self) -> dict[str, object]:
        """Return the facts as plain data."""
        return asdict(self)


class FailedPlay(AutumnError):
    """Raised when a program fails while it is played at random."""

    @staticmethod
    def of(error: AutumnError, seed: int, steps: int) -> FailedPlay:
        """Return the error with what was played before it."""
        message = f"{error.message} (with seed {seed}, after {steps} random actions)"
        return FailedPlay(message, error.line, error.column, error.source)


def random_action(random: Random, size: int) -> str:
    """Return a random action: each kind is as likely as the others, and so is each cell of a click."""
    kind = random.choice(("noop", "click", *KEYS))
    return f"click {random.randrange(size)} {random.randrange(size)}" if kind == "click" else kind


def examine(program: Program, *, seed: int = 0, steps: int = 300, episodes: int = 3) -> Statistics:
    """Play a program at random and return its statistics. Raises FailedPlay if the program fails."""
    colors: set[str] = set()
    frames: set[bytes] = set()
    for episode in range(episodes):
        random = Random(f"{seed}/{episode}")  # noqa: S311  actions, no secrets
        try:
            world = program.start(seed + episode)
        except AutumnError as error:
            raise FailedPlay.of(error, seed + episode, 0) from None
        for step in range(steps + 1):
            grid = world.grid
            colors.update(*grid)
            frames.add(blake2b(repr(grid).encode("utf-8", "surrogatepass"), digest_size=16).digest())
            if step < steps:
                try:
                    world.act(random_action(random, world.size))
                except AutumnError as error:
                    raise FailedPlay.of(error, seed + episode, step) from None
    return Statistics(
        colors=sorted(colors - {world.background}),
        background=world.background,
        grid_size=world.size,
        random=draws(program),
        steps=steps * episodes,
        frames=len(frames),
    )


def draws(program: Program) -> bool:
    """Return whether a program can draw random numbers."""
    return any(
        isinstance(expr, Name) and expr.name in RANDOM
        for expr in within(part for statement in program.tree.statements for part in parts(statement))
    )
