"""Calls, their arguments, and the events that come of them."""

from __future__ import annotations

import copy
import json
import math
import pickle
from contextlib import suppress
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.episode import GivingUp, giving_up
from herobench.suites.rpg.game.events import (
    MOST,
    MOST_WORN,
    SIGNATURES,
    Action,
    CallError,
    Detail,
    Event,
    Refusal,
    RefusedAction,
    Value,
    ValueReason,
    bound,
    refused_events,
)
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Mechanics, PlanTrack, Reach, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import act, new_game
from tests.plays import WINNING, as_plan, drake_task
from tests.sizes import for_each

FITTING: dict[str, tuple[Value, ...]] = {
    "move": ("Hero", 1, 1),
    "fight": ("Hero",),
    "equip": ("Hero", "blade", "club"),
    "unequip": ("Hero", "blade"),
    "gather": ("Hero",),
    "craft": ("Hero", "brick", 1),
    "buy": ("Hero", "salt"),
}
QUANTITIES = {"equip": 3, "unequip": 2, "gather": 1, "craft": 2, "buy": 2}
"""Which argument is the quantity."""
SLOTTED = ["equip", "unequip"]
COUNTED = ["gather", "craft", "buy"]
"""The actions whose quantity may not be None."""


def refusal(action: str, *args: Value) -> tuple[int, str]:
    with pytest.raises(RefusedAction) as caught:
        bound(action, args, ())
    return caught.value.refusal.code, caught.value.reason


# -- signatures --------------------------------------------------------------------------------------------------------


@for_each(
    ("action", "signature"),
    [
        ("move", ["name", "x", "y"]),
        ("fight", ["name"]),
        ("equip", ["name", "slot", "code", ("quantity", 1)]),
        ("unequip", ["name", "slot", ("quantity", 1)]),
        ("gather", ["name", ("quantity", 1)]),
        ("craft", ["name", "code", "quantity"]),
        ("buy", ["name", "code", ("quantity", 1)]),
    ],
)
def test_the_signatures_are_the_published_ones(action: str, signature: list[Any]) -> None:
    found = [(each.name, each.default) if each.default is not None else each.name for each in SIGNATURES[action]]
    assert found == signature


@for_each(
    ("action", "args", "keywords", "read"),
    [
        ("move", ("Hero", 2, -3), {}, ("Hero", 2, -3)),
        ("move", (), {"y": 5, "x": 4, "name": "Hero"}, ("Hero", 4, 5)),
        ("equip", ("Hero", "ring1"), {"code": "iron_ring"}, ("Hero", "ring1", "iron_ring", 1)),
        ("unequip", ("Hero",), {"slot": "ring1", "quantity": 7}, ("Hero", "ring1", 7)),
        ("gather", ("Hero",), {}, ("Hero", 1)),
        ("gather", ("Hero", 20), {}, ("Hero", 20)),
        ("craft", ("Hero", "bar"), {"quantity": 2}, ("Hero", "bar", 2)),
        ("buy", ("Hero", "salt"), {}, ("Hero", "salt", 1)),
    ],
)
def test_a_call_is_read_in_order_with_defaults_filled_in(
    action: str, args: tuple[Value, ...], keywords: dict[str, Value], read: tuple[str | int, ...]
) -> None:
    assert bound(action, args, tuple(keywords.items())) == read


@for_each(
    ("action", "args", "keywords", "told"),
    [
        ("move", (), {}, "missing a required argument: 'name'"),
        ("move", ("Hero", 1), {}, "missing a required argument: 'y'"),
        ("move", ("Hero", 1, 2, 3), {}, "takes 3 arguments but 4 were given"),
        ("move", (1, 2), {}, "missing a required argument: 'y'"),
        ("fight", ("Hero", "rat"), {}, "takes 1 arguments but 2 were given"),
        ("equip", ("Hero", "blade"), {}, "missing a required argument: 'code'"),
        ("unequip", ("Hero",), {}, "missing a required argument: 'slot'"),
        ("craft", ("Hero", "brick"), {}, "missing a required argument: 'quantity'"),
        ("craft", ("Hero",), {"item_name": "brick", "quantity": 1}, "unexpected keyword argument 'item_name'"),
        ("gather", (), {"character_name": "Hero"}, "unexpected keyword argument 'character_name'"),
        ("gather", ("Hero", 1), {"quantity": 1}, "multiple values for argument 'quantity'"),
        ("buy", ("Hero",), {"name": "Hero", "code": "salt"}, "multiple values for argument 'name'"),
    ],
)
def test_a_call_that_does_not_fit_is_a_type_error(
    action: str, args: tuple[Value, ...], keywords: dict[str, Value], told: str
) -> None:
    with pytest.raises(TypeError, match=told) as caught:
        bound(action, args, tuple(keywords.items()))
    assert isinstance(caught.value, CallError)
    assert str(caught.value).startswith(f"{action}() ")


