"""The server itself: it listens, has the script say what each request meets with, sends that, and keeps the log.

It lives in one event loop and is used from there; `thread` and `process` put it where a test can reach it.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import traceback
from collections.abc import Mapping
from typing import Any

from tests.loopback.api_request import CHAT, MODELS, RESPONSES, ApiRequest
from tests.loopback.behaviour import Behaviour, Kind
from tests.loopback.control import control
from tests.loopback.error_documents import bad_request
from tests.loopback.http_answer import ConnectionEnd, HttpAnswer, answer_to, json_answer
from tests.loopback.http_wire import ClientLeft, Ear, HttpRequest, Wire
from tests.loopback.log import Log, Record
from tests.loopback.manners import AZURE, VERSION, Asked, Given, Manner, in_manner, refusal
from tests.loopback.model_output import ModelOutput
from tests.loopback.script import Answers, AnswerTable, Script, answers_of, script_of, turn_of

HOST = "127.0.0.1"
ENDPOINTS = {("POST", CHAT), ("POST", RESPONSES), ("GET", MODELS)}
BACKLOG = 4096


class Server:
    def __init__(
        self,
        script: Script | Mapping[str, Any] | None = None,
        answers: Answers | AnswerTable | None = None,
        key: str | None = None,
        manner: Manner | None = None,
    ) -> None:
        self.manner = manner
        self.given = Given()
        self.script = script_of(script)
        self.answers = answers_of(answers)
        self.pattern = re.compile(key) if key else None
        self.log = Log()
        self.gate = asyncio.Event()
        """Answers wait while it is not set."""
        self.failures: list[Exception] = []
        """Exceptions in the server, or in a script that is a function; never the fault of the client."""
        self._serving: dict[asyncio.Task[None], Wire] = {}

    async def start(self, port: int = 0) -> int:
        """Listen, and say on which port."""
        self.gate.set()
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(self._accept, HOST, port, backlog=BACKLOG)
        return int(self._listener.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Close all that is open, and wait until nothing is left to do."""
        self._listener.close()
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
        """All requests of a connection."""
        counted = False
        try:
            while request := await wire.read():
                answer = control(self, request)
                if answer is None:
                    if not counted:
                        counted = True
                        self.log.connect()
                    ending = await self._answer(wire, request)
                else:
                    for piece in _pieces(answer, 0):
                        await wire.write(piece)
                    ending = answer.ending
                if ending is not ConnectionEnd.KEEP or not request.keeps_alive:
                    break
        except ConnectionError:
            pass  # The client has left; the record says so.
        except Exception as failure:
            traceback.print_exc()
            self.failures.append(failure)
        finally:
            if counted:
                self.log.disconnect()
            await wire.close()

    async def _answer(self, wire: Wire, request: HttpRequest) -> ConnectionEnd:
        number = self.log.counters.requests
        record, answer = self._decide(request, number)
        self.log.arrive(record)
        in_flight = True
        try:
            await wire.pause(record.behaviour.delay)
            await wire.until(self.gate)
            if record.behaviour.kind is Kind.SILENCE:
                await wire.pause(record.behaviour.seconds)
            *most, last = _pieces(answer, record.behaviour.byte_delay)
            for piece in most:
                await wire.write(piece)
                await wire.pause(record.behaviour.byte_delay)
            if wire.reader.left.is_set():
                raise ClientLeft
            self.log.leave(record, sent=answer.ending is ConnectionEnd.KEEP)
            in_flight = False
            await wire.write(last)
            if record.behaviour.kind is Kind.STALL_AT_END:
                await wire.pause(record.behaviour.seconds)
        except ConnectionError:
            if record.sent:
                self.log.take_back(record)
            raise
        finally:
            if in_flight:
                self.log.leave(record, sent=False)
        if answer.ending is ConnectionEnd.RESET:
            await wire.reset()
        return answer.ending

    def _decide(self, request: HttpRequest, number: int) -> tuple[Record, HttpAnswer]:
        """Choose the answer. A request that is not understood gets 400 or 404, whatever the script says."""
        record = Record(
            arrived=time.monotonic(),
            method=request.method,
            path=request.path,
            key="",
            attempt=0,
            raw=request.body,
            authorization=request.headers.get("authorization"),
            user_agent=request.headers.get("user-agent"),
            behaviour=Behaviour(),
        )
        path = self._path(request)
        if (request.method, path) not in ENDPOINTS:
            wrong = bad_request(f"Invalid URL ({request.method} {request.path})")
            return record, json_answer(404, wrong.document, number)
        asked = _api_request(request, path)
        problem = asked.problem if isinstance(asked, ApiRequest) else asked
        if problem or not isinstance(asked, ApiRequest):
            record.status = 400
            return record, json_answer(400, bad_request(str(problem)).document, number)
        record.key = asked.key(self.pattern)
        refused = self.manner and refusal(self.manner, Asked(asked, request.headers, self.given))
        if refused:
            record.status = refused.status
            return record, json_answer(refused.status, refused.document, number)
        record.attempt = self.log.attempt(record.key)
        record.behaviour = Behaviour.of(self.script(record.key, record.attempt))
        key_sent = (record.authorization or "").removeprefix("Bearer ")
        turn = turn_of(self.answers(record.key), asked.turns)
        return record, answer_to(asked, record.behaviour, turn, number, key_sent, self._in_manner)

    def _path(self, request: HttpRequest) -> str:
        """The path of the API in a request."""
        if self.manner is not Manner.AZURE:
            return request.path
        path, _, query = request.path.partition("?")
        return (
            f"/v1{path.removeprefix(AZURE)}" if query == f"api-version={VERSION}" and path.startswith(AZURE) else path
        )

    def _in_manner(self, reply: ModelOutput) -> ModelOutput:
        if self.manner is None:
            return reply
        reply = in_manner(self.manner, reply)
        self.given.note(reply)
        return reply


def _api_request(request: HttpRequest, path: str) -> ApiRequest | str:
    """The asked of a request, or why it is none."""
    try:
        body = json.loads(request.body or b"{}")
    except ValueError:
        body = None
    if not isinstance(body, dict):
        return "We could not parse the JSON body of your request."
    return ApiRequest(path, body)


def _pieces(answer: HttpAnswer, byte_delay: float) -> list[bytes]:
    """Divide an answer into what is written at a time. There is always a last piece, even if it is empty."""
    if not byte_delay:
        return [answer.head, *answer.parts] if answer.parts else [b""]
    return [answer.head, *(bytes([byte]) for byte in b"".join(answer.parts))]
