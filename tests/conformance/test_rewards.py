"""Published answers as rewards of trainers: the scores of `herobench score`."""

from itertools import islice
from pathlib import Path

from herobench.surfaces import verl
from herobench.surfaces.reward import reward_function
from tests.builders import shared_rows
from tests.conformance.published import RUNS, runs_with, tasks
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import many


def test_rewards_of_published_answers_are_the_scores_of_the_command(tmp_path: Path) -> None:
    answers, file = [], ""
    for name in runs_with("table1"):
        source = RUNS[name]["tasks"]
        file = file or source
        if source == file:
            answers += [
                (row["task"], f"```python\n{row['code']}\n```") for row in shared_rows(RUNS[name]) if row["code"]
            ]
    answers = list(islice(answers[::3], many(500, 100)))
    known = tasks(file)
    path = write_jsonl(tmp_path / "tasks.jsonl", (known[id].as_row() for id in dict(answers)))
    rows = ({"task_id": id, "answer": text, "epoch": epoch} for epoch, (id, text) in enumerate(answers))
    done = herobench("score", path, write_jsonl(tmp_path / "answers.jsonl", rows), "-o", tmp_path / "scored.jsonl")
    assert done.returncode == 0, done.stderr
    scores = [row["score"] / 100 for row in read_jsonl(tmp_path / "scored.jsonl")]
    ids, texts = [id for id, _ in answers], [text for _, text in answers]
    assert reward_function(tasks=str(path))([None] * len(ids), texts, ids) == scores
    some = verl.compute_score("herobench/rpg", texts[0], ids[0], tasks=str(path))
    assert some["score"] == scores[0]
    assert len(set(scores)) > 3
