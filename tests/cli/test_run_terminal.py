"""What servers, files, names and the command line say reaches terminals as text, against the program itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import KEY, TASKS, ask, run, samples, some_win
from tests.cli.terminal import Terminal, needs_setsid
from tests.loopback import Behaviour, Kind, Loopback
from tests.program import Done, herobench, read_jsonl, write_jsonl

EVIL = "[red]m[/] \x1b]0;title\x07\x9b31m\r\x08\u202egnp\u200b\nx"
SHOWN = "[red]m[/] \\x1b]0;title\\x07\\x9b31m\\r\\x08\\u202egnp\\u200b\\nx"
OURS = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
"""What rich itself draws with."""


def fit(text: str) -> bool:
    return all(character in "\t\n" or character.isprintable() for character in text)


def assert_fit(*runs: Done) -> None:
    for done in runs:
        assert fit(done.stdout), done.stdout
        assert fit(done.stderr), done.stderr


def script(key: str, attempt: int) -> Behaviour:
    return Behaviour(Kind.BAD_REQUEST, message=EVIL) if key == "chicken" else Behaviour(model=EVIL)


def test_a_model_s_name_and_an_error_s_words_are_text_in_every_command(tmp_path: Path) -> None:
    folder, other = tmp_path / "run", tmp_path / "other"
    with Loopback(script, some_win, KEY) as server:
        done = ask(server, "-o", folder)
        events = ask(server, "-o", other, "--json")
    assert_fit(done, events)
    assert SHOWN in done.stdout
    assert " ".join(SHOWN.replace("\\n", " ").replace("\\r", " ").split()) in done.stderr.replace("\n", "")
    assert any(json.loads(line).get("error") for line in events.stdout.splitlines())
    assert {row["model"] for row in samples(folder)} == {EVIL, "m"}, "files keep what the server said"
    for words in (
        ["analyze", folder, other],
        ["analyze", folder, "--format", "json"],
        ["leaderboard", folder, other],
        ["leaderboard", folder, "--format", "json"],
        ["compare", folder, other],
        ["compare", folder, other, "--json"],
        ["run", "--resume", folder, "--dry-run"],
    ):
        shown = herobench(*words)
        assert shown.returncode == 0, shown
        assert_fit(shown)


@pytest.mark.slow
@needs_setsid
def test_on_a_terminal_with_bars_there_are_no_escapes_but_those_of_the_bars(tmp_path: Path) -> None:
    with Loopback(script, some_win, KEY) as server:
        terminal = Terminal("run", "--model", "m", "--base-url", server.url, "--tasks", TASKS, "-o", tmp_path / "run")
        assert terminal.end() == 1
    seen = OURS.sub(b"", terminal.seen).decode()
    assert fit(seen.replace("\r", "").replace("\x1b[?25", "")), seen
    assert "\x9b" not in seen
    assert "\\x1b]0;title\\x07" in seen


def test_names_in_files_are_told_as_text(tmp_path: Path) -> None:
    rows = read_jsonl(TASKS)
    rows[0]["id"] = "1/\x9b31m\u202e[red]x[/]"
    tasks = write_jsonl(tmp_path / "\x1b[31mtasks.jsonl", rows)
    listed = herobench("tasks", "list", "--tasks", tasks)
    shown = herobench("tasks", "show", "1/\x9b", "--tasks", tasks)
    assert_fit(listed, shown, herobench("tasks", "list", "--json", "--tasks", tasks))
    assert "1/\\x9b31m\\u202e[red]x[/]" in listed.stdout
    assert "1/\\x9b31m\\u202e[red]x[/]" in shown.stdout
    rows[1]["target"] = EVIL
    rows[2][EVIL] = 1
    refused = herobench("tasks", "list", "--tasks", write_jsonl(tmp_path / "\x1b[31mspoilt.jsonl", rows))
    assert_fit(refused)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 2), "a problem is one line"
    done = run("--model", "oracle", "--tasks", tasks, "-o", tmp_path / "\x1b[2Jrun")
    assert_fit(done)
