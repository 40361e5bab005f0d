import pytest

from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.tasks.difficulty import bracket_of, bracket_steps, item_difficulty, total_difficulty
from tests.builders import craft_task, hero_row, tiny_task

SWORD = 2 + (2 + 1) + 1
"""bar_sword, of a bar, of ore, and of fur."""
COAT = 2 + 1


@pytest.mark.parametrize(
    ("code", "difficulty"),
    [
        ("ore", 1),
        ("drake_charm", 1),
        ("twig", 1),
        ("brick", 3),
        ("fur_coat", COAT),
        ("bar_sword", SWORD),
        ("club", 2 + 3 + 1),
        ("pearl_charm", 4),
    ],
)
def test_an_item_is_1_or_2_more_than_what_goes_into_it_whatever_the_amounts(
    tiny: World, code: str, difficulty: int
) -> None:
    assert item_difficulty(tiny, code) == difficulty


def test_a_craft_is_as_difficult_as_its_target_whatever_is_worn(tiny: World) -> None:
    assert total_difficulty(tiny, craft_task(tiny, "bar_sword")) == SWORD
    worn = hero_row(worn={"blade": "club"})
    assert total_difficulty(tiny, craft_task(tiny, "bar_sword", hero=worn)) == SWORD


def test_a_kill_is_4_and_its_missing_gear(tiny: World) -> None:
    assert total_difficulty(tiny, tiny_task(tiny)) == 4 + SWORD + COAT
    assert total_difficulty(tiny, tiny_task(tiny, missing={})) == 4


def test_every_slot_counts_also_with_the_same_item_twice(tiny: World) -> None:
    task = tiny_task(tiny, missing={"charm1": "pearl_charm", "charm2": "pearl_charm"})
    assert total_difficulty(tiny, task) == 4 + 4 + 4


def test_what_has_to_come_off_first_counts_1_but_no_starter_item_and_no_other_slot(tiny: World) -> None:
    def worn(**gear: str) -> int:
        return total_difficulty(tiny, tiny_task(tiny, hero=hero_row(worn=gear)))

    bare = worn()
    assert worn(blade="twig") == bare
    assert worn(blade="club") == bare + 1
    assert worn(blade="club", coat="fur_coat") == bare + 2
    assert worn(charm1="pearl_charm") == bare


def test_the_level_of_the_hero_and_the_target_do_not_matter(tiny: World) -> None:
    assert total_difficulty(tiny, tiny_task(tiny, target="rat", hero=hero_row(level=1))) == 4 + SWORD + COAT


@pytest.mark.parametrize(
    ("difficulty", "bracket"), [(1, 1), (3, 1), (12, 1), (13, 2), (22, 2), (23, 3), (92, 9), (93, 10), (500, 10)]
)
def test_a_bracket_has_ten_steps_from_3_on_and_the_last_is_open(difficulty: int, bracket: int) -> None:
    assert bracket_of(difficulty) == bracket
    assert difficulty in bracket_steps(bracket) or not 3 <= difficulty < 103
