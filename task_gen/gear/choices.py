"""What may be worn where: items as choices for slots, and sets of them."""

from __future__ import annotations

from typing import NamedTuple

from herobench.rpg.world import Code, Stats


class Choice(NamedTuple):
    """An item that may be put on, with what it adds to the stats of who does."""

    item: Code
    group: int
    adds: Stats

    @property
    def armed(self) -> bool:
        """Whether it belongs to the arms."""
        return any(self.adds.attack)


class Slot(NamedTuple):
    """A slot with what may be put into it. Slots of one group take the same items and hold the same now, so it does
    not matter which of them an item is in."""

    name: str
    group: int
    choices: tuple[Choice, ...]

    def unarmed(self) -> Slot:
        """The slot without what belongs to the arms."""
        return self._replace(choices=tuple(choice for choice in self.choices if not choice.armed))


Chosen = tuple[Choice, ...]
