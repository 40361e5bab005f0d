"""Turns: campaigns of wanted lengths take turns at what else makes them hard, so that length can be told from it.

The lengths lie on a ladder of rungs, evenly over their logarithm. On each rung the share of craft goals takes its turn,
and with it the number of missing pieces: a craft goal takes steps and no gear. Short campaigns are short because the
hero has the told gear already and is dressed. If a share of the campaigns is to have leveling, it is the same on each
rung, and in each turn of the crafts.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from herobench.task_gen.rpg.tasks.spec import Spec

_SHARES = (2.0, 1.0, 0.0)
"""The factors on the share of craft goals, turn by turn."""
_SETS = (4, 8, 16)
"""The most sets of gear of a campaign, turn by turn: with few of them, goals come back to gear that is there."""
_MISLEADING_PLACES = (0, 2, 4)
"""Of five campaigns that follow each other on a rung, those that mislead a greedy player. Dressed heroes hardly can."""
_DRESSED = 24
"""The hero of a campaign of fewer decisions is dressed for the first goal, but for a few slots."""
_TRAINING = 2
"""The decisions that it takes to fight for a level: to go and to fight."""
_SHORTEST = 5
"""Shorter campaigns have no leveling: to fight for a level and to swap one piece takes six decisions."""
MOST_LACKING = 10
"""The most levels that a hero lacks to the highest one. From monsters of the top levels he can learn all of them."""
_FEW_LACKING = 5
"""The same for a dressed hero, who wears most of the gear that the first goal takes."""
_STOCKED = 16
"""The hero of a campaign of fewer decisions has all told gear."""


class CampaignTurn(NamedTuple):
    """What one campaign is drawn by, beside the options that all of them share."""

    decisions: int | None
    """None if the number of goals is given."""
    craft_share: float
    stock: float = 0.0
    """The share of told gear that is in the bag at the start."""
    sets: int = 16
    """The most goals that take new gear."""
    swapped: int = 0
    """The number of slots that hold something else at the start than what the first goal takes."""
    emptied: int = 0
    """The number of slots that hold nothing. If both are 0, he is dressed for another monster."""
    misleading: bool = False
    """True if a player must lose who computes fights, but changes one slot at a time."""
    leveling: bool = False
    """True if the hero's gathering skills start at 1."""
    lacking: int = 0
    """The number of levels that the hero lacks to the highest one at the start."""


def turn_of(spec: Spec, index: int, rng: Random) -> CampaignTurn:
    """Return the turn of a campaign."""
    turn = _without_leveling(spec, index, rng)
    if not _has_leveling(spec, index):
        return turn
    # A hero who starts bare beats nobody, so he could not fight for levels.
    if spec.knowledge != "decoys" or spec.kind == "craft":
        return turn._replace(leveling=True)
    is_dressed = turn.decisions is not None and turn.decisions < _DRESSED
    return turn._replace(leveling=True, lacking=rng.randint(1, _FEW_LACKING if is_dressed else MOST_LACKING))


def _has_leveling(spec: Spec, index: int) -> bool:
    """Return whether a campaign has leveling: of each rung the wanted share, in each turn of the crafts alike."""
    decisions = spec.length(index)
    if not spec.leveling or (decisions is not None and decisions < _SHORTEST):
        return False
    number = spec.place(index) // len(_SHARES) if spec.decisions else index
    return round((number + 1) * spec.leveling_share) > round(number * spec.leveling_share)


def _without_leveling(spec: Spec, index: int, rng: Random) -> CampaignTurn:
    decisions = spec.length(index)
    share = {"kill": 0.0, "craft": 1.0, "mixed": spec.craft_share}[spec.kind]
    if decisions is None or spec.knowledge != "decoys":
        return CampaignTurn(decisions, share, spec.stock or 0.0)
    turn = spec.place(index) % len(_SHARES)
    crafts = min(1.0, share * _SHARES[turn]) if spec.stock is None else share
    stock = rng.choice(_stocks(decisions)) if spec.stock is None else spec.stock
    if decisions < _STOCKED:
        # To fill a slot is one step, to swap what is in it two; then he goes and fights.
        steps = max(2, decisions - 2 - (_TRAINING if _has_leveling(spec, index) else 0))
        swapped = rng.randint(-(-steps // 3), steps // 2)
        return CampaignTurn(decisions, 0.0, 1.0, _SETS[turn], swapped, steps - 2 * swapped)
    if decisions < _DRESSED:
        return CampaignTurn(decisions, crafts, stock, _SETS[turn], rng.randint(2, 5), rng.randint(0, 2))
    return CampaignTurn(decisions, crafts, stock, _SETS[turn], misleading=spec.place(index) % 5 in _MISLEADING_PLACES)


def _stocks(decisions: int) -> tuple[float, ...]:
    """Return the shares of told gear that may be in the bag: to make all of a new outfit takes over 100 decisions."""
    if decisions < 64:
        return (1.0,)
    return (0.5, 1.0) if decisions < 200 else (0.0, 0.5)
