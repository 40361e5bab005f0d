"""Moving, gathering, crafting and buying; what falls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.events import Bought, Crafted, CraftRefused, Fought, Gathered, Moved
from herobench.suites.rpg.game.game import MOST_CHANCES, Game
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Place, World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import TINY, act, documents, new_game, tiny_task
from tests.sizes import for_each

LINEAR = load_rules("paper-late")
LOG_CURVE = load_rules("paper-early")

both_curves = pytest.mark.parametrize("rules", [LINEAR, LOG_CURVE], ids=["linear", "log-curve"])


def skills(**levels: int) -> dict[str, dict[str, int]]:
    return {skill: {"level": level, "xp": 0, "next_level_xp": 150} for skill, level in levels.items()}


# -- move --------------------------------------------------------------------------------------------------------------


def test_a_move_goes_any_distance_at_once(tiny: World) -> None:
    game = new_game(tiny, x=3, y=1)
    event = act(game, "move", -1, -1)
    assert (event.status, event.reason, event.detail) == (200, "", Moved((-1, -1)))
    assert game.hero.place == (-1, -1)


@for_each("place", [(9, 9), (1, 2), (-1, 0), (10**9, 0)])
def test_there_is_no_way_off_the_map(tiny: World, place: tuple[int, int]) -> None:
    game = new_game(tiny)
    event = act(game, "move", *place)
    assert (event.status, event.reason, event.detail) == (404, "Map not found.", None)
    assert game.hero.place == (0, 0)


def test_a_move_to_where_the_hero_stands_is_refused(tiny: World) -> None:
    game = new_game(tiny, x=1, y=1)
    event = act(game, "move", "1", 1.0)
    assert (event.status, event.reason, event.detail) == (490, "Character already at destination.", None)


# -- gather ------------------------------------------------------------------------------------------------------------


@for_each("place", [(0, 0), (1, 0), (2, 1), (0, 2), (-1, -1)])
def test_nothing_is_gathered_where_no_resource_is(tiny: World, place: tuple[int, int]) -> None:
    game = new_game(tiny, x=place[0], y=place[1])
    event = act(game, "gather")
    assert (event.status, event.reason, event.detail) == (598, "Resource not found on this map.", None)
    assert game.hero.inventory == {}


def test_a_resource_above_the_skill_is_not_gathered(tiny: World) -> None:
    game = new_game(tiny, x=1, y=1, skills=skills(digging=4))
    event = act(game, "gather")
    assert (event.status, event.reason, event.detail) == (493, "Not skill level required.", None)
    assert game.hero.inventory == {}


def test_a_resource_at_the_level_of_the_skill_is_gathered(tiny: World) -> None:
    game = new_game(tiny, x=1, y=1, skills=skills(digging=5))
    assert act(game, "gather").detail == Gathered("ore_vein", "digging", 1, 50, (("ore", 1),))


@both_curves
def test_each_swing_gives_every_drop_and_experience(tiny: World, rules: Rules) -> None:
    game = new_game(tiny, rules, y=1, skills=skills(digging=1))
    gain = 50 if rules is LINEAR else 18
    assert act(game, "gather").detail == Gathered("clay_pit", "digging", 1, gain, (("clay", 1), ("pearl", 1)))
    assert act(game, "gather", 2).detail == Gathered("clay_pit", "digging", 2, 2 * gain, (("clay", 2), ("pearl", 2)))
    assert game.hero.inventory == {"clay": 3, "pearl": 3}
    assert len(game.events) == 2


def test_a_billion_swings_take_no_longer_than_one(tiny: World) -> None:
    game = new_game(tiny, y=1)
    assert act(game, "gather", 10**9).ok
    assert game.hero.inventory["clay"] == 10**9


# -- buy ---------------------------------------------------------------------------------------------------------------


def test_what_the_exchange_sells_costs_nothing_in_any_quantity(tiny: World) -> None:
    game = new_game(tiny, y=2)
    assert act(game, "buy", "salt").detail == Bought("salt", 1)
    assert act(game, "buy", "salt", 10**9).detail == Bought("salt", 10**9)
    assert game.hero.inventory == {"salt": 10**9 + 1}


@for_each("code", ["clay", "moon_blade", "moon_dust", "nothing", "SALT"])
def test_what_the_exchange_does_not_sell_is_not_found(tiny: World, code: str) -> None:
    game = new_game(tiny, y=2)
    event = act(game, "buy", code)
    assert (event.status, event.reason, event.detail) == (404, "Item not found.", None)
    assert game.hero.inventory == {}


@for_each("code", ["salt", "nothing"])
def test_off_the_exchange_nothing_is_bought_and_that_is_checked_first(tiny: World, code: str) -> None:
    event = act(new_game(tiny), "buy", code)
    assert (event.status, event.reason, event.detail) == (598, "Grand-exchange not found on this map.", None)


def test_in_the_classic_world_every_item_is_for_sale_and_no_distractor_is(classic: World) -> None:
    game = new_game(classic, x=5, y=1)
    assert {act(game, "buy", code, 2).status for code in classic.items} == {200}
    assert game.hero.inventory == dict.fromkeys(classic.items, 2)
    assert {act(game, "buy", code).status for code in classic.distractors} == {404}


MATCHING = load_rules("paper-late")
ANY_WORKSHOP = load_rules("paper-early")
HOME, FORGE, KITCHEN = (0, 0), (2, 1), (3, 1)


def crafter(world: World, place: Place = FORGE, rules: Rules = MATCHING, level: int = 10, **inventory: int) -> Game:
    skills = {skill: {"level": level, "xp": 0, "next_level_xp": 150} for skill in world.skills}
    return new_game(world, rules, x=place[0], y=place[1], skills=skills, inventory=inventory)


def test_ingredients_become_the_item(tiny: World) -> None:
    game = crafter(tiny, ore=5)
    event = act(game, "craft", "bar", 1)
    assert (event.status, event.reason, event.detail) == (200, "", Crafted("bar", "smithing", 1, 150))
    assert game.hero.inventory == {"ore": 1, "bar": 1}


@for_each(
    ("rules", "level", "xp"),
    [
        (MATCHING, 1, 5 * 3 * 50),
        (MATCHING, 10, 3 * 3 * 50),  # 150 and 250 needed: level 12 after the third piece, which learns no more
        (MATCHING, 12, 0),  # more than ten levels above
        (ANY_WORKSHOP, 1, 3 * (18 + 18 + 18 + 16 + 16)),  # 150 needed: level 2 after the third piece
        (ANY_WORKSHOP, 10, 0),  # another ten
    ],
)
def test_each_piece_teaches_three_times_as_much_as_a_swing(tiny: World, rules: Rules, level: int, xp: int) -> None:
    game = crafter(tiny, rules=rules, level=level, clay=15)
    assert act(game, "craft", "brick", 5).detail == Crafted("brick", "smithing", 5, xp)


@for_each("code", ["nothing", "clay", "twig", "drake_charm", "moon_blade", "moon_dust"])
@for_each("place", [HOME, FORGE])
def test_what_is_unknown_not_craftable_or_a_distractor_is_not_found_anywhere(
    tiny: World, code: str, place: Place
) -> None:
    game = crafter(tiny, place)
    event = act(game, "craft", code, 1)
    assert (event.status, event.reason, event.detail) == (404, "Craft not found.", None)


@for_each("place", [HOME, FORGE])
@for_each("level", [4, 5])
@for_each("bars", [0, 3, 4])
def test_three_checks_are_made_whatever_the_others_say(tiny: World, place: Place, level: int, bars: int) -> None:
    inventory: dict[str, Any] = {"bar": bars, "fur": 9} if bars else {"fur": 9}
    game = crafter(tiny, place, level=level, **inventory)
    event = act(game, "craft", "bar_sword", 2)
    if place == FORGE and level == 5 and bars == 4:
        assert event.ok
        return
    assert (event.status, event.reason) == (500, "Craft failed.")
    assert event.detail == CraftRefused(
        item="bar_sword",
        quantity=2,
        skill="smithing",
        at_workshop=place == FORGE,
        workshop=FORGE,
        place=place,
        skilled=level == 5,
        needed_level=5,
        level=level,
        supplied=bars == 4,
        lacking=() if bars == 4 else (("bar", 4, bars),),
    )


def test_every_lacking_ingredient_is_told_in_the_order_of_the_recipe(tiny: World) -> None:
    event = act(crafter(tiny, fur=2, bar=1), "craft", "bar_sword", 3)
    assert isinstance(event.detail, CraftRefused)
    assert event.detail.lacking == (("bar", 6, 1), ("fur", 3, 2))


@for_each(
    ("place", "matching", "any_workshop"),
    [(FORGE, True, True), (KITCHEN, False, True), (HOME, False, False), ((0, 1), False, False)],
)
def test_editions_differ_in_whether_another_skills_workshop_will_do(
    tiny: World, place: Place, matching: bool, any_workshop: bool
) -> None:
    assert act(crafter(tiny, place, MATCHING, clay=3), "craft", "brick", 1).ok is matching
    assert act(crafter(tiny, place, ANY_WORKSHOP, clay=3), "craft", "brick", 1).ok is any_workshop


def test_where_any_workshop_will_do_the_one_the_hero_stands_at_is_told(tiny: World) -> None:
    detail = act(crafter(tiny, KITCHEN, ANY_WORKSHOP), "craft", "brick", 1).detail
    assert isinstance(detail, CraftRefused)
    assert (detail.at_workshop, detail.workshop, detail.place) == (True, KITCHEN, KITCHEN)


SURE = load_rules("standard")


def by_rate(scale: float = 1.0) -> Rules:
    return replace(SURE, drops="by_rate", drop_scale=scale)


def fallen(game: Game, calls: int, *args: int, action: str = "gather") -> dict[str, int]:
    """What so many calls gave, by item."""
    before = dict(game.hero.inventory)
    for _ in range(calls):
        assert act(game, action, *args).ok
    return {code: owned - before.get(code, 0) for code, owned in game.hero.inventory.items()}


def fights(game: Game, count: int) -> list[Fought]:
    details = [act(game, "fight").detail for _ in range(count)]
    assert all(isinstance(detail, Fought) and detail.won for detail in details)
    return [detail for detail in details if isinstance(detail, Fought)]


def rat_hunter(world: World, rules: Rules, seed: int = 0) -> Game:
    return new_game(world, rules, seed, x=1, worn={"blade": "club"})


def digger(world: World, rules: Rules, seed: int = 0) -> Game:
    return new_game(world, rules, seed, y=1)


# -- sure --------------------------------------------------------------------------------------------------------------


def test_sure_drops_fall_every_time_in_the_least_quantity(tiny: World) -> None:
    assert [fight.drops for fight in fights(rat_hunter(tiny, SURE), 20)] == [(("fur", 1),)] * 20
    assert fallen(digger(tiny, SURE), 20, 3) == {"clay": 60, "pearl": 60}


# -- by rate -----------------------------------------------------------------------------------------------------------


def test_refused_actions_and_lost_fights_draw_nothing(tiny: World) -> None:
    one, other = (digger(tiny, by_rate(5), seed=3) for _ in range(2))
    act(other, "gather", 5000)
    act(other, "craft", "bar", 1)
    act(other, "move", 2, 0)
    assert not act(other, "gather").ok
    act(other, "fight")
    act(other, "move", 0, 1)
    assert [fallen(one, 1, 20) for _ in range(9)] == [fallen(other, 1, 20) for _ in range(9)]


@for_each(("scale", "expected"), [(1.0, 500), (0.5, 250), (5.0, 2500), (19.0, 9500), (20.0, 10_000), (1000.0, 10_000)])
def test_one_in_twenty_falls_about_once_in_twenty_times_by_the_scale(tiny: World, scale: float, expected: int) -> None:
    """10,000 swings: at most 50 to a standard deviation, and 150 allowed."""
    found = fallen(digger(tiny, by_rate(scale), seed=5), 100, 100).get("pearl", 0)
    assert abs(found - expected) <= (150 if expected < 10_000 else 0)


def test_one_in_one_always_falls_at_full_scale_and_less_below(tiny: World) -> None:
    assert fallen(digger(tiny, by_rate()), 100, 20)["clay"] == 2000
    assert abs(fallen(digger(tiny, by_rate(0.25)), 100, 20)["clay"] - 500) < 100


def test_a_victory_draws_each_drop_once(tiny: World) -> None:
    """One in four, one or two pieces: 4,000 fights make about 1,000 falls, half of them of two."""
    found = [dict(fight.drops).get("fur", 0) for fight in fights(rat_hunter(tiny, by_rate(), seed=9), 4000)]
    assert set(found) == {0, 1, 2}
    assert abs(found.count(1) - 500) < 100
    assert abs(found.count(2) - 500) < 100


def test_the_quantity_lies_between_the_least_and_the_most(tiny: World) -> None:
    content = documents(TINY)
    content["resources"]["resources"][1]["drops"] = [{"item": "ore", "one_in": 1, "min": 2, "max": 5}]
    game = new_game(World.from_documents(content), by_rate(), x=1, y=1)
    found = [fallen(game, 1)["ore"] for _ in range(400)]
    assert set(found) == {2, 3, 4, 5}
    assert all(found.count(quantity) > 60 for quantity in (2, 3, 4, 5))


def test_what_did_not_fall_is_neither_told_nor_owned(tiny: World) -> None:
    game = digger(tiny, by_rate(1e-9))
    assert act(game, "gather", 3).detail == Gathered("clay_pit", "digging", 3, 150, ())
    assert game.hero.inventory == {}


def test_more_than_a_hundred_swings_at_once_are_refused_as_unprocessable(tiny: World) -> None:
    game = digger(tiny, by_rate())
    assert act(game, "gather", MOST_CHANCES).ok
    owned = dict(game.hero.inventory)
    event = act(game, "gather", MOST_CHANCES + 1)
    assert (event.status, event.detail) == (422, None)
    assert event.reason == "quantity: at most 100 expected where drops go by their rates."
    assert game.hero.inventory == owned


@for_each(("scale", "drops"), [(None, "sure"), (3.0, "by_rate")])
def test_a_tasks_scale_makes_drops_go_by_rate(tiny: World, scale: float | None, drops: str) -> None:
    mechanics: dict[str, Any] = {"leveling": False, "drop_scale": scale}
    rules = tiny_task(tiny, mechanics=mechanics).rules(SURE)
    assert rules.drops == drops
    assert rules.drop_scale == (scale or 1.0)
