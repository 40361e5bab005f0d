"""Rows that other programs wrote, or that got damaged, and what is told of the tasks that runs asked."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.facts import facts
from herobench.analysis.samples.frame import common_suite, frame_of
from herobench.analysis.samples.refusals import SampleFault
from herobench.analysis.samples.samples import COMMON
from herobench.analysis.samples.sources import (
    AskedDataset,
    Source,
    dataset_name,
    fresh_notes,
    lacking_notes,
    read_sources,
    refuse_inputs,
    task_notes,
)
from herobench.data.columns import names
from herobench.data.errors import InputError
from herobench.suites.rpg.play.columns import SCORED
from herobench.work.engine import Local
from tests.golden import Golden
from tests.made_runs import Json, changed, make_run
from tests.program import herobench, read_jsonl, write_jsonl
from tests.refusals import misread, raises
from tests.sizes import for_each


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "noop", "noop", [8], 3)


@pytest.fixture(scope="module")
def scored(run: Path) -> list[Json]:
    """The scored rows of the same answers."""
    return [as_scored_row(row) for row in read_jsonl(run / "samples.jsonl")]


def as_scored_row(sample: Json) -> Json:
    own = {
        "schema": 1,
        "outcome": "win" if sample["won"] else "lose",
        "progress_before_end": sample["progress"],
        "tokens": sample["output_tokens"],
        **{name: sample[name] for name in ("task_id", "epoch", "model", "score", "failure", "events")},
    }
    return {name: (sample["details"] | own)[name] for name in names(SCORED)}


def refused(path: Path, jobs: int = 1) -> str:
    with pytest.raises(InputError) as told:
        facts(read_sources([path]), Local(jobs))
    return str(told.value)


BROKEN_EVENTS = [
    5,
    [5],
    {},
    {"schema": 2, "actions": []},
    {"schema": 1, "actions": [5]},
    {"schema": 1, "actions": [{"action": "craft", "args": ["Hero", "x", 1], "line": 1, "status": 598}]},
    {"schema": 1, "actions": [{"action": "fight", "line": 1, "status": 422, "reason": "name: x"}]},
    {"schema": 1, "actions": [{"action": "move", "args": ["Hero", 1, 1], "line": 1, "status": 200, "times": "x"}]},
    {"schema": 1, "actions": [{"action": "buy", "args": ["Hero", "x", 1], "line": [], "status": 404, "reason": "x"}]},
    {"schema": 1, "actions": [{"action": "move", "status": 200, "detail": {"kind": "flown", "place": [1, 1]}}]},
]


WRONG: list[tuple[str, Any]] = [
    ("schema", 1),
    ("suite", None),
    ("suite", ""),
    ("task_id", None),
    ("task_id", 5),
    ("group", 5),
    *((name, "a" * 1_001) for name in ("task_id", "group", "model", "failure")),
    ("epoch", None),
    ("epoch", "x"),
    ("epoch", -1),
    ("epoch", True),
    ("epoch", 10**400),
    ("status", "lost"),
    ("won", "yes"),
    ("won", None),
    ("score", "x"),
    ("score", None),
    ("score", 10**400),
    ("output_tokens", "x"),
    ("cost", []),
    ("error", "x"),
    ("replies", "x"),
    ("details.milestones", {"reached": []}),
    ("details.first_error", "x"),
    ("details.world", []),
    ("details.rules", 5),
    ("details.leveling", "no"),
    *(("events", events) for events in BROKEN_EVENTS),
]
INSIDE: list[tuple[str, Any, str]] = [
    ("error", {"kind": 5, "message": "", "status": None}, "error.kind"),
    ("replies", [{"text": 5}], "replies[0].text"),
    ("details.noise", [5], "details.noise[0]"),
    ("details.missing", {"ring": 5}, "details.missing.ring"),
]


@for_each(("column", "value", "named"), [*((name, value, name) for name, value in WRONG), *INSIDE])
def test_a_wrong_value_is_named_by_file_line_and_column(
    run: Path, tmp_path: Path, column: str, value: Any, named: str
) -> None:
    rows = read_jsonl(run / "samples.jsonl")
    rows[1] = changed(rows[1], won=False)
    rows[1] = changed(rows[1], **{column.removeprefix("details."): value})
    path = write_jsonl(tmp_path / "x.jsonl", rows)
    assert f"{path}:2: $.{named}: expected " in refused(path)


def test_every_wrong_value_of_a_row_is_named(run: Path, tmp_path: Path) -> None:
    row = changed(read_jsonl(run / "samples.jsonl")[0], cost=[], retries="x", leveling="no")
    path = write_jsonl(tmp_path / "x.jsonl", [row])
    assert refused(path).splitlines() == [
        f'{path}:1: $.retries: expected number or nothing, found "x"',
        f"{path}:1: $.cost: expected number or nothing, found []",
        f'{path}:1: $.details.leveling: expected boolean or nothing, found "no"',
    ]
    path = write_jsonl(tmp_path / "x.jsonl", [{**row, "cost": None, "retries": 0, "details": 5}])
    assert refused(path) == f"{path}:1: $.details: expected object, found 5"


@for_each(
    ("column", "value", "named"),
    [
        ("task_id", None, "task_id"),
        ("epoch", True, "epoch"),
        ("outcome", "draw", "outcome"),
        ("outcome", None, "outcome"),
        ("score", None, "score"),
        ("tokens", "x", "tokens"),
        ("progress_before_end", "x", "progress_before_end"),
        ("noise", [5], "noise[0]"),
        ("first_error", "x", "first_error"),
        ("leveling", "no", "leveling"),
        *(("events", events, "events") for events in BROKEN_EVENTS),
    ],
)
def test_a_wrong_value_of_a_scored_row_is_named_by_its_own_column(
    scored: list[Json], tmp_path: Path, column: str, value: Any, named: str
) -> None:
    path = write_jsonl(tmp_path / "x.jsonl", [scored[0], {**scored[1], "outcome": "lose", column: value}])
    assert f"{path}:2: $.{named}: expected " in refused(path)


def test_a_scored_row_is_the_same_sample(run: Path, tmp_path: Path) -> None:
    rows = [changed(row, progress=55.5, output_tokens=7) for row in read_jsonl(run / "samples.jsonl")]
    samples = write_jsonl(tmp_path / "samples.jsonl", rows)
    scored = write_jsonl(tmp_path / "scored.jsonl", map(as_scored_row, rows))
    asked = ["run", "calls", "retries", "seconds", "cut_off"]
    one, other = (frame_of([path]).drop(columns=asked).astype(object) for path in (samples, scored))
    assert one.where(one.notna(), None).equals(other.where(other.notna(), None))


def test_a_folder_of_a_former_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"schema": 1, "config": {"suite": "base", "world": "classic"}}))
    with misread("$.config", "run.json: ", "run `herobench` again"):
        read_sources([tmp_path])


def test_a_suite_without_a_reading_is_read_by_its_common_columns(run: Path, tmp_path: Path) -> None:
    rows = [{**row, "suite": "elsewhere", "details": {"x": []}} for row in read_jsonl(run / "samples.jsonl")]
    samples = frame_of([write_jsonl(tmp_path / "x.jsonl", rows)])
    assert tuple(samples.columns) == COMMON
    assert list(samples.win) == [row["won"] for row in rows]
    assert samples.cause.isna().all()


def test_only_the_samples_of_a_wanted_suite_are_read(run: Path, tmp_path: Path) -> None:
    rows = read_jsonl(run / "samples.jsonl")
    path = write_jsonl(tmp_path / "x.jsonl", [*rows, {**rows[0], "suite": "elsewhere"}])
    counts = {suite: len(facts(read_sources([path], suite=suite))) for suite in (None, "rpg", "elsewhere", "x")}
    assert counts == {None: 4, "rpg": 3, "elsewhere": 1, "x": 0}
    with raises(SampleFault.SEVERAL_SUITES, "elsewhere, rpg"):
        common_suite([frame_of([path])])


@for_each("number", ["NaN", "Infinity", "1e400"])
def test_a_number_that_is_none_is_refused(run: Path, tmp_path: Path, number: str) -> None:
    row = json.dumps(read_jsonl(run / "samples.jsonl")[0] | {"score": "NUMBER"})
    path = write_jsonl(tmp_path / "x.jsonl", [row.replace('"NUMBER"', number)])
    assert f"{path}:1: expected JSON" in refused(path)


def test_the_page_is_of_the_same_rows(run: Path, tmp_path: Path, golden: Golden) -> None:
    for number, wrong in enumerate(({"score": "x"}, {"won": False, "events": [5]})):
        path = write_jsonl(tmp_path / f"{number}.jsonl", [read_jsonl(run / "samples.jsonl")[0] | wrong])
        page = tmp_path / "x.html"
        golden(herobench("analyze", path, "--format", "html", "-o", page))
        assert not page.exists()


def test_half_a_surrogate_pair_is_shown_as_an_escape(run: Path, tmp_path: Path) -> None:
    row = changed(read_jsonl(run / "samples.jsonl")[0], won=False, model="\ud800", task_id="8/\udc00")
    row = changed(row, missing={"ring": "\ud800"}, target="\ud800")
    path = write_jsonl(tmp_path / "\udcff.jsonl", [row])
    samples = frame_of([path])
    assert list(samples.model) == ["\\ud800"]
    assert list(samples.task_id) == ["8/\\udc00"]
    assert list(samples.cause_subject) == ["\\ud800"]
    assert list(samples.run) == ["\\udcff"]
    for form in ("json", "csv", "md", "parquet", "html"):
        done = herobench("analyze", path, "--format", form, "-o", tmp_path / f"out.{form}")
        assert done.returncode == 0, done.stderr


@for_each("damaged", [lambda whole: whole[:900], lambda whole: whole + b"tail", lambda whole: b"\x1f\x8bgarbage"])
def test_damaged_gzip_is_named_and_not_what_is_written(
    run: Path, tmp_path: Path, damaged: Callable[[bytes], bytes], golden: Golden
) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(damaged(gzip.compress((run / "samples.jsonl").read_bytes())))
    for jobs in (1, 2):
        assert "a whole gzip file" in (told := refused(path, jobs))
        assert told.startswith(f"{path}:")
    golden(herobench("analyze", path, "--format", "html", "-o", tmp_path / "x.html"))


@pytest.mark.slow
def test_a_compressed_file_of_blank_lines_is_refused_before_all_are_read(tmp_path: Path, golden: Golden) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n" * (2 << 20)))
    assert refused(path) == f"{path}:{(1 << 20) + 1}: expected rows, but nearly all lines before it are blank"
    golden(herobench("leaderboard", path))


def test_a_blank_line_after_each_row_is_read(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.data.files.MOST_BLANK", 2)
    path = tmp_path / "noop.jsonl.gz"
    path.write_bytes(gzip.compress((run / "samples.jsonl").read_bytes().replace(b"\n", b"\n\n \n")))
    assert len(facts(read_sources([path]))) == 3


@pytest.mark.slow
def test_a_file_that_unpacks_to_far_more_than_samples_do_is_refused(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herobench.data.files._ALWAYS_UNPACKED", 4 << 20)
    row = read_jsonl(run / "samples.jsonl")[0]
    row["replies"][0]["text"] = "a" * (1 << 20)
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps({**row, "epoch": n}) + "\n" for n in range(8)).encode()))
    for jobs in (1, 2):
        told = f"{path}: expected a file that unpacks to at most 200 times its size; unpack it first if you trust it"
        assert refused(path, jobs) == told
    (tmp_path / "x.jsonl").write_bytes(gzip.decompress(path.read_bytes()))
    assert len(facts(read_sources([tmp_path / "x.jsonl"]))) == 8


def test_one_run_is_named_once_under_whatever_name(run: Path) -> None:
    with raises(SampleFault.NAMED_TWICE, run):
        read_sources([run, run / "." / "samples.jsonl"])
    assert len(read_sources([run, run], twice=True)) == 2


def test_all_runs_of_a_folder_are_read_those_of_its_parts_too(run: Path, tmp_path: Path) -> None:
    places = [tmp_path / "all" / place for place in ("a", "b/code", "b/plan")]
    for place in places:
        shutil.copytree(run, place)
    (tmp_path / "all" / "notes.txt").touch()
    assert [source.path for source in read_sources([tmp_path / "all"])] == places


def test_runs_of_one_name_go_by_their_paths(run: Path, tmp_path: Path) -> None:
    other = write_jsonl(tmp_path / "noop.jsonl", read_jsonl(run / "samples.jsonl"))
    assert [source.name for source in read_sources([run, other])] == [str(run), str(other)]


def test_what_is_read_is_not_written(run: Path, tmp_path: Path) -> None:
    sources = read_sources([run])
    (linked := tmp_path / "linked.jsonl").hardlink_to(run / "samples.jsonl")
    for name in ("run.json", "tasks.jsonl", "samples.jsonl", "calls.jsonl"):
        with raises(SampleFault.OUTPUT_IS_READ, run / name):
            refuse_inputs(sources, run / name)
    with raises(SampleFault.OUTPUT_IS_READ, linked):
        refuse_inputs(sources, linked)
    refuse_inputs(sources, run / "figures.json")


def test_a_published_result_is_checked_too(tmp_path: Path) -> None:
    published = {"task": "1/1_Chicken_kill", "result": "win", "reward": 1, "score": 100}
    assert list(frame_of([write_jsonl(tmp_path / "good.jsonl", [published])]).kind) == ["kill"]
    for column, named in (("task", "$.task"), ("score", "$.score"), ("reward", "$.reward")):
        path = write_jsonl(tmp_path / f"{column}.jsonl", [{**published, column: []}])
        assert f"{path}:1: {named}: expected " in refused(path)


PUBLIC, SEVEN, EIGHT = AskedDataset("base-v2"), AskedDataset("base-v2", 7), AskedDataset("base-v2", 8)


@for_each(
    ("config", "name"),
    [
        ({"dataset": "base-v2", "fresh": None}, "base-v2"),
        ({"dataset": "base-v2"}, "base-v2"),
        ({"dataset": "base-v2", "fresh": 0}, "base-v2 fresh (seed 0)"),
        ({"dataset": "half a pair \ud83d"}, "half a pair \\ud83d"),
        ({"dataset": 5}, None),
        ({}, None),
    ],
)
def test_a_dataset_goes_by_its_name_and_twins_by_that_and_the_seed(config: dict[str, Any], name: str | None) -> None:
    assert dataset_name(Source("run", Path("run"), {"config": config}).asked) == name


@for_each("together", [[PUBLIC, SEVEN], [SEVEN, EIGHT], [None, SEVEN], [PUBLIC, PUBLIC, SEVEN]])
def test_twins_beside_other_tasks_are_noted(together: list[AskedDataset | None]) -> None:
    (note,) = fresh_notes(together)
    assert "base-v2 fresh (seed 7)" in note
    assert note.count("base-v2,") <= 1


@for_each("together", [[], [SEVEN], [SEVEN, SEVEN], [PUBLIC, AskedDataset("decoys-v2")], [PUBLIC, None]])
def test_tasks_of_one_kind_need_no_note(together: list[AskedDataset | None]) -> None:
    assert fresh_notes(together) == []


def test_a_run_with_fewer_samples_than_its_tasks_and_epochs_give_is_named() -> None:
    whole = AskedDataset("base-v2", attempts=6)
    told = [("a", whole, 6), ("b", whole, 5), ("c", PUBLIC, 0), ("d", None, 0), ("e", whole, 0)]
    starts = [note.split(":")[0] for note in lacking_notes(told)]
    assert starts == [f"{run} of the 6 samples of its run" for run in ("b has 5", "e has 0")]


@for_each("tasks", [{}, {"a": {"1"}}, {"a": {"1", "2"}, "b": {"2", "1"}}, {"a": {"1"}, "none": set()}])
def test_runs_of_the_same_tasks_need_no_note(tasks: dict[str, set[str]]) -> None:
    assert task_notes(tasks) == []


def test_runs_of_different_tasks_are_named_with_what_all_have() -> None:
    advice = "herobench compare pairs two runs over the tasks that both have."
    assert task_notes({"few": {"1"}, "a": {"1", "2"}, "b": {"1", "2"}}) == [
        "These runs have different tasks, so their figures do not compare: 2 tasks in a, b; 1 task in few. "
        f"1 task is in all of them. {advice}"
    ]
    (as_many,) = task_notes({"a": {"1", "2"}, "b": {"3", "4"}})
    assert as_many.endswith(f"2 tasks in a; 2 tasks in b. No task is in all of them. {advice}")
    (many,) = task_notes({"other": {"9", "1", "2"}, **{f"m{number}": {"1", "2"} for number in range(7)}})
    assert "2 tasks in m0, m1, m2, m3, m4 and 2 more; 3 tasks in other. 2 tasks are in all" in many
