"""Rules of thumb: choose the item for each slot by a simple measure, without computing or trying a fight.

The choice uses only what the prompt tells of items that can be made. The models `shortcut:NAME` and the audit play it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.rules import duel
from herobench.suites.rpg.game.world import Code, Item, Place
from herobench.task_gen.rpg.audit.case import Case, OpenSlot, made, wearing
from herobench.task_gen.rpg.audit.journey import Journey, ToldItems
from herobench.task_gen.rpg.tasks.noise import power

Choose = Callable[[OpenSlot, ToldItems, Random], Item]


class Rule(NamedTuple):
    """A rule of thumb: what it does in a few words, and how it chooses the item for a slot."""

    words: str
    choose: Choose


def _listed(choice: OpenSlot, *_: object) -> Item:
    return choice.told[choice.number % len(choice.told)]


def _last(choice: OpenSlot, *_: object) -> Item:
    return choice.told[-1 - choice.number % len(choice.told)]


def _random(choice: OpenSlot, _: ToldItems, rng: Random) -> Item:
    return rng.choice(choice.either)


def _strongest(choice: OpenSlot, *_: object) -> Item:
    return max(choice.either, key=lambda item: (power(item), item.level))


def _highest_level(choice: OpenSlot, *_: object) -> Item:
    return max(choice.either, key=lambda item: (item.level, power(item)))


def _value(choice: OpenSlot, told: ToldItems, *_: object) -> Item:
    return max(choice.told, key=lambda item: (power(item) / told.work(item.code), item.level))


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "listed": Rule("make what is listed first", _listed),
        "last": Rule("make what is listed last", _last),
        "random": Rule("make any of it, or keep what is worn", _random),
        "strongest": Rule("take the highest sum of effects", _strongest),
        "highest_level": Rule("take the highest level", _highest_level),
        "value": Rule("make what has the highest sum of effects for the work of its recipe", _value),
    }
)
"""The rules by name. `listed` and `last` deal the items to the slots of their type, one after the other."""


def chosen_gear(case: Case, name: str) -> dict[str, Item]:
    """Return the gear that a rule wants to make and put on, by slot."""
    # The task's seed makes the random choice the same in every audit.
    rng = Random(case.task.seed)  # noqa: S311 - reproducible
    chosen = {choice.slot: (choice, RULES[name].choose(choice, case.told, rng)) for choice in case.slots}
    return {slot: item for slot, (choice, item) in chosen.items() if item != choice.worn}


def by_rule(case: Case, name: str) -> Journey:
    """Return the journey of a rule: make the chosen gear, put it on, fight."""
    return wearing(case, chosen_gear(case, name))


def make_all_listed(case: Case) -> Journey:
    """Return the journey of a player who makes all that can be traced and is no part, and wears what is listed first.

    This is the craftability filter: noise cannot be traced, so the player drops it without computing a fight.
    """
    gear = chosen_gear(case, "listed")
    spare = {item.code: item for choice in case.slots for item in choice.told}
    for item in gear.values():
        spare.pop(item.code, None)
    journey = made(case, [*gear.values(), *spare.values()])
    journey.challenge({slot: item.code for slot, item in gear.items()})
    return journey


def make_everything_and_wear_the_last(case: Case) -> Journey:
    """Return the journey of a player who makes all gear he can and fills each slot with the last that fits."""
    journey = case.with_everything()
    journey.challenge({choice.slot: _last(choice).code for choice in case.full_slots})
    return journey


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


def _lairs(told: ToldItems) -> dict[Code, Place]:
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
