"""The MCP server of `herobench mcp`: an agent lists tasks, plays attempts turn by turn, or submits a whole answer.

It needs the extra `mcp`. The library was renamed within its major version 2: both forms are understood. What a client
can reach is what a model is told, and results: no tool shows the solution of a task.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, TypeVar

from herobench.conversation import Reply, ToolCall
from herobench.errors import HeroBenchError
from herobench.scorer import Result, Said, Scorer
from herobench.surfaces import stand
from herobench.surfaces.refused import refuse_unknown
from herobench.surfaces.serve.body_cap import BodyCap
from herobench.surfaces.sessions import Session, Sessions
from herobench.surfaces.work import Work

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    _IS_NEW = True
except ImportError:
    from mcp.server.fastmcp import FastMCP as MCPServer
    from mcp.server.fastmcp.exceptions import ToolError

    _IS_NEW = False

_Made = TypeVar("_Made")
_MOST_LISTED = 200
_PARSE_ERROR = -32700
"""The code of JSON-RPC for a text that is no JSON."""

_ABOUT = """Tasks of the benchmark suite {suite} ({dataset}), each with a goal that takes planning.

list_tasks names them, and show_task tells one. Then either submit_answer, which scores a whole answer at once, or play:
start_attempt, then say or call_tool for each turn until `over` is true. A task with `tools` is played by call_tool."""


def _server(host: str, **own: Any) -> Any:
    """Return a server of the library that calls itself herobench, in our version."""
    if _IS_NEW:
        return MCPServer("herobench", version=version("herobench"), **own)
    server = MCPServer("herobench", host=host, **own)
    # the old form takes no version, and would tell that of the library
    server._mcp_server.version = version("herobench")
    return server


class McpServer:
    """Tools over the tasks of a scorer. The scorer is the caller's: close this server first."""

    def __init__(self, scorer: Scorer, host: str = "127.0.0.1") -> None:
        self._scorer, self._host = scorer, host
        self._played, self._work = Sessions(scorer), Work(scorer.jobs)
        own = {"log_level": "WARNING", "instructions": _ABOUT.format(suite=scorer.suite, dataset=scorer.dataset)}
        self._server = _server(host, **own)
        for tool in (
            self.list_tasks,
            self.show_task,
            self.start_attempt,
            self.say,
            self.call_tool,
            self.end_attempt,
            self.submit_answer,
        ):
            self._server.add_tool(tool)

    def run_stdio(self) -> None:
        """Serve the program at the other end of standard input and output, until it closes them."""
        self._server.run()

    def http_app(self) -> Any:
        """Return the application for streamable HTTP, whose path is /mcp. Its requests have a most size."""
        given = {"host": self._host} if _IS_NEW else {}
        # an old library has no bound of its own, and shows a traceback for what is no JSON
        return BodyCap(_JsonOnly(self._server.streamable_http_app(**given)))

    def close(self) -> None:
        """Drop what waits, and end the threads."""
        self._work.close()

    async def list_tasks(self, offset: int = 0, limit: int = 50) -> dict[str, Any]:
        """List tasks with their groups, such as brackets of difficulty. `limit` is 200 at most."""
        if offset < 0 or not 1 <= limit <= _MOST_LISTED:
            raise ToolError(f"Give an offset of 0 or more, and a limit from 1 to {_MOST_LISTED}.")
        return stand.listed(self._scorer, offset, limit)

    async def show_task(self, task_id: str) -> dict[str, Any]:
        """Tell a task as a model is told it: the rules of its world, the goal, and the tools if it has any."""
        return await self._done(stand.shown, self._scorer, task_id)

    async def start_attempt(self, task_id: str, epoch: int = 0) -> dict[str, Any]:
        """Start an attempt. The answer has the `session_id` for the next calls, and the messages that open it."""
        return stand.began(await self._done(self._played.open, task_id, epoch))

    async def say(self, session_id: str, text: str) -> dict[str, Any]:
        """Say a turn as text, such as a plan in a block of code. The answer tells what came of it."""
        return await self._done(self._said, session_id, text)

    async def call_tool(self, session_id: str, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call one of the attempt's own tools, as `tools` lists them. The answer tells what came of it."""
        return await self._done(self._called, session_id, name, arguments or {})

    async def end_attempt(self, session_id: str) -> dict[str, Any]:
        """End an attempt, over or not, and return its result. The session is gone then."""
        return _told((await self._done(self._played.end, session_id)).as_row())

    async def submit_answer(self, task_id: str, answer: str) -> dict[str, Any]:
        """Score a whole answer, such as a plan in a block of code, in one call. Return the result."""
        return _told((await self._done(self._score, task_id, answer)).as_row())

    async def _done(self, call: Callable[..., _Made], *given: Any) -> _Made:
        """Make a call in a thread of its own. Its refusals are told to the model."""
        try:
            return await self._work.one(call, *given)
        except HeroBenchError as error:
            raise ToolError(str(error)) from error

    def _said(self, session_id: str, turn: Said) -> dict[str, Any]:
        return _after(self._played.at(session_id), turn)

    def _called(self, session_id: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        session = self._played.at(session_id)
        call = ToolCall(f"call_{session.play.turns}", name, json.dumps(arguments))
        return _after(session, Reply("", (call,)))

    def _score(self, task_id: str, answer: str) -> Result:
        refuse_unknown(self._scorer, task_id)
        return self._scorer.score(task_id, answer)


def _after(session: Session, turn: Said) -> dict[str, Any]:
    """Play a turn, and return how the session stands after it."""
    stands = stand.said(session, turn)
    return {**stands, "result": stands["result"] and _told(stands["result"])}


def _told(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result without its details. They name things that a solution needs, and the agent may try again."""
    return {name: value for name, value in result.items() if name != "details"}


class _JsonOnly:
    """Refuses bodies of requests that are no JSON, or nested too deeply to be read. An ASGI middleware."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle one connection."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        events = [await receive()]
        while events[-1].get("more_body", False):
            events.append(await receive())
        try:
            json.loads(b"".join(event.get("body", b"") for event in events))
        except (ValueError, RecursionError):
            told = {"code": _PARSE_ERROR, "message": "The body is no JSON, or it is nested too deeply."}
            body = json.dumps({"jsonrpc": "2.0", "id": None, "error": told}).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": 400, "headers": headers})
            await send({"type": "http.response.body", "body": body})
            return
        read = iter(events)

        async def again() -> Any:
            return next(read, None) or await receive()

        await self._app(scope, again, send)
