"""The part of a checkup: questions of each kind, with chance as a mark."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from herobench.checkup.figures import CheckedModel
from herobench.checkup.folder import Checkup
from herobench.checkup.page import as_rows, page_data
from herobench.checkup.work import work
from herobench.runs.session import RunCallbacks
from tests.checkup.rows import chosen, drawn, only_part


def test_public_questions_are_of_each_kind_as_many(tmp_path: Path) -> None:
    for size in (80, 200):
        asked = chosen(only_part("acp"), size, None, tmp_path)
        kinds = Counter(task.partition("/")[0] for task in asked["task_ids"])
        assert (len(kinds), set(kinds.values())) == (8, {size // 8})
        assert "fresh" not in asked
    assert not list(tmp_path.iterdir())


def test_fresh_questions_are_made_by_the_generator(tmp_path: Path) -> None:
    part = only_part("acp")
    row = replace(part.rows[0], draws=({"task": "all", "domain": "ferry"},))
    rows = drawn(replace(part, rows=(row,)), 8, 7, tmp_path)
    assert Counter(row["task"] for row in rows) == Counter(
        ["app", "prog", "reach", "areach", "val", "just", "land", "nexta"]
    )


def test_the_radars_have_chance_and_the_oracle_as_marks(tmp_path: Path) -> None:
    part = only_part("acp")
    checkup = Checkup(tmp_path / "run", "oracle", None, {"questions": 8}, [part])
    checkup.write()
    results = list(work(checkup, {"model": "oracle"}, lambda *_: RunCallbacks()))
    assert [result.path.name for result in results] == ["questions", "questions"]
    subject = CheckedModel(checkup, dict.fromkeys(checkup.runs, ""))
    assert set(as_rows([subject])["atoms"]) == {"oracle", "chance"}, "the model has the name of the mark here"
    index = page_data([subject], checkup.folder)
    assert index["profiled"] == "Atoms of planning"
    rates = {run["name"]: run["profiles"]["Planning questions"] for run in index["runs"]}
    assert all(rate["rate"] == 1 for _, rate in rates["oracle"])
    for run in index["runs"][:-1]:
        for _, rate in run["profiles"]["Planning questions"]:
            assert 0 <= rate["low"] <= rate["rate"] <= rate["high"] <= 1
    assert min(rate["rate"] for _, rate in rates["chance"]) < 1
