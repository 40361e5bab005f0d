"""The RPG's panel, made from the folder of a run."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.sources import read_sources
from herobench.analysis.suites.rpg.panel import (
    PlanPanel,
    change,
    hero_state,
    replay,
    start_state,
)
from herobench.analysis.suites.rpg.reading import RpgReading
from herobench.data.errors import InputError
from herobench.data.rows import dump_row
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.episode import write_trace
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from tests.analysis.report.made import LAZY, REFUSED, sample, task
from tests.builders import hero_row, tiny_world
from tests.made_runs import changed, write_run
from tests.plays import WINNING, drake_task, played
from tests.refusals import misread
from tests.sizes import for_each


def put_over(state: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What the page does with a change."""
    together = {**state, **found}
    for name, value in found.items():
        if isinstance(value, dict):
            merged = {**state[name], **value}
            together[name] = {key: one for key, one in merged.items() if one is not None}
    return together


SUPPLIED = (
    "equip consumable1 broth 3; equip consumable2 tonic 2; move 1 0; fight; fight; unequip consumable1 1; "
    "equip consumable1 tonic 2; move 0 2; buy salt 2; buy salt 2; unequip blade; equip blade club; move 2 0; fight"
)
"""Wears and eats what the hero owns, puts tonic in the place of broth, and buys."""


@for_each("play", [WINNING, REFUSED, SUPPLIED, ""])
def test_the_changes_put_together_are_the_state_of_the_hero(tiny: World, play: str) -> None:
    hero = hero_row(worn={"blade": "twig"}, inventory={"broth": 5, "tonic": 4, "club": 1})
    task, rules = drake_task(tiny, hero=hero), load_rules()
    events = played(tiny, task, play).events
    made = replay(tiny, task, rules, write_trace(events))
    assert made.differs_at is None
    state: Any = start_state(tiny, task)
    game = Game(tiny, task.rules(rules), task.hero, task.seed)
    for entry, found in zip(write_trace(events)["actions"], made.changes, strict=True):
        state = put_over(state, found)
        for event in events[len(game.events) : len(game.events) + entry.get("times", 1)]:
            game.act(event.action)
        assert state == hero_state(game.hero)


def test_what_falls_by_chance_falls_again(tiny: World) -> None:
    task = drake_task(tiny, mechanics={"leveling": False, "drop_scale": 3.0}, seed=11)
    rules = load_rules()
    trace = write_trace(played(tiny, task, WINNING, task.rules(rules)).events)
    assert replay(tiny, task, rules, trace).differs_at is None
    other = drake_task(tiny, mechanics={"leveling": False, "drop_scale": 3.0}, seed=12)
    assert replay(tiny, other, rules, trace).differs_at is not None


def test_a_run_of_equal_events_is_one_change(tiny: World) -> None:
    task = drake_task(tiny)
    detail = {"kind": "moved", "place": [1, 0]}
    entry = {"action": "move", "args": ["Hero", 1, 0], "line": 1, "status": 200, "times": 3, "detail": detail}
    trace = {"schema": 1, "actions": [entry]}
    assert replay(tiny, task, load_rules(), trace).differs_at == 0  # no one moves to where he is
    trace = write_trace(played(tiny, task, "move 1 0; unequip artifact1").events)
    assert [list(found) for found in replay(tiny, task, load_rules(), trace).changes] == [["place"], []]


def test_the_replay_ends_where_it_is_not_what_was_stored(tiny: World) -> None:
    task = drake_task(tiny)
    trace = write_trace(played(tiny, task, WINNING).events)
    trace["actions"][2] = {**trace["actions"][2], "detail": {"kind": "moved", "place": [3, 3]}}
    made = replay(tiny, task, load_rules(), trace)
    assert (made.differs_at, len(made.changes)) == (2, 2)


def test_a_call_that_the_game_does_not_know_ends_it_too(tiny: World) -> None:
    trace = {"schema": 1, "actions": [{"action": "fly", "args": ["Hero"], "line": 1, "status": 200}]}
    assert replay(tiny, drake_task(tiny), load_rules(), trace).differs_at == 0


