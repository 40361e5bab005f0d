"""Who wins a fight, in whole numbers and without fighting it.

The hero needs so many rounds for the monster's health, and has to stand one round less. Damage is counted in
hundredths, where all of it is whole. The duel itself counts in floats, so where a fight ends at exactly nought the
answer is left to it.
"""

from __future__ import annotations

from herobench.rpg.combat import POINT, damage
from herobench.rpg.world import Stats


def rounds_needed(health: int, dealt: int) -> int:
    """How many rounds it takes to deal so much health, at so many hundredths a round."""
    return -(-POINT * health // dealt)


def verdict(hero: Stats, monster: Stats, rounds: int) -> bool | None:
    """Return whether the hero wins; None if only the duel can tell."""
    if hero.round_effects or monster.round_effects:
        return None  # only hits are linear
    dealt, taken = damage(hero, monster), damage(monster, hero)
    if dealt <= 0:
        return False
    needed = rounds_needed(monster.hp, dealt)
    if needed > rounds:
        return False
    if taken < 0 or dealt * needed == POINT * monster.hp:
        return None
    if needed == 1:
        return True  # he strikes first, and whether he stands is asked only after the monster has struck
    left = POINT * hero.hp - (needed - 1) * taken
    return None if left == 0 else left > 0
