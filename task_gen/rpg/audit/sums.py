"""Choices by told numbers, without a fight: weighted sums, and loadouts that beat monsters in other tasks.

Weighted sums take for each slot the piece with the highest sum of told numbers, some of them times the monster's. No
round is computed and no strike. An attack is weighted by the share that the monster's resistance lets through, a
resistance by the monster's attack, and a bonus to hits by the attack of the weapon. For each weapon the best pieces of
the other slots are taken, and then the weapon with the highest sum of all. That is how an attacker with a pocket
calculator would choose, and what courses are meant to resist.

Anyone can read the tasks of a public set, and the loadouts that their certificates tell. `lookup` wears what beat the
same monster in another task of the same world. `nearest` finds the most similar monster in all other tasks of any
world, and takes for each slot the told piece whose numbers are most like those of the piece worn there. Elements may
have other names in another world, so they are matched in the order in which the two monsters are most alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from herobench.suites.rpg.game.combat_batch import Numbers
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Item, Stats, World, slot_type
from herobench.task_gen.rpg.audit.case import Case, OpenSlot, wearing
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.oracle.loadouts import goal_loadouts

FEATURES = ("hits", "bonus", "wards", "hp", "attack", "damage", "resistance", "through", "level")
"""What is told of a piece. The first three are products with the monster's numbers, and so is `through`."""
_PERCENT = 100


class Foe(NamedTuple):
    """A monster, as the sums see it: the share of each element that comes through, and what it strikes with."""

    through: Numbers
    strikes: Numbers

    @classmethod
    def of(cls, stats: Stats) -> Foe:
        """Return a monster by its told numbers."""
        attack, damage = np.array(stats.attack), np.array(stats.damage)
        return cls(1 - np.array(stats.resistance) / _PERCENT, attack * (1 + damage / _PERCENT))


def features(pieces: Sequence[Item], foe: Foe, arm: Item | None) -> Numbers:
    """Return a row of FEATURES for each piece that may stand beside a weapon."""
    attack = np.array([piece.worn.attack for piece in pieces], dtype=np.float64)
    damage = np.array([piece.worn.damage for piece in pieces]) / _PERCENT
    resistance = np.array([piece.worn.resistance for piece in pieces]) / _PERCENT
    armed = foe.through * (np.array(arm.worn.attack) if arm else 0)
    return np.stack(
        [
            attack @ foe.through,
            damage @ armed,
            resistance @ foe.strikes,
            np.array([piece.worn.hp for piece in pieces], dtype=np.float64),
            attack.sum(axis=1),
            damage.sum(axis=1),
            resistance.sum(axis=1),
            damage @ foe.through,
            np.array([piece.level for piece in pieces], dtype=np.float64),
        ],
        axis=1,
    )


Rate = Callable[[Sequence[Numbers]], Sequence[Numbers]]
"""Rates the pieces of each slot, given the features of the pieces of each slot."""


class Weights(NamedTuple):
    """Fixed weights: of damage dealt a round, of damage warded off a round, and of health."""

    dealt: float
    warded: float
    health: float

    def rate(self, slots: Sequence[Numbers]) -> list[Numbers]:
        """Return the sum for each piece of each slot."""
        weights = np.zeros(len(FEATURES))
        weights[:4] = self.dealt, self.dealt, self.warded, self.health
        return [rows @ weights for rows in slots]


WEIGHTS: Mapping[str, Weights] = MappingProxyType(
    {
        "sum": Weights(1, 2, 0.1),
        "sum_attack": Weights(1, 1, 0.05),
        "sum_defence": Weights(1, 4, 0.1),
    }
)
"""The fixed weights by family. A fight has some twenty rounds, so a point of health counts a twentieth of a ward; and
heroes deal more than they take, so a ward counts more than a hit."""


