"""Events, and how an episode ends; which texts give a task up."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.prompts.rpg.render import render_prompt
from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.episode import GivingUp, giving_up
from herobench.suites.rpg.game.events import SIGNATURES, Action, Detail, Event, Refusal, ValueReason, refused
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Mechanics, PlanTrack, Reach, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import act, new_game
from tests.plays import WINNING, as_plan, drake_task
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


RULES = load_rules()
NOWHERE = Reach(10, {}, frozenset(), frozenset())


def closed_task(world: World, *, possible: bool, plan: PlanTrack = "straight") -> Task:
    """The drake's task with the kitchen closed, which does not matter; said to be impossible or not."""
    mechanics = Mechanics(plan=plan, closed=((3, 1),))
    return replace(drake_task(world), mechanics=mechanics, impossible=None if possible else NOWHERE)


@pytest.fixture(scope="module")
def sandbox(tiny: World) -> Iterator[Sandbox]:
    with Sandbox(tiny, RULES) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "reason", "stated"),
    [
        ('give_up("no forge")', "no forge", None),
        ("give_up('no forge')", "no forge", None),
        ('give_up("no forge", p=0.9)', "no forge", 0.9),
        ('\n# I looked\n  give_up( "a \\" b" , p = 1 , )  # so be it\n\n', 'a \\" b', 1.0),
        ('give_up(reason="x", p=.5);', "x", 0.5),
        ('give_up("", p=1e-1)', "", 0.1),
        ('give_up("x", p=90)', "x", None),
        ('give_up("x", p=-0.5)', "x", None),
        ('give_up("x", p=1e999)', "x", None),
    ],
)
def test_one_call_alone_is_a_refusal(text: str, reason: str, stated: float | None) -> None:
    assert giving_up(text) == GivingUp(reason, stated)


