"""The workshop: what a player can make in a task, and the making of it, so that no player loses by clumsy work.

Players choose gear; this makes as much of it as the hero can, with the oracle's way of gathering. Hunts are fought in
the best gear that the hero owns by then. Items that the hero cannot make are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Item, Recipe, World, slot_type
from herobench.task_gen.rpg.audit.journey import Journey, ToldItems
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.gathering import Hunt, Requirements, Visit, drop_chance, plan_visits
from herobench.task_gen.rpg.oracle.steps import Unplannable

if TYPE_CHECKING:
    from herobench.task_gen.rpg.gear.climb import Options

HUNT_EVALUATIONS = 4_000
"""The number of sets that are computed to find one that beats a monster."""


# -- a task and its slots ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenSlot:
    """A slot that a player may fill, and the items that the prompt offers for it.

    The player must be able to compare gear for the slot: the slot is empty, or holds an item whose effects the prompt
    tells.
    """

    slot: str
    number: int
    """The number of slots of the same type that are filled before this one."""
    told: tuple[Item, ...]
    """Gear that the prompt tells how to get and that the hero can make, in the order of the prompt."""
    worn: Item | None
    """The item that the hero wears in the slot."""

    @property
    def either(self) -> list[Item]:
        """The items that may end up in the slot, the worn one last."""
        return [*self.told, *([self.worn] if self.worn else [])]


def open_slots(items_told: ToldItems, owned: Container[Code], level: int, *, parts: bool = True) -> list[OpenSlot]:
    """Return the slots that a hero of a level may fill, in the world's order, each with the told gear that he owns.

    Without `parts`, gear that goes into other told gear is left out, unless a type has no other.
    """
    gear = [item for item in items_told.gear if item.code in owned and item.level <= level]
    if not parts:
        whole = {item.type for item in gear if not items_told.uses[item.code]}
        gear = [item for item in gear if not items_told.uses[item.code] or item.type not in whole]
    by_type: dict[str, list[Item]] = {}
    for item in gear:
        by_type.setdefault(item.type, []).append(item)
    slots = list[OpenSlot]()
    for slot in gear_slots(items_told.world):
        kind, worn = slot_type(slot), items_told.task.hero.worn.get(slot)
        # A worn item with unknown effects cannot be compared, so the player leaves it on.
        if kind in by_type and (worn is None or items_told.knows_effects(worn)):
            number = sum(slot_type(other.slot) == kind for other in slots)
            slots.append(OpenSlot(slot, number, tuple(by_type[kind]), items_told.world.items[worn] if worn else None))
    return slots


class Case:
    """One task under its own rules, as a player sees it, with the gear that can be made in it."""

    def __init__(self, world: World, edition: Rules, task: Task) -> None:
        self.world = world
        self.task = task
        self.rules = task.rules(edition)
        self.told = ToldItems(world, task)

    def journey(self) -> Journey:
        """Return a journey that has not begun."""
        return Journey(self.told, self.rules)

    def making(self, gear: Iterable[Item]) -> Journey:
        """Return a journey that only makes some gear: the pieces that are not in the bag."""
        journey = self.journey()
        make(journey, Counter(item.code for item in gear) - Counter(self.task.hero.inventory))
        return journey

    def with_everything(self) -> Journey:
        """Return a journey on which all gear that can be made was made, enough for each slot."""
        return Journey(self.told, self.rules, self._rehearsal.steps)

    @cached_property
    def _rehearsal(self) -> Journey:
        # Without the budget: finding out what can be made costs no action.
        journey = Journey(self.told, replace(self.rules, budget=None))
        make_everything(journey)
        return journey

    @cached_property
    def craftable(self) -> frozenset[Code]:
        """The told gear that can be made. A player without a simulator finds out by trying."""
        hero, worn = self._rehearsal.hero, Counter(self.task.hero.worn.values())
        return frozenset(hero.inventory) | (Counter(hero.worn.values()) - worn).keys()

    @cached_property
    def slots(self) -> list[OpenSlot]:
        """The slots that may be filled with craftable gear that is no part of other gear."""
        return open_slots(self.told, self.craftable, self.task.hero.combat[0], parts=False)


# -- making -----------------------------------------------------------------------------------------------------------


def make_everything(journey: Journey) -> None:
    """Make all told gear that the hero can make and wear now, until he owns enough for each slot."""
    items_told, hero = journey.told, journey.hero
    room, owned = Counter(map(slot_type, gear_slots(items_told.world))), journey.owned()
    lacking = {
        item.code: room[item.type] - owned[item.code] for item in items_told.gear if item.level <= hero.combat.level
    }
    make(journey, {code: number for code, number in lacking.items() if number > 0})


def make(journey: Journey, order: Mapping[Code, int]) -> None:
    """Make the pieces of an order, as far as the hero can."""
    makeable = Counter({code: number for code, number in order.items() if journey.told.traceable(code)})
    visits = _visits(journey, makeable)
    if visits is None:
        # One item that is out of reach must not keep the hero from the others.
        makeable = Counter(
            {code: n for code, n in makeable.items() if _visits(journey, Counter({code: n})) is not None}
        )
        visits = _visits(journey, makeable) or []
    _Work(journey, makeable).do(visits)


def beating(journey: Journey, who: Code) -> dict[str, Code] | None:
    """Return a loadout of owned gear in which the hero beats a monster, or None if none is found."""
    from herobench.task_gen.rpg.gear.climb import GearClimb  # with numpy, which players without a hunt do not need

    world, hero = journey.told.world, journey.hero
    climb = GearClimb(world, hero, owned_options(journey), HUNT_EVALUATIONS, hero.inventory)
    return climb.winning(world.monsters[who].stats, journey.rules.rounds)


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
    items_told, rules = journey.told, journey.rules
    work, lacking = _sources(journey, order)
    to_gather = {code: n for code, n in lacking.items() if code not in items_told.sold and items_told.nodes_of(code)}
    # The planner of visits trains the hero that it is given, so it gets a copy.
    learner = Hero(items_told.world, replace(items_told.task.hero, worn={}))
    learner.skills = {skill: progress.copy() for skill, progress in journey.hero.skills.items()}
    try:
        return plan_visits(items_told.world, rules, learner, to_gather, work.skills, items_told.nodes)
    except Unplannable:
        return None


class _Work:
    """The crafts and hunts of an order that are still to be done."""

    def __init__(self, journey: Journey, order: Counter[Code]) -> None:
        items_told = journey.told
        self._journey = journey
        work, lacking = _sources(journey, order)
        self._crafts = dict(work.crafts)
        self._bought = {code: n for code, n in lacking.items() if code in items_told.sold}
        self._hunted = {
            code: n for code, n in lacking.items() if code not in self._bought and not items_told.nodes_of(code)
        }
        # What falls from monsters earns a victory over each of them, as in the oracle's plans.
        droppers = {who for code in work.raw for who in items_told.droppers_of(code)}
        self._prey = sorted(droppers, key=lambda who: (items_told.world.monsters[who].level, who))

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
        journey, has_changed = self._journey, False
        parts = {part for code in self._crafts for part in self._recipe(code).ingredients}
        for slot, code in list(journey.hero.worn.items()):
            if code in parts and code not in journey.hero.inventory:
                journey.do("unequip", slot)
                has_changed = True
        return has_changed

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
            has_parts = all(hero.inventory.get(part, 0) >= each * number for part, each in parts)
            if has_parts and hero.skills[recipe.skill].level >= recipe.level:
                yield recipe.skill, code

    def _recipe(self, code: Code) -> Recipe:
        recipe = self._journey.told.world.recipe_of(code)
        assert recipe, "only what has a recipe is crafted"
        return recipe

    def _hunt(self) -> bool:
        """Beat each monster that can be beaten now, and return whether there was one."""
        journey, has_changed = self._journey, False
        for who in list(self._prey):
            loadout = beating(journey, who)
            if loadout is not None:
                journey.wear(loadout)
                journey.hunt(who, self._plan(who))
                self._prey.remove(who)
                has_changed = True
        return has_changed

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
