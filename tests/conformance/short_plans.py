"""Plans of published tasks that use what an answer of `least_program` names; this finds an order, and plays it.

A plan buys and gathers first. Then it hunts in the gear that is on, visits a workshop where all that is left for it can
be made, hunts with new gear, or crafts what can be made. The game has the last word: it refuses what cannot be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules, duel
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, Code, World, slot_type
from herobench.task_gen.rpg.oracle.requirements import Requirements
from herobench.task_gen.rpg.oracle.steps import Do
from tests.conformance.least_program import Name

PLENTY = 10**6
LESSONS = 600
"""Pieces that raise a skill by ten levels or more."""
SERVING, SERVINGS = 50, 101
"""Pieces of a food that fill one slot, and two."""


class NoPlan(Exception):
    """Raised if no order of the work is found."""


class Numbers(NamedTuple):
    """How often a plan in actions does what is not had in any amount for one action."""

    pieces: Mapping[Code, int]
    """The pieces of each craft that takes what is scarce."""
    victories: Mapping[Code, int]
    """The victories over each hunted monster."""


class ShortPlan:
    """The plan of one task, step by step, and the game in which it is played."""

    def __init__(
        self, world: World, rules: Rules, task: Task, used: Iterable[Name], numbers: Numbers | None = None
    ) -> None:
        """Take what is used; without numbers there is plenty of everything, which takes fights, but no decisions."""
        self._numbers = numbers
        self.game = Game(world, rules, task.hero)
        self.steps: list[Do] = []
        self._world, self._rules, self._task = world, rules, task
        named: dict[object, list[str]] = {}
        for kind, *rest in used:
            named.setdefault(kind, []).append(str(rest[0]))
        self._nodes = sorted(named.get("gather", []), key=lambda node: world.resources[node].level)
        self._reused = named.get("reuse", [])
        self._bought = named.get("buy", [])
        self._prey = named.get("hunt", [])
        mine = [name for name in used if name[1:2] == (task.target,)]
        self._kept = {str(name[2]) for name in mine if name[0] == "kept"}
        self._last = Counter(str(name[2]) for name in mine if name[0] == "wears")
        self._level = max((int(str(name[2])) for name in mine if name[0] == "level"), default=0)
        self._amounts = self._count(named.get("craft", []), [str(name[2]) for name in used if name[0] == "wears"])
        self._left = [code for code in Requirements.of(world, self._amounts).crafts if code in named.get("craft", [])]

    def _count(self, crafts: list[Code], worn: list[Code]) -> Counter[Code]:
        """Return how many pieces of each item are made or taken: plenty of those that raise a skill or are eaten."""
        scarce = self._numbers.pieces if self._numbers else {}
        amounts = Counter({code: scarce.get(code, 1) for code in crafts})
        if not self._numbers:
            amounts |= Counter(worn)
        for code in crafts:
            if code in scarce:
                continue
            skill, level, _ = self._world.recipe_of(code) or ("", 0, {})
            higher = [
                recipe.level for other in crafts if (recipe := self._world.recipe_of(other)) and recipe.skill == skill
            ]
            higher += [
                node.level for node in map(self._world.resources.__getitem__, self._nodes) if node.skill == skill
            ]
            if max(higher) > max(level, self._task.hero.skills[skill][0]):
                amounts[code] = LESSONS
            elif self._world.items[code].type == CONSUMABLE:
                amounts[code] = SERVINGS
        for code in reversed(list(Requirements.of(self._world, amounts).crafts)):
            recipe = self._world.recipe_of(code)
            for part, quantity in recipe.ingredients.items() if recipe and code in crafts else ():
                if part not in scarce:
                    amounts[part] += quantity * amounts[code]
        return amounts

    def play(self) -> Game:
        """Play the plan, and return the game. Raises NoPlan."""
        if self._bought:
            self._go("grand_exchange")
            for code in self._bought:
                self._do("buy", code, PLENTY)
        while self._nodes or self._left or self._prey:
            if not (
                self._gather() or self._hunt(0) or self._craft(whole=True) or self._hunt(9) or self._craft(whole=False)
            ):
                raise NoPlan(f"left are {self._nodes}, {self._left}, {self._prey}")
        if self._task.kind == "kill":
            self._wear(self._last - self._new())
            self._go("monster", self._task.target)
            self._do("fight")
        return self.game

    def _do(self, action: str, *args: str | int, times: int = 1) -> None:
        step = Do(action, args, times)
        step.play(self.game)
        self.steps.append(step)
        if not self.game.events[-1].ok:
            raise NoPlan(f"{action}{args}: {self.game.events[-1].reason}")

    def _go(self, kind: str, code: Code | None = None) -> None:
        places = [place for place, what in self._world.standing(kind).items() if code in (None, what)]
        ground = self._rules.ground
        place = next(place for place in places if ground is None or place in map(tuple, ground))
        if self.game.hero.place != place:
            self._do("move", *place)

    def _gather(self) -> bool:
        """Go to the lowest node that is left, if the skill is high enough."""
        for node in map(self._world.resources.__getitem__, self._nodes):
            if self.game.hero.skills[node.skill].level >= node.level:
                self._go("resource", node.code)
                self._do("gather", PLENTY)
                self._nodes.remove(node.code)
                return True
        return False

    # -- workshops --------------------------------------------------------------------------------------------------

    def _craft(self, *, whole: bool) -> bool:
        """Visit a workshop and craft what can be crafted; with `whole` only if that is all that is left for it."""
        shops: dict[Code | None, list[Code]] = {}
        for code in self._left:
            recipe = self._world.recipe_of(code)
            shops.setdefault(recipe.skill if recipe and self._rules.workshop == "matching" else None, []).append(code)
        for shop, left in shops.items():
            ready = self._ready(left)
            if ready and (not whole or len(ready) == len(left)):
                self._go("workshop", shop)
                for code in ready:
                    self._do("craft", code, self._amounts[code])
                    self._left.remove(code)
                return True
        return False

    def _ready(self, left: list[Code]) -> list[Code]:
        """Return the crafts of one visit in order: the lowest first, since it raises the skill."""
        have, ready = Counter(self.game.hero.inventory), list[Code]()
        recipes = {code: recipe for code in left if (recipe := self._world.recipe_of(code))}
        while able := [
            code
            for code, recipe in recipes.items()
            if code not in ready
            and all(have[part] >= quantity * self._amounts[code] for part, quantity in recipe.ingredients.items())
        ]:
            ready.append(min(able, key=lambda code: recipes[code].level))
            have[ready[-1]] += self._amounts[ready[-1]]
            for part, quantity in recipes[ready[-1]].ingredients.items():
                have[part] -= quantity * self._amounts[ready[-1]]
        return ready

    # -- gear and hunts ---------------------------------------------------------------------------------------------

    def _new(self) -> Counter[Code]:
        """Return the new pieces of the last loadout that are on."""
        hero = self.game.hero
        worn = [code for slot, code in hero.worn.items() if slot not in self._kept]
        return self._last & Counter([*worn, *(stack.item for stack in hero.consumables.values())])

    def _hunt(self, most: int) -> bool:
        """Hunt a monster after the fewest changes towards the last loadout, at most so many."""
        hero = self.game.hero
        spare = [code for code in (self._last - self._new()).elements()
                 if code in hero.inventory and self._world.items[code].level <= hero.combat.level]  # fmt: skip
        for size in range(min(len(spare), most) + 1):
            for part in combinations(spare, size):
                before = list(self.steps)
                self._wear(Counter(part))
                for who in self._prey:
                    if duel(self.game.hero.fighter(), self._world.monsters[who].stats, self._rules.rounds).won:
                        self._go("monster", who)
                        self._fight(who)
                        self._prey.remove(who)
                        return True
                self._restore(before)
        return False

    def _restore(self, steps: list[Do]) -> None:
        """Return to an earlier state of the game, if this is another."""
        if len(steps) < len(self.steps):
            self.steps, self.game = steps, Game(self._world, self._rules, self._task.hero)
            for step in steps:
                step.play(self.game)

    def _fight(self, who: Code) -> None:
        """Fight until there are enough drops and nothing more to learn that is needed."""
        if self._numbers:
            self._do("fight", times=self._numbers.victories[who])
            return
        monster = self._world.monsters[who]
        pupil, times = Hero(self._world, self._task.hero.after(self.game.hero)), 0
        while times < max(self._amounts[drop.item] for drop in monster.drops) or (
            pupil.combat.level < self._level and self._rules.xp_gain(pupil.combat.level, monster.level)
        ):
            pupil.learn_from_victory(monster.level, self._rules)
            times += 1
        self._do("fight", times=max(1, times))

    def _wear(self, pieces: Counter[Code]) -> None:
        """Put pieces on. One that needs a slot takes that of a piece that is not in the last loadout."""
        hero = self.game.hero
        for code in pieces.elements():
            slots = [slot for slot in self._world.slots if slot_type(slot) == self._world.items[code].type]
            taken = {**hero.worn, **{slot: stack.item for slot, stack in hero.consumables.items()}}
            free = [slot for slot in slots if slot not in taken]
            old = [slot for slot in slots if slot not in self._kept and taken.get(slot) not in self._last]
            if not free and old:
                self._do("unequip", old[0])
            if not free and not old:
                raise NoPlan(f"no slot for {code}")
            if self._world.items[code].type != CONSUMABLE:
                self._do("equip", (free or old)[0], code)
                continue
            full = next((slot for slot in slots if taken.get(slot) == code), None)
            first = SERVING
            if code not in hero.inventory and full:
                # as published, one piece fills a slot, which gives back more
                self._do("unequip", full, SERVING // 2)
            elif not full and self._last[code] > 1 and code not in self._reused:
                # or else the first slot leaves one piece for the other
                first = min(SERVING, hero.inventory[code] - 1)
            self._do("equip", (free or old)[0], code, first)
