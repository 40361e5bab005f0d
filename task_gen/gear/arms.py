"""The search for winning gear once the arms are chosen.

Arms are what adds to an attack: the weapon, in most worlds. With them fixed, each further item is a point in the plane
for a fight of a given number of rounds (a `TimedFight`): the damage it adds to a round of the hero's, and the health it
is worth, which is its own and what it keeps the monster from taking in the rounds before the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import NamedTuple

from herobench.rpg.combat import POINT, damage, gain, ward
from herobench.rpg.world import Stats
from herobench.task_gen.gear.choices import Choice, Chosen, Slot
from herobench.task_gen.gear.fronts import NOTHING, NOWHERE, Front
from herobench.task_gen.gear.prospects import Prospects
from herobench.task_gen.gear.stats import add
from herobench.task_gen.gear.verdict import rounds_needed


def all_arms(slots: Sequence[Slot]) -> Iterator[Chosen]:
    """Every way to arm oneself, none at all first; fewer arms before more."""
    armed = [Slot(slot.name, slot.group, tuple(choice for choice in slot.choices if choice.armed)) for slot in slots]
    ways: list[Chosen] = [()]
    for slot in armed:
        ways += [
            (*way, choice)
            for way in ways
            for choice in slot.choices
            if not (way and way[-1].group == slot.group and way[-1].item > choice.item)
            and sum(other.group == slot.group for other in way) == _rank(slots, slot)
        ]
    yield from sorted(ways, key=len)


def _rank(slots: Sequence[Slot], slot: Slot) -> int:
    """Which of its group's slots a slot is, counted from nought."""
    return [other.name for other in slots if other.group == slot.group].index(slot.name)


@dataclass
class Armed:
    """The search with some arms in hand."""

    arms: Chosen
    base: Stats
    """The hero with the arms."""
    monster: Stats
    slots: tuple[Slot, ...]
    """What is left to be filled, with unarmed choices."""
    rounds: int
    prospects: Prospects
    _fights: dict[int, TimedFight | None] = field(default_factory=dict)

    @classmethod
    def of(cls, arms: Chosen, base: Stats, prospects: Prospects) -> Armed:
        """The search for a hero who is `base` without the arms."""
        taken = [choice.group for choice in arms]
        left = []
        for slot in prospects.slots:
            if slot.group in taken:
                taken.remove(slot.group)
            else:
                left.append(slot)
        base = add(base, *(choice.adds for choice in arms))
        return cls(arms, base, prospects.monster, tuple(left), prospects.rounds, prospects)

    def winning(self, size: int) -> Iterator[Chosen]:
        """The winning sets of so many items, arms included, each once. No set is left out that the duel may win; sets
        that have a smaller winning set in an obvious way may be."""
        free = size - len(self.arms)
        if 0 <= free <= len(self.slots):
            for rounds in self._hopeful(free):
                fight = self.fight(rounds)
                if fight:
                    for chosen in fight.winning(free):
                        yield (*self.arms, *chosen)

    def random(self, chance: Random) -> Chosen | None:
        """A winning set by chance; None where there is none."""
        lengths = list(self.lengths())
        chance.shuffle(lengths)
        for rounds in lengths:
            fight = self.fight(rounds)
            if fight:
                chosen = fight.random(chance)
                if chosen is not None:
                    return (*self.arms, *chosen)
        return None

    def _hopeful(self, items: int) -> list[int]:
        """The lengths of fights that may be won with so many items besides the arms."""
        hopeful = [rounds for rounds, fewest in enumerate(self._fewest, 1) if fewest <= items]
        return [rounds for rounds in self.lengths() if rounds in hopeful] if hopeful else []

    def lengths(self) -> range:
        """How many rounds a fight that the hero wins may take him."""
        bare = damage(self.base, self.monster)
        worst, best = self.prospects.gains(self.base, [slot.group for slot in self.slots])
        most, least = bare + best, bare + worst
        if most <= 0:
            return range(0)
        longest = min(self.rounds, rounds_needed(self.monster.hp, least)) if least > 0 else self.rounds
        return range(rounds_needed(self.monster.hp, most), longest + 1)

    @cached_property
    def _fewest(self) -> list[float]:
        return self.prospects.fewest(self.base, [slot.group for slot in self.slots])

    def fight(self, rounds: int) -> TimedFight | None:
        """The fight of so many rounds; None where it cannot be won whatever he puts on."""
        if rounds not in self._fights:
            hopeful = self._fewest[rounds - 1] <= len(self.slots)
            fight = TimedFight.of(self, rounds) if hopeful else None
            self._fights[rounds] = fight if fight and fight.may_be_won() else None
        return self._fights[rounds]

    @cached_property
    def steady(self) -> bool:
        """Whether who stands at the end has stood all along, whatever he puts on: not where he may have no health to
        begin with, and resistances that turn hits into health."""
        health = POINT * self.base.hp + sum(min([0, *(point.health for point in points)]) for points in self._points)
        warded = sum(max([0, *(point.warded for point in points)]) for points in self._points)
        return health > 0 or damage(self.monster, self.base) >= warded

    @cached_property
    def _points(self) -> tuple[tuple[Contribution, ...], ...]:
        return tuple(tuple(map(self._point, slot.choices)) for slot in self.slots)

    def _point(self, choice: Choice) -> Contribution:
        gains, wards = self._slopes
        adds = choice.adds
        more, warded = sum(map(int.__mul__, gains, adds.damage)), sum(map(int.__mul__, wards, adds.resistance))
        return Contribution(more, warded, POINT * adds.hp, choice)

    @cached_property
    def _slopes(self) -> tuple[list[int], list[int]]:
        """By element: `gain` of the hero and `ward` of the monster."""
        return list(map(gain, self.base.attack)), list(map(ward, self.monster.attack))

    def options(self, rounds: int) -> tuple[tuple[Option, ...], ...]:
        """What each slot can add in a fight of so many rounds."""
        return tuple(
            tuple(Option(more, health + (rounds - 1) * warded, choice) for more, warded, health, choice in points)
            for points in self._points
        )


