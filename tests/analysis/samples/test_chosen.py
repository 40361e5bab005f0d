"""What the analysis says of runs that chose their tasks."""

from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.sources import Source, chosen_notes, lacking

UNTIL = {"horizon": 106.2, "low": 75.4, "high": 149.6, "fits": True}


def source(until: Any) -> Source:
    config = {"dataset": "horizon-v3", "task_count": 360, "epochs": 1}
    return Source("a", Path("a"), {"config": config, "sessions": [{"until": until}, {"ended": "scored"}]})


def test_a_run_that_chose_its_tasks_lacks_none_and_has_its_own_interval() -> None:
    assert lacking([source(UNTIL)], ["a"] * 104) == []
    (note,) = chosen_notes([("a", source(UNTIL).asked), ("b", None)])
    assert note.startswith("a chose its tasks by the verdicts so far")
    assert note.endswith("quote 106 (75 to 150).")


def test_a_curve_that_does_not_fit_determines_nothing() -> None:
    (note,) = chosen_notes([("a", source({**UNTIL, "fits": False}).asked)])
    assert "106 (75 to 150), which is not determined" in note


@pytest.mark.parametrize("until", [None, "x", {}, {**UNTIL, "low": "x"}, {**UNTIL, "fits": 1}])
def test_what_is_no_choice_of_tasks_is_a_run_of_all_of_them(until: Any) -> None:
    (note,) = lacking([source(until)], ["a"] * 104)
    assert "104 of the 360 samples" in note
    assert chosen_notes([("a", source(until).asked)]) == []