def summed_gear(case: Case, rate: Rate) -> dict[str, Item]:
    """Return the piece for each slot that is rated highest, with the weapon for which the sum of all is highest."""
    slots = case.all_slots
    foe = Foe.of(case.world.monsters[case.task.target].stats)
    armed = next((number for number, slot in enumerate(slots) if any(map(is_arm, slot.either))), None)
    best: tuple[float, dict[str, Item]] = (-np.inf, {})
    for number, arm in enumerate([None] if armed is None else slots[armed].either):
        worths = list(rate([features(slot.either, foe, arm) for slot in slots])) if slots else []
        if armed is not None:
            worths[armed] = np.where(np.arange(len(worths[armed])) == number, worths[armed], -np.inf)
        dealt = _dealt(case, slots, worths)
        if dealt[0] > best[0]:
            best = dealt
    return best[1]


def _dealt(case: Case, slots: Sequence[OpenSlot], worths: Sequence[Numbers]) -> tuple[float, dict[str, Item]]:
    """Return the highest sum, and its pieces. The supply of pieces that cannot be made is limited."""
    left = Counter(case.spare)
    total, chosen = 0.0, dict[str, Item]()
    for slot, worth in zip(slots, worths, strict=True):
        for number in np.argsort(-worth, kind="stable"):
            item = slot.either[number]
            if item is slot.worn or item.code not in case.spare or left[item.code]:
                left[item.code] -= item is not slot.worn
                total += float(worth[number])
                chosen[slot.slot] = item
                break
    return total, chosen


def is_arm(item: Item) -> bool:
    """Return whether a piece adds to an attack."""
    return any(item.worn.attack)


def by_sum(case: Case, rate: Rate) -> Journey:
    """Make the pieces with the highest sums, put them on and fight."""
    return wearing(case, summed_gear(case, rate))


# -- loadouts of other tasks -------------------------------------------------------------------------------------------


class PublicFight(NamedTuple):
    """A monster, and a loadout that beats it: by slot, the code and the numbers of each piece."""

    world: str
    """The digest of the world."""
    who: Code
    foe: Stats
    loadout: tuple[tuple[str, Code, Stats], ...]


class PublicTasks:
    """The fights of a set's tasks."""

    def __init__(self, tasks: Iterable[tuple[World, Task]] = ()) -> None:
        """Take in the fights of some tasks, each with its world. A task that no plan wins has none."""
        self._tasks: dict[PublicFight, set[str]] = {}
        for world, task in tasks:
            if task.impossible is None:
                self._add(world, task)

    def _add(self, world: World, task: Task) -> None:
        for goal, loadout in zip(task.goals, goal_loadouts(task), strict=True):
            if goal.kind == "kill":
                worn = tuple((slot, code, world.items[code].worn) for slot, code in sorted(loadout.items()))
                fight = PublicFight(task.world, goal.target, world.monsters[goal.target].stats, worn)
                self._tasks.setdefault(fight, set()).add(task.id)

    def beside(self, task: Task) -> list[PublicFight]:
        """Return the fights of all tasks but one."""
        return [fight for fight, tasks in self._tasks.items() if tasks != {task.id}]


def looked_up(case: Case, fights: Iterable[PublicFight]) -> tuple[dict[str, Item], bool]:
    """Return what beat the target in another task, as far as the hero can have it on, and whether that is all of it.

    Of several loadouts, it takes the one with the most available pieces, then the one with the fewest changes.
    """
    known = [fight for fight in fights if (fight.world, fight.who) == (case.task.world, case.task.target)]
    worn = case.task.hero.worn

    def rank(fight: PublicFight) -> tuple[float, int]:
        gear = _placed(case, fight)
        return len(gear) / max(1, len(fight.loadout)), -sum(worn.get(slot) != item.code for slot, item in gear.items())

    best = max(known, key=rank, default=None)
    gear = _placed(case, best) if best else {}
    return gear, best is not None and len(gear) == len(best.loadout)


