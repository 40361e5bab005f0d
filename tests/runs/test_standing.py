"""How a run stands: its counts, its stop, and the money that it spends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from time import monotonic
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.conversation import Usage
from herobench.models.model import Price
from herobench.runs.standing import Ledger, Standing, Stopped, StopSignal
from tests.runs.trial import DOLLAR_A_TOKEN

count = st.integers(0, 1000)


def standing(total: int = 10, before: int = 2) -> Standing:
    return Standing(total, before, lambda news: None)


@given(count, count, count, count)
def test_what_is_owed_is_what_has_no_measured_sample(before: int, measured: int, unmeasured: int, rest: int) -> None:
    now = standing(before + measured + unmeasured + rest, before)
    now.measured, now.unmeasured = measured, unmeasured
    assert (now.done, now.owed) == (before + measured, unmeasured + rest)
    assert now.left is None or now.left >= 0
    assert (now.left is None) == (measured + unmeasured == 0)


def test_the_rest_takes_as_long_as_the_rate_of_this_session_says() -> None:
    now = standing(total=100, before=80)
    assert (now.rate, now.left) == (0.0, None)
    now.measured, now.unmeasured = 4, 6
    now.begun = monotonic() - 1000
    assert now.rate == pytest.approx(0.01, rel=0.1)
    assert now.left == pytest.approx(1000, rel=0.1)


def test_the_first_reason_stands() -> None:
    async def body() -> None:
        stop = StopSignal()
        assert (stop.reason, stop.message) == (None, "")
        stop.check()
        stop.now("cost", "too dear")
        stop.now("interrupted", "Ctrl-C")
        assert (stop.reason, stop.message) == ("cost", "too dear")
        with pytest.raises(Stopped):
            stop.check()

    asyncio.run(body())


def test_who_sleeps_is_woken_to_hear_of_it_and_who_comes_later_does_not_fall_asleep() -> None:
    async def body() -> None:
        stop = StopSignal()
        sleeper = asyncio.create_task(stop.sleep(3600))
        await asyncio.sleep(0)
        assert not sleeper.done()
        stop.now("hopeless", "")
        for sleep in (sleeper, asyncio.create_task(stop.sleep(3600))):
            with pytest.raises(Stopped):
                await asyncio.wait_for(sleep, 30)

    asyncio.run(body())


calls = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(0, 3), st.booleans()), max_size=30)
"""Of each call: what it is guessed to cost, what part of that it does, how long it takes, whether it fails."""


def dollars(number: int) -> Usage:
    return Usage(input=0, output=number)


def run(body: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(body(), 10))


@given(calls, st.integers(0, 100), st.integers(1, 6))
@settings(deadline=None)
def test_no_more_is_spent_than_the_limit_if_no_call_costs_more_than_the_dearest_before(
    calls: list[tuple[int, int, int, bool]], limit: int, connections: int
) -> None:
    ledger, stop = Ledger(DOLLAR_A_TOKEN, limit), StopSignal()
    queue, spent = list(calls), [0]
    at_once: list[int] = []
    dearest = in_flight = 0

    async def place() -> None:
        nonlocal dearest, in_flight
        while queue and stop.reason is None:
            guess, part, turns, fails = queue.pop(0)
            dearest = max(dearest, guess)
            try:
                async with ledger.room(dollars(guess), stop):
                    most = dearest
                    in_flight += 1
                    at_once.append(in_flight)
                    for _ in range(turns):
                        await asyncio.sleep(0)
                    in_flight -= 1
            except Stopped:
                return
            if not fails:
                cost = min(part, most)
                spent.append(cost)
                ledger.spend(float(cost), partial(dollars, guess))

    async def body() -> None:
        await asyncio.gather(*(place() for _ in range(connections)))

    run(body)
    assert sum(spent) == ledger.spent <= limit
    assert stop.reason == "cost" or not queue, "the run stops by itself, or everything was asked"
    assert stop.reason is None or sum(spent) + dearest > limit, "it stops only if another could exceed the limit"
    assert in_flight == 0


def test_near_the_limit_fewer_are_in_flight_and_at_last_one() -> None:
    ledger, stop = Ledger(DOLLAR_A_TOKEN, 10.0), StopSignal()
    in_flight = 0
    at_once: list[int] = []

    async def call() -> None:
        nonlocal in_flight
        async with ledger.room(dollars(2), stop):
            in_flight += 1
            at_once.append(in_flight)
            await asyncio.sleep(0.001)
            in_flight -= 1
        ledger.spend(1.5, lambda: dollars(2))

    async def body() -> None:
        ends = await asyncio.gather(*(call() for _ in range(20)), return_exceptions=True)
        assert [end for end in ends if end is None] == [None] * 6
        assert all(isinstance(end, Stopped) for end in ends if end is not None)

    run(body)
    assert at_once[:5] == [1, 2, 3, 4, 5]
    assert at_once[-1] == 1
    assert (ledger.spent, stop.reason) == (9.0, "cost")
    assert stop.message == "The run has cost 9.0000, and another call could exceed 10."


def test_where_nothing_is_left_the_run_stops_before_the_first_call() -> None:
    async def body() -> None:
        ledger, stop = Ledger(DOLLAR_A_TOKEN, 5.0, spent=4.0), StopSignal()
        with pytest.raises(Stopped):
            async with ledger.room(dollars(2), stop):
                pytest.fail("there was no money for it")
        assert stop.reason == "cost"
        async with ledger.room(dollars(1), StopSignal()):
            pytest.fail("the dearest so far was dearer")

    with pytest.raises(Stopped):
        run(body)


def test_who_waits_for_money_hears_of_a_stop_when_what_is_in_flight_is_done() -> None:
    ledger, stop = Ledger(DOLLAR_A_TOKEN, 10.0), StopSignal()

    async def body() -> None:
        async with ledger.room(dollars(6), stop):
            waiting = asyncio.create_task(enter())
            await asyncio.sleep(0.001)
            stop.now("interrupted", "")
            assert not waiting.done()
        assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], Stopped)

    async def enter() -> None:
        async with ledger.room(dollars(1), stop):
            pytest.fail("nothing is begun after a stop")

    run(body)
    assert stop.reason == "interrupted", "the first reason stands"


def test_a_call_that_is_cancelled_gives_back_what_was_set_aside() -> None:
    ledger, stop = Ledger(DOLLAR_A_TOKEN, 10.0), StopSignal()

    async def hang() -> None:
        async with ledger.room(dollars(6), stop):
            await asyncio.sleep(60)

    async def body() -> None:
        first = asyncio.create_task(hang())
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        async with ledger.room(dollars(6), stop):
            pass

    run(body)


def test_what_the_server_did_not_count_is_booked_as_guessed() -> None:
    ledger = Ledger(Price(2.0, 4.0, 1.0), 10.0, spent=1.0)
    assert ledger.cost(Usage(output=10)) is None
    ledger.spend(None, lambda: Usage(input=500_000, output=250_000))
    assert ledger.spent == ledger.known == 3.0


def test_without_a_price_nothing_is_known_and_without_a_limit_nothing_held_back() -> None:
    async def body() -> None:
        stop = StopSignal()
        for ledger in (Ledger(None, None), Ledger(DOLLAR_A_TOKEN, None, spent=1e9)):
            async with ledger.room(dollars(10**9), stop), ledger.room(dollars(10**9), stop):
                pass
        assert stop.reason is None

    run(body)
    ledger = Ledger(None, None)
    ledger.spend(None, lambda: dollars(5))
    assert ledger.known is None
    assert ledger.cost(dollars(5)) is None
