"""Logs of other tools as runs. Those in tests/data/logs were written by the tools: Inspect 0.3.285, lm-eval 0.4.13 with
its results shortened, verifiers 0.4.0 without its messages, and the classes of harbor 0.26.0."""

import json
import shutil
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from tests.golden import Golden
from tests.made_runs import metr_runs
from tests.program import Done, herobench, read_jsonl
from tests.sizes import for_each

LOGS = Path(__file__).parents[1] / "data" / "logs"


def imported(folder: Path, *words: str | Path) -> Done:
    """The words of an import that succeeds, into `runs`."""
    done = herobench("import", *words, "-o", "runs", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done


def analyzed(folder: Path, run: str = "runs") -> list[dict[str, Any]]:
    done = herobench("analyze", run, "--format", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    runs: list[dict[str, Any]] = json.loads(done.stdout)["runs"]
    return runs


def samples(folder: Path) -> list[dict[str, Any]]:
    return [row for file in sorted(folder.glob("runs/*/samples.jsonl")) for row in read_jsonl(file)]


METR = ("--model", "alias", "--length", "human_minutes", "--unit", "minutes", "--group", "task_source")


@for_each(
    "log, named, expected, error, harness",
    [
        ("toy.eval", "metadata.minutes", 0.5416666666666666, 0.11931517552730296, "inspect 0.3.285"),
        ("lm_eval", "doc.minutes", 0.5714285714285714, 0.20203050891044214, "lm-eval 0.4.13"),
        ("verifiers", None, 1 / 3, 1 / 3, "verifiers 0.4.0"),
        ("harbor", None, 0.6, None, "harbor"),
    ],
)
def test_figures_are_those_that_the_tool_prints(
    log: str, named: str | None, expected: float, error: float | None, harness: str, tmp_path: Path
) -> None:
    said = imported(tmp_path, LOGS / log, *(("--length", named) if named else ())).stdout
    (run,) = analyzed(tmp_path)
    assert run["score"]["estimate"] == pytest.approx(100 * expected)
    assert f"mean {expected:.4f}" in said
    if error is not None:  # harbor prints none
        assert run["score"]["standard_error"] == pytest.approx(100 * error)
        assert f"± {error:.4f}" in said
    assert run["suite"] == (f"imported-{named.rpartition('.')[2]}" if named else "imported")
    (manifest,) = tmp_path.glob("runs/*/run.json")
    assert json.loads(manifest.read_text())["imported"]["harness"] == harness


def test_a_log_of_inspect_is_the_same_as_json(tmp_path: Path) -> None:
    whole = {"eval": {"model": "m", "task": "t", "packages": {}}, "samples": []}
    scores: list[Any] = [0.25, "C", True, float("nan"), {"f1": 0.5, "em": 0}]
    for number, value in enumerate(scores):
        whole["samples"].append({"id": number, "epoch": 1, "scores": {"graded": {"value": value}}})  # type: ignore[attr-defined]
    whole["samples"].append({"id": 9, "epoch": 1, "error": {"message": "OSError('gone')"}})  # type: ignore[attr-defined]
    whole["samples"].append({"id": 8, "epoch": 1, "scores": {"graded": {"value": 0}}, "limit": {"type": "token"}})  # type: ignore[attr-defined]
    (tmp_path / "log.json").write_text(json.dumps(whole))
    done = herobench("import", "log.json", "-o", "runs", cwd=tmp_path)
    assert "samples[4]" in done.stderr  # a score of several values has no outcome until one is named
    whole["samples"][4]["scores"] = {"graded": {"value": 0.5}}  # type: ignore[index]
    (tmp_path / "log.json").write_text(json.dumps(whole))
    imported(tmp_path, "log.json", "--won-at", "0.5")
    rows = {row["task_id"]: row for row in samples(tmp_path)}
    assert {task: row.get("score") for task, row in rows.items()} == {
        "0": 25, "1": 100, "2": 100, "3": None, "4": 50, "9": None, "8": 0
    }  # fmt: skip
    assert [task for task, row in rows.items() if row.get("won")] == ["1", "2", "4"]
    assert (rows["3"]["error"]["kind"], rows["9"]["error"]["kind"]) == ("no_outcome", "OSError")
    assert (rows["8"]["failure"], rows["8"]["unfinished"]) == ("token", "token")


def test_a_filter_of_lm_eval_and_a_metric_of_verifiers_can_be_named(tmp_path: Path) -> None:
    imported(tmp_path, LOGS / "lm_eval", "--outcome", "exact_match,first_letter")
    assert [row["score"] for row in samples(tmp_path)] == [0] * 7
    shutil.rmtree(tmp_path / "runs")
    imported(tmp_path, LOGS / "verifiers" / "traces.jsonl", "--outcome", "progress")
    assert {row["model"] for row in samples(tmp_path)} == {"oracle"}


def test_results_of_earlier_verifiers_have_their_metadata_beside_them(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text('{"env_id": "gsm8k", "model": "m"}')
    rows = [
        {"example_id": 0, "reward": 1.0, "task": "default"},
        {"example_id": 0, "reward": 0.0},
        {"example_id": 1, "reward": 0.5},
    ]
    (tmp_path / "results.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    imported(tmp_path, "results.jsonl")
    assert [(row["task_id"], row["epoch"], row["score"]) for row in samples(tmp_path)] == [
        ("0", 0, 100), ("0", 1, 0), ("1", 0, 50)
    ]  # fmt: skip
    assert analyzed(tmp_path)[0]["dataset"] == "gsm8k"


def test_the_reward_of_a_trace_has_weights_and_one_that_failed_is_unmeasured(tmp_path: Path) -> None:
    trace = {"task": {"data": {"idx": 0}}, "agent": {"config": {"model": "m"}}, "ok": True}
    trace["rewards"] = {"right": {"score": 1.0, "weight": 0.25}, "short": {"score": 0.5}, "judge": None}
    broken = {**trace, "ok": False, "errors": [{"type": "ProviderError"}]}
    (tmp_path / "traces.jsonl").write_text(json.dumps({"env": {"id": "e"}, "traces": [trace, broken]}))
    imported(tmp_path, "traces.jsonl")
    one, other = samples(tmp_path)
    assert (one["score"], other["status"], other["error"]["kind"]) == (75, "unmeasured", "ProviderError")


def test_an_invalid_reward_of_harbor_is_unmeasured_and_a_timeout_is_a_loss(tmp_path: Path) -> None:
    imported(tmp_path, LOGS / "harbor")
    (run,) = analyzed(tmp_path)
    assert (run["errors"], run["failures"], run["apart"]["help"]) == (
        {"ApiRateLimitError": 1},
        {"AgentTimeoutError": 1},
        "tools",
    )


@pytest.mark.slow
def test_lengths_are_named_by_their_unit_everywhere(tmp_path: Path) -> None:
    metr_runs(tmp_path / "runs.jsonl")
    imported(tmp_path, "runs.jsonl", *METR, "--mode", "tools")
    runs = analyzed(tmp_path)
    outcomes = [row["score_cont"] for row in read_jsonl(tmp_path / "runs.jsonl") if row["alias"] == "Model A"]
    assert runs[0]["score"]["estimate"] == pytest.approx(100 * mean(outcomes))
    assert runs[0]["score"]["standard_error"] == pytest.approx(100 * stdev(outcomes) / len(outcomes) ** 0.5)
    one, other = (run["horizon"]["h50"]["estimate"] for run in runs)
    assert (one, other) == (pytest.approx(8, rel=0.2), pytest.approx(128, rel=0.2))
    texts = [
        herobench("analyze", "runs", cwd=tmp_path).stdout,
        herobench("analyze", "runs", "--format", "latex", cwd=tmp_path).stdout,
        herobench("leaderboard", "runs", columns=200, cwd=tmp_path).stdout,
        herobench("compare", "runs/Model-A", "runs/Model-B", cwd=tmp_path).stdout,
    ]
    herobench("report", "runs", "-o", "report.html", cwd=tmp_path)
    texts.append((tmp_path / "report.html").read_text())
    herobench("plot", "runs", "-o", "figures", cwd=tmp_path)
    assert all("minutes" in text and "decision" not in text for text in texts)
    assert (tmp_path / "figures" / "horizon.png").is_file()
    assert "noise floor" in texts[3]
    assert "the first is shorter" in texts[3]


def test_a_column_for_each_model_is_the_same_as_a_row_for_each_attempt(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text("task;minutes;a;b\nx;1,5;won;0\ny;3;;0.5\n".replace("1,5", "1.5"))
    (tmp_path / "long.csv").write_text("task,minutes,model,outcome\nx,1.5,a,1\nx,1.5,b,lost\ny,3,b,0.5\n")
    imported(tmp_path, "wide.csv", "--length", "minutes")
    wide = samples(tmp_path)
    assert [(row["model"], row["task_id"], row["score"], row["details"]["length"]) for row in wide] == [
        ("a", "x", 100, 1.5), ("b", "x", 0, 1.5), ("b", "y", 50, 3)
    ]  # fmt: skip
    shutil.rmtree(tmp_path / "runs")
    imported(tmp_path, "long.csv", "--length", "minutes")
    assert samples(tmp_path) == wide
    shutil.rmtree(tmp_path / "runs")
    (tmp_path / "wide.csv").write_text("minutes,problem,a,b\n1.5,x,won,0\n3,y,,0.5\n")
    imported(tmp_path, "wide.csv", "--length", "minutes")
    assert samples(tmp_path) == wide


@for_each("ending", ["csv", "parquet"])
def test_a_matrix_that_was_imported_is_written_the_same(ending: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    metr_runs(tmp_path / "runs.jsonl")
    imported(tmp_path, "runs.jsonl", "--model", "alias", "--outcome", "score_cont", "--dataset", "=HCAST")
    assert (
        herobench("run", "-m", "greedy", "--difficulty", "1", "--limit", "3", "-o", "own", cwd=tmp_path).returncode == 0
    )
    herobench(
        "import",
        LOGS / "toy.eval",
        LOGS / "lm_eval",
        "-o",
        "others",
        "--length",
        "metadata.minutes|doc.minutes",
        cwd=tmp_path,
    )
    first, second = (f"{name}.{ending}" for name in ("first", "second"))
    done = herobench("export", "matrix", "runs", "own", "others", "-o", first, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert herobench("import", first, "-o", "again", cwd=tmp_path).returncode == 0
    assert herobench("export", "matrix", "again", "-o", second, cwd=tmp_path).returncode == 0
    assert (tmp_path / first).read_bytes() == (tmp_path / second).read_bytes()
    if ending == "csv":
        head, line, *_ = (tmp_path / first).read_text().splitlines()
        # measurement-db's own `resolve_subject("Model A")` and `register_item("=HCAST", "family_0/main", None)`
        assert line.startswith("d9b0632857ca4b41,eb8090c2a2eaf32c,'=HCAST,1,,1.0,Model A,family_0/main,True,")
        assert head.startswith("subject_id,item_id,benchmark_id,trial,test_condition,response,model,raw_item_id")


def test_a_matrix_has_an_ending_that_says_its_format(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "log.csv").write_text("task,model,outcome\nx,a,1\n")
    imported(tmp_path, "log.csv")
    golden(herobench("export", "matrix", "runs", "-o", "matrix.txt", cwd=tmp_path))


HEAD = "task,model,outcome,minutes,n\n"


@for_each(
    "text, options",
    [
        ("", ()),
        ("task\nx\n", ()),
        ("task,task\nx,y\n", ()),
        (HEAD, ()),
        (f"{HEAD}x,a,1,5,1\nx,b,maybe,5,1\nx,c,7,5,1\n,d,1,5,1\nx,,1,5,1\n", ()),
        (f"{HEAD}x,a,1,5,1\n", ("--length", "hours", "--group", "kind")),
        (f"{HEAD}x,a,1,5,1\nx,b,1,6,1\ny,b,1,-1,1\nz,b,1,long,1\n", ("--length", "minutes")),
        (f"{HEAD}x,a,1,5,1\nx,a,0,5,2\nx,a,0,5,1\n", ("--repeat", "n")),
        (f"{HEAD}x,a,1,5\nx,a,1,5,1,2\n", ()),
        (f'{HEAD}x,a,1,5,1\n"x,a,1,5,1\n', ()),
        (f"{HEAD}x,a,1,5,1\n\udcff,a,1,5,1\n", ()),
        ("task,model,outcome,length,unit\nx,a,1,5,minutes\ny,a,1,5,hours\n", ()),
        ("a,b\n1,0\n0,1\n1,1\n", ()),
    ],
)
def test_faults_are_named_with_their_place_and_nothing_is_left(
    text: str, options: tuple[str, ...], tmp_path: Path, golden: Golden
) -> None:
    (tmp_path / "log.csv").write_text(text, "utf-8", "surrogateescape")
    done = herobench("import", "log.csv", "-o", "runs", *options, cwd=tmp_path)
    assert (done.returncode, [*tmp_path.glob("runs/*")]) == (2, [])
    golden(done)


def test_commands_that_need_tasks_or_replies_say_what_reads_an_imported_run(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("task,model,outcome\nx,m,1\n")
    imported(tmp_path, "log.csv")
    run = Path("runs/m")
    for command in (("score", run), ("fingerprint", run), ("merge", run, "-o", "both"), ("run", "--resume", run)):
        done = herobench(*command, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "was imported from a log of another tool" in done.stderr


def test_reading_stops_at_the_hundredth_fault(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(HEAD + "x,a,maybe,5,1\n" * 150)
    done = herobench("import", "log.csv", "-o", "runs", cwd=tmp_path)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, "... and 50 more problems")


def test_a_log_that_was_cut_is_refused_wherever_it_ends(tmp_path: Path, golden: Golden) -> None:
    whole = (LOGS / "toy.eval").read_bytes()
    for count in (0, 4, 1000, len(whole) - 1000, len(whole) - 1):
        (tmp_path / "log.eval").write_bytes(whole[:count])
        done = herobench("import", "log.eval", "-o", "runs", cwd=tmp_path)
        assert (done.returncode, done.stderr.startswith("log.eval: expected a whole inspect log")) == (
            2,
            True,
        )
    damaged = whole[:3000] + b"\xff" * 50 + whole[3050:]
    (tmp_path / "log.eval").write_bytes(damaged)
    golden(done, herobench("import", "log.eval", "-o", "runs", cwd=tmp_path))
    assert not [*tmp_path.glob("runs/*")]


def test_what_is_no_log_is_refused(tmp_path: Path, golden: Golden) -> None:
    for name in ("empty", "full"):
        (tmp_path / name).mkdir()
    (tmp_path / "full" / "file").touch()
    (tmp_path / "other.json").write_text('{"samples": []}')
    (tmp_path / "rows.jsonl").write_text('{"item": 1, "model": "m", "outcome": 1}\n[]\n{"item"\n')
    (tmp_path / "log.csv").write_text("task,model,outcome\nx,a,1\n")
    (tmp_path / "cut.parquet").write_text("PAR1")
    told = [
        herobench("import", name, "-o", "runs", cwd=tmp_path)
        for name in ("nowhere.csv", "empty", "other.json", "rows.jsonl", "cut.parquet")
    ]
    told += [herobench("import", "log.csv", "-o", "full", cwd=tmp_path), herobench("import", "--help", columns=100)]
    golden(*told)