class Contribution(NamedTuple):
    """What a choice adds to a round of the hero's and keeps off in one of the monster's, and its health; all in
    hundredths."""

    damage: int
    warded: int
    health: int
    choice: Choice


class Option(NamedTuple):
    """A choice as a point in the plane."""

    damage: int
    health: int
    choice: Choice


@dataclass
class TimedFight:
    """A fight of a number of rounds: what has to be reached, and what each slot can add to it."""

    rounds: int
    damage: int
    """What the rest of the gear has to add to a round, in hundredths, for the fight to be over in time."""
    too_much: int | None
    """What it must not add, for the fight to take so long; None where nothing is too much."""
    health: int
    """What it has to be worth in health, in hundredths."""
    steady: bool
    levels: tuple[tuple[Option, ...], ...]
    groups: tuple[int, ...]
    _exact: dict[tuple[int, int], Front] = field(default_factory=dict)
    _any: list[Front] = field(default_factory=list)
    _fronts: dict[int, Front] = field(default_factory=dict)

    @classmethod
    def of(cls, armed: Armed, rounds: int) -> TimedFight:
        """A fight of so many rounds with some arms."""
        dealt, taken = damage(armed.base, armed.monster), damage(armed.monster, armed.base)
        health = POINT * armed.monster.hp
        return cls(
            rounds,
            damage=-(-health // rounds) - dealt,
            too_much=-(-health // (rounds - 1)) - dealt if rounds > 1 else None,
            health=(rounds - 1) * taken - POINT * armed.base.hp if rounds > 1 else -(10**15),
            steady=armed.steady,
            levels=armed.options(rounds),
            groups=tuple(slot.group for slot in armed.slots),
        )

    # -- what can be reached ----------------------------------------------------------------------------------------

    def may_be_won(self) -> bool:
        """Whether what is needed can be reached, each need looked at by itself: most hopeless fights show here."""
        damage = sum(max([0, *(option.damage for option in level)]) for level in self.levels)
        health = sum(max([0, *(option.health for option in level)]) for level in self.levels)
        return damage >= self.damage and health >= self.health

    def exact(self, level: int, count: int) -> Front:
        """What exactly so many items in the slots from a level on can add."""
        if count == 0:
            return NOTHING
        if level == len(self.levels):
            return NOWHERE
        found = self._exact.get((level, count))
        if found is None:
            with_one = self.exact(level + 1, count - 1).plus(self._front(level))
            found = self._exact[level, count] = Front([*self.exact(level + 1, count).points, *with_one])
        return found

    def any_number(self, level: int) -> Front:
        """What items in the slots from a level on can add, however many."""
        if not self._any:
            fronts = [NOTHING]
            for index in reversed(range(len(self.levels))):
                rest = fronts[-1]
                fronts.append(Front([*rest.points, *rest.plus(self._front(index))]))
            self._any = fronts[::-1]
        return self._any[level]

    def _front(self, level: int) -> Front:
        front = self._fronts.get(level)
        if front is None:
            options = self.levels[level]
            front = self._fronts[level] = Front((option.damage, option.health) for option in options)
        return front

    # -- the sets ---------------------------------------------------------------------------------------------------

    def winning(self, count: int) -> Iterator[Chosen]:
        """The sets of so many items with which the fight is won in just so many rounds."""
        if self.exact(0, count).reaches(self.damage, self.health):
            yield from self._extended((), 0, count, 0, 0)

    def _extended(self, chosen: Chosen, level: int, count: int, dealt: int, health: int) -> Iterator[Chosen]:
        """The ways to add so many items from a level on."""
        if count == 0:
            if self.too_much is None or dealt < self.too_much:
                yield chosen
            return
        if self.steady and dealt > self.damage and health > self.health:
            return  # won already: whatever is added, the set is not minimal
        rest = self.exact(level + 1, count - 1)
        for option in self.levels[level]:
            more, health_then = dealt + option.damage, health + option.health
            if rest.reaches(self.damage - more, self.health - health_then) and self._in_order(chosen, option.choice):
                yield from self._extended((*chosen, option.choice), level + 1, count - 1, more, health_then)
        following = self._next_group(level)
        if self.exact(following, count).reaches(self.damage - dealt, self.health - health):
            yield from self._extended(chosen, following, count, dealt, health)

    def _in_order(self, chosen: Chosen, choice: Choice) -> bool:
        """Whether a choice comes in the one order that the slots of a group are filled in."""
        return not (chosen and chosen[-1].group == choice.group and chosen[-1].item > choice.item)

    def _next_group(self, level: int) -> int:
        """The first slot after those of this level's group."""
        following = level + 1
        while following < len(self.groups) and self.groups[following] == self.groups[level]:
            following += 1
        return following

    def random(self, chance: Random) -> Chosen | None:
        """A set by chance with which the fight is won in at most so many rounds; None where there is none."""
        if not self.any_number(0).reaches(self.damage, self.health):
            return None
        chosen: list[Choice] = []
        need_damage, need_health = self.damage, self.health
        for index, level in enumerate(self.levels):
            rest = self.any_number(index + 1)
            ways = [o for o in level if rest.reaches(need_damage - o.damage, need_health - o.health)]
            if rest.reaches(need_damage, need_health) and not chance.randrange(len(ways) + 1):
                continue
            option = chance.choice(ways)
            chosen.append(option.choice)
            need_damage -= option.damage
            need_health -= option.health
        return tuple(chosen)
