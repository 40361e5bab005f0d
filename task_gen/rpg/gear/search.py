"""Winning gear: the smallest sets, all inclusion-minimal sets, and random ones, all exact; and the greedy choice.

A set is minimal if the hero wins with it and loses with every proper subset. With the arms and the number of rounds
fixed, damage and health are linear in the rest of the gear, so a search with Pareto fronts visits winning sets only.
It counts in whole hundredths. The duel has the last word on every set, and decides alone if there are round effects.

The greedy choice changes one slot at a time, by what improves the fight most, until the hero wins or no change helps.
It finds gear that wins but not the smallest set, and misses items that help only together. The greedy player of the
audit chooses this way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random

from herobench.suites.rpg.game.combat_batch import Duels, Fighters, duels, stat_rows
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import HEALTH, HUNDREDTHS, Fighter, Rules, duel, strike
from herobench.suites.rpg.game.world import Code, Item, Monster, Stats, World, slot_type
from herobench.task_gen.rpg.gear.arms import Armed, all_arms
from herobench.task_gen.rpg.gear.candidates import (
    Chosen,
    GearItem,
    Slot,
    add,
    gear_candidates,
    gear_slots,
    subtract,
    wins,
)
from herobench.task_gen.rpg.gear.prospects import Prospects

Gear = Mapping[str, Code]
"""A set of gear: items by slot."""
Options = Mapping[str, tuple[Item | None, Sequence[Item]]]
"""Maps each slot to the item that is worn and the items that may take its place."""


@dataclass(frozen=True)
class GearSearch:
    """The search for gear against one monster, for a hero and the gear that he wears."""

    world: World
    rules: Rules
    target: Monster
    base: Stats
    slots: tuple[Slot, ...]

    @classmethod
    def of(cls, world: World, rules: Rules, target: Monster, hero: HeroStart) -> GearSearch:
        """Build the search for a hero in the gear that he wears at the start."""
        candidates = gear_candidates(world, target, hero.combat[0])
        worn = {name: world.items[hero.worn[name]] if name in hero.worn else None for name in gear_slots(world)}
        options = {name: (item, candidates[slot_type(name)]) for name, item in worn.items()}
        return cls.among(world, rules, target, Hero(world, hero).stats, options)

    @classmethod
    def among(cls, world: World, rules: Rules, target: Monster, stats: Stats, options: Options) -> GearSearch:
        """Build the search for a hero of some stats among some items for each slot."""
        slots = []
        groups: dict[tuple[str, Code | None], int] = {}
        for name, (worn, items) in options.items():
            group = groups.setdefault((slot_type(name), worn.code if worn else None), len(groups))
            # A choice is the difference that a swap makes: the item that it replaces has to come off.
            adds = ((item.code, subtract(item.worn, worn.worn) if worn else item.worn) for item in items)
            slots.append(Slot(name, group, tuple(GearItem(code, group, stats) for code, stats in adds)))
        # Slots of a group stand together, so that the search can fill them in one order and meets no set twice.
        slots.sort(key=lambda slot: slot.group)
        return cls(world, rules, target, stats, tuple(slots))

    # -- judging a set ----------------------------------------------------------------------------------------------

    def stats(self, gear: Gear) -> Stats:
        """Return the hero's stats with a set on, in place of the gear that he wears in those slots."""
        return self._with(self._choices(gear))

    def wins(self, gear: Gear) -> bool:
        """Return whether the hero wins with a set on."""
        return self.beats(self.stats(gear))

    def beats(self, stats: Stats) -> bool:
        """Return whether a hero with these stats wins."""
        return wins(stats, self.target.stats, self.rules.rounds)

    def is_minimal(self, gear: Gear) -> bool:
        """Return whether the hero wins with a set, and loses with every proper subset of it."""
        return self._is_minimal(self._choices(gear))

    def _choices(self, gear: Gear) -> Chosen:
        worn = ((slot, gear[slot.name]) for slot in self.slots if slot.name in gear)
        return tuple(next(choice for choice in slot.choices if choice.item == code) for slot, code in worn)

    def _is_minimal(self, choices: Chosen) -> bool:
        whole = self._with(choices)
        if not self.beats(whole) or any(map(self.beats, self._in_parts(choices, whole))):
            return False
        # The verdict is exact; this asks the duel all the same, since a certificate rests on every set found here.
        return duel(Fighter(whole), self.target.stats, self.rules.rounds, unit=HEALTH).won

    def _in_parts(self, choices: Chosen, whole: Stats) -> Iterator[Stats]:
        """Yield the stats in proper subsets such that, if all of them lose, every proper subset loses.

        Leaving out an item that can only help never turns a loss into a win, so such items are left out one at a time.
        Of items that may harm, every combination is tried.
        """
        harmful = [choice for choice in choices if self._may_harm(choice, choices)]
        helpful = tuple(choice for choice in choices if choice not in harmful)
        yield from (subtract(whole, choice.adds) for choice in helpful)
        for size in range(len(harmful)):
            for harmful_part in combinations(harmful, size):
                yield self._with((*harmful_part, *helpful))

    def _may_harm(self, choice: GearItem, choices: Chosen) -> bool:
        """Return whether putting a choice on may do harm. An attack does if the monster's resistance makes it heal."""
        adds, monster = choice.adds, self.target.stats
        if not self.only_hits:
            return True
        if adds.hp < 0 or min(adds.attack) < 0 or min(adds.damage) < 0:
            return True
        if any(resistance < 0 < attack for resistance, attack in zip(adds.resistance, monster.attack, strict=True)):
            return True
        # More attack makes a hit that heals heal more. A high resistance makes such hits, and so can negative
        # damage.
        return choice.armed and (
            _heals(monster) or min(self.base.damage) < 0 or any(min(c.adds.damage) < 0 for c in choices)
        )

    # -- searching --------------------------------------------------------------------------------------------------

    def smallest(self) -> Gear | None:
        """Return a winning set of the fewest items; None if no gear wins."""
        return next(self.minimal_sets(), None)

    def minimal_sets(self) -> Iterator[Gear]:
        """Yield every inclusion-minimal winning set once, smallest first.

        Sets are the same if they differ only in which of several equal slots an item is in.
        """
        if not self.only_hits:
            yield from map(self._by_slot, self._minimal_by_duels())
            return
        for size in range(len(self.slots) + 1):
            for armed in self._armed:
                for choices in armed.winning(size):
                    if self._is_minimal(choices):
                        yield self._by_slot(choices)

    def random_set(self, chance: Random) -> Gear | None:
        """Draw a minimal winning set; None if no gear wins.

        A winning set is drawn, then items that it does not need are left out in random order. Every minimal set can
        come, though not all are equally likely.
        """
        # Drawn sets may all lose by a hair, since the draw counts in hundredths and the duel in floats.
        return self.drawn_set(chance) or next(self.minimal_sets(), None)

    def drawn_set(self, chance: Random) -> Gear | None:
        """Draw a minimal winning set; None if the draw fails, which takes no time and does not mean that none wins."""
        if not self.only_hits:
            sets = list(self.minimal_sets())
            return chance.choice(sets) if sets else None
        for armed in chance.sample(self._armed, len(self._armed)):
            choices = armed.random(chance)
            if choices is not None and self.beats(self._with(choices)):
                gear = self._reduce(choices, chance)
                if self._is_minimal(gear):
                    return self._by_slot(gear)
        return None

    @cached_property
    def only_hits(self) -> bool:
        """True if hits and health decide the fight in any gear: only then the arithmetic of `arms` covers it."""
        worn = (choice.adds for slot in self.slots for choice in slot.choices)
        return not any(stats.round_effects for stats in (self.base, self.target.stats, *worn))

    def _minimal_by_duels(self) -> Iterator[Chosen]:
        """Yield the minimal winning sets, smallest first, by fighting with every set that may be one.

        Right for any effect, and slow: the number of sets grows with every item. Only sets that lose, as all their
        parts do, are extended, since no other set has a minimal set above it.
        """
        if self.beats(self.base):
            yield ()
            return
        losing: list[Chosen] = [()]
        while losing:
            losing_sets, longer_sets = set(losing), self._extend(losing)
            losing = []
            for choices in longer_sets:
                if all((*choices[:index], *choices[index + 1 :]) in losing_sets for index in range(len(choices))):
                    if self.beats(self._with(choices)):
                        yield choices
                    else:
                        losing.append(choices)

    def _extend(self, many: Sequence[Chosen]) -> Iterator[Chosen]:
        """Yield each set with one choice more, in the one order in which a set is written."""
        room = Counter(slot.group for slot in self.slots)
        choices = sorted(
            {(choice.group, choice.item): choice for slot in self.slots for choice in slot.choices}.items()
        )
        for combination in many:
            last = (combination[-1].group, combination[-1].item) if combination else (-1, "")
            worn = Counter(choice.group for choice in combination)
            yield from (
                (*combination, choice) for key, choice in choices if key >= last and worn[key[0]] < room[key[0]]
            )

    def _reduce(self, choices: Chosen, chance: Random) -> Chosen:
        remaining, worn = list(choices), self._with(choices)
        for choice in chance.sample(remaining, len(remaining)):
            rest, without = [other for other in remaining if other is not choice], worn
            for _ in range(len(remaining) - len(rest)):  # two slots of a group may hold the same choice
                without = subtract(without, choice.adds)
            if self.beats(without):
                remaining, worn = rest, without
        return tuple(remaining)

    @cached_property
    def _armed(self) -> list[Armed]:
        slots = tuple(slot.unarmed() for slot in self.slots)
        prospects = Prospects(self.target.stats, slots, self.rules.rounds)
        return [Armed.of(arms, self.base, prospects) for arms in all_arms(self.slots)]

    def _with(self, choices: Sequence[GearItem]) -> Stats:
        return add(self.base, *(choice.adds for choice in choices))

    def _by_slot(self, choices: Sequence[GearItem]) -> Gear:
        """Return the choices by slot, in the world's order. The slots of a group are filled from the first."""
        choices_left = list(choices)
        gear: dict[str, Code] = {}
        for slot in self.slots:
            choice = next((choice for choice in choices_left if choice.group == slot.group), None)
            if choice:
                choices_left.remove(choice)
                gear[slot.name] = choice.item
        return {name: gear[name] for name in gear_slots(self.world) if name in gear}


