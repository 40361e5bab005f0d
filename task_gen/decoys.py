"""Decoys: other gear that is told beside the right one, so that the right one has to be computed.

Told for the slots of the missing gear and for those of the gear that is worn, so that it does not show what is missing.
The hero can make all of it, here and now; with any one of it in the place of the right item he loses. How the told gear
looks gives nothing away either: whoever takes what looks strongest, by any simple measure, or takes something at
random, loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from herobench.combat_batch import Fighters, duels
from herobench.hero import HeroStart
from herobench.rules import Rules
from herobench.task_gen.gear_search import Gear
from herobench.task_gen.noise import power
from herobench.task_gen.stats import add
from herobench.world import Code, Item, Monster, World, slot_type, stats_of

PER_TYPE = range(2, 5)
"""How many decoys are told for a type of gear, where there are so many."""
MOST_LUCK = 0.03
"""How often at most someone wins who puts on told gear at random."""
_DRAWS = 400
_TRIES = 4

Look = Callable[[Item], tuple[int, ...]]
LOOKS: Mapping[str, Look] = {
    "power": lambda item: (power(item), item.level),
    "level": lambda item: (item.level, power(item)),
    "damage": lambda item: (sum(item.worn.attack), sum(item.worn.damage), power(item)),
    "health": lambda item: (item.worn.hp, sum(item.worn.resistance), power(item)),
}
"""What makes gear look strong, to one who does not compute the fight."""


@dataclass(frozen=True)
class Fitting:
    """A hero before his target, and what he could put on besides the right gear."""

    world: World
    rules: Rules
    target: Monster
    hero: HeroStart
    missing: Gear

    @property
    def right(self) -> dict[str, Code]:
        """What he has on when all is as it should be."""
        return {**self.hero.worn, **self.missing}

    def wins(self, many: Sequence[Gear]) -> list[bool]:
        """With which gear he wins."""
        bare = stats_of(self.hero.stats, self.world.elements)
        rows = [add(bare, *(self.world.items[code].worn for code in gear.values())) for gear in many]
        columns = np.array([[row.hp, *row.attack, *row.damage, *row.resistance] for row in rows], dtype=np.float64)
        elements = len(self.world.elements)
        hp, attack, damage, resistance = np.split(columns, [1, 1 + elements, 1 + 2 * elements], axis=1)
        won: list[bool] = duels(
            Fighters(hp[:, 0], attack, damage, resistance), self.target.stats, self.rules.rounds
        ).won.tolist()
        return won

    def misleading(self, candidates: Mapping[str, Sequence[Item]]) -> dict[str, list[Item]]:
        """By type, the candidates that lose in the place of any right item of their type."""
        found: dict[str, list[Item]] = {}
        right = self.right
        for kind in dict.fromkeys(map(slot_type, right)):
            slots = [slot for slot in right if slot_type(slot) == kind]
            others = [item for item in candidates.get(kind, ()) if item.code not in {right[slot] for slot in slots}]
            found[kind] = [
                item for item in others if not any(self.wins([{**right, slot: item.code} for slot in slots]))
            ]
        return found


def decoys_for(fitting: Fitting, candidates: Mapping[str, Sequence[Item]], chance: Random) -> tuple[Code, ...] | None:
    """Decoys among the candidates, by type, that hide the right gear; None where there are not enough."""
    pools = fitting.misleading(candidates)
    if not all(pools[slot_type(slot)] for slot in fitting.missing):
        return None
    for _ in range(_TRIES):
        chosen = {kind: _some(pool, chance) for kind, pool in pools.items()}
        if _is_hidden(fitting, chosen, chance):
            return tuple(item.code for items in chosen.values() for item in items)
    return None


def _some(pool: Sequence[Item], chance: Random) -> list[Item]:
    """A few of a pool: the one that looks strongest, others by chance."""
    number = min(len(pool), chance.choice(PER_TYPE))
    if not number:
        return []
    strongest = max(pool, key=LOOKS[chance.choice(sorted(LOOKS))])
    others = [item for item in pool if item is not strongest]
    return [strongest, *chance.sample(others, number - 1)]


def _is_hidden(fitting: Fitting, decoys: Mapping[str, Sequence[Item]], chance: Random) -> bool:
    """Whether all simple ways to choose among what is told lose, and choosing at random nearly always."""
    told = _told(fitting, decoys)
    if any(fitting.wins(list(looked_at(told)))):
        return False
    drawn = [
        {slot: chance.choice(items).code for slot, items in choices.items()} for choices in told for _ in range(_DRAWS)
    ]
    return sum(fitting.wins(drawn)) <= MOST_LUCK * len(drawn)


def _told(fitting: Fitting, decoys: Mapping[str, Sequence[Item]]) -> list[dict[str, list[Item]]]:
    """What may be chosen from in each slot: what is told to be made; and that with what is worn."""
    world = fitting.world
    to_make: dict[str, list[Item]] = {}
    for kind, items in decoys.items():
        missing = {code for slot, code in fitting.missing.items() if slot_type(slot) == kind}
        told = [*items, *(world.items[code] for code in missing)]
        to_make[kind] = sorted(told, key=lambda item: (item.level, item.code))
    new = {slot: to_make[slot_type(slot)] for slot in fitting.right if to_make[slot_type(slot)]}
    kept = {slot: [world.items[code]] for slot, code in fitting.hero.worn.items()}
    either = {slot: [*new.get(slot, []), *kept.get(slot, [])] for slot in fitting.right}
    return [{**kept, **new}, either]


def looked_at(told: Sequence[Mapping[str, Sequence[Item]]]) -> Iterator[dict[str, Code]]:
    """What is put on by those who go by looks, or by the order in which things are told."""
    for choices in told:
        for look in LOOKS.values():
            yield {slot: max(items, key=look).code for slot, items in choices.items()}
        yield {slot: items[0].code for slot, items in choices.items()}
        yield {slot: items[-1].code for slot, items in choices.items()}
