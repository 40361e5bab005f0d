from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.atlas.terminal import draw_text
from tests.suites.rpg.worlds.atlas.worlds import tile, wide_world, world_with

MAP = """\
   -1  0  1  2  3
-1  B
 0     . m1 m3 m2
 1    r1 r2 w2 w1
 2     $

m1  Cellar Rat      level 1       (1, 0)
m2  Living Wall     level 5       (3, 0)
m3  Frost Drake     level 12      (2, 0)
r1  Clay Pit        level 1       (0, 1)
r2  Ore Vein        level 5       (1, 1)
w1  Brewing         workshop      (3, 1)
w2  Smithing        workshop      (2, 1)
$   Grand exchange                (0, 2)
B   Bank                          (-1, -1)
.   nothing stands here; heroes begin at (0, 0)
"""


def test_a_map_has_a_mark_for_each_tile_and_says_what_marks_mean(tiny: World) -> None:
    assert draw_text(tiny, 80) == MAP


def test_a_map_that_is_too_wide_is_cut_into_strips(tiny: World) -> None:
    lines = draw_text(tiny, 11).splitlines()
    assert lines[:12] == [
        *("   -1  0  1", "-1  B", " 0     . m1", " 1    r1 r2", " 2     $", ""),
        *("    2  3", "-1", " 0 m3 m2", " 1 w2 w1", " 2", ""),
    ]


def test_a_gap_is_marked_where_nothing_is_for_a_long_way() -> None:
    lines = draw_text(world_with(tile(0, 0), tile(9, 0), tile(0, 50)), 80).splitlines()
    assert lines[:4] == ["   0 : 9", " 0 .   .", " :", "50 ."]


def test_a_thing_in_many_places_is_listed_with_some_of_them() -> None:
    world = world_with(*(tile(x, 0, type="monster", code="rat") for x in range(6)))
    assert "(0, 0) (1, 0) (2, 0) (3, 0) and 2 more" in draw_text(world, 80)


def test_wide_letters_do_not_push_the_columns_of_the_legend(tiny: World) -> None:
    world = World.from_source(tiny.source.replace("Cellar Rat", "\\u96ea\\u306e\\u5973\\u738b"))
    assert "m1  雪の女王        level 1 " in draw_text(world, 80)


@settings(deadline=None)
@given(st.integers(1, 200))
def test_no_line_of_the_grid_is_wider_than_the_terminal_unless_one_column_is(width: int) -> None:
    grid = draw_text(wide_world(30, 5), width).split("\n\nm1  ")[0]
    assert max(map(len, grid.splitlines())) <= max(width, 5)


def test_a_map_is_plain_text(classic: World) -> None:
    text = draw_text(classic, 80)
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert len(text.splitlines()) == 22 + 1 + 52 + 1
