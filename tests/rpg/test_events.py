from typing import get_args

from herobench.rpg.content import load_rules
from herobench.rpg.events import Action, Detail, Event, refused
from herobench.rpg.game import Game
from herobench.rpg.world import World
from tests.builders import act, new_game


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
