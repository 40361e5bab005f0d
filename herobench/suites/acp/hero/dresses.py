"""What the hero can wear on the way to his goal, which monsters he beats in it, and what a change costs.

A dress is a sorted tuple of items: slots of one type are interchangeable, so only the pieces count. To put a piece on,
or to take it off, is one action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, product

from herobench.rpg.combat import Fighter, duel
from herobench.rpg.hero import Hero
from herobench.rpg.world import Code, Stats, slot_type
from herobench.suites.acp.hero.scene import Scene
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.gear.stat_sums import add
from herobench.task_gen.gear.verdict import verdict

Dress = tuple[Code, ...]


class Dresses:
    """The dresses of a hero of some level, with cached fights. They do not depend on what he has and wears now."""

    def __init__(self, scene: Scene, goal: Counter[Code]) -> None:
        self._world, self._rules = scene.world, scene.rules
        self._goal = goal
        self._room = Counter(map(slot_type, gear_slots(scene.world)))
        self._bare = Hero(scene.world, replace(scene.task.hero, worn={})).stats
        self._level = scene.task.hero.combat[0]
        self._won: dict[tuple[Code, Dress], bool] = {}
        self._changes: dict[tuple[Code, Dress, Dress], tuple[Dress, ...]] = {}
        self._ends: dict[tuple[Code, Dress, Dress], int | None] = {}

    def wearable(self, code: Code) -> bool:
        """Return whether an item is gear that the hero may put on."""
        item = self._world.items.get(code)
        return item is not None and item.type in self._room and item.level <= self._level

    def room(self, code: Code) -> int:
        """Return how many pieces of an item can be worn at once."""
        return self._room[self._world.items[code].type]

    def beats(self, who: Code, dress: Dress) -> bool:
        """Return whether the hero beats a monster in a dress."""
        if (who, dress) not in self._won:
            stats = add(self._bare, *(self._world.items[code].worn for code in dress))
            opponent, rounds = self._world.monsters[who].stats, self._rules.rounds
            certain = verdict(stats, opponent, rounds)
            self._won[who, dress] = duel(Fighter(stats), opponent, rounds).won if certain is None else certain
        return self._won[who, dress]

    def left(self, dress: Dress) -> int:
        """Return the least cost of wearing all that the goal asks for: a piece without room makes another come off."""
        lacking = self._goal - Counter(dress)
        on, need = Counter(map(self._type, dress)), Counter[str]()
        for code, count in lacking.items():
            need[self._type(code)] += count
        return sum(count + max(0, count - (self._room[kind] - on[kind])) for kind, count in need.items())

    def winning(self, who: Code, now: Dress, owned: Dress) -> tuple[Dress, ...]:
        """Return the dresses that beat a monster by a change of which no part would do."""
        key = (who, now, owned)
        if key not in self._changes:
            self._changes[key] = tuple(self._least_changes(who, now, owned))
        return self._changes[key]

    def end(self, who: Code, now: Dress, owned: Dress) -> int | None:
        """Return the least cost of a dress that has all that the goal asks for and beats the target; None if none."""
        key = (who, now, owned)
        if key not in self._ends:
            dresses = (_joined(parts) for parts in product(*self._complete(owned)))
            costs = (cost(now, dress) for dress in dresses if self.beats(who, dress))
            self._ends[key] = min(costs, default=None)
        return self._ends[key]

    def _least_changes(self, who: Code, now: Dress, owned: Dress) -> Iterator[Dress]:
        kept = self._by_type(now)
        choices = {
            kind: list(self._useful(kind, kept.get(kind, ()), pieces)) for kind, pieces in self._by_type(owned).items()
        }
        found: list[Dress] = []
        for size in range(len(choices) + 1):
            for kinds in combinations(sorted(choices), size):
                rest = [part for kind, part in kept.items() if kind not in kinds]
                for parts in product(*(choices[kind] for kind in kinds)):
                    dress = _joined((*rest, *parts))
                    if not any(_is_part(now, less, dress) for less in found) and self.beats(who, dress):
                        found.append(dress)
                        yield dress

    def _useful(self, kind: str, now: Dress, pieces: Dress) -> Iterator[Dress]:
        """Yield what can be worn of a type in place of what is, without what a part of the change makes as good."""
        tried = [now]
        for part in sorted(_parts(pieces, self._room[kind]), key=lambda part: (cost(now, part), part)):
            if part != now and not any(_is_part(now, less, part) and self._as_good(less, part) for less in tried):
                tried.append(part)
                yield part

    def _complete(self, owned: Dress) -> list[list[Dress]]:
        """Return, for each type, what can be worn of it that has what the goal asks for."""
        asked = self._by_type(self._goal.elements())
        pieces = self._by_type(owned)
        return [
            [
                part
                for part in _parts(pieces[kind], self._room[kind])
                if not Counter(asked.get(kind, ())) - Counter(part)
            ]
            for kind in sorted(pieces)
        ]

    def _as_good(self, one: Dress, other: Dress) -> bool:
        """Return whether a dress is as good as another in every fight. Only what is equal is known to be, or more."""
        better, worse = (self._sum(dress) for dress in (one, other))
        if better == worse:
            return True
        # More attack or damage may heal a monster, and never does where resistances are not above 100 %.
        if not self._more_is_better:
            return False
        return all(high >= low for high, low in zip(_values(better), _values(worse), strict=True))

    @cached_property
    def _more_is_better(self) -> bool:
        gear = (item.worn for item in self._world.items.values() if item.type in self._room)
        least = sum(min(0, *stats.damage) for stats in (self._bare, *gear))
        effects = any(item.worn.round_effects for item in self._world.items.values())
        effects = effects or any(monster.stats.round_effects for monster in self._world.monsters.values())
        monsters = self._world.monsters.values()
        return not effects and all(max(monster.stats.resistance) <= 100 + least for monster in monsters)

    def _sum(self, dress: Dress) -> Stats:
        return add(self._bare, *(self._world.items[code].worn for code in dress))

    def _type(self, code: Code) -> str:
        return self._world.items[code].type

    def _by_type(self, dress: Iterable[Code]) -> dict[str, Dress]:
        parts: dict[str, Dress] = {}
        for code in sorted(dress):
            parts[self._type(code)] = (*parts.get(self._type(code), ()), code)
        return parts


def cost(now: Dress, then: Dress) -> int:
    """Return the number of actions of a change."""
    one, other = Counter(now), Counter(then)
    return (one - other).total() + (other - one).total()


def _is_part(now: Dress, less: Dress, more: Dress) -> bool:
    """Return whether one change from now is a part of another: on the way to the one the other can be made."""
    return cost(now, less) + cost(less, more) == cost(now, more)


def _parts(pieces: Dress, room: int) -> list[Dress]:
    sizes = range(min(room, len(pieces)) + 1)
    return sorted({part for size in sizes for part in combinations(pieces, size)})


def _joined(parts: Sequence[Dress]) -> Dress:
    return tuple(sorted(code for part in parts for code in part))


def _values(stats: Stats) -> Iterator[int]:
    yield stats.hp
    for values in (stats.attack, stats.damage, stats.resistance):
        yield from values
