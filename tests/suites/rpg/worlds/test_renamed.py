"""A renamed world is the same world under opaque names, and its tasks are the same tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.prompts.rpg.modes import render_feedback, render_tools
from herobench.prompts.rpg.render import render_prompt
from herobench.prompts.words import load_words
from herobench.suites.rpg.game.episode import write_trace
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, PLAIN, RANDOM, World, slot_type
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds import renamed
from herobench.suites.rpg.worlds.content import check_world, load_rules, load_world
from herobench.suites.rpg.worlds.renamed import RenamedWorld, with_names
from herobench.suites.rpg.worlds.task_file import load_tasks, task_problems
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import as_code
from herobench.task_gen.rpg.validation import faults
from tests.builders import TINY, craft_task, documents, hero_row, write_world
from tests.plays import drake_task
from tests.program import write_jsonl
from tests.refusals import misread
from tests.sizes import for_each
from tests.task_gen.rpg.made import proof, tasks

RULES = load_rules()
SPECS: dict[str, dict[str, Any]] = {
    "kill": {"seed": 2, "brackets": (6,), "kind": "kill", "noise": 3},
    "craft": {"seed": 2, "brackets": (1,), "kind": "craft"},
    "leveling": {"seed": 2, "brackets": (3,), "leveling": True},
    "decoys": {"seed": 2, "brackets": (4,), "knowledge": "decoys", "plan": "straight"},
    "everything": {"seed": 2, "brackets": (2,), "knowledge": "world"},
    "closed": {"seed": 2, "brackets": (2,), "knowledge": "world", "unsolvable": 0.5},
}
CASES = [(kind, number) for kind in SPECS for number in range(2)]


@pytest.fixture(scope="module")
def named(classic: World) -> RenamedWorld:
    return RenamedWorld(classic)


@pytest.fixture(scope="module")
def sandboxes(named: RenamedWorld) -> Iterator[tuple[Sandbox, Sandbox]]:
    with Sandbox(named.plain, RULES) as plain, Sandbox(named.world, RULES) as other:
        yield plain, other


def task_and_renamed(named: RenamedWorld, kind: str, number: int) -> tuple[Task, Task]:
    task = tasks(named.plain, number + 1, **SPECS[kind])[number]
    return task, Task.from_row(named.row(task.as_row()))


def leaves(some: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The leaves of two documents of one shape, with their paths: keys count as leaves, in their order."""
    assert type(some) is type(other), path
    if isinstance(some, dict):
        assert len(some) == len(other), path
        for (key, value), (other_key, other_value) in zip(some.items(), other.items(), strict=True):
            yield f"{path}.KEY", key, other_key
            yield from leaves(value, other_value, f"{path}.{key if key == other_key else '*'}")
    elif isinstance(some, list):
        for value, other_value in zip(some, other, strict=True):
            yield from leaves(value, other_value, path)
    else:
        yield path, some, other


# -- the world --------------------------------------------------------------------------------------------------------


@for_each("name", [str(TINY), "classic"])
def test_names_are_one_to_one_and_nothing_else_of_a_world_changes(name: str) -> None:
    world = load_world(name)
    plain, other = json.loads(world.source), json.loads(with_names(world, RANDOM).source)
    assert other["world"].pop("opaque") is True
    assert check_world(other, "renamed") == []
    new: dict[str, str] = {}
    for path, was, now in leaves(plain, other):
        if path.endswith(".name") and path != ".world.name":
            continue  # the name of a thing is its code, see below
        if path.endswith(".description") and path != ".world.description":
            assert now == ""
        elif was != now:
            prefix = re.match("(attack|dmg|res|boost_dmg)_", was) if path.endswith(".KEY") else None
            assert not prefix or now.startswith(prefix[0])
            start = len(prefix[0]) if prefix else 0
            assert new.setdefault(was[start:], now[start:]) == now[start:]
            assert re.fullmatch("[a-z][a-z0-9]{5}", now[start:])
    assert len(set(new.values())) == len(new)
    things = {*world.items, *world.distractors, *world.monsters, *world.resources, *world.skills, *world.elements}
    assert things <= new.keys()
    for rows in (other["monsters"]["monsters"], other["items"]["items"], other["resources"]["resources"]):
        assert all(row["name"] == row["code"] for row in rows)
    grounds = {
        (was["name"], now["name"]) for was, now in zip(plain["map"]["tiles"], other["map"]["tiles"], strict=True)
    }
    assert len(grounds) == len({was for was, _ in grounds}) == len({now for _, now in grounds})


