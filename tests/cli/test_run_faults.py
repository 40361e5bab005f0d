"""Servers that give the key back, against the program: it is in no file and on no terminal, and changes no score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import KEY, TARGETS, ask, calls, contents, samples, some_win
from tests.loopback import Behaviour, Kind, Loopback
from tests.loopback.echoes import DISGUISES
from tests.sizes import some_slow

SECRET = "sk-Top9secret_0123456789abcdefXYZ"
WAYS = [(), ("--no-stream", "--json"), ("--api", "responses"), ("--api", "responses", "--no-stream")]
ECHOES = dict(zip(TARGETS, ["plain", "line_ends", "red", "base64_of_the_header", "json"], strict=True))

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
        assert not [form for form in ECHOES.values() if DISGUISES[form](SECRET).encode() in content], name
    assert not [text for text in said if letters(SECRET) in letters(text)]
    assert not [(form, text) for form in ECHOES.values() for text in said if DISGUISES[form](SECRET) in text]


@every_way
def test_a_key_that_comes_back_is_in_no_file_and_on_no_terminal(tmp_path: Path, way: tuple[str, ...]) -> None:
    kinds = dict(zip(TARGETS, [Kind.SERVER_ERROR, Kind.STREAM_ERROR, Kind.BAD_REQUEST] * 2, strict=False))
    with Loopback(lambda key, attempt: Behaviour(echo=ECHOES[key]), some_win, KEY) as server:
        replies = ask(server, "-o", tmp_path / "run", "--cache", tmp_path / "cache", *way)
        server.play(lambda key, attempt: Behaviour(kinds[key], echo=ECHOES[key]))
        errors = ask(server, "-o", tmp_path / "errors", "--max-retries", "1", *way)
        assert {record.authorization for record in server.records()} == {f"Bearer {SECRET}"}
    assert (replies.returncode, errors.returncode) == (0, 1), replies.stderr
    assert [row["won"] for row in samples(tmp_path / "run")].count(True) == 3, "what was covered changes no score"
    assert all("[key]" in row["reply"]["text"] for row in calls(tmp_path / "run"))
    assert (errors.stdout if "--json" in way else errors.stderr).count("[key]") >= len(TARGETS)
    nowhere(tmp_path, replies.stdout, replies.stderr, errors.stdout, errors.stderr)
