import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.loopback import Behaviour, Kind, LoopbackProcess, default_answer
from tests.loopback.process import ROOT
from tests.loopback.test_server import CHAT, ask, chat_body, content, raw

CLIENT = """
import http.client, json, sys
for number in range(1_000_000):
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    body = {"model": "m", "messages": [{"role": "user", "content": f"Task: {number}"}]}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Authorization": "Bearer k"})
    connection.getresponse().read()
"""


def test_a_server_of_its_own_outlives_a_client_that_is_killed_and_tells_what_it_saw() -> None:
    with LoopbackProcess({"keys": {"3": "server_error"}}, key=r"Task: (\d+)") as server:
        with subprocess.Popen([sys.executable, "-c", CLIENT, str(server.port)]) as client:
            server.wait_until(lambda now: now.answered >= 5)
            server.hold()
            server.wait_until(lambda now: now.in_flight == 1)
            client.send_signal(signal.SIGKILL)
        counters = server.wait_until(lambda now: now.in_flight == now.connections == 0)
        records = server.records()
        assert counters.requests == len(records) == counters.answered + 1 == counters.opened
        assert [record.key for record in records] == [str(number) for number in range(len(records))]
        assert [record.sent for record in records] == [True] * (len(records) - 1) + [False]
        assert records[3].behaviour.kind is Kind.SERVER_ERROR
        assert (records[0].authorization, records[0].path) == ("Bearer k", CHAT)
        assert records[0].body == chat_body("Task: 0")


def test_its_script_can_be_changed_its_log_forgotten_and_its_answers_held(tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"a": "Ä"}), "utf-8")
    with LoopbackProcess(answers=answers) as server:
        assert [content(ask(server, key)[1]) for key in "ab"] == ["Ä", default_answer("b")]
        server.play({"keys": {"a": [{"kind": "bad_request", "delay": 0.001}]}})
        assert [ask(server, key)[0] for key in "ab"] == [400, 200]
        assert server.records()[2].behaviour == Behaviour(Kind.BAD_REQUEST, delay=0.001)
        assert [record.attempt for record in server.records()] == [1, 1, 2, 2]
        with pytest.raises(AssertionError, match="okay"):
            server.play({"default": "okay"})
        server.reset()
        assert (server.records(), server.counters().requests) == ([], 0)
        server.hold()
        with raw(server, chat_body("a")) as plain:
            server.wait_until(lambda now: now.in_flight == 1)
            server.release()
            assert plain.recv(100).startswith(b"HTTP/1.1 400")


def test_by_hand_it_prints_its_port_and_ends_at_a_signal(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"default": "quota"}', "utf-8")
    command = [sys.executable, "-m", "tests.loopback", "--port", "0", "--script", str(script)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        server = LoopbackProcess()
        server.port = int(process.stdout.readline())
        assert ask(server)[0] == 429
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=10) == ("", "")
    assert process.returncode == 0