def test_the_words_of_the_game_stay(classic: World, named: RenamedWorld) -> None:
    world = named.world
    assert (world.slots, world.start, world.code) == (classic.slots, classic.start, classic.code)
    assert [item.type for item in world.items.values()] == [item.type for item in classic.items.values()]
    assert world.standing("grand_exchange") == classic.standing("grand_exchange")
    assert [item.worn for item in world.items.values()] == [item.worn for item in classic.items.values()]
    assert [item.eaten for item in world.items.values()] == [item.eaten for item in classic.items.values()]


def test_a_world_is_always_renamed_alike_and_only_once(classic: World, named: RenamedWorld) -> None:
    assert RenamedWorld(classic).world == named.world == with_names(classic, RANDOM) != classic
    assert with_names(named.world, RANDOM) is named.world
    assert with_names(classic, PLAIN) is classic
    assert (classic.names, named.world.names, World.from_source(named.world.source).names) == (PLAIN, RANDOM, RANDOM)


def test_another_world_gives_the_same_words_other_codes(classic: World, named: RenamedWorld, tmp_path: Path) -> None:
    content = documents()
    content["world"]["code"] = "other"
    other = RenamedWorld(load_world(write_world(tmp_path / "other", content)))
    assert other.world.items.keys().isdisjoint(named.world.items)


def test_words_that_draw_the_same_code_get_different_ones(monkeypatch: pytest.MonkeyPatch, tiny: World) -> None:
    monkeypatch.setattr(renamed, "_code", lambda text: f"code{len(text) % 3 + int(text.rpartition(' ')[2])}")
    world = RenamedWorld(tiny).world
    things = [*world.items, *world.monsters, *world.resources]
    assert len(set(things)) == len(things) == len(tiny.items) + len(tiny.monsters) + len(tiny.resources)


# -- tasks ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@for_each(("kind", "number"), CASES)
def test_a_renamed_task_is_the_same_task_and_holds(
    kind: str, number: int, named: RenamedWorld, sandboxes: tuple[Sandbox, Sandbox]
) -> None:
    task, other = task_and_renamed(named, kind, number)
    row = named.row(task.as_row())
    assert other.as_row() == row
    assert list(task_problems(row, named.world, "row")) == []
    assert faults(named.world, RULES, other, sandboxes[1].execute) == []
    same = ("id", "seed", "difficulty", "kind", "mechanics")
    assert [getattr(other, part) for part in same] == [getattr(task, part) for part in same]
    assert other.knowledge.places == task.knowledge.places
    assert (other.certificate is None) == (task.certificate is None) == (task.impossible is not None)


@for_each(("kind", "number"), CASES)
def test_a_renamed_plan_plays_to_the_same_events_and_score(
    kind: str, number: int, named: RenamedWorld, sandboxes: tuple[Sandbox, Sandbox]
) -> None:
    task, other = task_and_renamed(named, kind, number)
    if task.certificate is None:
        return
    lines = task.certificate.plan.splitlines()
    for plan in (task.certificate.plan, "\n".join(line for line in lines if "equip" not in line)):
        played = sandboxes[0].execute(task, plan), sandboxes[1].execute(other, named.plan(plan))
        traces = [json.loads(json.dumps(write_trace(episode.events))) for episode in played]
        new = {was: now for _, was, now in leaves(*traces) if was != now}
        assert set(map(type, new.values())) <= {str}
        assert new or "craft" not in plan
        judged = score(task, named.plain, task.rules(RULES), played[0])
        again = score(other, named.world, other.rules(RULES), played[1])
        assert (judged.outcome, judged.reward, judged.score) == (again.outcome, again.reward, again.score)
    assert proof(other).plan == named.plan(proof(task).plan)


@for_each("kind", ["kill", "craft", "decoys"])
def test_the_oracle_finds_a_plan_of_the_same_length(kind: str, named: RenamedWorld) -> None:
    task, other = task_and_renamed(named, kind, 0)
    plans = [
        as_code(oracle_plan(world, one.rules(RULES), one)) for world, one in ((named.plain, task), (named.world, other))
    ]
    assert plans[1].count("\n") == plans[0].count("\n")


