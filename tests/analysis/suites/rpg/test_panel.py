"""The RPG's panel, made from the folder of a run."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.sources import read_sources
from herobench.analysis.suites.rpg.panel import PlanPanel
from herobench.analysis.suites.rpg.reading import RpgReading
from herobench.data.errors import InputError
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.task import Goal
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from tests.analysis.report.made import LAZY, sample, task
from tests.builders import tiny_world
from tests.made_runs import changed, write_run
from tests.plays import WINNING


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [sample(task(1), WINNING), sample(task(2), LAZY)], [task(1)], tiny_world())


def panel_of(folder: Path) -> PlanPanel:
    (source,) = read_sources([folder])
    return RpgReading().panel(source.folder, source.manifest)


def told_of(folder: Path) -> list[Any]:
    panel, (source,) = panel_of(folder), read_sources([folder])
    return [panel.sample(one) for one in source.samples()]


def test_a_folder_has_the_world_the_rules_and_the_tasks_of_its_run(folder: Path, tiny: World) -> None:
    panel = panel_of(folder)
    assert panel.given == {"rules": "standard", "world": tiny.digest}
    assert panel.label("world", tiny.digest) == f"{tiny.name} {tiny.digest[:8]}"
    assert (panel.label("world", "f" * 64), panel.label("rules", "paper-late")) == ("ffffffff", "paper-late")
    told = panel.task(task(1).id)
    assert told is not None
    assert told["prompt"] == render_prompt(tiny, task(1), load_rules())
    assert panel.task("unknown") is None
    played, unknown = told_of(folder)
    assert (played["differs_at"], len(played["changes"])) == (None, 17)
    assert "not among the tasks" in unknown["no_replay"]


def test_a_world_that_was_changed_is_refused(folder: Path) -> None:
    world = folder / "world.json"
    world.write_text(world.read_text().replace('"level":1', '"level":2', 1).replace('"level": 1', '"level": 2', 1))
    with pytest.raises(InputError, match="the world that the run was begun in, and the file was changed"):
        panel_of(folder)
    for text in ("{", "[]", '{"map": 1}'):
        world.write_text(text)
        with pytest.raises(InputError, match="the world as the run wrote it"):
            panel_of(folder)


def test_a_folder_without_its_world_has_no_replays(folder: Path) -> None:
    (folder / "world.json").unlink()
    assert panel_of(folder).world == load_world()
    assert all("not among the tasks" in told["no_replay"] for told in told_of(folder))


def test_a_run_under_other_rules_is_replayed_under_them(folder: Path) -> None:
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"]["identity"]["rules"] = "paper-late"
    (folder / "run.json").write_text(json.dumps(manifest))
    assert panel_of(folder).rules == load_rules("paper-late")


def test_the_plan_is_the_answer_or_stands_in_the_last_reply(folder: Path) -> None:
    panel, row = panel_of(folder), sample(task(1), LAZY)
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
    told = panel_of(folder).sample(changed(sample(task(1), LAZY), mode="feedback", replies=parts))
    # the lines of events are those of this text
    assert told["plan"].split("\n") == [
        "# part 1", "move('Hero', 1, 0)", "fight('Hero')", "# part 2", "", "# part 3", "pass",
    ]  # fmt: skip


def test_the_plan_of_an_attempt_with_tools_has_a_line_for_each_call(folder: Path) -> None:
    calls = [reply("", ("move", '{"x": 1, "y": 0}'), ("fi\nght", "{no\njson")), reply("Done."), reply("", ("look", ""))]
    panel, row = panel_of(folder), sample(task(1), LAZY)
    told = panel.sample(changed(row, mode="tools", replies=calls))
    assert told["plan"].split("\n") == ['move("Hero", x=1, y=0)', "# fi ght: {no json", 'look("Hero")']
    assert panel.sample(changed(row, mode="tools", replies=[reply("Done.")]))["plan"] is None


def test_the_prompt_of_another_mode_is_left_to_the_conversation(folder: Path) -> None:
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"]["identity"]["mode"] = "feedback"
    (folder / "run.json").write_text(json.dumps(manifest))
    told = panel_of(folder).task(task(1).id)
    assert told is not None
    assert told["prompt"] is None


def test_a_campaign_has_its_goals_and_the_steps_that_reach_them(tmp_path: Path) -> None:
    campaign = replace(task(1), then=(Goal("kill", "rat"),))
    folder = write_run(tmp_path / "run", [sample(campaign, WINNING)], [campaign], tiny_world())
    told = panel_of(folder).task(campaign.id)
    assert told is not None
    assert told["goals"] == [["kill", "drake"], ["kill", "rat"]]
    (played,) = told_of(folder)
    assert played["goals_at"] == [len(played["changes"])]
