"""The workshop: make as much of an order as the hero can, so that no player loses by clumsy work.

Players choose gear; this makes it, with the oracle's way of gathering. Hunts are fought in the best gear that the hero
owns by then. Items that the hero cannot make are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.world import Code, Item, Recipe, slot_type
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.gathering import Hunt, Visit, drop_chance, plan_visits
from herobench.task_gen.rpg.oracle.requirements import Requirements

if TYPE_CHECKING:
    from herobench.task_gen.rpg.audit.simulator import Options

HUNT_EVALUATIONS = 4_000
"""The number of sets that are computed to find one that beats a monster."""


def make(journey: Journey, order: Mapping[Code, int]) -> None:
    """Make the pieces of an order, as far as the hero can."""
    wanted = Counter({code: number for code, number in order.items() if journey.told.traceable(code)})
    visits = _visits(journey, wanted)
    if visits is None:
        # One item that is out of reach must not keep the hero from the others.
        wanted = Counter({code: n for code, n in wanted.items() if _visits(journey, Counter({code: n})) is not None})
        visits = _visits(journey, wanted) or []
    _Work(journey, wanted).do(visits)


def beating(journey: Journey, who: Code) -> dict[str, Code] | None:
    """Return a loadout of owned gear in which the hero beats a monster, or None if none is found."""
    from herobench.task_gen.rpg.audit.simulator import (
        GearClimb,  # with numpy, which players that hunt nothing do not wait for
    )

    world, hero = journey.told.world, journey.hero
    climb = GearClimb(world, hero, owned_options(journey), HUNT_EVALUATIONS, hero.inventory)
    return climb.winning(world.monsters[who].stats, journey.rules.rounds, pairs=True)


def owned_options(journey: Journey) -> Options:
    """Return what the hero may wear in each slot: what he wears there now, then what is in his bag."""
    world, hero = journey.told.world, journey.hero
    options: dict[str, list[Item | None]] = {}
    for slot in gear_slots(world):
        kind, worn = slot_type(slot), hero.worn.get(slot)
        others = [world.items[code] for code in hero.inventory if code != worn]
        fitting = [item for item in others if item.type == kind and item.level <= hero.combat.level]
        options[slot] = [world.items[worn] if worn else None, *fitting]
    return options


def _sources(journey: Journey, order: Mapping[Code, int]) -> tuple[Requirements, dict[Code, int]]:
    """Return what an order requires, and the raw materials that the hero does not own yet."""
    work = Requirements.of(journey.told.world, order)
    owned = journey.hero.inventory
    return work, {code: n - owned.get(code, 0) for code, n in work.raw.items() if n > owned.get(code, 0)}


def _visits(journey: Journey, order: Counter[Code]) -> list[Visit] | None:
    """Return the visits to nodes that an order needs, or None if the hero cannot gather or craft all of it."""
    told, rules = journey.told, journey.rules
    work, lacking = _sources(journey, order)
    gathered = {code: n for code, n in lacking.items() if code not in told.sold and told.nodes_of(code)}
    # The planner of visits trains the hero that it is given, so it gets a copy.
    learner = Hero(told.world, replace(told.task.hero, worn={}))
    learner.skills = {skill: progress.copy() for skill, progress in journey.hero.skills.items()}
    try:
        return plan_visits(told.world, rules, learner, gathered, work.skills, told.nodes)
    except Unplannable:
        return None


class _Work:
    """The crafts and hunts of an order that are still to be done."""

    def __init__(self, journey: Journey, order: Counter[Code]) -> None:
        told = journey.told
        self._journey = journey
        work, lacking = _sources(journey, order)
        self._crafts = dict(work.crafts)
        self._bought = {code: n for code, n in lacking.items() if code in told.sold}
        self._hunted = {code: n for code, n in lacking.items() if code not in self._bought and not told.nodes_of(code)}
        # What falls from monsters earns a victory over each of them, as in the oracle's plans.
        droppers = {who for code in work.raw for who in told.droppers_of(code)}
        self._prey = sorted(droppers, key=lambda who: (told.world.monsters[who].level, who))

    def do(self, visits: list[Visit]) -> None:
        """Gather and buy, then craft and hunt as long as something comes of it."""
        journey = self._journey
        for visit in visits:
            journey.go("resource", visit.node)
            for step in visit.steps(journey.rules, dict(journey.hero.inventory)):
                journey.take(step)
        for code, quantity in self._bought.items():
            journey.go("grand_exchange")
            journey.do("buy", code, quantity)
        self._craft()
        while not journey.game.over and (self._hunt() or self._take_off()):
            self._craft()

    def _take_off(self) -> bool:
        """Take off a part of what is still to be crafted, and return whether there was one.

        After the hunts, since it may be the hero's weapon.
        """
        journey, found = self._journey, False
        parts = {part for code in self._crafts for part in self._recipe(code).ingredients}
        for slot, code in list(journey.hero.worn.items()):
            if code in parts and code not in journey.hero.inventory:
                journey.do("unequip", slot)
                found = True
        return found

    def _craft(self) -> None:
        """Craft everything that the hero has the parts and the skill for."""
        while ready := list(self._ready()):
            shop = ready[0][0]
            self._journey.go("workshop", shop)
            for skill, code in ready:
                if skill == shop:
                    self._journey.do("craft", code, self._crafts.pop(code))

    def _ready(self) -> Iterator[tuple[str, Code]]:
        hero = self._journey.hero
        for code, number in self._crafts.items():
            recipe = self._recipe(code)
            parts = recipe.ingredients.items()
            supplied = all(hero.inventory.get(part, 0) >= each * number for part, each in parts)
            if supplied and hero.skills[recipe.skill].level >= recipe.level:
                yield recipe.skill, code

    def _recipe(self, code: Code) -> Recipe:
        recipe = self._journey.told.world.recipe_of(code)
        assert recipe, "only what has a recipe is crafted"
        return recipe

    def _hunt(self) -> bool:
        """Beat each monster that can be beaten now, and return whether there was one."""
        journey, found = self._journey, False
        for who in list(self._prey):
            loadout = beating(journey, who)
            if loadout is not None:
                journey.wear(loadout)
                journey.hunt(who, self._plan(who))
                self._prey.remove(who)
                found = True
        return found

    def _plan(self, who: Code) -> Hunt:
        """Return the hunt for every missing item that a monster drops."""
        hunt = Hunt()
        for drop in self._journey.told.world.monsters[who].drops:
            quantity = self._hunted.pop(drop.item, 0)
            if quantity and drop_chance(drop, self._journey.rules) < 1:
                hunt.until[drop.item] = quantity
            elif quantity:
                hunt.wins = max(hunt.wins, -(-quantity // max(1, drop.least)))
        return hunt