def test_slots_in_a_plan_stay_also_where_an_item_is_called_like_one(tmp_path: Path) -> None:
    text = json.dumps(documents(TINY)).replace('"bar_sword"', '"blade"').replace('"bar"', '"inventory"')
    named = RenamedWorld(load_world(write_world(tmp_path / "odd", json.loads(text))))
    plan = 'equip("Hero", "blade", "blade")\ncraft("Hero", "blade", 1)\nx = body["inventory"]\n'
    blade = list(named.world.items)[list(named.plain.items).index("blade")]
    assert named.plan(plan) == (
        f'equip("Hero", "blade", "{blade}")\ncraft("Hero", "{blade}", 1)\nx = body["inventory"]\n'
    )


def test_all_that_a_hero_starts_with_is_renamed(tiny: World) -> None:
    named = RenamedWorld(tiny)
    hero = hero_row(
        worn={"blade": "twig"}, inventory={"clay": 3}, consumables={"consumable1": {"item": "broth", "quantity": 2}},
        stats={"hp": 9, "attack_heat": 3},
    )  # fmt: skip
    row = named.row(drake_task(tiny, hero=hero).as_row())
    assert list(task_problems(row, named.world, "row")) == []
    at = dict(zip(tiny.items, named.world.items, strict=True))
    started = row["hero"]
    assert (started["worn"], started["inventory"]) == ({"blade": at["twig"]}, {at["clay"]: 3})
    assert started["consumables"] == {"consumable1": {"item": at["broth"], "quantity": 2}}
    assert started["stats"] == {"hp": 9, f"attack_{named.world.elements[tiny.elements.index('heat')]}": 3}
    assert tuple(started["skills"]) == named.world.skills


# -- what models are told ---------------------------------------------------------------------------------------------


def words(text: str) -> set[str]:
    return set(re.findall("[a-z]{3,}", text.lower()))


def own_words(world: World, task: Task) -> set[str]:
    """The words of all names and codes of a world and of a task's noise, but for those that the game has too."""
    items = [*world.items.values(), *world.distractors.values(), *task.knowledge.noise]
    named = [*world.monsters.values(), *world.resources.values(), *items]
    texts = [text for thing in named for text in (thing.code, thing.name)]
    texts += [part for item in items if item.recipe for part in item.recipe.ingredients]
    texts += [text for tile in world.tiles.values() for text in (tile.name, tile.skin)]
    texts += [*world.skills, *world.elements, *(item.subtype for item in world.items.values())]
    kinds = {item.type for item in world.items.values()} | {slot_type(slot) for slot in world.slots} | {CONSUMABLE}
    contents = {tile.content.type for tile in world.tiles.values() if tile.content}
    folders = ("rpg/one_shot", "rpg/feedback", "rpg/tools")
    templates = (part.template for folder in folders for part in load_words(folder).templates.values())
    return words(" ".join(texts)) - words(" ".join([*kinds, *contents, *templates]))


@for_each(("kind", "number"), CASES)
def test_no_word_of_the_plain_world_is_told(kind: str, number: int, named: RenamedWorld) -> None:
    task, other = task_and_renamed(named, kind, number)
    own = own_words(named.plain, task)
    assert words(render_prompt(named.plain, task, RULES)) & own
    told = [
        render_prompt(named.world, other, RULES),
        render_feedback(named.world, other, RULES, 9, 9),
        render_tools(named.world, other, RULES, 9),
    ]
    for text in told:
        assert words(text) & own == set()


# -- files and settings -----------------------------------------------------------------------------------------------


def test_a_file_of_either_world_gives_the_same_renamed_tasks(tmp_path: Path, tiny: World) -> None:
    rows = [drake_task(tiny, id="drake").as_row(), craft_task(tiny, "brick").as_row()]
    named = RenamedWorld(tiny)
    plain = write_jsonl(tmp_path / "plain.jsonl", rows)
    other = write_jsonl(tmp_path / "renamed.jsonl", map(named.row, rows))
    found = load_tasks(plain, tiny, RANDOM)
    assert found == load_tasks(other, tiny, RANDOM) == load_tasks(other, named.world)
    assert {task.world for task in found.values()} == {named.world.digest}
    assert load_tasks(plain, tiny, PLAIN) == load_tasks(plain, tiny)
    with misread("", other, "--names random"):
        load_tasks(other, tiny)


def test_a_bad_task_is_told_in_the_words_of_its_file(tmp_path: Path, tiny: World) -> None:
    file = write_jsonl(tmp_path / "bad.jsonl", [{**drake_task(tiny).as_row(), "target": "dragon"}])
    with misread("$.target", f"{file}:1", "dragon"):
        load_tasks(file, tiny, RANDOM)
