"""The routes of NeMo Gym in `herobench serve`, asked as NeMo Gym's own agent asks, and by verifiers."""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import ToolCall
from herobench.scorer import Scorer, TaskQuery
from tests.surfaces import player_server
from tests.surfaces.environment import Environment, make_environment
from tests.surfaces.page import page_text
from tests.surfaces.served import Server, served, words

pytestmark = pytest.mark.packaging
BY_TOOLS = {"dataset": "base", "limit": 2, "mode": "tools"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("serve"), herobench="serve")


class SimpleAgent:
    """Plays rows as the `simple_agent` of NeMo Gym 0.4.0 does. Each request has the cookies of the answer before it
    and no others, and an error of a tool is a text for the model."""

    def __init__(self, server: Server) -> None:
        self._server, self._cookies = server, ""
        self.statuses: list[int] = []
        """The statuses of the calls of tools."""
        self.verified_row: dict[str, Any] = {}

    def run(self, row: dict[str, Any], calls: Sequence[ToolCall], text: str | None = None) -> dict[str, Any]:
        """Begin with a row, call tools, say a text if there is one, and return what /verify answers."""
        self._cookies = ""
        assert self.post("/seed_session", row)[0] == 200
        output: list[dict[str, Any]] = []
        for call in calls:
            status, told = self.post(f"/{call.name}", json.loads(call.arguments))
            self.statuses.append(status)
            output += [
                {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments},
                {"type": "function_call_output", "call_id": call.id, "output": str(told)},
            ]
        if text is not None:
            output.append({"type": "message", "role": "assistant", "content": text})
        self.verified_row = {**row, "response": {"output": output}}
        status, verified = self.post("/verify", self.verified_row)
        assert status == 200, verified
        return dict(verified)

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        status, document = self._server.ask(path, body, Cookie=self._cookies)
        self._cookies = self._server.cookie
        return status, document


def test_the_agent_of_nemo_gym_plays_a_task_by_tools_in_one_session(environment: Environment) -> None:
    with Scorer(TaskQuery(**BY_TOOLS)) as scorer, served(environment, *words(BY_TOOLS)) as server:
        row = json.loads(server.ask("/rows")[1].splitlines()[0])
        assert row["responses_create_params"]["tools"][0]["name"] == "move"
        calls = scorer.solution(row["task_id"])[0].tool_calls
        wrong = [ToolCall("0", "fly", "{}"), ToolCall("1", "move", "[]"), ToolCall("2", "move", str([0] * 100_001))]
        agent = SimpleAgent(server)
        verified = agent.run({**row, "label": "kept"}, [*wrong, *calls])
        assert agent.statuses == [404, 422, 413, *[200] * len(calls)]
        assert (verified["reward"], verified["win"], verified["failure"]) == (1.0, 1.0, None)
        assert len(verified["turn_rewards"]) == len(calls)
        assert verified["step_rewards"] == [0.0, 0.0, 0.0, *verified["turn_rewards"]], "a refused call is paid nothing"
        assert verified["reward_components"] == {"win": 1.0, "score": 1.0, "progress": 1.0}
        assert verified["label"] == "kept"
        assert server.ask("/health")[1]["sessions"] == 0
        _, means = server.ask("/aggregate_metrics", {"verify_responses": [verified, {**verified, "reward": 0.0}]})
        assert means["agent_metrics"]["mean/reward"] == 0.5
        assert means["group_level_metrics"][0]["task_id"] == row["task_id"]


@pytest.fixture(scope="module")
def level(environment: Environment) -> Iterator[tuple[Server, list[Any]]]:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="3")) as scorer:
        way = [reply.tool_calls[0] for reply in scorer.way("L03")]
    with served(
        environment, "--suite", "epoch", "--dataset", "epochs-v1", "--levels", "3", "--oracle-prefixes"
    ) as server:
        yield server, way


def test_a_prefix_or_a_reward_that_does_not_fit_is_refused_with_a_sentence(level: Any) -> None:
    server, _ = level
    for wrong, told in (
        ({"prefix": 99}, "The prefix has 8 turns, and the attempt at L03 is over after 8: give fewer."),
        ({"prefix": "half"}, 'prefix is "half": give a whole number.'),
        ({"turn_reward": "dense"}, "turn_reward is \"dense\": give 'end', 'progress' or 'potential'."),
        ({"gamma": 0}, "gamma is 0: give a number above 0."),
    ):
        status, answer = server.ask("/seed_session", {"task_id": "L03", **wrong})
        assert status == 422
        assert told in answer["detail"]


@pytest.mark.parametrize("has_session", [True, False])
def test_turns_are_paid_from_where_a_row_begins_with_a_session_and_without(level: Any, has_session: bool) -> None:
    server, way = level
    row = json.loads(server.ask("/rows?prefix=-2&turn_reward=potential")[1])
    assert (row["prefix"], row["turn_reward"]) == (-2, "potential")
    assert len(row["responses_create_params"]["input"]) == 14  # two that open it, and six turns with their results
    agent = SimpleAgent(server)
    for calls, text, reward, turns in (
        (way[6:], None, 1.0, [0.125, 0.125]),
        (way[6:7], None, 0.0, [-0.75]),
        ([], "I give up.", 0.0, [-0.75]),
    ):
        verified = agent.run(row, calls, text)
        if not has_session:
            verified = server.ask("/verify", agent.verified_row)[1]
        assert (verified["reward"], verified["turn_rewards"]) == (reward, turns)
        assert verified["step_rewards"] == turns
        assert (verified["win"], verified["given_turns"]) == (0, 6)


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("verifiers")
    made = make_environment(folder, "verifiers>=0.4,<0.5", "uv", herobench=None)  # its harness is a script of uv
    assert made.version("verifiers").startswith("0.4.")
    return made


@pytest.mark.parametrize(
    "knobs",
    [{"dataset": "base", "limit": 3}, {"dataset": "base", "limit": 3, "mode": "tools"}],
    ids=["plans", "tools"],
)
def test_verifiers_trains_by_the_routes_of_nemo_gym_without_this_package(
    environment: Environment, verifiers: Environment, knobs: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path
    assert verifiers.run("python", "-c", "import herobench", cwd=folder).returncode == 1
    page = page_text("serve.md", "Over HTTP")
    toml = re.search(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    command = re.search(r"`(vf-eval @ .*?)`", page)
    assert toml
    assert command
    with served(environment, *words(knobs)) as server, player_server.served(TaskQuery(**knobs)) as models:
        (folder / "rows.jsonl").write_text(server.ask("/rows")[1], "utf-8")
        (folder / "nemo.toml").write_text(toml[1].replace("http://127.0.0.1:8765", server.url), "utf-8")
        asked = shlex.split(command[1].replace("MODEL", "oracle").replace("60", "3"))
        local = ("--client.base-url", models, "--client.api-key-var", "K", "--no-rich", "-o", "out")
        done = verifiers.run(*asked, *local, cwd=folder, extra={"K": "none"})
        assert done.returncode == 0, done.stderr
    (file,) = (folder / "out").rglob("traces.jsonl")
    traces = [trace for line in file.read_text("utf-8").splitlines() for trace in json.loads(line)["traces"]]
    assert [trace["rewards"]["nemo_gym"]["score"] for trace in traces] == [1.0] * 3
    assert all(trace["metrics"] == {"win": 1.0, "score": 1.0, "progress": 1.0, "given_turns": 0} for trace in traces)
    assert all(trace["info"]["nemo_gym"]["failure"] is None for trace in traces)
