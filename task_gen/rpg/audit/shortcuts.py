"""Shortcuts: players that compute no fight. They go by a rule of thumb, find gear by fighting, or make nothing.

A rule of thumb chooses the item for each slot by a simple measure; it uses only what the prompt tells of items that can
be made. The models `shortcut:NAME` and the audit play it.

Others try a set, look for another, and try again. A list of sets that is tried from the first to the last needs no look
at a result, so these plans are straight lists of actions. The rules set the cost of a lost fight. The player always
continues; the game decides whether it is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import combinations_with_replacement, islice
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.rules import duel
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Place, slot_type
from herobench.task_gen.rpg.audit.case import Case, Family, OpenSlot, made, make_everything, open_slots, wearing
from herobench.task_gen.rpg.audit.journey import Journey, ToldItems
from herobench.task_gen.rpg.audit.workshop import beating, make
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


# -- trivial players ----------------------------------------------------------------------------------------------


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


TRIVIAL: Mapping[str, Family] = MappingProxyType(
    {
        "noop": Family("do nothing", Case.journey),
        "gatherer": Family("gather or buy each told resource once", _gatherer),
        "visitor": Family("gather, then fight once at a place of each told monster", _visitor),
        "collector": Family("gather, then fight each told monster that can be beaten", _collector),
        "refuser": Family("give every task up", _refuser),
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


# -- trials ----------------------------------------------------------------------------------------------------------

Loadout = Mapping[str, Code]
Worth = Callable[[Item], float]
"""Rates an item. The worth of a set is the sum over its items."""
_Part = tuple[float, dict[str, Code]]
"""The gear of one type, and its worth."""


def loadouts(slots: Iterable[OpenSlot], worth: Worth) -> Iterator[Loadout]:
    """Yield the loadouts for some slots, in descending order of worth."""
    by_type: dict[str, list[OpenSlot]] = {}
    for slot in slots:
        by_type.setdefault(slot_type(slot.slot), []).append(slot)
    parts = [_parts(group, worth) for group in by_type.values()]
    # Best first: each set that leaves the heap puts in those that are one step worse in one type.
    first = (0,) * len(parts)
    heap, seen = [(-_total(parts, first), first)], {first}
    while heap:
        _, steps = heappop(heap)
        chosen: dict[str, Code] = {}
        for part, step in zip(parts, steps, strict=True):
            chosen |= part[step][1]
        yield chosen
        for index, part in enumerate(parts):
            worse = (*steps[:index], steps[index] + 1, *steps[index + 1 :])
            if worse[index] < len(part) and worse not in seen:
                seen.add(worse)
                heappush(heap, (-_total(parts, worse), worse))


def _total(parts: list[list[_Part]], steps: tuple[int, ...]) -> float:
    return sum(part[step][0] for part, step in zip(parts, steps, strict=True))


def _parts(slots: list[OpenSlot], worth: Worth) -> list[_Part]:
    """Return the ways to fill the slots of one type, the best first. The order of items in the slots does not count."""
    made = {item.code: item for slot in slots for item in slot.told}
    worn = Counter(slot.worn.code for slot in slots if slot.worn)
    known = made | {slot.worn.code: slot.worn for slot in slots if slot.worn}
    worths = {code: worth(item) for code, item in known.items()}
    ways: list[_Part] = []
    for codes in combinations_with_replacement(sorted(known, key=lambda code: -worths[code]), len(slots)):
        # There is only so much of worn gear, and enough of what can be made.
        if all(code in made or number <= worn[code] for code, number in Counter(codes).items()):
            ways.append((sum(worths[code] for code in codes), _dealt(slots, Counter(codes))))
    return sorted(ways, key=lambda way: -way[0])


def _dealt(slots: list[OpenSlot], codes: Counter[Code]) -> dict[str, Code]:
    """Return the items by slot; what is worn in a slot stays there."""
    dealt: dict[str, Code] = {}
    for slot in slots:
        if slot.worn and codes[slot.worn.code]:
            dealt[slot.slot] = slot.worn.code
            codes[slot.worn.code] -= 1
    rest = codes.elements()
    return dealt | {slot.slot: next(rest) for slot in slots if slot.slot not in dealt}


_RESERVE = 50
"""The actions that one try may take: to change all gear, to go and to fight."""


def by_trial(case: Case, worth: Worth, tries: int) -> Journey:
    """Make all gear, then try sets in the order of their worth."""
    journey = case.with_everything()
    try_sets(journey, _owned_loadouts(journey, worth), tries)
    return journey


def by_trial_after_grinding(case: Case) -> Journey:
    """Make all gear, fight for levels, make what the hero can wear now, then try sets in the order of power."""
    journey = case.with_everything()
    grind(journey, case.budget.fights)
    make_everything(journey)
    try_sets(journey, _owned_loadouts(journey, power), case.budget.tries)
    return journey


def by_trial_with_food(case: Case) -> Journey:
    """Make all gear and stacks of the food that restores most, then try sets in the order of power."""
    journey = case.with_everything()
    for number, loadout in enumerate(islice(_owned_loadouts(journey, power), case.budget.tries)):
        if number % _TRIES_A_MEAL == 0:
            _cook(journey)
        if journey.actions_left < _RESERVE or journey.challenge(loadout):
            break
    return journey


def try_sets(journey: Journey, sets: Iterable[Loadout], tries: int) -> None:
    """Fight the target in one set after the other until the hero wins."""
    for loadout in islice(sets, tries):
        if journey.actions_left < _RESERVE or journey.challenge(loadout):
            return


def grind(journey: Journey, fights: int) -> None:
    """Fight the strongest told monster that can be beaten and still teaches something, up to a number of fights."""
    hero, rules, monsters = journey.hero, journey.rules, journey.told.world.monsters
    prey = sorted(journey.told.monsters, key=lambda who: -monsters[who].level)
    # The rest of the actions is for what comes after.
    fights = min(fights, journey.actions_left // 2)
    while fights > 0 and hero.combat.level < rules.level_cap:
        teachers = [who for who in prey if who != journey.told.task.target and _gain(journey, who)]
        found = next(((who, loadout) for who in teachers if (loadout := beating(journey, who)) is not None), None)
        if found is None:
            return
        who, loadout = found
        # With the next level the hero may beat a stronger monster, so he looks again.
        lacking = hero.combat.next_level_xp - hero.combat.xp
        rounds = min(fights, -(-lacking // _gain(journey, who)))
        journey.wear(loadout)
        journey.go("monster", who)
        journey.do("fight", times=rounds)
        fights -= rounds


def _gain(journey: Journey, who: Code) -> int:
    return journey.rules.xp_gain(journey.hero.combat.level, journey.told.world.monsters[who].level)


def _owned_loadouts(journey: Journey, worth: Worth) -> Iterable[Loadout]:
    owned = {*journey.hero.inventory, *journey.hero.worn.values()}
    return loadouts(open_slots(journey.told, owned, journey.hero.combat.level), worth)


_TRIES_A_MEAL = 10


def _cook(journey: Journey) -> None:
    """Fill the slots for food with what restores most: each with another food, as much of it as fits."""
    told, hero, most = journey.told, journey.hero, journey.rules.stack_limit
    slots = [slot for slot in told.world.slots if slot_type(slot) == CONSUMABLE]
    foods = [item for item in told.items.values() if item.eaten.restore and item.level <= hero.combat.level]
    for food in sorted(foods, key=lambda item: -item.eaten.restore):
        if not slots:
            return
        make(journey, {food.code: most})
        if hero.inventory.get(food.code):
            slot = slots.pop(0)
            if slot in hero.consumables:
                journey.do("unequip", slot, hero.consumables[slot].quantity)
            journey.do("equip", slot, food.code, min(most, hero.inventory[food.code]))
