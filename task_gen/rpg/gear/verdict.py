"""The verdict: who wins a fight, in whole numbers and without fighting it.

The hero needs a number of rounds for the monster's health, and must survive one round less. Damage is counted in
hundredths, which are whole. The duel counts in floats, so a fight that ends at exactly 0 is left to it, and so is one
with round effects. The gear search and the oracle ask here before they fight.
"""

from __future__ import annotations

from herobench.suites.rpg.game.combat import POINT, damage
from herobench.suites.rpg.game.world import Stats


def rounds_needed(health: int, dealt: int) -> int:
    """Return the number of rounds to take off a health, at a damage in hundredths a round."""
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
    # A monster that heals the hero, and a fight that ends at exactly 0, hang on the floats of the duel.
    if taken < 0 or dealt * needed == POINT * monster.hp:
        return None
    if needed == 1:
        return True  # he strikes first, and whether he stands is asked only after the monster has struck
    left = POINT * hero.hp - (needed - 1) * taken
    return None if left == 0 else left > 0
