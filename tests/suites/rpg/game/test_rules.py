from dataclasses import replace

import pytest

from herobench.suites.rpg.game.rules import Rules, next_combat_level
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import new_game, tiny_world

LINEAR = load_rules("paper-late")
LOG_CURVE = load_rules("paper-early")


@pytest.mark.parametrize(
    ("edition", "xp", "workshop", "failed_craft_is_logged", "credits"),
    [
        ("standard", "linear", "matching", False, ("exact", "worn", "made")),
        ("paper-early", "log-curve", "any", False, ("mention", "mention", "all")),
        ("paper-hard", "linear", "matching", False, ("mention", "mention", "all")),
        ("paper-late", "linear", "matching", True, ("mention", "mention", "all")),
        ("paper-scoring", "log-curve", "matching", True, ("mention", "mention", "all")),
    ],
)
def test_the_editions_differ_in_their_switches(
    edition: str, xp: str, workshop: str, failed_craft_is_logged: bool, credits: tuple[str, ...]
) -> None:
    rules = load_rules(edition)
    assert (rules.xp, rules.workshop) == (xp, workshop)
    assert rules.failed_craft_is_logged == failed_craft_is_logged
    assert (rules.craft_credit, rules.equip_credit, rules.credit) == credits


@pytest.mark.parametrize("edition", edition_names())
def test_all_editions_share_what_the_paper_never_changed(edition: str) -> None:
    rules = load_rules(edition)
    assert rules.name == edition
    assert (rules.drops, rules.drop_scale) == ("sure", 1.0)
    assert rules.defeat == "free"
    assert (rules.rounds, rules.level_cap, rules.hp_per_level, rules.stack_limit) == (49, 40, 5, 50)


def test_an_edition_is_built_from_its_row_without_the_description() -> None:
    row = {name: getattr(LINEAR, name) for name in Rules.__slots__ if name != "name"}
    assert Rules.from_row("paper-late", {**row, "description": "Words."}) == LINEAR


@pytest.mark.parametrize(
    ("own", "action", "gain"),
    [
        (1, 1, 50),
        (1, 40, 50),
        (11, 1, 50),  # 11 is no more than 1 + 10
        (12, 1, 0),
        (40, 30, 50),
        (40, 29, 0),
    ],
)
def test_the_linear_curve_gives_50_until_ten_levels_above_the_action(own: int, action: int, gain: int) -> None:
    assert LINEAR.xp_gain(own, action) == gain


@pytest.mark.parametrize(
    ("own", "action", "gain"),
    [
        (1, 1, 18),  # (18 + int(0.36)) * max(1, 0.5)
        (5, 1, 10),  # 18 * (1 - 0.4) = 10.8
        (9, 1, 9),  # 18 * max(0.2, 0.5)
        (10, 1, 0),  # 10 // 10 > 1 // 10
        (10, 19, 45),  # (18 + int(6.84)) * (1 + 0.9) = 45.6
        (19, 10, 10),  # (18 + int(3.6)) * 0.5 = 10.5
        (20, 19, 0),
        (20, 25, 40),  # (18 + 9) * 1.5 = 40.5
        (1, 40, 156),  # (18 + int(14.4)) * 4.9 = 156.8
        (40, 40, 32),
    ],
)
def test_the_log_curve_gives_what_its_formula_says(own: int, action: int, gain: int) -> None:
    assert LOG_CURVE.xp_gain(own, action) == gain


@pytest.mark.parametrize(("level", "needed"), [(1, 150), (2, 160), (3, 170), (10, 240), (39, 530), (40, 540)])
def test_a_skill_level_takes_ten_more_each_time_on_the_linear_curve(level: int, needed: int) -> None:
    assert LINEAR.next_skill_level(level) == needed


LOG_THRESHOLDS = [
    (1, 150),
    (2, 250),  # 100 * 1 * 1
    (3, 300),  # int(158.5) // 50 * 50 = 150
    (4, 350),  # 200
    (9, 450),  # int(316.99) -> 300
    (10, 800),  # int(3.3219 * 200) = 664 -> 650
    (20, 1400),  # int(4.3219 * 300) = 1296 -> 1250
    (39, 2250),  # int(5.2854 * 400) = 2114 -> 2100
    (40, 2800),  # int(5.3219 * 500) = 2660 -> 2650
]


@pytest.mark.parametrize(("level", "needed"), LOG_THRESHOLDS)
def test_a_skill_level_takes_what_the_formula_says_on_the_log_curve(level: int, needed: int) -> None:
    assert LOG_CURVE.next_skill_level(level) == needed


@pytest.mark.parametrize(("level", "needed"), LOG_THRESHOLDS)
def test_a_combat_level_takes_the_log_curve_in_every_edition(level: int, needed: int) -> None:
    assert next_combat_level(level) == needed


def test_rules_cannot_be_changed_but_replaced() -> None:
    with pytest.raises(AttributeError):
        LINEAR.rounds = 3  # type: ignore[misc]
    assert replace(LINEAR, rounds=3).rounds == 3
    assert LINEAR.rounds == 49


def test_under_frozen_rules_nobody_learns_even_with_experience_for_the_next_level() -> None:
    frozen = LINEAR.frozen()
    assert frozen == replace(LINEAR, experience="none")
    assert (frozen.xp_gain(1, 40), LINEAR.xp_gain(1, 40)) == (0, 50)
    game = new_game(tiny_world(), frozen, xp=500, x=1, y=0)
    game.hero.learn(1000, frozen)
    assert game.hero.combat.as_tuple() == (10, 500, 150)
