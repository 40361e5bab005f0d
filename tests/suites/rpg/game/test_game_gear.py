"""Equipping and unequipping, consumables too."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.events import CallError, Equipped, Unequipped, Value
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Stack
from herobench.suites.rpg.game.world import Stats, World, slot_type
from tests.builders import act, new_game
from tests.sizes import for_each, many

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


@pytest.mark.parametrize("quantity", [None, 1, 7, "7.0", 100])
def test_a_quantity_of_gear_is_ignored_none_too(tiny: World, quantity: Value) -> None:
    game = new_game(tiny, inventory={"fur_coat": 9})
    assert act(game, "equip", "coat", "fur_coat", quantity).detail == Equipped("coat", "fur_coat", 1)
    assert game.hero.inventory == {"fur_coat": 8}
    assert act(game, "unequip", "coat", quantity=quantity).detail == Unequipped("coat", "fur_coat", 1)
    assert (game.hero.inventory, game.hero.worn) == ({"fur_coat": 9}, {})
    assert game.events[0].action.args[-1] == quantity, "it is recorded as it was called"


@pytest.mark.parametrize(
    ("hero", "expected"),
    [
        ({"worn": {"coat": "fur_coat"}}, OCCUPIED),
        ({}, MISSING),
        ({"level": 0, "inventory": {"fur_coat": 1}}, LEVEL),
    ],
)
def test_gear_with_none_for_a_quantity_is_refused_as_with_one(
    tiny: World, hero: dict[str, Any], expected: Refusal
) -> None:
    for quantity in (1, None):
        assert refusal(new_game(tiny, **hero), "equip", "coat", "fur_coat", quantity) == expected
        assert refusal(new_game(tiny), "unequip", "coat", quantity) == EMPTY


def test_equipping_takes_one_piece_from_the_bag_and_adds_its_effects(tiny: World) -> None:
    game = new_game(tiny, inventory={"fur_coat": 2})
    event = act(game, "equip", "coat", "fur_coat")
    assert (event.status, event.reason, event.detail) == (200, "", Equipped("coat", "fur_coat", 1))
    assert game.hero.inventory == {"fur_coat": 1}
    assert game.hero.worn == {"coat": "fur_coat"}
    assert game.hero.stats == Stats(140, (0, 0), (0, 0), (0, 30))


def test_unequipping_puts_the_item_into_the_bag_and_subtracts_its_effects(tiny: World) -> None:
    game = new_game(tiny, worn={"coat": "fur_coat", "charm2": "drake_charm"}, inventory={"fur_coat": 1})
    event = act(game, "unequip", "coat")
    assert (event.status, event.reason, event.detail) == (200, "", Unequipped("coat", "fur_coat", 1))
    assert game.hero.inventory == {"fur_coat": 2}
    assert game.hero.worn == {"charm2": "drake_charm"}
    assert game.hero.stats == Stats(110, (0, 0), (10, 0), (-5, 0))


def test_the_same_charm_may_be_worn_twice_if_there_are_two(tiny: World) -> None:
    game = new_game(tiny, inventory={"pearl_charm": 2})
    assert act(game, "equip", "charm1", "pearl_charm").ok
    assert act(game, "equip", "charm2", "pearl_charm").ok
    assert game.hero.inventory == {}
    assert game.hero.stats.damage == (50, 0)
    game = new_game(tiny, inventory={"pearl_charm": 1}, worn={"charm1": "pearl_charm"})
    assert act(game, "equip", "charm2", "pearl_charm").ok
    game = new_game(tiny, worn={"charm1": "pearl_charm"})
    assert refusal(game, "equip", "charm2", "pearl_charm") == MISSING


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


@pytest.mark.parametrize("slot", ["blade", "coat", "charm1", "charm2", "consumable1", "consumable2"])
def test_an_empty_slot_cannot_be_emptied(tiny: World, slot: str) -> None:
    assert refusal(new_game(tiny), "unequip", slot, 100) == EMPTY


@settings(deadline=None, max_examples=many(60))
@given(st.data())
def test_equipping_and_unequipping_restores_hero_and_bag(classic: World, data: st.DataObject) -> None:
    slots = [slot for slot in classic.slots if slot_type(slot) != "consumable"]
    fitting = {
        slot: sorted(item.code for item in classic.items.values() if item.type == slot_type(slot)) for slot in slots
    }
    gear = {slot: data.draw(st.sampled_from(fitting[slot])) for slot in data.draw(st.permutations(slots))}
    game = new_game(classic, level=40, inventory=dict.fromkeys(classic.items, 3))
    before = (game.hero.stats, dict(game.hero.inventory))
    assert all(act(game, "equip", slot, code).ok for slot, code in gear.items())
    assert game.hero.worn == gear
    assert sum(game.hero.inventory.values()) == 3 * len(classic.items) - len(gear)
    assert all(act(game, "unequip", slot).ok for slot in data.draw(st.permutations(slots)))
    assert (game.hero.stats, game.hero.inventory) == before


# -- consumables -------------------------------------------------------------------------------------------------------


def test_a_stack_is_equipped_from_the_bag(tiny: World) -> None:
    game = new_game(tiny, inventory={"broth": 5})
    assert act(game, "equip", "consumable1", "broth", 3).detail == Equipped("consumable1", "broth", 3)
    assert game.hero.inventory == {"broth": 2}
    assert game.hero.consumables == {"consumable1": Stack("broth", 3)}
    assert game.hero.stats == Stats(100, (0, 0), (0, 0), (0, 0))


@pytest.mark.parametrize(("owned", "quantity", "left"), [(1, 1, 0), (1, 40, 0), (5, 40, 0), (5, 5, 0), (5, 4, 1)])
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


def test_both_slots_may_hold_the_same(tiny: World) -> None:
    game = new_game(tiny, inventory={"broth": 4})
    assert act(game, "equip", "consumable1", "broth", 2).ok
    assert act(game, "equip", "consumable2", "broth", 2).ok
    assert game.hero.consumables == {"consumable1": Stack("broth", 2), "consumable2": Stack("broth", 2)}


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("held", [{}, stacked("broth", 7), stacked("broth", 50), stacked("tonic", 7)])
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
