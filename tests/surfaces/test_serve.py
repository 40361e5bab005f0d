"""`herobench serve`, in an environment that has its extra and nothing else, and asked over HTTP alone."""

import asyncio
import json
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.surfaces import crowd
from tests.surfaces.environment import Environment, make_environment
from tests.surfaces.page import page_text
from tests.surfaces.served import Server, served

pytestmark = pytest.mark.packaging
FORMS = "give a text, a message of chat completions, or a list of these"
WRONG = "```python\nmove('Hero', 1, 1)\n```"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("serve"), herobench="serve")


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(TaskQuery(dataset="base", limit=60)) as scorer:
        yield scorer


@pytest.fixture(scope="module")
def base(environment: Environment) -> Iterator[Server]:
    with served(environment, "--dataset", "base", "--limit", "60") as server:
        yield server


def test_tasks_are_listed_and_told_without_their_solution(base: Server, scorer: Scorer) -> None:
    status, listed = base.ask("/tasks?offset=1&limit=2")
    assert status == 200
    assert (listed["suite"], listed["dataset"], listed["total"]) == ("rpg", scorer.dataset, 60)
    assert [task["id"] for task in listed["tasks"]] == list(scorer.tasks)[1:3]
    task_id = listed["tasks"][0]["id"]
    status, task = base.ask(f"/tasks/{task_id.replace(' ', '%20')}")
    assert task["messages"] == [{"role": "user", "content": scorer.opening(task_id)[0].text}]
    (solution,) = scorer.solution(task_id)
    everything = json.dumps([task, base.ask("/openapi.json"), base.ask("/rows")[1]])
    assert json.dumps(solution.text)[1:-1] not in everything
    assert base.ask("/tasks/nowhere")[0] == 404
    assert base.ask("/nowhere") == (404, {"detail": "Not Found"})
    assert base.ask("/health/nowhere")[0] == 404
    assert base.ask("/verify")[0] == 405


def test_the_oracle_scores_all_and_a_wrong_plan_what_the_scorer_says(base: Server, scorer: Scorer) -> None:
    right = [{"task_id": task_id, "answer": scorer.solution(task_id)[0].text} for task_id in scorer.tasks]
    status, document = base.ask("/score", {"answers": right})
    assert status == 200
    assert [(row["task_id"], row["reward"]) for row in document["results"]] == [(one["task_id"], 1.0) for one in right]
    wrong = [{"task_id": task_id, "answer": WRONG} for task_id in scorer.tasks]
    _, document = base.ask("/score", {"answers": wrong})
    # the details name what a plan has to make, and the client may try again
    expected = [scorer.score(task_id, WRONG).as_row(details=False) for task_id in scorer.tasks]
    assert document["results"] == expected
    said = [{"role": "user", "content": "?"}, {"role": "assistant", "content": right[0]["answer"]}]
    assert base.ask("/score", {"task_id": right[0]["task_id"], "answer": said})[1]["reward"] == 1.0


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({"task_id": "nowhere", "answer": ""}, 404, "There is no task 'nowhere' among the 60 tasks of base-v2."),
        ({"task_id": "nowhere"}, 422, "answer is missing."),
        ({"answers": [{"task_id": 5, "answer": ""}]}, 422, "answers.0.task_id is 5: give a text."),
        (
            {"task_id": "1", "answer": 5},
            422,
            "answer is 5: give a text, a message of chat completions, or a list of these.",
        ),
        ({"task_id": "1", "answer": [5]}, 422, "answer.0 is 5: give a text, or a message of chat completions."),
        ([], 422, "The body is []: give a JSON object."),
        ({"task_id": "1", "answer": "", "epoch": True}, 422, "epoch is true: give a whole number."),
        ({"task_id": "1", "answer": "", "epochs": 1}, 422, "There is no epochs: leave it out."),
        (b"{", 422, "The body is no JSON: Expecting property name enclosed in double quotes."),
        (b"\xff", 400, "parsing"),
        (b"[" * 100_000, 400, "parsing"),
        (b" " * (8 * 2**20 + 1), 413, "8,388,608 bytes"),
        ({"answers": [{"task_id": "1", "answer": ""}] * 1_001}, 404, "no task"),
    ],
    ids=[
        "no task",
        "no answer",
        "no id",
        "no text",
        "no turn",
        "no object",
        "no epoch",
        "no name",
        "no JSON",
        "no UTF-8",
        "deep",
        "large",
        "many",
    ],
)
def test_what_cannot_be_scored_is_refused_with_a_sentence(base: Server, body: Any, status: int, sentence: str) -> None:
    got, document = base.ask("/score", body)
    said = document["detail"]
    assert (got, said == sentence if status == 422 else sentence in said) == (status, True), document


def test_details_are_told_with_a_setting_and_a_window_is_refused(environment: Environment, scorer: Scorer) -> None:
    task_id = next(iter(scorer.tasks))
    with served(environment, "--dataset", "base", "--limit", "1", "--details") as server:
        row = server.ask("/score", {"task_id": task_id, "answer": WRONG})[1]
        assert row["details"]["milestones"]["missed"]
        assert server.ask("/tasks?limits=1")[0] == 422
    done = environment.run("herobench", "serve", "--suite", "epoch", "--set", "window=2", cwd=environment.path)
    assert (done.returncode, done.stderr[:7]) == (2, "window ")


