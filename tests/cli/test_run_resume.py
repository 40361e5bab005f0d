from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.runs.folder import RunFolder
from tests.builders import TINY
from tests.cli.running import (
    KEY,
    TARGETS,
    TASK_IDS,
    TASKS,
    Attempt,
    ask,
    attempts,
    calls,
    contents,
    everything,
    only,
    results,
    resume,
    samples,
    some_win,
    start,
    start_asking,
    statuses,
    winning_answers,
)
from tests.loopback import Loopback
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import many

KILLS = many(50, 4)
EPOCHS = 8
SEED = 100
"""Of the first epoch: a request's seed tells which epoch it is of."""


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Loopback, Path]]:
    """A run whose server did not take the request about one task, which is owed; each test has a copy of it."""
    folder = tmp_path_factory.mktemp("origin") / "run"
    with Loopback(only("chicken"), some_win, KEY) as loopback:
        assert ask(loopback, "-o", folder, "--jobs", "1").returncode == 1
        yield loopback, folder


@pytest.fixture
def server(origin: tuple[Loopback, Path]) -> Iterator[Loopback]:
    """The run's server, which has recovered and forgotten."""
    loopback, _ = origin
    loopback.play({})
    loopback.reset()
    yield loopback
    loopback.release()


@pytest.fixture
def begun(tmp_path: Path, origin: tuple[Loopback, Path], server: Loopback) -> Path:
    """A run of which one attempt is owed."""
    return Path(shutil.copytree(origin[1], tmp_path / "run"))


# -- killed -----------------------------------------------------------------------------------------------------------


@pytest.mark.kills
def test_kills_at_any_moment_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    """Every other session is killed at any moment from its very start on, the rest soon after they began to ask, so
    that however fast the machine is some are killed before there is a run, and many in the midst of it. The last one
    is let live."""
    chance = random.Random(20260101)
    disturbed, undisturbed = tmp_path / "disturbed", tmp_path / "undisturbed"
    options = ("--epochs", str(EPOCHS), "--seed", str(SEED), "--jobs", "1")
    asking = 0
    with Loopback({}, some_win, KEY) as server:
        assert ask(server, *options, "-o", undisturbed).returncode == 0
        server.play({"default": {"kind": "ok", "delay": 0.4}, "keys": {"chicken": {"kind": "ok", "delay": 0.7}}})
        for number in range(KILLS):
            server.reset()
            before = kept(disturbed)
            with begin(server, disturbed, options) as process:
                if number % 2 and len(before) < len(everything(EPOCHS)):
                    server.wait_until(lambda now: now.requests > 0, seconds=60)
                    asking += 1
                    kill_after(process, chance.uniform(0.0, 0.5))
                else:
                    kill_after(process, chance.uniform(0.0, 1.2))
            assert repeated(server, before) == set()
        server.play({})
        server.reset()
        before = kept(disturbed)
        done = resume(disturbed)
        assert done.returncode == 0, done.stderr
        assert repeated(server, before) == set()
    assert asking >= KILLS // 3
    assert attempts(samples(disturbed)) == everything(EPOCHS)
    assert results(disturbed) == results(undisturbed)
    assert set(attempts(calls(disturbed))) == set(everything(EPOCHS))


def begin(server: Loopback, folder: Path, options: tuple[str, ...]) -> subprocess.Popen[str]:
    """A session: the first as a new run, also when an earlier one did not come so far as to begin."""
    if (folder / "run.json").exists():
        return start("--tasks", TASKS, "--resume", folder, "--max-connections", "2")
    return start_asking(server, *options, "-o", folder, "--max-connections", "2")


def kill_after(process: subprocess.Popen[str], seconds: float) -> None:
    try:
        _, said = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
    else:
        assert process.returncode == 0, said
    assert "Traceback" not in said


