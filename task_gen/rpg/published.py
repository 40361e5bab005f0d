"""Read the files of the published benchmark: tasks, and logs of answers.

Called by `herobench import`. A tasks file holds brackets of tasks (`monster_name` or `item`, `missing_items`,
`character`, `task_info`), an answer log brackets of tags with code. Facts in the file must agree with the world, and
each task read passes the same checks as a line of a tasks file. Nothing is repaired: each fault is reported.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from herobench.data.documents import json_path, read_document, schema_problems
from herobench.data.errors import InputError, Problem
from herobench.suites.rpg.game.responses import item_record, monster_record, tile_record
from herobench.suites.rpg.game.task import SCHEMA, Task
from herobench.suites.rpg.game.world import CONSUMABLE, World, slot_type
from herobench.suites.rpg.worlds.task_file import task_problems
from herobench.task_gen.rpg.oracle.loadouts import needs_leveling
from herobench.task_gen.rpg.tasks.spec import total_difficulty

Row = Mapping[str, Any]
JsonPath = list[str | int]

_HINTS = {"description", "subtype", "sources"}
"""Fields in which a file may differ from the world: prose and hints. All others are facts and have to agree."""


def read_published(path: os.PathLike[str], world: World) -> tuple[Sequence[Row], list[Problem]]:
    """Return the rows of a published file, of tasks or of answers, and the problems found in it.

    Raises InputError if the file is neither.
    """
    file = str(path)
    document, problems = read_document(pathlib.Path(path), file, piped=True)
    is_log = isinstance(document, dict) and any(isinstance(bracket, dict) for bracket in document.values())
    # The shape decides first: facts are compared only in a file that its schema accepts.
    problems = problems or schema_problems(document, "published-answers" if is_log else "published-tasks", file)
    if problems:
        raise InputError(problems)
    if is_log:
        return list(published_answers(document)), []
    tasks_and_problems = list(published_tasks(document, world, file))
    tasks = [task.as_row() for task in tasks_and_problems if isinstance(task, Task)]
    return tasks, [problem for problem in tasks_and_problems if isinstance(problem, Problem)]


def published_tasks(document: Mapping[str, Sequence[Row]], world: World, file: str) -> Iterator[Task | Problem]:
    """Yield the tasks of a file that passed its schema, and the problems of the tasks that cannot be read."""
    for bracket, entries in document.items():
        for index, entry in enumerate(entries):
            reader = _TaskReader(world, file, [bracket, index])
            task = reader.task(entry, f"{bracket}/{index + 1}")
            yield from reader.problems
            if task is not None:
                yield task


def published_answers(document: Mapping[str, Mapping[str, Row]]) -> Iterator[dict[str, Any]]:
    """Yield the answers of a log that passed its schema, as rows of an answers file; several codes become epochs."""
    for bracket, tags in document.items():
        for tag, entry in tags.items():
            codes = entry["code"] if isinstance(entry["code"], list) else [entry["code"]]
            # An empty list is a reply without code. It stays a row, so that the attempt counts as lost.
            for epoch, code in enumerate(codes or [None]):
                yield {"task_id": f"{bracket}/{tag}", "epoch": epoch, "code": code}


class _TaskReader:
    """Reads one task of a file, and collects its problems."""

    def __init__(self, world: World, file: str, path: JsonPath) -> None:
        self.world = world
        self.file = file
        self.path = path
        self.problems: list[Problem] = []

    def _wrong(self, path: JsonPath, requirement: str, value: object) -> None:
        self.problems.append(Problem(self.file, json_path([*self.path, *path]), requirement, value))

    def task(self, entry: Row, number: str) -> Task | None:
        """Return the task, or None if it has problems."""
        kind = "kill" if "monster_name" in entry else "craft"
        name = entry["monster_name" if kind == "kill" else "item"]
        task_id = f"{number}_{name}_{kind}"
        row = {
            "schema": SCHEMA,
            "id": task_id,
            "world": self.world.digest,
            "kind": kind,
            "target": self._target(kind, name),
            "hero": self._hero(entry["character"]),
            "missing": {slot.removesuffix("_slot"): code for slot, code in entry.get("missing_items", {}).items()},
            "knowledge": self._knowledge(entry["task_info"]),
            # A placeholder, like the difficulty: both follow from the task once it is read.
            "mechanics": {"leveling": False, "drop_scale": None},
            # Published tasks have no seed; one from the id is the same on every import.
            "seed": int.from_bytes(hashlib.sha256(task_id.encode()).digest()[:4], "big"),
            "difficulty": 0,
        }
        place = f"{self.file}: {json_path(self.path)} read as a task"
        self.problems = (
            self.problems or schema_problems(row, "task", place) or list(task_problems(row, self.world, place))
        )
        if self.problems:
            return None
        task = Task.from_row(row)
        mechanics = replace(task.mechanics, leveling=needs_leveling(self.world, task))
        return replace(task, difficulty=total_difficulty(self.world, task), mechanics=mechanics)

    def _target(self, kind: str, name: str) -> str:
        things = self.world.monsters if kind == "kill" else self.world.items
        for thing in things.values():
            # Published files name targets by display name or by code.
            if name in (thing.name, thing.code):
                return thing.code
        self._wrong(["monster_name" if kind == "kill" else "item"], "a name or code of the world", name)
        return ""

    # -- the hero ---------------------------------------------------------------------------------------------------

    def _hero(self, character: Row) -> dict[str, Any]:
        slots = {slot: character.get(f"{slot}_slot", "") for slot in self.world.slots}
        for field in character:
            if field.endswith("_slot") and character[field] and field.removesuffix("_slot") not in slots:
                self._wrong(["character", field], f"a slot of the world ({', '.join(slots)})", character[field])
        worn = {slot: code for slot, code in slots.items() if code and slot_type(slot) != CONSUMABLE}
        return {
            **_progress(character, ""),
            "stats": self._bare_stats(character, worn),
            "skills": {skill: _progress(character, f"{skill}_") for skill in self.world.skills},
            "worn": worn,
            "consumables": {
                slot: {"item": code, "quantity": character.get(f"{slot}_slot_quantity", 1)}
                for slot, code in slots.items()
                if code and slot_type(slot) == CONSUMABLE
            },
            "inventory": self._inventory(character.get("inventory", [])),
            "x": character["x"],
            "y": character["y"],
        }

    def _inventory(self, rows: Sequence[Row]) -> dict[str, int]:
        inventory: dict[str, int] = {}
        for index, row in enumerate(rows):
            if row["code"] in inventory:
                self._wrong(["character", "inventory", index, "code"], "an item that is not listed twice", row["code"])
            inventory[row["code"]] = row["quantity"]
        return inventory

    def _bare_stats(self, character: Row, worn: Mapping[str, str]) -> dict[str, int]:
        """Return the stats of a character without his gear: published characters have it added in."""
        names = [
            "hp",
            *(f"{prefix}_{element}" for prefix in ("attack", "dmg", "res") for element in self.world.elements),
        ]
        stats = {name: int(character.get(name, 0)) for name in names}
        for slot, code in worn.items():
            item = self.world.items.get(code)
            if item is None:
                self._wrong(["character", f"{slot}_slot"], "the code of an item", code)
                continue
            for name in stats:
                stats[name] -= item.effects.get(name, 0)
        if stats["hp"] < 1:
            self._wrong(["character", "hp"], "more health than the worn items give", character["hp"])
        return {name: value for name, value in stats.items() if value or name == "hp"}

    # -- what he is told --------------------------------------------------------------------------------------------

    def _knowledge(self, sections: Row) -> dict[str, Any]:
        section_names = {"Craftable items", "Resources", "Monsters", "Locations", "Items stats"}
        for section in sections:
            if section not in section_names:
                self._wrong(["task_info", section], f"one of the sections {', '.join(sorted(section_names))}", section)
        # The published format marks goods of the exchange by their subtype only.
        materials = sections.get("Resources", [])
        return {
            "recipes": self._codes(sections, "Craftable items", self.world.items, _item_facts),
            "materials": self._codes(sections, "Resources", self.world.items, _item_facts),
            "sold": list(dict.fromkeys(row["code"] for row in materials if row.get("subtype") == "grand_exchange")),
            "monsters": self._codes(sections, "Monsters", self.world.monsters, monster_record),
            "places": self._places(sections.get("Locations", [])),
            "stats": self._codes(sections, "Items stats", self.world.items, _item_facts),
        }

    def _codes(self, sections: Row, section: str, known_codes: Mapping[str, Any], record: Any) -> list[str]:
        codes = []
        for index, row in enumerate(sections.get(section, [])):
            path: JsonPath = ["task_info", section, index]
            # Unknown codes are reported later, by the check that every tasks file passes.
            if row["code"] in known_codes:
                self._facts(path, row, record(self.world, row["code"]))
            codes.append(row["code"])
        return list(dict.fromkeys(codes))

    def _places(self, rows: list[Row]) -> list[list[int]]:
        for index, row in enumerate(rows):
            if (row["x"], row["y"]) in self.world.tiles:
                self._facts(["task_info", "Locations", index], row, tile_record(self.world, (row["x"], row["y"])))
        return [[row["x"], row["y"]] for row in rows]

    def _facts(self, path: JsonPath, facts: Row, record: Row) -> None:
        for fact in record:
            if fact not in _HINTS and fact in facts and facts[fact] != record[fact]:
                self._wrong([*path, fact], f"the value of the world ({record[fact]!r:.80})", facts[fact])


def _item_facts(world: World, code: str) -> Row:
    return item_record(world.items[code])


def _progress(character: Row, prefix: str) -> dict[str, int]:
    defaults = {"level": 1, "xp": 0, "max_xp": 150}
    level, xp, next_level_xp = (character.get(f"{prefix}{field}", value) for field, value in defaults.items())
    return {"level": level, "xp": xp, "next_level_xp": next_level_xp}
