from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.sources import AskedDataset, Source, dataset_of, fresh_notes, lacking_notes, task_notes

PUBLIC, SEVEN, EIGHT = AskedDataset("base-v2"), AskedDataset("base-v2", 7), AskedDataset("base-v2", 8)


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"dataset": "base-v2", "fresh": None}, "base-v2"),
        ({"dataset": "base-v2"}, "base-v2"),
        ({"dataset": "base-v2", "fresh": 0}, "base-v2 fresh (seed 0)"),
        ({"dataset": "half a pair \ud83d"}, "half a pair \\ud83d"),
        ({"dataset": 5}, None),
        ({}, None),
    ],
)
def test_a_dataset_goes_by_its_name_and_twins_by_that_and_the_seed(config: dict[str, Any], name: str | None) -> None:
    assert dataset_of(Source("run", Path("run"), {"config": config}).asked) == name


@pytest.mark.parametrize("together", [[PUBLIC, SEVEN], [SEVEN, EIGHT], [None, SEVEN], [PUBLIC, PUBLIC, SEVEN]])
def test_twins_beside_other_tasks_are_noted(together: list[AskedDataset | None]) -> None:
    (note,) = fresh_notes(together)
    assert "base-v2 fresh (seed 7)" in note
    assert note.count("base-v2,") <= 1


@pytest.mark.parametrize("together", [[], [SEVEN], [SEVEN, SEVEN], [PUBLIC, AskedDataset("decoys-v2")], [PUBLIC, None]])
def test_tasks_of_one_kind_need_no_note(together: list[AskedDataset | None]) -> None:
    assert fresh_notes(together) == []


def test_a_run_with_fewer_samples_than_its_tasks_and_epochs_give_is_named() -> None:
    whole = AskedDataset("base-v2", attempts=6)
    told = [("a", whole, 6), ("b", whole, 5), ("c", PUBLIC, 0), ("d", None, 0), ("e", whole, 0)]
    starts = [note.split(":")[0] for note in lacking_notes(told)]
    assert starts == [f"{run} of the 6 samples of its run" for run in ("b has 5", "e has 0")]


@pytest.mark.parametrize("tasks", [{}, {"a": {"1"}}, {"a": {"1", "2"}, "b": {"2", "1"}}, {"a": {"1"}, "none": set()}])
def test_runs_of_the_same_tasks_need_no_note(tasks: dict[str, set[str]]) -> None:
    assert task_notes(tasks) == []


def test_runs_of_different_tasks_are_named_with_what_all_have() -> None:
    advice = "herobench compare pairs two runs over the tasks that both have."
    assert task_notes({"few": {"1"}, "a": {"1", "2"}, "b": {"1", "2"}}) == [
        "These runs have different tasks, so their figures do not compare: 2 tasks in a, b; 1 task in few. "
        f"1 task is in all of them. {advice}"
    ]
    (as_many,) = task_notes({"a": {"1", "2"}, "b": {"3", "4"}})
    assert as_many.endswith(f"2 tasks in a; 2 tasks in b. No task is in all of them. {advice}")
    (many,) = task_notes({"other": {"9", "1", "2"}, **{f"m{number}": {"1", "2"} for number in range(7)}})
    assert "2 tasks in m0, m1, m2, m3, m4 and 2 more; 3 tasks in other. 2 tasks are in all" in many