def test_a_change_has_what_is_otherwise_and_null_for_what_is_gone() -> None:
    before = {"place": [0, 0], "bag": {"ore": 2, "clay": 1}, "worn": {}}
    after = {"place": [0, 0], "bag": {"ore": 1}, "worn": {"blade": "twig"}}
    assert change(before, after) == {"bag": {"clay": None, "ore": 1}, "worn": {"blade": "twig"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [sample(task(1), WINNING), sample(task(2), LAZY)], [task(1)], tiny_world())


def open_panel(folder: Path) -> PlanPanel:
    (source,) = read_sources([folder])
    return RpgReading().panel(source.folder, source.manifest)


def keep_task(folder: Path, row: dict[str, Any]) -> None:
    """Put a row in the place of the run's tasks, with its digest."""
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"]["tasks"] = hashlib.sha256(dump_row(row).encode()).hexdigest()
    (folder / "run.json").write_text(json.dumps(manifest))
    (folder / "tasks.jsonl").write_text(dump_row(row), "utf-8")


def told_samples(folder: Path) -> list[Any]:
    panel, (source,) = open_panel(folder), read_sources([folder])
    return [panel.sample(one) for one in source.samples()]


def test_a_folder_has_the_world_the_rules_and_the_tasks_of_its_run(folder: Path, tiny: World) -> None:
    panel = open_panel(folder)
    assert panel.given == {"rules": "standard", "world": tiny.digest}
    assert panel.label("world", tiny.digest) == f"{tiny.name} {tiny.digest[:8]}"
    assert (panel.label("world", "f" * 64), panel.label("rules", "paper-late")) == ("ffffffff", "paper-late")
    told = panel.task(task(1).id)
    assert told is not None
    assert told["prompt"] == render_prompt(tiny, task(1), load_rules())
    assert panel.task("unknown") is None
    played, unknown = told_samples(folder)
    assert (played["differs_at"], len(played["changes"])) == (None, 17)
    assert "not among the tasks" in unknown["no_replay"]


def test_a_world_that_was_changed_is_refused(folder: Path) -> None:
    world = folder / "world.json"
    world.write_text(world.read_text().replace('"level":1', '"level":2', 1).replace('"level": 1', '"level": 2', 1))
    with misread("", "world.json: ", "was changed"):
        open_panel(folder)
    for text in ("{", "[]", '{"map": 1}'):
        world.write_text(text)
        with misread("", "world.json: ", "wrote"):
            open_panel(folder)


@pytest.mark.parametrize("row", [{}, {"id": "a"}, {**task(1).as_row(), "seed": None}])
def test_tasks_that_are_none_are_refused_also_under_their_digest(folder: Path, row: dict[str, Any]) -> None:
    keep_task(folder, task(1).as_row())
    assert open_panel(folder).tasks == {task(1).id: task(1)}
    keep_task(folder, row)
    with pytest.raises(InputError, match=r"tasks\.jsonl"):
        open_panel(folder)


def test_a_folder_without_its_world_has_no_replays(folder: Path) -> None:
    (folder / "world.json").unlink()
    assert open_panel(folder).world == load_world()
    assert all("not among the tasks" in told["no_replay"] for told in told_samples(folder))


def test_a_run_under_other_rules_is_replayed_under_them(folder: Path) -> None:
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"]["identity"]["rules"] = "paper-late"
    (folder / "run.json").write_text(json.dumps(manifest))
    assert open_panel(folder).rules == load_rules("paper-late")


def test_the_plan_is_the_answer_or_stands_in_the_last_reply(folder: Path) -> None:
    panel, row = open_panel(folder), sample(task(1), LAZY)
    apart = {**row["replies"][0], "text": "See the plan.", "answer": "pass"}
    plans = [
        panel.sample({**row, "replies": replies})["plan"] for replies in (None, [], [apart], [apart, row["replies"][0]])
    ]
    assert plans[:3] == [None, None, "pass"]
    assert plans[3] == panel.sample(row)["plan"] != "pass"


def reply(text: str, *calls: tuple[str, str]) -> dict[str, Any]:
    tool_calls = [{"id": "c", "name": name, "arguments": told} for name, told in calls]
    return {"text": text, "tool_calls": tool_calls, "answer": None, "reasoning": None, "stop": "stop"}


def test_the_plan_of_an_attempt_with_feedback_is_all_its_parts(folder: Path) -> None:
    parts = [reply("```python\nmove('Hero', 1, 0)\nfight('Hero')\n```"), reply("I wait."), reply("```\npass\n```")]
    told = open_panel(folder).sample(changed(sample(task(1), LAZY), mode="feedback", replies=parts))
    # the lines of events are those of this text
    assert told["plan"].split("\n") == [
        "# part 1", "move('Hero', 1, 0)", "fight('Hero')", "# part 2", "", "# part 3", "pass",
    ]  # fmt: skip


def test_the_plan_of_an_attempt_with_tools_has_a_line_for_each_call(folder: Path) -> None:
    calls = [reply("", ("move", '{"x": 1, "y": 0}'), ("fi\nght", "{no\njson")), reply("Done."), reply("", ("look", ""))]
    panel, row = open_panel(folder), sample(task(1), LAZY)
    told = panel.sample(changed(row, mode="tools", replies=calls))
    assert told["plan"].split("\n") == ['move("Hero", x=1, y=0)', "# fi ght: {no json", 'look("Hero")']
    assert panel.sample(changed(row, mode="tools", replies=[reply("Done.")]))["plan"] is None


def test_the_prompt_of_another_mode_is_left_to_the_conversation(folder: Path) -> None:
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"]["identity"]["mode"] = "feedback"
    (folder / "run.json").write_text(json.dumps(manifest))
    told = open_panel(folder).task(task(1).id)
    assert told is not None
    assert told["prompt"] is None
