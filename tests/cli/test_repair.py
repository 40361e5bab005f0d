"""`herobench repair`: what lost plans of a run lack, kept beside its samples and shown by the analysis."""

import json
from pathlib import Path

import pytest

from herobench.analysis.samples.samples import REPAIR, repairs_in
from herobench.data.columns import record
from herobench.data.documents import schema_problems
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.toys import toy


def write_answers(path: Path, part: str, slips: int = 1) -> Path:
    """Write the certified plans of twelve short tasks, each without its first lines in which a text is."""
    tasks = [task for task in shipped_tasks("base").values() if task.kind == "kill" and task.certificate][:12]
    rows = []
    for task in tasks:
        assert task.certificate
        lines = task.certificate.plan.splitlines()
        for _ in range(slips):
            lines.remove(next((line for line in lines if part in line), lines[0]))
        rows.append({"task_id": task.id, "answer": as_answer("\n".join(lines))})
    return write_jsonl(path, rows)


def run_answers(path: Path, folder: Path) -> None:
    chosen = [part for row in read_jsonl(path) for part in ("--task-id", row["task_id"])]
    done = herobench("run", "--dataset", "base", "-m", f"replay:{path}", *chosen, "-o", folder)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of plans that lose by one missing step each."""
    folder = tmp_path_factory.mktemp("runs") / "slips"
    run_answers(write_answers(folder.parent / "slips.jsonl", "equip"), folder)
    before = (folder / "samples.jsonl").read_bytes()
    done = herobench("repair", folder)
    assert done.returncode == 0, done.stderr
    assert "out of reach" in done.stdout
    assert (folder / "samples.jsonl").read_bytes() == before
    return folder


def test_each_lost_plan_has_a_row_and_two_processes_write_the_same(run: Path) -> None:
    rows = [json.loads(line) for line in (run / "repairs.jsonl").read_text("utf-8").splitlines()]
    samples = [json.loads(line) for line in (run / "samples.jsonl").read_text("utf-8").splitlines()]
    assert [row["task_id"] for row in rows] == [row["task_id"] for row in samples if not row["won"]]
    assert rows
    schema = json.dumps(record(REPAIR))
    assert [problem for row in rows for problem in schema_problems(row, schema, "row")] == []
    written = (run / "repairs.jsonl").read_bytes()
    assert herobench("repair", run, "--jobs", "2").returncode == 0
    assert (run / "repairs.jsonl").read_bytes() == written


def test_the_analysis_shows_repairs(run: Path) -> None:
    lost = len(repairs_in(run / "repairs.jsonl"))
    told = json.loads(herobench("analyze", run, "--format", "json").stdout)
    (found,) = told["runs"]
    assert sum(row["lost"] for row in found["repairs"]) == lost
    assert f"of {lost} lost plans, fewest edits exact in" in " ".join(herobench("analyze", run).stdout.split())
    lines = herobench("analyze", run, "--format", "csv").stdout.splitlines()
    assert {"edits_least", "edits_most", "lost_after", "lost_by", "edit_kinds"} <= set(lines[0].split(","))


def test_the_page_tells_the_repair_of_a_plan(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert herobench("analyze", run, "--format", "html", "-o", page).returncode == 0
    assert "What would win" in page.read_text("utf-8")


def test_a_damaged_file_is_refused_with_its_line(run: Path, tmp_path: Path, golden: Golden) -> None:
    path = run / "repairs.jsonl"
    whole = path.read_bytes()
    try:
        path.write_bytes(whole + whole.splitlines()[0].replace(b'"epoch": 0', b'"epoch": "x"') + b"\n")
        golden(herobench("analyze", run))
        assert herobench("repair", run).returncode == 0, "it is written anew"
        assert path.read_bytes() == whole
    finally:
        path.write_bytes(whole)


def test_without_the_tasks_nothing_is_overwritten(run: Path, golden: Golden) -> None:
    whole, tasks = (run / "repairs.jsonl").read_bytes(), run / "tasks.jsonl"
    tasks.rename(run / "elsewhere")
    try:
        golden(herobench("repair", run))
        assert (run / "repairs.jsonl").read_bytes() == whole
    finally:
        (run / "elsewhere").rename(tasks)


def test_refusals(run: Path, tmp_path: Path, golden: Golden) -> None:
    golden(herobench("repair", tmp_path / "none"), herobench("repair", run / "samples.jsonl"))
    other = tmp_path / "other"
    assert toy("run", "--suite", "treasure", "-m", "silent", "--limit", "1", "-o", other).returncode == 0
    golden(toy("repair", other))


def test_more_calls_make_more_repairs_exact(tmp_path: Path) -> None:
    own, exact = tmp_path / "run", list[int]()
    run_answers(write_answers(tmp_path / "answers.jsonl", "equip", slips=2), own)
    for calls in ("1", "6000", "60000"):
        assert herobench("repair", own, "--calls", calls).returncode == 0
        bounds = [row["fewest"] for row in map(json.loads, (own / "repairs.jsonl").read_text("utf-8").splitlines())]
        exact.append(sum(found["least"] == found["most"] for found in bounds))
    assert exact == sorted(exact)
    assert exact[0] < exact[1]
