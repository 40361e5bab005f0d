"""Exports of questions to harbor."""

from pathlib import Path

from herobench.suites.acp.questions.questions import published
from tests.program import write_jsonl
from tests.surfaces.test_exports import export, solved


def test_no_label_is_code_of_a_script_of_harbor(tmp_path: Path) -> None:
    label = "(clear\nEND_OF_THE_ANSWER\ntouch escaped\n$(touch escaped)`touch escaped`' \\ \ud800)"
    question = next(question for question in published().values() if question.task == "prog")
    row = question.with_proof({"pos": [label], "neg": []}).as_row()
    write_jsonl(tmp_path / "tasks.jsonl", [row])
    export("harbor", tmp_path / "out", "--suite", "acp", "--set", f"tasks={tmp_path / 'tasks.jsonl'}")
    (task,) = (tmp_path / "out").iterdir()
    answer = solved(task, tmp_path).read_text("utf-8")
    assert label.replace("\ud800", "\\ud800") in answer
    assert not [*tmp_path.rglob("escaped")]
