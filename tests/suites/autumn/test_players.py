"""Players, metrics of exploration, and a run from the command line."""

import asyncio
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Message, Request
from herobench.data.call_rows import whole
from herobench.data.documents import schema_problems
from herobench.suite.checked import open_suite
from herobench.suite.contract import SuiteSetting
from herobench.suites.autumn.episode.challenge import FAMILIES
from herobench.suites.autumn.episode.figures import area, count_actions, curve, effective_actions
from herobench.suites.autumn.episode.repeating import WAYS, guess
from herobench.suites.autumn.players import AutumnPlayer
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.sizes import for_each
from tests.suites.autumn.challenges import grid, row


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tasks") / "beads.jsonl"
    path.write_text("".join(json.dumps(row(family)) + "\n" for family in FAMILIES), "utf-8")
    return path


def played(tasks: Path, target: Path, player: str, *words: str) -> dict[str, dict[str, Any]]:
    options = [word for setting in ("steps=30", "total=60") for word in ("--set", setting)]
    done = herobench("run", "--suite", "autumn", "--tasks", tasks, "-m", player, *options, *words, "-o", target)
    assert done.returncode == 0, done.stderr
    return {sample["group"]: sample for sample in read_jsonl(target / "samples.jsonl")}


@for_each("agent", ["one-shot", "tools"])
def test_the_oracle_has_the_full_score_in_both_modes(tasks: Path, tmp_path: Path, agent: str) -> None:
    samples = played(tasks, tmp_path / "run", "oracle", "--agent", agent)
    assert {family: sample["score"] for family, sample in samples.items()} == dict.fromkeys(FAMILIES, 100.0)
    assert {sample["details"]["mode"] for sample in samples.values()} == {"tools" if agent == "tools" else "actions"}


@pytest.mark.slow
def test_random_and_greedy_explore_to_the_limit_and_play_alike_each_time(tasks: Path, tmp_path: Path) -> None:
    one, other = (played(tasks, tmp_path / name, "random") for name in ("one", "other"))
    assert {family: sample["events"] for family, sample in one.items()} == {
        family: sample["events"] for family, sample in other.items()
    }
    assert {sample["details"]["interaction_steps"] for sample in one.values()} == {30}
    assert one["detection"]["details"]["ending"] == one["prediction"]["details"]["ending"] == "answered"
    greedy = played(tasks, tmp_path / "greedy", "greedy")
    assert (greedy["detection"]["score"], greedy["detection"]["details"]["chosen"]) == (
        100.0,
        greedy["detection"]["details"]["right"],
    )
    assert greedy["prediction"]["details"]["chosen"] == 5, "the option that looks like the part before it was hidden"
    assert greedy["planning"]["failure"] == "out_of_steps", "two steps down are nearer to the goal, and a dead end"


def test_ways_to_compare_two_plays() -> None:
    """A bead goes right; the second time one row lower, and from frame 3 on with a shadow, at last with many."""
    before = [grid("r...", "...."), grid(".r..", "...."), grid("..r.", "...."), grid("...r", "....")]
    now = [grid("....", "r..."), grid("....", ".r.."), grid("....", "..r."), grid("gggg", "...r")]
    assert {name: way(before, now) for name, way in WAYS.items()} == {
        "first": 0, "changes": 1, "cells": 1, "still": None, "jump": 3, "growth": None
    }  # fmt: skip
    assert [WAYS[name](before, before) for name in WAYS if name != "jump"] == [None] * 5
    stopped = [*before[:2], before[1]]
    assert (WAYS["still"](before[:3], stopped), WAYS["cells"](before[:3], stopped)) == (2, 2)
    red = [[["blue" if cell == "red" else cell for cell in line] for line in frame] for frame in before]
    assert (WAYS["cells"](before, red), WAYS["changes"](before, red)) == (None, 1)
    long = [before[0]] * 12
    assert WAYS["growth"](long, [*long[:11], now[3]]) == 11
    assert guess("first", long, [*long[:11], now[3]]) == 11
    assert guess("first", long, [now[0], *long[1:]]) == 11, "a difference at the start only: by the clock"


def test_a_player_decides_again_what_it_had_to_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AutumnPlayer, "most_games", 1)
    suite = open_suite("autumn", SuiteSetting(options={"steps": "30", "total": "60"}))
    ids = [task.id for task in islice(suite.tasks(), 2)]

    async def replies(turns: list[tuple[str, int]]) -> list[str]:
        player = suite.player("random")
        told = [Request(id, 0, (Message("user", f"Turn {turn} of 60."),)) for id, turn in turns]
        return [(await player.reply(request)).text for request in told]

    turns = [(id, turn) for id in ids for turn in range(30)]
    in_turn = [(id, turn) for turn in range(30) for id in ids]
    expected = dict(zip(turns, asyncio.run(replies(turns)), strict=True))
    assert dict(zip(in_turn, asyncio.run(replies(in_turn)), strict=True)) == expected


def test_players_take_an_id_with_half_a_surrogate_pair(tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text(json.dumps(row("planning", id="bead \ud800")) + "\n", "utf-8")
    assert played(tmp_path / "odd.jsonl", tmp_path / "run", "oracle")["planning"]["score"] == 100.0


def test_a_run_needs_a_file_and_challenges_that_fit(tasks: Path, tmp_path: Path, golden: Golden) -> None:
    words = ("run", "--suite", "autumn", "--tasks", tasks, "-m", "oracle", "-o", tmp_path / "run")
    golden(herobench(*words, "--category", "game"), herobench(*words, "--set", "colour=red"))


def test_a_run_resumes_and_is_scored_again(tasks: Path, tmp_path: Path) -> None:
    samples = played(
        tasks,
        tmp_path / "run",
        "oracle",
        "--set",
        "family=planning",
        "--set",
        "prompt=hints",
        "--set",
        "observation=picture",
    )
    assert list(samples) == ["planning"]
    assert samples["planning"]["details"]["prompt"] == "react+hints"
    calls = read_jsonl(tmp_path / "run" / "calls.jsonl")
    assert [len(message.get("pictures", ())) for message in list(whole(calls, "calls"))[1]["messages"]] == [0, 1, 0, 2]
    assert [schema_problems(call, "call", "calls") for call in calls] == [[]] * len(calls)
    done = herobench("score", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert herobench("run", "--resume", tmp_path / "run").returncode == 0


def test_the_census_counts_distinct_actions_and_resets() -> None:
    words = ["click 1 1", "click 1 2", "click 1 1", "left", "reset", "noop", "reset", "go-to-test"]
    actions = effective_actions([{"action": word} for word in words] + [{"action": "up", "refused": "unknown"}])
    assert count_actions(actions) == {
        "distinct_actions": 5, "click_share": 0.4, "arrow_share": 0.2, "noop_share": 0.2, "reset_share": 0.2,
        "resets": 2,
    }  # fmt: skip
    assert count_actions([])["click_share"] is None


def test_the_perplexity_is_zero_for_one_action_and_one_for_even_ones() -> None:
    assert list(curve("aaaa", 3)) == [0.0, 0.0]
    assert list(curve("abcabc", 3)) == pytest.approx([1.0] * 4)
    assert list(curve("ab", 3)) == []
    # a window of two a and one b: H = ln 3 - 2/3 ln 2, PP = 1.8899
    assert list(curve("aab", 3)) == pytest.approx([0.8899], abs=1e-4)
    assert list(curve("aaab", 3, "share")) == pytest.approx([1.0, 0.94494], abs=1e-4)
    assert area([1.0, 0.0, 0.0]) == 0.25
    assert (area([0.5]), area([])) == (0.5, None)
