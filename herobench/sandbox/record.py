"""The record of a plan that was played: `worker` sends it over `wire`, and `replay` in the parent applies it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii

from herobench.sandbox.budget import Limits
from herobench.suites.rpg.game.arguments import SIGNATURES, CallError
from herobench.suites.rpg.game.episode import GAME_ENDS, Ending, Episode, defeat, over_budget
from herobench.suites.rpg.game.events import Action, Fought, Value
from herobench.suites.rpg.game.game import Game, OverBudget

MOST_TEXT = 200
"""The longest text that is recorded as an argument, in bytes of JSON. Every code, name and number is shorter."""
_SURE = MOST_TEXT // 12
"""Texts of up to this many characters always fit, since JSON needs at most 12 bytes for one."""


def fits(text: str) -> bool:
    """Say whether a text can be recorded as an argument of an action."""
    return len(text) <= _SURE or (len(text) <= MOST_TEXT and len(encode_basestring_ascii(text)) <= MOST_TEXT + 2)


def recordable(value: object) -> Value:
    """Return an argument as it can be recorded: a small plain value as it is, anything else as an empty text."""
    # No action accepts an empty text, so the game refuses the attempt as it would refuse the argument itself.
    kind = type(value)
    if kind is int:
        return value if -(10**12) < value < 10**12 else ""  # type: ignore[operator, return-value]
    if kind is str:
        return value if fits(value) else ""  # type: ignore[arg-type, return-value]
    if value is None or kind is bool or (kind is float and math.isfinite(value)):  # type: ignore[arg-type]
        return value  # type: ignore[return-value]
    return ""


@dataclass(frozen=True, slots=True)
class Played:
    """The attempts of a plan, its ending, and its output."""

    attempts: tuple[Action, ...]
    ending: Ending
    output: str


def replayed(game: Game, played: Played, limits: Limits) -> Episode:
    """Apply the attempts of a plan, and return the episode, without what was done in the game before.

    A list that no plan can make ends it as a limit."""
    begun = len(game.events)
    ending, output = played.ending, played.output[: limits.output]
    if len(played.attempts) > limits.actions:
        return Episode(
            (), Ending("limit", "the plan's process reports more actions than it may take", None, "protocol"), output
        )
    for action in played.attempts:
        try:
            if action.name not in SIGNATURES:
                raise CallError(action.name)
            game.act(action)
        except OverBudget:
            ending = over_budget(len(game.events), action.line)
            break
        except CallError:
            # The attempts before this one are valid actions, and the hero keeps what they earned.
            ending = Ending("limit", "the plan's process reports an action that cannot be", action.line, "protocol")
            break
        if game.over:
            ending = _defeat(game)
            break
    else:
        if ending.how in GAME_ENDS.values():
            ending = Ending("limit", "the plan's process reports an end of the game that was none", None, "protocol")
    return Episode(tuple(game.events[begun:]), ending, output)


def _defeat(game: Game) -> Ending:
    """Return the ending at the fight that the game was just lost by."""
    fight = game.events[-1]
    assert isinstance(fight.detail, Fought)
    return defeat(game.world.monsters[fight.detail.monster].name, fight.action.line)
