"""Records random play, and continues a recording in several ways: the choices of a prediction are their last frames.

Actions that change the view are preferred. The ways in which a recording goes on have as much in common as the world
allows, so that counts of the actions do not tell which of them was taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, get_args

from herobench.suites.autumn.episode.challenge import Grid, Mask, freeze_grid, start_world
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.world import KEYS, AutumnWorld

_TRIES = 4
"""The most actions that are drawn for a step. The first one that changes something is done."""
_KEY = "key"
"""The kind of all actions that press a key."""


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


Mode = Literal["order", "pool", "kinds"]
"""What the ways to go on have in common: all of their actions, so that only the order differs; the actions that they
are drawn from; or the kinds of their actions only."""
MODES: tuple[Mode, ...] = get_args(Mode)


def continuations(world: AutumnWorld, mode: Mode, random: Random, steps: int, count: int) -> Iterator[Trajectory]:
    """Yield trajectories from a state. Raise AutumnError if the program fails."""
    actions = record(world.clone(), random, steps).actions
    kinds = [_kind(action) for action in actions]
    pools = {kind: [action for action in actions if _kind(action) == kind] for kind in kinds}
    for _ in range(count):
        other = world.clone()
        if mode == "order":
            yield replay(other, random.sample(actions, steps))
        elif mode == "pool":
            yield replay(other, [random.choice(pools[kind]) for kind in kinds])
        else:
            yield replay(other, (sensible_action(other, random, kind) for kind in kinds))


def _kind(action: str) -> str:
    return _KEY if action in KEYS else action.split()[0]


def sensible_action(world: AutumnWorld, random: Random, kind: str | None = None) -> str:
    """Return a random action that changes the next frame, or a drawn `noop`; after a few tries, the last one."""
    after_waiting = _after(world, "noop")
    action = "noop"
    for _ in range(_TRIES):
        action = likely_action(world, random, kind)
        if action == "noop" or _after(world, action) != after_waiting:
            return action
    return action


def likely_action(world: AutumnWorld, random: Random, kind: str | None = None) -> str:
    """Return a random action, of a kind if it is given. Clicks on drawn cells are more likely than clicks beside."""
    kind = kind or random.choice(("noop", "click", "click", *KEYS))
    if kind == _KEY:
        return random.choice(KEYS)
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


def origin_content(
    origin: Mapping[str, Any], program: str, seed: int, recording: Trajectory, mask: Mask
) -> Grid | None:
    """Return the content of the rectangle after the other last actions of an origin; None if the program fails."""
    try:
        return mask.cut(
            replay(start_world(program, seed), (*recording.actions[: origin["from"]], *origin["actions"])).last
        )
    except AutumnError:
        return None
