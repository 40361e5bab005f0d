from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.hero import Hero, HeroStart, Progress
from herobench.suites.rpg.game.rules import Fighter, Rules
from herobench.suites.rpg.game.world import Stats, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import hero_row
from tests.sizes import for_each, many

LINEAR = load_rules("paper-late")
LOG_CURVE = load_rules("paper-early")
BARE = Stats(100, (0, 0), (0, 0), (0, 0))

both_curves = pytest.mark.parametrize("rules", [LINEAR, LOG_CURVE], ids=["linear", "log-curve"])


def new_hero(world: World, **changes: Any) -> Hero:
    return Hero(world, HeroStart.from_row(hero_row(**changes)))


def digger(world: World, level: int, xp: int = 0, next_level_xp: int = 150) -> Hero:
    return new_hero(world, skills={"digging": {"level": level, "xp": xp, "next_level_xp": next_level_xp}})


def standing(progress: Progress) -> tuple[int, int, int]:
    return progress.level, progress.xp, progress.next_level_xp


def test_a_start_survives_the_way_through_its_row() -> None:
    row = hero_row(
        worn={"blade": "club"},
        consumables={"consumable1": {"item": "broth", "quantity": 3}},
        inventory={"clay": 2},
        x=3,
        y=1,
    )
    start = HeroStart.from_row(row)
    assert start.as_row() == row
    assert start.place == (3, 1)
    assert start.combat == (10, 0, 150)


def test_what_is_worn_adds_to_the_bare_stats(tiny: World) -> None:
    hero = new_hero(tiny, stats={"hp": 100, "res_frost": -10}, worn={"blade": "bar_sword", "coat": "fur_coat"})
    assert hero.stats == Stats(hp=140, attack=(20, 10), damage=(0, 0), resistance=(0, 20))


def test_skills_and_stats_that_a_start_leaves_out_are_a_beginners(tiny: World) -> None:
    hero = digger(tiny, 7, 20, 210)
    assert standing(hero.skills["digging"]) == (7, 20, 210)
    assert standing(hero.skills["brewing"]) == (1, 0, 150)
    assert hero.stats == BARE


def test_two_heroes_of_one_start_share_nothing(tiny: World) -> None:
    row = hero_row(inventory={"clay": 2}, worn={"blade": "club"})
    start = HeroStart.from_row(row)
    one, other = Hero(tiny, start), Hero(tiny, start)
    one.receive("clay", 5)
    one.take_off("blade")
    one.stack("consumable1", "broth", 2)
    one.practise("digging", 10, LINEAR, 1, 5)
    one.learn_from_victory(10, LINEAR)
    assert (other.inventory, other.worn, other.consumables) == ({"clay": 2}, {"blade": "club"}, {})
    assert standing(other.skills["digging"]) == standing(other.combat) == (10, 0, 150)
    assert start.as_row() == row


@settings(deadline=None, max_examples=many(60))
@given(st.data())
def test_putting_on_and_taking_off_in_any_order_restores_the_stats(classic: World, data: st.DataObject) -> None:
    hero = new_hero(classic, stats={"hp": 90, "attack_fire": 3, "res_air": -20})
    before = hero.stats
    slots = data.draw(st.permutations([slot for slot in classic.slots if slot_type(slot) != "consumable"]))
    added = before
    for slot in slots:
        fitting = [item for item in classic.items.values() if item.type == slot_type(slot)]
        item = data.draw(st.sampled_from(fitting))
        hero.put_on(slot, item)
        added = Stats(
            added.hp + item.effects.get("hp", 0),
            *(
                tuple(
                    own + item.effects.get(f"{prefix}_{element}", 0)
                    for own, element in zip(values, classic.elements, strict=True)
                )
                for prefix, values in zip(("attack", "dmg", "res"), added[1:4], strict=True)
            ),
        )
    assert hero.stats == added
    for slot in data.draw(st.permutations(slots)):
        hero.take_off(slot)
    assert hero.stats == before
    assert hero.worn == {}


def test_consumables_boost_and_feed_in_the_order_of_their_slots(tiny: World) -> None:
    hero = new_hero(tiny)
    assert hero.fighter() == Fighter(BARE)
    hero.stack("consumable2", "tonic", 7)
    hero.stack("consumable1", "broth", 3)
    assert hero.fighter() == Fighter(BARE, boost_hp=20, boost_damage=(50, 0), meals=((15, 3),))
    hero.stack("consumable1", "tonic", 1)
    assert hero.fighter() == Fighter(BARE, boost_hp=40, boost_damage=(100, 0), meals=())


