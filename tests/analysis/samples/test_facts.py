import json
from pathlib import Path

import pytest

from herobench.analysis.samples.fact_columns import COMMON
from herobench.analysis.samples.facts import columns_of, facts
from herobench.analysis.samples.frame import frame_of
from herobench.analysis.samples.sources import read_sources
from herobench.analysis.suites.rpg.reading import mechanics_in_words
from herobench.data.columns import SAMPLE, names
from herobench.data.errors import InputError
from herobench.suites.rpg.play.columns import DETAILS
from herobench.work.engine import Local
from tests.made_runs import make_run
from tests.program import read_jsonl, write_jsonl


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "shortcut", "shortcut", limit=60)


def test_several_processes_read_the_same_as_one(run: Path, tmp_path: Path) -> None:
    rows = read_jsonl(run / "samples.jsonl")
    many = write_jsonl(tmp_path / "many.jsonl", ({**row, "epoch": epoch} for epoch in range(8) for row in rows))
    sources = read_sources([run, many])
    alone = list(facts(sources).rows())
    assert len(alone) == 60 * 9
    assert list(facts(sources, Local(2)).rows()) == alone


def test_a_line_that_is_no_row_is_named_whoever_reads_it(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "spoilt.jsonl"
    lines = (run / "samples.jsonl").read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines, "", '{"task_id": 1}', *lines]), "utf-8")
    for jobs in (1, 2):
        with pytest.raises(InputError, match=r"spoilt\.jsonl:62: \$: expected a scored row") as told:
            facts(read_sources([path]), Local(jobs))
        assert len(told.value.problems) == 1


def test_facts_that_are_columns_have_their_names(run: Path) -> None:
    own = {
        "run",
        "measured",
        "counted",
        "win",
        "outcome",
        "cause",
        "cause_line",
        "cause_subject",
        "error_kind",
        "tokens",
        "cut_off",
    }
    assert set(COMMON) - own <= {*names(SAMPLE)}
    worked_out = {"bracket", "monster", "mechanics", "wasted"}
    assert set(columns_of("rpg")[len(COMMON) :]) - worked_out <= {*names(DETAILS)}


def test_the_table_has_what_the_rows_have(run: Path) -> None:
    samples = frame_of([run])
    rows = [json.loads(line) for line in (run / "samples.jsonl").read_text("utf-8").splitlines()]
    assert tuple(samples.columns) == columns_of("rpg")
    assert list(samples.task_id) == [row["task_id"] for row in rows]
    assert list(samples.win) == [row["won"] for row in rows]
    assert list(samples.bracket) == [row["task_id"].partition("/")[0] for row in rows]
    assert list(samples.group) == list(samples.bracket)
    assert list(samples.outcome) == ["win" if row["won"] else "lose" for row in rows]
    lost = samples[~samples.win.astype(bool)]
    assert lost.cause.notna().all()
    assert samples[samples.win.astype(bool)].cause.isna().all()
    refused = [
        sum(entry.get("times", 1) for entry in row["events"]["actions"] if entry["status"] != 200) for row in rows
    ]
    assert all(wasted >= count for wasted, count in zip(samples.wasted, refused, strict=True))


@pytest.mark.parametrize(
    ("facts", "mechanics"),
    [
        ({"leveling": False, "noise": [], "stochastic": False}, "none"),
        ({"leveling": True, "noise": [], "stochastic": False}, "leveling"),
        ({"leveling": True, "noise": ["moon_blade"], "stochastic": True}, "leveling and noise and drops by chance"),
        ({}, None),
    ],
)
def test_what_a_task_asks_for_is_told_in_words(facts: dict[str, object], mechanics: str | None) -> None:
    assert mechanics_in_words(facts) == mechanics
