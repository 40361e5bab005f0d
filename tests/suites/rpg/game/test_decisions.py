"""How many decisions a plan takes: the same with loops and without, and whatever the spelling."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.game.decisions import decisions, plan_decisions
from herobench.suites.rpg.game.task import Certificate
from herobench.task_gen.rpg.datasets import dataset_path
from tests.sizes import for_each, many

Block = list[object]
"""A plan as nested lists: a letter is a call, a list of [times, block] is a loop."""


def certificate(plan: str, actions: int = 1000) -> Certificate:
    return Certificate(plan, actions, 1, 1, 1, {})


def in_plan(plan: str) -> int | None:
    return plan_decisions(certificate(plan))


@given(st.text("ab", max_size=40))
def test_a_decision_is_a_change_of_action(calls: str) -> None:
    assert decisions(calls) == sum(now != then for now, then in zip(" " + calls, calls, strict=False))


def spelled(block: Block, indent: str = "") -> Iterator[str]:
    """A plan with its loops."""
    for part in block:
        if isinstance(part, list):
            yield f"{indent}for _ in range({part[0]}):\n"
            yield from spelled(part[1:], f"{indent}    ")
        else:
            yield f'{indent}craft("Hero", "{part}", 2)\n'


def unrolled(block: Block) -> Iterator[str]:
    for part in block:
        if isinstance(part, list):
            yield from [*unrolled(part[1:])] * part[0]
        else:
            yield f"craft(name='Hero', quantity=2, code='{part}')\n"


PARTS = st.recursive(
    st.sampled_from("abc"),
    lambda parts: st.builds(lambda times, block: [times, *block], st.integers(2, 4), st.lists(parts, min_size=1)),
    max_leaves=6,
)


@given(st.lists(PARTS, max_size=5))
def test_plans_of_the_same_actions_count_the_same_with_loops_and_without(block: Block) -> None:
    """And whether the arguments are named or not."""
    flat = list(unrolled(block))
    looped, plain = "".join(spelled(block)), "".join(flat)
    assert plan_decisions(certificate(looped, len(flat))) == plan_decisions(certificate(plain, len(flat)))


def test_the_spelling_of_a_call_does_not_matter() -> None:
    assert in_plan("gather('Hero')\ngather(name=\"Hero\", quantity=1)\ngather('Hero', 1)") == 1
    assert in_plan("move('Hero', 1, 2)\nmove('Hero', y=2, x=1)\nmove('Hero', 2, 1)") == 2


def test_a_helper_is_one_step_each_time_it_is_called() -> None:
    helper = 'def fight_until(wanted):\n    while not fight("Hero"):\n        pass\n\n\n'
    steps = 'move("Hero", 1, 0)\nfight_until({"fur": 3})\nmove("Hero", 2, 0)\nfight_until({"fur": 4})\n'
    assert in_plan(helper + steps) == 4


@for_each(
    "plan",
    [
        "move('Hero',\n1,\n2)\nfight('Hero')\nfight('Hero')",
        "move('Hero', 1, 2); fight('Hero')\nfight('Hero')\n\n# the end\n",
        "move('Hero', 1, 2)\rfight('Hero')\nfight('Hero')",
        "for _ in range(1): move('Hero', 1, 2)\nfight('Hero')",
        """craft('Hero', '''\nfight('Hero')\n''')\nfight('Hero')""",
    ],
)
def test_lines_that_are_no_whole_calls_count_as_the_plan_has_them(plan: str) -> None:
    assert in_plan(plan) == 2


@for_each(
    "plan",
    [
        "while True:\n    fight('Hero')",
        "x = 1",
        "fight(",
        "for _ in range(n):\n    fight('Hero')",
        "for _ in [1]:\n    fight('Hero')",
        "move('Hero', x, 1)",
        "a.fight('Hero')",
    ],
)
def test_a_plan_that_computes_has_no_decisions(plan: str) -> None:
    assert in_plan(plan) is None


def test_a_loop_that_the_certificate_does_not_cover_ends() -> None:
    endless = "for _ in range(1000000000000):\n    fight('Hero')\n    move('Hero', 1, 1)"
    assert plan_decisions(certificate(endless, 100)) == 100
    assert in_plan("for _ in range(1000000000000):\n    def f(): ...\nfight('Hero')") == 1


def test_long_plans_are_counted() -> None:
    assert decisions(range(20_000)) == 20_000


@pytest.mark.parametrize("dataset", ["base-v2", "leveling-v1", "noise-v2", "decoys-v2"])
def test_every_plan_of_a_dataset_has_fewer_decisions_than_actions(dataset: str) -> None:
    lines = Path(str(dataset_path(dataset))).read_text("utf-8").splitlines()
    for row in map(json.loads, lines[:: len(lines) // many(len(lines), 20)]):
        proof = Certificate.from_row(row["certificate"])
        assert 1 < (plan_decisions(proof) or 0) <= proof.actions, row["id"]
