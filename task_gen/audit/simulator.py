"""The pasted simulator: a plan that carries the rules of combat and the told records, and searches a winning set.

Such a plan has 300,000 steps in the sandbox. A function that computes one fight in closed form, unrolled over the
elements, takes about five of them, so a budget of 50,000 sets is what a plan could do.
"""

from __future__ import annotations

from herobench.rpg.hero import Hero
from herobench.rpg.world import Code
from herobench.task_gen.audit.case import Case, OpenSlot, made, open_slots
from herobench.task_gen.audit.closet import Closet
from herobench.task_gen.audit.journey import Journey


def by_simulation(case: Case, evaluations: int) -> Journey:
    """Search a set that wins, make it, put it on and fight. If none is found, make everything and search again."""
    hero = Hero(case.world, case.task.hero)
    gear = simulated_gear(case, hero, case.full_slots, evaluations)
    if gear is not None:
        changed = {slot: code for slot, code in gear.items() if hero.worn.get(slot) != code}
        journey = made(case, [case.world.items[code] for code in changed.values()])
        if journey.challenge(changed):
            return journey
    # The hero gains levels while he makes everything, so a set may win then.
    journey = case.with_everything()
    slots = open_slots(case.told, case.craftable, journey.hero.combat.level)
    journey.challenge(simulated_gear(case, journey.hero, slots, evaluations) or {})
    return journey


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
