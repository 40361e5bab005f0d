"""How fast a server is asked: the window of requests at once, the pace, and the files that connections take."""

import asyncio
import resource
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from textwrap import dedent
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.pace import MINUTE, Pace, Window, allow_descriptors, request_left
from tests.sizes import for_each

_ROUNDS = 40
"""Turns of the event loop after which nobody has anything left to do without time passing."""


async def flow(window: Window, capacity: int, ticks: int) -> list[tuple[int, int]]:
    """Ask a server without a pause. Replies come a tick later; it refuses what is above its capacity.

    To each tick the requests in flight, and those of them that are refused.
    """
    tick, in_flight, refused = asyncio.Event(), 0, 0

    async def ask_on() -> None:
        nonlocal in_flight, refused
        while True:
            with suppress(ModelError):
                async with window.place():
                    in_flight += 1
                    crowded = in_flight > capacity
                    refused += crowded
                    await tick.wait()
                    in_flight -= 1
                    refused -= crowded
                    if crowded:
                        raise ModelError(ErrorKind.RATE_LIMIT, "slow down", status=429)

    tasks = [asyncio.create_task(ask_on()) for _ in range(100)]
    told = []
    for _ in range(ticks):
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)
        told.append((in_flight, refused))
        tick.set()
        tick = asyncio.Event()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return told


def test_a_window_doubles_up_to_its_most_where_nothing_is_refused() -> None:
    async def sizes() -> list[int]:
        window = Window(12, adaptive=True)
        return [begun for begun, _ in await flow(window, 1000, 5)]

    assert asyncio.run(sizes()) == [2, 4, 8, 12, 12]


def test_a_window_halves_once_a_round_and_then_grows_by_one() -> None:
    async def rounds() -> list[tuple[int, int]]:
        return await flow(Window(64, adaptive=True), 10, 30)

    told = asyncio.run(rounds())
    assert told[:4] == [(2, 0), (4, 0), (8, 0), (16, 6)]
    assert told[5:17] == [(size, max(0, size - 10)) for size in (6, 7, 8, 9, 10, 11, 11, 6, 5, 6, 7, 8)]
    assert {size for size, _ in told[5:]} == {*range(5, 12)}, "it turns round just above what the server bears"


@for_each(
    ("kind", "size"),
    [
        (ErrorKind.RATE_LIMIT, 1),
        (ErrorKind.SERVER, 1),
        (ErrorKind.TIMEOUT, 1),
        (ErrorKind.CONNECTION, 1),
        (ErrorKind.CONTEXT, 2),
        (ErrorKind.AUTH, 2),
    ],
)
def test_only_signs_of_a_crowded_server_shrink_it_and_never_below_one(kind: ErrorKind, size: int) -> None:
    async def failed() -> int:
        window = Window(9, adaptive=True)
        for _ in range(3):
            with suppress(ModelError):
                async with window.place():
                    raise ModelError(kind, "no")
        return window.size

    assert asyncio.run(failed()) == size


def test_a_window_that_is_not_full_does_not_grow_and_a_fixed_one_never_changes() -> None:
    async def sizes() -> tuple[int, int]:
        lone, fixed = Window(9, adaptive=True), Window(5)
        for _ in range(9):
            async with lone.place():
                pass
        await flow(fixed, 1, 4)
        return lone.size, fixed.size

    assert asyncio.run(sizes()) == (2, 5)


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


def run_day(jobs: Sequence[Job], connections: int = 100, rpm: int | None = None, tpm: int | None = None) -> Day:
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
    day = run_day(jobs, connections, rpm, tpm)
    assert [number for _, number in day.begun] == [*range(len(jobs))], "each begins, in the order in which it came"
    assert day.most <= connections
    for end, _ in day.begun:
        minute = [jobs[number].guess for time, number in day.begun if end - MINUTE + 1e-6 < time <= end]
        assert rpm is None or len(minute) <= rpm
        assert tpm is None or len(minute) == 1 or sum(minute) <= tpm


def test_without_limits_nobody_waits_for_more_than_a_connection() -> None:
    assert times(run_day([Job(seconds=5.0)] * 5, connections=2)) == [0.0, 0.0, 5.0, 5.0, 10.0]


