"""Which tasks a run is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.data.errors import UsageError
from herobench.data.options import parse_span
from herobench.suite.choice import select_tasks
from herobench.suite.contract import SuiteSetting, TaskInfo
from herobench.suite.refusals import SuiteFault
from tests.refusals import raises
from tests.runs.trial import Numbers
from tests.sizes import for_each

TASKS = {
    id: TaskInfo(id, str(number), {}) for number in range(1, 6) for id in (f"1/{number}_kill", f"1/{number}_craft")
}


def chosen(*patterns: str, odd: bool = False, shuffle: int | None = None, limit: str | None = None) -> list[str]:
    span = parse_span(limit) if limit else None
    return list(select_tasks(TASKS, ("1", "3", "5") if odd else None, patterns, shuffle, span))


def test_all_are_chosen_in_their_order_where_nothing_is_said() -> None:
    assert chosen() == list(TASKS)
    assert select_tasks(TASKS) == TASKS


def test_an_id_or_a_pattern_chooses_and_several_choose_together() -> None:
    assert chosen("1/2_kill") == ["1/2_kill"]
    assert chosen("*_kill", "1/2*") == ["1/1_kill", "1/2_kill", "1/2_craft", "1/3_kill", "1/4_kill", "1/5_kill"]
    assert chosen("*_kill", odd=True) == ["1/1_kill", "1/3_kill", "1/5_kill"]


def test_a_group_is_named_as_a_whole_or_by_its_number() -> None:
    tasks = {id: TaskInfo(id, group, {}) for id, group in (("a", "8 regions"), ("b", "16 regions"), ("c", None))}
    assert [*select_tasks(tasks, ("8",))] == [*select_tasks(tasks, ("8 regions",))] == ["a"]


def test_a_part_is_taken_of_what_fits_after_it_was_mixed() -> None:
    assert chosen("*_kill", limit="2") == ["1/1_kill", "1/2_kill"]
    assert chosen("*_kill", limit="2-3") == ["1/2_kill", "1/3_kill"]
    assert chosen("*_kill", limit="4-999") == ["1/4_kill", "1/5_kill"]
    assert chosen(shuffle=3, limit="2-4") == chosen(shuffle=3)[1:4]


def test_a_seed_mixes_always_the_same_and_loses_none() -> None:
    mixed = chosen(shuffle=1)
    assert mixed == chosen(shuffle=1)
    assert sorted(mixed) == sorted(TASKS)
    assert len({tuple(chosen(shuffle=seed)) for seed in range(10)}) == 10
    assert chosen(shuffle=0) != list(TASKS), "0 is a seed too"


def test_a_pattern_that_fits_nothing_is_refused_with_what_comes_near() -> None:
    with raises(SuiteFault.NO_TASK_FITS, "'1/2_kil'", "1/2_kill, "):
        chosen("1/2_kill", "1/2_kil")


def test_nothing_chosen_is_refused() -> None:
    with raises(SuiteFault.NONE_CHOSEN, "the limit leaves out the 10 that fit"):
        chosen(limit="11-20")
    with raises(SuiteFault.NONE_CHOSEN, "10"):
        select_tasks(TASKS, ())
    with pytest.raises(UsageError):
        select_tasks({})


def test_a_dataset_is_one_of_the_suites_unless_there_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Numbers, "datasets", ("new", "old"))
    settings = (SuiteSetting(), SuiteSetting("old"), SuiteSetting(tasks=Path("mine.jsonl")))
    assert [*map(Numbers(1).choose_dataset, settings)] == ["new", "old", "mine"]
    with raises(SuiteFault.NO_DATASET, "numbers", "new and old", "''"):
        Numbers(1).choose_dataset(SuiteSetting(""))


@given(st.integers(1, 50), st.integers(1, 50))
def test_a_limit_is_so_many_or_from_one_to_another(one: int, other: int) -> None:
    numbers = list(range(1, 51))
    first, last = sorted((one, other))
    assert numbers[parse_span(f"{one}")] == numbers[:one]
    assert numbers[parse_span(f" {first} - {last} ")] == list(range(first, last + 1))


@for_each("limit", ["0", "0-3", "5-3", "-3", "3-", "x", "", "1.5", "1-2-3", "²", "1e3", "9" * 10])
def test_a_limit_that_is_none_is_refused(limit: str) -> None:
    with pytest.raises(ValueError, match=r"^give a number of tasks, or a part of their list such as 5-15$"):
        parse_span(limit)
