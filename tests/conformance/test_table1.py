"""The paper's main table, from our scored rows."""

import pytest

from herobench.analysis.statistics.tally import SampleTally
from herobench.analysis.suites.rpg.reading import sample_of_scored
from herobench.suites.rpg.play.execution import scored_row
from herobench.suites.rpg.worlds.content import load_rules
from tests.conformance.published import RUNS, replay, runs_with, world

IN_TABLE = runs_with("table1")
PRINTED_TO = {"success": 0.1, "score": 0.1, "score_sd": 0.1, "tokens": 1, "tokens_sd": 1}


def tally_run(run: str) -> SampleTally:
    rules = load_rules(RUNS[run]["edition"])
    return SampleTally(
        sample_of_scored({**scored_row(world(), task, rules, result), "task_id": task.id, "tokens": row["tokens"]})
        for row, task, result in replay(run)
    )


@pytest.mark.parametrize("run", IN_TABLE)
def test_table_1_is_the_published_to_the_printed_digit(run: str) -> None:
    ours = tally_run(run).table1()
    assert ours.keys() == PRINTED_TO.keys()
    for column, figure in RUNS[run]["table1"].items():
        assert ours[column] == pytest.approx(figure, abs=PRINTED_TO[column] / 2 + 1e-6), column


def test_nine_rows_are_compared() -> None:
    assert len(IN_TABLE) == 9
