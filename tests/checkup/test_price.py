"""What a checkup takes, and what a budget leaves out."""

from __future__ import annotations

from functools import cache
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.checkup.parts import LARGEST, PARTS, PROMPTS, STEPS, Chosen, part_named
from herobench.checkup.price import LIKELY, MODELS, Terms, prompt_tokens
from herobench.data.errors import UsageError
from herobench.models.prices import Price
from herobench.suite.checked import suite_class

PRICE = Price(1.25, 10.0, 0.125)
TERMS = Terms(PRICE)


@cache
def dearest() -> float:
    """The cost of all that a checkup asks."""
    return TERMS.cost(TERMS.whole(), LIKELY)


BUDGETS = st.deferred(lambda: st.floats(1.5, 1.2 * dearest()))


def test_the_steps_name_runs_and_end_with_the_whole_of_each() -> None:
    runs = [run for part in PARTS for run in part.runs]
    assert {run for run, _ in STEPS} == set(runs)
    for run in runs:
        sizes = [size for name, size in STEPS if name == run]
        assert sizes == sorted(set(sizes)), "a later step makes a run larger"
        assert all(size % part_named(run, PARTS).unit == 0 for size in sizes)
    assert STEPS[0][0] == "horizon/plan", "the headline comes first"


def test_the_parts_are_of_suites_that_are_there() -> None:
    for part in PARTS:
        assert "oracle" in suite_class(part.suite).players
        assert not part.chance or "random" in suite_class(part.suite).players


@given(BUDGETS, BUDGETS)
def test_a_larger_budget_leaves_nothing_out_that_a_smaller_one_pays_for(one: float, other: float) -> None:
    less, more = (TERMS.within(budget) for budget in sorted([one, other]))
    assert all(more[run] >= size for run, size in less.items())
    assert TERMS.cost(less, LIKELY) <= min(one, other)


def test_without_a_budget_nothing_is_left_out() -> None:
    assert TERMS.within(None) == TERMS.within(1.01 * dearest()) == dict(TERMS.whole())
    assert list(TERMS.whole()) == [run for part in PARTS for run in part.runs]


def test_a_budget_too_small_for_any_figure_is_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"^A budget of 0\.1 is too small for any figure: the first one, 40 tasks of"):
        TERMS.within(0.1)


def test_thoughts_are_paid_for_each_answer() -> None:
    calm, deep = ({bill.run: bill for bill in Terms(thoughts=n).bills(TERMS.whole(), LIKELY)} for n in (0, 500))
    for run, bill in calm.items():
        assert deep[run].reply == pytest.approx(bill.reply + 500 * bill.calls)
        assert deep[run].prompt == bill.prompt
        assert deep[run].seconds > bill.seconds


def test_a_better_model_is_asked_longer_tasks() -> None:
    prompts = [next(TERMS.bills({"horizon/plan": 160}, model)).prompt for model in MODELS]
    assert prompts[0] < prompts[1] < prompts[2] < prompts[3]


def test_prompts_between_known_lengths_lie_between_them() -> None:
    for lane, known in PROMPTS.items():
        assert prompt_tokens(lane, 1) == prompt_tokens(lane, 8) == known[0]
        assert known[2] < prompt_tokens(lane, 45) < known[3]
        assert prompt_tokens(lane, 10_000) == pytest.approx(known[-1], rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("lane", PROMPTS)
def test_prompts_are_as_long_as_the_table_says(lane: str) -> None:
    """A prompt or a lane whose words changed much needs new figures: see tests/checkup/mean_usage.py."""
    from herobench.runs.asking import count_characters
    from herobench.runs.launch import first_request
    from herobench.runs.spec import make_spec

    spec = make_spec({"suite": "rpg", "options": {"lane": lane}, "model": "oracle", "shuffle": 3, "limit": 60})
    real = {task: count_characters(first_request(spec.suite, spec.agent, task)) / 4 for task in spec.tasks}
    told = {task: prompt_tokens(lane, float(spec.suite.blank(task)["decisions"])) for task in spec.tasks}
    spec.suite.close()
    assert sum(told.values()) == pytest.approx(sum(real.values()), rel=0.1)


def test_the_lanes_of_the_horizon_have_prompts() -> None:
    (source,) = (part.source for part in PARTS if isinstance(part.source, Chosen))
    assert tuple(PROMPTS) == source.lanes
    assert len({len(known) for known in PROMPTS.values()}) == 1
    assert log2(4454 / 8) < len(PROMPTS["plan"])


def test_the_context_that_is_needed_is_that_of_the_longest_task_in_the_lanes_that_are_asked() -> None:
    first, whole = {"horizon/plan": 40, "questions": 80}, TERMS.whole()
    narrow, wide = Terms(thoughts=0).context(first), Terms(thoughts=0).context(whole)
    assert narrow
    assert wide
    assert narrow[0] < wide[0]
    assert narrow[1] == wide[1]
    assert Terms(thoughts=500).context(whole) == (wide[0], wide[1] + 500)
    assert Terms().context({"questions": 80, "epochs": 48}) is None
    for lane, largest in LARGEST.items():
        assert max(PROMPTS[lane]) < largest < 1.5 * max(PROMPTS[lane]), "the mean of the longest, and the largest"
