"""The window of requests: how it grows while a server keeps up, and shrinks when it does not."""

import asyncio
from contextlib import suppress

import pytest

from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.pace import Window

_ROUNDS = 40
"""Turns of the event loop after which all requests of a tick are under way."""


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


@pytest.mark.parametrize(
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
