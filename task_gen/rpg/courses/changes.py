"""The fewest changes of gear with which a hero wins all fights of a course, in whatever loadouts win.

A course has fights in a fixed order, and hunts, each of which may come anywhere before its deadline. Between two fights
the hero changes from a loadout that wins the one to a loadout that wins the other. The cost of a change is the number
of slots that are emptied and filled, so all that matters of the past is what he wears, which fights are over and which
hunts. The search goes through these states fight by fight and keeps the least cost of each: it is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.task_gen.rpg.courses.armory import EMPTY, Choice, Choices

Costs = NDArray[np.int32]


def effort(now: Choices, then: Choices) -> Costs:
    """Return the actions of a change from each of some loadouts (rows) to each of others (columns)."""
    differ = now[:, None, :] != then[None, :, :]
    # a slot is emptied, unless it is empty, and filled, unless it stays so
    filled = (now != EMPTY)[:, None, :].astype(np.int32) + (then != EMPTY)[None, :, :]
    costs: Costs = (differ * filled).sum(axis=2, dtype=np.int32)
    return costs


class PlannedFight(NamedTuple):
    """A fight in the order of a plan: a goal, or a hunt before the goal of that number."""

    foe: int
    goal: int
    is_hunt: bool
    worn: Choice


@dataclass(frozen=True)
class Changes:
    """The least cost of all changes, and a way to win with it."""

    cost: int
    fights: Sequence[PlannedFight]


class _Stage(NamedTuple):
    """The fights that are over, and the last of them."""

    goals: int
    hunts: int
    """The hunts that are over, as bits."""
    last: int
    """The number of the last foe; -1 at the start."""
    is_hunt: bool = False
    """True if the last foe was hunted: a goal may ask for it as well."""


def fewest_changes(
    start: Choice, winners: Sequence[Choices], goals: Sequence[int], deadlines: Mapping[int, int]
) -> Changes:
    """Return the cheapest way to win.

    `winners` has the loadouts that beat each foe, at least one, `goals` the foes in their order, and `deadlines` the
    hunted foes, each with the number of the goal before which it has to be beaten.
    """
    return _Search(np.array([start], np.int8), winners, goals, deadlines).best()


class _Search:
    def __init__(
        self, start: Choices, winners: Sequence[Choices], goals: Sequence[int], deadlines: Mapping[int, int]
    ) -> None:
        self._start = start
        self._winners = winners
        self._goals = goals
        self._hunts = list(deadlines)
        self._deadlines = list(deadlines.values())
        self._efforts: dict[tuple[int, int], Costs] = {}
        self._costs: dict[_Stage, Costs] = {_Stage(0, 0, -1): np.zeros(len(start), np.int32)}
        self._from: dict[_Stage, tuple[NDArray[np.int64], Sequence[_Stage]]] = {}

    def best(self) -> Changes:
        """Fill in the stages in their order, and walk back from the cheapest end."""
        everything = (1 << len(self._hunts)) - 1
        for goals in range(len(self._goals) + 1):
            for hunts in range(everything + 1):
                self._reach(goals, hunts)
        ends = [stage for stage in self._costs if stage.goals == len(self._goals) and stage.hunts == everything]
        end = min(ends, key=lambda stage: int(self._costs[stage].min()))
        return Changes(int(self._costs[end].min()), list(self._walked(end))[::-1])

    def _reach(self, goals: int, hunts: int) -> None:
        """Fill in the stages after some goals and hunts. All stages with fewer of either are filled in."""
        late = any(goals > due and not hunts >> hunt & 1 for hunt, due in enumerate(self._deadlines))
        if late:
            return
        if goals:
            self._fill(_Stage(goals, hunts, self._goals[goals - 1]), self._stages(goals - 1, hunts))
        for hunt, foe in enumerate(self._hunts):
            if hunts >> hunt & 1 and goals <= self._deadlines[hunt]:
                self._fill(_Stage(goals, hunts, foe, True), self._stages(goals, hunts & ~(1 << hunt)))

    def _stages(self, goals: int, hunts: int) -> list[_Stage]:
        stages = [_Stage(goals, hunts, -1), *(_Stage(goals, hunts, foe, True) for foe in self._hunts)]
        if goals:
            stages.append(_Stage(goals, hunts, self._goals[goals - 1]))
        return [stage for stage in stages if stage in self._costs]

    def _fill(self, stage: _Stage, before: Sequence[_Stage]) -> None:
        if not before:
            return
        ways = np.vstack([self._costs[each][:, None] + self._effort(each.last, stage.last) for each in before])
        self._costs[stage] = ways.min(axis=0)
        self._from[stage] = ways.argmin(axis=0), before

    def _effort(self, now: int, then: int) -> Costs:
        if (now, then) not in self._efforts:
            worn = self._start if now < 0 else self._winners[now]
            self._efforts[now, then] = effort(worn, self._winners[then])
        return self._efforts[now, then]

    def _walked(self, stage: _Stage) -> Iterator[PlannedFight]:
        """Yield the fights of the cheapest way to a stage, the last one first."""
        place = int(self._costs[stage].argmin())
        while stage.last >= 0:
            worn = tuple(int(piece) for piece in self._winners[stage.last][place])
            yield PlannedFight(stage.last, stage.goals - (not stage.is_hunt), stage.is_hunt, worn)
            rows, before = self._from[stage]
            row = int(rows[place])
            for each in before:
                if row < len(self._costs[each]):
                    stage, place = each, row
                    break
                row -= len(self._costs[each])
