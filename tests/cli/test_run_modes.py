"""`herobench run` in the modes of the RPG, and with limits of an attempt: kept, resumed and scored again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.data.documents import schema_problems
from tests.cli.running import KEY as TARGET
from tests.cli.running import TASK_IDS, TASKS, ask, calls, contents, results, resume, run, samples, winning_answers
from tests.loopback import Loopback
from tests.program import Done, herobench, refuses, write_jsonl
from tests.sizes import for_each, some_slow

MODES = ["feedback", "tools"]
every_mode = pytest.mark.parametrize("mode", MODES)


def asking(mode: str) -> list[str]:
    return ["--feedback", "on"] if mode == "feedback" else ["--agent", "tools"]


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text("utf-8")))


def differences(done: Done) -> list[str]:
    """The settings in which a run would be another one, with which the program refuses to resume it."""
    first, *found = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert first == "The run began with another configuration, and resumes only with the same one:"
    return [difference.strip() for difference in found]


@pytest.fixture(scope="module")
def won(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A whole run of the oracle in each mode."""
    made = {}
    for mode in MODES:
        made[mode] = tmp_path_factory.mktemp(mode) / "run"
        done = run("--model", "oracle", *asking(mode), "--epochs", "2", "-o", made[mode])
        assert done.returncode == 0, done.stderr
    return made


@pytest.fixture
def folder(won: dict[str, Path], mode: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(won[mode], tmp_path / "copy"))


@every_mode
def test_the_oracle_wins_in_each_mode_and_every_row_fits_its_schema(folder: Path, mode: str) -> None:
    rows = samples(folder)
    assert [row["won"] for row in rows] == [True] * 2 * len(TASK_IDS)
    assert {row["details"]["mode"] for row in rows} == {mode}
    assert {row["unfinished"] for row in rows} == {None}
    assert max(row["calls"] for row in rows) > 1
    for row in rows:
        assert len(row["replies"]) == row["calls"]
        assert schema_problems(row, "sample", "samples") == []
        assert schema_problems(row["details"], "rpg-details", "details") == []
    assert [problem for row in calls(folder) for problem in schema_problems(row, "call", "calls")] == []
    kept = manifest(folder)
    assert schema_problems(kept, "run", "run.json") == []
    assert kept["conduct"]["options"] == {"rules": "standard", "mode": mode}
    assert kept["config"]["identity"]["mode"] == mode
    assert len(kept["config"]["identity"]["mode_prompts"]) == 64


@every_mode
def test_a_run_scored_again_has_the_same_bytes(folder: Path, mode: str) -> None:
    before = contents(folder)
    done = herobench("score", folder)
    assert (done.returncode, done.stderr) == (0, "0 of 10 have another outcome or score than before\n")
    assert contents(folder)["samples.jsonl"] == before["samples.jsonl"]


@every_mode
@pytest.mark.parametrize("kept", some_slow([0, 1, 4, 9], {0, 4}))
def test_a_run_that_was_killed_in_an_attempt_asks_nothing_twice(
    folder: Path, won: dict[str, Path], mode: str, kept: int
) -> None:
    """The calls of attempts without a sample stay, some of them half-way."""
    whole = calls(folder)
    write_jsonl(folder / "samples.jsonl", [])
    write_jsonl(folder / "calls.jsonl", whole[:kept])
    done = resume(folder)
    assert done.returncode == 0, done.stderr
    assert results(folder) == results(won[mode])
    after = calls(folder)
    assert after[:kept] == whole[:kept]
    assert len({(row["task_id"], row["epoch"], row["call"]) for row in after}) == len(after) == len(whole)


@every_mode
def test_a_run_resumes_in_its_own_mode_only(folder: Path, mode: str) -> None:
    other = ["--feedback", "off"] if mode == "feedback" else ["--set", "mode=tools", "--agent", "one-shot"]
    told = differences(resume(folder, *other))
    assert ("identity.mode: 'feedback', now None" if mode == "feedback" else "agent: 'tools', now 'one-shot'") in told


def test_the_modes_ask_otherwise_and_cost_nothing_of_each_others_names(won: dict[str, Path]) -> None:
    digests = {manifest(folder)["config"]["identity"]["mode_prompts"] for folder in won.values()}
    assert len(digests) == 2


