"""Decoys can be made, each loses in the place of the right item, and no simple heuristic wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Item, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.workshop import Case, OpenSlot
from tests.sizes import many
from tests.task_gen.rpg.made import tasks

RULES = load_rules()
Heuristic = Callable[[Item], int]


@pytest.fixture(scope="module")
def hidden(classic: World) -> tuple[Task, ...]:
    made = tasks(classic, many(36, 9), knowledge="decoys")
    return tuple(task for task in made if task.kind == "kill")


def wins(world: World, task: Task, gear: dict[str, str]) -> bool:
    """Return whether the hero beats the target with this gear in its slots."""
    game = Game(world, task.rules(RULES), task.hero)
    for slot, code in gear.items():
        if slot in game.hero.worn:
            game.hero.take_off(slot)
        game.hero.put_on(slot, world.items[code])
    return game._duel(world.monsters[task.target]).won


def filled(found: Iterable[OpenSlot], look: Heuristic) -> dict[str, str]:
    return {choice.slot: max(choice.either, key=look).code for choice in found}


def test_the_right_gear_is_told_among_others_of_its_type(classic: World, hidden: tuple[Task, ...]) -> None:
    for task in hidden:
        offered = {slot.slot: {item.code for item in slot.either} for slot in Case(classic, RULES, task).slots}
        for slot, code in task.missing.items():
            assert code in offered[slot]
            right = {other for name, other in task.missing.items() if slot_type(name) == slot_type(slot)}
            assert offered[slot] - right
        assert wins(classic, task, dict(task.missing))


def test_no_decoy_does_in_the_place_of_the_right_item(classic: World, hidden: tuple[Task, ...]) -> None:
    for task in hidden:
        for choice in Case(classic, RULES, task).slots:
            if choice.slot in task.missing:
                right = {code for slot, code in task.missing.items() if slot_type(slot) == slot_type(choice.slot)}
                for item in choice.told:
                    if item.code not in right:
                        assert not wins(classic, task, {**task.missing, choice.slot: item.code})


def test_no_look_at_one_element_wins(classic: World, hidden: tuple[Task, ...]) -> None:
    """One example is the element that the target resists least, which the prompt shows at a glance."""

    def heuristics(element: int) -> list[Heuristic]:
        return [
            lambda item: 1000 * (item.worn.attack[element] + item.worn.damage[element]) + sum(item.effects.values()),
            lambda item: 1000 * item.worn.resistance[element] + sum(item.effects.values()),
        ]

    won = [
        task.id
        for task in hidden
        for slots in [Case(classic, RULES, task).slots]
        for element in range(len(classic.elements))
        for look in heuristics(element)
        if wins(classic, task, filled(slots, look))
    ]
    assert len(won) <= 1, won


def test_empty_slots_do_not_show_what_is_missing(classic: World, hidden: tuple[Task, ...]) -> None:
    """A hero who keeps his gear and fills the empty slots loses, in whatever order he chooses."""
    heuristics: list[Heuristic] = [
        lambda item: sum(item.effects.values()),
        lambda item: -sum(item.effects.values()),
        lambda item: item.level,
        lambda item: item.worn.hp,
    ]
    won = [
        task.id
        for task in hidden
        for empty in [[choice for choice in Case(classic, RULES, task).slots if not choice.worn]]
        for look in heuristics
        if wins(classic, task, filled(empty, look))
    ]
    assert len(won) <= 1, won
