"""Runs of the role-playing game in its modes of many calls: kept, cut short, resumed, and scored again."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.data.documents import schema_problems
from herobench.data.errors import UsageError
from tests.cli.running import KEY, TASK_IDS, TASKS, winning_answers
from tests.loopback import Loopback
from tests.program import write_jsonl
from tests.runs.made import contents, manifest, problems, rows
from tests.runs.trial import row_key

ASKING: Mapping[str, dict[str, Any]] = {"feedback": {"feedback": True}, "tools": {"agent": "tools"}}
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


@pytest.mark.parametrize("kept", [0, 4])
def test_a_run_that_was_killed_in_an_attempt_asks_nothing_twice(won: Path, kept: int, tmp_path: Path) -> None:
    """The calls of attempts without a sample stay, some of them half-way."""
    path = Path(shutil.copytree(won, tmp_path / "copy"))
    whole = rows(won, "calls")
    write_jsonl(path / "samples.jsonl", [])
    write_jsonl(path / "calls.jsonl", whole[:kept])
    other: dict[str, Any] = {"feedback": False} if won.name == "feedback" else {"agent": "one-shot", "feedback": False}
    with pytest.raises(UsageError, match=r"identity\.mode: 'feedback', now None|agent: 'tools', now 'one-shot'"):
        library.run(resume=path, **other)
    library.run(resume=path)
    assert results(path) == results(won)
    after = rows(path, "calls")
    assert after[:kept] == whole[:kept]
    assert len({(*row_key(row), row["call"]) for row in after}) == len(after) == len(whole)


def test_feedback_off_is_the_usual_run(tmp_path: Path) -> None:
    for name, feedback in (("off", False), ("usual", None)):
        library.run("oracle", output=tmp_path / name, tasks=TASKS, feedback=feedback)
    assert manifest(tmp_path / "off")["config"] == manifest(tmp_path / "usual")["config"]
    assert "mode" not in manifest(tmp_path / "off")["config"]["identity"]
    assert results(tmp_path / "off") == results(tmp_path / "usual")


def test_a_run_keeps_the_limits_of_its_attempts(tmp_path: Path) -> None:
    path = tmp_path / "run"
    library.run("oracle", output=path, tasks=TASKS, feedback=True, limits={"calls": 1})
    whole = results(path)
    assert manifest(path)["config"]["limits"] == {"calls": 1, "tokens": None, "cost": None, "seconds": None}
    assert {row["unfinished"] for row in rows(path)} == {None, "the limit of 1 calls an attempt is reached"}
    write_jsonl(path / "samples.jsonl", [])
    library.run(resume=path)
    assert results(path) == whole


def test_best_of_gives_what_its_critic_chose(tmp_path: Path) -> None:
    """The first answer does nothing, the second one wins, and the critic prefers it."""

    def script(key: str, attempt: int) -> dict[str, Any]:
        texts = {1: "I cannot.", 2: winning_answers().get(key)} if key in winning_answers() else {1: "hm"}
        return {"kind": "ok", "text": texts.get(attempt, 'I prefer {"choice": 2}')}

    with Loopback(script, key=KEY) as server:
        request: Any = {"agent": "best-of:2", "sampling": {"seed": 5}}
        library.run("m", base_url=server.url, output=tmp_path / "run", tasks=TASKS, **request)
        bodies = [record.body for record in server.records()]
    assert {(row["won"], row["unfinished"]) for row in rows(tmp_path / "run")} == {(True, None)}
    kept = rows(tmp_path / "run", "calls")
    roles = [[row["role"] for row in kept if row["task_id"] == task_id] for task_id in TASK_IDS]
    assert all(own[:3] == ["planner", "planner", "critic"] for own in roles)
    assert sorted({body["seed"] for body in bodies}) == [5, 10_005], "equal requests have seeds of their own"
