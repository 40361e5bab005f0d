import json
from collections.abc import Sequence
from typing import Any

import pytest

from herobench.rpg.content import load_rules
from herobench.rpg.events import Action, Event
from herobench.rpg.game import Game
from herobench.rpg.trace import events_of, trace_of
from herobench.rpg.world import World
from tests.builders import act, new_game
from tests.rpg.test_events import one_of_each


def written(events: Sequence[Event]) -> list[list[Any]]:
    """A trace as it stands in a file."""
    found: list[list[Any]] = json.loads(json.dumps(trace_of(events), allow_nan=False))
    return found


def test_events_are_read_as_they_were_written(tiny: World) -> None:
    events = one_of_each(tiny).events
    assert list(events_of(written(events))) == events


def test_what_was_repeated_is_written_once(tiny: World) -> None:
    game = new_game(tiny, load_rules(), y=1)
    for _ in range(50):
        game.act(Action("move", ("Hero", 0, 1), line=4))
    trace = written(game.events)
    assert trace == [[50, 4, 490, "move", ["Hero", 0, 1], None, "Character already at destination."]]
    assert list(events_of(trace)) == game.events


def test_an_event_that_differs_in_its_outcome_is_another(tiny: World) -> None:
    game: Game = new_game(tiny, load_rules("paper-late"), y=1)
    for _ in range(3):
        act(game, "gather", 1)
    assert list(events_of(written(game.events))) == game.events


@pytest.mark.parametrize(
    ("action", "entry"),
    [
        (
            Action("move", ("Hero", "1"), (("y", 1.0),), 17),
            [1, 17, 200, "move", ["Hero", "1"], ["moved", [1, 1]], "", {"y": 1.0}],
        ),
        (Action("fight", ("Hero",)), [1, None, 598, "fight", ["Hero"], None, "Monster not found on this map."]),
    ],
)  # fmt: skip
def test_an_entry_is_short(tiny: World, action: Action, entry: list[Any]) -> None:
    game = new_game(tiny)
    game.act(action)
    assert written(game.events) == [entry]
