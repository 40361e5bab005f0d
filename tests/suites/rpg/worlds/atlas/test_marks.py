"""What both maps draw: the grid, names, content and grounds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.data.documents import load_schema
from herobench.suites.rpg.game.world import Content, World
from herobench.suites.rpg.worlds.atlas.svg import common_grounds, label_lines
from herobench.suites.rpg.worlds.atlas.terminal import KINDS, Grid, placed_contents, text_width
from tests.sizes import for_each
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


@for_each(
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


def test_what_stands_is_listed_by_kind_level_and_name_with_all_its_places(tiny: World) -> None:
    things = list(placed_contents(tiny).values())
    assert [(thing.kind, thing.name, thing.level) for thing in things] == [
        ("monster", "Cellar Rat", 1),
        ("monster", "Living Wall", 5),
        ("monster", "Frost Drake", 12),
        ("resource", "Clay Pit", 1),
        ("resource", "Ore Vein", 5),
        ("workshop", "Brewing", None),
        ("workshop", "Smithing", None),
        ("grand_exchange", "Grand exchange", None),
        ("bank", "Bank", None),
    ]
    assert things[0].places == ((1, 0),)


def test_a_thing_in_several_places_is_one_thing() -> None:
    world = world_with(tile(0, 0, type="monster", code="rat"), tile(1, 0, type="monster", code="rat"))
    (thing,) = placed_contents(world).values()
    assert thing.places == ((0, 0), (1, 0))
    assert placed_contents(world)[Content("monster", "rat")].title == "Cellar Rat, level 1: monster"


def test_all_kinds_that_a_map_may_have_are_known() -> None:
    content = load_schema("map")["properties"]["tiles"]["items"]["properties"]["content"]
    assert list(KINDS) == content["properties"]["type"]["enum"]


def test_grounds_are_listed_with_the_most_common_first() -> None:
    assert common_grounds(world_with(tile(0, 0, "Sea"), tile(1, 0, "Land"), tile(2, 0, "Land"))) == ["Land", "Sea"]
