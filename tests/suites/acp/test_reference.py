"""The reference grading: the published harness bit for bit, by its own graded rows and by small examples."""

import json
import lzma
from collections.abc import Iterator
from typing import Any

import pytest

from herobench.suites.acp import grade
from herobench.suites.acp.questions.lenient import read_as_reference
from herobench.suites.acp.questions.questions import TASKS, published
from tests.builders import SHARED
from tests.sizes import for_each
from tests.suites.acp.asked import lamps, of

GOLDEN = SHARED / "reference" / "acp" / "golden"


def golden(task: str) -> Iterator[dict[str, Any]]:
    with lzma.open(GOLDEN / f"{task}.jsonl.xz", "rt") as lines:
        yield from map(json.loads, lines)


def parsed(task: str, response: str) -> object:
    """An answer in the form of the golden rows."""
    found = read_as_reference(task, response)
    if found is None:
        return None
    lists = [list(items) for items in found]
    return lists if task == "prog" else lists[0] if task in ("app", "just") else lists[0][0]


@pytest.mark.skipif(not GOLDEN.is_dir(), reason=f"the graded responses of the reference harness are not at {GOLDEN}")
@pytest.mark.parametrize("task", TASKS)
def test_every_golden_row_is_read_and_scored_as_the_harness_did(task: str) -> None:
    rows = {(question.split, question.id): question.as_row() for question in of(task)}
    seen = 0
    for row in golden(task):
        assert parsed(task, row["response"]) == row["parsed"], row
        assert grade(rows[row["split"], row["id"]], row["response"]) == row["expected"], row
        seen += 1
    assert seen > 200


@for_each(
    ("task", "response", "score"),
    [
        ("app", "(LIGHT r1 l1) (go r1 r1) (go r1 r2) (go r1 r2)", 1),
        ("app", "(light r1 l1) (go r1 r1)", 0),
        ("prog", "[(lit l1)] []", 1),
        ("prog", "[(lit l1)] [(lit l1)]", 1),  # of equal lists the second is lost
        ("reach", "(LIT L3)", 1),
        ("reach", "None", 0),
        ("reach", "(lit zzz)", 1),  # objects are not looked at
        ("reach", "(lit r1)", 1),  # neither are types
        ("reach", "(lit l1 l2)", 0),
        ("reach", "(zork l1)", 0),
        ("reach", "(has r1 l1)", 0),
        ("reach", "(has r1 l2)", 1),
        ("reach", "(lit l1)", 0),
        ("areach", "(light r1 l3)", 1),
        ("areach", "(light r2 l3)", 0),  # right, but not among the actions that the harness knows
        ("areach", "(zork)", 0),
        ("val", "2", 1),
        ("val", "02", 0),
        ("just", "(light r1 l1) (go r1 r2) (light r2 l2)", 1),
        ("just", "(LIGHT r1 l1) (go r1 r2) (light r2 l2)", 0),  # case counts here
        ("just", "Simplified plan: (LIGHT r1 l1) (go r1 r2) (light r2 l2)", 1),
        ("just", "(light r1 l1) (light r2 l2)", 0),
        ("just", "[]", 0),
        ("land", "(IN R2)", 1),
        ("land", "(lit l3)", 0),
        ("land", "None", 0),
        ("nexta", "(light r1 l1)", 1),
        ("nexta", "(go r1 r1)", 0),
        ("nexta", "(go r2 r1)", 0),
        ("nexta", "(go r1 r2)", 0),
        ("nexta", "None", 0),
    ],
)
def test_small_answers(task: str, response: str, score: int | None) -> None:
    assert grade(lamps(task).as_row(), response) == score


def test_none_is_right_where_the_label_is_empty_and_then_nothing_else_is() -> None:
    for task, label in (("reach", []), ("areach", []), ("land", {"yes": [], "no": []})):
        row = lamps(task, answer=label).as_row()
        assert (grade(row, "None"), grade(row, "(lit l3)"), grade(row, "none")) == (1, 0, 0)


def test_labels_of_just_in_upper_case_refuse_the_same_plan_in_lower_case() -> None:
    question = next(question for question in of("just") if question.domain == "logistics-strips")
    removed = next(item for item in question.answer if len(item) == 3)
    pair = f"{removed[0]} {removed[1]} "
    shortened = question.question.split('"')[1].replace(pair, "", 1)
    assert (grade(question.as_row(), shortened), grade(question.as_row(), shortened.lower())) == (1, 0)
    assert grade(question.as_row(), shortened.lower(), how="sound") == 1


@pytest.mark.slow
def test_every_published_question_is_decided() -> None:
    answers = {"prog": "[(a)] [(b)]", "val": "3"}
    scores = {grade(question.as_row(), answers.get(question.task, "(a b)")) for question in published().values()}
    assert None not in scores
