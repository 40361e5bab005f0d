"""What the analysis says of runs that chose their tasks."""

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
