"""The server itself: it listens, has the script say what each request meets with, sends that, and keeps a log.

It runs in a thread of the test's own process, with its own event loop, so that the script may be any function.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self

from tests.loopback.api_request import CHAT, RESPONSES, ApiRequest
from tests.loopback.behaviour import Behaviour, Json, Kind, Script, as_script
from tests.loopback.faults import bad_request
from tests.loopback.http_answer import ConnectionEnd, HttpAnswer, answer_to, json_answer
from tests.loopback.http_wire import ClientLeft, Ear, HttpRequest, Wire
from tests.loopback.model_output import Answers, AnswerTable, ModelOutput, as_answers, pick_turn

HOST = "127.0.0.1"
ENDPOINTS = {("POST", CHAT), ("POST", RESPONSES)}
BACKLOG = 4096


@dataclass(slots=True)
class Record:
    """What was asked by one request, and what became of it."""

    path: str
    body: Json
    """The body as JSON; empty where it is none."""
    headers: Mapping[str, str]
    key: str = ""
    attempt: int = 0
    """The number of this try among those with the same key, from 1 on; 0 for a request that is not understood."""
    behaviour: Behaviour = field(default_factory=Behaviour)
    status: int = 0
    """Of an answer that is no reply because the request was not taken; 0 for others."""
    charged: int = 0
    """The tokens that the answer counts, in and out."""

    @property
    def authorization(self) -> str | None:
        """The key as most servers take it."""
        return self.headers.get("authorization")


@dataclass(slots=True)
class Counters:
    requests: int = 0
    answered: int = 0
    """Requests whose answer was sent in full; never those whose behaviour cuts the connection."""
    in_flight: int = 0
    """Requests that were read, and whose answer's last piece is not yet about to be written: a client that has seen the
    end of one answer and asks again is never seen with two."""
    most_in_flight: int = 0
    connections: int = 0
    """Connections open now, each from its first request on."""
    most_connections: int = 0
    opened: int = 0
    """Connections that were ever opened."""


@dataclass
class Log:
    records: list[Record] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    attempts: Counter[str] = field(default_factory=Counter)

    def arrive(self, record: Record) -> None:
        self.records.append(record)
        counters = self.counters
        counters.requests += 1
        counters.in_flight += 1
        counters.most_in_flight = max(counters.most_in_flight, counters.in_flight)

    def leave(self, *, sent: bool) -> None:
        self.counters.in_flight -= 1
        self.counters.answered += sent

    def connect(self) -> None:
        counters = self.counters
        counters.opened += 1
        counters.connections += 1
        counters.most_connections = max(counters.most_connections, counters.connections)

    def reset(self) -> None:
        """Forget what was; what goes on now still counts."""
        self.records.clear()
        self.attempts.clear()
        now = self.counters
        self.counters = Counters(
            in_flight=now.in_flight,
            most_in_flight=now.in_flight,
            connections=now.connections,
            most_connections=now.connections,
        )


class Loopback:
    """Runs while its `with` block does; when a script or the server itself has failed, the end of the block raises.

    `refuses` says why the server takes no request with such a body; none where it does. `base` is the path of its API.
    """

    port: int

    def __init__(
        self,
        script: Script | Mapping[str, Any] | None = None,
        answers: Answers | AnswerTable | None = None,
        key: str | None = None,
        refuses: Callable[[Json], str | None] = lambda body: None,
        base: str = "/v1",
    ) -> None:
        self._refuses = refuses
        self._base = base
        self._script = as_script(script)
        self._answers = as_answers(answers)
        self._pattern = re.compile(key) if key else None
        self._log = Log()
        self._gate = asyncio.Event()
        """Answers wait while it is not set."""
        self._failures: list[Exception] = []
        """Exceptions in the server, or in a script that is a function; never the fault of the client."""
        self._serving: dict[asyncio.Task[None], Wire] = {}
        self._started = Future[int]()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="loopback", daemon=True)

    # -- as tests use it ----------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self._thread.start()
        self.port = self._started.result()
        return self

    def __exit__(
        self, sort: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._do(self._end.set)
        self._thread.join()
        if self._failures and error is None:
            raise self._failures[0]

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """The base URL for clients of the API."""
        return f"{self.origin}{self._base}"

    def play(self, script: Script | Mapping[str, Any] | None) -> None:
        """Behave by this script from now on."""
        self._script = as_script(script)

    def counters(self) -> Counters:
        """The counts as they are now."""
        return replace(self._log.counters)

    def records(self) -> list[Record]:
        """Return the records of all requests, in the order of their arrival."""
        return list(self._log.records)

    def hold(self) -> None:
        """Let answers wait from now on, so that requests pile up in flight."""
        self._do(self._gate.clear)

    def release(self) -> None:
        """Let answers go again, those that wait and those to come."""
        self._do(self._gate.set)

    def reset(self) -> None:
        """Forget the records, the counts and how often each key was asked."""
        self._do(self._log.reset)

    def wait_until(self, true: Callable[[Counters], bool], seconds: float = 60.0) -> Counters:
        """The counts for which it first holds; fails when that takes too long."""
        deadline = time.monotonic() + seconds
        while not true(counters := self.counters()):
            assert time.monotonic() < deadline, f"waited {seconds} s in vain: {counters}"
            time.sleep(0.002)
        return counters

    def _do(self, act: Callable[[], None]) -> None:
        """Have it done where the server lives, and wait until it is."""

        async def do() -> None:
            act()

        asyncio.run_coroutine_threadsafe(do(), self._loop).result(10)

    # -- in its own thread --------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self._gate.set()
        try:
            listener = await self._loop.create_server(self._accept, HOST, 0, backlog=BACKLOG)
            self._started.set_result(int(listener.sockets[0].getsockname()[1]))
        except BaseException as error:
            self._started.set_exception(error)
            return
        await self._end.wait()
        listener.close()
        for task, wire in self._serving.items():
            wire.writer.transport.abort()
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def _accept(self) -> asyncio.StreamReaderProtocol:
        ear = Ear()
        return asyncio.StreamReaderProtocol(ear, lambda _, writer: self._connected(Wire(ear, writer)))

    def _connected(self, wire: Wire) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(wire))
        self._serving[task] = wire
        task.add_done_callback(self._serving.pop)

    async def _serve(self, wire: Wire) -> None:
        """Answer all requests of a connection."""
        counted = False
        try:
            while request := await wire.read():
                if not counted:
                    counted = True
                    self._log.connect()
                ending = await self._answer(wire, request)
                if ending is not ConnectionEnd.KEEP:
                    break
        except ConnectionError:
            pass  # The client has left; the record says so.
        except Exception as failure:
            traceback.print_exc()
            self._failures.append(failure)
        finally:
            self._log.counters.connections -= counted
            await wire.close()

    async def _answer(self, wire: Wire, request: HttpRequest) -> ConnectionEnd:
        record, answer = self._decide(request, self._log.counters.requests)
        self._log.arrive(record)
        in_flight, sent = True, False
        try:
            await wire.pause(record.behaviour.delay)
            await wire.until(self._gate)
            if record.behaviour.kind is Kind.SILENCE:
                await wire.pause(record.behaviour.seconds)
            *most, last = _pieces(answer, record.behaviour.byte_delay)
            for piece in most:
                await wire.write(piece)
                await wire.pause(record.behaviour.byte_delay)
            if wire.reader.left.is_set():
                raise ClientLeft
            sent = answer.ending is ConnectionEnd.KEEP
            self._log.leave(sent=sent)
            in_flight = False
            await wire.write(last)
            if record.behaviour.kind is Kind.STALL_AT_END:
                await wire.pause(record.behaviour.seconds)
        except ConnectionError:
            self._log.counters.answered -= sent  # the last piece did not get out after all
            raise
        finally:
            if in_flight:
                self._log.leave(sent=False)
        if answer.ending is ConnectionEnd.RESET:
            await wire.reset()
        return answer.ending

    def _decide(self, request: HttpRequest, number: int) -> tuple[Record, HttpAnswer]:
        """Choose the answer. A request that is not understood gets 400 or 404, whatever the script says."""
        body = _json_object(request)
        record = Record(request.path, body or {}, request.headers)
        path = self._path(request)
        if (request.method, path) not in ENDPOINTS:
            wrong = bad_request(f"Invalid URL ({request.method} {request.path})")
            return record, json_answer(404, wrong.document, number)
        asked = None if body is None else ApiRequest(path, body)
        if asked is None or asked.problem:
            record.status = 400
            told = asked.problem if asked else "We could not parse the JSON body of your request."
            return record, json_answer(400, bad_request(str(told)).document, number)
        record.key = asked.key(self._pattern)
        if told := self._refuses(asked.body):
            record.status = 400
            return record, json_answer(400, bad_request(told).document, number)
        self._log.attempts[record.key] += 1
        record.attempt = self._log.attempts[record.key]
        record.behaviour = Behaviour.of(self._script(record.key, record.attempt))
        key_sent = (record.authorization or "").removeprefix("Bearer ")
        turn = pick_turn(self._answers(record.key), asked.turns)

        def note(reply: ModelOutput) -> None:
            record.charged = reply.usage.total if reply.usage else 0

        return record, answer_to(asked, record.behaviour, turn, number, key_sent, note)

    def _path(self, request: HttpRequest) -> str:
        """The path of the API in a request."""
        (path, _, query), (base, _, own) = request.path.partition("?"), self._base.partition("?")
        return f"/v1{path.removeprefix(base)}" if query == own and path.startswith(f"{base}/") else request.path


def _json_object(request: HttpRequest) -> Json | None:
    """Return the body of a request; none where it is no JSON object."""
    try:
        body = json.loads(request.body or b"{}")
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _pieces(answer: HttpAnswer, byte_delay: float) -> list[bytes]:
    """Divide an answer into what is written at a time. There is always a last piece, even if it is empty."""
    if not byte_delay:
        return [answer.head, *answer.parts] if answer.parts else [b""]
    return [answer.head, *(bytes([byte]) for byte in b"".join(answer.parts))]
