import numpy as np
import pandas as pd
import pytest

from herobench.analysis.suites.rpg.paper_tables import hardest, lacking, plain, printed, table1, table2, table3, table4
from tests.analysis.samples.samples import sample, table_of

LOST = {"failure": "gear", "high_level_errors": 2, "execution_errors": 1}
INVALID = {"failure": "invalid_code", "high_level_errors": 0, "execution_errors": 0}
HARD = table_of(
    sample("9/1", True, tokens=100, score=90.0, failure=None, high_level_errors=0, execution_errors=0),
    sample("9/2", False, tokens=300, score=40.0, **LOST),
    sample("9/3", False, tokens=None, score=10.0, **LOST),
    sample("9/4", False, tokens=500, score=0.0, **INVALID),
)


def test_table_3_is_over_samples() -> None:
    row = table3(HARD)
    assert row["success"] == 25
    assert row["score"] == np.mean([90, 40, 10, 0])
    assert row["score_sd"] == pytest.approx(np.std([90, 40, 10, 0]))
    assert (row["tokens"], row["tokens_sd"]) == (300, pytest.approx(np.std([100, 300, 500])))


def test_table_4_counts_errors_per_sample_with_valid_code_and_deviates_over_them() -> None:
    row = table4(HARD)
    assert (row["failed"], row["only_gear"], row["invalid_code"]) == (75, 50, 25)
    assert (row["high_level_mean"], row["high_level_sd"]) == (
        pytest.approx(4 / 3),
        pytest.approx(np.std([0, 2, 2], ddof=1)),
    )
    assert (row["execution_mean"], row["execution_sd"]) == (
        pytest.approx(2 / 3),
        pytest.approx(np.std([0, 1, 1], ddof=1)),
    )


def test_over_one_bracket_there_is_no_deviation() -> None:
    assert table1(HARD)["score_sd"] is None
    assert table2(HARD)["high_level_sd"] is None


def test_what_was_not_measured_counts_as_nothing_in_table_3() -> None:
    assert table3(table_of(sample("9/1", True, tokens=5), sample("9/2", None)))["success"] == 100
    assert set(table3(table_of(sample("9/2", None))).values()) == {None}


def test_the_hardest_bracket_is_sorted_by_mechanics() -> None:
    samples = table_of(
        sample("8/1", True, mechanics="leveling"),
        sample("9/1", True),
        sample("9/2", True, mechanics="leveling"),
        sample("9/3", True, mechanics="noise"),
        sample("9/4", True, mechanics="leveling and noise"),
        sample("9/5", True, mechanics=None),
    )
    found = {mechanics: list(part.task_id) for mechanics, part in hardest(samples)}
    assert found == {
        "none": ["9/1"], "leveling": ["9/2"], "noise": ["9/3"], "leveling and noise": ["9/4"], "unknown": ["9/5"],
    }  # fmt: skip


def test_further_mechanics_are_kept_out_of_tables_1_and_2() -> None:
    samples = table_of(
        sample("1/1", True), sample("1/2", False, mechanics="leveling"), sample("1/3", True, mechanics=None)
    )
    assert list(plain(samples).task_id) == ["1/1", "1/3"]
    assert table1(plain(samples))["success"] == 100


def test_a_table_without_rows_is_not_printed() -> None:
    easy = table_of(sample("1/1", False, **LOST))
    assert [table.number for table in printed({"a": easy})] == [1, 2]
    assert [table.number for table in printed({"a": easy, "b": HARD})] == [1, 2, 3, 4]
    leveling = HARD.assign(mechanics="leveling")
    (third, fourth) = printed({"b": leveling})
    assert (third.number, fourth.number) == (3, 4)
    assert third.headers[:3] == ("Model", "Mechanics", "Success %")
    assert third.rows == [("b", "leveling", "25.0", "35.0 ± 35.0", "300 ± 163")]
    assert fourth.rows == [("b", "leveling", "1.33 ± 1.15", "0.67 ± 0.58", "75.0", "50.0", "0.0", "0.0", "25.0")]


def test_where_it_is_not_known_what_a_sample_was_lost_by_nothing_is_said_of_it() -> None:
    published = HARD.assign(failure=None, high_level_errors=None, execution_errors=None)
    assert {name: value for name, value in table2(published).items() if value is not None} == {"failed": 75}
    told = next(table for table in printed({"a": published}) if table.number == 4)
    assert told.rows == [("a", "none", "", "", "75.0", "", "", "", "")]
    assert table2(published, HARD) == table2(HARD)


def test_losses_may_be_those_of_another_scoring_and_its_last_word_counts() -> None:
    other = pd.concat([HARD, HARD.assign(failure="execution")])
    row = table4(HARD, other)
    assert (row["only_gear"], row["only_execution"], row["failed"]) == (0, 75, 75)


def test_of_what_was_not_measured_nothing_is_said() -> None:
    unmeasured = table_of(sample("9/1", None), sample("9/2", None))
    assert set(table2(unmeasured).values()) == set(table4(unmeasured).values()) == {None}
    assert table2(unmeasured).keys() == table2(HARD).keys()


def test_lost_samples_that_another_scoring_lacks_are_counted() -> None:
    assert lacking(HARD, HARD) == (0, 3)
    assert lacking(HARD, HARD[HARD.task_id != "9/2"]) == (1, 3)
    assert lacking(HARD, HARD[HARD.task_id != "9/1"]) == (0, 3)
