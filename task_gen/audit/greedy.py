"""The greedy player: compute fights, but choose one item at a time. Played by the model `greedy` and by the audit."""

from __future__ import annotations

from herobench.rpg.hero import Hero
from herobench.rpg.world import Item
from herobench.task_gen.audit.case import Case, made
from herobench.task_gen.audit.journey import Journey
from herobench.task_gen.gear.greedy import greedy_gear


def greedily(case: Case) -> Journey:
    """Return the greedy player's journey: make the chosen gear, put it on, fight."""
    gear = chosen_gear(case)
    journey = made(case, gear.values())
    journey.challenge({slot: item.code for slot, item in gear.items()})
    return journey


def chosen_gear(case: Case) -> dict[str, Item]:
    """Return the chosen gear by slot."""
    target, rounds = case.world.monsters[case.task.target].stats, case.rules.rounds
    options = {choice.slot: (choice.worn, choice.told) for choice in case.slots}
    gear, _ = greedy_gear(target, rounds, Hero(case.world, case.task.hero).stats, options)
    return gear
