"""What the analysis says of runs that chose their tasks."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from herobench.analysis.samples.sources import Source, chosen_notes, lacking


def source(*until: Any) -> Source:
    config = {"dataset": "horizon-v3", "task_count": 360, "epochs": 1}
    return Source("a", Path("a"), {"config": config, "sessions": [{"until": each} for each in until]})


def test_a_run_that_chose_its_tasks_lacks_none_and_its_success_does_not_compare() -> None:
    for chose in (source({"tasks": 104}), source({"tasks": 104}, None), source(None, {"tasks": 104})):
        assert lacking([chose], ["a"] * 104) == []
        (note,) = chosen_notes([("a", chose.asked), ("b", None)])
        assert note.startswith("a chose its tasks by the verdicts so far")
        assert "success and score do not" in note


def test_a_run_that_asks_all_tasks_again_is_one_of_all_tasks() -> None:
    resumed = source({"tasks": 104})
    assert resumed.manifest is not None
    resumed = replace(resumed, manifest={**resumed.manifest, "conduct": {"until": "all"}})
    assert chosen_notes([("a", resumed.asked)]) == []


def test_a_run_without_a_choice_is_one_of_all_tasks() -> None:
    for whole in (source(None), source(), Source("a", Path("a"), {**(source().manifest or {}), "sessions": 7})):
        (note,) = lacking([whole], ["a"] * 104)
        assert "104 of the 360 samples" in note
        assert chosen_notes([("a", whole.asked)]) == []


def test_samples_of_earlier_rounds_are_of_the_world_that_grew(tmp_path: Path) -> None:
    row = {"schema": 2, "suite": "rpg", "task_id": "made/1", "epoch": 0, "status": "unmeasured"}
    config = {"dataset": "horizon-v3", "identity": {"world": "now"}}
    source = Source("a", tmp_path, {"config": config, "grown": {"world": ["first", "second"], "rules": 7}})
    worlds = {}
    for told in ("first", "second", "now", "another"):
        (sample,) = source.read(1, json.dumps({**row, "details": {"world": told}}).encode())
        worlds[told] = sample["details"]["world"]
    assert worlds == {"first": "now", "second": "now", "now": "now", "another": "another"}
