"""What a checkup takes, and what a budget leaves out, with the parts of all installed suites."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.checkup.price import LIKELY, Terms
from herobench.data.errors import UsageError
from herobench.models.model import Price
from herobench.suite.checkup_parts import load_parts, order_steps
from tests.program import herobench

PRICE = Price(1.25, 10.0, 0.125)
PARTS = load_parts()
TERMS = Terms(PARTS, PRICE)


@cache
def dearest() -> float:
    """The cost of all that a checkup asks."""
    return TERMS.cost(TERMS.whole(), LIKELY)


BUDGETS = st.deferred(lambda: st.floats(1.5, 1.2 * dearest()))


def test_the_steps_of_all_suites_lie_in_one_order_and_end_with_the_whole_of_each_run() -> None:
    steps = order_steps(PARTS)
    assert dict(steps) == TERMS.whole()
    assert PARTS[0].card == "horizon", "the headline comes first"
    assert steps[0][0] in PARTS[0].runs
    priorities = [priority for part in PARTS for row in part.rows for priority, _ in row.steps]
    assert len(priorities) == len(set(priorities)), "no two suites leave their order to chance"


@pytest.mark.slow
@given(BUDGETS, BUDGETS)
def test_a_larger_budget_leaves_nothing_out_that_a_smaller_one_pays_for(one: float, other: float) -> None:
    less, more = (TERMS.within(budget) for budget in sorted([one, other]))
    assert all(more[run] >= size for run, size in less.items())
    assert TERMS.cost(less, LIKELY) <= min(one, other)


def test_without_a_budget_nothing_is_left_out() -> None:
    assert TERMS.within(None) == TERMS.within(1.01 * dearest()) == TERMS.whole()
    assert list(TERMS.whole()) == [run for part in PARTS for run in part.runs]


def test_a_budget_too_small_for_any_figure_is_refused_in_a_sentence() -> None:
    first = order_steps(PARTS)[0]
    with pytest.raises(UsageError, match=rf"^A budget of 0\.1 is too small for any figure: the first one, {first[1]} "):
        TERMS.within(0.1)


def test_thoughts_are_paid_for_each_answer() -> None:
    calm, deep = ({bill.run: bill for bill in Terms(PARTS, thoughts=n).bills(TERMS.whole(), LIKELY)} for n in (0, 500))
    for run, bill in calm.items():
        assert deep[run].reply == pytest.approx(bill.reply + 500 * bill.calls)
        assert deep[run].prompt == bill.prompt
        assert deep[run].seconds > bill.seconds


def test_a_dry_run_says_what_it_takes_and_what_less_money_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"oracle": {"input": 1, "output": 10}}))
    options = ["checkup", "--model", "oracle", "--prices", "p.json", "--thoughts", "500", "--budget", "5", "--dry-run"]
    shown = herobench(*options, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    for words in (
        order_steps(PARTS)[0][0],
        "wins all",
        "The budget leaves out: ",
        "A smaller budget leaves out the last",
    ):
        assert words in shown.stdout
    plan = json.loads(herobench(*options, "--json", cwd=tmp_path).stdout)
    assert sum(bill["cost"] for bill in plan["bills"]["middle"]) <= 5
    assert not (tmp_path / "runs").exists()
