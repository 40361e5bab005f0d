"""Islands: groups of tiles that no edge joins to the start's group."""

import pytest

from herobench.suites.rpg.game.world import Place, World
from herobench.task_gen.rpg.worlds.survey import islands
from tests.task_gen.rpg.changed import tile, tiny_documents, with_more


@pytest.mark.parametrize("corner", [(4, 2), (4, -1), (-1, 3), (-1, -1)])
def test_tiles_that_touch_at_a_corner_are_islands(corner: Place) -> None:
    content = tiny_documents()
    content["map"]["tiles"][-1] |= {"x": corner[0], "y": corner[1]}
    assert islands(World.from_documents(content)) == [[corner]]


def test_tiles_that_share_an_edge_are_one_land() -> None:
    joined = with_more(tiles=[tile(-1, 0, "bank", "bank")])
    assert islands(joined) == []
    apart = with_more(tiles=[tile(50, y, "bank", "bank") for y in (1, 2, 4)])
    assert islands(apart) == [[(-1, -1)], [(50, 1), (50, 2)], [(50, 4)]]


def test_a_land_of_thousands_of_tiles_is_one(tiny: World) -> None:
    strip = with_more(tiles=[tile(x, 0, "bank", "bank") for x in range(4, 5000)])
    assert islands(strip) == [[(-1, -1)]]
