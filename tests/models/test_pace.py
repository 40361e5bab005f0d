import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from herobench.models.pace import MINUTE, Pace, request_left

_ROUNDS = 40
"""Turns of the event loop after which nobody has anything left to do without time passing."""


class Clock:
    """Time that passes only when all wait for it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        woken = asyncio.get_running_loop().create_future()
        heappush(self._sleepers, (self.now + seconds, next(self._order), woken))
        await woken

    async def pass_until(self, done: asyncio.Future[Any]) -> None:
        while True:
            for _ in range(_ROUNDS):
                await asyncio.sleep(0)
            if done.done():
                return
            self.now, _, woken = heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)


@dataclass(frozen=True)
class Job:
    """One request: after how long it comes, what it is guessed to take, and what it takes."""

    pause: float = 0.0
    guess: int = 1
    seconds: float = 0.0
    tokens: int | None = None
    fails: bool = False
    leaves: Sequence[float] = ()
    """After how long it is sent, and after how long more it is sent again."""


@dataclass
class Day:
    """The fate of the requests."""

    begun: list[tuple[float, int]] = field(default_factory=list)
    """When, and which."""
    most: int = 0
    """Return the most requests under way at once."""
    under_way: int = 0


def day_of(jobs: Sequence[Job], connections: int = 100, rpm: int | None = None, tpm: int | None = None) -> Day:
    """Let requests come one after the other, each as long after the one before as it says."""

    async def work() -> Day:
        clock, day = Clock(), Day()
        pace = Pace(connections, rpm, tpm, clock, clock.sleep)

        async def one(number: int, job: Job, comes: float) -> None:
            if comes > clock.now:
                await clock.sleep(comes - clock.now)
            try:
                async with pace.turn(job.guess) as turn:
                    day.begun.append((clock.now - 1000.0, number))
                    day.under_way += 1
                    day.most = max(day.most, day.under_way)
                    for lag in job.leaves:
                        await clock.sleep(lag)
                        request_left()
                    if job.seconds:
                        await clock.sleep(job.seconds)
                    day.under_way -= 1
                    if job.fails:
                        raise LookupError
                    turn.tokens = job.guess if job.tokens is None else job.tokens
            except LookupError:
                assert job.fails

        comes, all_of_them = clock.now, []
        for number, job in enumerate(jobs):
            comes += job.pause
            all_of_them.append(one(number, job, comes))
        done = asyncio.gather(*all_of_them)
        await clock.pass_until(done)
        await done
        return day

    return asyncio.run(work())


def times(day: Day) -> list[float]:
    return [round(time, 1) for time, _ in day.begun]


JOBS = st.lists(
    st.builds(
        Job,
        pause=st.sampled_from([0.0, 0.0, 0.0, 1.0, 0.1, 19.7, 60.0, 61.3]),
        guess=st.integers(0, 12),
        seconds=st.sampled_from([0.0, 0.3, 5.0, 59.9, 100.0]),
        fails=st.booleans(),
    ),
    max_size=14,
)
LIMITS = st.none() | st.integers(1, 10)


@settings(deadline=None)
@given(JOBS, st.integers(1, 5), LIMITS, LIMITS)
@example([Job()] * 9, 9, 2, None)
@example([Job(guess=11), Job(guess=1)] * 2, 5, None, 10)
@example([Job(pause=0.1)] * 14, 5, 3, 5)
def test_no_minute_wherever_it_begins_has_more_than_was_allowed(
    jobs: list[Job], connections: int, rpm: int | None, tpm: int | None
) -> None:
    day = day_of(jobs, connections, rpm, tpm)
    assert sorted(number for _, number in day.begun) == list(range(len(jobs))), "each begins, however large"
    assert day.most <= connections
    for end, _ in day.begun:
        minute = [jobs[number].guess for time, number in day.begun if end - MINUTE + 1e-6 < time <= end]
        assert rpm is None or len(minute) <= rpm
        assert tpm is None or len(minute) == 1 or sum(minute) <= tpm


@settings(deadline=None)
@given(JOBS, st.integers(1, 5), LIMITS, LIMITS)
def test_requests_begin_in_the_order_in_which_they_came(
    jobs: list[Job], connections: int, rpm: int | None, tpm: int | None
) -> None:
    begun = [number for _, number in day_of(jobs, connections, rpm, tpm).begun]
    assert begun == sorted(begun)


def test_without_limits_nobody_waits_for_more_than_a_connection() -> None:
    assert times(day_of([Job(seconds=5.0)] * 5, connections=2)) == [0.0, 0.0, 5.0, 5.0, 10.0]


def test_as_many_begin_at_once_as_are_allowed_and_no_sooner_than_they_must() -> None:
    assert times(day_of([Job()] * 7, rpm=3)) == [0.0] * 3 + [60.0] * 3 + [120.0]
    assert times(day_of([Job(guess=4)] * 5, tpm=8)) == [0.0, 0.0, 60.0, 60.0, 120.0]


def test_the_minute_slides() -> None:
    jobs = [Job(), Job(pause=50.0), Job(pause=5.0), Job(pause=1.0)]
    assert times(day_of(jobs, rpm=2)) == [0.0, 50.0, 60.0, 110.0]


def test_a_minute_begins_when_a_request_has_arrived_and_not_with_its_turn() -> None:
    """Ten requests wait for their connections; those that follow over open ones must not come within the minute."""
    jobs = [Job(leaves=[3.0])] * 10 + [Job(leaves=[0.1])] * 30
    assert times(day_of(jobs, connections=10, rpm=30)) == [0.0] * 10 + [3.0] * 10 + [3.1] * 10 + [63.5] * 10


def test_a_request_that_is_sent_again_within_its_turn_counts_twice() -> None:
    assert times(day_of([Job(leaves=[1.0, 1.0])] * 3, connections=1, rpm=2)) == [0.0, 61.5, 123.0]


def test_the_stricter_limit_counts() -> None:
    assert times(day_of([Job(guess=5)] * 3, rpm=2, tpm=100)) == [0.0, 0.0, 60.0]
    assert times(day_of([Job(guess=5)] * 3, rpm=100, tpm=5)) == [0.0, 60.0, 120.0]


def test_one_that_is_larger_than_a_minute_begins_when_nothing_else_counts() -> None:
    jobs = [Job(guess=1), Job(guess=1000), Job(guess=1)]
    assert times(day_of(jobs, tpm=10)) == [0.0, 60.0, 120.0]
    assert times(day_of([Job(guess=1000)], tpm=10)) == [0.0]


def test_small_ones_do_not_overtake_a_large_one_that_waits() -> None:
    jobs = [Job(guess=6), Job(guess=6, pause=1.0), Job(guess=1, pause=1.0)]
    assert [number for _, number in day_of(jobs, tpm=10).begun] == [0, 1, 2]


@pytest.mark.parametrize(("taken", "next_begins"), [(2, 10.0), (9, 60.0), (None, 60.0)])
def test_when_a_request_is_done_what_it_took_stands_for_the_guess(taken: int | None, next_begins: float) -> None:
    jobs = [Job(guess=8, tokens=taken, seconds=5.0), Job(guess=5, pause=10.0)]
    assert times(day_of(jobs, tpm=10)) == [0.0, next_begins]


def test_a_request_that_failed_was_begun_and_gives_its_connection_back() -> None:
    assert times(day_of([Job(fails=True)] * 4, connections=1, rpm=2)) == [0.0, 0.0, 60.0, 60.0]


def test_who_gives_up_waiting_holds_nobody_up() -> None:
    async def work() -> list[str]:
        clock, begun = Clock(), list[str]()
        pace = Pace(1, 1, None, clock, clock.sleep)

        async def one(name: str) -> None:
            async with pace.turn(1):
                begun.append(name)

        tasks = [asyncio.create_task(one(name)) for name in "abc"]
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)
        tasks[1].cancel()
        done = asyncio.gather(tasks[0], tasks[2])
        await clock.pass_until(done)
        return begun

    assert asyncio.run(work()) == ["a", "c"]
