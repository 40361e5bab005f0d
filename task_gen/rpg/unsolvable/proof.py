"""Check the proof that a task is impossible: its reach holds the start, and nothing leads out of it.

Called by the validation. It computes no reach: it goes over the map once and looks at each action that the hero could
take. Fights are decided exactly, for every set of gear and food in the reach, in whole numbers. So nothing is shared
with `reach` but the rules of the game: a proof stays independent of what it proves. The faults are sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from herobench.suites.rpg.game.hero import NEXT_LEVEL_XP
from herobench.suites.rpg.game.rules import CRAFTING, GATHERING, POINT, Rules, damage, gain, next_combat_level, ward
from herobench.suites.rpg.game.task import Reach, Task
from herobench.suites.rpg.game.world import (
    CONSUMABLE,
    Code,
    Content,
    Monster,
    Recipe,
    Stats,
    World,
    slot_type,
    sum_stats,
)
from herobench.task_gen.rpg.gear.candidates import add

_MOST_ARMS = 100_000
Lesson = tuple[int, int]
"""An action that gives experience: its level, and the factor on the experience."""
Pair = tuple[int, int]
"""What a thing adds to the damage that the hero deals, and to the health that he keeps, in hundredths."""


def proof_faults(world: World, rules: Rules, task: Task, reach: Reach) -> Iterator[str]:
    """Yield the faults of the proof of a task under the task's own rules; none if the task is impossible."""
    yield from _Check(world, rules, task, reach).faults()


class _Check:
    """The check of one reach."""

    def __init__(self, world: World, rules: Rules, task: Task, reach: Reach) -> None:
        self.world, self.rules, self.task, self.reach = world, rules, task, reach
        self.lessons: dict[str, list[Lesson]] = {skill: [] for skill in world.skills}
        self.fights: list[Lesson] = []

    def faults(self) -> Iterator[str]:
        """Yield every fault."""
        yield from self._start()
        closed_places = set(self.task.mechanics.closed)
        # A thing may stand on several places, and one look at it is enough.
        for content in dict.fromkeys(
            tile.content for place, tile in self.world.tiles.items() if place not in closed_places
        ):
            if content:
                yield from self._at(content)
        yield from self._levels()

    def _start(self) -> Iterator[str]:
        hero, reach = self.task.hero, self.reach
        items = {*hero.worn.values(), *hero.inventory, *(stack.item for stack in hero.consumables.values())}
        yield from self._leads_to("the start", items)
        if reach.level < hero.combat[0] or any(
            reach.skills.get(skill, 0) < hero.skills.get(skill, (1, 0, 0))[0] for skill in self.world.skills
        ):
            yield "the hero starts with higher levels than the proof says that he can reach"

    def _at(self, content: Content) -> Iterator[str]:
        """Check what the hero can do with a thing that stands on an open place."""
        kind, code = content
        if kind == "monster":
            yield from self._monster(self.world.monsters[code])
        elif kind == "resource":
            node = self.world.resources[code]
            if self.reach.skills.get(node.skill, 0) >= node.level:
                self.lessons[node.skill].append((node.level, GATHERING))
                yield from self._leads_to(code, (drop.item for drop in node.drops))
        elif kind == "grand_exchange":
            sold = self.world.exchange_sells if self.rules.for_sale is None else self.rules.for_sale
            yield from self._leads_to(code, sold)
        elif kind == "workshop":
            yield from self._workshop(code)

    def _monster(self, monster: Monster) -> Iterator[str]:
        if monster.code in self.reach.beaten:
            self.fights.append((monster.level, 1))
            yield from self._leads_to(monster.code, (drop.item for drop in monster.drops))
            if (self.task.kind, self.task.target) == ("kill", monster.code):
                yield "its own proof says that the hero can beat the target"
        elif _is_beatable(self.world, self.rules, self.task, self.reach, monster):
            yield f"the hero may beat {monster.code}, and the proof says that he cannot"

    def _workshop(self, skill: Code) -> Iterator[str]:
        for item in self.world.items.values():
            recipe = item.recipe
            if recipe and (recipe.skill == skill or self.rules.workshop == "any") and self._is_open(recipe):
                self.lessons[recipe.skill].append((recipe.level, CRAFTING))
                yield from self._leads_to(skill, [item.code])
                if self._is_goal(item.code):
                    yield f"the hero may craft {item.code}"

    def _is_open(self, recipe: Recipe) -> bool:
        has_all = all(part in self.reach.items for part in recipe.ingredients)
        return has_all and self.reach.skills.get(recipe.skill, 0) >= recipe.level

    def _is_goal(self, code: Code) -> bool:
        if self.task.kind != "craft":
            return False
        return code == self.task.target or (self.rules.craft_credit == "mention" and self.task.target in code)

    def _leads_to(self, source: str, items: Iterable[Code]) -> Iterator[str]:
        left_out = sorted(set(items) - self.reach.items)
        if left_out:
            yield f"{source} gives {', '.join(left_out)}, and the proof leaves it out"

    def _levels(self) -> Iterator[str]:
        hero, rules = self.task.hero, self.rules
        if _rises(rules, hero.combat, self.reach.level, self.fights, next_combat_level):
            yield f"the hero may gain more levels than {self.reach.level}"
        for skill, lessons in self.lessons.items():
            start = hero.skills.get(skill, (1, 0, NEXT_LEVEL_XP))
            if _rises(rules, start, self.reach.skills.get(skill, 0), lessons, rules.next_skill_level):
                yield f"the hero may raise {skill} beyond level {self.reach.skills.get(skill, 0)}"


