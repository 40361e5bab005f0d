"""A run keeps what help the model has in its attempts, and so does one that is merged from shards."""

import json
from pathlib import Path

from herobench.data.documents import schema_problems
from tests.cli.running import TASKS
from tests.program import herobench, read_jsonl, write_jsonl


def manifest(path: Path) -> dict[str, object]:
    row: dict[str, object] = json.loads((path / "run.json").read_text("utf-8"))
    assert schema_problems(row, "run", "run.json") == []
    return row


def test_a_run_keeps_the_help_of_all_its_tasks_and_a_merged_run_that_of_all_its_shards(tmp_path: Path) -> None:
    tracks = ["program", "straight"]
    rows = [
        {**row, "mechanics": {**row["mechanics"], "plan": track}}
        for row, track in zip(read_jsonl(TASKS), tracks, strict=False)
    ]
    tasks = write_jsonl(tmp_path / "two.jsonl", rows)
    answers = write_jsonl(tmp_path / "answers.jsonl", [])
    model = ("--model", f"replay:{answers}", "--tasks", tasks)
    parts = [tmp_path / "one", tmp_path / "two"]
    for number, part in enumerate(parts, 1):
        herobench("run", *model, "--shard", f"{number}/2", "-o", part)
    assert [manifest(part)["help"] for part in parts] == [["code"], ["bare"]]
    # as the first runs called it
    path = parts[1] / "run.json"
    path.write_text(path.read_text("utf-8").replace('"help"', '"lanes"'), "utf-8")
    assert herobench("merge", *parts, "-o", tmp_path / "both").returncode in (0, 1)
    assert manifest(tmp_path / "both")["help"] == ["bare", "code"]
