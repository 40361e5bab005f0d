"""`herobench fingerprint`: the same for the same result, and another for any other."""

import json
from pathlib import Path

import pytest

from tests.cli.running import TASKS, samples
from tests.golden import Golden
from tests.program import herobench, write_jsonl


def played(path: Path, *options: str) -> Path:
    done = herobench("run", "--model", "greedy", "--tasks", TASKS, "--epochs", "2", *options, "-o", path)
    assert done.returncode == 0, done.stderr
    return path


def line(path: Path) -> str:
    done = herobench("fingerprint", path)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("one") / "run", "--jobs", "1")


def test_order_jobs_and_what_is_of_the_machine_do_not_count(run: Path, tmp_path: Path) -> None:
    other = played(tmp_path / "other", "--jobs", "2", "--shuffle", "5", "--max-connections", "3")
    rows = [{**row, "seconds": 9.9, "output_tokens": 7, "cost": 1.5} for row in reversed(samples(other))]
    unmeasured = {
        **rows[0],
        "epoch": 1,
        "status": "unmeasured",
        "error": {"kind": "server", "message": "", "status": 500},
    }
    assert [row["task_id"] for row in rows[-5:]] != [row["task_id"] for row in samples(run)[:5]]
    write_jsonl(other / "samples.jsonl", rows)
    assert line(other) == line(run)
    # an attempt that was not measured has no verdict
    left = [row for row in rows if (row["task_id"], row["epoch"]) != (unmeasured["task_id"], 1)]
    write_jsonl(other / "samples.jsonl", left)
    less = line(other)
    write_jsonl(other / "samples.jsonl", [*left, unmeasured])
    assert line(other) == less != line(run)


def test_any_other_verdict_setting_or_task_counts_and_is_shown(run: Path, tmp_path: Path) -> None:
    other = played(tmp_path / "other")
    shown = herobench("fingerprint", run, "--show", "--samples").stdout.splitlines()
    rows, tasks, config = (
        samples(other),
        (other / "tasks.jsonl").read_text("utf-8"),
        (other / "run.json").read_text("utf-8"),
    )

    def differing() -> list[str]:
        now = herobench("fingerprint", other, "--show", "--samples").stdout.splitlines()
        return [told.partition(":")[0] for told, before in zip(now, shown, strict=True) if told != before][1:]

    assert differing() == []
    write_jsonl(other / "samples.jsonl", [{**rows[0], "score": rows[0]["score"] + 1e-9}, *rows[1:]])
    assert differing() == ["verdicts", f"{rows[0]['task_id']}, epoch {rows[0]['epoch']}"]
    write_jsonl(other / "samples.jsonl", [{**rows[0], "won": not rows[0]["won"]}, *rows[1:]])
    assert differing() == ["verdicts", f"{rows[0]['task_id']}, epoch {rows[0]['epoch']}"]
    write_jsonl(other / "samples.jsonl", rows)
    (other / "tasks.jsonl").write_text(tasks.replace("copper_ring", "copper_helmet"), "utf-8")
    assert differing() == ["tasks"]
    (other / "tasks.jsonl").write_text(tasks, "utf-8")
    changed = json.loads(config)
    changed["config"]["identity"]["rules"] = "paper-late"
    (other / "run.json").write_text(json.dumps(changed), "utf-8")
    assert differing() == ["identity.rules"]


def test_what_goes_into_it_is_told_in_a_few_lines_and_each_attempt_if_wanted(run: Path) -> None:
    told, attempts, both = (
        herobench("fingerprint", run, *words).stdout.splitlines()
        for words in (["--show"], ["--samples"], ["--show", "--samples"])
    )
    assert told[0] == attempts[0] == line(run).rstrip()
    assert [part.partition(":")[0] for part in told[1:]] == [
        *("agent", "epochs", "identity.prompts", "identity.rules", "identity.world", "identity.world_code"),
        *("model", "suite", "tasks", "verdicts"),
    ]
    assert told[-1].endswith(" (10 measured attempts, 10 won)")
    assert len(attempts) == 11
    assert attempts[1] == "1/1_Copper_craft, epoch 0: won, 100.0"
    assert both == [*told, *attempts[1:]]


def test_what_is_no_run_is_refused(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("fingerprint", tmp_path))
