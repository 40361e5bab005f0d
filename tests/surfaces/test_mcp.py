"""`herobench mcp`, driven by the official Python client over both transports, with the oldest library and today's."""

import json
import re
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.surfaces.environment import Environment, make_environment, status_by_name
from tests.surfaces.page import page_text

pytestmark = pytest.mark.packaging
CLIENT = Path(__file__).with_name("mcp_client.py")
KNOBS = {
    "rpg": {"dataset": "base", "limit": 3},
    "rpg by tools": {"dataset": "base", "limit": 3, "mode": "tools"},
    "acp": {"suite": "acp", "seed": 1, "count": 3},
    "epoch": {"suite": "epoch", "seed": 1, "count": 1, "length": "2"},
    "autumn": {"suite": "autumn", "limit": 1},
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = make_environment(tmp_path_factory.mktemp("mcp"), herobench="mcp")
    assert int(made.version("mcp").split(".")[0]) >= 2
    return made


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("mcp_oldest"), "mcp==1.24.0", herobench="mcp")


def words(knobs: dict[str, Any]) -> list[str]:
    return [word for name, value in knobs.items() for word in (f"--{name}", str(value))]


def turns(scorer: Scorer, task_id: str) -> list[Any]:
    """The turns of the oracle, as the client plays them."""
    return [
        [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] or reply.text
        for reply in scorer.solution(task_id)
    ]


def played(environment: Environment, folder: Path, solutions: dict[str, Any], *server: str) -> Any:
    file = folder / "solutions.json"
    file.write_text(json.dumps(solutions), "utf-8")
    done = environment.run("python", CLIENT, file, *server, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("knobs", KNOBS.values(), ids=KNOBS)
def test_tasks_of_every_suite_are_won_over_standard_input_and_output(
    environment: Environment, knobs: dict[str, Any], tmp_path: Path
) -> None:
    with Scorer(TaskQuery(**knobs)) as scorer:
        solutions = {task_id: turns(scorer, task_id) for task_id in scorer.tasks}
        seen = played(environment, tmp_path, solutions, str(environment.bin / "herobench"), "mcp", *words(knobs))
        assert [task["id"] for task in seen["tasks"]["tasks"]] == list(solutions)[:2]
        assert [row["id"] for row in seen["shown"]] == list(solutions)
        assert all(stand["over"] for stand in seen["stands"])
        assert {task_id: row["reward"] for task_id, row in seen["results"].items()} == dict.fromkeys(solutions, 1.0)
    told = json.dumps([seen["tasks"], seen["shown"]])
    assert not any(json.dumps(text) in told for texts in solutions.values() for text in texts if len(str(text)) > 60)
    assert seen["refused"][0] == f"There is no task 'nowhere' among the {len(solutions)} tasks of {scorer.dataset}."
    assert "limit from 1 to 200" in seen["refused"][1]
    assert "no such session" in seen["refused"][2]
    assert all("epoch is -1: give a whole number of 0 or more." in told for told in seen["refused"][3:-2])
    assert seen["refused"][-2:] == ['epoch is "0": give a whole number.', "There is no epochs: leave it out."]
    sentences = ("This attempt has no tools: say the turn as text.", "This task is played by calls of its tools")
    assert all(any(sentence in told for sentence in sentences) for told in seen["misplayed"])


def open_session(url: str) -> str | None:
    """Return the session that the library opens for a client."""
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=60) as answer:
        assert json.load(answer)["result"]["serverInfo"]["name"] == "herobench"
        key: str | None = answer.headers["Mcp-Session-Id"]
        return key


@pytest.mark.parametrize("which", ["environment", "oldest"])
def test_a_task_is_won_over_http_and_a_wrong_plan_scores_what_the_scorer_says(
    which: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    environment: Environment = request.getfixturevalue(which)
    wrong = "```python\nmove('Hero', 1, 1)\n```"
    options = ["mcp", "--http", "--port", "0", "--dataset", "base", "--limit", "2"]
    with Scorer(TaskQuery(dataset="base", limit=2)) as scorer:
        right, lost = scorer.tasks
        solutions = {right: turns(scorer, right), lost: [wrong]}
        server = subprocess.Popen([environment.bin / "herobench", *options], stderr=subprocess.PIPE, text=True)
        assert server.stderr
        try:
            # an old library may warn of something first
            urls = (re.search(r"http://\S+/mcp", line) for line in server.stderr)
            url = next(found[0] for found in urls if found)
            assert status_by_name(url, "page.example") == 403
            assert status_by_name(url, "localhost") == 405  # it would wait for news, of which there is none
            assert open_session(url) is None  # the library would keep one for each client, for ever
            assert status_by_name(url, "localhost", b" " * (8 * 2**20 + 1)) == 413
            for body in (b"[" * 90_000, b"\xff"):  # an old library has a traceback for these
                assert status_by_name(url, "localhost", body) == 400
            seen = played(environment, tmp_path, solutions, url)
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(60) == 130
            server.stderr.close()
        assert seen["server"] == ["herobench", environment.version("herobench")]
        assert seen["results"][right]["reward"] == 1.0
        assert seen["results"] == seen["submitted"]
        expected = json.loads(json.dumps(scorer.score(lost, wrong).as_row()))
        # the details name what a plan has to make, and the agent may try again
        assert expected.pop("details")
        assert seen["results"][lost] == expected
        assert [stand["result"] for stand in seen["stands"]] == [*seen["results"].values()]


def test_the_page_names_all_tools_and_options_that_there_are(environment: Environment, tmp_path: Path) -> None:
    page = page_text("serve.md", "By MCP")
    commands = [line.split() for line in re.findall(r"^\$ herobench (mcp .*)$", page, re.MULTILINE)]
    over_pipes = [options for options in commands if "--http" not in options]
    for options in over_pipes:
        seen = played(environment, tmp_path, {}, str(environment.bin / "herobench"), *options)
        assert seen["tools"] == sorted(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    for options in commands:
        if options not in over_pipes:
            taken = environment.run("herobench", *options, "--host", "192.0.2.1", cwd=tmp_path)
            assert (taken.returncode, "Give another --host" in taken.stderr) == (2, True), taken.stderr
