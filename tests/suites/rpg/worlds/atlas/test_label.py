import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.worlds.atlas.marks import label_lines, text_width


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
    assert label_lines(name) == lines


@settings(deadline=None)
@given(st.text(max_size=80))
def test_no_line_is_too_wide_whatever_the_name(name: str) -> None:
    lines = label_lines(name)
    assert len(lines) <= 2
    assert all(0 <= text_width(line) <= 10 for line in lines)
