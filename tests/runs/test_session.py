"""Sessions of real runs, with a served model and the sandbox: from the folder as it is found to how it is left."""

from __future__ import annotations

import errno
import os
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Usage
from herobench.data.documents import schema_problems
from herobench.data.errors import StoreError
from herobench.data.rows import dump_row
from herobench.models.model import Price, Sampling
from herobench.models.model_error import ModelFault
from herobench.models.pace import Window
from herobench.runs.folder import RunFolder
from herobench.runs.options import RunRequest
from herobench.runs.refusals import RunFault
from herobench.runs.session import Session
from herobench.runs.spec import make_spec
from herobench.runs.standing import News
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.task_file import load_tasks
from tests.builders import TINY
from tests.loopback import Behaviour, Kind, Loopback
from tests.program import write_jsonl
from tests.refusals import raises
from tests.runs.made import LOSE, WIN, TinySpecs, manifest, rows, tiny_tasks, work
from tests.runs.trial import row_key
from tests.sizes import for_each, some_slow

KEY = "sk-a-long-and-secret-key"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def test_a_run_of_a_served_model_keeps_what_it_said_and_what_it_scored(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs
) -> None:
    tasks, news = tiny_tasks(tiny), list[News]()
    with Loopback(lambda key, turn: Behaviour(model="named", reasoning="Hm."), answers=lambda key: WIN) as server:
        spec = tiny_spec(tasks, Price(1.0, 2.0, 0.5), model="org/m", base_url=server.url, epochs=2)
        ending = work(tmp_path / "run", spec, news)
        assert server.counters().requests == 6
    samples, calls = rows(tmp_path / "run"), rows(tmp_path / "run", "calls")
    assert sorted(map(row_key, samples)) == sorted((task_id, epoch) for task_id in tasks for epoch in range(2))
    assert {(row["task_id"], row["group"], row["won"], row["details"]["ended"]) for row in samples} == {
        ("drake-0", "2", True, "finished"),
        ("drake-1", "2", True, "finished"),
        ("1/1_Brick_craft", "2", False, "finished"),
    }
    assert {(row["suite"], row["status"], row["model"], row["calls"]) for row in samples} == {("rpg", "ok", "named", 1)}
    said: dict[str, object] = {"text": WIN, "tool_calls": [], "answer": None, "reasoning": "Hm.", "stop": "stop"}
    assert all(row["replies"] == [said] for row in samples)
    by_key = {row_key(call): call for call in calls}
    for row in samples:
        call = by_key[row_key(row)]
        usage = Usage(**call["reply"]["usage"])
        assert (row["input_tokens"], row["output_tokens"]) == (usage.input, usage.output)
        assert row["cost"] == call["cost"] == Price(1.0, 2.0, 0.5).of(usage)
        assert call["reply"]["reasoning"] == "Hm."
        assert schema_problems(row["details"], "rpg-details", "details") == []
        assert schema_problems(row["events"], "rpg-events", "events") == []
    left = manifest(tmp_path / "run")
    assert left["config"] == spec.config.as_row()
    assert (left["config"]["suite"], left["config"]["dataset"]) == ("rpg", "tiny")
    assert (left["config"]["identity"]["world"], left["conduct"]["options"]) == (tiny.digest, {"rules": "standard"})
    assert left["files"] == ["world.json"]
    assert (tmp_path / "run" / "world.json").read_text("utf-8") == f"{tiny.source}\n"
    assert left["totals"] == ending.standing.as_row()
    assert (left["totals"]["wins"], left["totals"]["owed"], left["served"]) == (4, 0, ["named"])
    assert [session["ended"] for session in left["sessions"]] == ["done"]
    assert [told["event"] for told in news] == ["begin", *["sample"] * 6, "end"]
    assert load_tasks(tmp_path / "run" / "tasks.jsonl", tiny) == tasks
    assert not any(KEY in file.read_text("utf-8") for file in (tmp_path / "run").iterdir())


