"""The pasted simulator: a plan that carries the rules of combat and the told records, and searches a winning set.

Such a plan has 300,000 steps in the sandbox. A function that computes one fight in closed form, unrolled over the
elements, takes about five of them, so a budget of 50,000 sets is what a plan could do.
"""

from __future__ import annotations

from collections import Counter

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.world import Code
from herobench.task_gen.rpg.audit.case import Case, OpenSlot, made, make_everything, open_slots
from herobench.task_gen.rpg.audit.closet import Closet
from herobench.task_gen.rpg.audit.journey import Journey


def by_simulation(case: Case, evaluations: int) -> Journey:
    """Search a set that wins, make it, put it on and fight. If that fails, make everything and search again."""
    hero = Hero(case.world, case.task.hero)
    gear = simulated_gear(case, hero, case.full_slots, evaluations) or {}
    changed = {slot: code for slot, code in gear.items() if hero.worn.get(slot) != code}
    journey = made(case, [case.world.items[code] for code in changed.values()])
    # A program sees what the hero owns, so it does not fight without the set: a defeat may be final.
    if not gear or Counter(changed.values()) - _owned(journey):
        make_everything(journey)
        # The hero has gained levels by it, so a set may win now.
        slots = open_slots(case.told, _owned(journey), journey.hero.combat.level)
        changed = simulated_gear(case, journey.hero, slots, evaluations) or {}
    journey.challenge(changed)
    return journey


def _owned(journey: Journey) -> Counter[Code]:
    return Counter(journey.hero.inventory) + Counter(journey.hero.worn.values())


def simulated_gear(
    case: Case, hero: Hero, slots: list[OpenSlot] | tuple[OpenSlot, ...], evaluations: int
) -> dict[str, Code] | None:
    """Return a set that beats the target, or None if the search finds none within its budget."""
    options = {
        slot.slot: [
            case.world.items[hero.worn[slot.slot]] if slot.slot in hero.worn else None,
            *(item for item in slot.told if item.code != hero.worn.get(slot.slot)),
        ]
        for slot in slots
    }
    closet = Closet(case.world, hero, options, evaluations)
    return closet.winning(case.world.monsters[case.task.target].stats, case.rules.rounds, pairs=True)
