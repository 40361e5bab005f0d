"""Choices of gear: the items that fit each slot, with the stats they add."""

from __future__ import annotations

from typing import NamedTuple

from herobench.rpg.world import Code, Stats


class Choice(NamedTuple):
    """An item that may be put on, with the stats that it adds."""

    item: Code
    group: int
    adds: Stats

    @property
    def armed(self) -> bool:
        """True if it adds to an attack, and so belongs to the arms."""
        return any(self.adds.attack)


class Slot(NamedTuple):
    """A slot with its choices.

    Slots of one group take the same items and hold the same item now, so it does not matter which of them an item is
    in."""

    name: str
    group: int
    choices: tuple[Choice, ...]

    def unarmed(self) -> Slot:
        """Return the slot without arms."""
        return self._replace(choices=tuple(choice for choice in self.choices if not choice.armed))


Chosen = tuple[Choice, ...]
