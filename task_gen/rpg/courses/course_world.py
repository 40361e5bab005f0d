"""Worlds of courses: `courses:SEED`, `courses:SEED:COUNT` or `courses:SEED:COUNT:LEAST-MOST`, each in its own shard.

Course number i is drawn from the seed, its length and i alone, and its length is that of number i on a ladder of
lengths. Its world and its task are both made of the same draw. Runs that make courses as they need them make more than
a world has, by the numbers behind its count. These go on where the usual lengths end.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from herobench.data.documents import MOST_EXACT
from herobench.data.errors import UsageError
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import HERO_STATS, Stats, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.courses.armory import ELEMENTS as NUMBER_OF_ELEMENTS
from herobench.task_gen.rpg.courses.armory import SLOTS
from herobench.task_gen.rpg.courses.course import Course
from herobench.task_gen.rpg.courses.draw import draw_courses
from herobench.task_gen.rpg.courses.shard import Grounds, Shard
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.remix.blueprint import ELEMENTS, LAND, SKILLS, WordSource, spell_code
from herobench.task_gen.rpg.remix.remixed_world import taken_words
from herobench.task_gen.rpg.tasks.spec import LENGTHS, LONGEST, length_on_ladder, place_on_rung

COUNT = 360
"""The number of courses of a world, if none is given."""
MOST = 10_000
LONGER, MORE = (LENGTHS[1], LONGEST), 420
"""The lengths of the courses that runs make behind the count of a world, and how many can be made: as many of about
each length as of the usual ones."""
_FORMAT = 1
_NAME = "courses"
_NUMBER = "([0-9]{1,16})"
_TEXT = re.compile("N(?::N(?::N-N)?)?".replace("N", _NUMBER))
_CODE = re.compile(f"{_NAME}_N_N(?:_N_N)?".replace("N", _NUMBER))
_KEPT = 1000
"""The number of courses that are kept: its tasks draw none again that its world has drawn."""
_COURSES = 180
"""The number of courses among which one whose plan meets its bound is looked for."""


class CourseWish(NamedTuple):
    """The seed, the number and the lengths of courses that a user asks for."""

    seed: int
    courses: int = COUNT
    least: int = LENGTHS[0]
    most: int = LENGTHS[1]

    @classmethod
    def of(cls, text: str) -> CourseWish:
        """Read a wish from its text: `7`, `7:40` or `7:40:4400-10000`. Raises UsageError for any other text."""
        match = _TEXT.fullmatch(text)
        wish = cls(*(int(number) for number in match.groups() if number)) if match else None
        is_small = wish and wish.seed <= MOST_EXACT and 1 <= wish.courses <= MOST
        if wish and is_small and LENGTHS[0] <= wish.least <= wish.most <= LONGEST:
            return wish
        raise UsageError(TaskFault.NO_COURSES, most=MOST, least=LENGTHS[0], longest=LONGEST, text=text)

    @classmethod
    def of_world(cls, world: World) -> CourseWish | None:
        """Return the wish that a world was made for; None if it is not one of courses."""
        match = _CODE.fullmatch(world.code)
        return cls(*(int(number) for number in match.groups() if number)) if match else None

    @property
    def code(self) -> str:
        """The code of the world."""
        return re.sub("[:-]", "_", self.text)

    @property
    def text(self) -> str:
        """The text by which the world is asked for."""
        lengths = "" if (self.least, self.most) == LENGTHS else f":{self.least}-{self.most}"
        return f"{_NAME}:{self.seed}:{self.courses}{lengths}"

    def length(self, index: int) -> int:
        """Return the wanted length of a course, by its number."""
        lengths = (self.least, self.most) if index < self.courses else LONGER
        return length_on_ladder(*lengths, index)

    def chance(self, purpose: object) -> Random:
        """Return the random source of one part of the work."""
        seed_text = f"courses {_FORMAT} {self.seed} {purpose}"
        return Random(int.from_bytes(hashlib.sha256(seed_text.encode()).digest(), "big"))  # noqa: S311 - reproducible


def build(text: str) -> Mapping[str, Any]:
    """Return the six documents of the world for a wish such as `7` or `7:40`."""
    wish = CourseWish.of(text)
    return _documents(wish, {index: draw_shard(wish, index) for index in range(wish.courses)})


def world_with(wish: CourseWish, indices: Collection[int]) -> World:
    """Return a world with some of the courses of a wish, since to draw all of them takes minutes."""
    return world_and(None, wish, {index: draw_shard(wish, index) for index in indices})


def world_and(world: World | None, wish: CourseWish, shards: Mapping[int, Shard]) -> World:
    """Return a world of a wish with more of its courses; with these alone if there is no world yet."""
    more = _documents(wish, dict(sorted(shards.items())))
    if world is None:
        return World.from_documents(more)
    documents = json.loads(world.source)
    for name in ("monsters", "resources", "items"):
        documents[name][name] += more[name][name]
    # all courses share the tiles around the start
    places = {(row["x"], row["y"]) for row in documents["map"]["tiles"]}
    documents["map"]["tiles"] += [row for row in more["map"]["tiles"] if (row["x"], row["y"]) not in places]
    return World.from_documents(documents)


def bare_hero(rules: Rules) -> Stats:
    """Return the stats of a hero of the highest level without gear."""
    none = (0,) * NUMBER_OF_ELEMENTS
    return Stats(HERO_STATS["hp"] + (rules.level_cap - 1) * rules.hp_per_level, none, none, none)


@lru_cache(maxsize=_KEPT)
def draw_shard(wish: CourseWish, index: int) -> Shard:
    """Return a course with its names. Kept, because its world and its task are made of it.

    Of several draws, the first one is taken whose plan meets its bound, or else the one that comes nearest to it.
    """
    rules, rng = load_rules(), wish.chance(index)
    target_length = wish.length(index)
    candidates: list[tuple[int, Shard]] = []
    courses = draw_courses(bare_hero(rules), rules, target_length, place_on_rung(index), rng)
    for course in islice(courses, _COURSES):
        course = replace(course, armory=replace(course.armory))  # without what was worked out to choose it
        shard = _name_shard(wish, course, index)
        excess = sum(step.times for step in shard.steps()) - course.actions
        if excess == 0:
            return shard
        candidates.append((excess, shard))
    if not candidates:
        raise UsageError(TaskFault.NO_COURSE_DRAWN, length=target_length, number=index, code=wish.code)
    return min(candidates, key=lambda each: each[0])[1]


def world_of_course(wish: CourseWish, index: int, course: Course) -> tuple[Shard, Mapping[str, Any]]:
    """Return a course with its names, and the documents of a world that has this course alone."""
    shard = _name_shard(wish, course, index)
    return shard, _documents(wish, {index: shard})


@lru_cache(maxsize=4)
def _grounds(wish: CourseWish) -> Grounds:
    """Return what all shards of a world share: elements, skills and the places of workshops."""
    chance = wish.chance("world")
    elements = chance.sample(ELEMENTS, NUMBER_OF_ELEMENTS)
    skills = {kind: chance.choice(SKILLS[kind]) for kind in ("metal", "wood", "weapon", "armor", "jewel")}
    near = chance.sample([(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0)], len(skills))
    return Grounds(elements, skills, dict(zip(skills, near, strict=True)))


@lru_cache(maxsize=4)
def _families(wish: CourseWish) -> tuple[str, ...]:
    """Return the family words of all shards."""
    words = WordSource(wish.chance("families"), taken_words())
    return tuple(words.word() for _ in range(wish.courses + MORE))


def _name_shard(wish: CourseWish, course: Course, index: int) -> Shard:
    """Return a course with its names, and with places in a block of the map, in random order."""
    side = 8
    column, row = index % 32, index // 32
    block = [(4 + side * column + x, 4 + side * row + y) for x in range(side) for y in range(side)]
    places = wish.chance(f"places {index}").sample(block, len(block))
    return Shard(course, _families(wish)[index], places, _grounds(wish), wish.chance(f"names {index}"))


def _documents(wish: CourseWish, shards: Mapping[int, Shard]) -> Mapping[str, Any]:
    """Return the six documents of the world that has these shards, by the numbers of their courses."""
    items = [row for shard in shards.values() for row in shard.items()]
    monsters = [row for shard in shards.values() for row in shard.monsters()]
    resources = [row for shard in shards.values() for row in shard.resources()]
    about = {
        "schema": 1,
        "code": wish.code,
        "name": WordSource(wish.chance("name"), taken_words()).word(),
        "description": f"A world of {len(shards)} courses: {len(monsters)} monsters and {len(items)} items.",
        "credits": f"Made by herobench for {wish.text}, format {_FORMAT}.",
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
        "map": {"schema": 1, "tiles": list(_tiles(wish, shards))},
    }


def _tiles(wish: CourseWish, shards: Mapping[int, Shard]) -> Iterator[Mapping[str, Any]]:
    land, grounds = wish.chance("land"), _grounds(wish)
    home = {"name": "Hearth", "skin": "hearth"}
    yield {"x": 0, "y": 0, **home}
    for purpose, (x, y) in grounds.workshops.items():
        yield {"x": x, "y": y, **home, "content": {"type": "workshop", "code": grounds.skills[purpose]}}
    for index, shard in shards.items():
        name = f"{_families(wish)[index]} {land.choice(LAND)}"
        for (x, y), kind, code in shard.tiles():
            yield {"x": x, "y": y, "name": name, "skin": spell_code(name), "content": {"type": kind, "code": code}}
