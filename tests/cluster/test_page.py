"""The page on clusters is true: its commands, without a cluster, and its queries, with the tools that they are for."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from herobench.task_gen.rpg.datasets import dataset_path
from tests.cluster.here import Here, here
from tests.program import herobench, read_jsonl, write_jsonl
from tests.reader import ROOT, Reader
from tests.surfaces.environment import make_environment

__all__ = ["here"]
PAGE = ROOT / "docs" / "cluster.md"


@pytest.mark.slow
def test_the_page_is_true_when_followed_from_top_to_bottom(tmp_path: Path, here: Callable[[Here], None]) -> None:
    (tmp_path / "world_data").symlink_to(ROOT / "world_data")
    Reader(tmp_path).follow(PAGE.read_text("utf-8"))


@pytest.mark.packaging
def test_duckdb_and_polars_answer_the_queries_of_the_page_alike(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, here: Callable[[Here], None]
) -> None:
    tasks = read_jsonl(Path(str(dataset_path("base"))))
    rows = [
        {"task_id": task["id"], "code": task["certificate"]["plan"] if n % 3 else ""} for n, task in enumerate(tasks)
    ]
    answers = write_jsonl(tmp_path / "answers.jsonl", rows)
    words = ("--on", "ray", "-o", tmp_path / "scored", "--format", "parquet", "--shard-rows", "50")
    assert herobench("score", "base", answers, *words).returncode == 0
    tools = make_environment(tmp_path_factory.mktemp("tables"), "duckdb", "polars", herobench=None)
    kinds = [task["kind"] for task in tasks]
    for name in ("duckdb", "polars"):
        (query,) = re.findall(rf"```py\n(import {name}\n.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
        done = tools.run("python", "-c", query, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        for kind in ("craft", "kill"):
            (line,) = [line for line in done.stdout.splitlines() if kind in line]
            wins = [n % 3 > 0 for n, other in enumerate(kinds) if other == kind]
            numbers = [float(number) for number in re.findall(r"\d+\.?\d*", line)]
            assert numbers[0] == len(wins)
            assert numbers[1] == pytest.approx(100 * sum(wins) / len(wins), rel=1e-4)
