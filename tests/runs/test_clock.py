"""Runs while the wall clock is set: what is measured, waited for and resumed does not depend on it."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from herobench.runs import config
from herobench.suites.rpg.game.world import World
from tests.loopback import Behaviour, Kind, Loopback
from tests.runs.made import WIN, TinySpecs, manifest, rows, tiny_tasks, work
from tests.runs.trial import row_key

DAY = timedelta(days=1)
OF_THE_CLOCK = ("started", "finished", "seconds", "retries")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-a-long-and-secret-key")


def jump(monkeypatch: pytest.MonkeyPatch, step: timedelta) -> None:
    """Set the clock by a step each time somebody looks at it. It stays in another year than ours."""
    shown = (datetime(2100, 1, 1, tzinfo=UTC) + times * step for times in count(1))
    monkeypatch.setattr(config, "time_ns", lambda: int(next(shown).timestamp()) * 10**9)
    monkeypatch.setattr(time, "time", lambda: next(shown).timestamp())


def results(path: Path) -> dict[object, object]:
    return {
        row_key(row): {name: value for name, value in row.items() if name not in OF_THE_CLOCK} for row in rows(path)
    }


@pytest.mark.slow
@pytest.mark.parametrize("step", [-DAY, DAY], ids=["back", "forth"])
def test_a_run_is_the_same_while_the_clock_is_set_and_can_be_resumed(
    step: timedelta, tmp_path: Path, tiny: World, tiny_spec: TinySpecs, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = tiny_tasks(tiny)
    served = lambda key, turn: Behaviour(Kind.RATE_LIMIT_MS, seconds=0.02) if turn % 2 else Behaviour()  # noqa: E731
    with Loopback(served, answers=lambda key: WIN) as server:
        spec = tiny_spec(tasks, model="m", base_url=server.url, conduct={"retries": 3, "rpm": 1000})
        work(tmp_path / "still", spec)
        jump(monkeypatch, step)
        begun = time.monotonic()
        ending = work(tmp_path / "jumping", spec)
        taken = time.monotonic() - begun
        asked = server.counters().requests
        again = work(tmp_path / "jumping", spec)
        assert server.counters().requests == asked
    assert (ending.standing.owed, again.standing.owed) == (0, 0)
    assert results(tmp_path / "jumping") == results(tmp_path / "still")
    for row in rows(tmp_path / "jumping"):
        assert 0 <= row["seconds"] <= taken
        assert (row["started"] > row["finished"]) == (step < timedelta())
    sessions = manifest(tmp_path / "jumping")["sessions"]
    assert [session["ended"] for session in sessions] == ["done", "done"]
    assert sessions[0]["started"].startswith(("2099", "2100"))


def test_a_run_that_was_begun_in_the_future_goes_on(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [True]
    served = lambda key, turn: Behaviour(Kind.BAD_REQUEST) if broken else Behaviour()  # noqa: E731
    with Loopback(served, answers=lambda key: WIN) as server:
        spec = tiny_spec(tiny_tasks(tiny), model="m", base_url=server.url)
        with monkeypatch.context() as future:
            jump(future, DAY)
            assert work(tmp_path / "run", spec).standing.owed == 3
        broken.clear()
        assert manifest(tmp_path / "run")["sessions"][0]["started"] > config.now()
        assert work(tmp_path / "run", spec).standing.owed == 0
    assert {row["status"] for row in rows(tmp_path / "run")} == {"ok"}


def test_the_wall_clock_is_read_for_dates_alone() -> None:
    project = Path(__file__).parents[2]
    wall = re.compile(r"\btime\.time(_ns)?\(|from time import .*\btime(_ns)?\b|\b(datetime|date)\.(now|utcnow|today)\(")
    files = (
        path for room in ("herobench", "analysis", "task_gen", "prompts") for path in (project / room).rglob("*.py")
    )
    found = {path.resolve().relative_to(project).as_posix() for path in files if wall.search(path.read_text("utf-8"))}
    assert found == {"herobench/runs/config.py", "herobench/models/server_errors.py"}
