"""Kill goals of campaigns that tell only what is needed: monsters of the top levels, and the smallest winning gear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from random import Random

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.campaigns.draw import CampaignStep, Draw, can_dress, kill
from herobench.task_gen.rpg.gear.search import Gear
from herobench.task_gen.rpg.oracle.outfits import Outfit, placed
from herobench.task_gen.rpg.tasks.kill_tasks import bare_search

_TOP = 0.75
"""The top levels are those from this share of the highest level on."""
_SETS = 8
"""The number of smallest winning sets of which one is drawn for a new monster."""


class PlainKills:
    """The kill goals of a world."""

    def __init__(self, world: World, rules: Rules) -> None:
        self._world = world
        self._rules = rules

    def steps(self, draw: Draw, rng: Random) -> Iterator[CampaignStep]:
        """Yield kills for which the hero has to change, those of the top levels first, each half in random order."""
        top = _TOP * self._rules.level_cap
        monsters = self._world.monsters.values()
        high = [monster.code for monster in monsters if monster.intended_level >= top]
        low = [monster.code for monster in monsters if monster.intended_level < top]
        for who in (*rng.sample(high, len(high)), *rng.sample(low, len(low))):
            if draw.repeats(who) or draw.fights.beats(who, draw.worn):
                continue
            known = draw.known(who)
            missing = draw.fights.nearest(who, draw.worn, known) if known else self._new(draw, who, rng)
            if missing:
                yield CampaignStep(kill(self._world, who, missing))

    def _new(self, draw: Draw, who: Code, rng: Random) -> Outfit | None:
        """Return the gear to put on for a monster that no outfit so far beats; None if one does, or no gear wins."""
        sets = smallest_sets(self._world, self._rules, who) if who not in draw.beaten else ()
        if not sets:
            return None
        missing = draw.fights.least_change(who, draw.worn, placed(self._world, rng.choice(sets), draw.worn))
        return missing if missing and can_dress(draw, who, missing) else None


@lru_cache(maxsize=1000)
def smallest_sets(world: World, rules: Rules, who: Code) -> tuple[Gear, ...]:
    """Return some of the smallest winning sets of a bare hero of the highest level. Campaigns of a world share them."""
    sets: Sequence[Gear] = list(islice(bare_search(world, rules, who, rules.level_cap).minimal_sets(), _SETS))
    return tuple(gear for gear in sets if len(gear) == len(sets[0]))