@for_each(
    "text",
    [
        "",
        "give_up()",
        "give_up(x)",
        'give_up("x", 0.9)',
        'give_up("x", p="0.9")',
        'give_up("x"); fight("Hero")',
        'fight("Hero")\ngive_up("x")',
        'give_up("x")\ngive_up("y")',
        'if True:\n    give_up("x")',
        '# give_up("x")',
        'give_up("x\ny")',
        'give_up("""x""")',
        'give_up(f"x")',
        'give_up("x" + "y")',
        'print(give_up("x"))',
        'give_up("x", p=nan)',
        'give_up("' + "x" * 10_000 + '")',
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert giving_up(text) is None


@given(st.text(alphabet="give_up(\"'#,;p=0.9\\ \n)", max_size=60))
def test_a_refusal_is_python_of_one_call(text: str) -> None:
    import ast

    if giving_up(text):
        (statement,) = ast.parse(text.lstrip(" \t\f")).body
        assert isinstance(statement, ast.Expr)
        assert isinstance(statement.value, ast.Call)


def test_hostile_texts_are_matched_in_one_pass() -> None:
    for piece in ("#\n", " \n", 'give_up("', "\\a", "9", ", ", " "):
        for head in ("", 'give_up("x', 'give_up("x", p='):
            assert giving_up((head + piece * 10_000)[:10_000]) is None


@pytest.mark.parametrize("plan", ["straight", "program"])
@pytest.mark.parametrize(
    ("possible", "text", "outcome", "score", "ended"),
    [
        (False, 'give_up("no", p=0.8)', "win", 100, "gave_up"),
        (True, 'give_up("no", p=0.8)', "lose", 0, "gave_up"),
        (True, as_plan(WINNING), "win", 100, "finished"),
        (False, as_plan(WINNING), "lose", 0, "finished"),
        (False, "pass", "lose", 0, "finished"),
    ],
)
def test_a_refusal_wins_an_impossible_task_and_no_other(
    sandbox: Sandbox, plan: PlanTrack, possible: bool, text: str, outcome: str, score: float, ended: str
) -> None:
    task = closed_task(sandbox.world, possible=possible, plan=plan)
    result = judge(sandbox.world, task, RULES, sandbox.execute(task, text))
    row = scored_row(sandbox.world, task, RULES, result)
    assert (row["outcome"], row["score"], row["ended"]) == (outcome, score, ended)
    assert (row["solvable"], row["gave_up"], row["closed"]) == (possible, ended == "gave_up", 1)
    assert row["stated"] == (0.8 if row["gave_up"] else None)
    assert row["progress_before_end"] == score
    assert (row["failure"] is None) == (outcome == "win")
    assert row["failure"] != "invalid_code", "whoever gives up wrote no invalid code"


def test_a_refusal_beside_an_action_is_no_refusal(sandbox: Sandbox) -> None:
    text = 'fight("Hero")\ngive_up("no")'
    straight = sandbox.execute(closed_task(sandbox.world, possible=False), text)
    assert (straight.ending.how, straight.ending.kind, straight.ending.line) == ("rejected", "not_straight", 2)
    program = sandbox.execute(closed_task(sandbox.world, possible=False, plan="program"), text)
    assert (program.ending.how, program.ending.error) == ("error", "NameError")


def test_where_no_place_is_closed_a_refusal_is_no_answer(sandbox: Sandbox) -> None:
    assert sandbox.execute(drake_task(sandbox.world), 'give_up("no")').ending.how == "error"


def test_a_row_keeps_the_places_and_the_proof_and_is_as_before_without_them(tiny: World) -> None:
    task = closed_task(tiny, possible=False)
    assert Task.from_row(task.as_row()) == task
    row = drake_task(tiny).as_row()
    assert "impossible" not in row
    assert "closed" not in row["mechanics"]


def test_the_prompt_tells_closed_places_alike_for_both(tiny: World) -> None:
    told = [replace(task, knowledge=replace(task.knowledge, places=((3, 1), (2, 1))))
            for task in (closed_task(tiny, possible=True), closed_task(tiny, possible=False))]  # fmt: skip
    possible, impossible = (render_prompt(tiny, task, RULES) for task in told)
    assert possible == impossible
    assert "give_up(" in possible
    assert '"x": 3, "y": 1, "content": {"type": "workshop", "code": "brewing"}, "closed": true}' in possible
    assert possible.count('"closed": true}') == 1
    opened = replace(told[0], mechanics=Mechanics(plan="straight"))
    assert "closed" not in render_prompt(tiny, opened, RULES)


@pytest.mark.parametrize("place", [[0, 0], [40, 40]])
def test_neither_the_start_nor_what_is_not_on_the_map_may_be_closed(tiny: World, place: list[int]) -> None:
    from herobench.suites.rpg.worlds.task_file import task_problems

    row = closed_task(tiny, possible=True).as_row()
    row["mechanics"]["closed"] = [place]
    assert [problem.path for problem in task_problems(row, tiny, "here")] == ["$.mechanics.closed[0]"]


def test_an_impossible_task_closes_places_and_has_no_plan(tiny: World) -> None:
    from herobench.suites.rpg.worlds.task_file import task_problems

    row = closed_task(tiny, possible=False).as_row()
    row["mechanics"].pop("closed")
    row["certificate"] = {"plan": "", "actions": 0, "lower_bound": 0, "seeds": 1, "wins": 1, "without": {}}
    assert [problem.path for problem in task_problems(row, tiny, "here")] == ["$.impossible", "$.certificate"]


def test_a_move_to_a_closed_place_is_refused_and_leaves_the_hero_where_he_is(tiny: World) -> None:
    from tests.builders import act, new_game

    game = new_game(tiny, replace(RULES, closed=((1, 0),)))
    event = act(game, "move", 1, 0)
    assert (event.ok, event.status, event.reason) == (False, 496, "This place is closed.")
    assert game.hero.place == (0, 0)
    assert act(game, "move", 2, 0).ok
