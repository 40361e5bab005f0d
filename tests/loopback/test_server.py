import json
import socket
import time
from contextlib import closing
from http.client import HTTPConnection, IncompleteRead, RemoteDisconnected
from typing import Any

import pytest

from tests.loopback import Behaviour, Kind, Loopback, default_answer
from tests.loopback.behaviour import ScriptTable
from tests.loopback.server import HOST
from tests.sizes import for_each

CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"


def chat_body(prompt: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": prompt}], **more}


def response_body(prompt: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "input": prompt, **more}


def connect(server: Loopback) -> HTTPConnection:
    return HTTPConnection(HOST, server.port, timeout=10)


def post(connection: HTTPConnection, path: str, body: Any) -> tuple[int, str]:
    connection.request("POST", path, body if isinstance(body, str) else json.dumps(body))
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def once(server: Loopback, path: str, body: Any) -> tuple[int, str]:
    """Ask over a connection of its own."""
    with closing(connect(server)) as connection:
        return post(connection, path, body)


def ask(server: Loopback, prompt: str = "k", **more: Any) -> tuple[int, str]:
    return once(server, CHAT, chat_body(prompt, **more))


def raw(server: Loopback, body: dict[str, Any], path: str = CHAT) -> socket.socket:
    """A plain socket on which a request was sent."""
    data = json.dumps(body).encode()
    plain = socket.create_connection((HOST, server.port), timeout=10)
    plain.sendall(b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b" % (path.encode(), len(data), data))
    return plain


ASKED = {"role": "user", "content": "k"}
TOOL = {"type": "function", "function": {"name": "move"}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "function": {"name": "m", "arguments": ""}}]}
TOLD = {"role": "tool", "tool_call_id": "a", "content": "moved"}
CALL = {"type": "function_call", "call_id": "a", "name": "move", "arguments": ""}
OUTPUT = {"type": "function_call_output", "call_id": "a", "output": "moved"}


def content(answer: str) -> Any:
    return json.loads(answer)["choices"][0]["message"]["content"]


# -- the script -------------------------------------------------------------------------------------------------------


def test_a_script_is_asked_with_the_key_and_the_number_of_the_try() -> None:
    asked = []

    def script(key: str, attempt: int) -> Kind:
        asked.append((key, attempt))
        return Kind.SERVER_ERROR if attempt < 2 else Kind.OK

    with Loopback(script) as server:
        assert [ask(server, key)[0] for key in "aabbb"] == [500, 200, 500, 200, 200]
    assert asked == [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("b", 3)]


def test_a_table_is_gone_through_try_by_try_and_its_last_behaviour_stays() -> None:
    keys = {"a": ["rate_limit", {"kind": "unavailable", "seconds": 3}, "ok"], "b": "quota"}
    table = {"default": ["timeout", "ok"], "keys": keys, "delay": 0.001}
    with Loopback(table) as server:
        assert [ask(server, key)[0] for key in "aaaabbcc"] == [429, 503, 200, 200, 429, 429, 408, 200]
        assert server.records()[1].behaviour == Behaviour(Kind.UNAVAILABLE, seconds=3, delay=0.001)


@for_each("wrong", [{"default": "okay"}, {"keys": {"a": []}}, {"key": {}}, {"default": {"kind": "ok", "speed": 1}}])
def test_a_table_that_is_wrong_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        ScriptTable.of(wrong)


def test_the_key_is_what_the_pattern_finds_in_the_last_message_of_the_user_else_all_of_it() -> None:
    messages = [
        {"role": "system", "content": "Task: none"},
        {"role": "user", "content": "Task: old"},
        {"role": "assistant", "content": "Task: mine"},
        {"role": "user", "content": [{"type": "text", "text": "Do\n"}, {"type": "text", "text": "Task: new\nnow"}]},
        {"role": "assistant", "content": None},
    ]
    with Loopback(key=r"Task: (\w+)") as server:
        assert content(ask(server, messages=messages)[1]) == default_answer("new")
        for body in (response_body("Task: text"), response_body("", input=messages), response_body("no\npattern")):
            once(server, RESPONSES, body)
        assert [record.key for record in server.records()] == ["new", "text", "new", "no\npattern"]
        assert [record.attempt for record in server.records()] == [1, 1, 2, 1]


def test_the_default_answer_is_python_whatever_the_key() -> None:
    fence, code, end = default_answer('a "b"\n```').split("\n")
    assert (fence, end) == ("```python", "```")
    assert eval(code) == 'answer to a "b"\n```'


