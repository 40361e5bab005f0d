"""Runs in the modes with feedback and with tools, analyzed: causes, figures, and the plan that the report shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.frame import frame_of
from herobench.analysis.samples.sources import read_sources
from herobench.analysis.suites.rpg.explain import Cause
from herobench.analysis.suites.rpg.reading import RpgReading
from tests.builders import Json
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

TASKS = ("--difficulty", "1", "--limit", "2")


def reply(text: str = "", *calls: tuple[str, str]) -> Json:
    tool_calls = [{"id": f"c{number}", "name": name, "arguments": told} for number, (name, told) in enumerate(calls)]
    return {"text": text, "tool_calls": tool_calls, "answer": None, "reasoning": None, "stop": "stop"}


def part(code: str) -> Json:
    return reply(f"Next:\n```python\n{code}\n```")


PARTS = [
    part("move('Hero', 0, 1)\n\nfor _ in range(3):\n    gather('Hero')"),
    reply("Let me think."),
    part("move('Hero', 1, 0)\nfight('Hero')\n1 / 0"),
    part("import os"),
    *[reply("I am done.")] * 3,
]
CALLS = [
    reply("", ("move", '{"x": 0, "y": 1}'), ("gather", '{"quantity": "three"}'), ("dance\nround", "{")),
    reply("", ("look", ""), ("fight", '{"times": 2}')),
    *[reply("I am done.")] * 2,
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run that did something in each mode, and one that did nothing."""
    folder = tmp_path_factory.mktemp("runs")
    oracle, idle = folder / "oracle", folder / "idle"
    herobench("run", "--model", "oracle", "--agent", "tools", *TASKS, "-o", oracle).check_returncode()
    herobench("run", "--model", "noop", "--mode", "feedback", *TASKS, "-o", idle).check_returncode()
    found = {"oracle": oracle, "idle": idle}
    for name, replies, words in (("parts", PARTS, ["--mode", "feedback"]), ("calls", CALLS, ["--agent", "tools"])):
        rows = [{**row, "replies": replies, "output_tokens": 7} for row in read_jsonl(oracle / "samples.jsonl")]
        recording = write_jsonl(folder / f"{name}.jsonl", rows)
        found[name] = folder / name
        herobench("run", "--model", f"replay:{recording}", *words, *TASKS, "-o", found[name]).check_returncode()
    return found


def planned(run: Path) -> list[tuple[Json, list[str]]]:
    """The samples of a run, each with the lines of the plan that the report shows."""
    (source,) = read_sources([run])
    panel = RpgReading().panel(source.folder, source.manifest)
    told = [(dict(row), panel.sample(row)) for row in source.samples()]
    assert all(own["differs_at"] is None for _, own in told), "the replay gives the events that are stored"
    return [(row, str(own["plan"]).split("\n")) for row, own in told]


@for_each("name", ["parts", "calls", "oracle"])
def test_each_event_stands_in_the_line_of_its_action(name: str, runs: dict[str, Path]) -> None:
    for row, lines in planned(runs[name]):
        actions: list[Any] = row["events"]["actions"]
        assert len({action["line"] for action in actions}) > 1
        assert all(lines[action["line"] - 1].strip().startswith(action["action"]) for action in actions)


def test_every_loss_has_its_cause(runs: dict[str, Path]) -> None:
    samples = frame_of([*runs.values()])
    causes = {name: set(samples[samples.run == name].cause.dropna()) for name in runs}
    assert (causes["oracle"], causes["idle"]) == (set(), {Cause.NO_CODE})
    assert causes["parts"] == {Cause.WRONG_TILE_RESOURCE}, (
        "a gather in the first part, where there is nothing to gather"
    )
    assert causes["calls"] == {Cause.UNKNOWN_NAME}, "three is no number"
    assert set(samples["mode"]) == {"feedback", "tools"}
    unfinished = {name: set(samples[samples.run == name].unfinished.dropna()) for name in runs}
    idle = "3 parts in a row attempted no action"
    assert unfinished == {
        "oracle": set(),
        "idle": {idle},
        "parts": {idle},
        "calls": {"2 replies in a row called no tool"},
    }
