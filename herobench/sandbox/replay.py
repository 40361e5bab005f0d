"""The replay: from attempted actions to an episode, in the parent's own game."""

from __future__ import annotations

from herobench.rpg.arguments import SIGNATURES, CallError
from herobench.rpg.episode import Ending, Episode
from herobench.rpg.game import Game
from herobench.sandbox.limits import Limits
from herobench.sandbox.played import Played


def replayed(game: Game, played: Played, limits: Limits) -> Episode:
    """Apply what a plan attempted. A list that no plan can have made ends the episode as a limit, where it stands."""
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
        except CallError:
            ending = Ending("limit", "the plan's process reports an action that cannot be", action.line, "protocol")
            break
    return Episode(tuple(game.events), ending, output)