def test_answers_come_from_a_function_or_a_table_or_the_behaviour_itself() -> None:
    with Loopback(answers=str.upper) as server:
        assert content(ask(server, "abc")[1]) == "ABC"
        server.play(lambda key, attempt: Behaviour(text=f"{key} again {attempt}"))
        assert content(ask(server, "abc")[1]) == "abc again 2"
    with Loopback(answers={"a": "A"}) as server:
        assert [content(ask(server, key)[1]) for key in "ab"] == ["A", default_answer("b")]


def test_a_script_that_fails_fails_the_test() -> None:
    def script(key: str, attempt: int) -> Kind:
        raise LookupError(key)

    with pytest.raises(LookupError, match="the key"), Loopback(script) as server, pytest.raises(RemoteDisconnected):
        ask(server, "the key")


def test_an_answer_may_have_turns_and_the_last_of_them_stays() -> None:
    """The turn is that of the conversation, not of the try: a request that is sent again is answered alike."""
    calls = [{"name": "look", "arguments": "{}"}]
    with Loopback(answers={"k": ["first", {"text": "second", "calls": calls}, "third"]}) as server:
        told = []
        for turns in (0, 0, 1, 2, 3):
            said = [{"role": "assistant", "content": "a"}, ASKED] * turns
            told.append(json.loads(ask(server, messages=[ASKED, *said])[1])["choices"][0]["message"])
        assert [message["content"] for message in told] == ["first", "first", "second", "third", "third"]
        assert [len(message.get("tool_calls", [])) for message in told] == [0, 0, 1, 0, 0]


def test_items_of_a_response_that_stand_together_are_one_turn() -> None:
    call = {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "a", "output": "all quiet"}
    turn = [{"role": "assistant", "content": "Go!"}, call, {**call, "call_id": "b"}, result, {**result, "call_id": "b"}]
    with Loopback(answers={"k": ["first", "second", "third"]}) as server:
        for number, word in enumerate(("first", "second", "third")):
            _, answer = once(server, RESPONSES, response_body("", input=[ASKED, *turn * number]))
            assert json.loads(answer)["output"][0]["content"][0]["text"] == word


# -- on the wire ------------------------------------------------------------------------------------------------------


