"""Many plans, some of them hostile, and workers that die: the verdicts stay, and nothing is left behind."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import FileAnswer, score_answer
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from herobench.work.engine import threaded
from tests.sizes import many
from tests.suites.rpg.sandbox.processes import ENDLESS, GOOD, SLOW, children, descriptors, kill_one, linux

HOSTILE = (
    ENDLESS,
    "x = [0]\nwhile True: x = x + x",
    "().__class__.__bases__[0].__subclasses__()",
    "import os\nos.kill(1, 9)",
    "def f(): f()\nf()",
    "print('x' * 40000)",
    "try:\n    while True: pass\nexcept: pass\nfinally: move('Hero', 0, 1)",
    "x = [1]\nfor _ in range(60): x = [x, x]\nprint(x)",
    "s = 'x'\nwhile True: s = f'{s}{s}'",
    "print('{0.__globals__}'.format(move))",
    "e = Exception()\nfor _ in range(60): e = Exception(e, e)\nraise ValueError(repr(e))",
    "[].extend(range(10**9))",
    "while True: gather('Hero')",
)


def rows(sandbox: Sandbox, task: Task, plans: list[str]) -> Iterator[dict[str, Any]]:
    answers = [FileAnswer(task.id, number, plan, None, None) for number, plan in enumerate(plans)]
    return threaded(partial(score_answer, sandbox, task), answers, 2)


@pytest.mark.slow
@linux
def test_hundreds_of_plans_one_in_five_hostile_get_the_same_verdicts_and_leave_nothing(tiny: World, task: Task) -> None:
    before = descriptors(), children(), threading.active_count()
    plans = [HOSTILE[number // 5 % len(HOSTILE)] if number % 5 == 0 else GOOD for number in range(many(390, 130))]
    verdicts: dict[str, set[tuple[object, ...]]] = {}
    with Sandbox(tiny, load_rules(), workers=2) as sandbox:
        for row, plan in zip(rows(sandbox, task, plans), plans, strict=True):
            seen = (row["outcome"], row["ended"], row["end_kind"], row["end_line"], row["end_reason"], row["actions"])
            verdicts.setdefault(plan, set()).add(seen)
    assert verdicts.pop(GOOD) == {("win", "finished", None, None, None, 4)}
    assert all(len(seen) == 1 and next(iter(seen))[0] == "lose" for seen in verdicts.values()), verdicts
    assert (descriptors(), children(), threading.active_count()) == before


@linux
@pytest.mark.slow
def test_killing_workers_at_random_changes_no_row(tiny: World, task: Task) -> None:
    before, chance = (descriptors(), children()), random.Random(5)
    plans = [SLOW if number % 3 else GOOD for number in range(many(90, 24))]
    with Sandbox(tiny, load_rules(), workers=2) as sandbox:
        expected = list(rows(sandbox, task, plans))
    assert {row["outcome"] for row in expected} == {"win"}
    with Sandbox(tiny, load_rules(), workers=2) as sandbox:
        for number, (row, other) in enumerate(zip(rows(sandbox, task, plans), expected, strict=True)):
            assert row == other
            if number % 9 == 0:
                kill_one(chance)
    assert (descriptors(), children()) == before
