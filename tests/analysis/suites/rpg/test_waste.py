import pytest

from herobench.analysis.suites.rpg.reading import wasted
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.trace import read_repeats, write_trace
from tests.plays import WINNING, drake_task, played


@pytest.mark.parametrize(
    ("play", "count"),
    [
        pytest.param(WINNING, 0, id="a plan without detours wastes nothing"),
        pytest.param("move 0 1; gather 2", 0, id="one move to where something is done"),
        pytest.param("move 1 0; move 0 1; gather 2", 1, id="a move past"),
        pytest.param("move 1 0; move 2 0; move 0 1; gather 2", 2, id="two moves past"),
        pytest.param("move 0 1; gather 2; move 1 0", 1, id="a move at the end"),
        pytest.param("move 0 1; gather 2; move 1 0; move 2 0", 2, id="moves at the end"),
        pytest.param("gather 2; gather 2; move 0 1; gather 2", 2, id="what is refused, each time"),
        pytest.param("move 0 1; move 0 1; gather 2", 1, id="a move to where the hero stands"),
        pytest.param("move 0 1; move 1 0; craft bar 1; move 0 1; gather 1", 2, id="a detour and what is refused there"),
        pytest.param("move 2 0; fight; fight", 2, id="fights that are lost"),
        pytest.param("", 0, id="nothing at all"),
    ],
)
def test_actions_that_brought_nothing_are_counted(tiny: World, play: str, count: int) -> None:
    events = played(tiny, drake_task(tiny), play).events
    assert wasted(read_repeats(write_trace(events))) == wasted((event, 1) for event in events) == count
