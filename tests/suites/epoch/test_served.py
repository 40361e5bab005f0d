"""Games with served models: tool calls in every way of asking and framing, faults in them, and runs that are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from herobench.data.call_rows import whole
from herobench.data.errors import UsageError
from herobench.scorer import TaskQuery
from herobench.suites.epoch import load_level
from herobench.suites.epoch.making.prover import write_call
from herobench.surfaces.openenv.scorers import Scorers
from tests.loopback import Behaviour, Framing, Kind, Loopback
from tests.models.asked import WAYS, Way
from tests.program import command, herobench, read_jsonl, surroundings

LEVEL = load_level("L04")
PLAN = [write_call(LEVEL, action) for action in LEVEL.reference_plan]


def behaviour(*calls: dict[str, Any], text: str = "", framing: Framing = Framing.USUAL) -> Behaviour:
    said = [{"name": call["name"], "arguments": json.dumps(call["arguments"])} for call in calls]
    return Behaviour(calls=said, text=text, framing=framing)


def played(folder: Path, say: Callable[[int], Behaviour], way: Way = WAYS[0], *options: str) -> dict[str, Any]:
    """The sample of a run in which the server says this in each turn, counted from 0."""
    turns = count()
    with Loopback(lambda question, attempt: say(next(turns))) as server:
        environment = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.url}
        ways = ["--api", way.api, *([] if way.stream else ["--no-stream"])]
        done = herobench(
            "run", "--suite", "epoch", "--dataset", "epochs-v1", "--levels", "4", "--model", "m", *ways, *options,
            "-o", str(folder / "run"),
            env={**surroundings(), **environment},
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (sample,) = read_jsonl(folder / "run" / "samples.jsonl")
    return sample


@pytest.mark.parametrize("way", [WAYS[0], *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS[1:])], ids=str)
def test_a_game_is_won_in_every_way_of_asking(way: Way, tmp_path: Path) -> None:
    sample = played(tmp_path, lambda turn: behaviour(PLAN[turn]), way, "--set", "window=3")
    assert (sample["won"], sample["details"]["plan_length"], sample["calls"]) == (True, LEVEL.optimal, LEVEL.optimal)
    sent = [len(call["messages"]) for call in whole(read_jsonl(tmp_path / "run" / "calls.jsonl"), "calls")]
    assert sent == [2, 4, 6, *[8] * (LEVEL.optimal - 3)]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("framing", Framing, ids=str)
def test_a_game_is_won_in_every_framing_of_calls(way: Way, framing: Framing, tmp_path: Path) -> None:
    sample = played(tmp_path, lambda turn: behaviour(PLAN[turn], framing=framing), way)
    assert (sample["won"], sample["details"]["total_steps"]) == (True, LEVEL.optimal)


ODD = [
    behaviour({"name": "teleport", "arguments": {}}),
    Behaviour(calls=[{"name": "move", "arguments": '{"who": "hes'}]),
    Behaviour(text=f"I call move: {json.dumps(PLAN[0])}"),
    Behaviour(text="```json\n[]\n```"),
    behaviour(PLAN[0], PLAN[5], PLAN[5]),
]
"""Four replies that are not understood, and one with several calls."""


@pytest.mark.parametrize("way", [WAYS[3], *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS[:3])], ids=str)
def test_odd_replies_end_as_the_rules_say(way: Way, tmp_path: Path) -> None:
    rest = [behaviour(call) for call in PLAN[1:]]
    sample = played(tmp_path, lambda turn: [*ODD, *rest][turn], way)
    details = sample["details"]
    assert (sample["won"], details["format_errors"], details["recovered_streaks"]) == (True, 4, 1)
    feedback = [step["feedback"].get("why") for step in sample["events"]["turns"]]
    assert feedback[:5] == ["unknown-tool", "bad-arguments", "no-call", "no-call", None]
    game = LEVEL.start()
    for step in sample["events"]["turns"]:
        assert game.turn(step["turn"]) == step["feedback"]
    assert game.row() == {name: details[name] for name in game.row()}


@pytest.mark.kills
def test_thirty_kills_change_nothing(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole", lambda turn: behaviour(PLAN[turn]), WAYS[1])
    chance = Random(5)
    client: list[subprocess.Popen[bytes]] = []
    answered = 0
    lives = [chance.randrange(2) for _ in range(30)]

    def say(question: str, attempt: int) -> Behaviour:
        nonlocal answered
        if lives and client:
            lives[0] -= 1
            if lives[0] < 0:
                lives.pop(0)
                os.kill(client[-1].pid, signal.SIGKILL)
                client[-1].wait()
                return Behaviour(kind=Kind.SILENCE)
        answered += 1
        return behaviour(PLAN[answered - 1])

    options = ["--suite", "epoch", "--dataset", "epochs-v1", "--levels", "4", "--model", "m", "-o", tmp_path / "run"]
    with Loopback(say) as server:
        environment = {**surroundings(), "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.url}
        ends = []
        while not ends or ends[-1] == -signal.SIGKILL:
            client.append(subprocess.Popen(command("run", *options), env=environment, stderr=subprocess.DEVNULL))
            ends.append(client[-1].wait())
    assert (ends[-1], answered) == (0, LEVEL.optimal)
    (sample,) = read_jsonl(tmp_path / "run" / "samples.jsonl")
    assert {name: sample[name] for name in ("details", "events", "won")} == {
        name: whole[name] for name in ("details", "events", "won")
    }


def test_a_window_is_refused_where_clients_keep_the_conversation() -> None:
    with pytest.raises(UsageError, match=r"^window "):
        Scorers(TaskQuery(suite="epoch", dataset="epochs-v1", window=2))
    with (
        Scorers(TaskQuery(suite="epoch", dataset="epochs-v1", levels="1", jobs=1)) as scorers,
        pytest.raises(UsageError, match=r"^window "),
    ):
        scorers.take({"window": 2})


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
