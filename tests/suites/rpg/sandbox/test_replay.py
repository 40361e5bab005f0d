from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.game.episode import FINISHED, Ending
from herobench.suites.rpg.game.events import SIGNATURES, Action, Value
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.wire import Played, enact
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task, new_game, tiny_world
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import scalars, steadily

GATHER = Action("gather", ("Hero",), (), 2)


def test_the_events_are_those_of_the_parents_own_game(tiny: World) -> None:
    attempts = (Action("move", ("Hero", 0, 1), (), 1), GATHER, GATHER)
    episode = enact(new_game(tiny), Played(attempts, FINISHED, "hello"), Limits())
    assert [event.action for event in episode.events] == list(attempts)
    assert [event.status for event in episode.events] == [200, 200, 200]
    assert (episode.ending, episode.output) == (FINISHED, "hello")


@for_each(
    "forged",
    [
        Action("win", ("Hero",), (), 1),
        Action("gather", (), (), 1),
        Action("gather", ("Hero", 1, 2), (), 1),
        Action("gather", ("Hero",), (("strength", 9),), 1),
        Action("__init__", (), (), 1),
        Action("", (), (), None),
        Action("gather", ("Hero",), (("name", "Hero"),), 1),
        Action("craft", ("Hero", "brick"), (), 1),
    ],
)
def test_an_action_that_no_plan_can_have_made_ends_the_episode_where_it_stands(tiny: World, forged: Action) -> None:
    episode = enact(new_game(tiny), Played((GATHER, forged, GATHER), FINISHED, ""), Limits())
    assert [event.action for event in episode.events] == [GATHER]
    assert (episode.ending.line, episode.finished) == (forged.line, False)
    assert (episode.ending.how, episode.ending.kind) == ("limit", "protocol")


@for_each("value", [None, True, 1.5, -1, 10**300, 1e300, "", "x" * 200, "\ud800", "\0", "brick"])
def test_odd_values_are_refused_by_the_game_and_do_not_stop_it(tiny: World, value: Value) -> None:
    forged = tuple(Action(name, (value,) * 3, (), 1) for name in ("move", "equip", "unequip", "craft", "buy"))
    episode = enact(new_game(tiny), Played((*forged, GATHER), FINISHED, ""), Limits())
    assert [event.ok for event in episode.events[:-1]] == [False] * len(forged)
    assert episode.finished


_attempts = st.builds(Action, st.sampled_from(sorted(SIGNATURES)), st.lists(scalars, max_size=4).map(tuple))


@steadily
@given(st.lists(_attempts, max_size=6))
def test_no_list_of_attempts_stops_the_replay(attempts: list[Action]) -> None:
    episode = enact(new_game(tiny_world()), Played(tuple(attempts), FINISHED, ""), Limits())
    assert episode.finished == (len(episode.events) == len(attempts))
    assert episode.ending.kind in (None, "protocol")


def test_more_actions_than_a_plan_may_take_are_not_even_looked_at(tiny: World) -> None:
    episode = enact(new_game(tiny), Played((GATHER,) * 11, FINISHED, ""), Limits(actions=10))
    assert (episode.events, episode.ending.kind) == ((), "protocol")


def test_a_win_that_is_claimed_is_not_a_win(tiny: World) -> None:
    task: Task = craft_task(tiny, "brick")
    claimed = Played((Action("craft", ("Hero", "brick", 1), (), 1),), FINISHED, "outcome: win, reward 100")
    episode = enact(new_game(tiny), claimed, Limits())
    assert judge(tiny, task, load_rules(), episode).score.outcome == "lose"


def test_what_was_printed_is_cut_to_the_limit(tiny: World) -> None:
    episode = enact(new_game(tiny), Played((), Ending("finished"), "x" * 1000), Limits(output=10))
    assert episode.output == "x" * 10
