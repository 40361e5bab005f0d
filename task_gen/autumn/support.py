"""What a masked rectangle can show, given everything that was seen: the support of a prediction.

A program that draws no random numbers has one future. Of one that does, all worlds are followed that agree with what
was seen. Where the outcomes are too many they are sampled: then the support has contents that are possible, and
may lack others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from herobench.suites.autumn.episode.challenge import Grid, Mask, grid_of
from herobench.suites.autumn.language.chance import Chance
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, Program, draws, restored
from herobench.suites.autumn.language.world import World
from herobench.task_gen.autumn.detection import Outcomes, outcomes, stepped, truly_drawn
from herobench.task_gen.autumn.near_misses import Trajectory
from herobench.task_gen.autumn.search import state_key

_TRIES = 1000
_WEIGHT = 3
"""The weight of the similarity: it is what near misses tell first."""


@dataclass(frozen=True, slots=True)
class PredictionQuery:
    """How a prediction should look, so that a set of them is balanced."""

    position: int
    """The number of the right choice."""
    spread: int
    """The rank of the right choice by its distance from the others, from 0 for the nearest to 5."""
    drawn: int
    """Its rank by the number of cells that are not background."""
    moved: int
    """Its rank by the distance from what was last seen."""
    still: bool
    """Whether the right choice is what was last seen."""


def wanted(seed: int | str, number: int) -> PredictionQuery:
    """Return how the prediction of a number should look. In each six in a row every rank and position stands once."""
    block, at = divmod(number, 6)
    orders = []
    for measure in ("position", "spread", "drawn", "moved", "still"):
        order = list(range(6))
        Random(f"{seed}/{block}/{measure}").shuffle(order)  # noqa: S311  a draw, no secret
        orders.append(order[at])
    return PredictionQuery(orders[0], orders[1], orders[2], orders[3], orders[4] == 0)


def chosen(
    truth: Grid, wrong: Sequence[Grid], last_seen: Grid, background: str, wish: PredictionQuery, random: Random
) -> list[Grid]:
    """Return five of the wrong contents. What was last seen is among the six whenever it can be."""
    contents = [truth, *wrong]
    apart = [[distance(one, other) for other in contents] for one in contents]
    drawn = [sum(color != background for row in content for color in row) for content in contents]
    moved = [distance(content, last_seen) for content in contents]
    forced = [number for number, content in enumerate(contents) if number and content == last_seen]
    others = [number for number, content in enumerate(contents) if number and content != last_seen]
    best: tuple[float, list[int]] | None = None
    for _ in range(_TRIES):
        six = [0, *forced, *random.sample(others, 5 - len(forced))]
        spread = [sum(apart[one][other] for other in six) for one in six]
        cost = (
            _WEIGHT * abs(_rank(spread) - wish.spread)
            + abs(_rank([drawn[one] for one in six]) - wish.drawn)
            + abs(_rank([moved[one] for one in six]) - wish.moved)
        )
        if best is None or cost < best[0]:
            best = cost, six
    assert best is not None
    return [contents[number] for number in best[1][1:]]


def distance(one: Grid, other: Grid) -> int:
    """Return the number of cells that differ."""
    return sum(a != b for mine, others in zip(one, other, strict=True) for a, b in zip(mine, others, strict=True))


def _rank(values: Sequence[int]) -> float:
    """Return the rank of the first value; equal ones share theirs."""
    first, *others = values
    return sum(value < first for value in others) + sum(value == first for value in others) / 2


_PER_STEP = 400
"""Outcomes that are looked at in one step."""

How = Literal["deterministic", "enumerated", "sampled"]


@dataclass(frozen=True, slots=True)
class Support:
    """What the rectangle can show in the last frame."""

    contents: frozenset[Grid]
    worlds: int
    """Different worlds that agree with what was seen."""
    how: How

    def as_row(self) -> dict[str, object]:
        """Return the sizes as plain data."""
        return {"how": self.how, "contents": len(self.contents), "worlds": self.worlds}


@dataclass(frozen=True, slots=True)
class Belief:
    """Worlds that agree with what was seen so far. The first one is the true one."""

    worlds: tuple[World, ...]
    complete: bool


class Observer:
    """Follows the worlds that agree with the frames of a recording."""

    def __init__(self, program: str, seed: int, recording: Trajectory) -> None:
        self.recording = recording
        self._program: Program = restored(program, "", DEFAULT_LIMITS)
        self._seed = seed
        self.draws = draws(self._program)

    def before(self, frame: int) -> Belief:
        """Return the worlds that agree with all frames before one."""
        belief = self._start()
        for step in range(frame - 1):
            belief = self._after(belief, step, None)
        return belief

    def support(self, mask: Mask, belief: Belief) -> Support:
        """Return what a rectangle can show at the end. `belief` is that before the rectangle was hidden."""
        truth = mask.cut(self.recording.last)
        if not self.draws:
            return Support(frozenset({truth}), 1, "deterministic")
        for step in range(mask.since - 1, len(self.recording.actions)):
            belief = self._after(belief, step, mask)
        contents = frozenset(mask.cut(world.grid) for world in belief.worlds)
        return Support(contents, len(belief.worlds), "enumerated" if belief.complete else "sampled")

    def _start(self) -> Belief:
        truth = self._program.start(self._seed, generator="even")
        if not self.draws:
            return Belief((truth,), True)
        found = outcomes(self._started, _PER_STEP, truly_drawn(self._started, self._seed), self._random(0))
        return self._agreeing(truth, [found], 0, None)

    def _random(self, frame: int) -> Random:
        """Return what samples the outcomes of a frame. It depends on nothing else, so a proof draws the same sample."""
        return Random(f"{self._seed}/{frame}")  # noqa: S311  a sample, no secret

    def _started(self, chance: Chance) -> World:
        return self._program.start(chance, generator="even")

    def _after(self, belief: Belief, step: int, mask: Mask | None) -> Belief:
        """Return the worlds after an action that agree with the frame after it."""
        action = self.recording.actions[step]
        true = belief.worlds[0]
        draw = stepped(true, action)
        truth = draw(true.chance)
        if not self.draws:
            return Belief((truth,), True)
        numbers = truly_drawn(draw, true.chance)
        each = max(1, _PER_STEP // len(belief.worlds))
        random = self._random(step + 1)
        found = [outcomes(stepped(world, action), each, numbers, random) for world in belief.worlds]
        after = self._agreeing(truth, found, step + 1, mask)
        return Belief(after.worlds, after.complete and belief.complete)

    def _agreeing(self, truth: World, found: Sequence[Outcomes], frame: int, mask: Mask | None) -> Belief:
        seen = _seen_in(self.recording.frames[frame], mask)
        kept = {state_key(truth, chance=False): truth}
        for outcome in found:
            for world in outcome.worlds:
                if seen(world):
                    kept.setdefault(state_key(world, chance=False), world)
        worlds = tuple(kept.values())
        complete = all(outcome.complete for outcome in found) and len(worlds) <= _PER_STEP
        return Belief(worlds[:_PER_STEP], complete)


def _seen_in(frame: Grid, mask: Mask | None) -> Callable[[World], bool]:
    """Return what says whether a world shows a frame beside the rectangle."""
    wanted = beside(frame, mask)
    return lambda world: beside(grid_of(world.grid), mask) == wanted


def beside(frame: Grid, mask: Mask | None) -> Grid:
    """Return a frame without the cells of a rectangle."""
    if mask is None:
        return frame
    left, right = mask.column, mask.column + mask.width
    rows = range(mask.row, mask.row + mask.height)
    return tuple((*row[:left], *row[right:]) if y in rows else row for y, row in enumerate(frame))