def test_the_fighter_is_the_same_object_until_something_that_matters_changes(tiny: World) -> None:
    hero = new_hero(tiny, level=1)
    first = hero.fighter()
    hero.receive("clay", 1)
    hero.practise("digging", 10, LINEAR, 1, 50)
    hero.learn_from_victory(1, LINEAR)
    hero.place = (1, 1)
    assert hero.fighter() is first
    hero.put_on("blade", tiny.items["club"])
    armed = hero.fighter()
    assert armed.stats.attack == (8, 0)
    hero.stack("consumable1", "broth", 1)
    assert hero.fighter().meals == ((15, 1),)
    hero.learn_from_victory(1, LINEAR)
    hero.learn_from_victory(1, LINEAR)
    assert hero.combat.level == 2
    assert hero.fighter().stats.hp == 105


@for_each(
    ("rules", "start", "multiplier", "times", "gained", "end"),
    [
        (LINEAR, (1, 0, 150), 1, 2, 100, (1, 100, 150)),
        (LINEAR, (1, 100, 150), 1, 1, 50, (2, 0, 160)),
        (LINEAR, (1, 140, 150), 1, 1, 50, (2, 40, 160)),
        (LINEAR, (1, 400, 150), 1, 1, 50, (3, 140, 170)),  # 450 - 150 - 160 = 140
        (LINEAR, (1, 0, 150), 1, 10**9, sum(range(150, 251, 10)), (12, 0, 260)),  # levels 1 to 11
        (LINEAR, (12, 0, 150), 3, 10**9, 0, (12, 0, 150)),
        (LOG_CURVE, (1, 0, 150), 1, 9, 9 * 18, (2, 12, 250)),
        (LOG_CURVE, (2, 12, 250), 3, 1, 3 * 16, (2, 60, 250)),  # int(18 * 0.9) = 16
    ],
)
def test_practise_at_level_1_raises_a_skill_until_it_teaches_no_more(
    tiny: World,
    rules: Rules,
    start: tuple[int, int, int],
    multiplier: int,
    times: int,
    gained: int,
    end: tuple[int, int, int],
) -> None:
    hero = digger(tiny, *start)
    assert hero.practise("digging", 1, rules, multiplier, times) == gained
    assert standing(hero.skills["digging"]) == end


@both_curves
def test_no_skill_rises_above_the_cap(tiny: World, rules: Rules) -> None:
    hero = digger(tiny, 39, 0, 150)
    hero.practise("digging", 40, rules, 1, 1000)
    level, xp, needed = standing(hero.skills["digging"])
    assert level == 40
    assert needed == rules.next_skill_level(40)
    assert xp > needed


@both_curves
def test_a_billion_times_at_the_cap_take_no_longer_than_one(tiny: World, rules: Rules) -> None:
    hero = digger(tiny, 40)
    gain = rules.xp_gain(40, 40)
    assert hero.practise("digging", 40, rules, 1, 10**9) == gain * 10**9
    assert standing(hero.skills["digging"]) == (40, gain * 10**9, 150)


@both_curves
@settings(deadline=None, max_examples=many(150))
@given(
    level=st.integers(1, 42),
    xp=st.integers(0, 400),
    next_level_xp=st.integers(1, 400),
    action_level=st.integers(1, 40),
    multiplier=st.sampled_from([1, 3]),
    times=st.integers(1, 120),
)
def test_many_times_at_once_equal_so_many_single_times(
    tiny: World, rules: Rules, level: int, xp: int, next_level_xp: int, action_level: int, multiplier: int, times: int
) -> None:
    at_once, singly = digger(tiny, level, xp, next_level_xp), digger(tiny, level, xp, next_level_xp)
    gained = at_once.practise("digging", action_level, rules, multiplier, times)
    assert gained == sum(singly.practise("digging", action_level, rules, multiplier, 1) for _ in range(times))
    assert standing(at_once.skills["digging"]) == standing(singly.skills["digging"])


@both_curves
def test_a_combat_level_gives_health_and_takes_the_log_curve(tiny: World, rules: Rules) -> None:
    hero = new_hero(tiny, level=3, xp=149)
    hero.learn_from_victory(3, rules)
    gain = rules.xp_gain(3, 3)
    assert gain == (50 if rules is LINEAR else 19)  # 18 + int(1.08)
    assert standing(hero.combat) == (4, gain - 1, 350)
    assert hero.hp == 105


def test_one_victory_can_give_several_combat_levels(tiny: World) -> None:
    hero = new_hero(tiny, level=1, xp=400)
    hero.learn_from_victory(1, LINEAR)  # 450 - 150 - 250 = 50
    assert standing(hero.combat) == (3, 50, 300)
    assert hero.hp == 110
