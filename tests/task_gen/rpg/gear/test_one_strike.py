"""One definition of a strike: with another rule for it, all that counts hits still agrees with the duel."""

from typing import Any

import numpy as np
import pytest

from herobench.suites.rpg.game import combat_batch
from herobench.suites.rpg.game import rules as rules_module
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.suites.rpg.game.world import Stats
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear import search
from tests.sizes import for_each, many
from tests.suites.rpg.game.test_rules import as_arrays, crowd, one_by_one, together
from tests.task_gen.rpg.gear.test_search import all_minimal_sets, key, random_case

rules = load_rules()


def other_strike(attack: Any, damage: Any, resistance: Any, unit: rules_module.Unit[Any]) -> Any:
    """Strike with half as much again, triple damage percentages and double resistance."""
    whole, percent = unit
    return (
        attack * (whole * 3 // 2 if whole > 1 else 1.5)
        + attack * (damage * 3 * percent)
        - attack * (resistance * 2 * percent)
    )


@pytest.fixture(autouse=True)
def another_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rules_module, combat_batch, search):
        monkeypatch.setattr(module, "strike", other_strike)


def test_the_rule_is_another_one() -> None:
    attacker, defender = Stats(10, (20, 0), (10, 0), (0, 0)), Stats(10, (0, 0), (0, 0), (25, 0))
    assert rules_module.hits(attacker, defender) == [30 + 6 - 10]
    assert rules_module.damage(attacker, defender) == 2600
    assert duel(Fighter(attacker), defender, 1).monster_hp == -16


def test_the_duel_over_arrays_follows_it() -> None:
    heroes = crowd(300, 3, seed=5)
    monster = Stats(700, (20, 0, 30), (10, 0, 0), (10, 40, -20))
    found = together(as_arrays(heroes), monster, rules.rounds)
    assert found == one_by_one(heroes, monster, rules.rounds)
    assert {won for won, *_ in found} == {True, False}


@for_each("seed", range(many(40)))
def test_the_gear_search_follows_it(seed: int) -> None:
    case = random_case(seed)
    found = list(case.search().minimal_sets())
    minimal = all_minimal_sets(case)
    assert sorted(key(case, gear) for gear in found) == sorted(minimal)
    assert [len(gear) for gear in found] == sorted(minimal.values())


def test_a_percent_counts_in_arrays_as_in_numbers() -> None:
    attacks = [-5, 0, 7, 30]
    for slope, expected in ((rules_module.gain, [0, 0, 21, 90]), (rules_module.ward, [0, 0, 14, 60])):
        assert slope(np.array(attacks)).tolist() == [slope(attack) for attack in attacks] == expected
