"""Plans a mystery in a world that a player believes in: reads the course back from the world, and plans that course.

Everything that wins is computed anew from the believed world: which loadouts beat each monster, the fewest changes
between them, and the work for gear that the hero lacks. So the same function plans for the told world, for the inferred
one, and for the true one. It returns no plan if it finds none that wins in the believed world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from herobench.suites.discover.courses.armory import EMPTY, SLOTS, Choice, Choices, CourseArmory, CourseFoe
from herobench.suites.discover.courses.course import (
    PRODUCTS,
    Aim,
    Course,
    CourseMaterial,
    Piece,
    fewest_changes,
    foes_in,
)
from herobench.suites.discover.courses.draw import lazy
from herobench.suites.discover.courses.shard import Grounds, Shard, raw_material
from herobench.suites.discover.game.mystery import Truth
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.scoring import has_won
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Place
from herobench.task_gen.rpg.oracle.steps import Do, play

_PURPOSES = ("metal", "wood", "weapon", "armor", "jewel")
"""The purposes of the skills of a world of courses, in its order."""
_MOST_WINNERS = 300
"""The most loadouts that a plan considers for one monster: those nearest to the gear worn at the start."""


def plan(truth: Truth, task: Task) -> list[Do] | None:
    """Return the shortest plan that is known to win a task in a believed world; None if none is found."""
    course = CourseReader(truth, task).course()
    if course is None:
        return None
    steps = list(_as_gathered(truth, course.steps()))
    return steps if wins(truth, task, steps) else None


def wins(truth: Truth, task: Task, steps: Sequence[Do]) -> bool:
    """Return whether steps win a task in a world."""
    return has_won(task, truth.rules, play(steps, Game(*truth, task.hero, task.seed)).events)


def _as_gathered(truth: Truth, steps: Sequence[Do]) -> Iterator[Do]:
    """Yield steps that gather by swings and not by pieces, in as many visits as it takes.

    A course visits each of its nodes once, before all else.
    """
    world, rules = truth
    standing = world.standing("resource")
    swings: dict[Place, int] = {}
    for move, gathering in pairwise(steps):
        if gathering.action == "gather":
            (x, y), (pieces,) = move.args, gathering.args
            place = (int(x or 0), int(y or 0))
            swings[place] = -(-int(pieces or 0) // world.resources[standing[place]].drops[0].least)
    yield from visits(swings, rules.dry or max(swings.values(), default=0), world.start)
    yield from steps[2 * len(swings) :]


def visits(swings: Mapping[Place, int], most: int, elsewhere: Place) -> Iterator[Do]:
    """Yield visits of nodes, each of at most `most` swings. Two visits of one node have another place between them."""
    remaining, at = dict(swings), elsewhere
    while remaining:
        others = [place for place in remaining if place != at]
        # the node with the most visits left comes first, so that few places between are of no use
        at = max(others, key=lambda place: -(-remaining[place] // most), default=elsewhere)
        yield Do("move", at)
        if at in remaining:
            yield Do("gather", (min(remaining[at], most),))
            remaining[at] -= most
            if remaining[at] <= 0:
                del remaining[at]


class _Parts(NamedTuple):
    """The materials of a world by their codes, with their nodes."""

    refined: Mapping[Code, CourseMaterial]
    raw: Mapping[Code, CourseMaterial]
    """What nodes give, each as the material that comes of it."""
    dropped: Mapping[Code, CourseMaterial]


class CourseReader:
    """Reads a course back from a world of one course and its task."""

    def __init__(self, truth: Truth, task: Task) -> None:
        self._world, self._rules = truth
        self._task = task
        standing = {*self._world.standing("monster").values()}
        self._foes = [code for code in self._world.monsters if code in standing]
        self._skills = dict(zip(self._world.skills, _PURPOSES, strict=True))
        self._parts = self._read_parts()
        gear = [[item for item in self._world.items.values() if item.type == slot] for slot in SLOTS]
        self._codes: dict[object, Code] = {
            (slot, number): item.code for slot, items in enumerate(gear) for number, item in enumerate(items)
        }
        self._piece: dict[Code, Piece] = {code: piece for piece, code in self._codes.items()}  # type: ignore[misc]
        empty_slots = frozenset(slot for slot, name in enumerate(SLOTS) if name not in task.hero.worn)
        bare = Hero(self._world, replace(task.hero, worn={})).stats
        self.armory = CourseArmory([[item.worn for item in items] for items in gear], bare, self._rules, empty_slots)

    def course(self) -> Shard | None:
        """Return the course with a way to win it; None if some monster cannot be beaten or reached."""
        aims, start = self._aims(), self.choice(self._task.hero.worn)
        kills = foes_in(aims)
        recipes = self._recipes()
        all_winners = {foe: self._winners(foe) for foe in dict.fromkeys(kills)}
        if any(not len(winning) for winning in all_winners.values()):
            return None
        needed: set[Piece] = set()
        for winning in all_winners.values():
            needed |= _fewest_made(winning, set(recipes) - needed)
        winners = {foe: _without(own_winners, set(recipes) - needed) for foe, own_winners in all_winners.items()}
        return self._plan_shard(aims, start, recipes, needed, winners)

    def _winners(self, foe: int) -> Choices:
        return self.armory.winners(self._world.monsters[self._foes[foe]].stats)

    def _plan_shard(
        self,
        aims: Sequence[Aim],
        start: tuple[int, ...],
        recipes: Mapping[Piece, Mapping[CourseMaterial, int]],
        needed: set[Piece],
        winners: dict[int, Choices],
    ) -> Shard | None:
        kills = foes_in(aims)
        hunted = {piece: part.number for piece, parts in recipes.items() for part in parts if part.kind == "drop"}
        deadlines: dict[int, int] = {}
        for piece in needed & hunted.keys():
            due = _due(winners, kills, piece)
            if hunted[piece] not in kills[:due]:
                deadlines[hunted[piece]] = min(due, deadlines.get(hunted[piece], due))
        for foe in deadlines:
            if foe not in winners:
                winners[foe] = _without(self._winners(foe), set(recipes) - needed)
        if any(not len(winning) for winning in winners.values()):
            return None
        near = {foe: _nearest(winning, start) for foe, winning in winners.items()}
        foes = [
            CourseFoe(self._world.monsters[code].stats, near.get(number, np.empty((0, len(SLOTS)), np.int8)))
            for number, code in enumerate(self._foes)
        ]
        route = fewest_changes(start, [foe.winners for foe in foes], kills, deadlines)
        fights = lazy(foes, start, route.fights)
        course = Course(
            self.armory,
            foes,
            aims,
            start,
            fights,
            route.cost,
            recipes,
            hunted,
            frozenset(needed),
            self._shops,
            self._ores,
        )
        codes, places = self._things()
        return Shard.of_codes(course, codes, places, Grounds(self._world.elements, {}, self._workshops()))

    # -- what stands in the world -------------------------------------------------------------------------------------

    def _read_parts(self) -> _Parts:
        numbers = {kind: count() for kind in ("metal", "wood", "gem")}
        products: dict[Code, CourseMaterial] = {}
        raw: dict[Code, CourseMaterial] = {}
        for item in self._world.items.values():
            if item.type == "resource" and item.recipe:
                kind = self._skills[item.recipe.skill]
                products[item.code] = CourseMaterial(kind, next(numbers[kind]))
                raw[next(iter(item.recipe.ingredients))] = products[item.code]
        for code in self._world.nodes:
            if code not in raw:
                raw[code] = CourseMaterial("gem", next(numbers["gem"]))
        drops = {
            drop.item: CourseMaterial("drop", number)
            for number, code in enumerate(self._foes)
            for drop in self._world.monsters[code].drops
        }
        return _Parts(products, raw, drops)

    @property
    def _ores(self) -> int:
        recipes = (self._world.recipe_of(code) for code in self._parts.refined)
        return next((next(iter(recipe.ingredients.values())) for recipe in recipes if recipe), 1)

    @property
    def _shops(self) -> dict[Piece, str]:
        recipes = ((piece, self._world.recipe_of(code)) for code, piece in self._piece.items())
        return {piece: self._skills[recipe.skill] for piece, recipe in recipes if recipe}

    def _things(self) -> tuple[dict[object, Code], dict[object, Place]]:
        codes = dict(self._codes) | {("foe", number): code for number, code in enumerate(self._foes)}
        codes |= {material: code for code, material in self._parts.refined.items()}
        codes |= {material: code for code, material in self._parts.dropped.items()}
        codes |= {raw_material(material): code for code, material in self._parts.raw.items()}
        places: dict[object, Place] = {}
        for number, foe in enumerate(self._foes):
            places["foe", number] = self._world.places_of("monster", foe)[0]
        for code, material in self._parts.raw.items():
            places["node", material] = self._world.places_of("resource", self._world.nodes[code][0])[0]
        return codes, places

    def _workshops(self) -> dict[str, Place]:
        return {purpose: self._world.places_of("workshop", skill)[0] for skill, purpose in self._skills.items()}

    def _recipes(self) -> dict[Piece, dict[CourseMaterial, int]]:
        part_numbers = {**self._parts.raw, **self._parts.refined, **self._parts.dropped}
        return {
            piece: {part_numbers[part]: number for part, number in item.recipe.ingredients.items()}
            for code, piece in self._piece.items()
            if (item := self._world.items[code]).recipe
        }

    # -- the task -----------------------------------------------------------------------------------------------------

    def _aims(self) -> list[Aim]:
        return [
            Aim("kill", self._foes.index(goal.target))
            if goal.kind == "kill"
            else Aim("craft", PRODUCTS.index(self._parts.refined[goal.target]))
            for goal in self._task.goals
        ]

    def choice(self, worn: Mapping[str, Code]) -> Choice:
        """Return the loadout of what is worn."""
        return tuple(self._piece[worn[slot]][1] if slot in worn else EMPTY for slot in SLOTS)


def _lacks(winners: Choices, lacking: set[Piece]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return, for each loadout, the number of its pieces that the hero lacks."""
    lacks = np.zeros(len(winners), np.int64)
    for slot, number in lacking:
        lacks += winners[:, slot] == number
    return lacks


def _without(winners: Choices, lacking: set[Piece]) -> Choices:
    """Return the loadouts that have none of some pieces."""
    fitting: Choices = winners[_lacks(winners, lacking) == 0]
    return fitting


def _fewest_made(winners: Choices, lacking: set[Piece]) -> set[Piece]:
    """Return the pieces that the hero has to make for a loadout with the fewest such pieces."""
    pieces = winners[int(_lacks(winners, lacking).argmin())].tolist()
    return {piece for piece in enumerate(pieces) if piece in lacking}


def _due(winners: Mapping[int, Choices], kills: Sequence[int], piece: Piece) -> int:
    """Return the number of the first fight that cannot be won without a piece, or else that can be won with it."""
    slot, number = piece
    having = [winners[foe][:, slot] == number for foe in kills]
    return next(
        (at for at, has in enumerate(having) if has.all()), next(at for at, has in enumerate(having) if has.any())
    )


def _nearest(winners: Choices, start: Sequence[int]) -> Choices:
    if len(winners) <= _MOST_WINNERS:
        return winners
    far = (winners != np.array(start, np.int8)).sum(axis=1)
    return winners[np.argsort(far, kind="stable")[:_MOST_WINNERS]]
