"""Fights, gear and consumables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.events import CallError, Equipped, Event, Fought, Unequipped, Value
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Stack
from herobench.suites.rpg.game.responses import character
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Stats, World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import TINY, act, documents, new_game
from tests.sizes import for_each

LINEAR = load_rules("paper-late")
LOG_CURVE = load_rules("paper-early")
RAT, DRAKE, WALL = (1, 0), (2, 0), (3, 0)

CLUB: dict[str, Any] = {"worn": {"blade": "club"}}
SWORD_AND_COAT: dict[str, Any] = {"worn": {"blade": "bar_sword", "coat": "fur_coat"}}

both_curves = pytest.mark.parametrize("rules", [LINEAR, LOG_CURVE], ids=["linear", "log-curve"])


def at(world: World, place: tuple[int, int], rules: Rules = LINEAR, **hero: Any) -> Game:
    return new_game(world, rules, x=place[0], y=place[1], **hero)


def fought(event: Event) -> Fought:
    assert isinstance(event.detail, Fought)
    return event.detail


def stacks(**held: tuple[str, int]) -> dict[str, dict[str, Any]]:
    return {slot: {"item": item, "quantity": quantity} for slot, (item, quantity) in held.items()}


# -- how a fight ends --------------------------------------------------------------------------------------------------


@for_each("place", [(0, 0), (0, 1), (2, 1), (0, 2), (-1, -1)])
def test_there_is_no_fight_where_no_monster_is(tiny: World, place: tuple[int, int]) -> None:
    event = act(at(tiny, place), "fight")
    assert (event.status, event.reason, event.detail) == (598, "Monster not found on this map.", None)


def test_a_won_fight_gives_every_drop_and_leaves_the_hero_where_he_is(tiny: World) -> None:
    game = at(tiny, RAT, **CLUB)
    event = act(game, "fight")
    assert (event.status, event.reason) == (200, "")
    assert event.detail == Fought("rat", True, 4, 85, -2, 50, (("fur", 1),))
    assert game.hero.place == RAT
    assert game.hero.inventory == {"fur": 1}


def test_a_lost_fight_puts_the_hero_back_to_the_start_and_takes_nothing(tiny: World) -> None:
    game = at(tiny, DRAKE, xp=70, inventory={"clay": 3}, worn={"charm1": "pearl_charm"})
    before = character(tiny, game.hero)
    event = act(game, "fight")
    assert (event.ok, game.events) == (True, [event])
    assert isinstance(event.detail, Fought)
    assert not event.detail.won
    assert (game.hero.place, character(tiny, game.hero)) == ((0, 0), {**before, "x": 0, "y": 0})


def test_the_start_is_the_worlds(tiny: World) -> None:
    content = documents(TINY)
    content["world"]["start"] = {"x": -1, "y": -1}
    game = at(World.from_documents(content), DRAKE)
    act(game, "fight")
    assert game.hero.place == (-1, -1)


def test_a_fight_that_runs_out_of_rounds_is_lost_where_the_hero_stands(tiny: World) -> None:
    game = at(tiny, WALL, **CLUB)
    assert act(game, "fight").detail == Fought("wall", False, 49, 100, 100_000 - 49 * 8, 0, ())
    assert game.hero.place == WALL


def test_the_number_of_rounds_is_a_rule(tiny: World) -> None:
    for rounds, won in [(3, False), (4, True)]:
        game = at(tiny, RAT, replace(LINEAR, rounds=rounds), **CLUB)
        assert fought(act(game, "fight"))[1:3] == (won, rounds)
        assert game.hero.place == RAT


def test_both_begin_every_fight_at_full_health(tiny: World) -> None:
    game = at(tiny, RAT, **CLUB)
    fights = [fought(act(game, "fight")) for _ in range(12)]
    assert {(fight.rounds, fight.monster_hp) for fight in fights} == {(4, -2)}
    assert [fight.hero_hp for fight in fights] == [85] * 3 + [90] * 9  # a level after the third, and no more to learn
    assert game.hero.inventory == {"fur": 12}


def test_what_is_put_on_or_taken_off_counts_from_the_next_fight(tiny: World) -> None:
    game = at(tiny, DRAKE, inventory={"fur_coat": 1}, worn={"blade": "bar_sword"})
    assert not fought(act(game, "fight")).won
    act(game, "equip", "coat", "fur_coat")
    act(game, "move", *DRAKE)
    assert fought(act(game, "fight"))[1:5] == (True, 7, 26, -3)
    act(game, "equip", "charm1", "drake_charm")  # 20 * (1 + 0.1 + 0.2) + 5 = 31; 20 * 0.7 + 5 * 1.05 = 19.25
    assert fought(act(game, "fight"))[1:5] == (True, 7, 150 - 6 * 19.25, 200 - 7 * 31)
    act(game, "unequip", "coat")
    assert not fought(act(game, "fight")).won


# -- experience --------------------------------------------------------------------------------------------------------


@both_curves
def test_a_victory_teaches_once_by_the_monsters_level(tiny: World, rules: Rules) -> None:
    game = at(tiny, DRAKE, rules, **SWORD_AND_COAT)
    # (18 + int(18 * 12 / 50)) * (1 + 0.2) = 22 * 1.2 = 26.4
    assert fought(act(game, "fight")).xp == (50 if rules is LINEAR else 26)


# -- consumables -------------------------------------------------------------------------------------------------------


def test_eaten_pieces_leave_the_stack(tiny: World) -> None:
    """Bites of 25: 75, 50, 25, then with a piece of 15 in each of rounds 4, 5 and 6: 15, 5, -5."""
    game = at(tiny, DRAKE, consumables=stacks(consumable1=("broth", 5)))
    assert fought(act(game, "fight"))[:4] == ("drake", False, 6, -5)
    assert game.hero.consumables == {"consumable1": Stack("broth", 2)}
    act(game, "move", *DRAKE)
    assert fought(act(game, "fight"))[:4] == ("drake", False, 6, -20)
    assert game.hero.consumables == {}
    act(game, "move", *DRAKE)
    assert fought(act(game, "fight"))[:4] == ("drake", False, 4, 0)


@for_each(
    ("place", "held", "fight", "left"),
    [
        # 75, 50, 25; with 30 from both 30, 35, 40, 45, 50; 50 is not below half: 25; with 15 from the first 15, 5, -5
        (DRAKE, {"consumable1": ("broth", 9), "consumable2": ("broth", 5)}, ("drake", False, 12, -5),
         {"consumable1": 1}),
        # nothing is eaten above half health
        (RAT, {"consumable1": ("broth", 5)}, ("rat", True, 4, 85), {"consumable1": 5}),
        # 120: 95, 70, 45 below 60, so 15 in rounds 4 to 8: 35, 25, 15, 5, -5
        (DRAKE, {"consumable1": ("tonic", 9), "consumable2": ("broth", 9)}, ("drake", False, 8, -5),
         {"consumable1": 9, "consumable2": 4}),
        # 8 * 1.5 = 12 beats 30 in 3 rounds, and 20 health come on top of 100
        (RAT, {"consumable2": ("tonic", 9)}, ("rat", True, 3, 110), {"consumable2": 9}),
        (RAT, {"consumable1": ("tonic", 9), "consumable2": ("tonic", 9)}, ("rat", True, 2, 135),
         {"consumable1": 9, "consumable2": 9}),
    ],
)  # fmt: skip
def test_consumables_feed_and_boost_in_a_fight(
    tiny: World, place: tuple[int, int], held: dict[str, tuple[str, int]], fight: tuple[Any, ...], left: dict[str, int]
) -> None:
    game = at(tiny, place, consumables=stacks(**held), **(CLUB if place == RAT else {}))
    assert fought(act(game, "fight"))[:4] == fight
    assert {slot: stack.quantity for slot, stack in game.hero.consumables.items()} == left
    assert game.hero.stats.hp == 100


@for_each(
    ("item", "quantity", "left"),
    [
        ("cooked_beef", 1, 0),
        ("cooked_beef", 2, 2),
        ("cheese", 1, 0),
        ("cheese", 2, 2),
        ("pumpkin_pie", 4, 0),  # four effects
        ("pumpkin_pie", 5, 5),
    ],
)
def test_a_boosting_stack_no_larger_than_its_effects_is_lost_and_a_larger_one_stays(
    classic: World, item: str, quantity: int, left: int
) -> None:
    chicken = (0, 1)
    game = at(classic, chicken, level=20, consumables=stacks(consumable1=(item, quantity)), stats={"hp": 500})
    for _ in range(2):
        act(game, "fight")
        assert game.hero.consumables == ({"consumable1": Stack(item, left)} if left else {})


Refusal = tuple[int, str]

OCCUPIED: Refusal = (491, "Slot is not empty.")
EMPTY: Refusal = (491, "Slot is empty.")
UNKNOWN: Refusal = (404, "Item not found.")
LEVEL: Refusal = (496, "Character level is insufficient.")
TYPE: Refusal = (472, "Item is not valid for this slot.")
MISSING: Refusal = (478, "Missing item or insufficient quantity.")
TOO_FEW: Refusal = (478, "Insufficient quantity of the equipped item.")
FULL: Refusal = (494, "Character can't equip more than 50 consumables in the same slot.")


def stacked(item: str, quantity: int) -> dict[str, dict[str, Any]]:
    return {"consumable1": {"item": item, "quantity": quantity}}


def refusal(game: Game, action: str, *args: Any) -> Refusal:
    """The refusal of an action, which is to have changed nothing."""
    before = (dict(game.hero.inventory), dict(game.hero.worn), dict(game.hero.consumables), game.hero.stats)
    event = act(game, action, *args)
    assert event.detail is None
    assert (game.hero.inventory, game.hero.worn, game.hero.consumables, game.hero.stats) == before
    return event.status, event.reason


# -- gear --------------------------------------------------------------------------------------------------------------


@for_each("quantity", [None, 1, 7, "7.0", 100])
def test_a_quantity_of_gear_is_ignored_none_too(tiny: World, quantity: Value) -> None:
    game = new_game(tiny, inventory={"fur_coat": 9})
    assert act(game, "equip", "coat", "fur_coat", quantity).detail == Equipped("coat", "fur_coat", 1)
    assert game.hero.inventory == {"fur_coat": 8}
    assert act(game, "unequip", "coat", quantity=quantity).detail == Unequipped("coat", "fur_coat", 1)
    assert (game.hero.inventory, game.hero.worn) == ({"fur_coat": 9}, {})
    assert game.events[0].action.args[-1] == quantity, "it is recorded as it was called"


@for_each(
    ("hero", "expected"),
    [({"worn": {"coat": "fur_coat"}}, OCCUPIED), ({}, MISSING), ({"level": 0, "inventory": {"fur_coat": 1}}, LEVEL)],
)
def test_gear_with_none_for_a_quantity_is_refused_as_with_one(
    tiny: World, hero: dict[str, Any], expected: Refusal
) -> None:
    for quantity in (1, None):
        assert refusal(new_game(tiny, **hero), "equip", "coat", "fur_coat", quantity) == expected
        assert refusal(new_game(tiny), "unequip", "coat", quantity) == EMPTY


def test_unequipping_puts_the_item_into_the_bag_and_subtracts_its_effects(tiny: World) -> None:
    game = new_game(tiny, worn={"coat": "fur_coat", "charm2": "drake_charm"}, inventory={"fur_coat": 1})
    event = act(game, "unequip", "coat")
    assert (event.status, event.reason, event.detail) == (200, "", Unequipped("coat", "fur_coat", 1))
    assert game.hero.inventory == {"fur_coat": 2}
    assert game.hero.worn == {"charm2": "drake_charm"}
    assert game.hero.stats == Stats(110, (0, 0), (10, 0), (-5, 0))


@for_each(
    ("slot", "code", "hero", "expected"),
    [
        ("blade", "club", {"worn": {"blade": "twig"}, "inventory": {"club": 1}}, OCCUPIED),
        ("blade", "nothing", {}, UNKNOWN),
        ("blade", "moon_blade", {}, UNKNOWN),
        ("charm1", "drake_charm", {"level": 9, "inventory": {"drake_charm": 1}}, LEVEL),
        ("coat", "club", {"inventory": {"club": 1}}, TYPE),
        ("coat", "clay", {"inventory": {"clay": 1}}, TYPE),
        ("coat", "broth", {"inventory": {"broth": 1}}, TYPE),
        ("blade", "club", {}, MISSING),
        # the first in this order tells
        ("blade", "nothing", {"worn": {"blade": "twig"}}, OCCUPIED),
        ("charm1", "scale", {"level": 1, "worn": {"charm1": "pearl_charm"}}, OCCUPIED),
        ("blade", "drake_charm", {"level": 9}, LEVEL),
        ("charm1", "drake_charm", {"level": 9}, LEVEL),
        ("coat", "drake_charm", {}, TYPE),
    ],
)
def test_equipping_gear_is_refused_with_the_first_reason(
    tiny: World, slot: str, code: str, hero: dict[str, Any], expected: Refusal
) -> None:
    assert refusal(new_game(tiny, **hero), "equip", slot, code) == expected


def test_an_item_at_the_heros_own_level_can_be_worn(tiny: World) -> None:
    assert act(new_game(tiny, level=10, inventory={"drake_charm": 1}), "equip", "charm1", "drake_charm").ok


@for_each("slot", ["blade", "coat", "charm1", "charm2", "consumable1", "consumable2"])
def test_an_empty_slot_cannot_be_emptied(tiny: World, slot: str) -> None:
    assert refusal(new_game(tiny), "unequip", slot, 100) == EMPTY


# -- consumables -------------------------------------------------------------------------------------------------------


def test_a_stack_is_equipped_from_the_bag(tiny: World) -> None:
    game = new_game(tiny, inventory={"broth": 5})
    assert act(game, "equip", "consumable1", "broth", 3).detail == Equipped("consumable1", "broth", 3)
    assert game.hero.inventory == {"broth": 2}
    assert game.hero.consumables == {"consumable1": Stack("broth", 3)}
    assert game.hero.stats == Stats(100, (0, 0), (0, 0), (0, 0))


@for_each(("owned", "quantity", "left"), [(1, 1, 0), (1, 40, 0), (5, 40, 0), (5, 5, 0), (5, 4, 1)])
def test_what_is_owned_goes_but_what_was_asked_for_arrives(tiny: World, owned: int, quantity: int, left: int) -> None:
    game = new_game(tiny, inventory={"broth": owned}, consumables=stacked("broth", 2))
    assert act(game, "equip", "consumable1", "broth", quantity).ok
    assert game.hero.inventory.get("broth", 0) == left
    assert game.hero.consumables == {"consumable1": Stack("broth", 2 + quantity)}


def test_another_consumable_gives_way_and_leaves_its_number(tiny: World) -> None:
    game = new_game(tiny, inventory={"tonic": 1}, consumables=stacked("broth", 7))
    assert act(game, "equip", "consumable1", "tonic", 2).detail == Equipped("consumable1", "tonic", 2)
    assert game.hero.inventory == {}
    assert game.hero.consumables == {"consumable1": Stack("tonic", 9)}


def test_a_stack_holds_fifty_of_its_kind_at_most(tiny: World) -> None:
    game = new_game(tiny, inventory={"broth": 99}, consumables=stacked("broth", 49))
    assert refusal(game, "equip", "consumable1", "broth", 2) == FULL
    assert act(game, "equip", "consumable1", "broth", 1).ok
    assert refusal(game, "equip", "consumable1", "broth", 1) == FULL


def test_the_limit_is_not_looked_at_in_an_empty_slot_nor_for_another_kind(tiny: World) -> None:
    game = new_game(tiny, inventory={"broth": 99, "tonic": 99})
    assert act(game, "equip", "consumable1", "broth", 60).ok
    assert act(game, "equip", "consumable1", "tonic", 100).ok
    assert game.hero.consumables == {"consumable1": Stack("tonic", 160)}


@for_each(
    ("code", "hero", "expected"),
    [
        ("nothing", {}, UNKNOWN),
        ("cooked_beef", {"level": 4, "inventory": {"cooked_beef": 1}}, LEVEL),
        ("copper_ring", {"inventory": {"copper_ring": 1}}, TYPE),
        ("copper_ore", {"inventory": {"copper_ore": 1}}, TYPE),
        ("cooked_beef", {}, MISSING),
        ("cooked_beef", {"inventory": {"cooked_beef": 1}, "consumables": stacked("cooked_beef", 45)}, FULL),
        # the first in this order tells, and an occupied slot tells nothing
        ("nothing", {"consumables": stacked("cooked_beef", 50)}, UNKNOWN),
        ("iron_ring", {"level": 9}, LEVEL),
        ("cooked_beef", {"level": 4, "consumables": stacked("cooked_beef", 50)}, LEVEL),
        ("copper_ring", {"consumables": stacked("cooked_beef", 50)}, TYPE),
        ("cooked_beef", {"consumables": stacked("cooked_beef", 50)}, MISSING),
    ],
)
def test_equipping_consumables_is_refused_with_the_first_reason(
    classic: World, code: str, hero: dict[str, Any], expected: Refusal
) -> None:
    assert refusal(new_game(classic, **hero), "equip", "consumable1", code, 6) == expected


def test_pieces_are_taken_back_into_the_bag(tiny: World) -> None:
    game = new_game(tiny, inventory={"broth": 1}, consumables=stacked("broth", 7))
    assert act(game, "unequip", "consumable1", 3).detail == Unequipped("consumable1", "broth", 3)
    assert game.hero.inventory == {"broth": 4}
    assert game.hero.consumables == {"consumable1": Stack("broth", 4)}
    assert act(game, "unequip", "consumable1").detail == Unequipped("consumable1", "broth", 1)
    assert act(game, "unequip", "consumable1", 3).ok
    assert game.hero.inventory == {"broth": 8}
    assert game.hero.consumables == {}
    assert refusal(game, "unequip", "consumable1") == EMPTY


@for_each("held", [{}, stacked("broth", 7), stacked("broth", 50), stacked("tonic", 7)])
def test_consumables_with_none_for_a_quantity_raise_an_error_and_change_nothing(
    tiny: World, held: dict[str, Any]
) -> None:
    game = new_game(tiny, inventory={"broth": 3}, consumables=held)
    before = dict(game.hero.consumables)
    with pytest.raises(CallError, match=r"equip\(\) needs a quantity"):
        act(game, "equip", "consumable1", "broth", None)
    if held:
        with pytest.raises(CallError, match=r"unequip\(\) needs a quantity"):
            act(game, "unequip", "consumable1", None)
    assert (game.hero.inventory, game.hero.consumables, game.events) == ({"broth": 3}, before, [])


def test_consumables_are_refused_before_their_quantity_is_needed(tiny: World) -> None:
    game = new_game(tiny, inventory={"fur_coat": 1})
    assert refusal(game, "equip", "consumable1", "nothing", None) == UNKNOWN
    assert refusal(game, "equip", "consumable1", "fur_coat", None) == TYPE
    assert refusal(game, "equip", "consumable1", "broth", None) == MISSING
    assert refusal(game, "unequip", "consumable1", None) == EMPTY


def test_no_more_pieces_are_taken_back_than_the_stack_holds(tiny: World) -> None:
    game = new_game(tiny, consumables=stacked("broth", 7))
    assert refusal(game, "unequip", "consumable1", 8) == TOO_FEW
