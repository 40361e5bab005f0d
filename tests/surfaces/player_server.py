"""An OpenAI-compatible server on loopback whose model is a player of a suite, for the runners of other tools.

It tells tasks apart by the messages that open them, and answers the model names `oracle`, `noop` and so on, also behind
a slash: `herobench run` asks no server for a name that is a player's.
A suite that rewrites its opening later, as autumn does, can only be played by the oracle: it knows its replies.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from herobench.conversation import Message, Reply, Request, ToolCall
from herobench.models.messages import chat_message, chat_tool, content_text
from herobench.scorer import Scorer, TaskQuery


class PlayerModel:
    """Answers the conversations of some tasks as a player does, with the same words, or with these: always, or to the
    tasks of a mapping."""

    def __init__(self, scorer: Scorer, says: str | Mapping[str, str] | None = None) -> None:
        self._scorer, self._says = scorer, says
        self._known = {_told(scorer.opening(task_id)): task_id for task_id in scorer.tasks}
        self._course: Course | None = None
        self._players: dict[str, Any] = {}
        self._lock = Lock()
        self.tools = {task_id: [chat_tool(tool) for tool in scorer.play(task_id).tools] for task_id in scorer.tasks}

    def answer(self, body: Mapping[str, Any]) -> Reply:
        """Return the reply to a request's body. Raise LookupError for a conversation that no task opens."""
        if isinstance(self._says, str):
            return Reply(self._says, stop="stop")
        messages = [_message(row) for row in body["messages"]]
        told = _told(messages)
        with self._lock:
            task_id = next((id for opening, id in self._known.items() if opening in told), None)
            if task_id is None:
                self._course = self._course or Course(self._scorer)
                return self._course.reply(messages)
            if self._says and task_id in self._says:
                return Reply(self._says[task_id], stop="stop")
            name = body["model"].rpartition("/")[2]
            player = self._players.setdefault(name, self._scorer._suite.player(name))
            tools = self._scorer.play(task_id).tools
            return asyncio.run(player.reply(Request(task_id, 0, messages, tools)))


class Course:
    """The conversations of the oracle with all tasks, and its reply to each."""

    def __init__(self, scorer: Scorer) -> None:
        self._turns: dict[str, list[tuple[str, int, Reply]]] = {}
        self._next = dict.fromkeys(scorer.tasks, 0)
        for task_id in scorer.tasks:
            play = scorer.play(task_id)
            for turn, reply in enumerate(scorer.solution(task_id)):
                if turn:  # the opening itself tells the task
                    self._turns.setdefault(_told(play.conversation), []).append((task_id, turn, reply))
                play.say(reply)

    def reply(self, messages: Sequence[Message]) -> Reply:
        """Return the reply to a conversation. Where several turns have the same one, they come in their order."""
        turns = self._turns.get(_told(messages))
        if turns is None:
            raise LookupError(f"no task opens with {str(messages)[:200]}")
        task_id, turn, reply = next((turn for turn in turns if turn[1] > self._next[turn[0]]), turns[-1])
        self._next[task_id] = turn
        return reply


def _told(messages: Sequence[Message]) -> str:
    """Return the text of a conversation, whatever a tool does to white space around messages."""
    return "\n".join(message.text.strip() for message in messages)


def _message(row: Mapping[str, Any]) -> Message:
    calls = tuple(
        ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
        for call in row.get("tool_calls") or ()
    )
    return Message(row["role"], content_text(row.get("content")), calls, row.get("tool_call_id"))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: PlayerModel
    asked: list[int]

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "oracle", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(len(body["messages"]))
        try:
            reply = self.model.answer(body)
        except LookupError as error:
            self._send({"error": {"message": str(error), "type": "invalid_request_error"}}, 400)
            return
        message = chat_message(reply.as_message())
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if reply.tool_calls else "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        head = {"id": "chatcmpl-1", "created": 0, "model": body["model"]}
        if not body.get("stream"):
            self._send({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        for number, call in enumerate(message.get("tool_calls", ())):
            call["index"] = number
        delta = {"index": 0, "delta": message, "finish_reason": choice["finish_reason"]}
        chunk = {**head, "object": "chat.completion.chunk", "choices": [delta], "usage": usage}
        self._write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode(), "text/event-stream")

    def _send(self, document: Mapping[str, Any], status: int = 200) -> None:
        self._write(json.dumps(document).encode(), "application/json", status)

    def _write(self, data: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(
    wanted: TaskQuery, says: str | Mapping[str, str] | None = None, asked: list[int] | None = None
) -> Iterator[str]:
    """Serve the players of a suite, and give the base URL, such as http://127.0.0.1:40000/v1.

    `asked` gets the number of messages of each request.
    """
    with Scorer(wanted) as scorer:
        handler = type(
            "Handler", (_Handler,), {"model": PlayerModel(scorer, says), "asked": [] if asked is None else asked}
        )
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
