import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.game.events import MOST, MOST_WORN, SIGNATURES, Action, CallError, RefusedAction, Value, bound
from herobench.suites.rpg.game.world import World
from tests.builders import act, new_game
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


@pytest.mark.parametrize(
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


def test_there_are_seven_actions() -> None:
    assert SIGNATURES.keys() == FITTING.keys()


@pytest.mark.parametrize(
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


def test_a_call_that_does_not_fit_is_a_type_error_even_with_values_of_the_wrong_kind() -> None:
    with pytest.raises(CallError):
        bound("move", (None, "nowhere"), ())


@pytest.mark.parametrize("action", SIGNATURES)
def test_a_call_that_does_not_fit_is_not_recorded(tiny: World, action: str) -> None:
    game = new_game(tiny)
    for args, keywords in [((), ()), (("Hero",) * 9, ()), (FITTING[action], (("speed", 1),))]:
        with pytest.raises(CallError):
            game.act(Action(action, args, keywords))
    assert game.events == []


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


@given(st.integers(-MOST, MOST), st.sampled_from([int, float, str, lambda number: f"{number}.000"]))
def test_every_way_to_write_a_number_reads_the_same(number: int, written: Any) -> None:
    assert bound("move", ("Hero", written(number), 0), ()) == ("Hero", number, 0)


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


@for_each("action", QUANTITIES)
@for_each("quantity", ["", "two", 1.5, "1.5", MOST + 1])
def test_a_quantity_is_a_whole_number(action: str, quantity: Value) -> None:
    assert refusal(action, *with_quantity(action, quantity)) == (422, "quantity: a whole number expected.")


@for_each("action", QUANTITIES)
@for_each("quantity", [1, 1.0, True, "1", "1.0", " 1 "])
def test_one_may_be_written_in_many_ways(action: str, quantity: Value) -> None:
    assert bound(action, with_quantity(action, quantity), ())[-1] == 1


@pytest.mark.parametrize("action", COUNTED)
def test_none_is_no_quantity_of_what_is_counted(action: str) -> None:
    assert refusal(action, *with_quantity(action, None)) == (422, "quantity: a whole number expected.")


@pytest.mark.parametrize("action", SLOTTED)
def test_equip_and_unequip_take_none_for_a_quantity(action: str) -> None:
    assert bound(action, with_quantity(action, None), ())[-1] is None
    assert bound(action, FITTING[action], (("quantity", None),))[-1] is None


@pytest.mark.parametrize("action", SLOTTED)
def test_equip_and_unequip_take_at_most_a_hundred(action: str) -> None:
    assert bound(action, with_quantity(action, MOST_WORN), ())[-1] == 100
    assert refusal(action, *with_quantity(action, 101)) == (422, "quantity: at most 100 expected.")


@pytest.mark.parametrize("action", COUNTED)
def test_other_quantities_may_be_large(action: str) -> None:
    assert bound(action, with_quantity(action, MOST), ())[-1] == MOST


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


@pytest.mark.parametrize("code", ["a", "A-b_9", "_", "x" * 200])
def test_any_word_is_read_as_it_is(code: str) -> None:
    assert bound("buy", ("Hero", code), ()) == ("Hero", code, 1)


# -- slots -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slot", ["ring", "artifact", "consumable", "Weapon", "weapon_slot", "ring3", "belt"])
def test_a_slot_is_one_of_the_worlds(classic: World, slot: str) -> None:
    game = new_game(classic)
    for event in (act(game, "equip", slot, "iron_ring"), act(game, "unequip", slot)):
        assert event.status == 422
        assert event.reason.startswith("slot: one of weapon, shield, helmet,")


def test_the_classic_slots_are_the_published_fourteen(classic: World) -> None:
    published = (
        "weapon shield helmet body_armor leg_armor boots ring1 ring2 amulet artifact1 artifact2 artifact3 "
        "consumable1 consumable2"
    )
    assert classic.slots == tuple(published.split())
    game = new_game(classic)
    assert {act(game, "unequip", slot).status for slot in classic.slots} == {491}


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
