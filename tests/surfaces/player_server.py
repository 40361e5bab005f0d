"""An OpenAI-compatible server on loopback whose model is a player of a suite, for the runners of other tools.

    python -m tests.surfaces.player_server suite=rpg dataset=base limit=60          # prints the base URL
    python -m tests.surfaces.player_server suite=epoch mode=plan --says "no plan"   # always says that

It tells tasks apart by the messages that open them, and answers the model names `oracle`, `noop` and so on.
"""

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from herobench.conversation import Message, Reply, Request, ToolCall
from herobench.models.chat_messages import chat_message, chat_tool, content_of
from herobench.scorer import Scorer, Wanted


class PlayerModel:
    """Answers the conversations of some tasks as a player does, or always with the same words."""

    def __init__(self, scorer: Scorer, says: str | None = None) -> None:
        self._scorer, self._says = scorer, says
        self._known = {_opening(scorer.opening(task_id)): task_id for task_id in scorer.tasks}
        self._players: dict[str, Any] = {}
        self._lock = Lock()
        self.tools = {task_id: [chat_tool(tool) for tool in scorer.play(task_id).tools] for task_id in scorer.tasks}

    def answer(self, body: Mapping[str, Any]) -> Reply:
        """Return the reply to a request's body. Raise LookupError for a conversation that no task opens."""
        if self._says is not None:
            return Reply(self._says, stop="stop")
        messages = [_message(row) for row in body["messages"]]
        task_id = next((id for opening, id in self._known.items() if opening in _opening(messages)), None)
        if task_id is None:
            raise LookupError(f"no task opens with {str(body['messages'])[:200]}")
        with self._lock:
            player = self._players.setdefault(body["model"], self._scorer._suite.player(body["model"]))
            tools = self._scorer.play(task_id).tools
            return asyncio.run(player.reply(Request(task_id, 0, messages, tools)))


def _opening(messages: Sequence[Message]) -> str:
    """Return the text that tells a task from others: what users and systems said before the first reply."""
    told = []
    for message in messages:
        if message.role in ("assistant", "tool"):
            break
        told.append(message.text.strip())
    return "\n".join(told)


def _message(row: Mapping[str, Any]) -> Message:
    calls = tuple(
        ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
        for call in row.get("tool_calls") or ()
    )
    return Message(row["role"], content_of(row.get("content")), calls, row.get("tool_call_id"))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: PlayerModel

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "oracle", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
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
def served(wanted: Wanted, says: str | None = None) -> Iterator[str]:
    """Serve the players of a suite, and give the base URL, such as http://127.0.0.1:40000/v1."""
    with Scorer(wanted) as scorer:
        handler = type("Handler", (_Handler,), {"model": PlayerModel(scorer, says)})
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


def main(words: Sequence[str]) -> None:
    says = words[words.index("--says") + 1] if "--says" in words else None
    knobs = dict(word.split("=", 1) for word in words if "=" in word and word != says)
    with served(Wanted(**knobs), says) as url:
        print(url, flush=True)
        sys.stdin.read()  # until the parent closes it


if __name__ == "__main__":
    main(sys.argv[1:])
