"""Private twins: new mysteries in worlds of their own, each as hard as the one that it resembles."""

import pytest

from herobench.suite.contract import SuiteSetting
from herobench.suites.discover.game.mystery import Mystery, shipped_mysteries
from herobench.suites.discover.making import generator
from herobench.suites.discover.making.generator import mystery, twin
from herobench.suites.discover.making.proof import find_problems
from herobench.suites.discover.refusals import DiscoverFault
from herobench.suites.discover.suite import Discover
from tests.refusals import raises
from tests.sizes import one_in


def short(changes: int, place: int = 0) -> tuple[int, Mystery]:
    """The number and the mystery of the shipped set that has so many changes and the fewest decisions, or nearly."""
    fitting = [pair for pair in enumerate(shipped_mysteries().values()) if len(pair[1].changes) == changes]
    return sorted(fitting, key=lambda pair: pair[1].decisions)[place]


@pytest.mark.slow
@pytest.mark.parametrize("changes", one_in(2, [1, 3]))
def test_a_twin_is_a_proven_mystery_of_another_world_with_as_many_changes_and_about_as_long(changes: int) -> None:
    number, original = short(changes, 2)
    found = twin(7, number, original)
    assert (len(found.changes), found.facts) == (changes, original.facts)
    assert 3 / 4 <= found.decisions / original.decisions <= 4 / 3
    assert found.twin_of == original.id
    assert not set(found.told.world.items) & set(original.told.world.items)
    assert not find_problems(found)
    assert Mystery.of(found.as_row()) == found


@pytest.mark.slow
def test_a_suite_makes_the_same_twin_whatever_else_is_asked() -> None:
    suite = Discover(SuiteSetting())
    ids = [short(1, place)[1].id for place in (0, 1)]
    both = {row["twin_of"]: row for row in (task.row for task in suite.fresh(7, ids).suite.tasks())}
    assert [*both] == ids
    fresh = suite.fresh(7, ids[1:]).suite
    assert fresh.blank(both[ids[1]]["id"])["twin_of"] == ids[1]
    (alone,) = fresh.tasks()
    assert alone.row == both[ids[1]]
    (other,) = suite.fresh(8, ids[1:]).suite.tasks()
    assert other.row["documents"] != alone.row["documents"]


def test_a_told_world_is_given_up_whose_experiments_go_beyond_the_budget_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[Mystery] = []

    def beyond(found: Mystery) -> None:
        tried.append(found)
        raise generator._BeyondBudget

    monkeypatch.setattr(generator, "_with_experiments", beyond)
    monkeypatch.setattr(generator, "_DRAWS", 1)
    monkeypatch.setattr(generator, "_MOST_BEYOND", 3)
    with raises(DiscoverFault.NO_MYSTERY, "0", "99"):
        mystery(99, 0)
    assert len(tried) == 3
