"""`--suite` and `--set` of `run` and `score`, and `suites`, with a suite of another package.

Its attempts have several turns and a tool; it has groups, a player, an option and a file.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.autumn.episode.options import shipped_challenges
from herobench.task_gen.rpg.players import PLAYERS
from tests.cli.running import TASKS, Row, calls, contents, samples
from tests.program import Done, herobench, herobench_process, read_jsonl, refuses, surroundings, write_jsonl

SUITE = """
import json, os, signal

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.errors import UsageError
from herobench.models.model_error import ErrorKind, ModelError
from herobench.suite import Attempt, Suite, TaskInfo, Verdict

UP = Tool("up", "Go up.", {"type": "object", "properties": {"by": {"type": "integer"}}})


class Stairs(Suite):
    name = "stairs"
    players = ("climber",)

    def __init__(self, setting):
        if foreign := set(setting.options) - {"goal", "broken"}:
            raise UsageError(f"The suite stairs has no option {min(foreign)!r}: its option is goal.")
        self.broken = setting.options.get("broken", "")
        if self.broken == "maker":
            raise LookupError("no stairs")
        kept = setting.files.get("goal.txt")
        self.goal = int(setting.options.get("goal") or kept or 3)
        rows = [{"id": f"{letter}/{n}"} for letter in "ab" for n in range(2)]
        self.dataset = setting.dataset or "stairs-v1"
        if setting.tasks:
            self.dataset = setting.tasks.stem
            rows = [json.loads(line) for line in setting.tasks.read_text().splitlines()]
        self.rows = {row["id"]: row for row in rows}
        self.options = {}

    def tasks(self):
        for name, row in self.rows.items():
            yield TaskInfo(name, name[0], row)

    def identity(self, task_ids):
        return {"goal": str(self.goal)}

    def files(self):
        if self.broken == "file":
            return {"run.json": ""}
        return {"goal.txt": str(self.goal)}

    def open(self, task_id, epoch):
        return Climb(self, task_id)

    def blank(self, task_id):
        return {"schema": 1, "steps": None}

    def player(self, name):
        return Climber()


class Climb(Attempt):
    tools = (UP,)

    def __init__(self, suite, task_id):
        self.suite, self.task_id, self.steps, self.turns = suite, task_id, 0, 0

    @property
    def messages(self):
        return [Message("system", "Climb."), Message("user", self.task_id)]

    def step(self, reply):
        self.turns += 1
        if self.suite.broken == self.task_id:
            raise LookupError("a step is missing")
        self.steps += sum(json.loads(call.arguments)["by"] for call in reply.tool_calls)
        if self.steps >= self.suite.goal or not reply.tool_calls:
            return None
        return [Message("tool", str(self.steps), (), call.id) for call in reply.tool_calls]

    def grade(self):
        won = self.steps == self.suite.goal
        score = min(100.0, 100.0 * self.steps / self.suite.goal)
        failure = None if won else "fell"
        events = {"schema": 1, "actions": [{"action": "up"}] * self.turns}
        return Verdict(won, score if won else 0.0, score, failure, {"schema": 1, "steps": self.steps}, events)


class Climber:
    asked = 0

    async def reply(self, request):
        Climber.asked += 1
        if os.environ.get("KILLED_AT") == str(Climber.asked):
            os.kill(os.getpid(), signal.SIGKILL)
        if request.task_id == os.environ.get("LOST_AT"):
            raise ModelError(ErrorKind.CONTEXT, "too high")
        number = sum(message.role == "assistant" for message in request.messages)
        call = ToolCall(f"c{number}", "up", json.dumps({"by": 1}))
        return Reply(f"up {number}", (call,), stop="tool_calls", model="climber")

    async def close(self):
        pass
