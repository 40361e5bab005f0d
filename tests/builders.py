"""Small real things for tests: tasks, heroes and games in the tiny world, and the documents of a world to be spoilt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from herobench.data.documents import content_folder
from herobench.suites.rpg.game.events import Action, Event, Value
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import DOCUMENTS, World
from herobench.suites.rpg.worlds.content import load_rules, load_world

TINY = Path(__file__).parent / "suites" / "rpg" / "worlds" / "tiny"
SHARED = Path(__file__).parents[2] / "shared"
"""Where the published benchmark lies, for tests of conformance; they skip, saying so, where it is not."""

Json = dict[str, Any]


def tiny_world() -> World:
    return load_world(TINY)


def documents(folder: Path | None = None) -> dict[str, Json]:
    """The documents of a world as plain JSON, to be changed; the classic one's when no folder is given."""
    root = folder or content_folder().joinpath("classic")
    return {name: json.loads(root.joinpath(f"{name}.json").read_text("utf-8")) for name in DOCUMENTS}


def write_world(folder: Path, content: dict[str, Json]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in content.items():
        (folder / f"{name}.json").write_text(json.dumps(document), "utf-8")
    return folder


def hero_row(**changes: Any) -> Json:
    """A hero of the tiny world as a task row has him: level 10, skilled, with 100 health, bare."""
    skill = {"level": 10, "xp": 0, "next_level_xp": 150}
    row = {
        "level": 10,
        "xp": 0,
        "next_level_xp": 150,
        "stats": {"hp": 100},
        "skills": {name: dict(skill) for name in ("digging", "smithing", "brewing")},
        "worn": {},
        "consumables": {},
        "inventory": {},
        "x": 0,
        "y": 0,
    }
    return {**row, **changes}


def task_row(world: World, **changes: Any) -> Json:
    """A kill task in the tiny world as a row: beat the drake, for which sword and coat are missing."""
    told: Json = {"recipes": [], "materials": [], "sold": [], "monsters": [], "places": [], "stats": []}
    row = {
        "schema": 1,
        "id": "1/1_Frost Drake_kill",
        "world": world.digest,
        "kind": "kill",
        "target": "drake",
        "hero": hero_row(),
        "missing": {"blade": "bar_sword", "coat": "fur_coat"},
        "knowledge": told,
        "mechanics": {"leveling": False, "drop_scale": None},
        "seed": 7,
        "difficulty": 15,
    }
    return {**row, **changes}


def tiny_task(world: World, **changes: Any) -> Task:
    return Task.from_row(task_row(world, **changes))


def craft_task(world: World, target: str, **changes: Any) -> Task:
    name = world.items[target].name
    return tiny_task(world, id=f"1/1_{name}_craft", kind="craft", target=target, missing={}, **changes)


def new_game(world: World, rules: Rules | None = None, seed: int = 0, **hero: Any) -> Game:
    """A game in the tiny world with a hero that differs from `hero_row` as said."""
    task = tiny_task(world, hero=hero_row(**hero))
    return Game(world, rules or load_rules(), task.hero, seed)


def act(game: Game, name: str, *args: Value, **keywords: Value) -> Event:
    """One action, called as a plan calls it, by a hero called Hero."""
    return game.act(Action(name, ("Hero", *args), tuple(keywords.items())))


def shared_rows(run: Json) -> Iterator[Json]:
    """The published episodes of a run of ../shared."""
    import gzip

    with gzip.open(SHARED / "reference" / "herobench" / run["file"], "rt") as lines:
        for line in lines:
            yield json.loads(line)
