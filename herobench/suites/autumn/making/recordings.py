"""Records random play, and continues a recording in several ways: the choices of a prediction are their last frames.

Actions that change the view are preferred. The ways in which a recording goes on do the same actions in another order,
so counts of the actions do not tell which of them was taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from herobench.suites.autumn.episode.challenge import Grid, freeze_grid
from herobench.suites.autumn.language.world import KEYS, AutumnWorld

_TRIES = 4
"""The most actions that are drawn for a step. The first one that changes something is done."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A trajectory: frame 0 is the start, and frame k follows action k - 1."""

    actions: tuple[str, ...]
    frames: tuple[Grid, ...]

    @property
    def last(self) -> Grid:
        """The last frame."""
        return self.frames[-1]


def replay(world: AutumnWorld, actions: Iterable[str]) -> Trajectory:
    """Do actions in a world, and return the trajectory. Raise AutumnError if the program fails."""
    so_far, frames = list[str](), [freeze_grid(world.grid)]
    for action in actions:
        world.act(action)
        so_far.append(action)
        frames.append(freeze_grid(world.grid))
    return Trajectory(tuple(so_far), tuple(frames))


def record(world: AutumnWorld, random: Random, steps: int) -> Trajectory:
    """Play a world for some steps, and return the trajectory. Raise AutumnError if the program fails."""
    return replay(world, (sensible_action(world, random) for _ in range(steps)))


Likeness = Literal["end", "order"]
"""How much the order of actions is alike on the ways to go on: the last actions stay where they are, or none does."""
LIKENESSES: tuple[Likeness, ...] = get_args(Likeness)
_END = 2
"""The last actions that stay where they are."""


def continuations(
    world: AutumnWorld, likeness: Likeness, random: Random, steps: int, count: int
) -> Iterator[Trajectory]:
    """Yield trajectories from a state. Raise AutumnError if the program fails."""
    actions = record(world.clone(), random, steps).actions
    free = steps - _END if likeness == "end" else steps
    for _ in range(count):
        yield replay(world.clone(), (*random.sample(actions[:free], free), *actions[free:]))


def are_alike(likeness: Likeness, ways: Sequence[Sequence[str]]) -> bool:
    """Return whether sequences of actions have in common what ways of a likeness have."""
    ends = {tuple(way[-_END:]) for way in ways} if likeness == "end" else ()
    return len(ends) < 2 and len({tuple(sorted(way)) for way in ways}) == 1


def sensible_action(world: AutumnWorld, random: Random) -> str:
    """Return a random action that changes the next frame, or a drawn `noop`; after a few tries, the last one."""
    after_waiting = _after(world, "noop")
    action = "noop"
    for _ in range(_TRIES):
        action = likely_action(world, random)
        if action == "noop" or _after(world, action) != after_waiting:
            return action
    return action


def likely_action(world: AutumnWorld, random: Random) -> str:
    """Return a random action. Clicks on drawn cells are more likely than clicks beside."""
    kind = random.choice(("noop", "click", "click", *KEYS))
    if kind != "click":
        return kind
    grid, background = world.grid, world.background
    pixels = [(x, y) for y, row in enumerate(grid) for x, color in enumerate(row) if color != background]
    if pixels and random.random() < 0.6:
        x, y = random.choice(pixels)
        return f"click {x} {y}"
    return f"click {random.randrange(world.size)} {random.randrange(world.size)}"


def _after(world: AutumnWorld, action: str) -> list[list[str]]:
    next_world = world.redrawn()
    next_world.act(action)
    return next_world.grid
