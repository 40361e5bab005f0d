"""The paper's Tables 1 and 2 by the command that people use."""

import json
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from tests.conformance.published import REFERENCE, RUNS
from tests.conformance.published_tables import IN_BOTH, import_tasks, printed_tables, rows_of
from tests.conformance.test_table1 import PRINTED_TO
from tests.program import herobench

COLUMNS_1 = (("success",), ("score", "score_sd"), ("tokens", "tokens_sd"))
COLUMNS_2 = (
    ("high_level_mean", "high_level_sd"),
    ("execution_mean", "execution_sd"),
    ("failed",),
    ("only_gear",),
    ("gear_and_execution",),
    ("only_execution",),
    ("invalid_code",),
)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return import_tasks(tmp_path_factory.mktemp("published"))


@pytest.mark.parametrize("name", IN_BOTH)
def test_the_published_rows_are_printed(name: str, tasks: Path, tmp_path: Path) -> None:
    about = RUNS[name]
    one, two, *_ = rows_of(name, printed_tables(name, tasks, tmp_path))
    for columns, line, told in ((COLUMNS_1, one, about["table1"]), (COLUMNS_2, two, about["table2"])):
        cells = [cell.strip() for cell in line.strip("|").split("|")][1:]
        printed = {
            column: figure
            for names, cell in zip(columns, cells, strict=True)
            for column, figure in zip(names, cell.split(" ± "), strict=True)
        }
        for column, figure in told.items():
            if column.startswith(("high_level", "execution")):  # failed purchases, which were not recorded, move some
                assert float(printed[column]) == pytest.approx(figure, abs=0.0201), column
            else:
                assert float(printed[column]) == figure, column


@pytest.mark.parametrize("name", sorted(RUNS))
def test_published_files_are_analyzed_as_they_are(name: str) -> None:
    source, told = REFERENCE / RUNS[name]["file"], RUNS[name].get("table1")
    done = herobench("analyze", source, "--format", "json")
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    assert schema_problems(json.loads(done.stdout), "analysis", "stdout") == []
    if told:
        for column, figure in told.items():
            assert run["table1"][column] == pytest.approx(figure, abs=PRINTED_TO[column] / 2 + 1e-6), column
    assert run["progress"]["estimate"] is None, "what was not published is not made up"
    assert {value for column, value in run["table2"].items() if column != "failed"} == {None}
