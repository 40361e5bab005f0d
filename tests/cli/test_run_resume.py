"""`herobench run --resume` after kills at any moment, on damaged files, and while another process works."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from herobench.runs.folder import RunFolder
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
    run,
    samples,
    some_win,
    start,
    start_asking,
)
from tests.golden import Golden
from tests.loopback import Behaviour, Kind, Loopback
from tests.program import herobench
from tests.sizes import for_each, many

KILLS = many(50, 4)
EPOCHS = 8
SEED = 100
"""Of the first epoch: a request's seed tells which epoch it is of."""


@pytest.fixture(scope="module")
def owing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose server did not take the request about one task, which is owed."""
    folder = tmp_path_factory.mktemp("owing") / "run"
    with Loopback(only("chicken"), some_win, KEY) as server:
        assert ask(server, "-o", folder).returncode == 1
    return folder


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


@pytest.mark.kills
def test_what_tries_cost_before_a_kill_is_booked(tmp_path: Path) -> None:
    """Killed when it tries for the third time: the ledger has all that the server has charged."""
    folder, prices = tmp_path / "run", tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000, "output": 1000}}), "utf-8")
    client: list[subprocess.Popen[str]] = []

    def script(key: str, attempt: int) -> Behaviour:
        if key == "chicken" and attempt == 3:
            client[-1].kill()
            client[-1].wait()
            return Behaviour(Kind.CLOSED)
        return Behaviour(Kind.EMPTY_CHOICES if key == "chicken" and attempt in (1, 2, 4) else Kind.OK)

    with Loopback(script, some_win, KEY) as server:
        options = ("--max-connections", "1", "--prices", prices, "-o", folder)
        with start_asking(server, *options) as process:
            client.append(process)
        assert process.returncode == -signal.SIGKILL
        done = resume(folder, "--prices", prices)
        assert done.returncode == 0, done.stderr
        charged = [record.charged for record in server.records() if record.charged]
    totals = json.loads((folder / "run.json").read_text("utf-8"))["totals"]
    assert totals["cost"] == pytest.approx(sum(charged) / 1000, abs=1e-9)
    assert len(charged) == len(TASK_IDS) + 3


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


@for_each(
    ("name", "lines"),
    [
        ("calls.jsonl", ["", '{"task_id": "1/1_Cop']),
        ("samples.jsonl", ["", "[]"]),
        ("samples.jsonl", ["", "the first line"]),
        ("run.json", ["{"]),
        ("tasks.jsonl", ["{"]),
    ],
)
def test_a_damaged_file_is_named_and_nothing_is_touched(
    name: str, lines: list[str], owing: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(owing, tmp_path / "run"))
    whole = (folder / name).read_text("utf-8").splitlines()
    damaged = [{"": whole[0], "the first line": whole[0]}.get(line, line) for line in lines]
    (folder / name).write_text("\n".join([*damaged, *whole[2:], ""]), "utf-8")
    before = contents(folder)
    for done in (resume(folder), *([herobench("score", folder)] if name == "samples.jsonl" else [])):
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
        assert f"{folder / name}{':2: ' if name in ('calls.jsonl', 'samples.jsonl') else ''}" in done.stderr
        assert contents(folder) == before


def test_no_command_works_in_a_folder_that_is_worked_on(owing: Path, golden: Golden) -> None:
    with RunFolder(owing):
        before = contents(owing)
        for done in (resume(owing), run("--model", "noop", "-o", owing), herobench("score", owing)):
            golden(done)
        assert contents(owing) == before