def _placed(case: Case, fight: PublicFight) -> dict[str, Item]:
    """Return the pieces of a loadout that can be had, each in a slot of its type: where it is worn, if it is."""
    left, spare = Counter(code for _, code, _ in fight.loadout), Counter(case.spare)
    found: dict[str, Item] = {}
    for slot in case.all_slots:
        if slot.worn and left[slot.worn.code]:
            left[slot.worn.code] -= 1
            found[slot.slot] = slot.worn
    for slot in case.all_slots:
        if slot.slot not in found:
            for item in slot.told:
                if left[item.code] > 0 and (item.code not in spare or spare[item.code] > 0):
                    left[item.code] -= 1
                    spare[item.code] -= 1
                    found[slot.slot] = item
                    break
    return found


def nearest_gear(case: Case, fights: Sequence[PublicFight]) -> dict[str, Item]:
    """Return the told pieces that are most like a loadout that beat the most similar monster.

    Of several such loadouts, it takes the one that the told pieces are nearest to.
    """
    target = case.world.monsters[case.task.target].stats
    ways = (_alike(case, fight, order) for fight, order in _most_alike(target, fights))
    return min(ways, key=lambda way: way[0], default=(0.0, {}))[1]


def _alike(case: Case, fight: PublicFight, order: tuple[int, ...]) -> tuple[float, dict[str, Item]]:
    """Return the pieces that are most like a loadout, and how far they are from it in all."""
    left: dict[str, list[Numbers]] = {}
    for name, _, stats in fight.loadout:
        left.setdefault(slot_type(name), []).append(_numbers(stats, order))
    off, gear, spare = 0.0, dict[str, Item](), Counter(case.spare)
    for slot in case.all_slots:
        wished = left.get(slot_type(slot.slot))
        if wished:
            like = wished.pop(0)
            items = [item for item in slot.either if item is slot.worn or spare.get(item.code, 1) > 0]
            far = [float(np.abs(_numbers(item.worn) - like).sum()) for item in items]
            item = items[int(np.argmin(far))]
            off += min(far)
            if item.code in spare and item is not slot.worn:
                spare[item.code] -= 1
            gear[slot.slot] = item
    return off, gear


def _most_alike(target: Stats, fights: Sequence[PublicFight]) -> list[tuple[PublicFight, tuple[int, ...]]]:
    """Return the fights against the most similar monster, each with the order of elements in which it is."""
    elements = len(target.attack)
    foes = list(dict.fromkeys(fight.foe for fight in fights if len(fight.foe.attack) == elements))
    if not foes:
        return []
    orders = list(permutations(range(elements))) if elements <= _MOST_PERMUTED else [tuple(range(elements))]
    rows = np.stack([_numbers(foe) for foe in foes])
    # Health is in the hundreds or thousands, the rest in tens.
    scale = np.maximum(np.abs(rows).mean(axis=0), 1)
    turned = np.stack([rows[:, _columns(elements, order)] for order in orders])
    off = np.abs((turned - _numbers(target)) / scale).sum(axis=2)
    order, nearest = np.unravel_index(int(np.argmin(off)), off.shape)
    found = [fight for fight in fights if fight.foe == foes[nearest]]
    return [(fight, orders[order]) for fight in found[:_MOST_LOADOUTS]]


_MOST_LOADOUTS = 100
"""The most loadouts that are compared with the told pieces."""
_MOST_PERMUTED = 5
"""The most elements of which all orders are tried."""


@lru_cache(maxsize=20_000)  # a long course asks for the same pieces again and again
def _numbers(stats: Stats, order: tuple[int, ...] | None = None) -> Numbers:
    """Return stats as numbers, with the elements in an order."""
    found = np.array([stats.hp, *stats.attack, *stats.damage, *stats.resistance], dtype=np.float64)
    return found if order is None else found[_columns(len(stats.attack), order)]


def _columns(elements: int, order: Sequence[int]) -> list[int]:
    return [0, *(1 + elements * block + element for block in range(3) for element in order)]