def kept(folder: Path) -> set[Attempt]:
    """The attempts that have a reply on the disk."""
    if not (folder / "calls.jsonl").exists():
        return set()
    whole = [line for line in (folder / "calls.jsonl").read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    return set(attempts([row for row in map(json.loads, whole) if row["reply"]]))


def repeated(server: Loopback, before: set[Attempt]) -> set[Attempt]:
    """What was asked although there was a reply already."""
    tasks_by_target = dict(zip(TARGETS, TASK_IDS, strict=True))
    return before & {(tasks_by_target[record.key], record.body["seed"] - SEED) for record in server.records()}


def test_a_reply_that_has_no_sample_yet_is_scored_and_not_asked_again(begun: Path, server: Loopback) -> None:
    rows = samples(begun)
    write_jsonl(begun / "samples.jsonl", rows[:1])
    assert resume(begun).returncode == 0
    assert [record.key for record in server.records()] == ["chicken"]
    assert attempts(samples(begun)) == everything()
    ids = [row["task_id"] for row in rows if row["status"] == "ok"]
    again = {row["task_id"]: row for row in samples(begun)}
    assert [again[name] for name in ids] == [row for row in rows if row["status"] == "ok"]


@pytest.mark.parametrize("torn", [b'{"task_id": "1/', b"\x00" * 100_000])
def test_a_torn_last_line_is_dropped(torn: bytes, begun: Path, server: Loopback) -> None:
    for name in ("calls.jsonl", "samples.jsonl"):
        with (begun / name).open("ab") as file:
            file.write(torn)
    done = resume(begun)
    assert done.returncode == 0, done.stderr
    assert attempts(samples(begun)) == everything()
    assert len(calls(begun)) == 6
    assert server.counters().requests == 1


DAMAGE = {
    "torn": '{"task_id": "1/1_Cop',
    "no object": "[]",
    "of something else": "{}",
    "deep": "[" * 100_000,
    "no number": '{"schema": 2, "cost": NaN}',
    "twice": "the line before it",
    "wrong types": '{"task_id": 7, "epoch": [], "status": "ok", "won": {}, "call": 0, "reply": 7, "cost": "much"}',
}


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *(("calls.jsonl", damage) for damage in ("torn", "of something else", "no number", "wrong types")),
        *(("samples.jsonl", damage) for damage in ("no object", "of something else", "deep", "twice", "wrong types")),
    ],
)
def test_a_damaged_line_in_the_middle_is_named_and_nothing_is_touched(
    name: str, damage: str, begun: Path, server: Loopback
) -> None:
    lines = (begun / name).read_text("utf-8").splitlines(keepends=True)
    line = lines[0] if damage == "twice" else DAMAGE[damage] + "\n"
    (begun / name).write_text("".join([lines[0], line, *lines[2:]]), "utf-8")
    before = contents(begun)
    readers = [resume, lambda run: herobench("score", run)] if name == "samples.jsonl" else [resume]
    for read in readers:
        said = refuses(read(begun))
        assert f"{begun / name}:2: " in said
        assert len(said) < 400
        assert contents(begun) == before
    assert server.counters().requests == 0


@pytest.mark.parametrize("name", ["run.json", "tasks.jsonl"])
def test_other_damaged_files_are_named(name: str, begun: Path) -> None:
    (begun / name).write_text("{", "utf-8")
    before = contents(begun)
    done = resume(begun)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert name in done.stderr
    assert contents(begun) == before


# -- what is tried again ----------------------------------------------------------------------------------------------


def test_what_was_not_measured_is_tried_again_and_nothing_else(begun: Path, server: Loopback) -> None:
    before = {row["task_id"]: row for row in samples(begun)}
    done = resume(begun)
    assert (done.returncode, done.stderr) == (0, "")
    assert [record.key for record in server.records()] == ["chicken"]
    after = {row["task_id"]: row for row in samples(begun)}
    assert attempts(samples(begun)) == everything()
    assert statuses(begun) == {"ok": 5}
    tried = TASK_IDS[1]
    assert {name: row for name, row in after.items() if name != tried} == {
        name: row for name, row in before.items() if name != tried
    }
    manifest = json.loads((begun / "run.json").read_text("utf-8"))
    assert [session["ended"] for session in manifest["sessions"]] == ["done", "done"]
    assert (manifest["totals"]["measured"], manifest["totals"]["unmeasured"]) == (5, 0)


