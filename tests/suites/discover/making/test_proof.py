"""The proof: shipped mysteries are proven, and every claim that is changed is found."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from herobench.data.errors import InputError
from herobench.suite.contract import SuiteSetting
from herobench.suite.generating import GenerateRequest, NoOptions
from herobench.suites.discover.game.laws import Secret
from herobench.suites.discover.game.mystery import Mystery, shipped_mysteries
from herobench.suites.discover.making import proof
from herobench.suites.discover.making.generator import DiscoverGenerator, make_mystery, make_twin
from herobench.suites.discover.making.halving import lab_of
from herobench.suites.discover.making.proof import find_problems
from herobench.suites.discover.refusals import DiscoverFault
from herobench.suites.discover.suite import Discover
from tests.refusals import raises
from tests.sizes import for_each, many
from tests.suites.discover.mysteries import TINY, several, some, with_truth

MYSTERY = some(1)[0]


def claims(**changes: object) -> Callable[[Mystery], Mystery]:
    return lambda mystery: replace(mystery, certificate=mystery.certificate._replace(**changes))  # type: ignore[arg-type]


def other_truth(mystery: Mystery) -> Mystery:
    _, laws, truth = mystery.lands[0]
    wanted = next(pair for pair in laws.rings.pairs if pair != truth.rings.wanted)
    return with_truth(mystery, 0, truth._replace(rings=Secret(wanted)))


@pytest.mark.proves
def test_shipped_mysteries_are_proven() -> None:
    for mystery in some(many(160, 8)):
        assert find_problems(mystery) == [], mystery.id


@for_each(
    ("change", "said"),
    [
        (claims(plan="fight()"), "the plan does not win in the true world"),
        (claims(plan="gather()\n" + MYSTERY.certificate.plan), "the plan has 1 refused actions"),
        (claims(plan="x = 1"), "line 1 of the plan: a plan holds only calls"),
        (claims(needed=1), "days, and the certificate says 1"),
        (claims(expected=1.0), "expected is "),
        (claims(certain=1.0), "certain is "),
        (claims(fixed=1.0), "fixed is "),
        (lambda mystery: replace(mystery, days=30), "the exploration has 30 days, and has to have"),
        (lambda mystery: replace(mystery, days=3), "leaves rival worlds in which its plan loses"),
        (other_truth, "the plan does not win in the true world"),
    ],
)
def test_every_claim_that_does_not_hold_is_found(change: Callable[[Mystery], Mystery], said: str) -> None:
    assert any(said in problem for problem in find_problems(change(MYSTERY)))


def test_a_plan_that_leaves_out_a_land_is_found() -> None:
    mystery = several(2)
    assert list(proof._problems_of_plan(mystery)) == []
    half = mystery.certificate.plan.split("next_land()")[0]
    assert list(proof._problems_of_plan(claims(plan=half)(mystery))) == ["the plan does not win in the true world"]


def test_a_table_that_the_game_contradicts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, table in enumerate(lab_of(TINY).tables, 1):
        levels, choice = table.levels.copy(), table.cost.argmin()
        levels[choice, 0] = (levels[choice, 0] + 1) % 3
        monkeypatch.setattr(table, "levels", levels)
        (problem,) = proof._wrong_tables(TINY)
        assert problem.startswith(f"law {number} of ")
        monkeypatch.undo()
    assert list(proof._wrong_tables(TINY)) == []


@for_each(
    ("place", "value"),
    [
        (("lands", 0, "truth", "lode", "wanted"), [1, 0]),
        (("lands", 0, "truth", "lode", "spoiler"), 3),
        (("lands", 0, "truth", "rings", "wanted"), [0, 11]),
        (("lands", 0, "land", "places"), [[0, 0]] * 10),
        (("lands", 0, "land", "lord"), MYSTERY.lands[0].land.beasts[0]),
        (("lands", 0, "laws", "forge", "form"), "some"),
        (("lands", 0, "laws", "forge", "things"), 9),
        (("lands", 0, "laws", "rings", "hidden"), True),
        (("lands", 0, "laws", "rings", "things"), 2),
        (("lands",), []),
        (("days",), 0),
    ],
)
def test_a_row_that_cannot_be_is_refused(place: tuple[Any, ...], value: object) -> None:
    row = MYSTERY.as_row()
    part: Any = row
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    with pytest.raises(InputError):
        Mystery.of(row)


def test_whole_numbers_may_be_written_with_a_point() -> None:
    row = MYSTERY.as_row()
    (land,) = row["lands"]
    land["laws"]["lode"]["things"], row["days"] = float(land["laws"]["lode"]["things"]), float(row["days"])
    land["truth"]["lode"]["wanted"] = [float(number) for number in land["truth"]["lode"]["wanted"]]
    assert Mystery.of(row) == MYSTERY
    assert find_problems(Mystery.of(row)) == []


@pytest.mark.parametrize("number", [0, 8, pytest.param(11, marks=pytest.mark.slow)])
def test_the_shipped_set_is_what_the_generator_makes(number: int) -> None:
    shipped = list(shipped_mysteries().values())
    assert len(shipped) == 160
    assert make_mystery(1, number).as_row() == shipped[number].as_row()
    assert Mystery.of(shipped[number].as_row()) == shipped[number]


def test_a_twin_has_the_laws_of_its_original_and_names_and_secrets_of_its_own() -> None:
    original = MYSTERY
    twin, other = make_twin(7, 0, original), make_twin(8, 0, original)
    assert (twin.laws, twin.days, twin.twin_of) == (original.laws, original.days, original.id)
    assert len({each.lands[0].land for each in (twin, other, original)}) == 3
    assert find_problems(twin) == []
    assert Mystery.of(twin.as_row()) == twin
    fresh = Discover(SuiteSetting()).fresh(7, [original.id]).suite
    assert [task.row for task in fresh.tasks()] == [twin.as_row()]


def test_a_seed_has_so_many_mysteries() -> None:
    with raises(DiscoverFault.TOO_MANY):
        DiscoverGenerator().numbered(GenerateRequest(NoOptions(), 1, 10_001, 1))