def _rises(
    rules: Rules, start: tuple[int, int, int], most: int, lessons: Sequence[Lesson], next_level: Callable[[int], int]
) -> bool:
    """Return whether lessons may lead beyond a level."""
    if most >= rules.level_cap or not lessons:
        return False
    level, xp, next_xp = start

    def best(at: int) -> int:
        return max(rules.xp_gain(at, of) * factor for of, factor in lessons)

    # From a lower level one large gain may lead over it, and so may much experience at the start.
    jumps = any(best(below) >= next_level(below + 1) for below in range(level, most))
    return best(most) > 0 or jumps or (xp >= next_xp and best(level) > 0)


# -- fights -----------------------------------------------------------------------------------------------------------


def _is_beatable(world: World, rules: Rules, task: Task, reach: Reach, monster: Monster) -> bool:
    """Return whether the hero beats a monster with some gear and food of the reach, at the highest level of it."""
    hero = task.hero
    bare = sum_stats(hero.stats, world.elements)
    bare = bare._replace(hp=bare.hp + (reach.level - hero.combat[0]) * rules.hp_per_level)
    items_held = {*hero.worn.values(), *(stack.item for stack in hero.consumables.values())}
    usable = [world.items[code] for code in reach.items if code in items_held or world.items[code].level <= reach.level]
    slots: list[set[tuple[Stats, int]]] = []
    for name in world.slots:
        things = {(sum_stats({}, world.elements), 0)}
        for item in usable:
            if item.type == slot_type(name) == CONSUMABLE:
                food = sum_stats({}, world.elements)._replace(hp=item.eaten.hp, damage=item.eaten.damage)
                things.add((food, max(0, item.eaten.restore)))
            elif item.type == slot_type(name):
                things.add((item.worn, 0))
        slots.append(things)
    # Only hits are linear, so where there is anything else nothing is proven.
    if any(stats.round_effects for stats in (bare, monster.stats, *(stats for slot in slots for stats, _ in slot))):
        return True
    attacks = [slot for slot in slots if any(any(stats.attack) for stats, _ in slot)]
    count = 1
    for slot in attacks:
        count *= len(slot)
    others = [slot for slot in slots if slot not in attacks]
    return count > _MOST_ARMS or any(
        _wins(add(bare, *(stats for stats, _ in arms)), others, monster.stats, rules.rounds)
        for arms in product(*attacks)
    )


def _wins(hero: Stats, slots: Sequence[set[tuple[Stats, int]]], monster: Stats, rounds: int) -> bool:
    """Return whether some choice for each slot wins in some number of rounds."""
    parts = [{_part(hero, monster, stats, healing) for stats, healing in slot} for slot in slots]
    dealt, damage_taken = damage(hero, monster), damage(monster, hero)
    most = dealt + sum(max(gains for gains, _, _ in slot) for slot in parts)
    for number in range(1, rounds + 1):
        if number * most < POINT * monster.hp:
            continue
        # A monster that falls in the first round never strikes.
        strikes = number - 1
        health_kept = POINT * hero.hp - strikes * damage_taken if strikes else 0
        choices = [
            {(number * gains, health + strikes * less if strikes else 0) for gains, health, less in slot}
            for slot in parts
        ]
        if _both(number * dealt - POINT * monster.hp, health_kept, choices):
            return True
    return False


def _part(hero: Stats, monster: Stats, stats: Stats, healing: int) -> tuple[int, int, int]:
    """Return what a thing adds in hundredths: to each strike, to the health, and to what each strike taken leaves."""
    gains = sum(gain(attack) * more for attack, more in zip(hero.attack, stats.damage, strict=True))
    warded = sum(ward(attack) * less for attack, less in zip(monster.attack, stats.resistance, strict=True))
    return gains, POINT * stats.hp, warded + POINT * healing


def _both(struck: int, health_kept: int, choices: Sequence[set[Pair]]) -> bool:
    """Return whether one pair of each set can be chosen such that both sums are at least 0."""
    most = [(max(a for a, _ in pairs), max(b for _, b in pairs)) for pairs in choices]
    sums = {(struck, health_kept)}
    for index, pairs in enumerate(choices):
        rest = sum(a for a, _ in most[index:]), sum(b for _, b in most[index:])
        hopeful = [(a, b) for a, b in sums if a + rest[0] >= 0 and b + rest[1] >= 0]
        if not hopeful:
            return False
        sums = _front((a + c, b + d) for a, b in hopeful for c, d in pairs)
    return any(a >= 0 and b >= 0 for a, b in sums)


def _front(pairs: Iterable[Pair]) -> set[Pair]:
    """Return the pairs that no other one surpasses in both numbers."""
    front: set[Pair] = set()
    highest: int | None = None
    for first, second in sorted(set(pairs), reverse=True):
        if highest is None or second > highest:
            front.add((first, second))
            highest = second
    return front