def test_numbers_that_json_has_not_are_refused_where_they_would_be_sent_back(base: Server, scorer: Scorer) -> None:
    row = {"task_id": next(iter(scorer.tasks)), "response": {"output": []}}
    for path, body in (
        ("/verify", {**row, "mine": float("nan")}),
        ("/aggregate_metrics", {"verify_responses": [{"reward": float("inf")}]}),
        ("/aggregate_metrics", {"verify_responses": [{"reward": 10**400}]}),
        ("/aggregate_metrics", {"verify_responses": [{"reward": 1.7e308}, {"reward": 1.7e308}]}),
    ):
        status, document = base.ask(path, body)
        assert (status, "numbers" in document["detail"].lower()) == (422, True), document
        text = {"Content-Type": "text/plain"}
        status, document = base.ask(path, json.dumps(row).encode(), **text)
        assert (status, "give a JSON object" in document["detail"]) == (422, True), (
            "a body that is not sent as JSON is bytes"
        )


def test_a_cookie_of_another_program_is_no_matter(base: Server, scorer: Scorer) -> None:
    row = {"task_id": next(iter(scorer.tasks)), "response": {"output": []}}
    assert base.ask("/verify", row, Cookie="a/b=1; {}=2")[0] == 200
    assert base.ask("/move", {}, Cookie="a/b=1")[0] == 404


def test_openapi_describes_every_route_and_each_refusal(base: Server) -> None:
    _, described = base.ask("/openapi.json")
    assert described["openapi"].startswith("3.")
    assert described["paths"].keys() == {
        *("/health", "/tasks", "/tasks/{task_id}", "/score"),
        *("/rows", "/seed_session", "/verify", "/aggregate_metrics", "/{tool}"),
    }
    text = json.dumps(described)
    named = set(re.findall(r"#/components/schemas/([\w-]+)", text))
    assert named <= described["components"]["schemas"].keys()
    for path in described["paths"].values():
        for route in path.values():
            assert route["responses"].keys() >= {"413", "422", "429", "503"}
            assert route["description"]


def test_half_a_character_is_no_matter(base: Server, scorer: Scorer) -> None:
    task_id = next(iter(scorer.tasks))
    status, row = base.ask("/score", {"task_id": task_id, "answer": "```python\nmove('\ud800', 1, 1)\n```"})
    assert (status, row["won"]) == (200, False)


def test_a_killed_worker_costs_no_answer(base: Server, scorer: Scorer) -> None:
    task_id = list(scorer.tasks)[-1]
    answer = {"task_id": task_id, "answer": scorer.solution(task_id)[0].text}
    base.ask("/score", answer)
    assert base.workers()
    for pid in base.workers():
        os.kill(pid, signal.SIGKILL)
    assert base.ask("/score", {"answers": [answer] * 4})[1]["results"] == [base.ask("/score", answer)[1]] * 4


def test_five_hundred_clients_are_served(base: Server, scorer: Scorer) -> None:
    plans = [{"task_id": task_id, "answer": scorer.solution(task_id)[0].text} for task_id in list(scorer.tasks)[:5]]
    done = asyncio.run(crowd.send(base.url, 500, plans * 100))
    assert done.statuses == {200: 500}
    assert all(row["reward"] == 1.0 for row in done.rows)
    assert done.health


def test_a_full_queue_and_too_many_sessions_are_told_by_429(environment: Environment) -> None:
    options = ("--queue", "3", "--sessions", "1", "--expiry", "60", "--jobs", "1")
    with served(environment, "--dataset", "base", "--limit", "2", "--mode", "tools", *options) as server:
        task_id = server.ask("/tasks")[1]["tasks"][0]["id"]
        answers = {"answers": [{"task_id": task_id, "answer": "?"}] * 3}
        done = asyncio.run(crowd.send(server.url, 20, [answers] * 40, again=False))
        assert done.statuses.keys() == {200, 429}
        assert server.ask("/score", {"answers": answers["answers"] * 2})[0] == 413
        assert [server.ask("/seed_session", {"task_id": task_id})[0] for _ in range(2)] == [200, 429]


@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_the_server_and_its_workers(environment: Environment, end: signal.Signals, code: int) -> None:
    with served(environment, "--dataset", "base", "--limit", "1", "--jobs", "1") as server:
        task_id = server.ask("/tasks")[1]["tasks"][0]["id"]
        server.ask("/score", {"task_id": task_id, "answer": WRONG})
        workers = server.workers()
        assert workers
        server.process.send_signal(end)
        assert server.process.wait(30) == code
        assert server.process.stderr
        assert "Traceback" not in server.process.stderr.read()
        assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_an_address_that_all_can_reach_is_warned_of_and_one_that_is_taken_refused(environment: Environment) -> None:
    options = ("--suite", "acp", "--seed", "1", "--count", "1")
    process = subprocess.Popen(
        [environment.bin / "herobench", "serve", *options, "--host", "0.0.0.0", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    assert "no password" in process.stderr.readline()
    found = re.search(r":(\d+) ", process.stderr.readline())
    assert found
    # its user chose to let others in, and they may know it by any name: pages of theirs are refused all the same
    server = Server(process, f"http://127.0.0.1:{found[1]}")
    assert server.ask("/health", Host="page.example")[0] == 200
    assert server.ask("/health", Origin="https://page.example")[0] == 403
    taken = environment.run("herobench", "serve", *options, "--port", found[1], cwd=environment.path)
    process.terminate()
    process.wait(30)
    process.stderr.close()
    assert taken.returncode == 2
    assert "Give another --host or --port." in taken.stderr


def test_the_page_is_true_of_its_commands_and_its_program(environment: Environment) -> None:
    page = page_text("serve.md", "Over HTTP")
    first, *others = re.findall(r"^\$ herobench serve (.*)$", page, re.MULTILINE)
    program = "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    with served(environment, *shlex.split(first)) as server:
        assert "http://127.0.0.1:8765" in program
        exec(compile(program.replace("http://127.0.0.1:8765", server.url), "serve.md", "exec"), {})
    for options in others:
        with served(environment, *shlex.split(options)) as server:
            assert server.ask("/health")[1]["status"] == "ok"
