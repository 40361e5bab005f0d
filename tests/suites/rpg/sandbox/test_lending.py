"""How many things are lent: few while they suffice, and more when the waiting has cost as much as a start."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from time import sleep

import pytest

from herobench.suites.rpg.sandbox import pool
from herobench.suites.rpg.sandbox.pool import Lending


def test_what_is_borrowed_one_after_the_other_is_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "START_SECONDS", 0.0)
    things = Lending("abc", list)
    for _ in range(3):
        with things.lend() as thing:
            assert thing == "a"


@pytest.fixture
def borrow() -> Iterator[Callable[[Lending[str]], Future[str]]]:
    """Borrow a thing in a thread, and wait until it is there or waited for."""
    with ThreadPoolExecutor(1) as threads:

        def begin(things: Lending[str]) -> Future[str]:
            def work() -> str:
                with things.lend() as thing:
                    return thing

            got = threads.submit(work)
            while not (got.done() or things._changed._waiters):
                sleep(0.001)
            return got

        yield begin


def test_the_first_thing_is_waited_for_while_it_starts(
    monkeypatch: pytest.MonkeyPatch, borrow: Callable[..., Future[str]]
) -> None:
    monkeypatch.setattr(pool, "START_SECONDS", 0.0)
    waiting: list[Future[str]] = []

    def start(thing: str) -> None:
        waiting.append(borrow(things))
        assert not waiting[0].done()

    things = Lending("abc", start)
    with things.lend():
        assert waiting[0].result() == "b", "nobody waits for what the first thing does once it has started"


def test_a_start_that_fails_is_over(monkeypatch: pytest.MonkeyPatch, borrow: Callable[..., Future[str]]) -> None:
    monkeypatch.setattr(pool, "START_SECONDS", 1e6)
    waiting: list[Future[str]] = []

    def start(thing: str) -> None:
        waiting.append(borrow(things))
        raise OSError(thing)

    things = Lending("abc", start)
    with pytest.raises(OSError, match="a"), things.lend():
        pass
    assert waiting[0].result() == "a"


@pytest.mark.parametrize(("seconds", "thing"), [(0.0, "b"), (1e6, "a")])
def test_another_thing_is_lent_when_the_waiting_has_cost_as_much(
    seconds: float, thing: str, monkeypatch: pytest.MonkeyPatch, borrow: Callable[..., Future[str]]
) -> None:
    monkeypatch.setattr(pool, "START_SECONDS", seconds)
    things = Lending("abc", list)
    with things.lend():
        pass
    with things.lend():
        got = borrow(things)
    assert got.result() == thing


def test_short_waits_add_up(monkeypatch: pytest.MonkeyPatch, borrow: Callable[..., Future[str]]) -> None:
    times = iter(range(0, 1000, 40))
    monkeypatch.setattr(pool, "monotonic", lambda: next(times))
    monkeypatch.setattr(pool, "START_SECONDS", 100.0)
    things = Lending("abc", list)
    with things.lend():
        pass
    found = []
    for _ in range(6):
        with things.lend():
            got = borrow(things)
        found.append(got.result())
    assert found == ["a", "a", "a", "b", "b", "b"]


def test_nothing_is_left_to_lend_once_all_are_lent(
    monkeypatch: pytest.MonkeyPatch, borrow: Callable[..., Future[str]]
) -> None:
    monkeypatch.setattr(pool, "START_SECONDS", 0.0)
    things = Lending("ab", list)
    with things.lend():
        pass
    with ExitStack() as first:
        held = first.enter_context(things.lend())
        with things.lend() as other:
            got = borrow(things)
            assert not got.done()
            first.close()
            assert got.result() == held
            assert {held, other} == {"a", "b"}


def test_a_borrower_who_fails_gives_the_thing_back() -> None:
    things = Lending("a", list)
    with pytest.raises(ValueError, match="failed"), things.lend():
        raise ValueError("failed")
    with things.lend() as thing:
        assert thing == "a"
