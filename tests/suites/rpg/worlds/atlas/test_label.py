import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.worlds.atlas.marks import lines_of, width_of


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Cow", ["Cow"]),
        ("Blue Slime", ["Blue Slime"]),
        ("Yellow Slime", ["Yellow", "Slime"]),
        ("Gudgeon Fishing Spot", ["Gudgeon", "Fishing…"]),
        ("Weaponcrafting", ["Weaponcr…"]),
        ("A B C D E F", ["A B C D E", "F"]),
        ("   ", []),
        ("雪の女王さま", ["雪の女王…"]),
    ],
)
def test_a_name_stands_in_at_most_two_short_lines(name: str, lines: list[str]) -> None:
    assert lines_of(name) == lines


@settings(deadline=None)
@given(st.text(max_size=80))
def test_no_line_is_too_wide_whatever_the_name(name: str) -> None:
    lines = lines_of(name)
    assert len(lines) <= 2
    assert all(0 <= width_of(line) <= 10 for line in lines)