def _heals(monster: Stats) -> bool:
    """Return whether some attack, without damage, takes nothing off a monster or even heals it."""
    return any(strike(1, 0, resistance, HUNDREDTHS) <= 0 for resistance in monster.resistance)


# -- greedy gear ------------------------------------------------------------------------------------------------------

Merit = tuple[bool, float, float]


def greedy_gear(target: Stats, rounds: int, stats: Stats, options: Options) -> dict[str, Item]:
    """Return the changes that a greedy player makes to a hero of some stats."""
    merit = _merits(duels(Fighters.of(stat_rows([stats])), target, rounds, unit=HEALTH))[0]
    gear: dict[str, Item] = {}
    while not merit[0]:
        ways = list(_ways(stats, options, gear))
        if not ways:
            break
        merits = _merits(duels(Fighters.of(stat_rows(then for _, _, then in ways)), target, rounds, unit=HEALTH))
        best = max(range(len(ways)), key=lambda index: merits[index])
        # Ties end the loop as well: equal items could be swapped forever.
        if merits[best] <= merit:
            break
        slot, item, stats = ways[best]
        gear[slot], merit = item, merits[best]
    return gear


def _ways(stats: Stats, options: Options, gear: Mapping[str, Item]) -> Iterator[tuple[str, Item, Stats]]:
    """Yield each change of one slot, with the stats that it leads to."""
    for slot, (at_first, items) in options.items():
        worn = gear.get(slot, at_first)
        bare = stats if worn is None else subtract(stats, worn.worn)
        for item in items:
            if item != worn:
                yield slot, item, add(bare, item.worn)


def _merits(fights: Duels) -> list[Merit]:
    """Return how good fights are: won first, then little health left to the monster, then much left to the hero."""
    results = zip(fights.won.tolist(), fights.monster_hp.tolist(), fights.hero_hp.tolist(), strict=True)
    return [(is_won, -monster, hero) for is_won, monster, hero in results]
