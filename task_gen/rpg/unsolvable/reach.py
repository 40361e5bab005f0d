"""Compute what a hero can reach at most: the levels, the skills, the items to have and the monsters to beat.

The job model is relaxed: amounts and order do not matter, and nothing is ever used up. So whatever any plan reaches is
in the reach, and a target that is not there is out of reach. The converse does not hold: some of what is in the reach
may be out of reach after all. `closing` proves tasks impossible with it. `proof` checks a reach with other code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import CRAFTING, GATHERING, POINT, Rules, damage, next_combat_level
from herobench.suites.rpg.game.task import Reach, Task
from herobench.suites.rpg.game.world import (
    CONSUMABLE,
    Code,
    Item,
    Monster,
    Place,
    Recipe,
    Resource,
    Stats,
    World,
    slot_type,
    sum_stats,
)
from herobench.task_gen.rpg.gear.candidates import add

_MOST_ARMS = 5_000
"""The most combinations of arms that are looked at. With more, the hero is taken to win."""
_WEIGHTS = np.linspace(0, 1, 17)[:, None]
_DUST = 1e-9
"""The duel counts in floats, so a fight that ends at exactly 0 may be won. Only what is below this is lost for sure."""


class SlotItem(NamedTuple):
    """A thing that a slot may hold: the stats that it adds to a fight, and the health that it restores in a round."""

    adds: Stats
    restores: int = 0


class _Choices(NamedTuple):
    """What each slot may hold, as numbers: a row for each slot, a column for each option; the last axis is elements."""

    damage: NDArray[np.int64]
    resistance: NDArray[np.int64]
    hp: NDArray[np.int64]
    restores: NDArray[np.int64]

    @classmethod
    def of(cls, slots: Sequence[Sequence[SlotItem]], nothing: SlotItem) -> _Choices:
        """Return the options of some slots; each may stay empty, and the shorter rows are filled up with that."""
        width = 1 + max(map(len, slots), default=0)
        rows = [[*slot, *[nothing] * (width - len(slot))] for slot in slots] or [[nothing]]
        return cls(
            np.array([[option.adds.damage for option in row] for row in rows], dtype=np.int64),
            np.array([[option.adds.resistance for option in row] for row in rows], dtype=np.int64),
            np.array([[option.adds.hp for option in row] for row in rows], dtype=np.int64),
            np.array([[option.restores for option in row] for row in rows], dtype=np.int64),
        )


class Strength:
    """A hero with everything that he can have."""

    def __init__(self, world: World, rules: Rules, hero: HeroStart, items: Collection[Code]) -> None:
        self._rounds = rules.rounds
        self._bare = sum_stats(hero.stats, world.elements)
        self._slots = options(world, hero, items)
        nothing = SlotItem(sum_stats({}, world.elements))
        arms = [[nothing, *slot] for slot in self._slots if _is_armed(slot)]
        self._others = _Choices.of([slot for slot in self._slots if not _is_armed(slot)], nothing)
        self._count = int(np.prod([len(slot) for slot in arms], dtype=float))
        self._arms = arms
        self._only_hits = not any(option.adds.round_effects for slot in self._slots for option in slot)

    def may_beat(self, monster: Monster) -> bool:
        """Return whether the hero may win; False is proven."""
        if self._count > _MOST_ARMS or not self._only_hits or monster.stats.round_effects or self._bare.round_effects:
            return True
        standing = self._standing(monster.stats)
        fighters = (
            SlotItem(add(self._bare, *(arm.adds for arm in arms)), sum(arm.restores for arm in arms))
            for arms in product(*self._arms)
        )
        return any(self._may_win_with(each, monster.stats, standing) for each in fighters)

    def _standing(self, monster: Stats) -> NDArray[np.int64]:
        """Return what each option of the other slots adds to the health that is left, by number of rounds."""
        rounds = np.arange(1, self._rounds + 1)[:, None, None]
        others = self._others
        ward = others.resistance @ np.maximum(0, np.array(monster.attack, dtype=np.int64)) + POINT * others.restores
        return np.where(rounds == 1, 0, POINT * others.hp + (rounds - 1) * ward)

    def _may_win_with(self, fighter: SlotItem, monster: Stats, standing: NDArray[np.int64]) -> bool:
        rounds = np.arange(1, self._rounds + 1)
        # In hundredths, which are whole numbers.
        attack = np.maximum(0, np.array(fighter.adds.attack, dtype=np.int64))
        dealt = rounds * damage(fighter.adds, monster) - POINT * monster.hp
        damage_taken = damage(monster, fighter.adds) - POINT * fighter.restores
        health_kept = POINT * fighter.adds.hp - (rounds - 1) * damage_taken
        # Who takes off all health in one round wins whatever he would suffer.
        health_kept[0] = POINT * max(fighter.adds.hp, 1)
        striking = rounds[:, None, None] * (self._others.damage @ attack)
        most_dealt = dealt + striking.max(axis=2).sum(axis=1)
        most_kept = health_kept + standing.max(axis=2).sum(axis=1)
        hopeful = np.flatnonzero((most_dealt >= 0) & (most_kept >= 0))
        if not len(hopeful):
            return False
        # Both sides in shares of what is at stake, so that the same weights serve every fight.
        scale = POINT * monster.hp, POINT * max(fighter.adds.hp, 1)
        base_worth = _WEIGHTS * dealt[hopeful] / scale[0] + (1 - _WEIGHTS) * health_kept[hopeful] / scale[1]
        of_both = _WEIGHTS[:, :, None, None]
        worth = of_both * striking[hopeful] / scale[0] + (1 - of_both) * standing[hopeful] / scale[1]
        best = base_worth + worth.max(axis=3).sum(axis=2)
        return bool((best.min(axis=0) >= -_DUST).any())


def options(world: World, hero: HeroStart, items: Collection[Code]) -> list[list[SlotItem]]:
    """Return what each slot of a hero may hold of some items: what he has the level for, and what he wears already."""
    # Gear and food of the start stay on, whatever their levels.
    items_held = {*hero.worn.values(), *(stack.item for stack in hero.consumables.values())}
    usable = [
        world.items[code] for code in sorted(items) if world.items[code].level <= hero.combat[0] or code in items_held
    ]
    return [
        list(dict.fromkeys(_option(world, item) for item in usable if item.type == slot_type(slot)))
        for slot in world.slots
    ]


def _option(world: World, item: Item) -> SlotItem:
    if item.type != CONSUMABLE:
        return SlotItem(item.worn)
    nothing = sum_stats({}, world.elements)
    return SlotItem(nothing._replace(hp=item.eaten.hp, damage=item.eaten.damage), max(0, item.eaten.restore))


def _is_armed(slot: Collection[SlotItem]) -> bool:
    return any(any(option.adds.attack) for option in slot)


Taught = tuple[int, int]
"""An action that gives experience: its level, and the factor on the experience."""


class OpenPlaces(NamedTuple):
    """What stands at the places that are not closed."""

    nodes: tuple[Resource, ...]
    monsters: tuple[Monster, ...]
    workshops: frozenset[Code]
    exchange: bool

    @classmethod
    def of(cls, world: World, places: Iterable[Place]) -> OpenPlaces:
        """Return what stands in a world at all places but the closed ones."""
        closed_places = frozenset(places)

        def codes_open(kind: str) -> list[Code]:
            return sorted({code for place, code in world.standing(kind).items() if place not in closed_places})

        return cls(
            tuple(world.resources[code] for code in codes_open("resource")),
            tuple(world.monsters[code] for code in codes_open("monster")),
            frozenset(codes_open("workshop")),
            bool(codes_open("grand_exchange")),
        )


class HeroReach:
    """The reaches of the hero of one task, for any closed places. What a fight tells is kept for the next reach."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        """Prepare for a task under its own rules; which places these close does not matter."""
        self._world = world
        self._rules = rules
        self._task = task
        self._recipes = {code: item.recipe for code, item in world.items.items() if item.recipe}
        self._sold = world.exchange_sells if rules.for_sale is None else frozenset(rules.for_sale)
        # By monster: what the hero could have when he was found to win, and when he was found to lose.
        self._won: dict[Code, list[Reach]] = {}
        self._lost: dict[Code, list[Reach]] = {}

    def reach(self, closed_places: Iterable[Place]) -> Reach | None:
        """Return the reach if it does not hold the target; None if it does."""
        standing = OpenPlaces.of(self._world, closed_places)
        now = self._start()
        while True:
            then = self._after_work(standing, now)
            if then == now:
                then = self._after_fights(standing, now)
            if self._may_win(standing, then):
                return None
            if then == now:
                return now
            now = then

    def _start(self) -> Reach:
        hero = self._task.hero
        items = (*hero.worn.values(), *hero.inventory, *(stack.item for stack in hero.consumables.values()))
        skills = {skill: hero.skills.get(skill, (1, 0, 0))[0] for skill in self._world.skills}
        return Reach(hero.combat[0], MappingProxyType(skills), frozenset(items), frozenset())

    def _may_win(self, standing: OpenPlaces, now: Reach) -> bool:
        target = self._task.target
        if self._task.kind == "kill":
            return target in now.beaten
        # A switch of the paper's editions lets the craft of any item win whose code contains the target's.
        by_mention = self._rules.craft_credit == "mention"
        return any(code == target or (by_mention and target in code) for code in self._craftable(standing, now))

    def _craftable(self, standing: OpenPlaces, now: Reach) -> dict[Code, Recipe]:
        shops = standing.workshops
        any_shop = self._rules.workshop == "any" and bool(shops)
        return {
            code: recipe
            for code, recipe in self._recipes.items()
            if (any_shop or recipe.skill in shops)
            and now.skills[recipe.skill] >= recipe.level
            and recipe.ingredients.keys() <= now.items
        }

    def _after_work(self, standing: OpenPlaces, now: Reach) -> Reach:
        """Return a reach with what gathering, crafting and buying add to it in one step."""
        nodes = [node for node in standing.nodes if now.skills[node.skill] >= node.level]
        recipes_made = self._craftable(standing, now)
        taught: dict[str, list[Taught]] = {skill: [] for skill in now.skills}
        for node in nodes:
            taught[node.skill].append((node.level, GATHERING))
        for recipe in recipes_made.values():
            taught[recipe.skill].append((recipe.level, CRAFTING))
        starts = self._task.hero.skills
        skills = {
            skill: climb(self._rules, starts.get(skill), level, taught[skill], self._rules.next_skill_level)
            for skill, level in now.skills.items()
        }
        yields = {drop.item for node in nodes for drop in node.drops}
        for_sale = self._sold if standing.exchange else frozenset()
        return replace(now, skills=MappingProxyType(skills), items=now.items | yields | recipes_made.keys() | for_sale)

    def _after_fights(self, standing: OpenPlaces, now: Reach) -> Reach:
        """Return a reach with what fights add to it in one step."""
        strength: list[Strength] = []
        beaten = now.beaten | {who.code for who in standing.monsters if self._may_beat(who, now, strength)}
        fights = [(who.level, 1) for who in standing.monsters if who.code in beaten]
        level = climb(self._rules, self._task.hero.combat, now.level, fights, next_combat_level)
        drops = {drop.item for who in standing.monsters if who.code in beaten for drop in who.drops}
        return replace(now, level=level, items=now.items | drops, beaten=frozenset(beaten))

    def _may_beat(self, who: Monster, now: Reach, strength: list[Strength]) -> bool:
        """Return whether the hero may beat a monster. More items and a higher level never hinder."""
        wins, losses = self._won.setdefault(who.code, []), self._lost.setdefault(who.code, [])
        if who.code in now.beaten or any(less.level <= now.level and less.items <= now.items for less in wins):
            return True
        if any(now.level <= more.level and now.items <= more.items for more in losses):
            return False
        if not strength:
            strength.append(
                Strength(self._world, self._rules, at_level(self._task.hero, self._rules, now.level), now.items)
            )
        answer = strength[0].may_beat(who)
        (wins if answer else losses).append(now)
        return answer


def is_out_of_reach(world: World, rules: Rules, task: Task) -> bool:
    """Return whether the closed places of a task put its target out of reach. Players ask, who see no stored proof."""
    own = task.rules(rules)
    return bool(own.closed) and HeroReach(world, own, task).reach(own.closed) is not None


def at_level(hero: HeroStart, rules: Rules, level: int) -> HeroStart:
    """Return a hero as he is at a higher level, with the health that the levels give."""
    more = (level - hero.combat[0]) * rules.hp_per_level
    stats: Mapping[str, int] = MappingProxyType({**hero.stats, "hp": hero.stats["hp"] + more})
    return replace(hero, combat=(level, *hero.combat[1:]), stats=stats)


def climb(
    rules: Rules,
    start: tuple[int, int, int] | None,
    level: int,
    actions: Sequence[Taught],
    next_level: Callable[[int], int],
) -> int:
    """Return the highest level that some actions lead to.

    `start` is the level, the experience and the experience for the next level of the beginning.
    """
    overfull = start is not None and start[1] >= start[2]
    while level < rules.level_cap:
        gain = max((rules.xp_gain(level, action) * factor for action, factor in actions), default=0)
        if gain <= 0:
            break
        # One gain may then cross several levels, even some at which nothing teaches.
        if overfull or gain >= next_level(level + 1):
            return rules.level_cap
        level += 1
    return level
