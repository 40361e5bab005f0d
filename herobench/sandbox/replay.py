"""The replay: apply the actions that a worker reports in the parent's own game. `pool` calls `replayed`.

The worker may be under the control of its plan, so only the list of actions is used, and it is checked again. Where a
defeat is final or a task has a budget, it is the parent's game that ends the plan, whatever the worker says.
"""

from __future__ import annotations

from herobench.rpg.arguments import SIGNATURES, CallError
from herobench.rpg.episode import GAME_ENDS, Ending, Episode, defeat, over_budget
from herobench.rpg.events import Fought
from herobench.rpg.game import Game, OverBudget
from herobench.sandbox.limits import Limits
from herobench.sandbox.played import Played


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
