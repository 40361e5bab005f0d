"""Servers that break off after a reply, and servers that give the key back, against the program as people run it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import KEY, TARGETS, ask, calls, contents, samples, some_win
from tests.loopback import Behaviour, Kind, Loopback
from tests.loopback.echoes import DISGUISES
from tests.program import herobench
from tests.sizes import some_slow

SECRET = "sk-Top9secret_0123456789abcdefXYZ"
WAYS = [(), ("--no-stream",), ("--api", "responses"), ("--api", "responses", "--no-stream")]
AT_END = [Kind.RESET_AT_END, Kind.CUT_AT_END, Kind.NO_DONE, Kind.GARBAGE_AT_END, Kind.ERROR_AT_END]
ECHOES = ["plain", "line_ends", "red", "base64_of_the_header", "json"]

every_way = pytest.mark.parametrize("way", some_slow(WAYS, WAYS[1:]), ids="-".join)
"""Both forms of the API, and both a stream and a document; tests/models has all four of them in the fast tests too."""


@pytest.fixture(autouse=True)
def _a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


def texts(value: Any) -> Iterator[str]:
    """All texts of a JSON value, names included."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


def letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isascii() and letter.isalnum())


def nowhere(folder: Path, *printed: str) -> None:
    """Fail where the key can be read, with whatever between its letters; or one of its disguises."""
    said = [*printed]
    for name, content in contents(folder).items():
        if name.endswith(("json", "jsonl")):
            said += [text for line in content.splitlines() if name.endswith("l") for text in texts(json.loads(line))]
            said += texts(json.loads(content)) if name.endswith("json") else []
        assert SECRET.encode() not in content, name
        assert not [form for form in ECHOES if DISGUISES[form](SECRET).encode() in content], name
    assert not [text for text in said if letters(SECRET) in letters(text)]
    assert not [(form, text) for form in ECHOES for text in said if DISGUISES[form](SECRET) in text]


@every_way
def test_what_breaks_off_after_the_reply_is_paid_for_once_and_scored(tmp_path: Path, way: tuple[str, ...]) -> None:
    wrong = dict(zip(TARGETS, AT_END, strict=True))
    with Loopback(lambda key, attempt: wrong[key], some_win, KEY) as server:
        done = ask(server, "-o", tmp_path / "run", *way)
        asked = server.counters().requests
    assert (done.returncode, asked) == (0, len(TARGETS)), done.stderr
    with Loopback(answers=some_win, key=KEY) as server:
        assert ask(server, "-o", tmp_path / "good", *way).returncode == 0
    told = [
        {row["task_id"]: (row["replies"], row["won"], row["retries"]) for row in samples(folder)}
        for folder in (tmp_path / "run", tmp_path / "good")
    ]
    assert told[0] == told[1]
    nowhere(tmp_path, done.stdout, done.stderr)


@pytest.mark.slow
@every_way
def test_what_breaks_off_before_the_end_is_asked_for_again(tmp_path: Path, way: tuple[str, ...]) -> None:
    broken = [Kind.RESET, Kind.CUT, Kind.TRUNCATED, Kind.MALFORMED_CHUNK, Kind.STREAM_ERROR]
    wrong = dict(zip(TARGETS, broken, strict=True))
    with Loopback(lambda key, attempt: wrong[key] if attempt == 1 else "ok", some_win, KEY) as server:
        done = ask(server, "-o", tmp_path / "run", *way)
        assert server.counters().requests == 2 * len(TARGETS)
    assert done.returncode == 0, done.stderr
    assert {row["retries"] for row in samples(tmp_path / "run")} == {1}


@pytest.mark.slow
@every_way
def test_a_reply_that_no_line_could_hold_is_cut_and_the_run_stays_readable(
    tmp_path: Path, way: tuple[str, ...]
) -> None:
    with Loopback(lambda key, attempt: Behaviour(text="x" * 70_000_000)) as server:
        done = ask(server, "-o", tmp_path / "run", "--limit", "1", *way)
        assert (done.returncode, server.counters().requests) == (0, 1), done.stderr
    (row,) = samples(tmp_path / "run")
    assert (row["status"], row["won"], row["replies"][0]["stop"]) == ("ok", False, "length")
    assert herobench("analyze", tmp_path / "run").returncode == 0


@every_way
@pytest.mark.parametrize("json_lines", [False, True])
def test_a_key_that_comes_back_in_replies_is_in_no_file_and_on_no_terminal(
    tmp_path: Path, way: tuple[str, ...], json_lines: bool
) -> None:
    echo = dict(zip(TARGETS, ECHOES, strict=True))
    more = ["--json"] if json_lines else []
    with Loopback(lambda key, attempt: Behaviour(echo=echo[key]), some_win, KEY) as server:
        done = ask(server, "-o", tmp_path / "run", "--cache", tmp_path / "cache", *more, *way)
        assert {record.authorization for record in server.records()} == {f"Bearer {SECRET}"}
    assert done.returncode == 0, done.stderr
    assert [row["won"] for row in samples(tmp_path / "run")].count(True) == 3, "what was covered changes no score"
    assert all("[key]" in row["reply"]["text"] for row in calls(tmp_path / "run"))
    nowhere(tmp_path, done.stdout, done.stderr)


@every_way
def test_a_key_that_comes_back_in_errors_is_in_no_file_and_on_no_terminal(tmp_path: Path, way: tuple[str, ...]) -> None:
    echo = dict(zip(TARGETS, ECHOES, strict=True))
    kinds = dict(zip(TARGETS, [Kind.SERVER_ERROR, Kind.STREAM_ERROR, Kind.BAD_REQUEST] * 2, strict=False))
    with Loopback(lambda key, attempt: Behaviour(kinds[key], echo=echo[key]), key=KEY) as server:
        done = ask(server, "-o", tmp_path / "run", "--max-retries", "1", *way)
    assert done.returncode == 1
    assert done.stderr.count("[key]") == len(TARGETS)
    nowhere(tmp_path, done.stdout, done.stderr)
