"""The paper's Tables 1 and 2 by the command that people use."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from tests.builders import shared_rows
from tests.conformance.published import REFERENCE, RUNS, runs_with
from tests.conformance.published_tables import EDITIONS, RESULTS, TASKS, import_tasks, main, printed_tables, run_rows
from tests.program import herobench

PRINTED_TO = {"success": 0.1, "score": 0.1, "score_sd": 0.1, "tokens": 1, "tokens_sd": 1}
IN_TABLES = runs_with("table1", "table2", "failure_edition")
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
    return import_tasks(REFERENCE / "tasks.json", tmp_path_factory.mktemp("published"))


@pytest.mark.parametrize("name", IN_TABLES)
def test_the_published_rows_are_printed(name: str, tasks: Path, tmp_path: Path) -> None:
    about = RUNS[name]
    assert EDITIONS[name] == (about["edition"], about["failure_edition"])
    answers = [{"task_id": row["task"], "code": row["code"], "tokens": row["tokens"]} for row in shared_rows(about)]
    one, two, *_ = run_rows(name, printed_tables(name, answers, tasks, tmp_path))
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


def test_nine_rows_are_compared() -> None:
    assert len(IN_TABLES) == 9


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


@pytest.mark.skipif("gigachat-2-max" not in RUNS, reason="the published runs are not at ../shared")
def test_a_clone_of_the_published_repository_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "gigachat-2-max"
    logs: dict[str, dict[str, Any]] = {}
    counts: dict[str, dict[str, Any]] = {}
    for row in shared_rows(RUNS[name]):
        bracket, _, task = row["task"].partition("/")
        logs.setdefault(bracket, {})[task] = {"code": [row["code"]]}
        counts.setdefault(bracket, {})[task] = {"tokens": [row["tokens"]]}
    (tmp_path / RESULTS).mkdir(parents=True)
    (tmp_path / TASKS).parent.mkdir()
    (tmp_path / TASKS).write_bytes((REFERENCE / "tasks.json").read_bytes())
    (tmp_path / RESULTS / f"{name}_code_logs.json").write_text(json.dumps(logs), "utf-8")
    (tmp_path / RESULTS / f"{name}.json").write_text(json.dumps(counts), "utf-8")
    main(tmp_path)
    told = capsys.readouterr().out
    assert f"| {name} | 2.8 | 21.3 ± 15.4 | 1190 ± 228 |" in told
    assert f"| {name} | 3.89 ± 2.49 | 1.93 ± 1.11 | 97.2 | 17.2 | 61.1 | 5.6 | 11.7 |" in told
    with pytest.raises(SystemExit, match=r"is no clone of https://github\.com/stefanrer/HeroBench"):
        main(tmp_path / "elsewhere")
