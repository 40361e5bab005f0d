"""Decoys: told gear that competes with the correct gear, so that the correct gear has to be computed.

Called by `telling`. Decoys are told for the slots of the missing and of the worn gear, so they do not show what is
missing. The hero can make each of them, and loses with any one of them in place of the correct item. He also loses
if he picks the told gear that looks strongest by a simple measure, and nearly always if he picks at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import HEALTH, Rules
from herobench.suites.rpg.game.world import Code, Item, Monster, World, slot_type, sum_stats
from herobench.task_gen.rpg.gear.candidates import add, gear_slots
from herobench.task_gen.rpg.gear.search import Gear

_PER_TYPE = range(2, 5)
"""The number of decoys per type of gear, if the world has as many."""
_MOST_LUCK = 0.03
"""The highest accepted share of wins for a hero who wears told gear at random."""
_DRAWS = 400
"""The number of random choices of gear that estimate this share."""
_TRIES = 4
"""The number of times that decoys are drawn before the task is given up."""

Heuristic = Callable[[Item], tuple[int, ...]]
"""Rates how strong an item looks; the highest value is the strongest."""
_HEURISTICS: tuple[Heuristic, ...] = (
    lambda item: (item.power, item.level),
    lambda item: (item.level, item.power),
    lambda item: (sum(item.worn.attack), sum(item.worn.damage), item.power),
    lambda item: (item.worn.hp, sum(item.worn.resistance), item.power),
)
"""Measures of a player who does not compute the fight: all effects, the level, the damage, the health."""


@dataclass(frozen=True)
class Matchup:
    """A hero and his target, with the gear that he is missing."""

    world: World
    rules: Rules
    target: Monster
    hero: HeroStart
    missing: Gear

    @property
    def heuristics(self) -> tuple[Heuristic, ...]:
        """The heuristics in this world, with two more for each element: attack in it, and resistance to it."""
        elements = range(len(self.world.elements))
        return (*_HEURISTICS, *map(_striking_with, elements), *map(_safe_from, elements))

    @property
    def right(self) -> dict[str, Code]:
        """The gear that the hero should wear in the end."""
        return {**self.hero.worn, **self.missing}

    def wins(self, many: Sequence[Gear]) -> list[bool]:
        """Return, for each gear set, whether the hero wins with it."""
        if not many:
            return []
        bare = sum_stats(self.hero.stats, self.world.elements)
        rows = stat_rows(add(bare, *(self.world.items[code].worn for code in gear.values())) for gear in many)
        fights = duels(Fighters.of(rows), self.target.stats, self.rules.rounds, unit=HEALTH)
        outcomes: list[bool] = fights.won.tolist()
        return outcomes

    def misleading(self, candidates: Mapping[str, Sequence[Item]]) -> dict[str, list[Item]]:
        """Return, by type, the candidates with which the hero loses in the place of any correct item of that type."""
        by_kind: dict[str, list[Item]] = {}
        # Several slots may share a type, so a decoy has to lose in each of them.
        right = self.right
        for kind in dict.fromkeys(map(slot_type, right)):
            slots = [slot for slot in right if slot_type(slot) == kind]
            others = [item for item in candidates.get(kind, ()) if item.code not in {right[slot] for slot in slots}]
            # All fights are computed in one batch, then dealt out in the same order.
            results = iter(self.wins([{**right, slot: item.code} for item in others for slot in slots]))
            fights = {item.code: [next(results) for _ in slots] for item in others}
            by_kind[kind] = [item for item in others if not any(fights[item.code])]
        return by_kind


def decoys_for(matchup: Matchup, candidates: Mapping[str, Sequence[Item]], rng: Random) -> tuple[Code, ...] | None:
    """Return decoys among the candidates that hide the correct gear, or None if there are not enough."""
    # Empty slots may show so clearly what is missing that random choices win too often.
    is_bare = matchup.missing.keys().isdisjoint(matchup.hero.worn)
    if is_bare and _PER_TYPE.stop ** -len(matchup.missing) > _MOST_LUCK:
        return None
    pools = matchup.misleading(candidates)
    # Without a decoy, a missing slot would offer one item only, which is the answer.
    if not all(pools[slot_type(slot)] for slot in matchup.missing):
        return None
    for _ in range(_TRIES):
        decoys = {kind: _some(pool, matchup.heuristics, rng) for kind, pool in pools.items()}
        if _is_hidden(matchup, decoys, rng):
            return tuple(item.code for items in decoys.values() for item in items)
    return None


def _striking_with(element: int) -> Heuristic:
    """Return the heuristic of a player who wants to attack with an element."""
    return lambda item: (item.worn.attack[element] + item.worn.damage[element], item.power)


def _safe_from(element: int) -> Heuristic:
    """Return the heuristic of a player who wants to resist an element."""
    return lambda item: (item.worn.resistance[element], item.power)


def _some(pool: Sequence[Item], heuristics: Sequence[Heuristic], rng: Random) -> list[Item]:
    """Choose a few items of a pool: one that a heuristic prefers, the others at random."""
    # Small pools give fewer decoys than wanted, never none: such tasks were rejected before.
    number = min(len(pool), rng.choice(_PER_TYPE))
    if not number:
        return []
    # Without it, the correct item could be the one that looks strongest, and a heuristic would find it.
    strongest = max(pool, key=rng.choice(heuristics))
    others = [item for item in pool if item is not strongest]
    return [strongest, *rng.sample(others, number - 1)]


def _is_hidden(matchup: Matchup, decoys: Mapping[str, Sequence[Item]], rng: Random) -> bool:
    """Return whether all heuristics lose with these decoys, and random choices nearly always."""
    gear_choices = _gear_choices(matchup, decoys)
    if any(matchup.wins(list(_heuristic_choices(gear_choices, matchup.heuristics)))):
        return False
    for choices in gear_choices:
        loadouts = [{slot: rng.choice(items).code for slot, items in choices.items()} for _ in range(_DRAWS)]
        if sum(matchup.wins(loadouts)) > _MOST_LUCK * _DRAWS:
            return False
    return True


def _gear_choices(matchup: Matchup, decoys: Mapping[str, Sequence[Item]]) -> list[dict[str, list[Item]]]:
    """Return what a player may choose from in each slot who is told some decoys and the missing gear.

    There are three ways to play with told gear: take it wherever there is some; take it or keep the worn item; take it
    for empty slots only.
    """
    items = matchup.world.items
    told_items: dict[str, list[Item]] = {}
    for kind, others in decoys.items():
        missing = {code for slot, code in matchup.missing.items() if slot_type(slot) == kind}
        told_items[kind] = sorted([*others, *map(items.__getitem__, missing)], key=lambda item: (item.level, item.code))
    world = matchup.world
    new = {slot: list(told_items[slot_type(slot)]) for slot in gear_slots(world) if told_items.get(slot_type(slot))}
    worn_items = {slot: [world.items[code]] for slot, code in matchup.hero.worn.items()}
    either = {slot: [*new.get(slot, []), *worn_items.get(slot, [])] for slot in {**new, **worn_items}}
    return [{**worn_items, **new}, either, {**new, **worn_items}]


def _heuristic_choices(
    gear_choices: Sequence[Mapping[str, Sequence[Item]]], heuristics: Sequence[Heuristic]
) -> Iterator[dict[str, Code]]:
    """Yield the gear of players who follow a heuristic, or take the first or the last told item of each slot."""
    for choices in gear_choices:
        for look in heuristics:
            yield {slot: max(items, key=look).code for slot, items in choices.items()}
        yield {slot: items[0].code for slot, items in choices.items()}
        yield {slot: items[-1].code for slot, items in choices.items()}