"""
POINTS = """
[herobench.suites]
stairs = stairs:Stairs
torn = stairs:Nobody
"""
OPTIONS = ("run", "--suite", "stairs", "--model", "climber", "--max-connections", "1", "--jobs", "1")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package that adds two suites, one of which does not load."""
    folder = tmp_path / "site"
    about = folder / "stairs-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stairs\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(POINTS, "utf-8")
    (folder / "stairs.py").write_text(SUITE, "utf-8")
    return folder


class Program:
    """The program with the package; `more` is added to its environment. One that kills itself has its own process."""

    def __init__(self, package: Path) -> None:
        self.path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH", "")]))

    def __call__(self, *words: str | Path, **more: str) -> Done:
        surrounded = {**surroundings(), "PYTHONPATH": self.path, **more}
        return (herobench_process if "KILLED_AT" in more else herobench)(*words, env=surrounded)


@pytest.fixture
def program(package: Path) -> Program:
    return Program(package)


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text("utf-8")))


# -- run --------------------------------------------------------------------------------------------------------------


def test_a_suite_of_another_package_is_run_with_its_option_and_its_player(program: Program, tmp_path: Path) -> None:
    done = program(*OPTIONS, "--set", "goal=4", "--epochs", "2", "-o", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    rows = samples(tmp_path / "run")
    assert [(row["task_id"], row["epoch"]) for row in rows] == [
        (task_id, epoch) for epoch in range(2) for task_id in ("a/0", "a/1", "b/0", "b/1")
    ]
    for row in rows:
        assert (row["suite"], row["group"], row["won"], row["calls"]) == ("stairs", row["task_id"][0], True, 4)
        assert row["details"] == {"schema": 1, "steps": 4}
        assert row["events"]["actions"] == [{"action": "up"}] * 4
        assert [reply["tool_calls"][0]["arguments"] for reply in row["replies"]] == ['{"by": 1}'] * 4
    told = manifest(tmp_path / "run")
    assert (told["config"]["suite"], told["config"]["dataset"]) == ("stairs", "stairs-v1")
    assert (told["config"]["identity"], told["files"]) == ({"goal": "4"}, ["goal.txt"])
    assert (tmp_path / "run" / "goal.txt").read_text() == "4"
    assert {call["tools"][0]["name"] for call in calls(tmp_path / "run")} == {"up"}


@pytest.mark.parametrize(
    ("suite", "options", "head", "column"),
    [
        ("epoch", ("--model", "random", "--dataset", "epochs-v1", "--epochs", "3"), "level", "L06"),
        ("rpg", ("--model", "noop", "--task-id", "campaign 4-7/*", "--limit", "3", "--epochs", "2"), "goals", "4-7"),
    ],
)
def test_a_run_ends_with_the_words_of_its_suite_and_the_figures_of_analyze(
    suite: str, options: tuple[str, ...], head: str, column: str, tmp_path: Path
) -> None:
    done = herobench("run", "--suite", suite, *options, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.split()]
    assert [head, "answers", "wins", "success", "score", "progress"] in rows
    assert column in [row[0] for row in rows]
    (found,) = json.loads(herobench("analyze", tmp_path / "run", "--format", "json").stdout)["runs"]
    low, high = (found["success"][end] for end in ("low", "high"))
    assert f"{found['success']['estimate']:.1f} % won ({low:.0f} to {high:.0f})" in done.stdout
    for words, classes in (("failures", found["failures"]), ("first causes", found["causes"])):
        told = ", ".join(f"{name} {count}" for name, count in classes.items())
        assert (f"{words}: {told}" in done.stdout) == bool(classes), done.stdout


def test_tasks_of_any_suite_are_chosen_by_their_ids_and_in_part(program: Program, tmp_path: Path) -> None:
    assert program(*OPTIONS, "--task-id", "*/1", "-o", tmp_path / "ids").returncode == 0
    assert [row["task_id"] for row in samples(tmp_path / "ids")] == ["a/1", "b/1"]
    assert program(*OPTIONS, "--limit", "2-3", "-o", tmp_path / "limit").returncode == 0
    assert [row["task_id"] for row in samples(tmp_path / "limit")] == ["a/1", "b/0"]


def test_a_dry_run_shows_the_first_conversation(program: Program, tmp_path: Path) -> None:
    done = program(*OPTIONS, "--set", "goal=4", "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["prompt"], told["config"]["identity"]) == ("Climb.\n\na/0", {"goal": "4"})
    shown = program(*OPTIONS, "--set", "goal=4", "--dry-run")
    assert ["goal", "4"] in [line.split() for line in shown.stdout.splitlines()]
    assert "4 tasks, 4 attempts" in shown.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--suite", "stars"], "There is no 'stars' among herobench.suites: is stairs meant?"),
        (["--suite", "torn"], "'torn' of the package stairs does not load: AttributeError"),
        (["--suite", "stairs", "--set", "color=red"], "The suite stairs has no option 'color': its option is goal."),
        (["--suite", "stairs", "--set", "goal"], "A setting is NAME=VALUE, such as rules=paper, and not 'goal'."),
        (["--suite", "stairs", "--set", "=4"], "A setting is NAME=VALUE, such as rules=paper, and not '=4'."),
        (["--suite", "stairs", "--rules", "paper"], "The suite stairs takes its settings by --set NAME=VALUE"),
        (["--suite", "stairs", "--set", "broken=maker"], "The suite stairs cannot be opened: LookupError: no stairs"),
        (["--set", "goal=4"], "The suite rpg has no option 'goal': its options are world, names, rules, mode, lane."),
        (["--set", "rules=house"], "'house'"),
        (["--model", "oracle", "--suite", "stairs"], "OPENAI_API_KEY"),
    ],
)
def test_a_suite_or_a_setting_that_there_is_not_is_refused_in_a_sentence(
    words: list[str], complaint: str, program: Program, tmp_path: Path
) -> None:
    model = [] if "--model" in words else ["--model", "climber" if "stairs" in words else "noop"]
    assert complaint in refuses(program("run", *words, *model, "-o", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_file_of_the_suite_that_is_named_like_ours_is_refused_before_there_is_a_folder(
    program: Program, tmp_path: Path
) -> None:
    told = refuses(program(*OPTIONS, "--set", "broken=file", "-o", tmp_path / "run"))
    assert told == "The suite has a file 'run.json', which is not a name for a file in a run's folder."
    assert not (tmp_path / "run").exists()


def test_a_suite_that_fails_stops_the_run_and_what_was_written_stays(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = program(*OPTIONS, "--set", "broken=b/0", "-o", folder)
    assert done.returncode == 2
    assert done.stderr == "The suite stairs failed at b/0, epoch 0: LookupError: a step is missing\n"
    assert {row["status"] for row in samples(folder)} <= {"ok"}
    assert len(calls(folder)) == 3 + 3 + 1
    done = program("run", "--resume", folder, "--set", "broken=")
    assert done.returncode == 0, done.stderr
    assert {row["task_id"]: row["won"] for row in samples(folder)} == dict.fromkeys(["a/0", "a/1", "b/0", "b/1"], True)
    assert len(calls(folder)) == 12


# -- resume -----------------------------------------------------------------------------------------------------------


@pytest.mark.kills
@pytest.mark.parametrize("number", [2, 6, 12])
def test_a_run_that_is_killed_at_any_call_resumes_in_the_middle_of_its_attempt(
    number: int, program: Program, tmp_path: Path
) -> None:
    killed = program(*OPTIONS, "-o", tmp_path / "run", KILLED_AT=str(number))
    assert killed.returncode == -signal.SIGKILL
    before = calls(tmp_path / "run")
    assert len(before) == number - 1
    done = program("run", "--resume", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    after = calls(tmp_path / "run")
    assert after[: len(before)] == before
    assert [(call["task_id"], call["call"]) for call in after] == [
        (task_id, call) for task_id in ("a/0", "a/1", "b/0", "b/1") for call in range(3)
    ]
    assert [(row["won"], row["calls"]) for row in samples(tmp_path / "run")] == [(True, 3)] * 4


def test_a_run_resumes_with_its_own_suite_file_and_option_only(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert program(*OPTIONS, "--set", "goal=2", "-o", folder, LOST_AT="b/1").returncode == 1
    before = contents(folder)
    refusal = "The run is of the suite stairs, not of rpg."
    assert refuses(program("run", "--resume", folder, "--suite", "rpg")) == refusal
    done = program("run", "--resume", folder, "--set", "goal=3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "The run began with another configuration, and resumes only with the same one:",
        "  identity.goal: '2', now '3'",
    ]
    assert contents(folder) == before
    assert program("run", "--resume", folder, "--suite", "stairs", "--set", "goal=2").returncode == 0
    (last,) = (row for row in samples(folder) if row["task_id"] == "b/1")
    assert (last["status"], last["calls"]) == ("ok", 2)


def test_a_killed_start_with_files_of_the_suite_is_no_hindrance(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("lock", "tasks.jsonl", "goal.txt", "goal.txt.part12"):
        (folder / name).write_text("torn", "utf-8")
    assert "not empty: goal.txt, goal.txt.part12 is in it" in refuses(
        program("run", "--model", "noop", "--tasks", TASKS, "--limit", "1", "-o", folder)
    )
    assert program(*OPTIONS, "-o", folder).returncode == 0
    assert len(samples(folder)) == 4


# -- score ------------------------------------------------------------------------------------------------------------


def test_all_replies_are_played_again_and_give_the_same_bytes(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert program(*OPTIONS, "-o", folder, LOST_AT="b/1").returncode == 1
    before = contents(folder)
    done = program("score", folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "0 of 3 have another outcome or score than before\n"
    assert contents(folder)["samples.jsonl"] == before["samples.jsonl"]
    assert manifest(folder)["sessions"][-1]["ended"] == "scored"


def test_another_setting_scores_into_a_file_alone(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert program(*OPTIONS, "-o", folder).returncode == 0
    before = contents(folder)
    assert "write other scores to a file, -o FILE" in refuses(program("score", folder, "--set", "goal=2"))
    assert contents(folder) == before
    done = program("score", folder, "--set", "goal=6", "-o", tmp_path / "six.jsonl")
    assert done.returncode == 0, done.stderr
    assert contents(folder) == before
    rows = read_jsonl(tmp_path / "six.jsonl")
    assert {(row["won"], row["progress"], row["failure"]) for row in rows} == {(False, 50.0, "fell")}
    assert [row["replies"] for row in rows] == [row["replies"] for row in samples(folder)]


def test_a_setting_that_there_is_not_is_refused_by_score(program: Program, tmp_path: Path) -> None:
    assert program(*OPTIONS, "-o", tmp_path / "run").returncode == 0
    for words, complaint in {
        ("--set", "color=red"): "The suite stairs has no option 'color'",
        ("--set", "goal"): "A setting is NAME=VALUE, such as rules=paper, and not 'goal'.",
        ("--rules", "paper"): "The suite stairs takes its settings by --set NAME=VALUE",
    }.items():
        assert complaint in refuses(program("score", tmp_path / "run", *words))


def test_settings_of_answers_are_those_that_change_their_scores(program: Program, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "answers.jsonl", [])
    words = ("score", "base", tmp_path / "answers.jsonl", "-o", tmp_path / "out.jsonl")
    told = "Answers of the suite rpg are scored by world, names and rules, and not by 'lane'."
    assert refuses(program(*words, "--lane", "steps")) == told
    by_option, by_setting = (
        program(*words, *rules).stdout for rules in (["--rules", "paper-late"], ["--set", "rules=paper-late"])
    )
    assert by_option == by_setting
    assert by_option.startswith("answers.jsonl under paper-late rules")


def test_a_run_whose_suite_is_not_installed_any_more_names_it(program: Program, package: Path, tmp_path: Path) -> None:
    assert program(*OPTIONS, "-o", tmp_path / "run").returncode == 0
    shutil.rmtree(package)
    for words in (["run", "--resume", tmp_path / "run"], ["score", tmp_path / "run"]):
        assert "There is no 'stairs' among herobench.suites" in refuses(program(*words))


# -- suites -----------------------------------------------------------------------------------------------------------


def test_suites_lists_what_is_installed_and_names_what_is_broken(program: Program) -> None:
    done = program("suites", "--json")
    assert done.returncode == 1
    assert done.stderr.startswith("'torn' of the package stairs does not load: AttributeError: ")
    assert json.loads(done.stdout) == [
        {
            "name": "acp",
            "dataset": "acpbench-hard-v1",
            "tasks": 1040,
            "players": ["oracle", "random", "format-only", "shortcut"],
        },
        {
            "name": "autumn",
            "dataset": "autumn-v3",
            "tasks": len(shipped_challenges()),
            "players": ["oracle", "greedy", "colours", "clicks", "late", "replay", "random"],
        },
        {
            "name": "discover",
            "dataset": "discover-v4",
            "tasks": 240,
            "players": ["oracle", "experimenter", "random", "standard", "noop"],
        },
        {"name": "epoch", "dataset": "epochs-v2", "tasks": 120, "players": ["oracle", "greedy", "random"]},
        {"name": "rpg", "dataset": "horizon-v3", "tasks": 360, "players": list(PLAYERS)},
        {"name": "stairs", "dataset": "stairs-v1", "tasks": 4, "players": ["climber"]},
    ]


def test_a_suite_that_cannot_be_opened_hides_no_other(program: Program, package: Path) -> None:
    code = SUITE + "\nNobody = None\nStairs.__init__ = lambda self, setting: {}['gone']\n"
    (package / "stairs.py").write_text(code, "utf-8")
    done = program("suites")
    assert done.returncode == 1
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["rpg", "(default)", "horizon-v3", *", ".join(PLAYERS).split(), "360"] in lines
    assert {"acp", "autumn", "discover", "epoch", "rpg"} < {line[0] for line in lines if line}
    assert done.stderr.splitlines() == [
        "The suite stairs cannot be opened: KeyError: 'gone'",
        "The suite torn is a NoneType, and has to be a class derived from herobench.suite.Suite.",
    ]


# -- runs of before ---------------------------------------------------------------------------------------------------


def test_a_run_of_the_first_format_is_not_analyzed(program: Program, tmp_path: Path) -> None:
    row: Row = {"schema": 1, "id": "0123abcd", "config": {"suite": "base-v2", "model": "m"}, "sessions": []}
    (tmp_path / "run.json").write_text(json.dumps(row), "utf-8")
    for name in ("tasks.jsonl", "samples.jsonl", "calls.jsonl"):
        (tmp_path / name).write_text("", "utf-8")
    told = refuses(program("analyze", tmp_path))
    assert told.startswith(f"{tmp_path / 'run.json'}: ")
    assert re.search(r"the version (of herobench )?that wrote it", told)


def test_a_dry_run_bounds_the_prompts_of_attempts_with_many_turns(tmp_path: Path) -> None:
    """A window of one turn is sent the opening, and what came of the last turn."""
    words = ("run", "--suite", "epoch", "--dataset", "epochs-v1", "--levels", "1", "--model", "m", "--dry-run")
    bounds = []
    for window in ("1", "2"):
        done = herobench(*words, "--window", window, "--json", env={**surroundings(), "OPENAI_API_KEY": "none"})
        told = json.loads(done.stdout)
        bounds.append(told["most_prompt_tokens"])
        assert 10 * told["prompt_tokens"] < told["most_prompt_tokens"] < 40 * told["prompt_tokens"]
    assert bounds[0] < bounds[1]
    plan = herobench(*words, "--mode", "plan", "--json", env={**surroundings(), "OPENAI_API_KEY": "none"})
    assert "most_prompt_tokens" not in json.loads(plan.stdout)
