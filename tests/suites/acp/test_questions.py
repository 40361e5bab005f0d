"""The published questions and their proofs, and rows from elsewhere."""

import json
import lzma
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import data_of, schema_problems
from herobench.data.errors import InputError
from herobench.suites.acp.questions.questions import QUESTIONS, TASKS, published, read_question, shots, stored_proof
from tests.builders import SHARED
from tests.program import write_jsonl
from tests.refusals import misread
from tests.sizes import for_each
from tests.suites.acp.asked import lamps, of

ACP = SHARED / "reference" / "acp"


def test_all_published_questions_come_with_the_package() -> None:
    questions = published()
    assert Counter((question.task, question.split) for question in questions.values()) == {
        (task, split): size for task in TASKS for split, size in (("dev", 40), ("test", 130))
    }
    assert len({question.domain for question in questions.values()}) == 13
    assert all(read_question(question.as_row()) == question for question in questions.values())


def test_every_question_has_a_proven_answer_and_61_labels_are_wrong() -> None:
    proofs = {question.key: stored_proof(question) for question in published().values()}
    assert None not in proofs.values()
    wrong = Counter(published()[key].task for key, proof in proofs.items() if proof and not proof.agrees)
    assert wrong == {"land": 52, "reach": 9}


def test_a_question_that_was_changed_has_no_proof() -> None:
    question = next(of("land"))
    assert stored_proof(question) is not None
    assert stored_proof(replace(question, pddl_problem=f"{question.pddl_problem} ")) is None
    assert stored_proof(lamps("land")) is None


def test_the_license_and_the_attribution_travel_with_the_data() -> None:
    folder = data_of("herobench.suites.acp")
    assert "Community Data License Agreement" in folder.joinpath("LICENSE-DATA.txt").read_text("utf-8")
    assert "ACPBench Hard" in folder.joinpath("README.md").read_text("utf-8")
    assert set(shots()) == set(TASKS)


@pytest.mark.skipif(not ACP.is_dir(), reason=f"the published questions are not at {ACP}")
def test_the_data_are_the_published_ones() -> None:
    with lzma.open(ACP / "questions.jsonl.xz", "rt") as lines:
        assert [json.loads(line) for line in lines] == [question.as_row() for question in published().values()]
    assert json.loads((ACP / "shots.json").read_text("utf-8")) == shots()


@for_each(
    ("changes", "fact"),
    [
        ({"task": "apps"}, '"app", "prog"'),
        ({"id": "7"}, "integer"),
        ({"answer": {"yes": []}}, "the task app"),
        ({"domain": "../x"}, '"../x"'),
        ({"more": 1}, "task, split"),
    ],
)
def test_a_row_that_is_no_question_is_refused_with_its_place(changes: dict[str, Any], fact: str) -> None:
    with misread(f"$.{next(iter(changes))}", "the question: ", fact):
        read_question({**lamps("app").as_row(), **changes})


@for_each("task", TASKS)
def test_a_label_has_the_form_of_its_task(task: str) -> None:
    assert read_question(lamps(task).as_row()) == lamps(task)
    other = {"val": [], "app": 1}.get(task, [1])
    with misread("$.answer", f"the task {task}"):
        read_question({**lamps(task).as_row(), "answer": other})


def test_all_problems_of_a_file_are_told(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    rows = [lamps("app").as_row(), {**lamps("val").as_row(), "id": "x"}, lamps("app").as_row(), {"task": "land"}]
    write_jsonl(path, rows)
    with pytest.raises(InputError) as refused:
        QUESTIONS.in_file(path)
    assert {problem.file.rpartition(":")[2] for problem in refused.value.problems} == {"2", "3", "4"}
    write_jsonl(path, rows[:1])
    assert QUESTIONS.in_file(path) == {lamps("app").key: lamps("app")}


def test_published_rows_fit_the_schema_of_questions() -> None:
    assert schema_problems(next(of("nexta")).as_row(), "acp-question", "row") == []
