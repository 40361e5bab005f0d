from hypothesis import given
from hypothesis import strategies as st

from herobench.task_gen.rpg.gear.arms import NOTHING, NOWHERE, Front, Point

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
