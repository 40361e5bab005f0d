"""Games of the suite epoch for tests: turns from short texts, and games that are played along a plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from herobench.suites.epoch import EpochGame, Level, load_level
from herobench.suites.epoch.making.prover import write_call


def turn(level: Level, action: str) -> dict[str, Any]:
    """The turn for an action such as `take hester lantern mill-past`."""
    return {"call": write_call(level, f"({action})")}


def act(game: EpochGame, *actions: str) -> list[dict[str, Any]]:
    """Play actions, and return the feedback."""
    return [game.turn(turn(game.level, action.strip("()"))) for action in actions]


def after(id: str, actions: Iterable[str]) -> EpochGame:
    game = load_level(id).start()
    act(game, *actions)
    return game