def test_each_task_is_asked_once_before_any_is_asked_twice(tmp_path: Path, tiny: World, tiny_spec: TinySpecs) -> None:
    tasks = tiny_tasks(tiny)
    spec = tiny_spec(tasks, model="noop", epochs=3, conduct={"connections": 1, "jobs": 1})
    work(tmp_path, spec)
    every = [(name, epoch) for epoch in range(3) for name in tasks]
    assert [row_key(call) for call in rows(tmp_path, "calls")] == every
    for name in ("calls", "samples"):  # as where the run was cut short in its second epoch
        write_jsonl(tmp_path / f"{name}.jsonl", rows(tmp_path, name)[: len(tasks) + 1])
    work(tmp_path, spec)
    assert [row_key(call) for call in rows(tmp_path, "calls")] == every
    assert [row_key(row) for row in rows(tmp_path)] == every


def test_what_is_learned_of_a_server_is_told_once_and_kept_for_the_next_session(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs
) -> None:
    tasks, news = tiny_tasks(tiny), list[News]()

    def one_fails(key: str, turn: int) -> Kind:
        return Kind.UNAUTHORIZED if "drake" not in key.lower() and turn == 1 else Kind.OK

    def newer_limit(body: dict[str, Any]) -> str | None:
        return "Unrecognized request argument supplied: max_tokens" if "max_tokens" in body else None

    with Loopback(one_fails, answers=lambda key: LOSE, refuses=newer_limit) as server:
        spec = tiny_spec(tasks, model="m", base_url=server.url, sampling={"max_tokens": 100})
        resumed = RunFolder(tmp_path)
        assert work(tmp_path, spec, news).standing.owed == 1
        assert [record.status for record in server.records() if record.status] == [400]
        told = [one["message"] for one in news if one["event"] == "note"]
        assert told == ["The server wants the limit of a reply as max_completion_tokens: it gets it so from now on."]
        left = manifest(tmp_path)
        assert left["dialect"]["limit"] == "max_completion_tokens"
        assert schema_problems(left, "run", "run.json") == []
        again = make_spec(RunRequest(options={"world": str(TINY)}), resumed)
        server.play(None)
        server.reset()
        with closing(again.suite):
            assert work(tmp_path, again).standing.owed == 0
        assert [record.status for record in server.records()] == [0]


def test_what_was_not_measured_is_asked_again_and_nothing_else(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs
) -> None:
    kinds, measured = iter([Kind.BAD_REQUEST, Kind.CONTEXT, Kind.OK]), dict[str, Any]()
    served = lambda key, turn: next(kinds) if "drake" not in key.lower() else Kind.OK  # noqa: E731
    with Loopback(served, answers=lambda key: WIN) as server:
        spec = tiny_spec(tiny_tasks(tiny), model="m", base_url=server.url)
        for number, kind in enumerate(("refused", "context", None), 1):
            assert work(tmp_path, spec).standing.owed == (kind is not None)
            by_task = {row["task_id"]: row for row in rows(tmp_path)}
            error = by_task.pop("1/1_Brick_craft")["error"]
            assert (error and error["kind"], len(server.records())) == (kind, 2 + number)
            assert by_task == (measured or by_task)
            measured = by_task
    left = manifest(tmp_path)
    assert [session["ended"] for session in left["sessions"]] == ["done"] * 3
    assert (left["totals"]["measured"], left["totals"]["unmeasured"], left["totals"]["wins"]) == (3, 0, 2)
    (tmp_path / "samples.jsonl").write_text("".join(dump_row({**row, "epoch": 1}) for row in rows(tmp_path)), "utf-8")
    with raises(RunFault.FOREIGN_ATTEMPTS, "3 attempts", "drake-0", "1"):
        work(tmp_path, spec)


