"""`herobench run --until`: what is read and printed. tests/runs/test_until.py has the runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.loopback import Loopback
from tests.program import Done, herobench, write_jsonl
from tests.rungs import KEY, climbs, install_rungs

HERO = ("run", "--model", "oracle", "--dataset", "base", "--difficulty", "1,9", "--dry-run")


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_rungs(tmp_path / "packages", monkeypatch)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback({}, climbs, KEY) as loopback:
        yield loopback


@pytest.fixture
def dear(tmp_path: Path) -> Path:
    """Prices at which a token costs 1."""
    return write_jsonl(tmp_path / "dear.json", [{"m": {"input": 1e6, "output": 1e6}}])


def ask(server: Loopback, *options: str | Path, until: str = "factor=2") -> Done:
    words = ("--suite", "rungs", "--model", "m", "--base-url", server.url, "--until", until)
    return herobench("run", *words, *options, columns=200)


def test_limits_that_are_given_one_by_one_are_joined(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, "--until", "tasks=21", "-o", tmp_path / "run", until="factor=1.5").returncode == 0
    (session,) = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["sessions"]
    assert (session["until"]["goal"], session["until"]["tasks"]) == ("factor=1.5,tasks=21", 21)
    for words, told in {("factor=3",): "--until has factor twice", ("width=2",): "takes a limit such as"}.items():
        wrong = ask(server, "--until", *words, "-o", tmp_path / "wrong", until="factor=2")
        assert (wrong.returncode, told in wrong.stderr) == (2, True)
    assert not (tmp_path / "wrong").exists()
    goes_on = herobench("run", "--resume", tmp_path / "run", "--until", "all", "--dry-run", "--json")
    assert json.loads(goes_on.stdout)["conduct"]["until"] == "all"


# -- a dry run --------------------------------------------------------------------------------------------------------


def told_of(server: Loopback, *options: str | Path, until: str = "tasks=20") -> dict[str, Any]:
    return dict(json.loads(ask(server, *options, "--dry-run", "--json", until=until).stdout))


def test_a_dry_run_says_what_the_prompts_and_the_replies_cost(server: Loopback, dear: Path) -> None:
    """A token costs 1, so the cost of the prompts is their tokens, and that of each reply is 10 at most."""
    told = told_of(server)
    count, attempts = told["prompt_tokens"], len(told["tasks"])
    words, priced = ("--prices", dear, "--dry-run"), " in the currency of the prices"
    shown = " ".join(ask(server, *words, until="tasks=20").stdout.split())
    assert f", about {count:,} tokens of prompts, {count}.00{priced} and what the replies cost." in shown
    shown = " ".join(ask(server, *words, "--max-tokens", "10", until="tasks=20").stdout.split())
    assert f", {count}.00 to {count + 10 * attempts}.00{priced}." in shown


def test_a_dry_run_says_what_context_the_model_needs(server: Loopback) -> None:
    told = told_of(server)
    assert told["prompt_tokens"] // len(told["tasks"]) <= told["largest_prompt_tokens"] < told["prompt_tokens"]
    shown = ask(server, "--dry-run", "--max-tokens", "1000", until="tasks=20").stdout
    assert f"The largest prompt has about {told['largest_prompt_tokens']:,} tokens: the model's context" in shown
    assert "a reply of at most 1,000." in shown
    assert "longest_answer_tokens" not in told, "nobody knows the answers"


def test_a_dry_run_counts_the_answer_that_wins_the_longest_task() -> None:
    told = json.loads(herobench(*HERO, "--json", "--max-tokens", "9000").stdout)
    prompt, answer = told["largest_prompt_tokens"], told["longest_answer_tokens"]
    assert 300 < answer < 1000
    assert "longest_in_reply" not in told, "all answers fit"
    shown = herobench(*HERO, columns=200).stdout
    assert f"has about {answer:,}, so the tasks need a context of {prompt + answer:,}, and more for thoughts." in shown
    played = json.loads(herobench(*HERO, "--json", "--mode", "tools").stdout)
    assert "longest_answer_tokens" not in played, "an attempt has many replies"
    most = answer // 2
    reach = json.loads(herobench(*HERO, "--json", "--max-tokens", most).stdout)["longest_in_reply"]
    assert (
        f"A reply of at most {most:,} tokens has space for the answer that wins a task of about {reach:,.0f} "
        "decisions, less with thoughts: beyond that, the limit of the output ends the horizon, and not the model."
    ) in herobench(*HERO, "--max-tokens", most, columns=200).stdout
