"""Monsters of remixed worlds: their levels, drops and strengths.

A monster's drops go only into gear of levels above its own. So all gear of its level can be had before it is beaten,
every monster hunted for that gear can be beaten with gear from below, and no requirement is circular.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.rules import HUNDREDTHS, POINT, Rules, gain, strike, ward
from herobench.suites.rpg.game.world import HERO_STATS
from herobench.task_gen.rpg.remix.blueprint import BEASTS, PARTS, Blueprint, WordSource, spell_code
from herobench.task_gen.rpg.remix.nodes import Material, Row, Store, drop, item_row

Array = NDArray[np.int64]

WEAPON = "weapon"
_PRICES = np.array([0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 19, 22, 26, 32, 40, 50, 64, 90, 128, 256, 512], np.int64)
_UNIT = 16
"""The price at which all health is worth as much as all damage; `_PRICES` are in parts of it."""
_NEVER = -(10**12)
"""A damage for gear that does not keep the hero alive: less than any other."""
_NO_NEED = -1
"""The health that a hero needs who wins in round 1: any health is more."""


@dataclass(frozen=True)
class Armory:
    """The gear that a hero can have for a fight."""

    weapons: Array
    """One row for each weapon: its attack by element."""
    slots: Sequence[tuple[Array, int]]
    """For each type but weapons, a table (one row for each item: health, damage and resistance by element), and the
    number of slots of the type."""

    @classmethod
    def of(
        cls, elements: Sequence[str], gear: Mapping[str, Sequence[Mapping[str, int]]], slots: Mapping[str, int]
    ) -> Armory:
        """Build an armory from the effects of gear by type, and the number of slots of each type."""

        def by_element(effects: Mapping[str, int], name: str) -> list[int]:
            return [effects.get(f"{name}_{element}", 0) for element in elements]

        def row(effects: Mapping[str, int]) -> list[int]:
            return [effects.get("hp", 0), *by_element(effects, "dmg"), *by_element(effects, "res")]

        weapons = [by_element(effects, "attack") for effects in gear[WEAPON]]
        others = {kind: number for kind, number in slots.items() if kind != WEAPON and gear[kind]}
        tables = [(np.array([row(effects) for effects in gear[kind]], np.int64), others[kind]) for kind in others]
        return cls(np.array(weapons, np.int64), tables)

    @property
    def room(self) -> int:
        """The number of items that can be worn at once."""
        return 1 + sum(number for _, number in self.slots)

    def health(self, items: int) -> int:
        """Return the most health that a number of items besides the weapon add."""
        return _most(((table[:, 0], number) for table, number in self.slots), items)


@dataclass(frozen=True)
class MonsterPattern:
    """A monster with its health still to be set, the health of the bare hero who fights it, and the round limit."""

    attack: Array
    resistance: Array
    hero_hp: int
    rounds: int
    """The round limit of the rules."""

    def limits(self, armory: Armory, size: int) -> tuple[int, int]:
        """Return the limits of health, in hundredths, between which a smallest winning set has this size.

        Above the first no smaller set wins; below the second some set of the size wins.
        """
        fight = _Fight(self, armory, size - 1)
        too_easy = easy = 0
        for number, fewer, more in fight.weapons():
            if fight.goes_beyond(fewer, too_easy) or fight.goes_beyond(more, easy):
                possible, certain = fight.health_bounds(number, too_easy, easy)
                too_easy, easy = max(too_easy, possible), max(easy, certain)
        return too_easy, easy


class _Fight:
    """The fights of one pattern against one armory, with a number of items besides the weapon."""

    def __init__(self, pattern: MonsterPattern, armory: Armory, items: int) -> None:
        self._items = items
        # Struck once for all weapons, since `health_bounds` is the innermost loop of making a world.
        self._alone = strike(armory.weapons, 0, pattern.resistance, HUNDREDTHS).sum(axis=1)
        self._gains = gain(armory.weapons)
        elements = len(pattern.attack)
        self._slots = [(_front(table, pattern.attack, elements), number) for table, number in armory.slots]
        rounds = np.arange(1, pattern.rounds + 1)
        damage_taken = int(strike(pattern.attack, 0, 0, HUNDREDTHS).sum())
        need = (rounds - 1) * damage_taken - POINT * pattern.hero_hp
        best = [(np.maximum(0, _health(table, rounds).max(axis=0)), number) for table, number in self._slots]
        reach = np.array([_most(((each[index : index + 1], n) for each, n in best), items) for index in rounds - 1])
        may_stand = (need <= reach) | (rounds == 1)
        self._rounds = rounds[may_stand]
        self._need = np.where(self._rounds == 1, _NO_NEED, need[may_stand])
        self._worth = max(1, *(int(each.max()) for each, _ in best)) if best else 1

    def weapons(self) -> Iterator[tuple[int, int, int]]:
        """Yield the weapons by number, the hardest striking first, with the most damage a round of one item fewer, and
        of all items."""
        gains = [
            np.maximum(0, (table[:, 2:] @ self._gains.T).max(axis=0))[None].repeat(n, axis=0)
            for table, n in self._slots
        ]
        best = np.sort(np.concatenate([*gains, 0 * self._alone[None]]), axis=0)[::-1].cumsum(axis=0)
        fewer = self._alone + (best[self._items - 2] if self._items > 1 else 0)
        more = self._alone + (best[self._items - 1] if self._items else 0)
        for index in np.argsort(-self._alone, kind="stable"):
            yield int(index), int(fewer[index]) * bool(self._items), int(more[index])

    def goes_beyond(self, dealt: int, limit: int) -> bool:
        """Return whether a damage a round may add up to more health than the known limit."""
        return int(self._rounds[-1]) * dealt > limit

    def health_bounds(self, weapon: int, possible: int, certain: int) -> tuple[int, int]:
        """Return a health that one item fewer cannot reach with a weapon, and one that all items can reach.

        Both are 0 if they do not go beyond the limits known already.
        """
        alone = int(self._alone[weapon])
        dealt = [(table[:, 2:] @ self._gains[weapon], number) for table, number in self._slots]
        fewer, more = alone + _most(dealt, self._items - 1), alone + _most(dealt, self._items)
        useful = (self._rounds * more > certain) | ((self._rounds * fewer > possible) & (self._items > 0))
        rounds, need = self._rounds[useful], self._need[useful]
        if not len(rounds):
            return 0, 0
        if not self._items:
            return 0, int((rounds * alone)[need < 0].max(initial=0))
        bound, reach = self._more([each for each, _ in dealt], rounds, need[:, None])
        return int((rounds * (alone + bound)).max()), max(0, int((rounds * (alone + reach)).max()))

    def _more(self, dealt: Sequence[Array], rounds: Array, need: Array) -> tuple[Array, Array]:
        """Return, for each number of rounds, an upper bound of the damage a round that one item fewer adds, and a
        lower bound of what all items add."""
        value = max(1, *(int(each.max()) for each in dealt))
        columns = [self._best(table, each, rounds, value) for (table, _), each in zip(self._slots, dealt, strict=True)]
        numbers = [number for _, number in self._slots]
        worth, damage, health = (np.repeat(np.stack(column), numbers, axis=0) for column in zip(*columns, strict=True))
        order = np.argsort(-worth, axis=0, kind="stable")[: self._items]
        total = np.take_along_axis(worth, order[:-1], axis=0).sum(axis=0)
        bound = (total - value * _PRICES * need) // (self._worth * _UNIT)
        damage, health = (np.take_along_axis(each, order, axis=0).sum(axis=0) for each in (damage, health))
        # Each price gives an upper bound, so the least of them holds. Any choice that keeps the hero alive
        # gives a lower one, so the best of those counts.
        return bound.min(axis=1), np.where(health > need, damage, _NEVER).max(axis=1)

    def _best(self, table: Array, dealt: Array, rounds: Array, value: int) -> tuple[Array, Array, Array]:
        """Return the most that a slot adds for each number of rounds and price: its worth, damage and health."""
        health = _health(table, rounds)
        worth = dealt[:, None, None] * (self._worth * _UNIT) + health[:, :, None] * (value * _PRICES)
        best = worth.argmax(axis=0)
        top = np.take_along_axis(worth, best[None], axis=0)[0]
        is_positive = top > 0
        rows = np.arange(len(rounds))[:, None]
        return top * is_positive, dealt[best] * is_positive, health[best, rows] * is_positive


def _most(slots: Iterable[tuple[Array, int]], items: int) -> int:
    """Return the largest sum of a number of items, given the values of the items of each slot."""
    best = sorted((max(0, int(values.max())) for values, number in slots for _ in range(number)), reverse=True)
    return sum(best[: max(0, items)])


def _health(slot: Array, rounds: Array) -> Array:
    """Return the worth of a slot's items in health, by number of rounds: their own, and the damage they ward off."""
    return POINT * slot[:, :1] + slot[:, 1:2] * (rounds - 1)


