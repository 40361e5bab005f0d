"""What the analysis says of runs that chose their tasks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.sources import Source, chosen_notes, lacking
from herobench.data.errors import InputError

UNTIL = {"horizon": 106.2, "low": 75.4, "high": 149.6, "fits": True, "tasks": 104}


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
    assert note.endswith("its horizon is not determined: success does not fall with length as the curve does.")


def test_few_tasks_determine_nothing() -> None:
    (note,) = chosen_notes([("a", source({**UNTIL, "tasks": 39}).asked)])
    assert note.endswith("its horizon is not determined: 39 tasks are measured, and 40 are needed.")


def test_a_horizon_outside_the_asked_lengths_is_no_figure_to_quote() -> None:
    (note,) = chosen_notes([("a", source({**UNTIL, "outside": "beyond the range"}).asked)])
    assert "its horizon is beyond the range: 106 (75 to 150) is an extrapolation" in note


def test_a_run_that_asks_all_tasks_again_has_no_interval_of_its_own() -> None:
    resumed = source(UNTIL)
    assert resumed.manifest is not None
    resumed = replace(resumed, manifest={**resumed.manifest, "conduct": {"until": "all"}})
    assert chosen_notes([("a", resumed.asked)]) == []


def test_a_run_without_a_choice_is_one_of_all_tasks() -> None:
    (note,) = lacking([source(None)], ["a"] * 104)
    assert "104 of the 360 samples" in note
    assert chosen_notes([("a", source(None).asked)]) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"low": "x"},
        {"low": -5.0},
        {"low": 200.0},
        {"high": 10**400},
        {"horizon": True},
        {"fits": 1},
        {"tasks": None},
        {"outside": 1},
    ],
)
def test_what_no_run_has_written_is_told(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"run.json: \$.sessions\[0\].until: expected how the choice of tasks stood"):
        assert source({**UNTIL, **changes}).asked
    with pytest.raises(InputError, match="expected how the choice"):
        assert source(7).asked
