"""Runs of the role-playing game in its modes of many calls: kept, cut short, resumed, and scored again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.data.documents import schema_problems
from tests.cli.running import TASK_IDS, TASKS
from tests.runs.made import contents, manifest, problems, rows
from tests.runs.trial import row_key

ASKING: Mapping[str, dict[str, Any]] = {"feedback": {"options": {"mode": "feedback"}}, "tools": {"agent": "tools"}}
OF_THE_CLOCK = ("seconds", "started", "finished")


def results(path: Path) -> dict[Any, Any]:
    """The samples less what depends on the clock, by attempt."""
    return {
        row_key(row): {name: value for name, value in row.items() if name not in OF_THE_CLOCK} for row in rows(path)
    }


@pytest.fixture(scope="module", params=ASKING)
def won(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run of the oracle in a mode, in a folder of its name."""
    path = tmp_path_factory.mktemp("modes") / str(request.param)
    assert library.run("oracle", output=path, tasks=TASKS, epochs=2, **ASKING[path.name]).complete
    return path


def test_the_oracle_wins_in_each_mode_and_is_scored_again_to_the_byte(won: Path) -> None:
    assert problems(won) == []
    assert [row["won"] for row in rows(won)] == [True] * 2 * len(TASK_IDS)
    assert {row["details"]["mode"] for row in rows(won)} == {won.name}
    assert max(row["calls"] for row in rows(won)) > 1
    for row in rows(won):
        assert (len(row["replies"]), row["unfinished"]) == (row["calls"], None)
        assert schema_problems(row["details"], "rpg-details", "details") == []
    kept = manifest(won)
    assert kept["conduct"]["options"] == {"rules": "standard", "mode": won.name}
    assert (kept["config"]["identity"]["mode"], len(kept["config"]["identity"]["mode_prompts"])) == (won.name, 64)
    before = contents(won)["samples.jsonl"]
    assert library.rescore(won).changed == 0
    assert contents(won)["samples.jsonl"] == before
