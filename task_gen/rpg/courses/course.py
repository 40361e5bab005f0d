"""What a course is: gear, foes, goals in order and the work for the gear that the hero lacks, with its shortest plan.

The length of a course is the number of actions of its shortest plan over all ways to win, in whatever gear. It has four
parts, which do not depend on each other, so their least sums are the least sum:

- changes of gear: the exact search of `changes`;
- fights: one for each goal, and one for each hunt that a lacking piece takes;
- crafts: one for each goal of a craft, each lacking piece and each refined material that it takes;
- moves: one for each goal at another place than the one before, and one for each other place that has to be visited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from herobench.task_gen.rpg.courses.armory import BETWEEN, EMPTY, SLOTS, Choice, CourseArmory, CourseFoe
from herobench.task_gen.rpg.courses.changes import PlannedFight

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
    def hulls(self) -> int:
        """The fewest pieces between two others that a loadout has on which wins a goal."""
        winners = (self.foes[foe].winners for foe in set(kills_of(self.aims)))
        return min(int((won == BETWEEN).sum(axis=1).min()) for won in winners)

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
        used = Counter(material for piece in self.needed for material in self.recipes[piece] if material.is_refined)
        # a piece that a goal asks for may be used afterwards, so the larger number counts
        refined = sum(max(due[PRODUCTS.index(material)], 1) for material in used.keys() | {PRODUCTS[n] for n in due})
        fights = len(kills_of(self.aims)) + len(self.hunts)
        return self.cost + fights + len(raw) + refined + len(self.needed) + self._moves(raw, used)

    def _moves(self, raw: Sequence[CourseMaterial], used: Mapping[CourseMaterial, int]) -> int:
        stops = [stop_of(aim) for aim in self.aims]
        goals = 1 + sum(one != other for one, other in pairwise(stops))
        others: set[Stop] = {("node", material) for material in raw} | {("foe", foe) for foe in self.hunts}
        others |= {("shop", self.shop(piece)) for piece in self.needed}
        others |= {("shop", material.kind) for material in used}
        return goals + len(others.difference(stops))


PRODUCTS = tuple(
    CourseMaterial(kind, number) for kind, count in (("metal", _METALS), ("wood", _WOODS)) for number in range(count)
)
"""The refined materials, which goals may ask for."""


Stop = tuple[str, object]
"""A place that has to be visited: a node, a foe or a workshop."""


def kills_of(aims: Sequence[Aim]) -> list[int]:
    """Return the foes that goals ask for, in their order."""
    return [aim.number for aim in aims if aim.kind == "kill"]


def stop_of(aim: Aim) -> Stop:
    """Return the place where a goal is reached."""
    return ("foe", aim.number) if aim.kind == "kill" else ("shop", PRODUCTS[aim.number].kind)


def first_uses(course: Course) -> dict[Piece, int]:
    """Return the pieces that are put on, each with the number of goals that are reached before."""
    worn, found = set(enumerate(course.start)), dict[Piece, int]()
    for fight in course.fights:
        for piece in enumerate(fight.worn):
            if piece not in worn and piece[1] != EMPTY:
                found.setdefault(piece, fight.goal)
    return found
