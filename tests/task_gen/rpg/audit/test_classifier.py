from __future__ import annotations

from dataclasses import replace

import pytest

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World, slot_type
from herobench.task_gen.rpg.audit.classifier import FEATURES, candidates, learn
from tests.builders import craft_task
from tests.task_gen.rpg.audit.cases import ALL, WINNING, armed, noise
from tests.task_gen.rpg.made import tasks


@pytest.fixture(scope="module")
def hidden(classic: World) -> tuple[Task, ...]:
    return tasks(classic, 8, brackets=tuple(range(1, 10)), kind="kill", knowledge="decoys")


def test_candidates_are_the_told_gear_and_what_is_worn_in_its_place(tiny: World) -> None:
    task = armed(tiny, **{**ALL, "recipes": ["bar", "bar_sword", "fur_coat"]}, noise=[noise("axe")])
    found = {item.code: item for item in candidates(tiny, task)}
    assert {code: (item.needed, item.worn) for code, item in found.items()} == {
        "twig": (False, True),
        "bar_sword": (True, False),
        "fur_coat": (True, False),
    }
    assert set(found["fur_coat"].values) == set(FEATURES)
    assert found["bar_sword"].values["depth"] == 2
    assert candidates(tiny, craft_task(tiny, "bar")) == []


def test_what_is_seen_does_not_depend_on_the_answer(tiny: World) -> None:
    task = armed(tiny, **ALL)
    other = replace(task, missing={"blade": "club"}, difficulty=1, seed=1, certificate=None)
    seen = [[(item.code, item.values) for item in candidates(tiny, each)] for each in (task, other)]
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_every_task_is_guessed_by_others_and_pairs_are_of_one_type(classic: World, hidden: tuple[Task, ...]) -> None:
    learned = learn(classic, hidden)
    assert set(learned.guesses) == {task.id for task in hidden}
    (leak,) = learned.leaks
    pairs = 0
    for task in hidden:
        told = [item for item in candidates(classic, task) if not item.worn]
        right = {(slot_type(slot), code) for slot, code in task.missing.items()}
        for kind, code in right:
            if any(item.code == code for item in told):
                pairs += sum(item.kind == kind and not item.needed for item in told)
    assert leak.pairs == pairs
    assert leak.auc is not None
    assert 0 <= leak.auc <= 1
    assert all(0.5 <= auc <= 1 for auc in leak.alone.values())


@pytest.mark.slow
def test_guesses_for_a_task_do_not_come_from_its_own_answer(classic: World, hidden: tuple[Task, ...]) -> None:
    first = hidden[0]
    wrong = {slot: code for slot, code in first.missing.items() if slot != next(iter(first.missing))}
    changed = replace(first, missing=wrong)
    before, after = learn(classic, hidden), learn(classic, [changed, *hidden[1:]])
    assert before.guesses[first.id] == after.guesses[first.id]


@pytest.mark.slow
def test_a_leak_is_seen(classic: World, hidden: tuple[Task, ...]) -> None:
    """Tasks whose needed gear is always the strongest of its type are told apart by power alone."""
    leaky = []
    for task in hidden * 2:
        told = [item for item in candidates(classic, task) if not item.worn]
        best = {item.kind: item for item in sorted(told, key=lambda item: float(item.values["power"]))}
        missing = {slot: best[slot_type(slot)].code for slot in task.missing}
        leaky.append(replace(task, id=f"{len(leaky)}", missing=missing))
    (leak,) = learn(classic, leaky).leaks
    assert next(iter(leak.alone)) in ("power", "power_rank")
    assert leak.alone["power"] > 0.9
    assert leak.auc is not None
    assert leak.auc > 0.9


def test_where_nothing_can_be_learned_there_are_no_guesses(tiny: World) -> None:
    learned = learn(tiny, [armed(tiny, **WINNING)])
    assert (dict(learned.guesses), list(learned.leaks)) == ({}, [])
    assert learn(tiny, []).leaks == []
