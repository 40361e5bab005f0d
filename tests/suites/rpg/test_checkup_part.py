"""The part of a checkup: the horizon in its lanes, and what its prompts take."""

from __future__ import annotations

from pathlib import Path

import pytest

from herobench.adaptive.rehearsal import MODELS
from herobench.checkup.price import LIKELY, Terms
from herobench.checkup.tasks import choose_tasks
from tests.checkup.rows import only_part

PART = only_part("rpg")
LANES = {row.lane: row for row in PART.rows}
TERMS = Terms([PART], thoughts=0)


def test_each_lane_asks_the_same_seed_and_stops_alike(tmp_path: Path) -> None:
    asked = [choose_tasks(PART, row, 80, 7, tmp_path, 1) for row in PART.rows]
    assert [one.pop("options") for one in asked] == [{"lane": "plan"}, {"lane": "gear"}, {"lane": "steps"}]
    assert all(one == {"suite": "rpg", "fresh": 7, "until": "factor=2,longest=4454,tasks=80"} for one in asked)


def test_a_better_model_is_asked_longer_tasks() -> None:
    weakest, *_, strongest = MODELS
    prompts = [next(TERMS.bills({"horizon/plan": 160}, model)).prompt for model in (weakest, strongest)]
    assert prompts[0] < prompts[1]
    assert LIKELY in MODELS


def test_prompts_between_known_lengths_lie_between_them() -> None:
    for row in PART.rows:
        usage = row.by_length
        assert usage is not None
        assert usage.prompt(1) == usage.prompt(8) == usage.prompts[0]
        assert usage.prompts[2] < usage.prompt(45) < usage.prompts[3]
        assert usage.prompt(10_000) == pytest.approx(usage.prompts[-1], rel=0.01)
        assert max(usage.prompts) < usage.largest < 1.5 * max(usage.prompts), "the mean of the longest, and the largest"


@pytest.mark.slow
@pytest.mark.parametrize("lane", LANES)
def test_prompts_are_as_long_as_the_table_says(lane: str) -> None:
    """A prompt or a lane whose words changed much needs new figures: see tests/checkup/test_usage.py."""
    from herobench.cli.dry_run import first_request
    from herobench.runs.asking import count_characters
    from herobench.runs.spec import make_spec

    spec = make_spec({"suite": "rpg", "options": {"lane": lane}, "model": "oracle", "shuffle": 3, "limit": 60})
    real = {task: count_characters(first_request(spec.suite, spec.agent, task)) / 4 for task in spec.tasks}
    usage = LANES[lane].by_length
    assert usage is not None
    expected = {task: usage.prompt(float(spec.suite.blank(task)["decisions"])) for task in spec.tasks}
    spec.suite.close()
    assert sum(expected.values()) == pytest.approx(sum(real.values()), rel=0.1)


def test_the_context_that_is_needed_is_that_of_the_longest_task_in_the_lanes_that_are_asked() -> None:
    narrow, wide = TERMS.context({"horizon/plan": 40}), TERMS.context(TERMS.whole())
    assert narrow == (16_300, 36_077)
    assert wide == (63_300, 36_077)
    assert Terms([PART], thoughts=500).context(TERMS.whole()) == (63_300, 36_577)
    assert TERMS.context({}) is None
