"""Loadouts: the outfits of a task's hero from his own and the missing gear, and what a change costs.

The search over job orders uses this. A relaxed search may also wear OTHER, at a given cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.gear.outfit_search import OutfitSearch


class Piece(NamedTuple):
    """An item of the hero's gear, with the slot that the task names for it."""

    slot: str
    code: Code
    new: bool
    """True for missing gear, False for gear that the hero has at the start."""


Loadout = frozenset[Piece]
OTHER = Piece("", "", new=False)
"""Any gear or food that the task does not name. A relaxation: with it on, the hero is assumed to beat everyone."""


class Loadouts(OutfitSearch[Piece]):
    """The loadouts of one hero."""

    def __init__(self, world: World, rules: Rules, task: Task, other_cost: int | None = None) -> None:
        """Prepare the loadouts; to put on OTHER costs `other_cost`, and is impossible if that is None."""
        self._other_cost = other_cost
        self.start = frozenset(Piece(slot, code, new=False) for slot, code in task.hero.worn.items())
        self._new = frozenset(Piece(slot, code, new=True) for slot, code in task.missing.items())
        bare = Hero(world, replace(task.hero, worn={})).stats
        gear = [world.items[piece.code].worn for piece in self.start | self._new]
        super().__init__(world, rules, bare, Counter(map(slot_type, gear_slots(world))), gear)

    def left(self, loadout: Loadout) -> int:
        """Return the least cost of wearing all missing gear."""
        return self.lacking(loadout, self._new)

    def cost(self, now: Loadout, then: Loadout) -> int:
        """Return the cost of a change of loadout."""
        change = now ^ then
        other = self._other_cost if self._other_cost is not None and OTHER in change else 0
        return len(change - {OTHER}) + other

    def winning(self, who: Code, now: Loadout, owned: Collection[str], extra_hp: int) -> tuple[Loadout, ...]:
        """Return the loadouts that beat a monster by a minimal change: no subset of the change would do.

        `owned` are the slots whose missing gear the hero has by then.
        """
        return self.changes(who, now, self.start.union(piece for piece in self._new if piece.slot in owned), extra_hp)

    def complete(self, who: Code, now: Loadout, extra_hp: int) -> Iterator[Loadout]:
        """Yield the loadouts with all missing gear on that beat a monster."""
        with_other = [now & {OTHER}] if self._other_cost is None or OTHER in now else [Loadout(), Loadout([OTHER])]
        for whole in self.with_all(self._new, self.start | self._new):
            for other in with_other:
                if self.beats(who, whole | other, extra_hp):
                    yield whole | other

    def _least_changes(self, who: Code, now: Loadout, owned: Loadout, extra_hp: int) -> Iterator[Loadout]:
        if self._other_cost is not None and OTHER not in now:
            # The relaxed way to win: put OTHER on, at the least cost that such gear can have.
            yield now | {OTHER}
        yield from super()._least_changes(who, now, owned, extra_hp)

    def _wins(self, who: Code, loadout: Loadout, extra_hp: int) -> bool:
        return OTHER in loadout or super()._wins(who, loadout, extra_hp)
