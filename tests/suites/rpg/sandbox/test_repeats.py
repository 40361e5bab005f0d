"""A plan that is written out is read by its different statements, and means what it means as a whole."""

from __future__ import annotations

from dataclasses import replace
from types import CodeType
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.game.events import SIGNATURES
from herobench.suites.rpg.sandbox import language
from herobench.suites.rpg.sandbox.bounds import MOST_CODE_PARTS, Limits, Rejected
from herobench.suites.rpg.sandbox.language import Place, written_out
from herobench.suites.rpg.sandbox.wire import Played
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import recorded
from tests.suites.rpg.sandbox.test_steps import limits, odd, plain

BETWEEN = ["\n", "\n\n", "\n# and so on\n", "\n   \n", "\n  # deeper\n"]
STRANGE = ["  # why\n", "; ", ";\n", "\\\n", "\t\n", "\n\x0c\n"]
STATEMENTS = [
    'gather("Hero")', "fight('Hero')", "for _ in range(2):\n    gather('Hero')\n\n    # twice\n    fight('Hero')",
    "craft(\n    'Hero', 'copper', 1)", "craft(\n'Hero', 'copper', 1\n)", "'''a\ntext'''", "'''", '"""', "pass",
    "x = 1", "else:\n    pass", "@gather", "def f():\n    gather('Hero')", "    gather('Hero')", "(", ")",
    "gather('Hero'", "#'''", "# \u202e", "move('Hero')",
]  # fmt: skip


def as_a_whole(plan: str, limit: Limits) -> Played:
    with patch.object(language, "written_out", lambda _: None):
        return recorded(plan, limit)


@given(
    st.one_of(
        st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=4), st.lists(st.one_of(plain, odd), max_size=2)
    ),
    st.lists(st.integers(0, 3), max_size=12),
    st.lists(st.sampled_from(BETWEEN) | st.sampled_from([*BETWEEN, *STRANGE]), min_size=12, max_size=12),
    limits | st.just(Limits()),
)
def test_a_plan_means_the_same_by_its_different_statements(
    statements: list[str], order: list[int], between: list[str], limit: Limits
) -> None:
    chosen = [statements[number] for number in order if number < len(statements)]
    plan = "".join(part for pair in zip(chosen, between, strict=False) for part in pair)
    assert recorded(plan, limit) == as_a_whole(plan, limit)


def test_each_different_statement_is_read_once() -> None:
    plan = "# the plan\n\ngather('Hero')\ngather('Hero')\n\nfor _ in range(2):\n    fight('Hero')\n# rest\n" * 2
    found = written_out(plan)
    assert found is not None
    assert found.text == "gather('Hero')\nfor _ in range(2):\n    fight('Hero')"
    assert found.lines == [1, 2]
    assert found.places == [Place(0, 3), Place(0, 4), Place(1, 6), Place(0, 11), Place(0, 12), Place(1, 14)]
    assert [action.line for action in recorded(plan).attempts] == [3, 4, 7, 7, 11, 12, 15, 15]


@for_each(
    "plan",
    [
        "", "# nothing", "gather('Hero')\nfight('Hero')\ngather('Hero')", "    gather('Hero')\n" * 4,
        "gather('Hero')\\\n\n" * 4, "gather('Hero')\n# \u202e\n" * 4, "gather('Hero')\n\x0c\n" * 4,
        "for _ in range(2):\n\tgather('Hero')\n" * 4, "gather('Hero')\r\n" * 4,
    ],
)  # fmt: skip
def test_a_plan_in_doubt_is_read_as_a_whole(plan: str) -> None:
    assert written_out(plan) is None


@for_each("deep", ["-" * 6000 + "1", "not " * 4000 + "1"])
def test_what_python_cannot_read_alone_may_stand_in_a_text(deep: str) -> None:
    # The two beginnings of a text differ, so among the different statements the second one ends what the first began.
    plan = "'''\n''' \n" * 5 + f"'''\n{deep}\n''' \n"
    assert recorded(plan).ending.how == "finished"
    assert recorded(f"{plan}{deep}").ending.kind == "size"


@for_each("steps", range(1, 30))
def test_a_limit_is_reached_on_the_same_line(steps: int) -> None:
    plan, limit = "for _ in range(2):\n    gather('Hero')\n    gather('Hero')\n" * 4, replace(Limits(), steps=steps)
    assert recorded(plan, limit) == as_a_whole(plan, limit)


@for_each(
    ("plan", "line"),
    [("gather('Hero')\n" * 9 + "gather('Hero'", 10), ("import os\n" * 9, 1), ("gather('Hero')\n" * 9 + "\x0c\n", 10)],
)
def test_a_refusal_names_the_line_of_the_plan(plan: str, line: int) -> None:
    assert recorded(plan).ending.how == "rejected"
    assert recorded(plan).ending.line == line


@pytest.mark.slow
def test_the_limit_of_parts_counts_every_statement() -> None:
    # A call alone has four parts: the expression, the call, the name and the text; the plan has one more.
    most = (MOST_CODE_PARTS - 1) // 4
    assert not isinstance(language.read_plan("gather('Hero')\n" * (most - 1), SIGNATURES), CodeType)
    with pytest.raises(Rejected) as refused:
        language.read_plan("gather('Hero')\n" * (most + 1), SIGNATURES)
    assert refused.value.kind == "size"
    assert Limits().lines < most, "or the test would be about plans that nobody may send"
