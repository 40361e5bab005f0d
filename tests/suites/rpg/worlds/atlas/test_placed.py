from herobench.data.documents import load_schema
from herobench.suites.rpg.game.world import Content, World
from herobench.suites.rpg.worlds.atlas.marks import KINDS, common_grounds, placed_contents
from tests.suites.rpg.worlds.atlas.worlds import tile, world_with


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
