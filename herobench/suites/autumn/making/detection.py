"""Makes a detection: checks that the change of an environment can be told and reached, and finds a short witness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from herobench.errors import InputError, Problem
from herobench.suites.autumn.challenge import Detection
from herobench.suites.autumn.environment import Environment
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.making.lock_step import Pair, Play, played, random_play

_PLAYS = 10
_MOST_PLAYS = 40
"""Random plays that are made if the first ones do not reach the change."""
STEPS = 1000
"""Steps of a random play."""
_SHORTENING = 20_000
"""Steps of both worlds that the search for a shorter witness may take."""


def make_detection(environment: Environment, seed: int) -> tuple[Detection, dict[str, Any]] | None:
    """Return a detection and its certificate; None if no random play reaches the change.

    Raises InputError if the change of the environment breaks its contract.
    """
    pair = Pair(environment.base, environment.changed, environment.condition, seed)
    plays = [random_play(pair, number, STEPS) for number in range(_PLAYS)]
    while len(plays) < _MOST_PLAYS and not any(play.problem or play.frame for play in plays):
        plays.append(random_play(pair, len(plays), STEPS))
    if wrong := [play for play in plays if play.problem]:
        where = f"{environment.id}/environment.json"
        told = f"a change that the condition tells, but with seed {seed} {wrong[0].problem}"
        raise InputError([Problem(where, "$.change.condition", told, list(wrong[0].actions[-5:]))])
    reached = [play for play in plays if play.frame is not None]
    if not reached:
        return None
    witness = shortened(pair, min(reached, key=lambda play: len(play.actions)))
    assert witness.frame is not None
    made = Detection(pair.changed, pair.condition, witness.actions, witness.frame)
    return made, certificate_of(plays, witness)


def certificate_of(plays: Sequence[Play], witness: Play) -> dict[str, Any]:
    """Return what random plays and the witness show."""
    return {
        "plays": [play.frame for play in plays],
        "compared": sum(len(play.actions) for play in plays),
        "impossible": witness.impossible,
    }


def shortened(pair: Pair, play: Play) -> Play:
    """Return a play from which no short run of actions can be left out without losing the change."""
    left = _SHORTENING
    length = max(1, len(play.actions) // 2)
    while True:
        at = 0
        while at < len(play.actions) and left > 0:
            other = _reaching(pair, (*play.actions[:at], *play.actions[at + length :]))
            left -= len(play.actions)
            if other is None:
                at += length
            else:
                play = other
        if length == 1 or left <= 0:
            return play
        length = max(1, length // 2)


def _reaching(pair: Pair, actions: Sequence[str]) -> Play | None:
    """Return a play of these actions if it shows the change."""
    try:
        play = played(pair, actions)
    except AutumnError:
        return None
    return play if play.frame is not None else None