# -- whole numbers -----------------------------------------------------------------------------------------------------


@for_each(
    ("value", "read"),
    [
        (3, 3),
        (-3, -3),
        (3.0, 3),
        (-0.0, 0),
        (True, 1),
        (False, 0),
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        (" 3\n", 3),
        ("\x1c3\u2003", 3),  # whatever counts as a blank
        ("3.0", 3),
        ("3.", 3),
        ("003", 3),
        ("-0", 0),
        (MOST, MOST),
        (-float(MOST), -MOST),
        (str(MOST), MOST),
    ],
)
def test_numeric_strings_integral_floats_and_bools_are_whole_numbers(value: Value, read: int) -> None:
    found = bound("move", ("Hero", value, 0), ())
    assert found == ("Hero", read, 0)
    assert type(found[1]) is int


@for_each(
    "value",
    [
        None,
        1.5,
        math.nan,
        math.inf,
        -math.inf,
        1e300,
        10**4000,
        -(10**4000),
        MOST + 1,
        "",
        " ",
        "one",
        "1.5",
        "1e3",
        "0x10",
        "1_000",
        "1 2",
        "--1",
        "nan",
        "inf",
        "٣",
        "1" * 50,
        "1" * 5000,
        str(MOST + 1),
    ],
)
@for_each(("parameter", "place"), [("x", 1), ("y", 2)])
def test_anything_else_is_unprocessable(value: Value, parameter: str, place: int) -> None:
    args: list[Value] = ["Hero", 0, 0]
    args[place] = value
    assert refusal("move", *args) == (422, f"{parameter}: a whole number expected.")


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text())
def test_whatever_is_given_is_read_or_refused(value: Value) -> None:
    for action, place in [("move", 1), *QUANTITIES.items()]:
        args = [*FITTING[action], 1][: len(SIGNATURES[action])]
        args[place] = value
        with suppress(RefusedAction):
            read = bound(action, tuple(args), ())[place]
            assert type(read) is int or (value is None and read is None and action in SLOTTED)


# -- quantities --------------------------------------------------------------------------------------------------------


def with_quantity(action: str, quantity: Value) -> tuple[Value, ...]:
    return (*FITTING[action][: QUANTITIES[action]], quantity)


@for_each("action", QUANTITIES)
@for_each("quantity", [0, -1, False, "0", -0.0, -MOST])
def test_a_quantity_is_at_least_one(action: str, quantity: Value) -> None:
    assert refusal(action, *with_quantity(action, quantity)) == (422, "quantity: at least 1 expected.")


@for_each("action", COUNTED)
def test_none_is_no_quantity_of_what_is_counted(action: str) -> None:
    assert refusal(action, *with_quantity(action, None)) == (422, "quantity: a whole number expected.")


@for_each("action", SLOTTED)
def test_equip_and_unequip_take_none_for_a_quantity(action: str) -> None:
    assert bound(action, with_quantity(action, None), ())[-1] is None
    assert bound(action, FITTING[action], (("quantity", None),))[-1] is None


@for_each("action", SLOTTED)
def test_equip_and_unequip_take_at_most_a_hundred(action: str) -> None:
    assert bound(action, with_quantity(action, MOST_WORN), ())[-1] == 100
    assert refusal(action, *with_quantity(action, 101)) == (422, "quantity: at most 100 expected.")


# -- words -------------------------------------------------------------------------------------------------------------

NO_WORDS: list[Value] = ["", " ", "He ro", "Hero\n", "Hérö", "a.b", "a/b", "/", "Hero/", "a'b", None, 7, 7.0, True]


@for_each("action", SIGNATURES)
@for_each("name", NO_WORDS)
def test_a_name_is_of_letters_digits_lines_and_dashes(action: str, name: Value) -> None:
    expected = (422, "name: letters, digits, '_' and '-' expected.")
    assert refusal(action, name, *FITTING[action][1:]) == expected


@for_each("code", NO_WORDS)
def test_so_are_codes_and_slots(code: Value) -> None:
    told = "letters, digits, '_' and '-' expected."
    assert refusal("craft", "Hero", code, 1) == (422, f"code: {told}")
    assert refusal("buy", "Hero", code) == (422, f"code: {told}")
    assert refusal("equip", "Hero", "blade", code) == (422, f"code: {told}")
    assert refusal("equip", "Hero", code, "club") == (422, f"slot: {told}")
    assert refusal("unequip", "Hero", code) == (422, f"slot: {told}")


# -- slots -------------------------------------------------------------------------------------------------------------


