"""Serves the page to a browser on this machine, and to nothing else.

- It listens on 127.0.0.1. The address has a random token, so that no other user and no other page knows it.
- A request must name this host, also in `Origin` if it has one; one that acts must have an `Origin`. This keeps out
  pages of other sites, also those whose name leads to this machine.
- The files are read at the start: a path is looked up in a table and never opened.
- The page may load nothing from elsewhere, and runs only the scripts that are served here.

A person sits in a seat: the run asks there as it asks a model, and the page answers. The run lives in an event loop,
the page's requests in threads of their own. Each question has a number, and an answer names the question that it is
for: a page that was left open, or sends an answer twice, acts only once. Its `Page` decides how a question is shown,
and which reply an answer becomes.

At the page for any suite a person reads what a model is told, calls its tools, and writes its answers. So nothing of a
suite is made for people: the sample of a person compares with those of models, and its seconds are the time that the
person took. A suite may bring a page of its own, by an entry point in the group `herobench.pages`.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import Future
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from secrets import token_hex
from threading import Condition, Thread
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from herobench.conversation import Message, Reply, Request, ToolCall
from herobench.data.documents import json_object
from herobench.data.errors import UsageError

HOST = "127.0.0.1"
_LONGEST_WAIT = 20.0
"""Seconds after which a page that waits for the next frame gets the answer that there is none yet."""
_LAST_WORDS = 3.0
"""Seconds that open requests have to end when the server stops."""
_FRAME = "frame.html"
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Page(ABC):
    """A page of its own files, which are in the folder `files` of a package.

    The frame of all pages (`shared/frame.html`) holds its `page.html`, and loads its `page.js`.
    """

    package: ClassVar[str]
    longest: ClassVar[int]
    """The most bytes of a request that answers."""
    options: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The settings of the suite with which the page plays. A person may give others."""
    tells_verdicts: ClassVar[bool] = False
    """True if a person is told the verdict on an attempt before the next one is asked."""

    def check(self, row: Mapping[str, Any]) -> None:  # noqa: B027 - most pages show every task
        """Raise UsageError for the row of a task that the page cannot show. It is asked before the page is opened."""

    @abstractmethod
    def view(self, request: Request) -> Any:
        """Return what the page shows of a question, as data."""

    @abstractmethod
    def reply(self, answer: object) -> Reply | None:
        """Return the reply that an answer of the page is; None if it is none."""

    def verdict(self, sample: Mapping[str, Any]) -> Any:
        """Return what the page tells of a sample that is stored, as data; None for nothing."""
        return None


class _Question(NamedTuple):
    number: int
    view: Any
    answer: Future[Reply]


class Seat:
    """A person behind the protocol of a model. The run asks one question at a time."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._changed = Condition()
        self._number = 0
        self._question: _Question | None = None
        self._begun: dict[tuple[str, int], None] = {}
        """The attempts of this session."""
        self._before = self._finished = self._total = 0
        self._verdict: Any = None
        """The verdict on the attempt that was stored last."""
        self._left = self._over = False

    # -- the run ------------------------------------------------------------------------------------------------------

    def expect(self, before: int, total: int) -> None:
        """Take in how many attempts the run has, and how many are done."""
        self._before, self._total = before, total

    def finish(self, sample: Mapping[str, Any]) -> None:
        """Count an attempt that is stored as a sample, and tell the verdict on it."""
        verdict = self.page.verdict(sample)
        with self._changed:
            self._finished += 1
            self._verdict = verdict
            self._changed.notify_all()

    async def reply(self, request: Request) -> Reply:
        """Show the page what there is to see, and wait for the person's action.

        Raise CancelledError when the person is sent away: the attempt stays owed, and keeps its turns.
        """
        answer: Future[Reply] = Future()
        view = self.page.view(request)
        with self._changed:
            if self._left:
                raise asyncio.CancelledError
            self._number += 1
            self._begun.setdefault((request.task_id, request.epoch))
            self._question = _Question(self._number, view, answer)
            self._changed.notify_all()
        return await asyncio.wrap_future(answer)

    def leave(self) -> None:
        """Send the person away, since the run is being stopped."""
        with self._changed:
            self._left = True
            if self._question is not None:
                self._settle(self._question, None)

    async def close(self) -> None:
        """Tell the page that nothing more is asked."""
        with self._changed:
            self._question, self._over = None, True
            self._changed.notify_all()

    # -- the page -----------------------------------------------------------------------------------------------------

    def act(self, number: int, answer: object) -> bool:
        """Answer a question. Return False if this can be no answer."""
        reply = self.page.reply(answer)
        if reply is None:
            return False
        with self._changed:
            if self._question is not None and self._question.number == number:
                self._settle(self._question, reply)
        return True

    def state(self, after: int, seconds: float) -> dict[str, Any]:
        """Wait up to `seconds` for a question with a higher number. Return the present state."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._is_asked(after), seconds)
            more = {} if self._verdict is None else {"verdict": self._verdict}
            if self._over:
                return {"over": "done" if self._before + self._finished == self._total else "stopped", **more}
            if self._question is None or self._owes_verdict:
                return {"number": after, "view": None}
            place = self._before + len(self._begun)
            return {"number": self._number, "place": place, "total": self._total, "view": self._question.view, **more}

    @property
    def _owes_verdict(self) -> bool:
        """True while an attempt before the present one is being judged, and the page tells verdicts."""
        return self.page.tells_verdicts and self._finished < len(self._begun) - 1

    def _is_asked(self, after: int) -> bool:
        return self._question is not None and self._question.number > after and not self._owes_verdict

    def _settle(self, question: _Question, reply: Reply | None) -> None:
        """Hand a reply to the run, or cancel its question."""
        self._question = None
        if reply is None:
            question.answer.cancel()
        elif question.answer.set_running_or_notify_cancel():  # else nobody waits any more
            question.answer.set_result(reply)


