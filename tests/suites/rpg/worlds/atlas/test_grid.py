from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.worlds.atlas.marks import Grid
from tests.suites.rpg.worlds.atlas.worlds import tile, world_with


def test_every_column_and_row_between_near_tiles_is_drawn() -> None:
    grid = Grid.of(world_with(tile(-1, 5), tile(2, 5)))
    assert grid == Grid((-1, 0, 1, 2), (5,))


def test_a_long_way_without_tiles_is_a_gap() -> None:
    grid = Grid.of(world_with(tile(0, -100000), tile(3, 0), tile(7, 100000)))
    assert grid == Grid((0, 1, 2, 3, None, 7), (-100000, None, 0, None, 100000))


@settings(deadline=None)
@given(st.sets(st.integers(-50, 50), min_size=1))
def test_all_coordinates_are_drawn_once_in_order_and_gaps_lie_between(xs: set[int]) -> None:
    columns = Grid.of(world_with(*(tile(x, 0) for x in xs))).columns
    drawn = [x for x in columns if x is not None]
    assert set(drawn) >= xs
    assert drawn == sorted(set(drawn))
    assert len(columns) <= 3 * len(xs)
    assert None not in (columns[0], columns[-1])