def _front(slot: Array, attack: Array, elements: int) -> Array:
    """Return the items that no other item dominates: health, damage warded off a round, damage by element."""
    rows = np.column_stack([slot[:, 0], slot[:, 1 + elements :] @ ward(attack), slot[:, 1 : 1 + elements]])
    rows = np.unique(rows, axis=0)
    as_good = (rows[:, None, :] >= rows[None, :, :]).all(axis=2)
    front: Array = rows[as_good.sum(axis=0) == 1]
    return front


_DROP_IN, _GEAR_IN = 20, 200
_DROPS = (1, 1, 1, 2, 2)
_ATTACKS = ((1,), (1,), (1,), (1, 1), (1, 2), (1, 1, 1, 1))
"""Ways to share an attack out over elements."""
_ENDURED = range(8, 16)
"""About how many rounds a hero survives who wears all the health he can."""
_USE = range(70, 96)
"""The percentage of that health that a monster takes."""
_PATTERNS = 30
"""The number of patterns that are drawn for a monster before another size of set is tried."""
_HEALTHS = range(30, 76)
"""The place of a monster's health between its limits, in percent."""


@dataclass
class Beast:
    """A monster in the making."""

    name: str
    level: int
    intended_level: int
    size: int
    """The wanted size of a smallest winning set."""
    drops: list[Row] = field(default_factory=list)
    attack: Mapping[str, int] = field(default_factory=dict)
    resistance: Mapping[str, int] = field(default_factory=dict)
    hp: int = 0

    @property
    def row(self) -> Row:
        """Its row in a document."""
        return {
            "code": spell_code(self.name),
            "name": self.name,
            "level": self.level,
            "intended_level": self.intended_level,
            "hp": self.hp,
            "attack": self.attack,
            "resistance": self.resistance,
            "gold": {"min": 0, "max": 1 + self.level // 4},
            "drops": self.drops,
        }


class Bestiary:
    """The monsters of a world, with their drops."""

    def __init__(self, plan: Blueprint, dialect: WordSource, chance: Random) -> None:
        self._plan = plan
        self._dialect = dialect
        self._chance = chance
        self.items: list[Row] = []
        self.drops = Store()
        self.by_step = [self._at(step) for step in range(len(plan.levels))]

    @property
    def beasts(self) -> list[Beast]:
        """All monsters, lowest levels first."""
        return [beast for beasts in self.by_step for beast in beasts]

    def _at(self, step: int) -> list[Beast]:
        levels = [*self._plan.levels, self._plan.levels[-1] + 1]
        sizes = self._plan.winning_sizes(step)
        self._chance.shuffle(sizes)
        last = step + 1 == len(self._plan.levels)
        beasts = []
        for index, size in enumerate(sizes):
            level = levels[step] + index * (levels[step + 1] - levels[step]) // len(sizes)
            beast = Beast(f"{self._dialect.word()} {self._chance.choice(BEASTS)}", level, levels[step], size)
            # No gear is made of what the last step drops, only food, so one part for each monster is
            # enough.
            parts = self._chance.sample(PARTS, 1 if last else self._chance.choice(_DROPS))
            self.drops.add([self._part(beast, part, levels[step + 1]) for part in parts])
            beasts.append(beast)
        return beasts

    def _part(self, beast: Beast, part: str, usable_from: int) -> Material:
        name = f"{beast.name.split()[0]} {part}"
        self.items.append(item_row(spell_code(name), name, beast.level, "resource", "mob"))
        beast.drops.append(drop(spell_code(name), _DROP_IN))
        return Material(spell_code(name), name, usable_from, 1)

    def give(self, item: str, step: int) -> None:
        """Make a piece of gear a drop of one of the monsters of a step."""
        self._chance.choice(self.by_step[step]).drops.append(drop(item, _GEAR_IN))


def arm(
    beast: Beast, armory: Armory, elements: Sequence[str], rules: Rules, chance: Random, struck: Sequence[int] = ()
) -> None:
    """Give a monster its strength, such that a smallest winning set has the wanted size.

    If the armory does not allow it, the nearest size is taken. The monster attacks in the elements with the numbers
    `struck`, or in elements that are drawn.
    """
    sizes = range(1, armory.room + 1)
    for size in sorted(sizes, key=lambda size: (abs(size - beast.size), size)):
        for _ in range(_PATTERNS):
            hero_hp = HERO_STATS["hp"] + (beast.intended_level - 1) * rules.hp_per_level
            pattern = _pattern(armory, size, hero_hp, rules.rounds, len(elements), struck, chance)
            below, above = pattern.limits(armory, size)
            # Strictly between the limits, which are in hundredths: at a limit the duel's floats would decide.
            least, most = below // 100 + 1, (above - 1) // 100
            if least < most:
                beast.size = size
                beast.hp = _round(least + (most - least) * chance.choice(_HEALTHS) // 100, least)
                beast.attack = _by_element_name(elements, pattern.attack)
                beast.resistance = _by_element_name(elements, pattern.resistance)
                return
    # Every armory has a weapon, and a monster with little enough health falls to it.
    raise AssertionError("some monster is beaten with one item")


def _pattern(
    armory: Armory, size: int, hero_hp: int, rounds: int, elements: int, struck: Sequence[int], chance: Random
) -> MonsterPattern:
    total = (hero_hp + armory.health(size - 1)) * chance.choice(_USE) // (100 * chance.choice(_ENDURED))
    shares: Sequence[int] = [1] * len(struck) if struck else chance.choice(_ATTACKS)
    struck = struck or chance.sample(range(elements), len(shares))
    attack = np.zeros(elements, np.int64)
    attack[list(struck)] = [max(1, total * share // sum(shares)) for share in shares]
    return MonsterPattern(attack, _resistance(attack, chance), hero_hp, rounds)


def _resistance(attack: Any, chance: Random) -> Any:
    """Draw resistances: strong in the elements that it attacks in, often weak in another."""
    own, foreign = (10, 20, 25, 30, 40), (0, 0, 0, 5, 10, 20, -10, -20, -30)
    return np.array([chance.choice(own if struck else foreign) for struck in attack], np.int64)


def _round(health: int, least: int) -> int:
    """Round a health down to 50, 10 or 5 if it does not get too small."""
    return next((health - health % step for step in (50, 10, 5) if health - health % step >= least), health)


def _by_element_name(elements: Sequence[str], values: Any) -> dict[str, int]:
    return {element: int(value) for element, value in zip(elements, values, strict=True) if value}