class PageServer(ThreadingHTTPServer):
    """A server of the page, for one seat. It works in threads of its own inside of a `with` statement."""

    daemon_threads = True

    def __init__(self, seat: Seat, port: int = 0) -> None:
        try:
            super().__init__((HOST, port), _Answer)
        except OSError as error:
            raise UsageError(f"The port {port} of {HOST} cannot be used: {error.strerror}.") from error
        self.seat = seat
        self.token = secrets.token_urlsafe(24)
        self.files = _page_files(seat.page.package)
        self._thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._busy = 0
        self._idle = Condition()

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which a browser may ask."""
        return tuple(f"{name}:{self.server_port}" for name in (HOST, "localhost"))

    @property
    def url(self) -> str:
        """The address of the page, with the token."""
        return f"http://{self.hosts[0]}/{self.token}/"

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer one request, and count it as open meanwhile."""
        with self._idle:
            self._busy += 1
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._idle:
                self._busy -= 1
                self._idle.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a browser may go away at any time."""

    def __enter__(self) -> PageServer:
        self._thread.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:  # the page is to hear how it ended
            with self._idle:
                self._idle.wait_for(lambda: not self._busy, _LAST_WORDS)
        self.shutdown()
        self.server_close()


def _page_files(package: str) -> Mapping[str, tuple[str, bytes]]:
    """Return the files that all pages have and those of one, each with its type. The page itself has the empty name."""
    folders = (files("herobench.page").joinpath("shared"), files(package).joinpath("files"))
    every = (file for folder in folders for file in folder.iterdir())
    contents = {file.name: file.read_bytes() for file in every if _ending(file.name) in _TYPES}
    contents[_FRAME] = contents[_FRAME].replace(b"<!-- the page -->\n", contents.pop("page.html"))
    served = {name: (f"{_TYPES[_ending(name)]}; charset=utf-8", content) for name, content in contents.items()}
    return {"": served.pop(_FRAME), **served}


def _ending(name: str) -> str:
    return name.rpartition(".")[2]


class _Answer(BaseHTTPRequestHandler):
    """Answers one request. Every connection has one only, so that none is left open."""

    server: PageServer
    timeout = 10
    server_version, sys_version = "herobench", ""
    error_content_type, error_message_format = "text/plain; charset=utf-8", "%(code)d %(message)s\n"

    def do_GET(self) -> None:
        """Send a file, or how things stand."""
        name = self._name(acts=False)
        if name is None:
            return
        if name == "state":
            self._send_state(0)
        elif name in self.server.files:
            self._send(*self.server.files[name])
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Take an action, and send its result."""
        name = self._name(acts=True)
        if name is None:
            return
        if name not in ("act", "wait"):
            self.send_error(HTTPStatus.NOT_FOUND)
        elif self.headers.get("Content-Type") != "application/json":
            self.send_error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        elif (body := self._body()) is not None:
            number, answer = body.get("number"), body.get("action")
            if type(number) is not int or (name == "act" and not self.server.seat.act(number, answer)):
                self.send_error(HTTPStatus.BAD_REQUEST)
            else:
                self._send_state(number)

    def _name(self, *, acts: bool) -> str | None:
        """Return what a request is for; None if it was refused."""
        hosts = self.server.hosts
        origin = self.headers.get("Origin")
        origins = [f"http://{host}" for host in hosts]
        if self.headers.get("Host") not in hosts or ((acts or origin is not None) and origin not in origins):
            self.send_error(HTTPStatus.FORBIDDEN)
            return None
        token, _, name = urlsplit(self.path).path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return name

    def _body(self) -> dict[str, Any] | None:
        """Return the object that was sent; None if it was refused."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self.send_error(HTTPStatus.LENGTH_REQUIRED)
            return None
        if len(length) > 9 or int(length) > self.server.seat.page.longest:
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return None
        body = json_object(self.rfile.read(int(length)))
        if body is None:
            self.send_error(HTTPStatus.BAD_REQUEST)
        return body

    def _send_state(self, after: int) -> None:
        state = self.server.seat.state(after, _LONGEST_WAIT)
        self._send("application/json", json.dumps(state).encode())

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self) -> None:
        """Send the headers, with those that every answer has."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


# -- the page for any suite -------------------------------------------------------------------------------------------


class ConversationPage(Page):
    """The page with the conversation, a map, and a form for each tool."""

    package = "herobench.page"
    longest = 500_000

    def view(self, request: Request) -> Any:
        """Return the conversation and the tools on offer."""
        return {
            "task": request.task_id,
            "messages": [_message_row(message) for message in request.messages],
            "tools": [tool.as_row() for tool in request.tools],
        }

    def reply(self, answer: object) -> Reply | None:
        """Return a call, `{"name": ..., "arguments": {...}}`, or a text as a reply; None for anything else."""
        match answer:
            case str():
                return Reply(answer, stop="stop")
            case {"name": str(name), "arguments": dict(arguments), **more} if not more:
                call = ToolCall(f"call-{token_hex(4)}", name, json.dumps(arguments))
                return Reply("", (call,), stop="tool_calls")
        return None


def _message_row(message: Message) -> dict[str, Any]:
    calls = [[call.name, call.arguments] for call in message.tool_calls]
    return {"role": message.role, "text": message.text, "calls": calls, "pictures": list(message.pictures)}
