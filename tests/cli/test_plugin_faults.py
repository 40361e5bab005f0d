"""Faults of suites, agents and models of other packages, met by commands: a sentence that names them, no traceback."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from herobench.cli.tasks import prompt
from tests.echoes import install_echoes
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.sizes import for_each


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_echoes(tmp_path / "site", monkeypatch)


def run_command(suite: str, folder: Path, *words: str | Path) -> tuple[str | Path, ...]:
    return ("run", "--suite", suite, "--model", "echo", "-o", folder, *words)


@for_each("suite", ["listless", "twins", "numbered", "fileless", "playerless"])
def test_a_suite_that_breaks_its_contract_is_named_before_anything_is_written(
    suite: str, tmp_path: Path, golden: Golden
) -> None:
    golden(herobench(*run_command(suite, tmp_path / "run")))
    assert not (tmp_path / "run").exists()


@for_each("words", [["list"], ["list", "--json"], ["show", "t0"], ["prompt", "t0"]])
@for_each("suite", ["listless", "twins"])
def test_commands_for_tasks_name_the_suite_and_its_call(suite: str, words: list[str], golden: Golden) -> None:
    golden(herobench("tasks", *words, "--suite", suite))


def test_an_attempt_that_does_not_open_has_no_prompt(golden: Golden) -> None:
    golden(*(herobench("tasks", "prompt", "t0", "--suite", suite) for suite in ("shut", "mute")))


def test_a_suite_that_does_not_get_ready_has_asked_nothing(tmp_path: Path, golden: Golden) -> None:
    golden(herobench(*run_command("unready", tmp_path / "run")))
    assert not (tmp_path / "run" / "samples.jsonl").exists()


def test_a_suite_that_does_not_close_is_named_and_its_samples_are_there(tmp_path: Path) -> None:
    done = herobench(*run_command("leaking", tmp_path / "run"))
    assert (done.returncode, done.stderr) == (2, "The suite leaking failed in close: RuntimeError: leaks\n")
    assert len(read_jsonl(tmp_path / "run" / "samples.jsonl")) == 3


@for_each("words", [["--agent", "unmade"], ["--agent", "idle"], ["--model", "unmade:x"], ["--model", "idle:x"]])
def test_an_agent_or_a_model_that_cannot_be_made_is_named_with_its_package(
    words: list[str], tmp_path: Path, golden: Golden
) -> None:
    golden(herobench(*run_command("sound", tmp_path / "run", *words)))
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
