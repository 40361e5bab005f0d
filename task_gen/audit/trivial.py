"""Trivial players: they go to what the prompt tells and make nothing, or give every task up.

Played by the models of the same names and by the audit. A score that they reach is no measure of planning, so the audit
shows what they get beside what they win. None of them looks at more than the told places and the told hero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from herobench.rpg.combat import duel
from herobench.rpg.world import Code, Place
from herobench.task_gen.audit.case import Case
from herobench.task_gen.audit.journey import Journey
from herobench.task_gen.audit.told import Told


class Trivial(NamedTuple):
    """A trivial player: what it does in a few words, and how it plays."""

    words: str
    play: Callable[[Case], Journey]


def _noop(case: Case) -> Journey:
    return case.journey()


def _gatherer(case: Case) -> Journey:
    told, journey = case.told, case.journey()
    for place in told.places("resource", None):
        _at(journey, place, "gather")
    for code in sorted(told.sold):
        journey.go("grand_exchange")
        journey.do("buy", code, 1)
    return journey


def _visitor(case: Case) -> Journey:
    journey = _gatherer(case)
    # Fights come last and the weakest monster first, because a defeat may end the plan.
    for place in _lairs(case.told).values():
        _at(journey, place, "fight")
    return journey


def _collector(case: Case) -> Journey:
    """Fight every monster that the hero beats as he is then: victories raise his level, and he may beat more."""
    journey = _gatherer(case)
    left = _lairs(case.told)
    while (beaten := next((who for who in left if _beats(journey, who)), None)) is not None:
        _at(journey, left.pop(beaten), "fight")
    return journey


def _refuser(case: Case) -> Journey:
    journey = case.journey()
    journey.give_up()
    return journey


TRIVIAL: Mapping[str, Trivial] = MappingProxyType(
    {
        "noop": Trivial("do nothing", _noop),
        "gatherer": Trivial("gather or buy each told resource once", _gatherer),
        "visitor": Trivial("gather, then fight once at a place of each told monster", _visitor),
        "collector": Trivial("gather, then fight each told monster that can be beaten", _collector),
        "refuser": Trivial("give every task up", _refuser),
    }
)
"""The trivial players by name."""


def _lairs(told: Told) -> dict[Code, Place]:
    """Return one told place of each monster that stands at one, the weakest monster first."""
    monsters, standing = told.world.monsters, told.world.standing("monster")
    places = {standing[place]: place for place in told.places("monster", None)}
    return {code: places[code] for code in sorted(places, key=lambda code: (monsters[code].level, code))}


def _at(journey: Journey, place: Place, action: str) -> None:
    journey.do("move", *place)
    journey.do(action)


def _beats(journey: Journey, who: Code) -> bool:
    monster = journey.told.world.monsters[who]
    return duel(journey.hero.fighter(), monster.stats, journey.rules.rounds).won
