"""The search for winning gear with the arms chosen.

Arms are the items that add to an attack: in most worlds, the weapon. Once they are chosen, each further item is a point
in a plane, for a fight of a given number of rounds (a `TimedFight`): the damage it adds to the hero's round, and its
worth in health, which is its own health and the damage it wards off in the rounds before the last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import NamedTuple

from herobench.suites.rpg.game.rules import POINT, damage, gain, ward
from herobench.suites.rpg.game.world import Stats
from herobench.task_gen.rpg.gear.candidates import Chosen, GearItem, Slot, add, rounds_needed
from herobench.task_gen.rpg.gear.prospects import Prospects

Point = tuple[int, int]


class Front:
    """The points that no other point beats, sorted by falling first (and so rising second) coordinate."""

    __slots__ = ("_firsts", "points")

    def __init__(self, points: Iterable[Point]) -> None:
        best: list[Point] = []
        for point in sorted(points, reverse=True):
            if not best or point[1] > best[-1][1]:
                best.append(point)
        self.points = best
        self._firsts = [-first for first, _ in best]

    def __bool__(self) -> bool:
        return bool(self.points)

    def reaches(self, first: int, second: int) -> bool:
        """Return whether some point has at least these two coordinates."""
        index = bisect_right(self._firsts, -first)
        return index > 0 and self.points[index - 1][1] >= second

    def plus(self, other: Front) -> Iterable[Point]:
        """Return the sums of a point of each front."""
        return ((a + c, b + d) for a, b in self.points for c, d in other.points)


NOTHING = Front([(0, 0)])
"""The front of no items: it adds 0 and 0."""
NOWHERE = Front([])
"""The front without a point: too few slots are left for the items."""


_NO_NEED = -(10**15)
"""The health that a hero needs who wins in round 1: the monster never strikes him."""


def all_arms(slots: Sequence[Slot]) -> Iterator[Chosen]:
    """Yield every choice of arms, fewer arms before more: no arms first."""
    of_arms = [Slot(slot.name, slot.group, tuple(choice for choice in slot.choices if choice.armed)) for slot in slots]
    ways: list[Chosen] = [()]
    for slot in of_arms:
        # Equal slots are filled from the first, with items in the order of their codes: no choice comes
        # twice.
        ways += [
            (*way, choice)
            for way in ways
            for choice in slot.choices
            if not (way and way[-1].group == slot.group and way[-1].item > choice.item)
            and sum(other.group == slot.group for other in way) == _rank(slots, slot)
        ]
    yield from sorted(ways, key=len)


def _rank(slots: Sequence[Slot], slot: Slot) -> int:
    """Return the position of a slot among the slots of its group, from 0."""
    return [other.name for other in slots if other.group == slot.group].index(slot.name)


@dataclass
class Armed:
    """The search with some arms on."""

    arms: Chosen
    base: Stats
    """The hero with the arms."""
    monster: Stats
    slots: tuple[Slot, ...]
    """The slots that are still free, with the choices that are no arms."""
    rounds: int
    prospects: Prospects
    _fights: dict[int, TimedFight | None] = field(default_factory=dict)

    @classmethod
    def of(cls, arms: Chosen, base: Stats, prospects: Prospects) -> Armed:
        """Build the search for a hero whose stats are `base` without the arms."""
        groups_in_arms = [choice.group for choice in arms]
        slots_free = []
        for slot in prospects.slots:
            if slot.group in groups_in_arms:
                groups_in_arms.remove(slot.group)
            else:
                slots_free.append(slot)
        base = add(base, *(choice.adds for choice in arms))
        return cls(arms, base, prospects.monster, tuple(slots_free), prospects.rounds, prospects)

    def winning(self, size: int) -> Iterator[Chosen]:
        """Yield the winning sets of a size, arms included, each once.

        No minimal set is left out. Sets that contain a smaller winning set may be.
        """
        free = size - len(self.arms)
        if 0 <= free <= len(self.slots):
            for rounds in self._hopeful(free):
                fight = self.fight(rounds)
                if fight:
                    for choices in fight.winning(free):
                        yield (*self.arms, *choices)

    def random(self, chance: Random) -> Chosen | None:
        """Draw a winning set; None if no set wins."""
        lengths = list(self.lengths)
        chance.shuffle(lengths)
        for rounds in lengths:
            fight = self.fight(rounds)
            if fight:
                choices = fight.random(chance)
                if choices is not None:
                    return (*self.arms, *choices)
        return None

    def _hopeful(self, items: int) -> list[int]:
        """Return the numbers of rounds in which a number of items besides the arms may win."""
        hopeful = [rounds for rounds, fewest in enumerate(self._fewest, 1) if fewest <= items]
        return [rounds for rounds in self.lengths if rounds in hopeful] if hopeful else []

    @cached_property
    def lengths(self) -> range:
        """The range of rounds that a fight may take if the hero wins it."""
        bare = damage(self.base, self.monster)
        worst, best = self.prospects.gains(self.base, [slot.group for slot in self.slots])
        most, least = bare + best, bare + worst
        # With the most damage the fight is shortest; with the least it is longest, if it is ever won.
        if most <= 0:
            return range(0)
        longest = min(self.rounds, rounds_needed(self.monster.hp, least)) if least > 0 else self.rounds
        return range(rounds_needed(self.monster.hp, most), longest + 1)

    @cached_property
    def _fewest(self) -> list[float]:
        return self.prospects.fewest(self.base, [slot.group for slot in self.slots])

    def fight(self, rounds: int) -> TimedFight | None:
        """Return the fight of a number of rounds; None if no gear can win it."""
        # The front of a fight is dear, and the search asks for the same fight for every size of set.
        if rounds not in self._fights:
            hopeful = self._fewest[rounds - 1] <= len(self.slots)
            fight = TimedFight.of(self, rounds) if hopeful else None
            self._fights[rounds] = fight if fight and fight.may_be_won() else None
        return self._fights[rounds]

    @cached_property
    def steady(self) -> bool:
        """True if a hero who has health at the end had it all along, in any gear.

        It fails only if his gear can leave him without health at the start and turn the monster's hits into health.
        """
        health = POINT * self.base.hp + sum(min([0, *(point.health for point in points)]) for points in self._points)
        warded = sum(max([0, *(point.warded for point in points)]) for points in self._points)
        return health > 0 or damage(self.monster, self.base) >= warded

    @cached_property
    def _points(self) -> tuple[tuple[Contribution, ...], ...]:
        return tuple(tuple(map(self._point, slot.choices)) for slot in self.slots)

    def _point(self, choice: GearItem) -> Contribution:
        gains, wards = self._slopes
        adds = choice.adds
        more, warded = sum(map(int.__mul__, gains, adds.damage)), sum(map(int.__mul__, wards, adds.resistance))
        return Contribution(more, warded, POINT * adds.hp, choice)

    @cached_property
    def _slopes(self) -> tuple[list[int], list[int]]:
        """The `gain` of each of the hero's attacks, and the `ward` against each of the monster's."""
        return list(map(gain, self.base.attack)), list(map(ward, self.monster.attack))

    def options(self, rounds: int) -> tuple[tuple[GearPoint, ...], ...]:
        """Return the options of each slot in a fight of a number of rounds."""
        return tuple(
            tuple(GearPoint(more, health + (rounds - 1) * warded, choice) for more, warded, health, choice in points)
            for points in self._points
        )


class Contribution(NamedTuple):
    """The damage that a choice adds to a round of the hero, what it wards off in a round of the monster, and its
    health; all in hundredths."""

    damage: int
    warded: int
    health: int
    choice: GearItem


class GearPoint(NamedTuple):
    """A choice as a point in the plane of damage and health, for a number of rounds."""

    damage: int
    health: int
    choice: GearItem


@dataclass
class TimedFight:
    """A fight of a number of rounds: the damage and health that the gear must add, and the options of each slot."""

    rounds: int
    damage: int
    """The damage that the rest of the gear must add to a round, in hundredths, to win in time."""
    too_much: int | None
    """The damage with which the fight would take fewer rounds; None if no damage is too much."""
    health: int
    """The health that the rest of the gear must be worth, in hundredths."""
    steady: bool
    levels: tuple[tuple[GearPoint, ...], ...]
    groups: tuple[int, ...]
    _exact: dict[tuple[int, int], Front] = field(default_factory=dict)
    _any: list[Front] = field(default_factory=list)
    _fronts: dict[int, Front] = field(default_factory=dict)

    @classmethod
    def of(cls, armed: Armed, rounds: int) -> TimedFight:
        """Build the fight of a number of rounds with some arms."""
        dealt, damage_taken = damage(armed.base, armed.monster), damage(armed.monster, armed.base)
        health = POINT * armed.monster.hp
        return cls(
            rounds,
            # Both rounded up: the least damage that is enough in this number of rounds, and the least that is in
            # one less.
            damage=-(-health // rounds) - dealt,
            too_much=-(-health // (rounds - 1)) - dealt if rounds > 1 else None,
            health=(rounds - 1) * damage_taken - POINT * armed.base.hp if rounds > 1 else _NO_NEED,
            steady=armed.steady,
            levels=armed.options(rounds),
            groups=tuple(slot.group for slot in armed.slots),
        )

    # -- bounds -----------------------------------------------------------------------------------------------------

    def may_be_won(self) -> bool:
        """Return whether each need can be met by itself. Most hopeless fights fail here, at little cost."""
        damage = sum(max([0, *(option.damage for option in level)]) for level in self.levels)
        health = sum(max([0, *(option.health for option in level)]) for level in self.levels)
        return damage >= self.damage and health >= self.health

    def exact(self, level: int, count: int) -> Front:
        """Return the front of what a number of items can add, in the slots from a level on."""
        if count == 0:
            return NOTHING
        if level == len(self.levels):
            return NOWHERE
        front = self._exact.get((level, count))
        if front is None:
            with_one = self.exact(level + 1, count - 1).plus(self._front(level))
            front = self._exact[level, count] = Front([*self.exact(level + 1, count).points, *with_one])
        return front

    def any_number(self, level: int) -> Front:
        """Return the front of what any number of items can add, in the slots from a level on."""
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
        """Yield the sets of a size with which the fight is won in exactly this number of rounds."""
        if self.exact(0, count).reaches(self.damage, self.health):
            yield from self._extend((), 0, count, 0, 0)

    def _extend(self, choices: Chosen, level: int, count: int, dealt: int, health: int) -> Iterator[Chosen]:
        """Yield the ways to add a number of items from a level on."""
        if count == 0:
            # A faster win belongs to the fight of fewer rounds, which yields the same set: here it would come twice.
            if self.too_much is None or dealt < self.too_much:
                yield choices
            return
        if self.steady and dealt > self.damage and health > self.health:
            return  # won already, so with any further item the set is not minimal
        rest = self.exact(level + 1, count - 1)
        for option in self.levels[level]:
            more, health_then = dealt + option.damage, health + option.health
            if rest.reaches(self.damage - more, self.health - health_then) and self._in_order(choices, option.choice):
                yield from self._extend((*choices, option.choice), level + 1, count - 1, more, health_then)
        # A slot stays empty only with all later slots of its group, because equal slots are filled from the
        # first.
        following = self._next_group(level)
        if self.exact(following, count).reaches(self.damage - dealt, self.health - health):
            yield from self._extend(choices, following, count, dealt, health)

    def _in_order(self, choices: Chosen, choice: GearItem) -> bool:
        """Return whether a choice keeps to the one order in which the slots of a group are filled."""
        return not (choices and choices[-1].group == choice.group and choices[-1].item > choice.item)

    def _next_group(self, level: int) -> int:
        """Return the first slot after this level's group."""
        following = level + 1
        while following < len(self.groups) and self.groups[following] == self.groups[level]:
            following += 1
        return following

    def random(self, chance: Random) -> Chosen | None:
        """Draw a set with which the fight is won in at most this number of rounds; None if there is none."""
        if not self.any_number(0).reaches(self.damage, self.health):
            return None
        choices: list[GearItem] = []
        need_damage, need_health = self.damage, self.health
        for index, level in enumerate(self.levels):
            rest = self.any_number(index + 1)
            # Only choices after which the rest can still meet both needs: so no draw ends in a dead end.
            ways = [o for o in level if rest.reaches(need_damage - o.damage, need_health - o.health)]
            if rest.reaches(need_damage, need_health) and not chance.randrange(len(ways) + 1):
                continue
            option = chance.choice(ways)
            choices.append(option.choice)
            need_damage -= option.damage
            need_health -= option.health
        return tuple(choices)
