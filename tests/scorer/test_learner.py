"""The learner of the page on training wins sooner with credit for each turn, as the page says."""

import re
from typing import Any

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.reader import ROOT


def assert_learns_in_a_quarter(length: int, more: int, **knobs: Any) -> None:
    """A table of values learns the first task of a length, with some wrong calls more, in a quarter of the episodes."""
    text = (ROOT / "docs" / "training.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text[text.index("## A learner") :], re.DOTALL | re.MULTILINE)
    page: dict[str, Any] = {}
    exec(f"from herobench.scorer import Scorer, TaskQuery, TurnReward\n{blocks[0]}", page)
    with Scorer(TaskQuery(**knobs)) as scorer:
        task_id = next(task_id for task_id in scorer.tasks if len(scorer.way(task_id)) == length)
        calls = page["calls_of"](scorer, task_id, more)
        learned = {
            kind: sum(page["episodes_to_learn"](scorer, task_id, calls, kind, seed) for seed in range(3))
            for kind in ("potential", "end")
        }
    assert 4 * learned["potential"] <= learned["end"]


@pytest.mark.slow
def test_a_table_learns_in_a_quarter_of_the_episodes() -> None:
    assert_learns_in_a_quarter(6, 0, dataset="base", mode="tools", task_id="1/4_*")
