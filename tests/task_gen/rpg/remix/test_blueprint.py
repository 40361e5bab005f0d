"""Blueprints and wishes: the classic counts, thinned or multiplied, without gaps in any ladder."""

import pytest

from herobench.data.documents import MOST_EXACT
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.remix.blueprint import LEVELS, LONGEST_STEP, Blueprint, Wish
from tests.refusals import raises
from tests.sizes import for_each

SIZES = (0.1, 0.13, 0.2, 0.3, 0.37, 0.5, 0.8, 1.0, 1.7, 3.0, 20.0)
LADDERS = (("weapon",), ("helmet", "body_armor"), ("ring", "amulet"), ("metal",), ("wood",), ("fish",))

every_size = for_each("size", SIZES)


@every_size
def test_every_ladder_begins_at_level_1_and_has_no_step_too_high(size: float) -> None:
    plan = Blueprint.of(size)
    for kinds in LADDERS:
        steps = [level for step, level in enumerate(plan.levels) if any(plan.counts[kind][step] for kind in kinds)]
        assert steps[0] == 1
        for now, following in zip(steps, [*steps[1:], plan.levels[-1]], strict=True):
            assert following - now <= LONGEST_STEP


@every_size
def test_there_is_someone_to_fight_at_every_level(size: float) -> None:
    plan = Blueprint.of(size)
    assert all(plan.counts["monster"])
    assert [len(plan.winning_sizes(step)) for step in range(len(plan.levels))] == list(plan.counts["monster"])


@for_each("size", [size for size in SIZES if size >= 0.4])
def test_all_levels_are_there_from_a_size_on(size: float) -> None:
    assert Blueprint.of(size).levels == LEVELS


def test_a_world_grows_with_its_size() -> None:
    sums = [sum(map(sum, Blueprint.of(size).counts.values())) for size in SIZES]
    assert sums == sorted(sums)
    assert sums[-1] == pytest.approx(20 * sums[SIZES.index(1.0)], rel=0.01)


def test_large_worlds_keep_the_classic_sizes_of_winning_sets() -> None:
    one, many = Blueprint.of(1.0), Blueprint.of(5.0)
    for step in range(len(LEVELS)):
        assert sorted(many.winning_sizes(step)) == sorted(one.winning_sizes(step) * 5)


# -- wish -------------------------------------------------------------------------------------------------------------


@for_each(
    ("text", "wish"),
    [
        ("7", Wish(7, 1.0)),
        ("7:0.5", Wish(7, 0.5)),
        ("0:20", Wish(0, 20.0)),
        (f"{MOST_EXACT}:0.1", Wish(MOST_EXACT, 0.1)),
    ],
)
def test_a_wish_is_a_seed_and_a_size(text: str, wish: Wish) -> None:
    assert Wish.of(text) == wish


@for_each("text", ["", "x", "-1", "1.5", " 7", "٣", str(MOST_EXACT + 1), "9" * 5000, ":1"])
def test_other_seeds_are_no_seeds(text: str) -> None:
    with raises(TaskFault.NO_SEED, MOST_EXACT):
        Wish.of(text)


@for_each("size", ["", "x", "0", "0.09", "20.1", "-1", "nan", "inf", "1:2"])
def test_other_sizes_are_no_sizes(size: str) -> None:
    with raises(TaskFault.NO_SIZE, "0.1 to 20"):
        Wish.of(f"7:{size}")


def test_the_code_tells_wishes_apart() -> None:
    wishes = [Wish(7), Wish(8), Wish(7, 2.0), Wish(7, 0.2), Wish(7, 0.25), Wish(72)]
    assert len({wish.code for wish in wishes}) == len(wishes)
    assert Wish(7).code == "remix_7"
    assert Wish(7, 0.25).code == "remix_7_size_0_25"


def test_chance_is_of_the_wish_and_the_purpose() -> None:
    first = Wish(7).chance("words").random()
    assert first == Wish.of("7:1.0").chance("words").random()
    others = (Wish(8).chance("words"), Wish(7, 2.0).chance("words"), Wish(7).chance("map"))
    assert first not in [other.random() for other in others]
