"""A program of Autumn: parsed and compiled once, started as often as wanted; and the facts about it.

The facts are what its text has, and what is seen when it is played at random. They are those by which the published
environments are described: object types, latent variables, lines, handlers, colours, size of the grid, and whether the
program draws random numbers.
"""

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
from herobench.suites.autumn.language.names import children, parts, within
from herobench.suites.autumn.language.parser import ProgramText, parse
from herobench.suites.autumn.language.tree import Assign, Expr, Handler, Lambda, Name, ObjectType, StateVariable
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


_SCALARS = frozenset({"Number", "Bool", "String"})


@dataclass(frozen=True, slots=True)
class Statistics:
    """The facts about one program."""

    lines: int
    """Lines of the text that are neither empty nor only a comment."""
    object_types: int
    state_variables: int
    latents: int
    """Variables that change, and that are no objects: nothing draws them."""
    handlers: int
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
    scalars: set[str] = set()
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
            scalars |= {name for name, kind in world.variables.items() if kind in _SCALARS}
            if step < steps:
                try:
                    world.act(random_action(random, world.size))
                except AutumnError as error:
                    raise FailedPlay.of(error, seed + episode, step) from None
    return _statistics(program, world, colors, len(frames), scalars, steps * episodes)


def draws(program: Program) -> bool:
    """Return whether a program can draw random numbers."""
    return any(
        isinstance(expr, Name) and expr.name in RANDOM
        for expr in within(part for statement in program.tree.statements for part in parts(statement))
    )


def _statistics(
    program: Program, world: AutumnWorld, colors: set[str], frames: int, scalars: set[str], steps: int
) -> Statistics:
    statements = program.tree.statements
    changing = {variable.name for variable in program.tree.state_variables}
    changing |= {expr.name for expr in within(_running(program)) if isinstance(expr, Assign) and not expr.defines}
    lines = (line.strip() for line in program.source.program.splitlines())
    return Statistics(
        lines=sum(1 for line in lines if line and not line.startswith(";")),
        object_types=sum(isinstance(statement, ObjectType) for statement in statements),
        state_variables=len(program.tree.state_variables),
        latents=len(changing & scalars),
        handlers=len(program.tree.handlers),
        colors=sorted(colors - {world.background}),
        background=world.background,
        grid_size=world.size,
        random=draws(program),
        steps=steps,
        frames=frames,
    )


def _running(program: Program) -> list[Expr]:
    """Return the expressions that are evaluated after loading."""
    expressions: list[Expr] = []
    for statement in program.tree.statements:
        if isinstance(statement, Handler):
            expressions += [statement.condition, statement.body]
        elif isinstance(statement, StateVariable):
            expressions.append(statement.next)
        elif isinstance(statement, Expr) and any(isinstance(part, Lambda) for part in children(statement)):
            expressions += children(statement)
    return expressions
