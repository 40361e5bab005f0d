"""Small random tasks in which the order of the jobs matters, and their shortest plans by exhaustive search.

Two monsters drop what the missing gear is made of. Some are beaten only in the old gear, some only in the new, and
some only with a slot empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import duel, next_combat_level
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.gathering import NeededItems, plan_hunts
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Unplannable, play
from tests.builders import hero_row, task_row
from tests.task_gen.rpg.changed import material, monster, thing, with_more

rules = load_rules()
ELEMENTS = ("heat", "frost")
_MORE_WINS = 2
"""How many victories more than needed are tried of each monster."""


def ordering_task(seed: int) -> tuple[World, Task]:
    """Return a task that the oracle wins."""
    chance = Random(seed)
    while True:
        world = _world(chance)
        task = _task(world, chance)
        try:
            game = play(oracle_plan(world, rules, task), Game(world, rules, task.hero))
        except Unplannable:
            continue
        judged = score(task, world, rules, Episode(tuple(game.events), FINISHED))
        if judged.outcome == "win" and judged.score == 100:
            return world, task


def _world(chance: Random) -> World:
    def recipe(*parts: str) -> dict[str, Any]:
        some = chance.sample(parts, chance.randint(1, min(2, len(parts))))
        return {"skill": chance.choice(["smithing", "brewing"]), **{part: chance.randint(1, 2) for part in some}}

    def effects(*names: str) -> dict[str, int]:
        return {name: chance.choice([-30, -10, 10, 20, 40]) for name in chance.sample(names, 2)}

    def foe(code: str, drops: Mapping[str, int], hp: int) -> dict[str, Any]:
        row = monster(code, dict(drops), hp=hp, **{chance.choice(ELEMENTS): chance.choice([2, 10, 20])})
        return row | {"resistance": {element: chance.choice([0, 0, 80, 100]) for element in ELEMENTS}}

    return with_more(
        items=[
            material("hide"),
            material("dust"),
            material("nail", **recipe("clay", "hide", "dust")),
            thing("rag", "coat", effects("hp", "res_heat", "res_frost", "dmg_frost")),
            thing("old_charm", "charm", effects("dmg_heat", "dmg_frost", "res_heat")),
            thing("ice_blade", "blade", {"attack_frost": chance.choice([5, 20])}, **recipe("clay", "nail", "hide")),
            thing("robe", "coat", effects("hp", "res_heat", "res_frost"), **recipe("clay", "nail", "hide", "dust")),
            thing("dust_charm", "charm", effects("dmg_frost", "dmg_heat", "hp"), **recipe("nail", "hide", "dust")),
        ],
        monsters=[
            foe("slime", {"hide": chance.randint(1, 2)}, chance.choice([20, 40, 60])),
            foe("sprite", {"dust": 1} | ({"hide": 1} if chance.random() < 0.2 else {}), chance.choice([20, 40, 60])),
            foe("golem", {}, chance.choice([10, 40])),
        ],
    )


def _task(world: World, chance: Random) -> Task:
    gear = {"blade": "ice_blade", "coat": "robe", chance.choice(["charm1", "charm2"]): "dust_charm"}
    missing = {slot: gear[slot] for slot in chance.sample(list(gear), chance.randint(1, len(gear)))}
    old = {"blade": "club", "coat": "rag", "charm1": "old_charm", "charm2": "old_charm"}
    worn = {slot: code for slot, code in old.items() if slot == "blade" or chance.random() < 0.5}
    xp = chance.choice([0, 0, 90, 140])
    hero = hero_row(worn=worn, xp=xp, stats={"hp": chance.choice([40, 70, 100])})
    return Task.from_row(task_row(world, target="golem", missing=missing, hero=hero))


class _Now(NamedTuple):
    """A state of the exhaustive search."""

    place: str
    gathered: bool
    crafted: frozenset[Code]
    wins: tuple[int, ...]
    """Over each monster that is hunted, up to a few more than are needed."""
    worn: frozenset[tuple[str, Code]]
    bag: tuple[Code, ...]
    """The gear that is not worn."""
    combat: tuple[int, int]


class PlainSearch:
    """Find the shortest plan of full score by breadth-first search over single actions.

    It assumes nothing about their order: the hero may gather late, leave a hunt and come back, fight only for
    levels, and change his gear at any time. Only amounts are full: an item is gathered and crafted in one go.
    """

    def __init__(self, world: World, task: Task) -> None:
        self.world = world
        self.task = task
        self.work = NeededItems.of(world, task)
        self.hunts = plan_hunts(world, rules, self.work.hunted, task.target)
        self.gear = {*task.missing.values(), *task.hero.worn.values()}
        self.bare = replace(task.hero, worn={})
        self._won: dict[tuple[str, object, int], bool] = {}

    def shortest(self, most: int) -> int | None:
        """Return the number of actions, or None if there are more than `most`."""
        level, xp, _ = self.task.hero.combat
        wins = (0,) * len(self.hunts)
        worn = frozenset(self.task.hero.worn.items())
        layer = {_Now("", not self.work.gathered, frozenset(), wins, worn, (), (level, xp))}
        seen = set(layer)
        for length in range(1, most + 1):
            following: set[_Now] = set()
            for now in layer:
                if self._ends(now):
                    return length
                following.update(self._then(now))
            layer = following - seen
            seen |= layer
        return None

    def _ends(self, now: _Now) -> bool:
        """Return whether the next action is the last: the fight with the target in the missing gear."""
        done = all(win >= hunt.wins for win, hunt in zip(now.wins, self.hunts.values(), strict=True))
        equipped = not Counter(self.task.missing.values()) - Counter(code for _, code in now.worn)
        made = now.crafted == self.work.requirements.crafts.keys()
        return now.place == self.task.target and done and equipped and made and self._beats(self.task.target, now)

    def _then(self, now: _Now) -> Iterator[_Now]:
        """Yield the states after one more action."""
        shops = {self.world.items[code].recipe.skill for code in self.work.requirements.crafts}  # type: ignore[union-attr]
        for place in {"node", *self.hunts, *shops, self.task.target} - {now.place}:
            yield now._replace(place=place)
        if now.place == "node" and not now.gathered:
            yield now._replace(gathered=True)
        for code in self.work.requirements.crafts:
            if self._can_craft(code, now):
                bag = (*now.bag, *[code] * [*self.task.missing.values()].count(code))
                yield now._replace(crafted=now.crafted | {code}, bag=tuple(sorted(bag)))
        for number, who in enumerate(self.hunts):
            if now.place == who and self._beats(who, now):
                yield self._with_win(number, who, now)
        yield from self._changed(now)

    def _can_craft(self, code: Code, now: _Now) -> bool:
        recipe = self.world.items[code].recipe
        return (
            recipe is not None
            and code not in now.crafted
            and now.place == recipe.skill
            and all(self._has(part, now) for part in recipe.ingredients)
        )

    def _has(self, part: Code, now: _Now) -> bool:
        if part in self.work.requirements.crafts:
            return part in now.crafted
        if part in self.work.gathered:
            return now.gathered
        have = sum(
            win * drop.least
            for win, who in zip(now.wins, self.hunts, strict=True)
            for drop in self.world.monsters[who].drops
            if drop.item == part
        )
        return have >= self.work.hunted[part]

    def _with_win(self, number: int, who: Code, now: _Now) -> _Now:
        hero = Hero(self.world, replace(self.bare, combat=self._combat(now)))
        hero.learn_from_victory(self.world.monsters[who].level, rules)
        wins = list(now.wins)
        wins[number] = min(wins[number] + 1, self.hunts[who].wins + _MORE_WINS)
        return now._replace(wins=tuple(wins), combat=(hero.combat.level, hero.combat.xp))

    def _changed(self, now: _Now) -> Iterator[_Now]:
        """Yield the states after one item is put on or taken off."""
        for slot, code in now.worn:
            yield now._replace(worn=now.worn - {(slot, code)}, bag=tuple(sorted([*now.bag, code])))
        taken = {slot for slot, _ in now.worn}
        for code in set(now.bag):
            bag = list(now.bag)
            bag.remove(code)
            for slot in gear_slots(self.world):
                if slot not in taken and slot_type(slot) == self.world.items[code].type:
                    yield now._replace(worn=now.worn | {(slot, code)}, bag=tuple(bag))

    def _combat(self, now: _Now) -> tuple[int, int, int]:
        start = self.task.hero.combat
        return (*now.combat, start[2] if now.combat[0] == start[0] else next_combat_level(now.combat[0]))

    def _beats(self, who: Code, now: _Now) -> bool:
        key = (who, now.worn, now.combat[0])
        if key not in self._won:
            grown = (now.combat[0] - self.task.hero.combat[0]) * rules.hp_per_level
            hero = Hero(self.world, replace(self.task.hero, worn=dict(now.worn)))
            hero.hp += grown
            self._won[key] = duel(hero.fighter(), self.world.monsters[who].stats, rules.rounds).won
        return self._won[key]
