"""Runs that choose their tasks by the verdicts so far: the same ones are asked whatever comes in between."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from typing import Any

import pytest

import herobench as library
from herobench.runs.refusals import RunFault
from herobench.runs.session import RunResult
from herobench.suite.refusals import SuiteFault
from tests.loopback import Behaviour, Kind, Loopback
from tests.program import command, surroundings, write_jsonl
from tests.refusals import raises
from tests.rungs import KEY, PRICES, climbs, install_rungs
from tests.runs.made import manifest, problems, rows
from tests.sizes import for_each

MADE = pytest.mark.parametrize(
    "seed", [pytest.param(None, id="of a set"), pytest.param(7, id="made", marks=pytest.mark.slow)]
)
"""Whether the tasks are those of a set, or are made as they are needed."""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_rungs(tmp_path / "packages", monkeypatch)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback({}, climbs, KEY) as loopback:
        yield loopback


def ask(server: Loopback, path: Path, until: str = "factor=2", **request: Any) -> RunResult:
    conduct = {"until": until, **request.pop("conduct", {})}
    asked: Any = {"suite": "rungs", "base_url": server.url, "output": path, **request}
    ending = library.run("m", conduct=conduct, **asked)
    assert problems(path) == []
    return ending


def in_rounds(left: Mapping[str, Any]) -> list[str]:
    """The tasks of all rounds of a run.json."""
    return [task_id for each in left["rounds"] for task_id in each]


def figure(path: Path) -> Mapping[str, Any]:
    """How the choice of tasks stood at the end of the last session."""
    return dict(manifest(path)["sessions"][-1]["until"])


def outcome(path: Path) -> tuple[Any, ...]:
    """The tasks of each round, those that the run keeps, the figure, and the verdicts."""
    left = manifest(path)
    told = {name: value for name, value in figure(path).items() if name not in ("spent", "whole")}
    won = sorted((row["task_id"], row["epoch"], row["won"]) for row in rows(path))
    return left["rounds"], rows(path, "tasks"), {**left["config"], "base_url": None, "epochs": 0}, told, won


def write_manifest(path: Path, row: Mapping[str, Any]) -> None:
    (path / "run.json").write_text(json.dumps(row), "utf-8")


def unended(left: dict[str, Any], rounds: int | None = None) -> dict[str, Any]:
    """A run.json as a kill leaves it, with its first rounds."""
    left["rounds"], left["totals"] = left["rounds"][:rounds], None
    left["sessions"][-1] |= {"finished": None, "ended": None}
    del left["sessions"][-1]["until"]
    return left


def torn(whole: Path, path: Path, rounds: int, lines: int) -> Path:
    """A copy of a run as a kill leaves it: with its first rounds, and some of their calls and samples."""
    shutil.copytree(whole, path)
    left = unended(manifest(whole), rounds)
    write_manifest(path, left)
    for name in ("samples.jsonl", "calls.jsonl"):
        kept = (whole / name).read_bytes().splitlines(keepends=True)
        of_rounds = [line for line in kept if json.loads(line)["task_id"] in in_rounds(left)]
        (path / name).write_bytes(b"".join(of_rounds[: lines + 2 * (name == "calls.jsonl")]))
    return path


@MADE
def test_a_run_stops_when_the_interval_is_narrow_enough(tmp_path: Path, server: Loopback, seed: int | None) -> None:
    path, prices = tmp_path / "run", write_jsonl(tmp_path / "prices.json", [PRICES])
    ending = ask(server, path, prices=prices, fresh=seed)
    left, found = manifest(path), figure(path)
    assert (ending.complete, ending.until) == (True, found)
    assert (found["goal"], found["reason"], found["of"], found["fits"]) == ("factor=2", "factor", 120, True)
    assert found["high"] / found["low"] <= 2
    assert found["low"] / 1.5 < 4 * 2**5 < 1.5 * found["high"], "near the model's"
    assert found["tasks"] == len(rows(path)) == server.counters().requests < 120
    assert sorted(in_rounds(left)) == sorted(row["task_id"] for row in rows(path)), "each once"
    assert left["totals"]["total"] == left["totals"]["measured"] == found["tasks"]
    assert found["spent"]["cost"] == pytest.approx(left["totals"]["cost"])
    assert found["spent"]["cost"] < found["whole"]["cost"]
    if seed is not None:
        tasks = rows(path, "tasks")
        assert [row["id"] for row in tasks] == in_rounds(left), "no others are made"
        assert ({row["seed"] for row in tasks}, left["config"]["task_count"]) == ({7}, len(tasks))
        assert library.rescore(path).changed == 0


def test_no_task_is_longer_than_wanted(tmp_path: Path, server: Loopback) -> None:
    for name in ("run", "again"):
        ask(server, tmp_path / name, "tasks=12,longest=50", fresh=7)
    tasks, found = rows(tmp_path / "run", "tasks"), figure(tmp_path / "run")
    assert max(row["steps"] for row in tasks) <= 51, "a task may be a step longer than it was wanted"
    assert (len(tasks), found["of"], found["goal"]) == (12, 120, "tasks=12,longest=50")
    assert outcome(tmp_path / "run") == outcome(tmp_path / "again")


@pytest.mark.slow
def test_a_disturbed_run_asks_the_same_tasks_and_finds_the_same_figure(tmp_path: Path, server: Loopback) -> None:
    ask(server, tmp_path / "calm", "tasks=24", conduct={"connections": 1})
    chance = Random(1)

    def script(key: str, turn: int) -> Behaviour:
        if turn == 1 and key[-1] in "369":
            return Behaviour(Kind.RATE_LIMIT_SECONDS, seconds=0.01)
        return Behaviour(delay=chance.uniform(0, 0.02))

    with Loopback(script, climbs, KEY) as jittery:
        ask(jittery, tmp_path / "jittery", "tasks=24")
    assert outcome(tmp_path / "jittery") == outcome(tmp_path / "calm")


def test_a_killed_run_resumes_with_the_same_choice(tmp_path: Path, server: Loopback) -> None:
    ask(server, tmp_path / "whole", "tasks=32")
    path = torn(tmp_path / "whole", tmp_path / "torn", 3, 20)
    kept = len(rows(path, "calls"))
    server.reset()
    library.run(resume=path)
    assert outcome(path) == outcome(tmp_path / "whole")
    assert server.counters().requests == figure(path)["tasks"] - kept, "no reply is paid for twice"


@MADE
def test_a_round_with_a_task_that_there_is_not_is_told_before_anything_is_asked(
    tmp_path: Path, server: Loopback, seed: int | None
) -> None:
    ask(server, tmp_path / "run", "tasks=8", fresh=seed)
    left, wrong = unended(manifest(tmp_path / "run")), "nope" if seed is None else "made/1e3"
    write_manifest(tmp_path / "run", {**left, "rounds": [*left["rounds"], [wrong]]})
    if seed is not None:
        write_jsonl(tmp_path / "run" / "tasks.jsonl", [])
    server.reset()
    with raises(RunFault.ROUND_WITHOUT_TASK if seed is None else RunFault.ROUND_NOT_MADE, wrong):
        library.run(resume=tmp_path / "run", conduct={"until": "tasks=24"})
    assert server.counters().requests == 0


@pytest.mark.slow
def test_a_kill_while_the_files_of_a_round_are_written_loses_nothing(tmp_path: Path, server: Loopback) -> None:
    """run.json has a round more than the other files."""
    for name, goal in (("once", "tasks=24"), ("more", "tasks=16"), ("run", "tasks=8")):
        ask(server, tmp_path / name, goal, fresh=7)
    write_manifest(tmp_path / "run", unended(manifest(tmp_path / "more")))
    server.reset()
    library.run(resume=tmp_path / "run", conduct={"until": "tasks=24"})
    assert outcome(tmp_path / "run") == outcome(tmp_path / "once")
    assert server.counters().requests == 16


@pytest.mark.kills
@MADE
def test_a_run_that_is_killed_again_and_again_asks_the_same_tasks(
    tmp_path: Path, server: Loopback, seed: int | None
) -> None:
    ask(server, tmp_path / "calm", fresh=seed)
    server.play({"default": {"kind": "ok", "delay": 0.2}})
    fresh = [] if seed is None else ["--fresh", str(seed)]
    words = ("--suite", "rungs", "--model", "m", "--base-url", server.url, "--until", "factor=2", *fresh)
    begin: tuple[str | Path, ...] = ("run", *words, "-o", tmp_path / "run")
    for _ in range(3):
        server.reset()
        with Popen(command(*begin), stdout=PIPE, stderr=PIPE, env=surroundings()) as process:
            server.wait_until(lambda now: now.answered > 9, seconds=60)
            process.kill()
            process.communicate()
        begin = ("run", "--resume", tmp_path / "run")
    server.play({})
    library.run(resume=tmp_path / "run")
    assert outcome(tmp_path / "run") == outcome(tmp_path / "calm")


def test_tasks_that_are_measured_in_part_are_left_out_and_asked_again(tmp_path: Path, server: Loopback) -> None:
    server.play({"keys": {"t0": ["server_error", "ok"]}})
    ending = ask(server, tmp_path / "run", "tasks=16", epochs=2, conduct={"retries": 0})
    assert (ending.complete, ending.standing.owed) == (False, 1), "t0 is of the first round"
    before, asked = figure(tmp_path / "run"), {row["task_id"] for row in rows(tmp_path / "run")}
    assert (before["reason"], before["tasks"]) == ("tasks", len(asked) - 1)
    server.reset()
    server.play({})
    assert library.run(resume=tmp_path / "run").complete
    assert (figure(tmp_path / "run")["tasks"], server.counters().requests) == (before["tasks"] + 1, 1)


def test_a_server_that_is_down_ends_the_run_soon(tmp_path: Path, server: Loopback) -> None:
    server.play({"default": "unauthorized"})
    ending = ask(server, tmp_path / "run", conduct={"retries": 0})
    assert (ending.complete, figure(tmp_path / "run")["reason"]) == (False, None)
    assert server.counters().requests < 40


def test_epochs_of_a_task_count_as_one(tmp_path: Path, server: Loopback) -> None:
    ask(server, tmp_path / "once", "tasks=16")
    ask(server, tmp_path / "thrice", "tasks=16", epochs=3)
    assert outcome(tmp_path / "once")[:-1] == outcome(tmp_path / "thrice")[:-1]
    assert len(rows(tmp_path / "thrice")) == 3 * figure(tmp_path / "once")["tasks"]


def test_a_number_of_tasks_or_a_cost_ends_a_run(tmp_path: Path, server: Loopback) -> None:
    prices = write_jsonl(tmp_path / "prices.json", [PRICES])
    ask(server, tmp_path / "tasks", "factor=1.5,tasks=21", prices=prices)
    found = figure(tmp_path / "tasks")
    assert (found["reason"], found["tasks"]) == ("tasks", 21)
    spent = found["spent"]["cost"]
    ask(server, tmp_path / "cost", f"cost={spent:.9f}", prices=prices)
    assert figure(tmp_path / "cost")["reason"] == "cost"
    assert 0.8 * spent <= figure(tmp_path / "cost")["spent"]["cost"] <= 1.1 * spent


def test_a_resumed_run_may_have_a_tighter_goal(tmp_path: Path, server: Loopback) -> None:
    ask(server, tmp_path / "run", "tasks=16")
    library.run(resume=tmp_path / "run", conduct={"until": "tasks=24"})
    ask(server, tmp_path / "once", "tasks=24")
    assert outcome(tmp_path / "run") == outcome(tmp_path / "once")


def test_a_run_that_makes_its_tasks_has_no_set_of_all(tmp_path: Path, server: Loopback) -> None:
    ask(server, tmp_path / "run", "tasks=8", fresh=7)
    with raises(RunFault.NO_LIMIT):
        library.run(resume=tmp_path / "run", conduct={"until": "all"})
    with raises(RunFault.MAKES_ITS_TASKS):
        ask(server, tmp_path / "run", "tasks=8", fresh=7)


@for_each("request_", [{"shard": "1/2"}, {"shard": "1/2", "fresh": 7}, {"suite": "flat"}])
def test_what_cannot_be_chosen_is_refused(request_: dict[str, Any], tmp_path: Path, server: Loopback) -> None:
    with raises(SuiteFault.NO_LENGTHS if "suite" in request_ else RunFault.SHARD_OF_ROUNDS):
        ask(server, tmp_path / "run", **request_)
    assert not (tmp_path / "run").exists()
