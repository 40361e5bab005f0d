"""A test on each case of a table is told by its case when it fails, and gets its fixtures once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from herobench.suites.rpg.game.world import World
from tests.sizes import for_each

SEEN: list[tuple[str, int, str]] = []


@for_each("size", [1, 2])
@for_each(("name", "text"), [("a", "x"), ("b", "y")])
def test_every_combination_of_cases_is_met_with_fixtures(tiny: World, size: int, name: str, text: str) -> None:
    SEEN.append((tiny.code, size, name + text))
    assert SEEN[-1][1:] == [(1, "ax"), (1, "by"), (2, "ax"), (2, "by")][len(SEEN) - 1]


def test_a_failure_tells_its_case_and_ends_the_test() -> None:
    met = []

    def cases() -> Iterator[int]:
        yield from (1, 2, 3)

    @for_each("number", cases())
    def fails_at_two(number: int) -> None:
        met.append(number)
        assert number != 2

    with pytest.raises(AssertionError) as failed:
        fails_at_two()
    assert failed.value.__notes__ == ["with {'number': 2}"]
    assert met == [1, 2]


@for_each("name", ["a", "b"])
def test_each_case_has_a_folder_of_its_own(tmp_path: Path, name: str) -> None:
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).touch()
