import copy
import json
import pickle
from typing import get_args

import pytest

from herobench.suites.rpg.game.arguments import SIGNATURES
from herobench.suites.rpg.game.events import Action, Detail, Event, Refusal, ValueReason, refused
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import act, new_game
from tests.sizes import for_each


def one_of_each(world: World) -> Game:
    """A game with every kind of event in it, and a failure."""
    game = new_game(world, load_rules("paper-late"), y=1, inventory={"ore": 4, "club": 1, "broth": 1})
    act(game, "gather", quantity="2")
    act(game, "move", 2.0, True)
    act(game, "craft", "brick", 1)
    act(game, "craft", "bar", 1)
    act(game, "equip", "blade", "club")
    act(game, "unequip", "blade")
    act(game, "equip", "consumable1", code="broth", quantity=2)
    act(game, "move", 0, 2)
    act(game, "buy", "salt", 3)
    act(game, "move", 2, 0)
    act(game, "fight")
    act(game, "move", None, 0)
    return game


def test_one_of_each_is_one_of_each(tiny: World) -> None:
    kinds = {type(event.detail) for event in one_of_each(tiny).events}
    assert kinds == {*get_args(Detail), type(None)}


def test_an_action_needs_no_more_than_a_name() -> None:
    assert Action("fight") == Action("fight", (), (), None)


def test_refused_are_those_not_carried_out(tiny: World) -> None:
    events = one_of_each(tiny).events
    assert [event.status for event in refused(events)] == [500, 422]
    assert [event.ok for event in events].count(False) == 2
    assert refused([Event(Action("fight"), 200)]) == []


# -- refusals ---------------------------------------------------------------------------------------------------------


def test_every_meaning_is_a_member_of_its_own() -> None:
    """491 and 496 have two meanings, 404 four and 598 three; none is an alias."""
    assert len(Refusal) == len(Refusal.__members__) == 20
    codes = [refusal.code for refusal in Refusal]
    assert {code: codes.count(code) for code in codes if codes.count(code) > 1} == {
        491: 2,
        404: 4,
        496: 2,
        598: 3,
        478: 2,
    }
    assert Refusal.SLOT_FULL.code == Refusal.SLOT_EMPTY.code
    assert Refusal.SLOT_FULL is not Refusal.SLOT_EMPTY


@for_each("refusal", Refusal)
def test_a_stored_event_is_known_by_its_action_and_code(refusal: Refusal) -> None:
    for action in [refusal.action] if refusal.action else SIGNATURES:
        assert Event(Action(str(action)), refusal.code, "whatever the text").refusal is refusal


@pytest.mark.parametrize(("action", "status"), [("move", 200), ("fight", 404), ("move", 491), ("dance", 500)])
def test_what_was_carried_out_or_is_no_status_of_the_game_is_no_refusal(action: str, status: int) -> None:
    assert Event(Action(action), status).refusal is None


def test_the_game_refuses_by_name(tiny: World) -> None:
    game = new_game(tiny, worn={"blade": "club"}, inventory={"broth": 1})
    found = [
        act(game, "equip", "blade", "club"),
        act(game, "unequip", "coat"),
        act(game, "unequip", "consumable1"),
        act(game, "equip", "coat", "nothing"),
        act(game, "move", "far", 0),
        game.act(Action("fight", ("Nobody",))),
        act(game, "fight"),
    ]
    assert [event.refusal for event in found] == [
        Refusal.SLOT_FULL,
        Refusal.SLOT_EMPTY,
        Refusal.SLOT_EMPTY,
        Refusal.UNKNOWN_ITEM,
        Refusal.UNPROCESSABLE,
        Refusal.UNKNOWN_HERO,
        Refusal.NO_MONSTER_HERE,
    ]
    assert all(event.refusal and event.refusal.reason == event.reason for event in found if event.status != 422)


def test_the_reason_of_a_bad_value_is_a_text_that_knows_its_parts() -> None:
    reason = ValueReason("x", "a whole number expected.")
    assert reason == "x: a whole number expected."
    assert json.dumps([reason]) == '["x: a whole number expected."]'
    for same in (reason, copy.deepcopy(reason), pickle.loads(pickle.dumps(reason))):
        assert (same, same.parameter, same.expected) == (reason, "x", "a whole number expected.")
