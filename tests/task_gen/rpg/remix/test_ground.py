"""The map: connected, with everything on it, and the harmless things near the start."""

from random import Random

import pytest

from herobench.task_gen.rpg.remix.remixed_world import GroundThing, tiles
from herobench.task_gen.rpg.remix.words import WordSource


def drawn(seed: int, wanted: int = 200, number: int = 40) -> list[dict[str, object]]:
    things = [GroundThing("monster", f"m{index}", index) for index in range(1, number + 1)]
    return [dict(row) for row in tiles(wanted, things, WordSource(Random(seed), ()), Random(seed))]


@pytest.mark.parametrize("seed", range(5))
def test_every_tile_can_be_walked_to(seed: int) -> None:
    places = {(row["x"], row["y"]) for row in drawn(seed)}
    assert len(places) == 200
    reached, edge = {(0, 0)}, [(0, 0)]
    while edge:
        x, y = edge.pop()
        fresh = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & places - reached
        reached |= fresh
        edge += fresh
    assert reached == places


def test_all_things_stand_somewhere_and_nothing_on_the_start() -> None:
    rows = drawn(1)
    assert {row["content"]["code"] for row in rows if "content" in row} == {f"m{index}" for index in range(1, 41)}  # type: ignore[index]
    assert all("content" not in row for row in rows if (row["x"], row["y"]) == (0, 0))


def test_there_is_room_for_all_things_whatever_is_wanted() -> None:
    assert len(drawn(1, wanted=1)) == 81


def test_dangerous_things_are_further_away() -> None:
    far = {row["content"]["code"]: abs(row["x"]) + abs(row["y"]) for row in drawn(2) if "content" in row}  # type: ignore[index, arg-type]
    easy, hard = (sum(far[f"m{index}"] for index in group) for group in (range(1, 11), range(31, 41)))
    assert easy < hard
