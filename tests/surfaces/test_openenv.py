"""`herobench openenv` with OpenEnv's own client and validation, in an environment of its own."""

import json
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from herobench.conversation import Reply
from herobench.scorer import Answer, Scorer, TaskQuery
from tests.program import herobench
from tests.sizes import many
from tests.surfaces import player_server
from tests.surfaces.environment import Environment, make_environment, status_by_name
from tests.surfaces.page import page_text

pytestmark = pytest.mark.packaging
CLIENT = Path(__file__).with_name("openenv_client.py")
GRADERS = Path(__file__).with_name("openenv_graders.py")
TASKS = many(60, 20)
SUITES = {
    "rpg": {"dataset": "base", "limit": TASKS},
    "acp": {"suite": "acp", "limit": TASKS},
    "epoch": {"suite": "epoch", "limit": TASKS},
    "autumn": {"suite": "autumn", "limit": TASKS, "total": 80},  # the most actions
}
PLANS = {"suite": "epoch", "limit": TASKS, "mode": "plan"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = make_environment(tmp_path_factory.mktemp("openenv"), herobench="openenv")
    assert tuple(map(int, made.version("openenv").split(".")[:2])) >= (0, 10)
    return made


@contextmanager
def served(environment: Environment, folder: Path, knobs: Mapping[str, Any], *options: str) -> Iterator[str]:
    """Serve tasks, and give the URL."""
    words = [word for name, value in knobs.items() for word in (f"--{name}", str(value))]
    command = [environment.bin / "herobench", "openenv", "--port", "0", *words, *options]
    said = folder / "said"
    with said.open("w") as errors:
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
        assert process.stderr
        urls = (errors.write(line) and re.search(r"Serving .* at (http://\S+)", line) for line in process.stderr)
        try:
            found = next((found for found in urls if found), None)
            assert found, said
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 130
            process.stderr.close()


def played(environment: Environment, folder: Path, url: str, episodes: Sequence[Any], sessions: int = 4) -> list[Any]:
    """Return what came of episodes; last, what came of the sessions."""
    file = folder / "episodes.json"
    file.write_text(json.dumps(episodes), "utf-8")
    done = environment.run("python", CLIENT, url, file, str(sessions), cwd=folder)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def action(turn: Reply | str) -> dict[str, Any]:
    """Return a turn as the action of a client: calls of tools are JSON."""
    if isinstance(turn, str):
        return {"plan": turn}
    calls = [{"name": call.name, "arguments": json.loads(call.arguments)} for call in turn.tool_calls]
    return {"plan": json.dumps(calls) if calls else turn.text}


def expected(scorer: Scorer, turns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the rows of results, without what OpenEnv has elsewhere."""
    rows = (result.as_row(details=False) for result in scorer.score_all(Answer(id, said) for id, said in turns.items()))
    return {row["task_id"]: row for row in rows}


@pytest.mark.parametrize("knobs", [*SUITES.values(), PLANS], ids=[*SUITES, "epoch by plans"])
def test_the_oracle_wins_and_a_wrong_answer_scores_what_the_scorer_says_in_twenty_sessions(
    environment: Environment, knobs: dict[str, Any], tmp_path: Path
) -> None:
    with Scorer(TaskQuery(**knobs)) as scorer:
        right = {task_id: scorer.solution(task_id) for task_id in scorer.tasks}
        first = right[next(iter(right))]  # wins the first task, and others by chance
        wrong = dict.fromkeys(list(right)[1:], first)
        rows = [expected(scorer, right), expected(scorer, {task_id: [*first] * 100 for task_id in wrong})]
        openings = {id: [message.text for message in scorer.opening(id)] for id in scorer.tasks}
    assert len(right) == TASKS
    assert {row["reward"] for row in rows[0].values()} == {1.0}
    assert min(row["reward"] for row in rows[1].values()) == 0.0
    episodes = [
        {"reset": {"task_id": task_id, "episode_id": task_id}, "turns": [action(turn) for turn in turns[task_id]]}
        for turns in (right, wrong)
        for task_id in turns
    ]
    with served(environment, tmp_path, knobs, "--sessions", "20") as url:
        *seen, sessions = played(environment, tmp_path, url, episodes, 20)
    assert sessions["sessions"] == 20
    assert "20" in sessions["refused"][0]
    for row, (task_id, row_expected) in zip(seen, [*rows[0].items(), *rows[1].items()], strict=True):
        facts = {name: value for name, value in row["metadata"].items() if name not in ("group", "turns")}
        assert {**facts, "reward": row["rewards"][-1]} == row_expected
        assert row["done"]
        assert not any(row["rewards"][:-1])
        assert [message["content"] for message in row["opening"]["messages"]] == openings[task_id]
        assert (row["state"]["episode_id"], row["state"]["step_count"], row["state"]["over"]) == (task_id, 0, False)
        assert (row["after"]["step_count"], row["after"]["over"]) == (row["steps"], True)


def test_resets_choose_tasks_and_plans_may_stand_alone(environment: Environment, tmp_path: Path) -> None:
    with Scorer(TaskQuery(**SUITES["rpg"])) as scorer:
        tasks = list(scorer.tasks)
        plan = scorer.solution(tasks[4])[0].text
    bare = plan.removeprefix("```python\n").removesuffix("```")
    made = {"suite": "epoch", "seed": 3, "count": 2, "length": "5-6"}
    with Scorer(TaskQuery(**made)) as scorer:
        (level, calls), *_ = [(id, scorer.solution(id)) for id in scorer.tasks]
    one_by_one = [
        {"name": call.name, "arguments": json.loads(call.arguments)} for reply in calls for call in reply.tool_calls
    ]
    episodes: dict[str, Any] = {
        "bare": {"reset": {"task_id": tasks[4]}, "turns": [{"plan": bare}]},
        "prose": {"reset": {"split": "test", "index": 4}, "turns": [{"plan": f"This is my plan:\n{plan}\nI am done."}]},
        "seed": {"reset": {"seed": 5}, "turns": []},
        "same seed": {"reset": {"seed": 5}, "turns": []},
        "other seed": {"reset": {"seed": 6}, "turns": []},
        "half a character": {"reset": {"index": 0}, "turns": [{"plan": "\ud800"}]},
        "made anew": {
            "reset": {"suite": "epoch", "seed": 3, "count": 2, "length": "5-6", "task_id": level},
            "turns": one_by_one,
        },
        "row": {"reset": {"herobench": json.dumps({**made, "jobs": 7}), "task_id": level}, "turns": one_by_one},
        "bracket": {"reset": {"difficulty": "9", "seed": 1, "limit": "2"}, "turns": []},
        "nowhere": {"reset": {"task_id": "nowhere"}, "turns": []},
        "file": {"reset": {"tasks": "tasks.jsonl"}, "turns": []},
        "no knob": {"reset": {"hardness": 3}, "turns": []},
        "far": {"reset": {"index": TASKS}, "turns": []},
        "other split": {"reset": {"split": "train", "index": 0}, "turns": []},
        "unnamed": {"reset": {"index": 0}, "turns": [{"answer": "?"}]},
        "a number": {"reset": {"index": 0}, "turns": [{"plan": 5}]},
        "a call": {"reset": {"index": 0}, "turns": [{"name": "move", "arguments": {}}]},
        "window": {"reset": {"suite": "epoch", "window": 2}, "turns": []},
        "long": {"reset": {"suite": "autumn", "limit": 1}, "turns": [{"plan": "x" * 6_000_000}]},
        "after": {"reset": {"index": 0}, "turns": [{"plan": "?"}]},
    }
    with served(environment, tmp_path, SUITES["rpg"]) as url:
        answers = played(environment, tmp_path, url, list(episodes.values()), 1)
        seen = dict(zip(episodes, answers, strict=False))
        probed = environment.run("openenv", "validate", "--url", url, cwd=tmp_path)
    assert probed.returncode == 0, probed.stdout
    assert "Verdict: PASS" in probed.stdout
    for name in ("bare", "prose", "made anew", "row"):
        assert seen[name]["rewards"][-1] == 1.0, name
    assert seen["seed"]["opening"] == seen["same seed"]["opening"] != seen["other seed"]["opening"]
    assert seen["half a character"]["metadata"]["failure"] == "invalid_code"
    assert seen["made anew"]["state"]["suite"] == "epoch"
    assert seen["bracket"]["state"]["group"] == "9"
    assert f"There is no task 'nowhere' among the {TASKS} tasks of base-v2." in seen["nowhere"]["refused"]
    assert "leave out tasks" in seen["file"]["refused"]
    assert "There is no knob 'hardness'" in seen["no knob"]["refused"]
    assert f"the {TASKS} tasks count from 0" in seen["far"]["refused"]
    assert "the tasks are the split 'test'" in seen["other split"]["refused"]
    assert "plan is missing. There is no answer: leave it out." in seen["unnamed"]["refused"]
    assert "plan is 5: give a text." in seen["a number"]["refused"]
    assert "plan is {" in seen["a call"]["refused"]
    assert "window says which turns" in seen["window"]["refused"]
    assert "may have 16,777,216 characters" in seen["long"]["refused"]
    assert seen["long"]["steps"] == 2
    assert seen["after"]["rewards"] == [0.0]  # the session goes on after all this


def test_an_episode_is_copied_as_it_stands_and_the_copies_get_equal_verdicts(
    environment: Environment, tmp_path: Path
) -> None:
    knobs = {"suite": "epoch", "dataset": "epochs-v1", "levels": "1-3"}
    with Scorer(TaskQuery(**knobs)) as scorer:
        turns = [action(turn) for turn in scorer.way("L03")]
    episodes = [
        {"reset": {"task_id": "L03", "levels": "3", "reward": "potential"}, "turns": turns, "forks": 3},
        {"reset": {"fork": "nowhere"}, "turns": []},
        {"reset": {"fork": 5}, "turns": []},
    ]
    with served(environment, tmp_path, knobs) as url:
        first, nowhere, wrong, _ = played(environment, tmp_path, url, episodes, 1)
    assert first["done"]
    assert len(first["forks"]) == 2
    for fork in first["forks"]:
        assert fork["metadata"] == first["metadata"]
        assert fork["metadata"]["won"]
        assert fork["rewards"] == first["rewards"][-3:] == [0.125] * 3
        assert fork["after"]["step_count"] == first["after"]["step_count"] == len(turns)
        assert fork["state"]["episode_id"] != first["state"]["episode_id"]
        assert len(fork["opening"]["messages"]) > len(first["opening"]["messages"])
    assert "There is no open episode 'nowhere'" in nowhere["refused"]
    assert "fork is 5: give a text." in wrong["refused"]


def test_an_episode_begins_after_a_prefix_and_each_turn_is_paid(environment: Environment, tmp_path: Path) -> None:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="3")) as scorer:
        calls = [reply.tool_calls[0] for reply in scorer.way("L03")]
    turns = [{"name": call.name, "arguments": json.loads(call.arguments)} for call in calls]
    begun = {"task_id": "L03", "reward": "potential"}
    episodes = [
        {"reset": {**begun, "prefix": 5}, "turns": turns[5:]},
        {"reset": {**begun, "prefix": [json.dumps(turn) for turn in turns[:5]]}, "turns": turns[5:]},
        {"reset": {"task_id": "L03", "reward": "progress"}, "turns": turns},
        {"reset": {"task_id": "L03"}, "turns": turns},
        {"reset": {**begun, "prefix": 8}, "turns": turns},
        {"reset": {"task_id": "L03", "reward": "dense"}, "turns": turns},
    ]
    knobs = {"suite": "epoch", "dataset": "epochs-v1", "levels": "3"}
    with served(environment, tmp_path, knobs) as url:
        refused, own, _ = played(environment, tmp_path, url, episodes[:2], 1)
    assert "--oracle-prefixes" in refused["refused"]
    assert own["rewards"] == [0.125, 0.125, 0.125]
    with served(environment, tmp_path, knobs, "--oracle-prefixes") as url:
        first, second, progress, end, over, wrong, _ = played(environment, tmp_path, url, episodes, 1)
    assert first["rewards"] == second["rewards"] == [0.125, 0.125, 0.125]
    assert [message["content"] for message in first["opening"]["messages"]] == [
        message["content"] for message in second["opening"]["messages"]
    ]
    assert sum(progress["rewards"]) == 1
    assert any(progress["rewards"][:-1])
    assert end["rewards"] == [0.0] * 7 + [1.0]
    assert "The prefix has 8 turns" in over["refused"]
    assert "give one of end, progress, potential" in wrong["refused"]


@pytest.mark.parametrize("knobs", [["dataset=base", "limit=60"], ["seed=4", "count=3", "difficulty=1-3"]])
def test_a_package_is_valid_and_its_server_keeps_the_contract(
    environment: Environment, knobs: list[str], tmp_path: Path
) -> None:
    settings = [word for knob in knobs for word in ("--set", knob)]
    assert herobench("export", "openenv", str(tmp_path / "package"), *settings).returncode == 0
    # here are no containers
    done = environment.run("openenv", "validate", "package", "--skip-build", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    report = json.loads(done.stdout)
    assert report["manifest"]["capabilities"]["declared_task_count"] == (
        {"test": 60} if "limit=60" in knobs else {"train": 3}
    )
    assert {row["status"] for row in report["results"] if row["check_id"] == "static.manifest"} == {"pass"}
    assert not [row for row in report["results"] if row["status"] in ("fail", "error")]
    done = environment.run("python", GRADERS, "package", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    checks = json.loads(done.stdout)["checks"]
    for name in ("startup", "reward_well_formed", "observation_schema", "state_contract"):
        assert checks[f"runtime.{name}"][0] == "pass", checks


def test_a_fixed_server_refuses_other_tasks_and_wrong_options_end_with_a_sentence(
    environment: Environment, tmp_path: Path
) -> None:
    with served(environment, tmp_path, {"suite": "acp", "limit": 2}, "--fixed") as url:
        episodes = [{"reset": {"suite": "epoch"}, "turns": []}, {"reset": {"index": 1}, "turns": [{"plan": 1}]}]
        refused, other, _ = played(environment, tmp_path, url, episodes, 1)
        assert [status_by_name(f"{url}/health", name) for name in ("page.example", "localhost")] == [403, 200]
        for body in (b'{"self": "x"}', b'{"func": "x"}'):  # names of parameters of OpenEnv's own
            assert status_by_name(f"{url}/reset", "localhost", body) == 422
    assert "This server plays its own tasks alone: leave out suite." in refused["refused"]
    assert other["done"]
    done = environment.run("herobench", "openenv", "--length", "5", cwd=tmp_path)
    assert done.returncode == 2
    assert "give a seed too" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_programs_of_the_page_play(environment: Environment, tmp_path: Path) -> None:
    page = page_text("serve.md", "As an environment of OpenEnv")
    episode, of_trl = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with Scorer(TaskQuery(**SUITES["rpg"])) as scorer:
        task_id, *_ = scorer.tasks
        plan = scorer.solution(task_id)[0].text
        opening = scorer.opening(task_id)[0].text
    with served(environment, tmp_path, SUITES["rpg"]) as url:
        # as TRL calls it
        code = f"""{episode}{of_trl}
environment = HeroBench()
print(environment.reset(prompt="?", task_id={task_id!r}) == {opening!r})
print(environment.submit(plan={plan!r}), environment.get_reward())
"""
        done = environment.run("python", "-c", code.replace("http://127.0.0.1:8000", url), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-3:] == ["0.0 invalid_code", "True", "The attempt is over. 1.0"]


def test_verifiers_plays_the_server_with_a_client_of_its_own(
    environment: Environment, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("verifiers")
    verifiers = make_environment(folder, "verifiers[openenv]>=0.4,<0.5", "uv", herobench=None)
    page = page_text("serve.md", "As an environment of OpenEnv")
    toml = re.search(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    command = re.search(r"`(vf-eval @ .*?)`", page)
    assert toml
    assert command
    knobs = {"dataset": "base", "limit": 3}
    with Scorer(TaskQuery(**knobs)) as scorer:
        first, second, _ = scorer.tasks
        plan = scorer.solution(second)[0].text
        drawn = Random(7).choice(list(scorer.tasks))
        rewards = [scorer.score(task_id, plan).reward for task_id in (first, second, drawn)]
    assert rewards[1] == 1.0
    with served(environment, folder, knobs) as url, player_server.served(TaskQuery(**knobs), plan) as models:
        (folder / "openenv.toml").write_text(toml[1].replace("http://127.0.0.1:8000", url), "utf-8")
        local = ("--client.base-url", models, "--client.api-key-var", "K", "--no-rich", "-o", "out")
        done = verifiers.run(*shlex.split(command[1]), *local, cwd=folder, extra={"K": "none"})
        assert done.returncode == 0, done.stderr
    (file,) = (folder / "out").rglob("traces.jsonl")
    traces = [trace for line in file.read_text("utf-8").splitlines() for trace in json.loads(line)["traces"]]
    assert sorted(trace["rewards"]["openenv_reward"]["score"] for trace in traces) == sorted(rewards)
