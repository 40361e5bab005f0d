"""The published kill tasks, from the gear that is missing: it is enough, none of it is spare, and it can be come by."""

from itertools import combinations

import pytest

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import duel
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Monster, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.candidates import gear_candidates
from herobench.task_gen.rpg.gear.search import GearSearch
from tests.conformance.published import RUNS, tasks, world


def kill_tasks() -> list[Task]:
    sources = sorted({about["tasks"] for about in RUNS.values()})
    return [task for source in sources for task in tasks(source).values() if task.kind == "kill"]


def target(task: Task) -> Monster:
    return world().monsters[task.target]


def wins(task: Task, gear: tuple[tuple[str, str], ...]) -> bool:
    """Whether the hero wins with gear on, in the place of what he wears."""
    hero = Hero(world(), task.hero)
    for slot, code in gear:
        if slot in hero.worn:
            hero.take_off(slot)
        hero.put_on(slot, world().items[code])
    return duel(hero.fighter(), target(task).stats, load_rules().rounds).won


def test_all_published_kill_tasks_are_looked_at() -> None:
    """167 of the base tasks, and 20 of those with leveling."""
    assert len(kill_tasks()) == 167 + 20


def test_with_all_that_is_missing_the_hero_wins() -> None:
    assert [task.id for task in kill_tasks() if not wins(task, tuple(task.missing.items()))] == []


def test_with_any_part_of_what_is_missing_he_loses() -> None:
    wrong = []
    for task in kill_tasks():
        parts = (part for size in range(len(task.missing)) for part in combinations(task.missing.items(), size))
        wrong += [(task.id, part) for part in parts if wins(task, part)]
    assert wrong == []


def test_what_is_missing_is_among_the_candidates() -> None:
    wrong = []
    for task in kill_tasks():
        candidates = gear_candidates(world(), target(task), task.hero.combat[0])
        for slot, code in task.missing.items():
            if code not in {item.code for item in candidates[slot_type(slot)]}:
                wrong.append((task.id, slot, code))
    assert wrong == []


def test_what_is_missing_is_minimal_for_the_search_too() -> None:
    for task in kill_tasks():
        assert GearSearch.of(world(), load_rules(), target(task), task.hero).is_minimal(task.missing), task.id


@pytest.mark.parametrize("number", range(0, 187, 9))
def test_the_search_finds_a_set_that_is_no_larger(number: int) -> None:
    task = kill_tasks()[number]
    smallest = GearSearch.of(world(), load_rules(), target(task), task.hero).smallest()
    assert smallest is not None
    assert len(smallest) <= len(task.missing)
    assert wins(task, tuple(smallest.items()))
