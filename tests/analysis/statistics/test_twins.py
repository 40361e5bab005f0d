import pytest

from herobench.analysis.statistics.comparison import (
    Side,
    Verdict,
    are_twins,
    compare,
    paired_names,
    twin_side,
    verdict_on,
)
from tests.analysis.samples.samples import sample, table_of

PUBLIC = table_of(sample("5/1_Lich_kill", True), sample("5/2_Imp_kill", False))
PRIVATE = table_of(
    sample("5/2_Gor_kill", True, twin_of="5/2_Imp_kill"), sample("5/1_Imp_kill", True, twin_of="5/1_Lich_kill")
)
OTHER = table_of(sample("5/1_Zed_kill", False, twin_of="5/1_Lich_kill"), sample("6/1_Zed_kill", False, twin_of="6/9"))


def test_a_twin_goes_by_the_name_of_its_original_wherever_that_is_known() -> None:
    assert paired_names(PUBLIC, PRIVATE) == ["5/1_Lich_kill", "5/2_Imp_kill"]
    assert paired_names(PRIVATE, PUBLIC) == ["5/2_Imp_kill", "5/1_Lich_kill"]
    assert paired_names(OTHER, PRIVATE) == ["5/1_Lich_kill", "6/1_Zed_kill"]


def test_runs_on_the_same_twins_meet_too() -> None:
    assert paired_names(PRIVATE, PRIVATE) == ["5/2_Imp_kill", "5/1_Lich_kill"]


def test_it_is_known_whether_there_are_twins() -> None:
    assert are_twins(PRIVATE, PUBLIC)
    assert not are_twins(PUBLIC, PRIVATE)
    assert not are_twins(PUBLIC, PUBLIC)


def test_it_is_known_which_side_has_the_twins() -> None:
    assert (twin_side(PUBLIC, PRIVATE), twin_side(PRIVATE, PUBLIC)) == ("second", "first")
    assert (twin_side(PRIVATE, OTHER), twin_side(PUBLIC, PUBLIC)) == ("both", None)


LOSSES, WINS = [0.0] * 6, [1.0] * 6


@pytest.mark.parametrize(
    ("side", "first", "second", "verdict"),
    [
        ("second", WINS, LOSSES, "originals_won_more"),
        ("first", LOSSES, WINS, "originals_won_more"),
        ("second", LOSSES, WINS, "twins_won_more"),
        ("first", WINS, LOSSES, "twins_won_more"),
        ("second", WINS, WINS, "no_difference_shown"),
        ("second", WINS[:5], LOSSES[:5], "no_difference_shown"),  # by McNemar p is 0.06
        ("second", WINS[:1], LOSSES[:1], "not_comparable"),
        ("both", WINS, LOSSES, "not_comparable"),
    ],
)
def test_a_verdict_needs_a_difference_that_is_hardly_chance(
    side: Side, first: list[float], second: list[float], verdict: Verdict
) -> None:
    success = compare(range(len(first)), first, range(len(second)), second)
    assert verdict_on(side, success, is_one_model=True) == verdict
    assert verdict_on(side, success, is_one_model=False) == "not_comparable"


def test_without_one_win_and_loss_a_task_the_other_p_value_counts() -> None:
    tasks = [task for task in range(6) for _ in range(2)]
    success = compare(tasks, [1.0, 0.5] * 6, tasks, [0.0, 0.2, 0.0, 0.4] * 3)
    assert success.exact_p is None
    assert verdict_on("second", success, is_one_model=True) == "originals_won_more"