def test_a_session_works_by_its_own_options_and_keeps_them(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows: list[tuple[int, bool]] = []

    def noted(most: int, *, adaptive: bool) -> Window:
        windows.append((most, adaptive))
        return Window(most, adaptive=adaptive)

    monkeypatch.setattr("herobench.runs.session.Window", noted)
    for price, conduct in ((None, {"connections": 8, "adaptive": True}), (Price(1.0, 2.0, 0.5), {"connections": 3})):
        (tmp_path / "samples.jsonl").unlink(missing_ok=True)
        work(tmp_path, tiny_spec(tiny_tasks(tiny), price, model="noop", conduct=conduct))
        left = manifest(tmp_path)
        kept = (left["conduct"]["connections"], left["conduct"]["adaptive"])
        assert (windows[-1], left["price"]) == (kept, price and price.as_row())
    assert windows == [(8, True), (3, False)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_session_finishes_what_is_in_flight_and_says_so(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs, number: signal.Signals
) -> None:
    news: list[News] = []

    def interrupt(key: str, turn: int) -> Kind:
        if server.counters().requests == 3:
            os.kill(os.getpid(), number)
        return Kind.OK

    before = signal.getsignal(number)
    with Loopback(interrupt, answers=lambda key: LOSE) as server:
        spec = tiny_spec(tiny_tasks(tiny, 30), model="m", base_url=server.url, conduct={"connections": 1})
        with RunFolder(tmp_path) as folder:
            ending = Session(spec, []).work(folder, news.append, lambda standing: None)
        assert signal.getsignal(number) == before
        assert (ending.reason, ending.message) == ("interrupted", "Interrupted.")
        assert 3 <= len(rows(tmp_path)) == len(rows(tmp_path, "calls")) == ending.standing.measured < 31
        assert [told["event"] for told in news if told["event"] != "sample"] == ["begin", "stopping", "end"]
        left = manifest(tmp_path)
        assert (left["sessions"][-1]["ended"], left["totals"]["owed"]) == ("interrupted", ending.standing.owed)
        assert work(tmp_path, spec).standing.owed == 0
    assert len(rows(tmp_path, "calls")) == 31


@pytest.mark.parametrize("name", some_slow(["calls", "samples"], ["calls"]))
def test_a_full_disk_is_told_as_such_and_the_run_goes_on_later(
    tmp_path: Path, tiny: World, tiny_spec: TinySpecs, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    fsync, left = os.fsync, [2]

    def full(file: int) -> None:
        own = tmp_path / f"{name}.jsonl"
        if own.exists() and os.path.samestat(os.fstat(file), own.stat()):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
        fsync(file)

    spec = tiny_spec(tiny_tasks(tiny, 200), model="noop", conduct={"connections": 1})
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match=rf"Cannot write .*{name}\.jsonl: No space left on device"):
            work(tmp_path, spec)
    kept = {row_key(call): call for call in rows(tmp_path, "calls")}
    assert 2 <= len(rows(tmp_path, name)) < 201, "two writes, each of one row or of several"
    assert len(rows(tmp_path, name)) <= len(kept), "all may be asked before the first is scored"
    assert manifest(tmp_path)["sessions"][-1]["finished"] is None
    assert work(tmp_path, spec).standing.owed == 0
    assert sorted(map(row_key, rows(tmp_path))) == sorted(map(row_key, rows(tmp_path, "calls")))
    assert kept.items() <= {row_key(call): call for call in rows(tmp_path, "calls")}.items(), "none is asked again"


@for_each("option", [*Sampling.__slots__])
def test_no_player_takes_what_it_would_ignore(option: str, tiny: World, tiny_spec: TinySpecs) -> None:
    value = {"extra_body": {"top_k": 1}, "reasoning_effort": "low"}.get(option, 0 if option == "seed" else 1)
    spec = tiny_spec(tiny_tasks(tiny), model="noop", sampling={option: value})
    with raises(ModelFault.UNUSED_OPTIONS, option):
        Session(spec, [])


def test_a_cache_is_of_no_use_to_a_player(tmp_path: Path, tiny: World, tiny_spec: TinySpecs) -> None:
    spec = tiny_spec(tiny_tasks(tiny), model="noop", conduct={"cache": str(tmp_path / "cache")})
    with raises(RunFault.CACHE_OF_PLAYER, "noop"):
        Session(spec, [])
    assert list(tmp_path.iterdir()) == []
