"""The seam of the house: a suite that somebody else wrote runs, resumes, is scored again, analyzed and reported.

The package lies in tests/toy with the metadata of an installed distribution. No module of ours names it.
"""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.golden import Golden
from tests.loopback import Behaviour, Loopback
from tests.program import command, herobench, read_jsonl, write_jsonl
from tests.sizes import some_slow
from tests.toys import TREASURES, environment, toy

ROOM = r"Room (\w+):"


def by_task(folder: Path) -> dict[str, dict[str, Any]]:
    return {row["task_id"]: row for row in read_jsonl(folder / "samples.jsonl")}


def plays(key: str, turn: int) -> Behaviour:
    """A model that looks and then says what is there, but looks elsewhere in t1 and names nothing in t2."""
    number = int(key[1:])
    door = {"t1": '{"door": 2}', "t2": "door 2!"}.get(key, json.dumps({"door": number % 3}))
    if turn == 1:
        return Behaviour(calls=[{"name": "look", "arguments": door}])
    return Behaviour(text=f"I see {TREASURES[number % len(TREASURES)]}.")


@pytest.mark.kills
@pytest.mark.parametrize("api", some_slow(["chat", "responses"], {"responses"}))
def test_a_run_that_is_killed_in_the_middle_of_an_attempt_asks_nothing_twice(tmp_path: Path, api: str) -> None:
    folder = tmp_path / "run"

    def script(key: str, turn: int) -> Behaviour:
        """Hang at the second turn of t3, until the run is killed."""
        hangs = key == "t3" and turn == 2 and not killed
        return Behaviour(delay=60.0) if hangs else plays(key, turn if turn < 3 else 2)

    killed: list[bool] = []
    with Loopback(script, key=ROOM) as server:
        options = ["--suite", "treasure", "-m", "m", "--base-url", server.url, "--max-connections", "1", "--api", api]
        with subprocess.Popen(command("run", *options, "-o", folder), env=environment()) as process:
            deadline = time.monotonic() + 60
            while server.counters().requests < 8 and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(signal.SIGKILL)
        killed.append(True)
        kept = read_jsonl(folder / "calls.jsonl")
        assert [row["task_id"] for row in kept] == ["t0", "t0", "t1", "t1", "t2", "t2", "t3"]
        done = toy("run", "--resume", folder)
        assert done.returncode == 0, done.stderr
        calls = read_jsonl(folder / "calls.jsonl")
        assert calls[:7] == kept
        assert [(row["task_id"], row["call"]) for row in calls[7:]] == [
            ("t3", 1), ("t4", 0), ("t4", 1), ("t5", 0), ("t5", 1)
        ]  # fmt: skip
    rows = by_task(folder)
    assert {task_id: row["failure"] for task_id, row in rows.items() if not row["won"]} == {
        "t1": "wrong_door",
        "t2": "never_looked",
    }
    assert rows["t3"]["calls"] == 2
    roles = [message["role"] for message in calls[7]["messages"]]
    assert roles == ["system", "user", "assistant", "tool"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a served model with four wins and two losses."""
    folder = tmp_path_factory.mktemp("toy") / "run"
    with Loopback(plays, key=ROOM) as server:
        done = toy("run", "--suite", "treasure", "-m", "m", "--base-url", server.url, "-o", folder)
        assert done.returncode == 0, done.stderr
    return folder


def test_a_run_of_another_identity_does_not_resume(run: Path) -> None:
    done = toy("run", "--resume", run, "--rooms", "7")
    assert (done.returncode, "--rooms: '6', now '7'" in done.stderr) == (2, True)


def test_its_tasks_are_listed_shown_and_prompted(golden: Golden) -> None:
    done = toy("tasks", "list", "--suite", "treasure")
    assert done.returncode == 0, done.stderr
    assert ["t3", "odd"] in [line.split() for line in done.stdout.splitlines()]
    shown = json.loads(toy("tasks", "show", "t3", "--suite", "treasure").stdout)
    assert shown == {"schema": 1, "id": "t3", "door": 0, "treasure": "amber"}
    told = toy("tasks", "prompt", "t3", "--suite", "treasure").stdout
    assert "Room t3: look behind door 0." in told
    assert "[tool look]" in told
    two = toy("tasks", "list", "--suite", "treasure", "--rooms", "2", "--json").stdout
    assert [task["id"] for task in json.loads(two)] == ["t0", "t1"]
    golden(
        toy("tasks", "list", "--suite", "rpg", "--set", "rooms=2"),
        toy("tasks", "show", "t33", "--suite", "treasure"),
        toy("tasks", "show", "t", "--suite", "treasure"),
        toy("tasks", "list", "--suite", "treasure", "--kind", "kill"),
        toy("generate", "--suite", "treasure"),
    )


def test_its_settings_are_options_of_a_run(tmp_path: Path) -> None:
    words = ("run", "--suite", "treasure", "-m", "oracle", "--dry-run", "--json")
    for said in (["--rooms", "2"], ["--set", "rooms=2"]):
        assert json.loads(toy(*words, *said).stdout)["config"]["task_count"] == 2
    assert "How many rooms there are. [default: 6]" in " ".join(toy(*words, "--help").stdout.replace("│", "").split())


def test_an_option_that_it_does_not_have_is_refused_with_those_that_it_has(run: Path, golden: Golden) -> None:
    begun, scored = ("run", "--suite", "treasure", "-m", "oracle", "--dry-run"), ("score", run)
    for words in (begun, scored):
        golden(toy(*words, "--rules", "paper"), toy(*words, "--set", "doors=4"))
    golden(toy(*begun, "--rooms", "2", "--set", "rooms=2"))


def test_it_is_analyzed_by_its_own_columns_and_causes(run: Path) -> None:
    done = toy("analyze", run, "--format", "json", "--by", "group,door")
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)["runs"]
    assert told["failures"] == {"wrong_door": 1, "never_looked": 1}
    assert told["causes"] == {"blind": 1, "not_a_number": 1}
    assert {group["name"]: group["samples"] for group in told["by"]["group"]} == {"even": 3, "odd": 3}
    assert {group["name"]: group["samples"] for group in told["by"]["door"]} == {"0": 2, "1": 2, "2": 2}


def test_it_is_in_the_report_with_its_own_panel(run: Path, tmp_path: Path) -> None:
    done = toy("analyze", run, "--format", "html", "-o", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "PANELS.treasure" in page
    assert "wrong_door" in page


def test_without_its_reading_the_analysis_knows_the_common_columns(run: Path) -> None:
    """The report must not need the package that made the run."""
    done = herobench("analyze", run, "--format", "json")
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)["runs"]
    assert (told["samples"], told["failures"]) == (6, {"wrong_door": 1, "never_looked": 1})


def test_its_answers_are_scored_and_summed_up_by_its_own_work_and_reading(tmp_path: Path) -> None:
    rooms = [{"id": f"t{number}", "treasure": word} for number, word in enumerate((*TREASURES, "coal"))]
    tasks = write_jsonl(tmp_path / "tasks.jsonl", rooms[:4])
    said = [{"task_id": f"t{number}", "answer": word} for number, word in enumerate(("ruby", "pearl", "jade", "amber"))]
    answers = write_jsonl(tmp_path / "answers.jsonl", [*said, {"task_id": "t4", "answer": "coal"}, said[0]])
    done = toy("score", tasks, answers, "-o", tmp_path / "out.jsonl", "--suite", "treasure")
    assert [(row["task_id"], row["found"]) for row in read_jsonl(tmp_path / "out.jsonl")] == [
        ("t0", True), ("t1", True), ("t2", False), ("t3", True),
    ]  # fmt: skip
    assert "answers.jsonl under strict rules" in done.stdout
    assert "failures: wrong_word 1" in done.stdout
    assert "first causes: blind 1" in done.stdout
    assert done.returncode == 1
    problems = [line.partition(": expected")[0].removeprefix(f"{tmp_path}/") for line in done.stderr.splitlines()]
    assert problems == ["answers.jsonl:5: $.task_id", "answers.jsonl:6: $.task_id"]
    write_jsonl(tasks, rooms)
    refused = toy("score", tasks, answers, "-o", tmp_path / "out.jsonl", "--suite", "treasure")
    assert (refused.returncode, refused.stderr.partition(": expected")[0]) == (2, f"{tasks}: t4")


def test_no_module_of_ours_names_it() -> None:
    root = Path(__file__).parents[2]
    files = [path for room in ("herobench", "analysis", "task_gen", "prompts") for path in (root / room).rglob("*")]
    texts = [path for path in files if path.suffix in (".py", ".js", ".json", ".toml") and path.is_file()]
    assert [path for path in texts if "treasure" in path.read_text("utf-8")] == []
