"""Gear: the items that a hero may be asked to make for a fight, as published, and the verdict on a fight.

The hero needs a number of rounds for the monster's health, and must survive one round less. The verdict counts damage
in hundredths, which are whole. The duel counts in floats, so the verdict leaves a fight that ends at exactly 0 to it,
and so it does with one that has round effects. The gear search and the oracle ask here before they fight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from herobench.suites.rpg.game.rules import HEALTH, POINT, Fighter, damage, duel
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Monster, Stats, World, add_up, slot_type


def add(stats: Stats, *others: Stats) -> Stats:
    """Return the sum of stats."""
    hp, attack, damage, resistance, effects = stats
    for other in others:
        hp += other.hp
        attack = tuple(map(int.__add__, attack, other.attack))
        damage = tuple(map(int.__add__, damage, other.damage))
        resistance = tuple(map(int.__add__, resistance, other.resistance))
        if other.round_effects:
            effects = add_up(effects, other.round_effects)
    return Stats(hp, attack, damage, resistance, effects)


def subtract(stats: Stats, other: Stats) -> Stats:
    """Return the difference of two stats."""
    return Stats(
        stats.hp - other.hp,
        tuple(map(int.__sub__, stats.attack, other.attack)),
        tuple(map(int.__sub__, stats.damage, other.damage)),
        tuple(map(int.__sub__, stats.resistance, other.resistance)),
        add_up(stats.round_effects, other.round_effects, -1),
    )


class GearItem(NamedTuple):
    """An item that may be put on, with the stats that it adds."""

    item: Code
    group: int
    adds: Stats

    @property
    def armed(self) -> bool:
        """True if it adds to an attack, and so belongs to the arms."""
        return any(self.adds.attack)


class Slot(NamedTuple):
    """A slot with its choices.

    Slots of one group take the same items and hold the same item now, so it does not matter which of them an item is
    in."""

    name: str
    group: int
    choices: tuple[GearItem, ...]

    def unarmed(self) -> Slot:
        """Return the slot without arms."""
        return self._replace(choices=tuple(choice for choice in self.choices if not choice.armed))


Chosen = tuple[GearItem, ...]


def gear_candidates(world: World, target: Monster, level: int) -> dict[str, tuple[Item, ...]]:
    """Return the gear for a fight against a target, by slot type."""
    forbidden = _forbidden_drops(world, target)
    return {
        kind: tuple(item for item, falls in items if item.level <= level and forbidden.isdisjoint(falls))
        for kind, items in _gear(world).items()
    }


# A generator asks for every monster and level of a few worlds; the recipe trees are the dear part of the answer.
@lru_cache(maxsize=16)
def _gear(world: World) -> dict[str, list[tuple[Item, frozenset[Code]]]]:
    """Return the gear that can be had, by slot type, each item with the parts of it that monsters drop."""
    falling = frozenset(world.droppers)
    by_type: dict[str, list[tuple[Item, frozenset[Code]]]] = {slot_type(slot): [] for slot in gear_slots(world)}
    for item in world.items.values():
        if item.type in by_type and sources(world, item.code) is not None:
            by_type[item.type].append((item, falling & world.everything_in(item.code)))
    return by_type


def gear_slots(world: World) -> tuple[str, ...]:
    """Return the slots that gear is worn in, in the world's order."""
    return tuple(slot for slot in world.slots if slot_type(slot) != CONSUMABLE)


def _forbidden_drops(world: World, target: Monster) -> frozenset[Code]:
    stronger = (monster for monster in world.monsters.values() if monster is target or monster.level > target.level)
    return frozenset(drop.item for monster in stronger for drop in monster.drops)


@lru_cache(maxsize=100_000)
def sources(world: World, code: Code) -> frozenset[Code] | None:
    """Return the leaves of an item's recipe tree; None if one of them can neither be gathered nor drops."""
    recipe = world.recipe_of(code)
    if recipe is None:
        return frozenset({code}) if code in world.nodes or code in world.droppers else None
    leaves: set[Code] = set()
    for part in recipe.ingredients:
        leaves_of_part = sources(world, part)
        if leaves_of_part is None:
            return None
        leaves |= leaves_of_part
    return frozenset(leaves)


# -- the verdict ------------------------------------------------------------------------------------------------------


def rounds_needed(health: int, dealt: int) -> int:
    """Return the number of rounds to take off a health, at a damage in hundredths a round."""
    return -(-POINT * health // dealt)


def wins(hero: Stats, monster: Stats, rounds: int) -> bool:
    """Return whether the hero wins. The verdict decides nearly all fights, and the slower duel the rest.

    Tasks are drawn in floats, as the shipped ones were; certificates have to hold in exact fights too.
    """
    certain = verdict(hero, monster, rounds)
    return duel(Fighter(hero), monster, rounds, unit=HEALTH).won if certain is None else certain


def verdict(hero: Stats, monster: Stats, rounds: int) -> bool | None:
    """Return whether the hero wins; None if only the duel can tell."""
    if hero.round_effects or monster.round_effects:
        return None  # only hits are linear
    dealt, damage_taken = damage(hero, monster), damage(monster, hero)
    if dealt <= 0:
        return False
    needed = rounds_needed(monster.hp, dealt)
    if needed > rounds:
        return False
    # A monster that heals the hero, and a fight that ends at exactly 0, hang on the floats of the duel.
    if damage_taken < 0 or dealt * needed == POINT * monster.hp:
        return None
    if needed == 1:
        return True  # he strikes first, and whether he stands is asked only after the monster has struck
    health_at_end = POINT * hero.hp - (needed - 1) * damage_taken
    return None if health_at_end == 0 else health_at_end > 0


# -- more of a stat ----------------------------------------------------------------------------------------------------


def stat_numbers(stats: Stats) -> Iterator[int]:
    """Yield the numbers of which more is better: health, attack, damage and resistance."""
    yield stats.hp
    for values in (stats.attack, stats.damage, stats.resistance):
        yield from values


def more_is_better(monsters: Collection[Stats], fighters: Collection[Stats]) -> bool:
    """Return whether a hero with the stats of a fighter and his gear never loses a fight by more of a stat.

    A hit on a resistance above 100 % heals the monster, and heals it more the more attack there is. A round effect
    may do anything with health.
    """
    if any(stats.round_effects for stats in (*fighters, *monsters)):
        return False
    least = sum(min(0, *stats.damage) for stats in fighters)
    return all(max(stats.resistance) <= 100 + least for stats in monsters)