def test_a_client_that_wants_the_connection_closed_gets_it_closed() -> None:
    with Loopback() as server, socket.create_connection((HOST, server.port), timeout=10) as plain:
        plain.sendall(b"GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert b'"test-model"' in plain.makefile("rb").read()


def test_a_stream_of_a_chat_is_chunked_with_done_at_its_end_and_nothing_after() -> None:
    with Loopback() as server, closing(connect(server)) as connection:
        connection.request("POST", CHAT, json.dumps(chat_body("k", stream=True)))
        answer = connection.getresponse()
        assert answer.headers["Transfer-Encoding"] == "chunked"
        assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        *events, done, end = answer.read().decode().split("\n\n")
    assert (done, end) == ("data: [DONE]", "")
    first, *_, last = [json.loads(event.removeprefix("data: ")) for event in events]
    assert first["choices"][0]["delta"]["role"] == "assistant"
    assert last["choices"][0]["finish_reason"] == "stop"


def test_events_of_a_response_name_their_type() -> None:
    with Loopback() as server:
        *events, end = once(server, RESPONSES, response_body("k", stream=True))[1].split("\n\n")
    assert end == ""
    for event in events:
        name, data = event.split("\n")
        assert name == f"event: {json.loads(data.removeprefix('data: '))['type']}"
    assert events[-1].startswith("event: response.completed")


@for_each("stream", [False, True])
def test_a_reset_is_a_reset_after_part_of_the_answer(stream: bool) -> None:
    with Loopback({"default": "reset"}) as server, raw(server, chat_body("k", stream=stream)) as plain:
        got: list[bytes] = []
        with pytest.raises(ConnectionResetError):
            got.extend(iter(lambda: plain.recv(1 << 16), b""))
        assert got[0].startswith(b"HTTP/1.1 200 OK")
        assert b"chatcmpl" in b"".join(got)


@for_each("stream", [False, True])
def test_a_cut_is_an_end_before_the_end(stream: bool) -> None:
    with Loopback({"default": "cut"}) as server, pytest.raises(IncompleteRead):
        ask(server, stream=stream)


def test_closed_is_closed_at_once_and_silence_after_its_time() -> None:
    with Loopback({"keys": {"silence": {"kind": "silence", "seconds": 0.05}}, "default": "closed"}) as server:
        for key, least in (("closed", 0.0), ("silence", 0.05)):
            began = time.monotonic()  # before it is sent: the server may wait while this process stands still
            with raw(server, chat_body(key)) as plain:
                assert plain.recv(100) == b""
                assert time.monotonic() - began >= least


def test_each_byte_of_a_slow_stream_is_late() -> None:
    slow = Behaviour(byte_delay=0.002)
    began = time.monotonic()
    with Loopback(lambda key, attempt: slow) as server, raw(server, chat_body("k", stream=True)) as plain:
        with plain.makefile("rb") as answer:
            while answer.readline() != b"\r\n":
                pass
            assert b"data: {" in answer.read(25)
        assert time.monotonic() - began >= 25 * 0.002
        assert server.counters().in_flight == 1


def test_a_large_prompt_and_a_large_answer_go_through() -> None:
    large = "ü☃" * 1_000_000
    with Loopback(answers=lambda key: key) as server:
        assert content(ask(server, large)[1]) == large
        assert "[DONE]" in ask(server, large, stream=True)[1]
        assert server.counters().answered == 2


# -- what the genuine API would not take ------------------------------------------------------------------------------


@for_each(
    ("path", "body", "status", "told"),
    [
        ("/v1/completions", {}, 404, "Invalid URL (POST /v1/completions)"),
        (CHAT, "{", 400, "parse"),
        (CHAT, "[]", 400, "parse"),
        (CHAT, {"messages": []}, 400, "'model'"),
        (CHAT, response_body("k"), 400, "'messages'"),
        (RESPONSES, chat_body("k"), 400, "'input'"),
        (CHAT, chat_body("k", stream_options={"include_usage": True}), 400, "stream_options"),
        (RESPONSES, response_body("k", stream=True, stream_options={"include_usage": True}), 400, "include_usage"),
        (CHAT, chat_body("k", tools=[{"type": "function", "name": "move"}]), 400, "tools[0].function.name"),
        (RESPONSES, response_body("k", tools=[TOOL]), 400, "tools[0].name"),
        (CHAT, chat_body("k", messages=[ASKED, CALLED]), 400, "No tool output found for the call a."),
        (CHAT, chat_body("k", messages=[ASKED, CALLED, ASKED, TOLD]), 400, "No tool output found for the call a."),
        (CHAT, chat_body("k", messages=[ASKED, TOLD]), 400, "No tool call found for the output with call id a."),
        (CHAT, chat_body("k", messages=[ASKED, CALLED, TOLD, TOLD]), 400, "No tool call found"),
        (RESPONSES, response_body("k", input=[ASKED, CALL]), 400, "No tool output found for the call a."),
        (RESPONSES, response_body("k", input=[ASKED, OUTPUT]), 400, "No tool call found"),
    ],
)
def test_a_wrong_request_is_refused_whatever_the_script(path: str, body: Any, status: int, told: str) -> None:
    with Loopback({"default": "server_error"}) as server:
        found, answer = once(server, path, body)
        assert (found, server.records()[0].attempt, server.records()[0].path) == (status, 0, path)
        assert told in json.loads(answer)["error"]["message"]


def test_what_is_no_http_is_closed() -> None:
    with Loopback() as server, socket.create_connection((HOST, server.port), timeout=10) as plain:
        plain.sendall(b"what\r\n\r\n")
        assert plain.recv(100) == b""


# -- the log ----------------------------------------------------------------------------------------------------------


def test_a_record_holds_what_was_asked_and_what_became_of_it() -> None:
    with Loopback({"default": "no_model"}) as server:
        headers = {"Authorization": "Bearer secret", "User-Agent": "tests"}
        before = time.monotonic()
        with closing(connect(server)) as connection:
            connection.request("POST", CHAT, json.dumps(chat_body("k", seed=7)), headers)
            connection.getresponse().read()
        (record,) = server.records()
    assert before <= record.arrived <= time.monotonic()
    assert (record.method, record.path, record.key, record.attempt) == ("POST", CHAT, "k", 1)
    assert (record.authorization, record.user_agent) == ("Bearer secret", "tests")
    assert (record.body, record.behaviour, record.sent) == (chat_body("k", seed=7), Behaviour(Kind.NO_MODEL), True)


def test_an_answer_that_was_read_is_already_in_the_log() -> None:
    with Loopback() as server, closing(connect(server)) as connection:
        for number in range(100):
            post(connection, CHAT, chat_body("k", stream=True))
            now = server.counters()
            assert (now.answered, now.in_flight, server.records()[-1].sent) == (number + 1, 0, True)


def test_a_reset_of_the_log_forgets_what_was() -> None:
    with Loopback({"default": ["server_error", "ok"]}) as server, closing(connect(server)) as connection:
        assert [post(connection, CHAT, chat_body("k"))[0] for _ in range(2)] == [500, 200]
        server.reset()
        assert (server.records(), server.counters().requests, server.counters().connections) == ([], 0, 1)
        assert post(connection, CHAT, chat_body("k"))[0] == 500
