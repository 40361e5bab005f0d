"""Runs on private twins of a tiny suite: their seed, which tasks have them, and a resumed run. Twins of the RPG are in
tests/cli/test_fresh_twins.py."""

from __future__ import annotations

import importlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.data.documents import MOST_EXACT
from herobench.data.errors import SuiteError, UsageError
from herobench.runs.session import RunCallbacks, RunResult
from herobench.runs.standing import News
from tests.pairs import install_pairs
from tests.runs.made import contents, manifest, problems, rows
from tests.sizes import for_each


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pairs(tmp_path / "site", monkeypatch)


def run(path: Path, **request: Any) -> RunResult:
    ending = library.run("echo", **{"suite": "pairs", "task_ids": ["t[0-2]"], "output": path, **request})
    assert problems(path) == []
    return ending


def asked(path: Path) -> list[str]:
    return sorted(row["task_id"] for row in rows(path))


@for_each(("fresh", "seed"), [(7, 7), (0, 0), (MOST_EXACT, MOST_EXACT), (False, None), (None, None)])
def test_a_run_keeps_its_seed_and_asks_twins_of_the_chosen_tasks(
    fresh: bool | int | None, seed: int | None, tmp_path: Path
) -> None:
    news: list[News] = []
    ending = run(tmp_path / "run", fresh=fresh, callbacks=RunCallbacks(news.append))
    assert (ending.config.dataset, ending.config.fresh, ending.standing.wins) == ("pairs-v1", seed, 3)
    assert asked(tmp_path / "run") == [f"t{number}{'' if seed is None else f'-{seed}'}" for number in range(3)]
    told = {"event": "note", "message": "One twin is harder."}
    assert (told in news) == (seed is not None)


def test_without_a_number_each_run_draws_a_seed_of_its_own(tmp_path: Path) -> None:
    seeds = {run(tmp_path / name, fresh=True).config.fresh for name in ("one", "two")}
    assert len(seeds) == 2
    assert all(seed is not None and 0 <= seed <= MOST_EXACT for seed in seeds)


def test_tasks_are_chosen_by_the_ids_that_are_known(tmp_path: Path) -> None:
    """The twin of t3 is refused, so no twin is made of a task that was not chosen."""
    run(tmp_path / "ids", fresh=7, task_ids=["t2", "t0"])
    run(tmp_path / "limit", fresh=7, task_ids=None, limit=slice(1, 3))
    assert (asked(tmp_path / "ids"), asked(tmp_path / "limit")) == (["t0-7", "t2-7"], ["t1-7", "t2-7"])
    with pytest.raises(UsageError, match=r"The task 't3' can have no twin\."):
        run(tmp_path / "run", fresh=7, task_ids=None)
    assert not (tmp_path / "run").exists()


def test_a_run_resumes_without_new_twins_and_as_no_other_run(tmp_path: Path) -> None:
    path = tmp_path / "run"
    run(path, fresh=7)
    (path / "samples.jsonl").write_bytes(contents(path)["samples.jsonl"].splitlines(keepends=True)[0])
    assert library.run(resume=path).config.fresh == 7
    assert asked(path) == ["t0-7", "t1-7", "t2-7"]
    for fresh in (7, True):
        assert library.run(resume=path, fresh=fresh, task_ids=["t[0-2]"]).standing.before == 3
    assert library.rescore(path).changed == 0
    for other, told in ((8, "  --fresh: 7, now 8"), (None, "  --fresh: 7, now None")):
        with pytest.raises(UsageError) as caught:
            run(path, fresh=other)
        assert told in str(caught.value).splitlines()


def test_a_run_from_before_there_were_twins_and_limits_resumes(tmp_path: Path) -> None:
    run(tmp_path / "run")
    old = manifest(tmp_path / "run")
    del old["config"]["fresh"], old["config"]["limits"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(old), "utf-8")
    assert library.run(resume=tmp_path / "run").complete


@for_each(
    ("suite", "told"),
    [
        ("treasure", "The suite treasure makes no private twins of its tasks: leave --fresh out."),
        ("dropping", "The suite dropping made 2 twins of 3 tasks."),
        ("bare", "The suite bare failed in fresh: AttributeError: 'Bare' object has no attribute 'suite'"),
    ],
)
def test_twins_that_are_missing_are_never_passed_over(suite: str, told: str, tmp_path: Path, with_toy: None) -> None:
    player = {"treasure": "oracle"}.get(suite, "echo")
    with pytest.raises((UsageError, SuiteError)) as caught:
        library.run(player, suite=suite, task_ids=["t[0-2]"], fresh=7, output=tmp_path / "run")
    assert str(caught.value) == told
    assert not (tmp_path / "run").exists()


@for_each("suite", ["pairs", "dropping"])
@for_each("sampling", [{}, {"temperature": -1.0}])
def test_every_suite_is_closed_once(suite: str, sampling: dict[str, float], tmp_path: Path) -> None:
    """Twins that were dropped are refused too."""
    closed = importlib.import_module("pairs").CLOSED
    closed.clear()
    with suppress(UsageError, SuiteError):
        run(tmp_path / "run", suite=suite, task_ids=["t0", "t1"], sampling=sampling, fresh=7)
    assert sorted(closed) == ["7", "public"]
