from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.fitted import BoostedTrees, learners, lessons, logistic_weights
from tests.task_gen.rpg.audit.cases import ALL, armed


def test_logistic_regression_finds_the_weights_that_made_the_classes() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(4000, 3))
    needed = rng.random(4000) < 1 / (1 + np.exp(-rows @ [2.0, -1.0, 0.0]))
    assert np.allclose(logistic_weights(rows, needed), [2, -1, 0], atol=0.2)


def test_boosted_trees_learn_what_no_sum_can() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(3000, 2))
    needed = (rows[:, 0] > 0) != (rows[:, 1] > 0)
    odds = BoostedTrees(rows[:2000], needed[:2000]).log_odds(rows[2000:])
    assert np.mean((odds > np.median(odds)) == needed[2000:]) > 0.9
    weights = logistic_weights(rows[:2000], needed[:2000])
    assert np.mean((rows[2000:] @ weights > 0) == needed[2000:]) < 0.6


def test_boosted_trees_are_the_same_each_time() -> None:
    rows = np.random.default_rng(3).normal(size=(300, 4))
    needed = rows[:, 0] > 0.3
    first, second = (BoostedTrees(rows, needed).log_odds(rows) for _ in range(2))
    assert first.tolist() == second.tolist()


def test_a_lesson_has_the_pieces_for_each_slot_that_was_changed(tiny: World) -> None:
    task = replace(armed(tiny, **ALL), missing={"blade": "bar_sword", "coat": "fur_coat"})
    blade, coat = lessons(tiny, task)
    # a club, a sword and the twig that is worn; the coat alone
    assert (len(blade.needed), blade.needed.sum()) == (3, 1)
    assert (len(coat.needed), coat.needed.sum()) == (1, 1)


def test_a_task_is_rated_by_what_other_tasks_teach(tiny: World) -> None:
    sword = replace(armed(tiny, **ALL), id="a", missing={"blade": "bar_sword"})
    alone = learners([(tiny, sword)])
    assert alone.rates(sword) == {}
    both = learners([(tiny, sword), (tiny, replace(sword, id="b"))])
    assert set(both.rates(sword)) == {"logistic", "boosted"}
    assert both.rates(replace(sword, id="c")) == {}


@pytest.mark.parametrize("worlds", [1, 2])
def test_tasks_of_one_world_share_a_fold_if_there_are_several_worlds(tiny: World, worlds: int) -> None:
    some = [replace(armed(tiny, **ALL), id=str(number), world=f"world {number % worlds}") for number in range(10)]
    folds = learners([(tiny, task) for task in some]).folds
    alike = [folds[one.id] == folds[other.id] for one in some for other in some if one.world == other.world]
    assert all(alike) == (worlds > 1)
