"""The part of a checkup: journeys in their lanes, and what they take."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from herobench.checkup.price import Terms
from herobench.checkup.work import choose_tasks
from tests.checkup.rows import only_part

PART = only_part("journey")
LANES = {row.lane: row for row in PART.rows}
TERMS = Terms([PART], thoughts=0)


def test_each_lane_asks_as_many_of_each_length_and_the_same_seed(tmp_path: Path) -> None:
    asked = [choose_tasks(PART, row, 24, 7, tmp_path, 1) for row in PART.rows]
    assert [one.pop("options") for one in asked] == [{"lane": "plan"}, {"lane": "fights"}, {"lane": "steps"}]
    assert all(one == asked[0] for one in asked)
    assert (asked[0]["suite"], asked[0]["fresh"]) == ("journey", 7)
    groups = Counter(task.split("/")[0] for task in asked[0]["task_ids"])
    assert groups == dict.fromkeys(("2", "4", "8", "16", "32", "64"), 4)


@pytest.mark.parametrize("lane", LANES)
def test_prompts_and_answers_are_as_long_as_the_table_says(lane: str) -> None:
    """A prompt or a lane whose words changed much needs new figures: see tests/checkup/test_usage.py."""
    from herobench.cli.dry_run import first_request
    from herobench.runs.asking import count_characters
    from herobench.runs.spec import make_spec

    spec = make_spec({"suite": "journey", "options": {"lane": lane}, "model": "oracle", "shuffle": 3, "limit": 80})
    by_group: dict[str, list[float]] = {}
    for info in spec.suite.tasks():
        if info.id in spec.tasks:
            tokens = count_characters(first_request(spec.suite, spec.agent, info.id)) / 4
            by_group.setdefault(info.group, []).append(tokens)
    spec.suite.close()
    assert LANES[lane].by_winner.prompt == pytest.approx(fmean(map(fmean, by_group.values())), rel=0.05)
