"""What servers refuse before any application sees it: large and late bodies, and pages of other machines."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from herobench.surfaces import http_guards
from herobench.surfaces.http_guards import BodyCap, ForeignPages
from tests.sizes import for_each

Receive = Callable[[], Awaitable[Any]]


async def echo(scope: Any, receive: Any, send: Any) -> None:
    body, more = b"", True
    while more:
        event = await receive()
        body, more = body + event["body"], event["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


async def never() -> Any:
    await asyncio.Event().wait()


def parts(*bodies: bytes, after: Receive = never) -> Receive:
    """Return what receives these parts of a body, of which the last is no end unless `after` is not needed."""
    left = [{"type": "http.request", "body": body, "more_body": True} for body in bodies]

    async def receive() -> Any:
        return left.pop(0) if left else await after()

    return receive


async def end() -> Any:
    return {"type": "http.request", "body": b"", "more_body": False}


async def asked(app: Any, receive: Receive, *headers: tuple[bytes, bytes], kind: str = "http") -> list[Any]:
    """Return what an application sends to a client."""
    sent: list[Any] = []

    async def send(event: Any) -> None:
        sent.append(event)

    await app({"type": kind, "headers": headers, "method": "POST"}, receive, send)
    return sent


async def answer(app: Any, receive: Receive) -> tuple[int, dict[bytes, bytes], bytes]:
    start, body = await asked(app, receive)
    return start["status"], dict(start["headers"]), body["body"]


@for_each(
    ("length", "bodies", "status"),
    [
        (b"10", [b"0123456789"], 200),
        (b"11", [b"0123456789", b"0"], 413),
        (None, [b"01234", b"56789"], 200),
        (None, [b"0123456789", b"0"], 413),
        (b"5", [b"0123456789", b"0"], 413),
        (b"-1", [b""], 413),
    ],
)
def test_a_body_has_at_most_so_many_bytes_whether_its_length_is_told_or_not(
    length: bytes | None, bodies: list[bytes], status: int
) -> None:
    ended: list[bool] = []

    async def last() -> Any:
        ended.append(True)
        return await end()

    headers = [] if length is None else [(b"content-length", length)]
    sent = asyncio.run(asked(BodyCap(echo, most=10), parts(*bodies, after=last), *headers))
    assert sent[0]["status"] == status
    assert ended == [True], "a client that sends all of it before it reads must be able to"


def test_a_body_that_the_application_cannot_read_is_refused_with_what_it_says() -> None:
    app = BodyCap(echo, check=lambda body: None if body == b"{}" else {"wrong": len(body)})
    assert asyncio.run(answer(app, parts(b"{}", after=end)))[0] == 200
    status, _, body = asyncio.run(answer(app, parts(b"[", after=end)))
    assert (status, json.loads(body)) == (400, {"wrong": 1})


def test_a_body_that_does_not_end_is_refused_and_its_place_given_back() -> None:
    async def run() -> None:
        app = BodyCap(echo, most=10, seconds=0.01)
        status, headers, body = await answer(app, parts(b"12345"))
        assert (status, headers[b"connection"]) == (408, b"close")
        assert "within 0.01 s" in json.loads(body)["detail"]
        assert await answer(app, parts(b"12345", b"67890", after=end)) == (200, {}, b"1234567890")
        assert app._held == 0

    asyncio.run(run())


def test_the_bodies_of_all_requests_under_way_have_one_bound() -> None:
    async def run() -> None:
        app = BodyCap(echo, most=10)
        go = asyncio.Event()

        async def late() -> Any:
            await go.wait()
            return await end()

        held = [asyncio.create_task(answer(app, parts(b"0123456789", after=late))) for _ in range(http_guards.ROOM)]
        await asyncio.sleep(0)
        status, headers, _ = await answer(app, parts(b"0", after=end))
        assert (status, headers[b"retry-after"]) == (429, b"1")
        go.set()
        assert {answer[0] for answer in await asyncio.gather(*held)} == {200}
        assert (await answer(app, parts(b"0", after=end)))[0] == 200

    asyncio.run(run())


@for_each(
    ("body", "status"),
    [
        (b"[" + b"0," * 100_000 + b"0]", 413),
        (b"[" * 100_001, 413),
        (b"{" + b",".join(b'"%d":0' % number for number in range(100_001)) + b"}", 413),
        (b"[" + b"0," * 99_990 + b"0]", 200),
        (json.dumps({"answer": 'say(",[{"),\n' * 100_000}).encode(), 200),
        (b'"' + rb"\"," * 1_000_000, 200),
        (('["\u0122",' + "0," * 100_001).encode("utf-16-le"), 413),
        (b"," * 100_001 + b'""' * 1_000_000, 413),
    ],
)
def test_a_body_has_at_most_so_many_values_and_texts_count_for_one(body: bytes, status: int) -> None:
    assert asyncio.run(answer(BodyCap(echo), parts(body, after=end)))[0] == status


@for_each("message", [{"text": "[" + "0," * 100_000 + "0]"}, {"bytes": b"[" * 100_001}])
def test_a_message_of_a_web_socket_with_too_many_values_closes_it(message: Any) -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.extend([await receive(), await receive()])

    async def run() -> None:
        left = [{"type": "websocket.receive", "text": "[0]"}, {"type": "websocket.receive", **message}]

        async def receive() -> Any:
            return left.pop(0)

        async def send(event: Any) -> None:
            seen.append(event)

        await BodyCap(app)({"type": "websocket"}, receive, send)

    asyncio.run(run())
    assert [event["type"] for event in seen] == ["websocket.close", "websocket.receive", "websocket.disconnect"]
    assert seen[0]["code"] == 1009


HERE = ("localhost", "127.0.0.1")
ALL = ("0.0.0.0", "0.0.0.0")
ALL_6 = ("::", "::")
NAMED = ("box.example", "192.0.2.7")
OWN_NAME = ("box", "127.0.1.1")


@for_each(
    ("server", "host", "origin", "passes"),
    [
        (HERE, None, "http://127.0.0.1:8765", True),
        (HERE, None, "http://localhost", True),
        (HERE, None, "http://[::1]:9", True),
        (HERE, None, "https://page.example", False),
        (HERE, None, "http://127.0.0.1.page.example", False),
        (HERE, None, "null", False),
        (HERE, None, "http://[", False),
        (HERE, "127.0.0.1:8765", None, True),
        (HERE, "LOCALHOST:8765", None, True),
        (HERE, "[::1]:8765", None, True),
        (HERE, "127.0.0.1", None, True),
        (HERE, "page.example:8765", None, False),
        (HERE, "127.0.0.1.page.example", None, False),
        (HERE, "localhost.page.example:8765", None, False),
        (HERE, "page.example/@localhost", None, False),
        (HERE, "192.0.2.1:8765", None, False),
        (HERE, "", None, False),
        (HERE, "[", None, False),
        (HERE, None, None, True),
        (ALL, "box.example:8765", None, True),
        (ALL, "192.0.2.7:8765", "https://page.example", False),
        (ALL, "page.example:8765", "http://page.example:8765", False),  # DNS that was rebound
        (ALL, "192.0.2.7:8765", "null", False),
        (ALL, "192.0.2.7:8765", "http://192.0.2.7:8765", True),  # a page of the server itself
        (ALL, "192.0.2.7:8765", "http://192.0.2.8:8765", False),
        (ALL, "192.0.2.7:8765", "http://localhost:3000", True),
        (ALL_6, "[2001:db8::7]:8765", "http://[2001:db8::7]:8765", True),
        (ALL_6, "[2001:db8::7]:8765", "http://page.example", False),
        (NAMED, "box.example", "http://box.example", True),
        (NAMED, "box.example", "http://other.example", False),
        (OWN_NAME, "box:8765", "http://box:8765", True),
        (OWN_NAME, "page.example:8765", None, False),
        (("127.1", "127.0.0.1"), "page.example:8765", None, False),
        (("", "0.0.0.0"), "192.0.2.7", "null", False),
    ],
)
def test_pages_of_other_machines_are_refused_by_their_address_and_by_the_name_that_they_ask_for(
    server: tuple[str, str], host: str | None, origin: str | None, passes: bool
) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "passed"})

    given = ((b"host", host), (b"origin", origin), (b"accept", "page.example"))
    headers = [(name, value.encode()) for name, value in given if value is not None]
    http, socket = (
        asyncio.run(asked(ForeignPages(app, *server), never, *headers, kind=kind)) for kind in ("http", "websocket")
    )
    if passes:
        assert http == socket == [{"type": "passed"}]
    else:
        assert http[0]["status"] == 403
        assert ("localhost" if origin is None else "Web pages") in json.loads(http[1]["body"])["detail"]
        assert socket == [{"type": "websocket.close", "code": 1008}]
