"""The families of players that the audit lets try a task: a registry, one entry for each row of the table.

To add a family, add an entry. A family plays one task and returns the journey; the audit judges it by the task's own
rules. It knows only what the prompt tells. A family that needs a result before its next action belongs to the program
track only.

A rule of thumb chooses the item for each slot by a simple measure, and computes no fight. `trial` finds gear by
fighting. Its sets are tried from the first to the last without a look at a result, so its plan is a straight list of
actions; the game decides whether a lost fight ends it. `simulator` and `greedy` compute fights. They are upper marks:
they may win, and are marked in the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Any, NamedTuple

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.task import PlanTrack
from herobench.suites.rpg.game.world import Code, Item, slot_type
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.workshop import Case, OpenSlot, make, make_everything, open_slots
from herobench.task_gen.rpg.refusals import TaskFault

Play = Callable[[Case], Journey]


@dataclass(frozen=True)
class PlayerFamily:
    """One family of players."""

    rule: str
    """Its way to play, in a few words."""
    play: Play
    tracks: tuple[PlanTrack, ...] = ("straight", "program")
    """The tracks in which it can play. It gets no tasks of other tracks."""
    computes: bool = False
    """True if it computes fights."""


# -- trivial players --------------------------------------------------------------------------------------------------


def _refuser(case: Case) -> Journey:
    journey = case.journey()
    journey.give_up()
    return journey


TRIVIAL: Mapping[str, PlayerFamily] = MappingProxyType(
    {
        "noop": PlayerFamily("do nothing", Case.journey),
        "refuser": PlayerFamily("give every task up", _refuser),
    }
)
"""The trivial players by name."""


# -- rules of thumb ---------------------------------------------------------------------------------------------------


class Rule(NamedTuple):
    """A rule of thumb: what it does in a few words, and how it chooses the item for a slot."""

    words: str
    choose: Callable[[OpenSlot], Item]


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "listed": Rule("make what is listed first", lambda slot: slot.told[slot.number % len(slot.told)]),
        "strongest": Rule(
            "take the highest sum of effects",
            lambda slot: max(slot.either, key=lambda item: (item.power, item.level)),
        ),
    }
)
"""The rules by name. `listed` deals the items to the slots of their type, one after the other."""


def ruled_gear(case: Case, name: str) -> dict[str, Item]:
    """Return the gear that a rule wants to make and put on, by slot."""
    choices = [(slot, RULES[name].choose(slot)) for slot in case.slots]
    return {slot.slot: item for slot, item in choices if item != slot.worn}


def wearing(case: Case, gear: Mapping[str, Item], spare: Iterable[Item] = ()) -> Journey:
    """Make some gear, and spare pieces beside it; put it on and fight."""
    journey = case.making([*gear.values(), *spare])
    journey.challenge({slot: item.code for slot, item in gear.items()})
    return journey


def make_all_listed(case: Case) -> Journey:
    """Return the journey of a player who makes all that can be traced and is no part, and wears what is listed first.

    This is the craftability filter: noise cannot be traced, so the player drops it without computing a fight.
    """
    gear = ruled_gear(case, "listed")
    spare = {item.code: item for slot in case.slots for item in slot.told}
    for item in gear.values():
        spare.pop(item.code, None)
    return wearing(case, gear, spare.values())


# -- trials -----------------------------------------------------------------------------------------------------------

TRIES = 100
"""The most sets of gear that are tried in a fight with the target."""
_RESERVE = 50
"""The actions that one try may take: to change all gear, to go and to fight."""


def by_trial(case: Case) -> Journey:
    """Make all gear, then fight the target in one set after the other, in the order of power, until the hero wins."""
    journey = case.with_everything()
    slots = open_slots(journey.told, journey.owned(), journey.hero.combat.level)
    for loadout in strongest_loadouts(slots, TRIES):
        if journey.actions_left < _RESERVE or journey.challenge(loadout):
            break
    return journey


_Part = tuple[int, dict[str, Code]]
"""Gear for some slots, and its power."""


def strongest_loadouts(slots: Iterable[OpenSlot], count: int) -> list[dict[str, Code]]:
    """Return the loadouts with the highest sums of effects, the strongest first, at most so many."""
    by_type: dict[str, list[OpenSlot]] = {}
    for slot in slots:
        by_type.setdefault(slot_type(slot.slot), []).append(slot)
    # A set among the strongest is made of parts that are among the strongest of their slots. The places of its parts
    # in their lists decide between sets of one power.
    best: list[tuple[int, tuple[int, ...], dict[str, Code]]] = [(0, (), {})]
    for group in by_type.values():
        parts = list(enumerate(_parts(group)[:count]))
        longer = [(worth - more, (*at, here), gear | part) for worth, at, gear in best for here, (more, part) in parts]
        best = sorted(longer, key=lambda way: way[:2])[:count]
    return [gear for _, _, gear in best]


def _parts(slots: Sequence[OpenSlot]) -> list[_Part]:
    """Return the ways to fill the slots of one type, the best first. The order of items in the slots does not count."""
    craftable = {item.code: item for slot in slots for item in slot.told}
    worn = Counter(slot.worn.code for slot in slots if slot.worn)
    items = craftable | {slot.worn.code: slot.worn for slot in slots if slot.worn}
    powers = {code: item.power for code, item in items.items()}
    ways: list[_Part] = []
    for codes in combinations_with_replacement(sorted(items, key=lambda code: -powers[code]), len(slots)):
        # There is only so much of worn gear, and enough of what can be made.
        if all(code in craftable or number <= worn[code] for code, number in Counter(codes).items()):
            ways.append((sum(powers[code] for code in codes), _dealt(slots, Counter(codes))))
    return sorted(ways, key=lambda way: -way[0])


def _dealt(slots: Iterable[OpenSlot], codes: Counter[Code]) -> dict[str, Code]:
    """Return the items by slot; what is worn in a slot stays there."""
    dealt: dict[str, Code] = {}
    for slot in slots:
        if slot.worn and codes[slot.worn.code]:
            dealt[slot.slot] = slot.worn.code
            codes[slot.worn.code] -= 1
    rest = codes.elements()
    return dealt | {slot.slot: next(rest) for slot in slots if slot.slot not in dealt}


# -- computed fights --------------------------------------------------------------------------------------------------

EVALUATIONS = 50_000
"""The most sets whose fight the simulator computes: what a plan with 300,000 steps in the sandbox could do. A function
that computes one fight in closed form, unrolled over the elements, takes about five of them."""


def by_simulation(case: Case) -> Journey:
    """Search a set that wins, make it, put it on and fight. If that fails, make everything and search again."""
    hero = Hero(case.world, case.task.hero)
    gear = simulated_gear(case, hero, open_slots(case.told, case.craftable, hero.combat.level)) or {}
    changes = {slot: code for slot, code in gear.items() if hero.worn.get(slot) != code}
    journey = case.making([case.world.items[code] for code in changes.values()])
    # A program sees what the hero owns, so it does not fight without the set: a defeat may be final.
    if not gear or Counter(changes.values()) - journey.owned():
        make_everything(journey)
        # The hero has gained levels by it, so a set may win now.
        slots = open_slots(case.told, journey.owned(), journey.hero.combat.level)
        changes = simulated_gear(case, journey.hero, slots) or {}
    journey.challenge(changes)
    return journey


def simulated_gear(case: Case, hero: Hero, slots: Iterable[OpenSlot]) -> dict[str, Code] | None:
    """Return a set that beats the target, or None if the search finds none within its budget."""
    from herobench.task_gen.rpg.gear.climb import GearClimb  # with numpy, which trivial players do not need

    options = {
        slot.slot: [
            case.world.items[hero.worn[slot.slot]] if slot.slot in hero.worn else None,
            *(item for item in slot.told if item.code != hero.worn.get(slot.slot)),
        ]
        for slot in slots
    }
    climb = GearClimb(case.world, hero, options, EVALUATIONS)
    return climb.winning(case.world.monsters[case.task.target].stats, case.rules.rounds)


def greedy_choice(case: Case) -> dict[str, Item]:
    """Return the gear that a greedy player makes and puts on, by slot."""
    from herobench.task_gen.rpg.gear.search import greedy_gear  # with numpy, which trivial players do not need

    target, stats = case.world.monsters[case.task.target].stats, Hero(case.world, case.task.hero).stats
    return greedy_gear(target, case.rules.rounds, stats, {slot.slot: (slot.worn, slot.told) for slot in case.slots})


# -- families ---------------------------------------------------------------------------------------------------------


def _gear(rule: str, fight: Play, **marks: Any) -> PlayerFamily:
    """Return a family that chooses gear for fights. For a craft it simply makes the target."""

    def reach(case: Case) -> Journey:
        if case.task.kind == "kill":
            return fight(case)
        journey = case.journey()
        make(journey, {case.task.target: 1})
        return journey

    return PlayerFamily(rule, reach, **marks)


def _rule_family(name: str) -> PlayerFamily:
    return _gear(RULES[name].words, lambda case: wearing(case, ruled_gear(case, name)))


FAMILIES: Mapping[str, PlayerFamily] = MappingProxyType(
    {
        **TRIVIAL,
        "craftable": _gear("make all that can be traced, wear what is first", make_all_listed),
        **{name: _rule_family(name) for name in RULES},
        "trial": _gear(f"make all, try up to {TRIES} sets in the order of power", by_trial),
        "simulator": _gear(
            f"compute the fights of up to {EVALUATIONS:,} sets, wear one that wins",
            by_simulation,
            tracks=("program",),
            computes=True,
        ),
        "greedy": _gear(
            "compute fights, choose one item at a time", lambda case: wearing(case, greedy_choice(case)), computes=True
        ),
    }
)
"""All families by name, in the order of the table. Those that compute fights are upper marks, not shortcuts."""


def parse_families(names: str | None) -> tuple[str, ...]:
    """Return the families in a list such as `listed,trial`; all of them for None. Raise UsageError for others."""
    if names is None:
        return tuple(FAMILIES)
    names_asked = [name.strip() for name in names.split(",")]
    for name in names_asked:
        if name not in FAMILIES:
            raise UsageError(TaskFault.NO_FAMILY, name=name, families=", ".join(FAMILIES))
    return tuple(name for name in FAMILIES if name in names_asked)
