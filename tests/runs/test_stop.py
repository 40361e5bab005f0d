"""The end before its time: nothing new begins, and whoever sleeps is woken."""

import asyncio

import pytest

from herobench.runs.limits import Stopped, StopSignal


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


def test_who_is_not_woken_sleeps_his_fill() -> None:
    async def body() -> None:
        stop = StopSignal()
        for seconds in (0, 0.001):
            await stop.sleep(seconds)

    asyncio.run(body())
