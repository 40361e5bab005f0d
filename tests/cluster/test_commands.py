"""`--on`: the commands write the same rows and say the same as on one machine, and refuse what does not fit."""

from pathlib import Path

import pytest

from tests.cluster.here import here, on, same_rows
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl

__all__ = ["here"]
EXAMPLES = Path(__file__).parents[2] / "world_data" / "examples"
TASKS, ANSWERS = EXAMPLES / "tasks.jsonl", EXAMPLES / "answers.jsonl"
GENERATE = ("generate", "--count", "7", "--difficulty", "1-3", "--seed", "5")
ROWS = [{**row, "epoch": epoch} for epoch in range(3) for row in read_jsonl(ANSWERS)]
pytestmark = pytest.mark.usefixtures("here")


def test_scored_rows_and_the_summary_are_those_of_one_machine_also_when_all_is_there(
    tmp_path: Path, golden: Golden
) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", ROWS)
    alone, done = same_rows(tmp_path, "score", TASKS, answers)
    assert (done.returncode, done.stderr) == (0, f"15 rows: 8 of 8 shards are in {tmp_path / 'out'}\n")
    again = on(tmp_path, "score", TASKS, answers)
    assert (again.returncode, again.stdout) == (0, alone.stdout)
    golden(on(tmp_path, "score", TASKS, answers, "--rules", "paper-late"))


def test_answers_that_cannot_be_scored_are_told_as_on_one_machine_and_the_others_are_scored(tmp_path: Path) -> None:
    good = read_jsonl(ANSWERS)
    good[2] = {"task_id": good[2]["task_id"], "code": "unequip('Hero', 'weapon', 'x')"}  # which no action takes
    rows = [good[0], "nonsense", good[1], good[0], {"task_id": "9/9_Nobody_kill", "code": ""}, good[2]]
    alone, done = same_rows(tmp_path, "score", TASKS, write_jsonl(tmp_path / "answers.jsonl", rows))
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == alone.stderr.splitlines()


def test_a_shard_that_is_not_written_is_told_and_the_next_session_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        if path.name == "part-0000001.facts.json":
            raise OSError(28, "No space left on device")
        path.write_text(text, "utf-8")

    with monkeypatch.context() as patch:
        patch.setattr("herobench.cluster.job.write_text", full)
        done = on(tmp_path, "score", TASKS, ANSWERS)
    assert done.returncode == 1
    first, *others = done.stderr.splitlines()
    assert first == f"{tmp_path}/out/part-0000001.jsonl is not written: [Errno 28] No space left on device"
    assert others == [f"5 rows: 2 of 3 shards are in {tmp_path}/out", "The same command makes the missing shards."]
    assert same_rows(tmp_path, "score", TASKS, ANSWERS)[1].returncode == 0


def test_made_tasks_are_those_of_one_machine(tmp_path: Path, golden: Golden) -> None:
    _, done = same_rows(tmp_path, *GENERATE)
    assert (done.returncode, done.stderr) == (0, f"7 rows: 4 of 4 shards are in {tmp_path / 'out'}\n")
    golden(on(tmp_path, *GENERATE, "--seed", "6"))


@pytest.mark.parametrize(
    "words",
    [
        ("score", TASKS, ANSWERS, "-o", "x", "--shard-rows", "5"),
        ("score", "run", "--on", "ray", "-o", "x"),
        ("generate", "--on", "ray"),
        ("generate", "--on", "ray", "-o", "-"),
        ("score", TASKS, "-", "--on", "ray", "-o", "x"),
        ("score", TASKS, "nowhere.jsonl", "--on", "ray", "-o", "x"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(
    tmp_path: Path, words: tuple[str | Path, ...], golden: Golden
) -> None:
    herobench("run", "--dataset", "base", "--model", "noop", "--limit", "1", "-o", "run", cwd=tmp_path)
    golden(herobench(*words, cwd=tmp_path))
    assert not (tmp_path / "x").exists()
