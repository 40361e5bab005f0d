"""Records play that shows something: actions are drawn, and those that change what is seen are preferred."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from herobench.suites.autumn.episode.challenge import Grid, grid_of
from herobench.suites.autumn.language.world import KEYS, World

_TRIES = 4
"""Actions that are drawn for each step, of which the first that changes something is done."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A trajectory: frame 0 is the start, and frame k follows action k - 1."""

    actions: tuple[str, ...]
    frames: tuple[Grid, ...]

    @property
    def last(self) -> Grid:
        """The last frame."""
        return self.frames[-1]


def replayed(world: World, actions: tuple[str, ...]) -> Trajectory:
    """Do actions in a world, and return what is seen. Raises AutumnError."""
    frames = [grid_of(world.grid)]
    for action in actions:
        world.act(action)
        frames.append(grid_of(world.grid))
    return Trajectory(actions, tuple(frames))


def recorded(world: World, random: Random, steps: int) -> Trajectory:
    """Play a world for some steps, and return what was done and seen. Raises AutumnError."""
    frames = [grid_of(world.grid)]
    actions: list[str] = []
    for _ in range(steps):
        action = sensible_action(world, random)
        world.act(action)
        actions.append(action)
        frames.append(grid_of(world.grid))
    return Trajectory(tuple(actions), tuple(frames))


def sensible_action(world: World, random: Random) -> str:
    """Return an action that changes the next frame if one of a few is found, else any of them."""
    waited = _after(world, "noop")
    action = "noop"
    for _ in range(_TRIES):
        action = likely_action(world, random)
        if action == "noop" or _after(world, action) != waited:
            return action
    return action


def likely_action(world: World, random: Random) -> str:
    """Return a random action; a click is more likely on what is drawn than beside it."""
    kind = random.choice(("noop", "click", "click", *KEYS))
    if kind != "click":
        return kind
    grid, background = world.grid, world.background
    drawn = [(x, y) for y, row in enumerate(grid) for x, color in enumerate(row) if color != background]
    if drawn and random.random() < 0.6:
        x, y = random.choice(drawn)
        return f"click {x} {y}"
    return f"click {random.randrange(world.size)} {random.randrange(world.size)}"


def _after(world: World, action: str) -> list[list[str]]:
    made = world.redrawn()
    made.act(action)
    return made.grid
