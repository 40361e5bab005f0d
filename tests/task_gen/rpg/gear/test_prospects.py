"""Fronts, and prospects: fights that they rule out are lost by the exact search too."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.gear.arms import NOTHING, NOWHERE, Armed, Front, Point, TimedFight, all_arms
from herobench.task_gen.rpg.gear.candidates import Slot
from herobench.task_gen.rpg.gear.prospects import Prospects
from herobench.task_gen.rpg.gear.search import GearSearch
from tests.sizes import for_each
from tests.task_gen.rpg.gear.test_search import WORLDS, random_case

rules = load_rules()


def of(search: GearSearch) -> tuple[Prospects, list[Armed]]:
    prospects = Prospects(search.target.stats, tuple(map(Slot.unarmed, search.slots)), search.rules.rounds)
    return prospects, [Armed.of(arms, search.base, prospects) for arms in all_arms(search.slots)]


def wrongly_turned_away(search: GearSearch) -> list[tuple[int, int]]:
    """Numbers of rounds and items that the bounds rule out, though exact fronts do not."""
    prospects, armed = of(search)
    wrong = []
    for way in armed:
        groups = [slot.group for slot in way.slots]
        for rounds, fewest in enumerate(prospects.fewest(way.base, groups), 1):
            fight = TimedFight.of(way, rounds)
            counts = (count for count in range(len(way.slots) + 1) if count < fewest)
            wrong += [(rounds, count) for count in counts if fight.exact(0, count).reaches(fight.damage, fight.health)]
    return wrong


@for_each("seed", WORLDS)
def test_no_set_that_wins_in_a_random_world_is_turned_away(seed: int) -> None:
    assert wrongly_turned_away(random_case(seed).search()) == []


@for_each("code", ["cow", "skeleton"])
def test_no_set_that_wins_in_the_classic_world_is_turned_away(code: str) -> None:
    world = load_world()
    assert wrongly_turned_away(search_in(world, code)) == []


def search_in(world: World, code: str) -> GearSearch:
    monster = world.monsters[code]
    return GearSearch.of(world, rules, monster, HeroStart.bare(world, rules, monster.intended_level))


def test_most_hopeless_fights_are_turned_away() -> None:
    search = search_in(load_world(), "lich")
    smallest = search.smallest()
    assert smallest is not None
    prospects, armed = of(search)
    fewest = [
        len(way.arms) + count
        for way in armed
        for count in prospects.fewest(way.base, [slot.group for slot in way.slots])
    ]
    assert len(smallest) - 1 <= min(fewest) <= len(smallest)
    assert sum(count <= len(smallest) for count in fewest) < len(fewest) / 50


@for_each("seed", WORLDS[:20])
def test_gains_are_those_of_the_best_and_the_worst_choices(seed: int) -> None:
    search = random_case(seed).search()
    prospects, armed = of(search)
    for way in Random(seed).sample(armed, min(3, len(armed))):
        per_slot = [
            [
                0,
                *(
                    sum(a * d for a, d in zip(way.base.attack, c.adds.damage, strict=True) if a > 0)
                    for c in slot.choices
                ),
            ]
            for slot in way.slots
        ]
        expected = (sum(map(min, per_slot)), sum(map(max, per_slot)))
        assert prospects.gains(way.base, [slot.group for slot in way.slots]) == expected


# -- fronts -----------------------------------------------------------------------------------------------------------

points = st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), max_size=12)


def naive(some: list[Point]) -> list[Point]:
    """The points that no other point beats or equals in both, by rising second coordinate."""

    def beaten(point: Point) -> bool:
        return any(other != point and other[0] >= point[0] and other[1] >= point[1] for other in some)

    return sorted({point for point in some if not beaten(point)}, key=lambda point: point[1])


@given(points)
def test_a_front_is_the_points_that_no_other_beats(some: list[Point]) -> None:
    assert Front(some).points == naive(some)


@given(points, st.integers(-7, 7), st.integers(-7, 7))
def test_a_front_reaches_what_some_point_has_at_least_of_both(some: list[Point], first: int, second: int) -> None:
    assert Front(some).reaches(first, second) == any(a >= first and b >= second for a, b in some)


@given(points, points)
def test_the_sums_of_two_fronts_have_the_front_of_all_sums(some: list[Point], others: list[Point]) -> None:
    sums = [(a + c, b + d) for a, b in some for c, d in others]
    assert Front(Front(some).plus(Front(others))).points == naive(sums)


@given(points)
def test_a_front_is_true_where_there_is_a_point(some: list[Point]) -> None:
    assert bool(Front(some)) == bool(some)


def test_nothing_to_choose_adds_nought_and_no_choice_reaches_nothing() -> None:
    assert NOTHING.reaches(0, 0)
    assert not NOTHING.reaches(1, 0)
    assert not NOTHING.reaches(0, 1)
    assert not NOWHERE.reaches(-(10**9), -(10**9))
    some = Front([(3, 1), (1, 2)])
    assert list(some.plus(NOTHING)) == some.points
    assert list(some.plus(NOWHERE)) == []
