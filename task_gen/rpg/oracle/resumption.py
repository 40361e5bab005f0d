"""Continues from any position with the certified plan of the task: shows that a goal is in reach, and by which steps.

The certified plan says what is made, in what gear each fight is won, and where. From another position the same work is
done in the same order: before each fight the hero changes into the gear that he wore then, and goes to the place. The
game plays these steps, so a win is shown and not assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from herobench.suites.rpg.game.calls import PLACE_BOUND, Call
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.world import CONSUMABLE, Place, slot_type


class _Deed(NamedTuple):
    """A call of the certified plan with what it needs: the place, and for a fight the gear."""

    call: Call
    place: Place
    worn: Mapping[str, str]


class Resumption:
    """Goes on from positions of one task by its certified plan."""

    def __init__(self, start: GamePosition, certificate: Sequence[Call]) -> None:
        self._deeds = list(_deeds(start.fork(), certificate))

    def calls(self, position: GamePosition) -> list[Call] | None:
        """Return calls that win from a position; None if the certified plan does not show the way."""
        if position.ended:
            return None
        here = position.fork()
        calls = list(self._play(here))
        return calls if here.won else None

    def _play(self, position: GamePosition) -> Iterator[Call]:
        """Play the deeds, and yield the calls."""
        for deed in self._deeds:
            for call in _with_way(position, deed):
                position.act(call.action)
                yield call
                if position.won or position.ended:
                    return


def _deeds(position: GamePosition, calls: Iterable[Call]) -> Iterator[_Deed]:
    for call in calls:
        if position.won or position.ended:
            return
        hero = position.game.hero
        is_food = call.name in ("equip", "unequip") and call.values and slot_type(str(call.values[1])) == CONSUMABLE
        if call.name in PLACE_BOUND or is_food:
            yield _Deed(call, hero.place, dict(hero.worn))
        position.act(call.action)


def _with_way(position: GamePosition, deed: _Deed) -> Iterator[Call]:
    """Yield the calls of a deed: changes of gear before a fight, the way, and the call itself."""
    hero = position.game.hero
    if deed.call.name == "fight":
        for slot in position.game.world.slots:
            now, then = hero.worn.get(slot), deed.worn.get(slot)
            if now != then and slot_type(slot) != CONSUMABLE:
                if now:
                    yield Call.to("unequip", slot)
                if then:
                    yield Call.to("equip", slot, then)
    if deed.call.name in PLACE_BOUND and hero.place != deed.place:
        yield Call.to("move", *deed.place)
    yield deed.call
