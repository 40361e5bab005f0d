"""Compute what a hero can reach at most: the levels, the skills, the items to have and the monsters to beat.

The job model is relaxed: amounts and order do not matter, and nothing is ever used up. So whatever any plan reaches is
in the reach, and a target that is not there is out of reach. The converse does not hold: some of what is in the reach
may be out of reach after all. `closing` proves tasks impossible with it. `proof` checks a reach with other code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from herobench.rpg.hero import HeroStart
from herobench.rpg.reach import Reach
from herobench.rpg.rules import CRAFTING, GATHERING, Rules, next_combat_level
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Monster, Place, Recipe, Resource, World
from herobench.task_gen.unsolvable.strength import Strength

Taught = tuple[int, int]
"""An action that gives experience: its level, and the factor on the experience."""


class Standing(NamedTuple):
    """What stands at the places that are not closed."""

    nodes: tuple[Resource, ...]
    monsters: tuple[Monster, ...]
    workshops: frozenset[Code]
    exchange: bool

    @classmethod
    def of(cls, world: World, closed: Iterable[Place]) -> Standing:
        """Return what stands in a world at all places but the closed ones."""
        shut = frozenset(closed)

        def left(kind: str) -> list[Code]:
            return sorted({code for place, code in world.standing(kind).items() if place not in shut})

        return cls(
            tuple(world.resources[code] for code in left("resource")),
            tuple(world.monsters[code] for code in left("monster")),
            frozenset(left("workshop")),
            bool(left("grand_exchange")),
        )


class Horizon:
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

    def reach(self, closed: Iterable[Place]) -> Reach | None:
        """Return the reach if it does not hold the target; None if it does."""
        standing = Standing.of(self._world, closed)
        now = self._start()
        while True:
            then = self._worked(standing, now)
            if then == now:
                then = self._fought(standing, now)
            if self._may_win(standing, then):
                return None
            if then == now:
                return now
            now = then

    def _start(self) -> Reach:
        hero = self._task.hero
        held = (*hero.worn.values(), *hero.inventory, *(stack.item for stack in hero.consumables.values()))
        skills = {skill: hero.skills.get(skill, (1, 0, 0))[0] for skill in self._world.skills}
        return Reach(hero.combat[0], MappingProxyType(skills), frozenset(held), frozenset())

    def _may_win(self, standing: Standing, now: Reach) -> bool:
        target = self._task.target
        if self._task.kind == "kill":
            return target in now.beaten
        # A switch of the paper's editions lets the craft of any item win whose code contains the target's.
        by_mention = self._rules.craft_credit == "mention"
        return any(code == target or (by_mention and target in code) for code in self._craftable(standing, now))

    def _craftable(self, standing: Standing, now: Reach) -> dict[Code, Recipe]:
        shops = standing.workshops
        any_shop = self._rules.workshop == "any" and bool(shops)
        return {
            code: recipe
            for code, recipe in self._recipes.items()
            if (any_shop or recipe.skill in shops)
            and now.skills[recipe.skill] >= recipe.level
            and recipe.ingredients.keys() <= now.items
        }

    def _worked(self, standing: Standing, now: Reach) -> Reach:
        """Return a reach with what gathering, crafting and buying add to it in one step."""
        nodes = [node for node in standing.nodes if now.skills[node.skill] >= node.level]
        made = self._craftable(standing, now)
        taught: dict[str, list[Taught]] = {skill: [] for skill in now.skills}
        for node in nodes:
            taught[node.skill].append((node.level, GATHERING))
        for recipe in made.values():
            taught[recipe.skill].append((recipe.level, CRAFTING))
        starts = self._task.hero.skills
        skills = {
            skill: climbed(self._rules, starts.get(skill), level, taught[skill], self._rules.next_skill_level)
            for skill, level in now.skills.items()
        }
        gathered = {drop.item for node in nodes for drop in node.drops}
        bought = self._sold if standing.exchange else frozenset()
        return replace(now, skills=MappingProxyType(skills), items=now.items | gathered | made.keys() | bought)

    def _fought(self, standing: Standing, now: Reach) -> Reach:
        """Return a reach with what fights add to it in one step."""
        strength: list[Strength] = []
        beaten = now.beaten | {who.code for who in standing.monsters if self._may_beat(who, now, strength)}
        fights = [(who.level, 1) for who in standing.monsters if who.code in beaten]
        level = climbed(self._rules, self._task.hero.combat, now.level, fights, next_combat_level)
        fallen = {drop.item for who in standing.monsters if who.code in beaten for drop in who.drops}
        return replace(now, level=level, items=now.items | fallen, beaten=frozenset(beaten))

    def _may_beat(self, who: Monster, now: Reach, strength: list[Strength]) -> bool:
        """Return whether the hero may beat a monster. More items and a higher level never hinder."""
        won, lost = self._won.setdefault(who.code, []), self._lost.setdefault(who.code, [])
        if who.code in now.beaten or any(less.level <= now.level and less.items <= now.items for less in won):
            return True
        if any(now.level <= more.level and now.items <= more.items for more in lost):
            return False
        if not strength:
            strength.append(
                Strength(self._world, self._rules, at_level(self._task.hero, self._rules, now.level), now.items)
            )
        answer = strength[0].may_beat(who)
        (won if answer else lost).append(now)
        return answer


def is_out_of_reach(world: World, rules: Rules, task: Task) -> bool:
    """Return whether the closed places of a task put its target out of reach. Players ask, who see no stored proof."""
    own = task.rules(rules)
    return bool(own.closed) and Horizon(world, own, task).reach(own.closed) is not None


def at_level(hero: HeroStart, rules: Rules, level: int) -> HeroStart:
    """Return a hero as he is at a higher level, with the health that the levels give."""
    more = (level - hero.combat[0]) * rules.hp_per_level
    stats: Mapping[str, int] = MappingProxyType({**hero.stats, "hp": hero.stats["hp"] + more})
    return replace(hero, combat=(level, *hero.combat[1:]), stats=stats)


def climbed(
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