def test_a_run_that_is_done_asks_nothing_more(begun: Path, server: Loopback) -> None:
    assert (first := resume(begun)).returncode == 0
    assert first.stderr == ""
    before = results(begun)
    for done in (resume(begun), ask(server, "-o", begun)):
        assert done.returncode == 0
        assert done.stderr == "Nothing was left to do: all 5 attempts were measured in earlier sessions.\n"
    assert results(begun) == before
    assert server.counters().requests == 1
    assert ["all", "5", "3", "60.0", "%"] in [line.split()[:5] for line in done.stdout.splitlines()]


def test_what_fails_again_stays_owed(begun: Path, server: Loopback) -> None:
    server.play({"default": "context"})
    done = resume(begun)
    assert done.returncode == 1
    assert statuses(begun) == {"ok": 4, "unmeasured": 1}
    assert attempts(samples(begun)) == everything()
    (row,) = (row for row in samples(begun) if row["status"] != "ok")
    assert row["error"]["kind"] == "context"


def test_a_run_goes_on_by_itself_although_its_tasks_file_is_gone(tmp_path: Path, server: Loopback) -> None:
    own = tmp_path / "own.jsonl"
    own.write_bytes(TASKS.read_bytes())
    server.play(only("chicken"))
    assert ask(server, "--tasks", own, "-o", tmp_path / "run").returncode == 1
    own.unlink()
    server.play({})
    assert resume(tmp_path / "run").returncode == 0


# -- another run ------------------------------------------------------------------------------------------------------


OTHERWISE: dict[str, tuple[list[str], list[str]]] = {
    "sampling": (
        "--temperature 1 --seed 0 --top-p 0.5 --max-tokens 100 --reasoning-effort low".split(),
        [
            "sampling.temperature: None, now 1.0",
            "sampling.seed: None, now 0",
            "sampling.top_p: None, now 0.5",
            "sampling.max_tokens: None, now 100",
            "sampling.reasoning_effort: None, now 'low'",
        ],
    ),
    "extra body": (["--extra-body", '{"top_k": 3}'], ["sampling.extra_body.top_k: None, now 3"]),
    "model": (["--model", "n"], ["model: 'm', now 'n'"]),
    "epochs": (["--epochs", "2"], ["epochs: 1, now 2"]),
    "rules": (["--rules", "paper-late"], ["identity.rules: 'standard', now 'paper-late'"]),
    "tasks": (["--tasks", str(TASKS), "--limit", "2"], ["task_count: 5, now 2"]),
    "dataset": (["--dataset", "decoys"], ["dataset: 'tasks', now 'decoys-v2'"]),
    "base url": (["--base-url", "http://127.0.0.1:1/v1"], ["now 'http://127.0.0.1:1/v1'"]),
    "api": (["--api", "responses"], ["api: 'chat', now 'responses'"]),
    "agent": (
        ["--agent", "best-of:2"],
        ["agent: 'one-shot', now 'best-of:2'", "identity.agent_prompts: None, now '"],
    ),
    "feedback": (["--feedback", "on"], ["identity.mode: None, now 'feedback'", "identity.mode_prompts: None, now '"]),
    "limits": (
        ["--attempt-calls", "3", "--attempt-tokens", "9"],
        ["limits.calls: None, now 3", "limits.tokens: None, now 9"],
    ),
    "world": (["--world", str(TINY)], ["all are of another one: name theirs with --world"]),
}


