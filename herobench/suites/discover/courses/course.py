"""What a course is: gear, foes, goals in order and the work for the gear that the hero lacks, with its shortest plan.

The length of a course is the number of actions of its shortest plan over all ways to win, in whatever gear. It has four
parts, which do not depend on each other, so their least sums are the least sum:

- changes of gear: the exact search of `fewest_changes`;
- fights: one for each goal, and one for each hunt that a lacking piece takes;
- crafts: one for each goal of a craft, each lacking piece and each refined material that it takes;
- moves: one for each goal at another place than the one before, and one for each other place that has to be visited.

A course has fights in a fixed order, and hunts, each of which may come anywhere before its deadline. Between two fights
the hero changes from a loadout that wins the one to a loadout that wins the other. The cost of a change is the number
of slots that are emptied and filled, so all that matters of the past is what he wears, which fights are over and which
hunts. The search goes through these states fight by fight and keeps the least cost of each: it is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.discover.courses.armory import EMPTY, SLOTS, Choice, Choices, CourseArmory, CourseFoe

_METALS, _WOODS = 3, 2
GEMS = 2
"""The numbers of materials of a course in which something is made."""
_SHOP_OF = {"weapon": "weapon", "ring": "jewel", "amulet": "jewel"}
"""The purpose of the workshop for a slot, where it is not that of armor."""

Piece = tuple[int, int]
"""The numbers of a slot and of a piece for it."""


class Aim(NamedTuple):
    """A goal: to beat a foe, or to craft a refined material."""

    kind: str
    number: int

    @property
    def stop(self) -> Stop:
        """The place where the goal is reached."""
        return ("foe", self.number) if self.kind == "kill" else ("shop", PRODUCTS[self.number].kind)


class CourseMaterial(NamedTuple):
    """A material: raw from a node of its own or refined from one, or a drop of a hunted foe."""

    kind: str
    """`metal`, `wood`, `gem` or `drop`."""
    number: int

    @property
    def is_refined(self) -> bool:
        """True for metals and woods, which are refined before use."""
        return self.kind in ("metal", "wood")


Recipe = Mapping[CourseMaterial, int]


@dataclass(frozen=True)
class Course:
    """A course with its shortest plan."""

    armory: CourseArmory
    foes: Sequence[CourseFoe]
    aims: Sequence[Aim]
    start: Choice
    fights: Sequence[PlannedFight]
    """The fights of the plan in their order, with what is worn for each."""
    cost: int
    """The least cost of changes."""
    recipes: Mapping[Piece, Recipe] = field(default_factory=dict)
    """What the pieces are made of that the hero lacks, needed or not."""
    hunted: Mapping[Piece, int] = field(default_factory=dict)
    """The foe whose drop a lacking piece takes."""
    needed: frozenset[Piece] = frozenset()
    """The lacking pieces that every way to win has to make."""
    shops: Mapping[Piece, str] = field(default_factory=dict)
    """The purposes of the workshops of pieces that are not made where others for their slots are."""
    ores: int = 6
    """The pieces of raw material in a refined one."""

    def shop(self, piece: Piece) -> str:
        """Return the purpose of the workshop in which a piece is made."""
        return self.shops.get(piece, _SHOP_OF.get(SLOTS[piece[0]], "armor"))

    @property
    def materials(self) -> Counter[CourseMaterial]:
        """The number of each material that the needed pieces and the crafts of goals take."""
        total: Counter[CourseMaterial] = Counter()
        for piece in self.needed:
            total.update(self.recipes[piece])
        total.update(PRODUCTS[aim.number] for aim in self.aims if aim.kind == "craft")
        return total

    @property
    def hunts(self) -> set[int]:
        """The foes that every way to win has to hunt."""
        return {self.hunted[piece] for piece in self.needed if piece in self.hunted}

    @property
    def actions(self) -> int:
        """The least number of actions over all ways to win."""
        materials = self.materials
        raw = [material for material in materials if material.kind != "drop"]
        due = Counter(aim.number for aim in self.aims if aim.kind == "craft")
        refined_uses = Counter(
            material for piece in self.needed for material in self.recipes[piece] if material.is_refined
        )
        # a piece that a goal asks for may be used afterwards, so the larger number counts
        refinements = sum(
            max(due[PRODUCTS.index(material)], 1) for material in refined_uses.keys() | {PRODUCTS[n] for n in due}
        )
        fights = len(foes_in(self.aims)) + len(self.hunts)
        return self.cost + fights + len(raw) + refinements + len(self.needed) + self._moves(raw, refined_uses)

    def _moves(self, raw: Sequence[CourseMaterial], refined_uses: Mapping[CourseMaterial, int]) -> int:
        stops = [aim.stop for aim in self.aims]
        goals = 1 + sum(one != other for one, other in pairwise(stops))
        others: set[Stop] = {("node", material) for material in raw} | {("foe", foe) for foe in self.hunts}
        others |= {("shop", self.shop(piece)) for piece in self.needed}
        others |= {("shop", material.kind) for material in refined_uses}
        return goals + len(others.difference(stops))


PRODUCTS = tuple(
    CourseMaterial(kind, number) for kind, count in (("metal", _METALS), ("wood", _WOODS)) for number in range(count)
)
"""The refined materials, which goals may ask for."""


Stop = tuple[str, object]
"""A place that has to be visited: a node, a foe or a workshop."""


def foes_in(aims: Sequence[Aim]) -> list[int]:
    """Return the foes that goals ask for, in their order."""
    return [aim.number for aim in aims if aim.kind == "kill"]


def first_uses(course: Course) -> dict[Piece, int]:
    """Return the pieces that are put on, each with the number of goals that are reached before."""
    worn, first_goals = set(enumerate(course.start)), dict[Piece, int]()
    for fight in course.fights:
        for piece in enumerate(fight.worn):
            if piece not in worn and piece[1] != EMPTY:
                first_goals.setdefault(piece, fight.goal)
    return first_goals


# -- the fewest changes -----------------------------------------------------------------------------------------------

Costs = NDArray[np.int32]


def effort(now: Choices, then: Choices) -> Costs:
    """Return the actions of a change from each of some loadouts (rows) to each of others (columns)."""
    differ = now[:, None, :] != then[None, :, :]
    # a slot is emptied, unless it is empty, and filled, unless it stays so
    steps = (now != EMPTY)[:, None, :].astype(np.int32) + (then != EMPTY)[None, :, :]
    costs: Costs = (differ * steps).sum(axis=2, dtype=np.int32)
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
        self._start, self._winners, self._goals = start, winners, goals
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
        return Changes(int(self._costs[end].min()), list(self._fights_to(end))[::-1])

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

    def _fights_to(self, stage: _Stage) -> Iterator[PlannedFight]:
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
