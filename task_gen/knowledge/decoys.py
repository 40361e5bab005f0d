"""Decoys: other gear that is told beside the right one, so that the right one has to be computed.

Told for the slots of the missing gear and for those of the gear that is worn, so that it does not show what is missing.
The hero can make all of it, here and now; with any one of it in the place of the right item he loses. How the told gear
looks gives nothing away either: whoever takes what looks strongest, by any simple measure or in one element, or takes
something at random, loses, whether he changes everything, keeps what he thinks is better, or fills empty slots only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from herobench.rpg.combat_batch import Fighters, duels, rows_of
from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, Item, Monster, World, slot_type, stats_of
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.gear.search import Gear
from herobench.task_gen.gear.stats import add
from herobench.task_gen.knowledge.noise import power

PER_TYPE = range(2, 5)
"""How many decoys are told for a type of gear, where there are so many."""
MOST_LUCK = 0.03
"""How often at most someone wins who puts on told gear at random."""
_DRAWS = 400
_TRIES = 4

Look = Callable[[Item], tuple[int, ...]]
LOOKS: tuple[Look, ...] = (
    lambda item: (power(item), item.level),
    lambda item: (item.level, power(item)),
    lambda item: (sum(item.worn.attack), sum(item.worn.damage), power(item)),
    lambda item: (item.worn.hp, sum(item.worn.resistance), power(item)),
)
"""What makes gear look strong, to one who does not compute the fight: all its effects, its level, its damage, its
health."""


@dataclass(frozen=True)
class Fitting:
    """A hero before his target, and what he could put on besides the right gear."""

    world: World
    rules: Rules
    target: Monster
    hero: HeroStart
    missing: Gear

    @property
    def looks(self) -> tuple[Look, ...]:
        """How gear may look strong here: by itself, or in an element, such as that which the target resists least."""
        elements = range(len(self.world.elements))
        return (*LOOKS, *map(_striking_with, elements), *map(_safe_from, elements))

    @property
    def right(self) -> dict[str, Code]:
        """What he has on when all is as it should be."""
        return {**self.hero.worn, **self.missing}

    def wins(self, many: Sequence[Gear]) -> list[bool]:
        """With which gear he wins."""
        if not many:
            return []
        bare = stats_of(self.hero.stats, self.world.elements)
        rows = rows_of(add(bare, *(self.world.items[code].worn for code in gear.values())) for gear in many)
        won: list[bool] = duels(Fighters.of(rows), self.target.stats, self.rules.rounds).won.tolist()
        return won

    def misleading(self, candidates: Mapping[str, Sequence[Item]]) -> dict[str, list[Item]]:
        """By type, the candidates that lose in the place of any right item of their type."""
        found: dict[str, list[Item]] = {}
        right = self.right
        for kind in dict.fromkeys(map(slot_type, right)):
            slots = [slot for slot in right if slot_type(slot) == kind]
            others = [item for item in candidates.get(kind, ()) if item.code not in {right[slot] for slot in slots}]
            won = iter(self.wins([{**right, slot: item.code} for item in others for slot in slots]))
            fights = {item.code: [next(won) for _ in slots] for item in others}
            found[kind] = [item for item in others if not any(fights[item.code])]
        return found


def decoys_for(fitting: Fitting, candidates: Mapping[str, Sequence[Item]], chance: Random) -> tuple[Code, ...] | None:
    """Decoys among the candidates, by type, that hide the right gear; None where there are not enough."""
    if _shows(fitting):
        return None
    pools = fitting.misleading(candidates)
    if not all(pools[slot_type(slot)] for slot in fitting.missing):
        return None
    for _ in range(_TRIES):
        chosen = {kind: _some(pool, fitting.looks, chance) for kind, pool in pools.items()}
        if _is_hidden(fitting, chosen, chance):
            return tuple(item.code for items in chosen.values() for item in items)
    return None


def _shows(fitting: Fitting) -> bool:
    """Whether empty slots show what is missing so well that he wins too often who fills them at random."""
    return fitting.missing.keys().isdisjoint(fitting.hero.worn) and PER_TYPE.stop ** -len(fitting.missing) > MOST_LUCK


def _striking_with(element: int) -> Look:
    """How strong gear looks to one who wants to strike with an element."""
    return lambda item: (item.worn.attack[element] + item.worn.damage[element], power(item))


def _safe_from(element: int) -> Look:
    """How strong gear looks to one who wants to be safe from an element."""
    return lambda item: (item.worn.resistance[element], power(item))


def _some(pool: Sequence[Item], looks: Sequence[Look], chance: Random) -> list[Item]:
    """A few of a pool: the one that looks strongest, others by chance."""
    number = min(len(pool), chance.choice(PER_TYPE))
    if not number:
        return []
    strongest = max(pool, key=chance.choice(looks))
    others = [item for item in pool if item is not strongest]
    return [strongest, *chance.sample(others, number - 1)]


def _is_hidden(fitting: Fitting, decoys: Mapping[str, Sequence[Item]], chance: Random) -> bool:
    """Whether all simple ways to choose among what is told lose, and choosing at random nearly always."""
    told = _told(fitting, decoys)
    if any(fitting.wins(list(looked_at(told, fitting.looks)))):
        return False
    for choices in told:
        drawn = [{slot: chance.choice(items).code for slot, items in choices.items()} for _ in range(_DRAWS)]
        if sum(fitting.wins(drawn)) > MOST_LUCK * _DRAWS:
            return False
    return True


def _told(fitting: Fitting, decoys: Mapping[str, Sequence[Item]]) -> list[dict[str, list[Item]]]:
    """What may be chosen from in each slot: what is told to be made; that or what is worn; and what is told to be made
    where nothing is worn, by someone who leaves the rest as it is."""
    world = fitting.world
    to_make: dict[str, list[Item]] = {}
    for kind, items in decoys.items():
        missing = {code for slot, code in fitting.missing.items() if slot_type(slot) == kind}
        told = [*items, *(world.items[code] for code in missing)]
        to_make[kind] = sorted(told, key=lambda item: (item.level, item.code))
    new = {slot: to_make[slot_type(slot)] for slot in gear_slots(world) if to_make.get(slot_type(slot))}
    kept = {slot: [world.items[code]] for slot, code in fitting.hero.worn.items()}
    either = {slot: [*new.get(slot, []), *kept.get(slot, [])] for slot in {**new, **kept}}
    return [{**kept, **new}, either, {**new, **kept}]


def looked_at(told: Sequence[Mapping[str, Sequence[Item]]], looks: Sequence[Look]) -> Iterator[dict[str, Code]]:
    """What is put on by those who go by looks, or by the order in which things are told."""
    for choices in told:
        for look in looks:
            yield {slot: max(items, key=look).code for slot, items in choices.items()}
        yield {slot: items[0].code for slot, items in choices.items()}
        yield {slot: items[-1].code for slot, items in choices.items()}
