"""Faults of suites, agents and models of other packages, met by commands: a sentence that names them, no traceback."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from herobench.cli.tasks import prompt
from tests.echoes import install_echoes
from tests.program import herobench, read_jsonl, refuses
from tests.sizes import for_each


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_echoes(tmp_path / "site", monkeypatch)


def run_command(suite: str, folder: Path, *words: str | Path) -> tuple[str | Path, ...]:
    return ("run", "--suite", suite, "--model", "echo", "-o", folder, *words)


TASKS_FAULTS = {
    "listless": "The suite listless failed in tasks: LookupError: no list",
    "twins": "The suite twins failed in tasks: "
    "ValueError: 2 tasks have the id 't1', so all but one of them would be lost",
}
RUN_FAULTS = {
    **TASKS_FAULTS,
    "numbered": "The suite numbered failed in identity: TypeError: 'edition' in it is 7, not str",
    "fileless": 'The suite fileless failed in files: TypeError: \'a.json\' in it is {"not": "text"}, not str',
    "playerless": "The suite playerless failed in player('echo'): "
    "TypeError: it returned a NoneType, which has no reply or no close",
}


@pytest.mark.parametrize("suite", RUN_FAULTS)
def test_a_suite_that_breaks_its_contract_is_named_before_anything_is_written(suite: str, tmp_path: Path) -> None:
    assert refuses(herobench(*run_command(suite, tmp_path / "run"))) == RUN_FAULTS[suite]
    assert not (tmp_path / "run").exists()


@for_each("words", [["list"], ["list", "--json"], ["show", "t0"], ["prompt", "t0"]])
@for_each("suite", TASKS_FAULTS)
def test_commands_for_tasks_name_the_suite_and_its_call(suite: str, words: list[str]) -> None:
    assert refuses(herobench("tasks", *words, "--suite", suite)) == TASKS_FAULTS[suite]


@pytest.mark.parametrize(
    ("suite", "told"), [("shut", "LookupError: no door"), ("mute", "TypeError: the text of a message is null, not str")]
)
def test_an_attempt_that_does_not_open_has_no_prompt(suite: str, told: str) -> None:
    sentence = f"The suite {suite} failed at t0, epoch 0: {told}"
    assert refuses(herobench("tasks", "prompt", "t0", "--suite", suite)) == sentence


def test_a_suite_that_does_not_get_ready_has_asked_nothing(tmp_path: Path) -> None:
    told = refuses(herobench(*run_command("unready", tmp_path / "run")))
    assert told == "The suite unready failed in prepare: OSError: [Errno 28] No space: '/somewhere'"
    assert not (tmp_path / "run" / "samples.jsonl").exists()


def test_a_suite_that_does_not_close_is_named_and_its_samples_are_there(tmp_path: Path) -> None:
    done = herobench(*run_command("leaking", tmp_path / "run"))
    assert (done.returncode, done.stderr) == (2, "The suite leaking failed in close: RuntimeError: leaks\n")
    assert len(read_jsonl(tmp_path / "run" / "samples.jsonl")) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--agent", "unmade"], "'unmade' of the package echoes cannot be made: LookupError: no agent"),
        (
            ["--agent", "idle"],
            "'idle' of the package echoes makes a Idle, which is not derived from herobench.agents.agent.Agent.",
        ),
        (["--model", "unmade:x"], "'unmade' of the package echoes cannot be made: TypeError: agent() takes 0"),
        (["--model", "idle:x"], "'idle' of the package echoes cannot be made: TypeError: Idle() takes no arguments"),
    ],
)
def test_an_agent_or_a_model_that_cannot_be_made_is_named_with_its_package(
    words: list[str], told: str, tmp_path: Path
) -> None:
    assert refuses(herobench(*run_command("sound", tmp_path / "run", *words))).startswith(told)
    assert not (tmp_path / "run").exists()


def test_a_reply_of_a_wrong_type_costs_its_attempt_alone(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = herobench(*run_command("sound", folder, "--model", "says:number"))
    assert done.returncode == 1, done.stderr
    rows = {row["task_id"]: row for row in read_jsonl(folder / "samples.jsonl")}
    assert {task_id: row["status"] for task_id, row in rows.items()} == {"t0": "ok", "t1": "unmeasured", "t2": "ok"}
    told = "The model gave no proper reply: the text of the reply is 5, not str."
    assert rows["t1"]["error"] == {"kind": "player", "message": told, "status": None}
    assert herobench("run", "--resume", folder, "--model", "says:number").returncode == 1, "its files can be read again"


def test_a_model_that_does_not_close_is_named_and_its_samples_are_there(tmp_path: Path) -> None:
    done = herobench(*run_command("sound", tmp_path / "run", "--model", "says:open"))
    assert (done.returncode, done.stderr) == (2, "The model says:open failed in close: LookupError: stuck\n")
    assert len(read_jsonl(tmp_path / "run" / "samples.jsonl")) == 3


class Shown(io.StringIO):
    """A terminal, as far as a program can tell."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "escape"), [(Shown, "\\x1b"), (io.StringIO, "\x1b")])
def test_a_prompt_cannot_steer_a_terminal_and_is_whole_in_a_pipe(
    stream: type[io.StringIO], escape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = stream()
    monkeypatch.setattr(sys, "stdout", shown)
    prompt({}, "t0", suite="sound")
    assert shown.getvalue() == f"[user]\nt0 {escape}[31mred\n[tool look]\nLook {escape}[31maround.\n"