def test_as_many_begin_at_once_as_are_allowed_and_no_sooner_than_they_must() -> None:
    assert times(run_day([Job()] * 7, rpm=3)) == [0.0] * 3 + [60.0] * 3 + [120.0]
    assert times(run_day([Job(guess=4)] * 5, tpm=8)) == [0.0, 0.0, 60.0, 60.0, 120.0]


def test_the_minute_slides() -> None:
    jobs = [Job(), Job(pause=50.0), Job(pause=5.0), Job(pause=1.0)]
    assert times(run_day(jobs, rpm=2)) == [0.0, 50.0, 60.0, 110.0]


def test_a_minute_begins_when_a_request_has_arrived_and_not_with_its_turn() -> None:
    """Ten requests wait for their connections; those that follow over open ones must not come within the minute."""
    jobs = [Job(leaves=[3.0])] * 10 + [Job(leaves=[0.1])] * 30
    assert times(run_day(jobs, connections=10, rpm=30)) == [0.0] * 10 + [3.0] * 10 + [3.1] * 10 + [63.5] * 10


def test_a_request_that_is_sent_again_within_its_turn_counts_twice() -> None:
    assert times(run_day([Job(leaves=[1.0, 1.0])] * 3, connections=1, rpm=2)) == [0.0, 61.5, 123.0]


def test_the_stricter_limit_counts() -> None:
    assert times(run_day([Job(guess=5)] * 3, rpm=2, tpm=100)) == [0.0, 0.0, 60.0]
    assert times(run_day([Job(guess=5)] * 3, rpm=100, tpm=5)) == [0.0, 60.0, 120.0]


def test_one_that_is_larger_than_a_minute_begins_when_nothing_else_counts() -> None:
    jobs = [Job(guess=1), Job(guess=1000), Job(guess=1)]
    assert times(run_day(jobs, tpm=10)) == [0.0, 60.0, 120.0]
    assert times(run_day([Job(guess=1000)], tpm=10)) == [0.0]


@for_each(("taken", "next_begins"), [(2, 10.0), (9, 60.0), (None, 60.0)])
def test_when_a_request_is_done_what_it_took_stands_for_the_guess(taken: int | None, next_begins: float) -> None:
    jobs = [Job(guess=8, tokens=taken, seconds=5.0), Job(guess=5, pause=10.0)]
    assert times(run_day(jobs, tpm=10)) == [0.0, next_begins]


def test_a_request_that_failed_was_begun_and_gives_its_connection_back() -> None:
    assert times(run_day([Job(fails=True)] * 4, connections=1, rpm=2)) == [0.0, 0.0, 60.0, 60.0]


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


def after(soft: int, hard: int, connections: int) -> tuple[int, int] | str:
    """The limits after asking for room for so many connections under these; or the refusal."""
    program = f"""
        from resource import RLIMIT_NOFILE, getrlimit, setrlimit
        from herobench.data.errors import UsageError
        from herobench.models.pace import allow_descriptors
        setrlimit(RLIMIT_NOFILE, ({soft}, {hard}))
        try:
            allow_descriptors({connections})
            print(*getrlimit(RLIMIT_NOFILE))
        except UsageError as error:
            assert getrlimit(RLIMIT_NOFILE) == ({soft}, {hard})
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", dedent(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    return (int(words[0]), int(words[1])) if len(words) == 2 else done.stdout.strip()


def test_an_allowance_that_is_large_enough_is_left_as_it_is() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_descriptors(1)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
    assert after(900, 1000, 700) == (900, 1000)


def test_a_small_allowance_is_raised_as_far_as_is_needed_and_no_further() -> None:
    assert after(256, 4000, 1000) == (1200, 4000)
    assert after(256, 1000, 800) == (1000, 1000)


def test_more_than_the_system_lets_us_have_is_refused_with_the_most_that_there_is_room_for() -> None:
    told = after(256, 1000, 801)
    assert told == "801 connections need 1001 open files, and the system allows 1000: give at most 800 connections."
    assert after(256, 1000, 800) == (1000, 1000), "the advice is good"


@for_each("hard", [150, 200])
def test_where_there_is_room_for_no_connection_none_is_advised(hard: int) -> None:
    told = after(100, hard, 10)
    assert isinstance(told, str)
    assert f"10 connections need 210 open files, and the system allows {hard}" in told
    assert "at most" not in told
