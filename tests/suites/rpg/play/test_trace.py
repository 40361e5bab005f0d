import json
from collections.abc import Sequence
from typing import Any

import pytest

from herobench.suites.rpg.game.episode import read_repeats, write_trace
from herobench.suites.rpg.game.events import Action, Event, ValueReason
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import new_game
from tests.sizes import for_each
from tests.suites.rpg.game.test_events import one_of_each


def written(events: Sequence[Event]) -> dict[str, Any]:
    """A trace as it stands in a file."""
    found: dict[str, Any] = json.loads(json.dumps(write_trace(events), allow_nan=False))
    return found


def read(trace: dict[str, Any]) -> list[Event]:
    return [event for event, times in read_repeats(trace) for _ in range(times)]


def test_events_are_read_as_they_were_written(tiny: World) -> None:
    events = one_of_each(tiny).events
    assert read(written(events)) == events


def test_what_was_repeated_is_written_once(tiny: World) -> None:
    game = new_game(tiny, load_rules(), y=1)
    for _ in range(50):
        game.act(Action("move", ("Hero", 0, 1), line=4))
    trace = written(game.events)
    reason = "Character already at destination."
    entry = {"action": "move", "args": ["Hero", 0, 1], "line": 4, "status": 490, "times": 50, "reason": reason}
    assert trace == {"schema": 1, "actions": [entry]}
    assert read(trace) == game.events


@for_each(
    ("action", "entry"),
    [
        (
            Action("move", ("Hero", "1"), (("y", 1.0),), 17),
            {
                "action": "move",
                "args": ["Hero", "1"],
                "kwargs": {"y": 1.0},
                "line": 17,
                "status": 200,
                "detail": {"kind": "moved", "place": [1, 1]},
            },
        ),
        (
            Action("fight", ("Hero",)),
            {"action": "fight", "args": ["Hero"], "status": 598, "reason": "Monster not found on this map."},
        ),
    ],
)
def test_an_entry_has_only_what_says_something(tiny: World, action: Action, entry: dict[str, Any]) -> None:
    game = new_game(tiny)
    game.act(action)
    assert written(game.events)["actions"] == [entry]


def test_events_of_another_format_are_refused() -> None:
    with pytest.raises(ValueError, match="events of format 2: this version reads format 1"):
        read({"schema": 2, "actions": []})


def test_the_argument_that_could_not_be_read_is_stored_by_name() -> None:
    event = Event(Action("move", ("Hero", "east", 1)), 422, ValueReason("x", "a whole number"))
    trace = write_trace([event])
    (entry,) = trace["actions"]
    assert entry["unread"] == {"parameter": "x", "expected": "a whole number"}
    (again,) = read(json.loads(json.dumps(trace)))
    assert again == event
    assert isinstance(again.reason, ValueReason)
    assert (again.reason.parameter, again.reason.expected) == ("x", "a whole number")
