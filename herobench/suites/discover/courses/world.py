"""Worlds of one course each, in which the told part of a task takes place; all of a seed share elements and skills."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from herobench.suites.discover.courses.armory import ELEMENTS as NUMBER_OF_ELEMENTS
from herobench.suites.discover.courses.armory import SLOTS
from herobench.suites.discover.courses.course import Course
from herobench.suites.discover.courses.shard import Grounds, Shard
from herobench.suites.discover.courses.words import ELEMENTS, LAND, SKILLS, WordSource, spell_code, taken_words
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import HERO_STATS, Stats

_FORMAT = 1
_NAME = "courses"
_MORE = 420
"""Family words beyond the number of courses. They are part of how names are drawn."""
_RUNGS = (0, 5, 2, 7, 4, 9, 1, 6, 3, 8)
"""The rungs of a ladder of lengths, in an order in which a few courses already have short and long ones."""


class CourseWish(NamedTuple):
    """The seed of courses, and how many there are."""

    seed: int
    courses: int

    @property
    def code(self) -> str:
        """The code of the world."""
        return f"{_NAME}_{self.seed}_{self.courses}"

    def chance(self, purpose: object) -> Random:
        """Return the random source of one part of the work."""
        seed_text = f"courses {_FORMAT} {self.seed} {purpose}"
        return Random(int.from_bytes(hashlib.sha256(seed_text.encode()).digest(), "big"))  # noqa: S311 - reproducible


def length_on_ladder(least: int, most: int, index: int) -> int:
    """Return the length of a number on a ladder of lengths.

    The rungs take turns, and cut the logarithm of the length into equal parts. Any number of first places on a rung is
    spread evenly over its part.
    """
    place = place_on_rung(index)
    # The bits of the place behind the point, mirrored (van der Corput): 0, 1/2, 1/4, 3/4, 1/8, ...
    up = sum((place >> bit & 1) * 0.5 ** (bit + 1) for bit in range(place.bit_length()))
    return round(least * math.pow(most / least, (_RUNGS[index % len(_RUNGS)] + up) / len(_RUNGS)))


def place_on_rung(index: int) -> int:
    """Return the place of a number on its rung of a ladder, from 0 on."""
    return index // len(_RUNGS)


def bare_hero(rules: Rules) -> Stats:
    """Return the stats of a hero of the highest level without gear."""
    none = (0,) * NUMBER_OF_ELEMENTS
    return Stats(HERO_STATS["hp"] + (rules.level_cap - 1) * rules.hp_per_level, none, none, none)


def world_of_course(wish: CourseWish, index: int, course: Course) -> tuple[Shard, Mapping[str, Any]]:
    """Return a course with its names, and the six documents of a world that has this course alone."""
    family, places = _families(wish)[index], wish.chance(f"places {index}")
    block = _block(index)
    shard = Shard(course, family, places.sample(block, len(block)), _grounds(wish), wish.chance(f"names {index}"))
    return shard, _documents(wish, family, shard)


def _block(index: int) -> list[tuple[int, int]]:
    """Return the places of the part of the map in which a course takes place."""
    side = 8
    column, row = index % 32, index // 32
    return [(4 + side * column + x, 4 + side * row + y) for x in range(side) for y in range(side)]


@lru_cache(maxsize=4)
def _grounds(wish: CourseWish) -> Grounds:
    """Return what all shards of a seed share: elements, skills and the places of workshops."""
    chance = wish.chance("world")
    elements = chance.sample(ELEMENTS, NUMBER_OF_ELEMENTS)
    skills = {kind: chance.choice(SKILLS[kind]) for kind in ("metal", "wood", "weapon", "armor", "jewel")}
    near = chance.sample([(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0)], len(skills))
    return Grounds(elements, skills, dict(zip(skills, near, strict=True)))


@lru_cache(maxsize=4)
def _families(wish: CourseWish) -> tuple[str, ...]:
    """Return the family words of all shards."""
    words = WordSource(wish.chance("families"), taken_words())
    return tuple(words.word() for _ in range(wish.courses + _MORE))


def _documents(wish: CourseWish, family: str, shard: Shard) -> Mapping[str, Any]:
    """Return the six documents of the world of a shard."""
    items, monsters, resources = list(shard.items()), list(shard.monsters()), list(shard.resources())
    about = {
        "schema": 1,
        "code": wish.code,
        "name": WordSource(wish.chance("name"), taken_words()).word(),
        "description": f"A world of 1 courses: {len(monsters)} monsters and {len(items)} items.",
        "credits": f"Made by herobench for {_NAME}:{wish.seed}:{wish.courses}, format {_FORMAT}.",
        "elements": list(_grounds(wish).elements),
        "skills": list(_grounds(wish).skills.values()),
        "slots": list(SLOTS),
        "start": {"x": 0, "y": 0},
        "starter_items": [],
        "exchange_sells": [],
    }
    return {
        "world": about,
        "monsters": {"schema": 1, "monsters": monsters},
        "resources": {"schema": 1, "resources": resources},
        "items": {"schema": 1, "items": items},
        "distractors": {"schema": 1, "items": []},
        "map": {"schema": 1, "tiles": list(_tiles(wish, family, shard))},
    }


def _tiles(wish: CourseWish, family: str, shard: Shard) -> Iterator[Mapping[str, Any]]:
    grounds = _grounds(wish)
    home = {"name": "Hearth", "skin": "hearth"}
    yield {"x": 0, "y": 0, **home}
    for purpose, (x, y) in grounds.workshops.items():
        yield {"x": x, "y": y, **home, "content": {"type": "workshop", "code": grounds.skills[purpose]}}
    name = f"{family} {wish.chance('land').choice(LAND)}"
    for (x, y), kind, code in shard.tiles():
        yield {"x": x, "y": y, "name": name, "skin": spell_code(name), "content": {"type": kind, "code": code}}
