"""The shipped sets of levels: which there are, and that the generated one is made by its options."""

from collections import Counter
from pathlib import Path

import pytest

from herobench.suite.contract import SuiteSetting
from herobench.suite.refusals import SuiteFault
from herobench.suites.epoch.game.level import DATASET, PUBLISHED, load_levels
from herobench.suites.epoch.making.generator import LevelQuery, level
from herobench.suites.epoch.making.proof import find_problems
from herobench.suites.epoch.suite import Epoch
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.refusals import raises
from tests.sizes import THOROUGH, for_each

RUNGS = (6, 8, 10, 13, 17, 22, 28, 36, 46, 60)
QUERY = LevelQuery((6, 60), decay=True, seed=7, rungs=RUNGS)
"""herobench generate --suite epoch --decay --length 6,8,10,13,17,22,28,36,46,60 --count 120 --seed 7"""


def test_the_default_set_has_levels_of_ten_lengths_in_which_facts_fade() -> None:
    levels = load_levels(DATASET)
    assert Counter(level.optimal for level in levels.values()) == dict.fromkeys(RUNGS, 12)
    assert all(level.unstable for level in levels.values())
    suite = Epoch(SuiteSetting())
    assert suite.dataset == DATASET
    assert [info.id for info in suite.tasks()] == list(levels)


def test_the_published_levels_are_a_set_of_their_own() -> None:
    assert [info.id for info in Epoch(SuiteSetting(dataset="epochs-v1")).tasks()] == list(PUBLISHED)
    with raises(SuiteFault.NO_DATASET, "epochs-v2 and epochs-v1", "'epochs-v3'"):
        Epoch(SuiteSetting(dataset="epochs-v3"))


@for_each("number", range(1, 121) if THOROUGH else (1, 4, 12, 117))
def test_each_level_is_the_one_that_its_number_makes_and_its_certificate_holds(number: int) -> None:
    shipped = load_levels(DATASET)[f"7-{number}"]
    assert level(QUERY, number) == shipped
    assert list(find_problems(shipped)) == []


@pytest.mark.slow
def test_levels_are_chosen_by_their_optimal_actions(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("run", "--suite", "epoch", "--model", "oracle", "--until", "tasks=9", "-o", tmp_path / "run"))
    lengths = sorted(row["details"]["optimal"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl"))
    assert len(lengths) == 9
    assert lengths[0] < 8 < 32 < lengths[-1], "the first round spans all lengths"
