"""How many turns of epochs a second: in the game alone, and in an attempt that also words them for a model."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random
from typing import Any

from herobench.conversation import Reply, ToolCall
from herobench.suites.epoch import Level
from herobench.suites.epoch.game.columns import LevelStyle
from herobench.suites.epoch.game.level import DATASET, PUBLISHED_DATASET, load_levels
from herobench.suites.epoch.making.prover import write_call
from herobench.suites.epoch.suite import LevelToolAttempt

_TURNS = 40_000


def measure() -> dict[str, float]:
    """Turns for each second of processor time: of the published levels, and of six roads of 2 to 32 gates."""
    published, roads = (list(load_levels(dataset).values())[:6] for dataset in (PUBLISHED_DATASET, DATASET))
    return {
        "turns a second, game": _rate(_game, published, _TURNS),
        "turns a second, attempt": _rate(_attempt, published, _TURNS // 8),
        "turns a second, game on roads": _rate(_game, roads, _TURNS),
        "turns a second, attempt on roads": _rate(_attempt, roads, _TURNS // 8),
    }


def _rate(play: Callable[[Level, list[dict[str, Any]]], int], levels: Sequence[Level], turns: int) -> float:
    games = [(level, _calls(level, Random(seed))) for seed in range(5) for level in levels]
    for level, calls in games[: len(levels)]:
        play(level, calls)  # builds the worlds
    done, begun = 0, time.process_time()
    for level, calls in cycle(games):
        done += play(level, calls)
        if done >= turns:
            return done / (time.process_time() - begun)
    return 0.0


def _calls(level: Level, chance: Random) -> list[dict[str, Any]]:
    """The reference plan with a refused or misread call behind every third action."""
    calls = []
    for number, action in enumerate(level.reference_plan):
        calls.append(write_call(level, action))
        if number % 3 == 0:
            odd = chance.choice([action, *level.reference_plan])
            calls.append(chance.choice([write_call(level, odd), {"name": "fly", "arguments": {}}]))
    return calls


def _game(level: Level, calls: list[dict[str, Any]]) -> int:
    game = level.start()
    for call in calls:
        if game.stop:
            break
        game.turn({"call": call})
    return game.turns


def _attempt(level: Level, calls: list[dict[str, Any]]) -> int:
    attempt = LevelToolAttempt(level, LevelStyle())
    for number, call in enumerate(calls, 1):
        made = ToolCall("c", call["name"], json.dumps(call["arguments"]))
        if attempt.step(Reply("", (made,))) is None:
            return number
        attempt.conversation  # noqa: B018 - what is sent is worded when it is asked for
    return len(calls)
