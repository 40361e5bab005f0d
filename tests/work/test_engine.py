"""Calls of a crew: none is left out, whatever happens to workers."""

from collections.abc import Generator, Iterable
from typing import Any

import pytest

from herobench.data.errors import InputError, Problem, SandboxError, UsageError
from herobench.work.engine import Done, Each, GivenUp, Lost, ends
from tests.cluster.here import Fate, Here
from tests.sizes import for_each


def doubled(number: int) -> int:
    return 2 * number


def results(engine: Here, things: Iterable[int], *, in_order: bool = False) -> Generator[Any]:
    with engine.crew(Each(doubled)) as crew:
        yield from ends(crew, things, in_order=in_order)


def made(engine: Here, count: int = 7) -> dict[int, int]:
    return {one.given: one.made for one in results(engine, range(count)) if isinstance(one, Done)}


def fate(*numbers: int, error: BaseException) -> Fate:
    return lambda number: error if number in numbers else None


@for_each("width", [1, 3, 100])
def test_every_thing_is_made_once_and_no_more_are_held_than_there_is_room_for(width: int) -> None:
    engine = Here(width)
    assert made(engine) == {number: 2 * number for number in range(7)}
    assert (engine.calls, engine.most) == (7, min(width, 7))


def test_a_call_whose_worker_is_lost_is_made_again() -> None:
    engine = Here(fate=fate(1, 2, 4, 5, 6, error=Lost("gone")))
    ended = list(results(engine, range(7)))
    assert sorted(one.given for one in ended if isinstance(one, Done)) == list(range(7))
    assert sum(one.tries for one in ended if isinstance(one, Done)) == engine.calls == 12


@for_each(("error", "tries"), [(Lost("gone"), 10), (SandboxError("no worker starts"), 3)])
def test_a_call_that_never_works_is_given_up_with_a_reason_and_the_others_are_made(
    error: Exception, tries: int
) -> None:
    engine = Here(width=1, fate=fate(*range(1, tries + 1), error=error))
    given_up, *others = results(engine, range(3))
    assert given_up == GivenUp(0, f"after {tries} tries: {error}", error)
    assert [one.given for one in others] == [1, 2]


@for_each("error", [UsageError("no such option"), InputError([Problem("a", "", "a file")])])
def test_what_no_other_worker_could_do_better_ends_all_calls(error: Exception) -> None:
    engine = Here(fate=fate(2, error=error))
    with pytest.raises(type(error)):
        made(engine)
    assert engine.dropped == 2


def test_who_stops_early_drops_the_calls_that_wait() -> None:
    engine = Here(width=4)
    stream = results(engine, range(100))
    next(stream)
    stream.close()
    assert engine.dropped == 3


def test_ends_come_in_the_order_of_the_things_and_few_of_them_wait() -> None:
    taken: list[int] = []

    def numbers() -> Iterable[int]:
        for number in range(100):
            taken.append(number)
            yield number

    engine = Here(width=3, fate=fate(1, 3, 20, error=Lost("gone")))
    stream = results(engine, numbers(), in_order=True)
    for number in range(50):
        assert next(stream).given == number
        assert len(taken) <= number + 2 * engine.width + 1
