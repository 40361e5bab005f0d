"""Shards of a run that are merged are the run; what does not belong together is refused with the reason."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each
from tests.toys import toy

ASK = ("run", "--suite", "treasure", "--model", "oracle", "--rooms", "7")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run, and the same in three shards."""
    folder = tmp_path_factory.mktemp("runs")
    assert toy(*ASK, "-o", folder / "whole").returncode == 0
    for part in (1, 2, 3):
        assert toy(*ASK, "--shard", f"{part}/3", "-o", folder / f"{part}").returncode == 0
    return folder


def shards(runs: Path, *parts: int) -> list[Path]:
    return [runs / str(part) for part in parts]


def config(run: Path) -> Any:
    return json.loads((run / "run.json").read_text("utf-8"))["config"]


def verdicts(run: Path) -> dict[str, tuple[bool, float]]:
    return {row["task_id"]: (row["won"], row["score"]) for row in read_jsonl(run / "samples.jsonl")}


def refused(*words: str | Path, told: str) -> None:
    done = toy(*words)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_merged_shards_are_the_run_that_was_shared(runs: Path, tmp_path: Path) -> None:
    assert [len(read_jsonl(run / "tasks.jsonl")) for run in shards(runs, 1, 2, 3)] == [3, 2, 2]
    merged = tmp_path / "merged"
    done = toy("merge", *shards(runs, 3, 1, 2), "-o", merged)
    assert (done.returncode, done.stderr) == (0, "")
    assert config(merged) == config(runs / "whole")
    assert (merged / "tasks.jsonl").read_bytes() == (runs / "whole" / "tasks.jsonl").read_bytes()
    assert verdicts(merged) == verdicts(runs / "whole")
    assert len(read_jsonl(merged / "calls.jsonl")) == 14
    manifest = json.loads((merged / "run.json").read_text("utf-8"))
    assert manifest["totals"]["measured"] == manifest["totals"]["wins"] == 7
    assert len(manifest["sessions"]) == 3
    assert toy("run", "--resume", merged).returncode == 0


@pytest.mark.slow
def test_a_shard_that_owes_attempts_is_merged_and_the_run_resumes(runs: Path, tmp_path: Path, golden: Golden) -> None:
    for part in (1, 2, 3):
        shutil.copytree(runs / str(part), tmp_path / str(part))
    samples = tmp_path / "2" / "samples.jsonl"
    samples.write_text(samples.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
    (tmp_path / "2" / "calls.jsonl").write_text("", "utf-8")
    manifest = json.loads((tmp_path / "2" / "run.json").read_text("utf-8"))
    manifest["totals"] |= {"measured": 1, "wins": 1, "owed": 1}
    (tmp_path / "2" / "run.json").write_text(json.dumps(manifest), "utf-8")
    golden(toy("merge", *shards(tmp_path, 1, 2, 3), "-o", tmp_path / "merged"))
    assert toy("run", "--resume", tmp_path / "merged").returncode == 0
    assert verdicts(tmp_path / "merged") == verdicts(runs / "whole")


@pytest.mark.slow
def test_shards_that_do_not_belong_together_are_refused(runs: Path, tmp_path: Path) -> None:
    out = ("-o", tmp_path / "merged")
    refused("merge", *shards(runs, 1, 3), *out, told="1 of 3 shards are missing: 2/3.")
    refused("merge", *shards(runs, 1, 2, 2, 3), *out, told="is there twice")
    refused("merge", runs / "whole", *shards(runs, 1, 2, 3), *out, told="is a whole run, and no shard of one")
    other = tmp_path / "other"
    assert toy(*ASK, "--epochs", "2", "--shard", "2/3", "-o", other).returncode == 0
    refused("merge", *shards(runs, 1, 3), other, *out, told="epochs: 1, now 2")
    shutil.copytree(runs / "2", tmp_path / "edited")
    refused("merge", *shards(runs, 1, 2, 3), tmp_path / "edited", *out, told="Shard 2/3 is there twice")
    tasks = tmp_path / "edited" / "tasks.jsonl"
    tasks.write_text("".join(reversed(tasks.read_text("utf-8").splitlines(keepends=True))), "utf-8")
    refused("merge", *shards(runs, 1, 3), tmp_path / "edited", *out, told="the tasks that were shared")
    refused("merge", *shards(runs, 1, 2, 3), "-o", runs / "whole", told="is a run already")
    assert not (tmp_path / "merged" / "run.json").exists()


@for_each("shard", ["0/3", "4/3", "1", "a/b", "1/99"])
def test_a_share_that_cannot_be_is_refused(shard: str, tmp_path: Path) -> None:
    refused(*ASK, "--shard", shard, "-o", tmp_path / "run", told="shard")


@pytest.mark.slow
def test_shards_whose_tasks_need_other_words_resume_and_are_one_run(tmp_path: Path) -> None:
    # only the last task asks for a straight plan, which the prompt has words for
    one, other, last = islice(shipped_tasks("base-v2").values(), 3)
    rows = [one, other, replace(last, mechanics=replace(last.mechanics, plan="straight"))]
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [task.as_row() for task in rows])
    ask = ("run", "--model", "noop", "--tasks", tasks)
    assert herobench(*ask, "-o", tmp_path / "whole").returncode == 0
    for part in (1, 2):
        assert herobench(*ask, "--shard", f"{part}/2", "-o", tmp_path / str(part)).returncode == 0
        assert herobench("run", "--resume", tmp_path / str(part)).returncode == 0
    assert config(tmp_path / "1")["identity"] == config(tmp_path / "whole")["identity"]
    assert config(tmp_path / "2")["identity"] != config(tmp_path / "whole")["identity"]
    assert herobench("merge", *shards(tmp_path, 1, 2), "-o", tmp_path / "merged").returncode == 0
    assert config(tmp_path / "merged") == config(tmp_path / "whole")
    assert herobench("run", "--resume", tmp_path / "merged").returncode == 0
