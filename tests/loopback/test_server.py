import json
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

from tests.loopback import Loopback, default_answer
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


ASKED = {"role": "user", "content": "k"}
TOOL = {"type": "function", "function": {"name": "move"}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "function": {"name": "m", "arguments": ""}}]}
TOLD = {"role": "tool", "tool_call_id": "a", "content": "moved"}
CALL = {"type": "function_call", "call_id": "a", "name": "move", "arguments": ""}
OUTPUT = {"type": "function_call_output", "call_id": "a", "output": "moved"}


def content(answer: str) -> Any:
    return json.loads(answer)["choices"][0]["message"]["content"]


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
