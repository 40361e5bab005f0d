"""What a server holds for its clients: bodies, messages and conversations. And which pages of the web it answers."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from herobench.data.errors import UsageError
from herobench.scorer import Scorer, TaskQuery
from herobench.surfaces import http_guards, payloads
from herobench.surfaces.http_guards import BodyCap, ForeignPages
from herobench.surfaces.openenv.scorers import Scorers
from herobench.surfaces.sessions import Refused, Sessions, say_within
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


async def asked(app: Any, receive: Receive) -> tuple[int, dict[bytes, bytes], bytes]:
    sent: list[Any] = []

    async def send(event: Any) -> None:
        sent.append(event)

    await app({"type": "http", "headers": []}, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


def test_a_body_that_does_not_end_is_refused_and_its_place_given_back() -> None:
    async def run() -> None:
        app = BodyCap(echo, most=10, seconds=0.01)
        status, headers, body = await asked(app, parts(b"12345"))
        assert (status, headers[b"connection"]) == (408, b"close")
        assert "within 0.01 s" in json.loads(body)["detail"]
        assert await asked(app, parts(b"12345", b"67890", after=end)) == (200, {}, b"1234567890")
        assert app._held == 0

    asyncio.run(run())


def test_the_bodies_of_all_requests_under_way_have_one_bound() -> None:
    async def run() -> None:
        app = BodyCap(echo, most=10)
        go = asyncio.Event()

        async def late() -> Any:
            await go.wait()
            return await end()

        held = [asyncio.create_task(asked(app, parts(b"0123456789", after=late))) for _ in range(http_guards.ROOM)]
        await asyncio.sleep(0)
        status, headers, _ = await asked(app, parts(b"0", after=end))
        assert (status, headers[b"retry-after"]) == (429, b"1")
        go.set()
        assert {answer[0] for answer in await asyncio.gather(*held)} == {200}
        assert (await asked(app, parts(b"0", after=end)))[0] == 200

    asyncio.run(run())


@pytest.mark.parametrize(
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
    ids=["numbers", "brackets", "keys", "few", "a text", "a text without an end", "other encoding", "many texts"],
)
def test_a_body_has_at_most_so_many_values_and_texts_count_for_one(body: bytes, status: int) -> None:
    assert asyncio.run(asked(BodyCap(echo), parts(body, after=end)))[0] == status


@pytest.mark.parametrize("message", [{"text": "[" + "0," * 100_000 + "0]"}, {"bytes": b"[" * 100_001}])
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


def test_long_conversations_wait_for_others_to_end_and_short_ones_go_on() -> None:
    with Scorer(TaskQuery(suite="autumn", limit=1, jobs=1)) as scorer:
        task_id = next(iter(scorer.tasks))
        held = scorer.play(task_id)
        say_within(held, "x" * 2_000_000)
        play = scorer.play(task_id)
        with pytest.raises(Refused, match="those of more than 1,048,576 take no turns") as refusal:
            say_within(play, "x" * 2_000_000, in_all=3_000_000)
        assert (refusal.value.status, play.turns) == (429, 0)
        say_within(play, "x" * 20_000, in_all=2_000_000)
        del held
        say_within(play, "x" * 2_000_000, in_all=3_000_000)
        assert play.turns == 2


def test_details_of_a_result_are_told_where_they_are_asked_for_alone() -> None:
    with Scorer(TaskQuery(dataset="base", limit=1, jobs=1)) as scorer:
        sessions, task_id = Sessions(scorer), next(iter(scorer.tasks))
        told = [payloads.said(sessions.open(task_id), "?", details=shown)["result"] for shown in (False, True)]
        assert told[1].pop("details")["milestones"]["missed"]
        assert told[0] == told[1]
        assert "missed" not in json.dumps(told[0])


def test_a_window_is_refused_where_clients_keep_the_conversation() -> None:
    with pytest.raises(UsageError, match="window says which turns a model is sent"):
        Scorers(TaskQuery(suite="epoch", window=2))
    with (
        Scorers(TaskQuery(suite="epoch", levels="1", jobs=1)) as scorers,
        pytest.raises(UsageError, match="leave it out"),
    ):
        scorers.take({"window": 2})


HERE = ("localhost", "127.0.0.1")
ALL = ("0.0.0.0", "0.0.0.0")
ALL_6 = ("::", "::")
NAMED = ("box.example", "192.0.2.7")
OWN_NAME = ("box", "127.0.1.1")


@for_each(
    ("server", "host", "origin", "passes"),
    [
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
        (HERE, "page.example", None, False),
    ],
)
def test_a_server_for_other_machines_refuses_pages_that_are_not_its_own(
    server: tuple[str, str], host: str, origin: str | None, passes: bool
) -> None:
    headers = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin else [])]
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"status": 200})

    async def send(event: Any) -> None:
        sent.append(event)

    asyncio.run(ForeignPages(app, *server)({"type": "http", "headers": headers}, never, send))
    assert sent[0]["status"] == (200 if passes else 403)
