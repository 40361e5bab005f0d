"""The parts that all phases of an episode share, and the first phase: the interaction, in which rules are learned.

A phase offers actions as texts and takes one at a time. It knows no prompts: `telling` puts into words what is seen. In
the interaction there is no reward. Every action counts as a step, also `reset` and one that is not understood. `quit`
begins the test as `go-to-test` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, Protocol

from herobench.data.errors import UsageError
from herobench.suites.autumn.language.world import KEYS, AutumnWorld

Grid = Sequence[Sequence[str]]
"""Rows of colour names, from above."""
HIDDEN = "mask"
"""The colour name of a cell that is hidden."""
Refusal = Literal["unknown", "no-reset", "no-resets-left", "nothing-chosen"]
"""The reason for refusing an action: it is not offered; the test has no reset; all resets are used up; no frame is
chosen yet."""
QUIT, RESET = "quit", "reset"


class Still(NamedTuple):
    """One of several frames that one action led to."""

    time: int
    """The number of the frame since the start of the world, from 1."""
    action: str
    grid: Grid


@dataclass(frozen=True, slots=True)
class WorldSeen:
    """The frame of a world."""

    grid: Grid
    stills: tuple[Still, ...] = ()
    """All frames since the action, if each action is followed by more steps."""


@dataclass(frozen=True, slots=True)
class GoalSeen:
    """The frame of a world, with the goal."""

    grid: Grid
    goal: Grid
    mask: Sequence[Sequence[int]]
    """1 for cells that must look as in the goal."""
    shown: Grid
    """The goal, in which the cells that do not count are hidden."""


def hide_free_cells(goal: Grid, mask: Sequence[Sequence[int]]) -> Grid:
    """Return a goal in which the cells that do not count are hidden."""
    return tuple(
        tuple(color if counts else HIDDEN for color, counts in zip(colors, flags, strict=True))
        for colors, flags in zip(goal, mask, strict=True)
    )


@dataclass(frozen=True, slots=True)
class FilmSeen:
    """A frame of a recorded trajectory."""

    grid: Grid
    position: int
    last: int
    action: str
    """The action before this frame; `start` for frame 0."""
    choices: Sequence[Grid] | None
    """The choices; None until the last frame was shown once."""


@dataclass(frozen=True, slots=True)
class StoredSeen:
    """A stored frame, while the first changed frame is looked for."""

    grid: Grid
    number: int
    chosen: bool
    """True if the player chose this frame; False when the search begins."""


Seen = WorldSeen | GoalSeen | FilmSeen | StoredSeen


class TestResult(NamedTuple):
    """The end of a test, with its scores."""

    ending: Literal["solved", "answered", "quit"]
    score: float
    """From 0 to 1, as in the paper."""
    reference_reward: float
    """From -1 to 1, as in the published code: a wrong answer, or one that is too early, costs 1."""


class Phase(Protocol):
    """A part of an episode."""

    @property
    def offered(self) -> tuple[str, ...]:
        """The actions that are offered now."""
        ...

    @property
    def seen(self) -> Seen:
        """The view of the player now."""
        ...

    def act(self, action: str) -> Refusal | None:
        """Do one action. Return the reason if it was refused, else None. Raise AutumnError if the program fails."""
        ...


class TestPhase(Phase, Protocol):
    """The second phase: a challenge."""

    result: TestResult | None
    """None until the test is over."""


@cache
def moves(size: int) -> tuple[str, ...]:
    """Return the actions that step a world of this size. The action for clicks is a template."""
    return (*KEYS, f"click [0-{size - 1}] [0-{size - 1}]", "noop")


def move(world: AutumnWorld, action: str) -> bool:
    """Do a step of a world. Return False if the text names no move."""
    try:
        world.act(action)
    except UsageError:
        return False
    return True


GO_TO_TEST = "go-to-test"
Stack = Literal["off", "all", "last"]
"""The idle steps of a second after each action: none (`off`), with all their frames shown (`all`), or only the last one
(`last`)."""
_MOST_STILLS = 60
"""The most frames of one action, even if a program sets a higher rate."""


class Interaction:
    """The interaction with one world."""

    def __init__(
        self, start: Callable[[], AutumnWorld], most: int, stack: Stack = "off", resets: int | None = None
    ) -> None:
        """`resets` limits how often the world may start again; None sets no limit."""
        self._start, self._most, self._stack = start, most, stack
        self.resets_left = resets
        self._world = start()
        self.seen = WorldSeen(self._world.grid)
        self.steps = 0
        self.over = False

    @property
    def world(self) -> AutumnWorld:
        """The world that the player acts in."""
        return self._world

    @property
    def offered(self) -> tuple[str, ...]:
        """The actions, in the order of the published code."""
        return (*moves(self._world.size), QUIT, GO_TO_TEST, *([RESET] if self.resets_left != 0 else []))

    def act(self, action: str) -> Refusal | None:
        """Do one action."""
        self.steps += 1
        if action in (GO_TO_TEST, QUIT):
            self.over = True
            return None
        self.over = self.steps >= self._most
        if action == RESET:
            if self.resets_left == 0:
                return "no-resets-left"
            self.resets_left = None if self.resets_left is None else self.resets_left - 1
            self._world = self._start()
        elif not move(self._world, action):
            return "unknown"
        elif self._stack != "off":
            self.seen = self._stack_frames(action)
            return None
        self.seen = WorldSeen(self._world.grid)
        return None

    def _stack_frames(self, action: str) -> WorldSeen:
        """Return the frame after the action and a second of idle steps, with the frames between if they are shown."""
        world = self._world
        stills = [Still(world.steps + 1, action, world.grid)]
        for _ in range(min(world.frame_rate, _MOST_STILLS) - 1):
            world.act("noop")
            if self._stack == "all":
                stills.append(Still(world.steps + 1, "noop", world.grid))
        return WorldSeen(world.grid, tuple(stills) if self._stack == "all" else ())