@for_each(
    ("words", "told"),
    [
        (["--feedback", "maybe"], "--feedback is on or off, and not 'maybe'."),
        (["--set", "mode=chat"], "The suite rpg has no mode 'chat': its modes are plan, feedback, tools."),
        (["--agent", "tools", "--feedback", "on"], "The agent tools does not play the mode feedback, only tools."),
        (["--agent", "best-of:0"], "The agent best-of takes a number from 1 to 100, as in best-of:5, not '0'."),
        (["--model", "greedy", "--agent", "tools"], "The player greedy makes whole plans and calls no tools"),
        (["--attempt-cost", "0"], "A cost limit needs the model's price: give --prices FILE."),
        (["--cost-limit", "0"], "A cost limit needs the model's price: give --prices FILE."),
    ],
)
def test_what_cannot_be_is_refused_before_there_is_a_folder(words: list[str], told: str, tmp_path: Path) -> None:
    model = [] if "--model" in words else ["--model", "oracle"]
    assert told in refuses(run(*model, *words, "-o", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_feedback_off_is_the_usual_run(tmp_path: Path) -> None:
    assert run("--model", "oracle", "--feedback", "off", "-o", tmp_path / "run").returncode == 0
    assert run("--model", "oracle", "-o", tmp_path / "usual").returncode == 0
    config = manifest(tmp_path / "run")["config"]
    assert config == manifest(tmp_path / "usual")["config"]
    assert "mode" not in config["identity"]
    assert results(tmp_path / "run") == results(tmp_path / "usual")


def test_python_takes_feedback_and_limits(tmp_path: Path) -> None:
    done = library.run("oracle", output=tmp_path / "run", tasks=TASKS, limit=2, feedback=True, limits={"calls": 1})
    assert {row["details"]["mode"] for row in samples(done.path)} == {"feedback"}
    assert manifest(done.path)["config"]["limits"] == {"calls": 1, "tokens": None, "cost": None, "seconds": None}
    with pytest.raises(library.UsageError, match="limits"):
        library.run("oracle", output=tmp_path / "other", tasks=TASKS, limits={"turns": 1})
    with pytest.raises(library.UsageError):
        library.run("oracle", output=tmp_path / "other", tasks=TASKS, limits={"calls": "three"})


# -- limits ------------------------------------------------------------------------------------------------------------


def test_an_attempt_that_reaches_its_limit_is_judged_and_says_so(tmp_path: Path) -> None:
    done = run("--model", "oracle", "--feedback", "on", "--attempt-calls", "1", "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    rows = samples(tmp_path / "run")
    short = [row for row in rows if row["unfinished"]]
    assert 0 < len(short) < len(rows)
    assert f"ended early {len(short)}: the column unfinished of" in " ".join(done.stdout.split())
    analyzed = " ".join(herobench("analyze", tmp_path / "run").stdout.split())
    assert "agent one-shot " in analyzed
    assert f" ended early {len(short)} " in analyzed
    assert {row["unfinished"] for row in short} == {"the limit of 1 calls an attempt is reached"}
    assert not any(row["won"] for row in short)
    assert all(row["won"] for row in rows if not row["unfinished"])
    before = contents(tmp_path / "run")["samples.jsonl"]
    assert herobench("score", tmp_path / "run").returncode == 0
    assert contents(tmp_path / "run")["samples.jsonl"] == before


def test_a_server_that_dribbles_ends_at_the_limit_of_time(tmp_path: Path) -> None:
    with Loopback(
        {"keys": {"chicken": {"kind": "ok", "byte_delay": 0.02}}}, winning_answers().__getitem__, TARGET
    ) as server:
        done = ask(server, "--timeout", "20", "--attempt-timeout", "0.5", "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    (short,) = [row for row in samples(tmp_path / "run") if row["unfinished"]]
    assert (short["task_id"], short["won"], short["failure"]) == ("1/2_Chicken_kill", False, "invalid_code")
    assert short["unfinished"] == "the limit of 0.5 seconds an attempt is reached"
    assert (short["calls"], short["retries"]) == (1, 0)
    assert all(row["won"] for row in samples(tmp_path / "run") if row is not short and not row["unfinished"])
    (cut,) = [row for row in calls(tmp_path / "run") if row["reply"] is None]
    assert cut["error"] == {"kind": "timeout", "message": short["unfinished"], "status": None}
    assert "limits.seconds: 0.5, now 60.0" in differences(resume(tmp_path / "run", "--attempt-timeout", "60"))


def test_a_resumed_run_keeps_its_limits_and_refuses_others(tmp_path: Path) -> None:
    path = tmp_path / "run"
    assert run("--model", "oracle", "--feedback", "on", "--attempt-calls", "1", "-o", path).returncode == 0
    whole = results(path)
    write_jsonl(path / "samples.jsonl", [])
    assert "limits.calls: 1, now 9" in differences(resume(path, "--attempt-calls", "9"))
    assert "limits.tokens: None, now 5" in differences(resume(path, "--attempt-tokens", "5"))
    assert resume(path, "--attempt-calls", "1").returncode == 0
    assert results(path) == whole


# -- agents of several calls -------------------------------------------------------------------------------------------


def test_best_of_gives_what_its_critic_chose(tmp_path: Path) -> None:
    """The first answer does nothing, the second one wins, and the critic prefers it."""

    def script(key: str, attempt: int) -> dict[str, Any]:
        texts = {1: "I cannot.", 2: winning_answers().get(key)} if key in winning_answers() else {1: "hm"}
        return {"kind": "ok", "text": texts.get(attempt, 'I prefer {"choice": 2}')}

    with Loopback(script, key=TARGET) as server:
        done = ask(server, "--agent", "best-of:2", "-o", tmp_path / "run", "--seed", "5")
        assert done.returncode == 0, done.stderr
        bodies = [record.body for record in server.records()]
    rows = samples(tmp_path / "run")
    assert [row["won"] for row in rows] == [True] * len(rows)
    assert {row["unfinished"] for row in rows} == {None}
    kept = calls(tmp_path / "run")
    roles = [[row["role"] for row in kept if row["task_id"] == task_id] for task_id in TASK_IDS]
    assert all(own[:3] == ["planner", "planner", "critic"] for own in roles)
    assert {role for own in roles for role in own[3:]} == {"critic"}, "the first of all critics was asked again"
    assert sorted({body["seed"] for body in bodies}) == [5, 10_005], "equal requests have seeds of their own"
    assert ["response_format" in body for body in bodies] == ["proposed" in json.dumps(body) for body in bodies]
