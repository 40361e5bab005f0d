"""Lists the contents that a hidden rectangle can have in the last frame, given everything that was seen.

A program that draws no random numbers has one future. For other programs, all worlds that agree with the frames seen so
far are followed. If there are too many outcomes, they are sampled: then all contents of the support are possible, but
some may be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from herobench.suites.autumn.episode.challenge import Grid, Mask, freeze_grid
from herobench.suites.autumn.language.chance import Chance
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, Program, draws, restore
from herobench.suites.autumn.language.world import AutumnWorld
from herobench.suites.autumn.making.detection import How, Outcomes, outcomes, step_function, truly_drawn
from herobench.suites.autumn.making.recordings import Trajectory
from herobench.suites.autumn.making.search import state_key

_PER_STEP = 200
"""The most outcomes that are followed in one step."""


@dataclass(frozen=True, slots=True)
class Support:
    """The possible contents of the rectangle in the last frame."""

    contents: frozenset[Grid]
    worlds: int
    """The number of different worlds that agree with what was seen."""
    how: How

    def as_row(self) -> dict[str, object]:
        """Return the sizes as plain data."""
        return {"how": self.how, "contents": len(self.contents), "worlds": self.worlds}


Belief = Outcomes
"""Worlds that agree with what was seen so far. The first one is the true one."""


class Observer:
    """Follows the worlds that agree with the frames of a recording."""

    def __init__(self, program: str, seed: int, recording: Trajectory) -> None:
        self.recording = recording
        self._program: Program = restore(program, "", DEFAULT_LIMITS)
        self._seed = seed
        self.draws = draws(self._program)

    def before(self, frame: int) -> Belief:
        """Return the worlds that agree with all frames before one."""
        belief = self._start()
        for step in range(frame - 1):
            belief = self._after(belief, step, None)
        return belief

    def support(self, mask: Mask, belief: Belief) -> Support:
        """Return the support of a rectangle. `belief` has the worlds before the rectangle was hidden."""
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
            return Belief([truth], True)
        possible = outcomes(self._start_anew, _PER_STEP, truly_drawn(self._start_anew, self._seed), self._random(0))
        return self._agreeing(truth, [possible], 0, None)

    def _random(self, frame: int) -> Random:
        """Return the generator that samples the outcomes of a frame. A proof gets the same one for the same frame."""
        return Random(f"{self._seed}/{frame}")  # noqa: S311  a sample, no secret

    def _start_anew(self, chance: Chance) -> AutumnWorld:
        return self._program.start(chance, generator="even")

    def _after(self, belief: Belief, step: int, mask: Mask | None) -> Belief:
        """Return the worlds after an action that agree with the frame after it."""
        action = self.recording.actions[step]
        true = belief.worlds[0]
        draw = step_function(true, action)
        truth = draw(true.chance)
        if not self.draws:
            return Belief([truth], True)
        numbers = truly_drawn(draw, true.chance)
        each = max(1, _PER_STEP // len(belief.worlds))
        random = self._random(step + 1)
        results = [outcomes(step_function(world, action), each, numbers, random) for world in belief.worlds]
        after = self._agreeing(truth, results, step + 1, mask)
        return Belief(after.worlds, after.complete and belief.complete)

    def _agreeing(self, truth: AutumnWorld, results: Sequence[Outcomes], frame: int, mask: Mask | None) -> Belief:
        agrees = _seen_in(self.recording.frames[frame], mask)
        distinct = {state_key(truth, chance=False): truth}
        for outcome in results:
            for world in outcome.worlds:
                if agrees(world):
                    distinct.setdefault(state_key(world, chance=False), world)
        worlds = list(distinct.values())
        complete = all(outcome.complete for outcome in results) and len(worlds) <= _PER_STEP
        return Belief(worlds[:_PER_STEP], complete)


def _seen_in(frame: Grid, mask: Mask | None) -> Callable[[AutumnWorld], bool]:
    """Return a check whether a world shows a frame outside the rectangle."""
    surroundings = around(frame, mask)
    return lambda world: around(freeze_grid(world.grid), mask) == surroundings


def around(frame: Grid, mask: Mask | None) -> Grid:
    """Return a frame without the cells of a rectangle."""
    if mask is None:
        return frame
    left, right = mask.column, mask.column + mask.width
    rows = range(mask.row, mask.row + mask.height)
    return tuple((*row[:left], *row[right:]) if y in rows else row for y, row in enumerate(frame))
