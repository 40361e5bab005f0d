"""The MCP server of `herobench mcp`: an agent lists tasks, plays attempts turn by turn, or submits a whole answer.

It needs the extra `mcp`. The library renamed its modules within its major version 2: both forms work. A client can see
the messages to a model and the results. No tool shows the solution of a task.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import Field, ValidationError

from herobench.conversation import Reply, ToolCall
from herobench.data.errors import HeroBenchError
from herobench.scorer import Result, Scorer
from herobench.surfaces.http_guards import BodyCap
from herobench.surfaces.sessions import (
    Refused,
    ScoringQueue,
    Sessions,
    refuse_unknown_task,
    refuse_window,
    task_list,
    task_view,
    wrong_fields,
)

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.shared.exceptions import MCPError

    _IS_NEW = True
except ImportError:
    from mcp.server.fastmcp import FastMCP as MCPServer
    from mcp.server.fastmcp.exceptions import ToolError

    _IS_NEW = False

_Made = TypeVar("_Made")
_MOST_LISTED = 200
_Whole = Annotated[int, Field(strict=True)]
"""A whole number; texts and booleans are refused, although they could be converted."""

_HTTP = {"stateless_http": True, "json_response": True}
"""Settings of the library for independent requests, with answers that are no streams."""
_PARSE_ERROR = -32700
"""The code of JSON-RPC for a text that is not JSON."""

_ABOUT = """Tasks of the benchmark suite {suite} ({dataset}), each with a goal that takes planning.

list_tasks names them, and show_task tells one. Then either submit_answer, which scores a whole answer at once, or play:
start_attempt, then say or call_tool for each turn until `over` is true. A task with `tools` is played by call_tool."""


class _Server(MCPServer):  # type: ignore[misc]
    """Answers a wrong call with our own sentence, without the words that the library puts around it."""

    async def call_tool(self, name: str, arguments: dict[str, Any], *context: Any) -> Any:
        """Call a tool."""
        try:
            return await super().call_tool(name, arguments, *context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                sentence = wrong_fields(error.__cause__.errors())
            elif isinstance(error.__cause__, ToolError):
                sentence = str(error.__cause__)
            else:
                raise
            raise ToolError(sentence) from None


def _server(host: str, **own: Any) -> Any:
    """Return a server of the library with our name and version."""
    if _IS_NEW:
        return _Server("herobench", version=version("herobench"), subscriptions=_NoSubscriptions(), **own)
    server = _Server("herobench", host=host, **_HTTP, **own)
    # The old form takes no version, and would show that of the library.
    server._mcp_server.version = version("herobench")
    return server


class _NoSubscriptions:
    """Refuses streams of news: there is no news, and each stream would hold a connection."""

    async def publish(self, event: Any) -> None:
        """Drop an event."""

    def subscribe(self, listener: Any) -> NoReturn:
        """Refuse a client."""
        raise MCPError(-32_600, "This server has no news to subscribe to.")


def _strict(server: Any, name: str) -> None:
    """Make a tool refuse unknown arguments, which the library would drop."""
    tool = server._tool_manager.get_tool(name)
    model = tool.fn_metadata.arg_model
    model.model_config["extra"] = "forbid"
    model.model_rebuild(force=True)
    tool.parameters = model.model_json_schema(by_alias=True)


class McpServer:
    """Tools over the tasks of a scorer. The scorer is the caller's: close this server first."""

    def __init__(self, scorer: Scorer, host: str = "127.0.0.1") -> None:
        refuse_window(scorer.query)
        self._scorer, self._host = scorer, host
        self._sessions, self._work = Sessions(scorer), ScoringQueue(scorer.jobs)
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
            _strict(self._server, tool.__name__)

    def run_stdio(self) -> None:
        """Serve the program at the other end of standard input and output, until it closes them."""
        self._server.run()

    def http_app(self) -> Any:
        """Return the application for streamable HTTP, whose path is /mcp. Each request stands alone.

        The sessions of the library are not used: its old form keeps every session for ever. Attempts are in our own
        sessions, whose number is limited.
        """
        app = self._server.streamable_http_app(**({"host": self._host, **_HTTP} if _IS_NEW else {}))
        for route in app.routes:
            route.methods = {"POST"}  # a GET would wait for news, and hold its connection
        return BodyCap(app, check=_not_json)

    def close(self) -> None:
        """Drop the waiting calls, and end the threads."""
        self._work.close()

    async def list_tasks(self, offset: _Whole = 0, limit: _Whole = 50) -> dict[str, Any]:
        """List tasks with their groups, such as brackets of difficulty. `limit` is 200 at most."""
        if offset < 0 or not 1 <= limit <= _MOST_LISTED:
            raise ToolError(f"Give an offset of 0 or more, and a limit from 1 to {_MOST_LISTED}.")
        return task_list(self._scorer, offset, limit)

    async def show_task(self, task_id: str) -> dict[str, Any]:
        """Tell a task as a model is told it: the rules of its world, the goal, and the tools if it has any."""
        return await self._done(task_view, self._scorer, task_id)

    async def start_attempt(self, task_id: str, epoch: _Whole = 0) -> dict[str, Any]:
        """Start an attempt. The answer has the `session_id` for the next calls, and the messages that open it."""
        return (await self._done(self._sessions.open, task_id, epoch)).opening_state()

    async def say(self, session_id: str, text: str) -> dict[str, Any]:
        """Say a turn as text, such as a plan in a block of code. The answer tells what came of it."""
        return await self._done(self._say, session_id, text)

    async def call_tool(self, session_id: str, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call one of the attempt's own tools, as `tools` lists them. The answer tells what came of it."""
        return await self._done(self._call_tool, session_id, name, arguments or {})

    async def end_attempt(self, session_id: str) -> dict[str, Any]:
        """End an attempt, over or not, and return its result. The session is gone then."""
        return (await self._done(self._sessions.end, session_id)).as_row(details=False)

    async def submit_answer(self, task_id: str, answer: str) -> dict[str, Any]:
        """Score a whole answer, such as a plan in a block of code, in one call. Return the result."""
        return (await self._done(self._score, task_id, answer)).as_row(details=False)

    async def _done(self, call: Callable[..., _Made], *given: Any) -> _Made:
        """Make a call in another thread. A refusal becomes an error that the model sees."""
        try:
            return await self._work.one(call, *given)
        except HeroBenchError as error:
            raise ToolError(str(error)) from error

    def _say(self, session_id: str, text: str) -> dict[str, Any]:
        return self._sessions.at(session_id).play_turn(text)

    def _call_tool(self, session_id: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        session = self._sessions.at(session_id)
        if not session.play.tools:
            raise Refused(422, "This attempt has no tools: say the turn as text.")
        call = ToolCall(f"call_{session.play.turns}", name, json.dumps(arguments))
        return session.play_turn(Reply("", (call,)))

    def _score(self, task_id: str, answer: str) -> Result:
        refuse_unknown_task(self._scorer, task_id)
        if self._scorer.play(task_id).tools:
            raise Refused(422, "This task is played by calls of its tools: start an attempt.")
        return self._scorer.score(task_id, answer)


def _not_json(body: bytes) -> dict[str, Any] | None:
    """Return the refusal of a body that is not JSON; None for others. An old library shows a traceback for it."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        error = {"code": _PARSE_ERROR, "message": "The body is no JSON, or it is nested too deeply."}
        return {"jsonrpc": "2.0", "id": None, "error": error}
    return None
