"""The learner of the page on training wins sooner with credit for each turn, as the page says."""

import re
from typing import Any

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.reader import ROOT


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    text = (ROOT / "docs" / "training.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text[text.index("## A learner") :], re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(f"from herobench.scorer import Scorer, TaskQuery, TurnReward\n{blocks[0]}", names)
    return names


@pytest.mark.parametrize(
    ("knobs", "length", "more"),
    [
        ({"suite": "epoch", "dataset": "epochs-v1", "levels": "1-3"}, 4, 10),
        pytest.param({"dataset": "horizon", "mode": "tools", "task_id": "*171_*"}, 7, 0, marks=pytest.mark.slow),
    ],
    ids=["epoch", "rpg"],
)
def test_a_table_learns_in_a_quarter_of_the_episodes(
    page: dict[str, Any], knobs: dict[str, Any], length: int, more: int
) -> None:
    with Scorer(TaskQuery(**knobs)) as scorer:
        task_id = next(task_id for task_id in scorer.tasks if len(scorer.way(task_id)) == length)
        calls = page["calls_of"](scorer, task_id, more)
        learned = {
            kind: sum(page["episodes_to_learn"](scorer, task_id, calls, kind, seed) for seed in range(3))
            for kind in ("potential", "end")
        }
    assert 4 * learned["potential"] <= learned["end"]