@for_each("slot", ["ring", "artifact", "consumable", "Weapon", "weapon_slot", "ring3", "belt"])
def test_a_slot_is_one_of_the_worlds(classic: World, slot: str) -> None:
    game = new_game(classic)
    for event in (act(game, "equip", slot, "iron_ring"), act(game, "unequip", slot)):
        assert event.status == 422
        assert event.reason.startswith("slot: one of weapon, shield, helmet,")


# -- what comes first --------------------------------------------------------------------------------------------------


@for_each(
    ("action", "args"),
    [
        ("move", ("no one!", 99, 99)),
        ("move", ("Nobody", "far", 99)),
        ("gather", ("Nobody", 0)),
        ("craft", ("Nobody", "nothing", 0)),
        ("craft", ("Nobody", "no thing", 1)),
        ("buy", ("Nobody", "nothing", None)),
        ("equip", ("Nobody", "belt", "nothing")),
        ("equip", ("Nobody", "blade", "nothing", 101)),
        ("unequip", ("Nobody", "belt")),
        ("unequip", ("Nobody", "blade", 0)),
        ("fight", ("no one!",)),
        ("fight", (None,)),
        ("fight", ("",)),
        ("fight", ("Hero/Hero",)),
        ("equip", (None, "blade", "nothing", None)),
        ("unequip", ("Nobody", "belt", None)),
    ],
)
def test_values_are_checked_before_the_name_and_anything_else(
    tiny: World, action: str, args: tuple[Value, ...]
) -> None:
    game = new_game(tiny)
    assert game.act(Action(action, args)).status == 422
    assert len(game.events) == 1


@for_each(
    ("action", "args"),
    [
        ("move", (99, 99)),
        ("move", (0, 0)),
        ("fight", ()),
        ("gather", ()),
        ("craft", ("nothing", 1)),
        ("buy", ("nothing",)),
        ("equip", ("blade", "nothing")),
        ("unequip", ("blade",)),
    ],
)
@for_each("name", ["Nobody", "hero", "HERO", "Hero2"])
def test_nobody_but_hero_is_known_and_that_is_checked_next(
    tiny: World, action: str, args: tuple[Value, ...], name: str
) -> None:
    game = new_game(tiny)
    event = game.act(Action(action, (name, *args)))
    assert (event.status, event.reason, event.detail) == (498, "Character not found.", None)
    assert game.events == [event]


@pytest.mark.parametrize("equals", [(1, 1.0, True, "1")])
def test_values_that_compare_equal_are_recorded_as_they_were_given(tiny: World, equals: tuple[Value, ...]) -> None:
    game = new_game(tiny, y=1)
    recorded = [act(game, "gather", value).action.args[1] for value in equals]
    assert [(type(value), value) for value in recorded] == [(type(value), value) for value in equals]
    assert game.hero.inventory["clay"] == 4


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


def test_refused_are_those_not_carried_out(tiny: World) -> None:
    events = one_of_each(tiny).events
    assert [event.status for event in refused_events(events)] == [500, 422]
    assert [event.ok for event in events].count(False) == 2
    assert refused_events([Event(Action("fight"), 200)]) == []


# -- refusals ---------------------------------------------------------------------------------------------------------


def test_every_meaning_is_a_member_of_its_own() -> None:
    """Some codes have two meanings or more, and an enumeration could make one the alias of another."""
    assert len(Refusal) == len(Refusal.__members__)
    assert Refusal.SLOT_FULL.code == Refusal.SLOT_EMPTY.code
    assert Refusal.SLOT_FULL is not Refusal.SLOT_EMPTY


@for_each("refusal", Refusal)
def test_a_stored_event_is_known_by_its_action_and_code(refusal: Refusal) -> None:
    for action in [refusal.action] if refusal.action else SIGNATURES:
        assert Event(Action(str(action)), refusal.code, "whatever the text").refusal is refusal


@for_each(("action", "status"), [("move", 200), ("fight", 404), ("move", 491), ("dance", 500)])
def test_what_was_carried_out_or_is_no_status_of_the_game_is_no_refusal(action: str, status: int) -> None:
    assert Event(Action(action), status).refusal is None


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


@for_each(
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
        "", "give_up()", "give_up(x)", 'give_up("x", 0.9)', 'give_up("x", p="0.9")', 'give_up("x"); fight("Hero")',
        'fight("Hero")\ngive_up("x")', 'give_up("x")\ngive_up("y")', 'if True:\n    give_up("x")', '# give_up("x")',
        'give_up("x\ny")', 'give_up("""x""")', 'give_up(f"x")', 'give_up("x" + "y")', 'print(give_up("x"))',
        'give_up("x", p=nan)', 'give_up("' + "x" * 10_000 + '")',
    ],
)  # fmt: skip
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


@for_each("plan", ["straight", "program"])
@for_each(
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


@for_each("place", [[0, 0], [40, 40]])
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
