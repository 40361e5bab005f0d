"""The strength of gear: every budget spent to the point, nothing twice, nothing dominated."""

from random import Random

import pytest

from herobench.task_gen.rpg.remix.blueprint import LEVELS
from herobench.task_gen.rpg.remix.smithy import DAMAGE, HEALTH, RESISTANCE, Forge
from herobench.task_gen.rpg.remix.words import GEAR

ELEMENTS = ("frost", "tide", "void", "thorn")


def points(effects: dict[str, int]) -> int:
    prices = {"hp": HEALTH, "attack": 1, "dmg": DAMAGE, "res": RESISTANCE}
    return sum(value * prices[effect.split("_")[0]] for effect, value in effects.items())


def made(kind: str, step: int, number: int = 80) -> list[dict[str, int]]:
    forge = Forge(ELEMENTS, Random(3))
    return [dict(forge.effects(kind, step)) for _ in range(number)]


@pytest.mark.parametrize("kind", GEAR)
def test_gear_of_a_level_has_one_budget_and_higher_levels_have_more(kind: str) -> None:
    budgets = [{points(effects) for effects in made(kind, step, 40)} for step in range(len(LEVELS))]
    assert all(len(budget) == 1 for budget in budgets)
    sums = [min(budget) for budget in budgets]
    assert sums == sorted(set(sums))


@pytest.mark.parametrize("kind", GEAR)
def test_nothing_is_as_good_as_another_in_everything(kind: str) -> None:
    all_of_it = [effects for step in (0, 4) for effects in made(kind, step)]
    for index, one in enumerate(all_of_it):
        better = [
            other for other in all_of_it[: 80 if index < 80 else None] if other is not one and outdoes(other, one)
        ]
        assert better == []


def outdoes(other: dict[str, int], one: dict[str, int]) -> bool:
    return all(other.get(effect, 0) >= one.get(effect, 0) for effect in {*one, *other})


def test_the_first_weapons_strike_in_all_elements() -> None:
    struck = [set(effects) for effects in made("weapon", 0, 4)]
    assert set.union(*struck) == {f"attack_{element}" for element in ELEMENTS}


def test_no_effect_does_harm() -> None:
    assert all(value > 0 for kind in GEAR for effects in made(kind, 3) for value in effects.values())
