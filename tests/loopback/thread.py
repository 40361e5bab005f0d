"""The server in a thread of the test's own process, with its own event loop: the script may be any function."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from tests.loopback.log import Counters, Record
from tests.loopback.manners import AZURE, VERSION, Manner
from tests.loopback.running_server import RunningServer
from tests.loopback.script import Answers, AnswerTable, Script, script_of
from tests.loopback.server import Server


class Loopback(RunningServer):
    """Runs while its `with` block does; when a script or the server itself has failed, the end of the block raises."""

    def __init__(
        self,
        script: Script | Mapping[str, Any] | None = None,
        answers: Answers | AnswerTable | None = None,
        key: str | None = None,
        manner: Manner | None = None,
    ) -> None:
        self._server = Server(script, answers, key, manner)
        self._port = Future[int]()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="loopback", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.port = self._port.result()
        return self

    def __exit__(
        self, sort: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._do(self._end.set)
        self._thread.join()
        if self._server.failures and error is None:
            raise self._server.failures[0]

    @property
    def url(self) -> str:
        if self._server.manner is Manner.AZURE:
            return f"{self.origin}{AZURE}?api-version={VERSION}"
        return super().url

    def play(self, script: Script | Mapping[str, Any] | None) -> None:
        """Behave by this script from now on."""
        self._server.script = script_of(script)

    def counters(self) -> Counters:
        return self._server.log.snapshot()

    def records(self) -> list[Record]:
        return list(self._server.log.records)

    def hold(self) -> None:
        self._do(self._server.gate.clear)

    def release(self) -> None:
        self._do(self._server.gate.set)

    def reset(self) -> None:
        self._do(self._server.log.reset)

    def _do(self, act: Callable[[], None]) -> None:
        """Have it done where the server lives, and wait until it is."""

        async def do() -> None:
            act()

        asyncio.run_coroutine_threadsafe(do(), self._loop).result(10)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        try:
            self._port.set_result(await self._server.start())
        except BaseException as error:
            self._port.set_exception(error)
            return
        await self._end.wait()
        await self._server.stop()
