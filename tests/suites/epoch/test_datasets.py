"""The shipped sets of levels: which there are, and that the generated one is made by its options."""

from collections import Counter
from pathlib import Path

import pytest

from herobench.suite.contract import SuiteSetting
from herobench.suite.refusals import SuiteFault
from herobench.suites.epoch.game.level import DATASET, PUBLISHED, load_levels
from herobench.suites.epoch.making.generator import GATES, LIMITS, REACHES, LevelQuery, level
from herobench.suites.epoch.making.proof import find_problems
from herobench.suites.epoch.suite import Epoch
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.refusals import raises
from tests.sizes import THOROUGH, for_each

QUERY = LevelQuery(seed=7)
"""herobench generate --suite epoch --count 120 --seed 7"""


def test_the_default_set_has_roads_of_six_lengths_by_four_reaches() -> None:
    roads = list(load_levels(DATASET).values())
    assert Counter(len(road.milestones) for road in roads) == dict.fromkeys(GATES, 20)
    for number, road in enumerate(roads):
        gates, limit = GATES[number % 6], LIMITS[number % 6]
        reach = min(REACHES[number // 6 % 4], gates - 1)
        assert any(trap.gates >= reach for trap in road.traps), road.id
        assert road.least, road.id
        assert road.hours_to_win == int(road.least * limit), road.id
    suite = Epoch(SuiteSetting())
    assert suite.dataset == DATASET
    assert [info.id for info in suite.tasks()] == [road.id for road in roads]


def test_the_published_levels_are_a_set_of_their_own() -> None:
    assert [info.id for info in Epoch(SuiteSetting(dataset="epochs-v1")).tasks()] == list(PUBLISHED)
    with raises(SuiteFault.NO_DATASET, "epochs-v5 and epochs-v1", "'epochs-v4'"):
        Epoch(SuiteSetting(dataset="epochs-v4"))


@pytest.mark.slow
@for_each("number", range(1, 121) if THOROUGH else (1, 2, 8, 117))
def test_each_level_is_the_one_that_its_number_makes_and_its_certificate_holds(number: int) -> None:
    shipped = load_levels(DATASET)[f"7-{number}"]
    assert level(QUERY, number) == shipped
    assert list(find_problems(shipped)) == []


@pytest.mark.slow
def test_levels_are_chosen_by_their_optimal_actions(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("run", "--suite", "epoch", "--model", "oracle", "--until", "tasks=9", "-o", tmp_path / "run"))
    lengths = sorted(row["details"]["optimal"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl"))
    assert len(lengths) == 9
    assert lengths[0] < 40 < 100 < lengths[-1], "the first round spans all lengths"
