"""Tasks files: JSON lines, one task each, checked against the schema and against the world of the tasks.

The library, the commands and the run read tasks here. All problems of a file are reported together.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from herobench.data.documents import json_path
from herobench.data.errors import InputError, Problem
from herobench.data.rows import read_lines
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, PLAIN, RANDOM, Names, World, slot_type
from herobench.suites.rpg.worlds.renamed import renamed_row, with_names


def load_tasks(path: str | os.PathLike[str], world: World, names: Names = PLAIN) -> dict[str, Task]:
    """Return the tasks of a file, by id. Raise InputError with all of its problems.

    Under other names, tasks of the world are renamed, and those of the renamed world are taken as they are.
    """
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    for line in read_lines(path, "task"):
        home = home_world(line.row, world, names)
        own_problems = line.problems or tuple(task_problems(line.row, home, line.place))
        if not own_problems and line.row["id"] in tasks:
            own_problems = (id_twice(line.place, line.row["id"]),)
        if not own_problems:
            tasks[line.row["id"]] = Task.from_row(renamed_row(line.row, home, names))
        problems += own_problems
    if problems:
        raise InputError(problems if tasks else merge_problems(problems, str(path), world))
    return tasks


def home_world(row: Mapping[str, Any], world: World, names: Names) -> World:
    """Return the world whose things the row of a task names: the one that a user names, or the same under his names."""
    world_of_names = with_names(world, names)
    return world_of_names if row.get("world") == world_of_names.digest else world


def id_twice(place: str, id: str) -> Problem:
    """Return the problem of a task whose id an earlier task has."""
    return Problem(place, "$.id", "an id that no task has before it", id)


def merge_problems(problems: list[Problem], name: str, world: World) -> list[Problem]:
    """Return the problems of a file without a valid task: only one if every task is of another world.

    Then the option --world is probably missing.
    """
    if problems and all(problem.path == "$.world" and problem.expected == _of(world) for problem in problems):
        other_digest = with_names(world, RANDOM).digest
        advice = "are of another one: name theirs with --world"
        if all(problem.found == other_digest for problem in problems):
            advice = "have other names: give --names random"
        expected = f"tasks of the world {world.code!r}, and all {advice}"
        return [Problem(name, "", expected)]
    return problems


def task_problems(row: Mapping[str, Any], world: World, place: str) -> Iterator[Problem]:
    """Return the problems of a task row in a world. The schema must have accepted the row."""
    if row["world"] != world.digest:
        yield Problem(place, "$.world", _of(world), row["world"])
        return  # every other reference would be wrong too
    check = _References(world, place)
    yield from check.goal(row)
    yield from check.hero(row["hero"])
    yield from check.knowledge(row["knowledge"])
    yield from check.mechanics(row["mechanics"])
    yield from check.closed_places(row)


def _of(world: World) -> str:
    return f"the digest of the world {world.code!r}, {world.digest[:12]}..."


class _References:
    """The check of one task row: every code, slot and place in it must be in the world."""

    def __init__(self, world: World, place: str) -> None:
        self.world = world
        self.place = place
        elemental = (f"{prefix}_{element}" for prefix in ("attack", "dmg", "res") for element in world.elements)
        self._stats = ("hp", *elemental)

    def _problem(self, path: list[str | int], expected: str, value: object) -> Problem:
        return Problem(self.place, json_path(path), expected, value)

    def goal(self, row: Mapping[str, Any]) -> Iterator[Problem]:
        target = row["target"]
        if row["kind"] == "kill" and target not in self.world.monsters:
            yield self._problem(["target"], "the code of a monster", target)
        if row["kind"] == "craft" and self.world.recipe_of(target) is None:
            yield self._problem(["target"], "the code of an item with a recipe", target)
        if row["kind"] == "craft" and row["missing"]:
            yield self._problem(["missing"], "no missing gear in a craft task", row["missing"])
        yield from self.gear(["missing"], row["missing"])

    def gear(self, path: list[str | int], gear: Mapping[str, str]) -> Iterator[Problem]:
        for slot, code in gear.items():
            item = self.world.items.get(code)
            if slot not in self.world.slots or slot_type(slot) == CONSUMABLE:
                yield self._problem([*path, slot], "a slot of the world that gear is worn in", slot)
            elif item is None or item.type != slot_type(slot):
                yield self._problem([*path, slot], f"the code of an item of type {slot_type(slot)}", code)

    def hero(self, hero: Mapping[str, Any]) -> Iterator[Problem]:
        yield from self.gear(["hero", "worn"], hero["worn"])
        for slot, stack in hero["consumables"].items():
            path: list[str | int] = ["hero", "consumables", slot]
            item = self.world.items.get(stack["item"])
            if slot not in self.world.slots or slot_type(slot) != CONSUMABLE:
                yield self._problem(path, "a consumable slot of the world", slot)
            elif item is None or item.type != CONSUMABLE:
                yield self._problem([*path, "item"], "the code of a consumable", stack["item"])
        parts: tuple[tuple[str, Collection[str], str], ...] = (
            ("inventory", self.world.items, "the code of an item"),
            ("stats", self._stats, f"one of {', '.join(self._stats)}"),
            ("skills", self.world.skills, "one of the world's skills"),
        )
        for part, codes, expected in parts:
            yield from (self._problem(["hero", part, name], expected, name) for name in hero[part] if name not in codes)
        if (hero["x"], hero["y"]) not in self.world.tiles:
            yield self._problem(["hero"], "a place on the map", [hero["x"], hero["y"]])

    def knowledge(self, knowledge: Mapping[str, Any]) -> Iterator[Problem]:
        for field in ("recipes", "materials", "sold", "stats"):
            yield from self._codes(["knowledge", field], knowledge[field], self.world.items, "an item")
        for index, code in enumerate(knowledge["sold"]):
            if code in self.world.items and code not in self.world.exchange_sells:
                yield self._problem(["knowledge", "sold", index], "an item that the grand exchange sells", code)
        yield from self._codes(["knowledge", "monsters"], knowledge["monsters"], self.world.monsters, "a monster")
        for index, item in enumerate(knowledge.get("noise", ())):
            if item["code"] in self.world.items:
                path: list[str | int] = ["knowledge", "noise", index, "code"]
                yield self._problem(path, "a code that no item of the world has", item["code"])
        for index, (x, y) in enumerate(knowledge["places"]):
            if (x, y) not in self.world.tiles:
                yield self._problem(["knowledge", "places", index], "a place on the map", [x, y])

    def mechanics(self, mechanics: Mapping[str, Any]) -> Iterator[Problem]:
        if mechanics.get("plan") == "straight" and mechanics["drop_scale"] is not None:
            expected = '"program" where drops fall by chance, since a straight plan cannot react to them'
            yield self._problem(["mechanics", "plan"], expected, "straight")
        budget = mechanics.get("budget")
        if budget is not None and mechanics["drop_scale"] is not None:
            expected = "no budget where drops fall by chance, since they decide how many actions a plan takes"
            yield self._problem(["mechanics", "budget"], expected, budget)
        if budget is None and "budget_factor" in mechanics:
            expected = "no factor without a budget"
            yield self._problem(["mechanics", "budget_factor"], expected, mechanics["budget_factor"])

    def closed_places(self, row: Mapping[str, Any]) -> Iterator[Problem]:
        places = row["mechanics"].get("closed", [])
        here = {self.world.start, (row["hero"]["x"], row["hero"]["y"])}
        for index, place in enumerate(places):
            # A hero who stands on a closed place could act there.
            if tuple(place) not in self.world.tiles or tuple(place) in here:
                expected = "a place on the map, and not where the hero starts or returns to"
                yield self._problem(["mechanics", "closed", index], expected, place)
        proof = row.get("impossible")
        if proof and not places:
            yield self._problem(["impossible"], "nothing, because no place is closed", sorted(proof))
        if proof and row.get("certificate"):
            yield self._problem(["certificate"], "null for an impossible task", row["certificate"]["plan"])

    def _codes(
        self, path: list[str | int], codes: list[str], valid: Mapping[str, object], what: str
    ) -> Iterator[Problem]:
        for index, code in enumerate(codes):
            if code not in valid:
                yield self._problem([*path, index], f"the code of {what}", code)
