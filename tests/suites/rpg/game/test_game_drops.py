"""What falls: every drop every time, or by its rate."""

from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.events import Fought, Gathered
from herobench.suites.rpg.game.game import MOST_CHANCES, Game
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import TINY, act, documents, new_game, tiny_task

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


def test_sure_drops_do_not_depend_on_the_seed(tiny: World) -> None:
    one, other = digger(tiny, SURE, seed=1), digger(tiny, SURE, seed=2)
    assert fallen(one, 5) == fallen(other, 5)


def test_the_scale_means_nothing_to_sure_drops(tiny: World) -> None:
    assert fallen(digger(tiny, replace(SURE, drop_scale=0.001)), 5) == {"clay": 5, "pearl": 5}


def test_sure_swings_are_not_limited(tiny: World) -> None:
    assert act(digger(tiny, SURE), "gather", MOST_CHANCES + 1).ok


# -- by rate -----------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_events(tiny: World) -> None:
    one, other = (digger(tiny, by_rate(), seed=11) for _ in range(2))
    for game in (one, other):
        fallen(game, 50, 7)
    assert one.events == other.events


def test_other_seeds_give_other_events(tiny: World) -> None:
    games = [digger(tiny, by_rate(), seed) for seed in range(5)]
    for game in games:
        fallen(game, 10, 40)
    seen = [tuple(event.detail for event in game.events) for game in games]
    assert len(set(seen)) == 5


def test_refused_actions_and_lost_fights_draw_nothing(tiny: World) -> None:
    one, other = (digger(tiny, by_rate(5), seed=3) for _ in range(2))
    act(other, "gather", 5000)
    act(other, "craft", "bar", 1)
    act(other, "move", 2, 0)
    assert not act(other, "gather").ok
    act(other, "fight")
    act(other, "move", 0, 1)
    assert [fallen(one, 1, 20) for _ in range(9)] == [fallen(other, 1, 20) for _ in range(9)]


@pytest.mark.parametrize(
    ("scale", "expected"), [(1.0, 500), (0.5, 250), (5.0, 2500), (19.0, 9500), (20.0, 10_000), (1000.0, 10_000)]
)
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


def test_each_kind_is_told_once_with_all_its_pieces(tiny: World) -> None:
    game = digger(tiny, by_rate(), seed=4)
    event = act(game, "gather", 100)
    assert isinstance(event.detail, Gathered)
    drops = dict(event.detail.drops)
    assert drops["clay"] == 100
    assert 1 <= drops["pearl"] <= 20
    assert game.hero.inventory == drops


def test_the_experience_does_not_depend_on_what_falls(tiny: World) -> None:
    sure, chancy = digger(tiny, SURE), digger(tiny, by_rate(1e-9))
    for game in (sure, chancy):
        act(game, "gather", 2)
    assert sure.hero.skills["digging"].xp == chancy.hero.skills["digging"].xp == 100


def test_more_than_a_hundred_swings_at_once_are_refused_as_unprocessable(tiny: World) -> None:
    game = digger(tiny, by_rate())
    assert act(game, "gather", MOST_CHANCES).ok
    owned = dict(game.hero.inventory)
    event = act(game, "gather", MOST_CHANCES + 1)
    assert (event.status, event.detail) == (422, None)
    assert event.reason == "quantity: at most 100 expected where drops go by their rates."
    assert game.hero.inventory == owned


@pytest.mark.parametrize(("scale", "drops"), [(None, "sure"), (3.0, "by_rate")])
def test_a_tasks_scale_makes_drops_go_by_rate(tiny: World, scale: float | None, drops: str) -> None:
    mechanics: dict[str, Any] = {"leveling": False, "drop_scale": scale}
    rules = tiny_task(tiny, mechanics=mechanics).rules(SURE)
    assert rules.drops == drops
    assert rules.drop_scale == (scale or 1.0)