@pytest.mark.parametrize("what", OTHERWISE)
def test_a_run_is_not_gone_on_with_otherwise_than_it_was_begun(what: str, begun: Path, server: Loopback) -> None:
    options, differences = OTHERWISE[what]
    before = contents(begun)
    done = resume(begun, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert [difference for difference in differences if difference not in done.stderr] == []
    assert contents(begun) == before
    assert server.counters().requests == 0


@pytest.mark.parametrize("what", ["sampling", "epochs"])
def test_another_run_does_not_go_into_the_folder(what: str, begun: Path, server: Loopback) -> None:
    options, differences = OTHERWISE[what]
    before = contents(begun)
    done = ask(server, *options, "-o", begun)
    assert (done.returncode, done.stdout) == (2, "")
    assert [difference for difference in differences if difference not in done.stderr] == []
    assert contents(begun) == before
    assert server.counters().requests == 0


def test_all_differences_are_shown_and_nothing_but_them(begun: Path) -> None:
    done = resume(begun, "--model", "n", "--epochs", "3", "--temperature", "0")
    first, *differences = done.stderr.splitlines()
    assert first == "The run began with another configuration, and resumes only with the same one:"
    assert differences == ["  epochs: 1, now 3", "  model: 'm', now 'n'", "  sampling.temperature: None, now 0.0"]


def test_the_same_options_said_again_are_no_difference(begun: Path, server: Loopback) -> None:
    options = ("--model", "m", "--epochs", "1", "--rules", "standard", "--tasks", TASKS, "--base-url", server.url)
    assert resume(begun, *options).returncode == 0


def test_how_a_run_goes_about_it_may_change(begun: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANOTHER_KEY", "sk-another")
    pace = "--max-connections 3 --rpm 500 --tpm 500000 --max-retries 1 --timeout 50 --jobs 1 --no-stream".split()
    done = resume(begun, *pace, "--api-key-env", "ANOTHER_KEY")
    assert done.returncode == 0, done.stderr
    conduct = json.loads((begun / "run.json").read_text("utf-8"))["conduct"]
    expected: dict[str, Any] = {
        "connections": 3,
        "rpm": 500,
        "tpm": 500_000,
        "retries": 1,
        "timeout": 50.0,
        "jobs": 1,
        "stream": False,
        "key_name": "ANOTHER_KEY",
    }
    assert {name: conduct[name] for name in expected} == expected
    (record,) = server.records()
    assert (record.authorization, "stream" in record.body) == ("Bearer sk-another", False)


def test_how_a_run_went_about_it_is_remembered(tmp_path: Path, server: Loopback) -> None:
    options = ("--no-stream", "--seed", "3", "--temperature", "0.5", "--max-connections", "2", "--jobs", "1")
    server.play(only("chicken"))
    assert ask(server, *options, "-o", tmp_path / "run").returncode == 1
    server.play({})
    server.reset()
    assert resume(tmp_path / "run").returncode == 0
    (record,) = server.records()
    assert {name: record.body.get(name) for name in ("seed", "temperature", "stream", "model")} == {
        "seed": 3,
        "temperature": 0.5,
        "stream": None,
        "model": "m",
    }
    conduct = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["conduct"]
    assert (conduct["connections"], conduct["jobs"]) == (2, 1)


def test_changed_tasks_are_another_run(begun: Path) -> None:
    rows = read_jsonl(begun / "tasks.jsonl")
    write_jsonl(begun / "tasks.jsonl", [*rows[:-1], {**rows[-1], "seed": rows[-1]["seed"] + 1}])
    done = resume(begun)
    assert done.returncode == 2
    assert "  tasks: " in done.stderr


# -- folders ----------------------------------------------------------------------------------------------------------


def test_no_command_works_in_a_folder_that_is_worked_on(begun: Path, server: Loopback) -> None:
    with RunFolder(begun):
        before = contents(begun)
        for done in (resume(begun), ask(server, "-o", begun), herobench("score", begun)):
            assert f"Another process works on {begun}" in refuses(done), done.args
        assert contents(begun) == before
    assert server.counters().requests == 0
    assert resume(begun).returncode == 0


@pytest.mark.slow
def test_a_second_process_keeps_out_of_a_folder_that_is_worked_on(tmp_path: Path, server: Loopback) -> None:
    server.hold()
    folder = tmp_path / "run"
    with start_asking(server, "-o", folder) as process:
        server.wait_until(lambda now: now.in_flight == 5, seconds=60)
        before = contents(folder)
        for done in (resume(folder), ask(server, "-o", folder), herobench("score", folder)):
            assert f"Another process works on {folder}" in refuses(done), done.args
        assert contents(folder) == before
        assert server.counters().requests == 5
        server.release()
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, "")
    assert attempts(samples(folder)) == everything()


def test_a_folder_can_be_moved_and_gone_on_with(begun: Path, server: Loopback) -> None:
    moved = begun.with_name("elsewhere")
    begun.rename(moved)
    assert resume(moved).returncode == 0
    assert server.counters().requests == 1
    assert {key: row["won"] for key, row in results(moved).items()} == {
        (task_id, 0): some_win(key) == winning_answers()[key] for task_id, key in zip(TASK_IDS, TARGETS, strict=True)
    }
