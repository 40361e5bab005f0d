"""Players of environments of Gymnasium, in an environment that has it: prints figures as JSON.

python gym_players.py checks | scores KNOBS SAYS | credit KNOBS | vector | endings | refusals
"""

import json
import sys
import warnings
from typing import Any

import gymnasium
from gymnasium.utils.env_checker import check_env

from herobench.conversation import ToolCall
from herobench.data.errors import UsageError
from herobench.scorer import Scorer, TaskQuery

PLAN, PLAY = (f"herobench.surfaces.gym:HeroBench/{name}-v0" for name in ("Plan", "Play"))
RPG, ACP = {"suite": "rpg", "dataset": "base", "limit": 9}, {"suite": "acp", "limit": 9}
EPOCH, AUTUMN = {"suite": "epoch", "dataset": "epochs-v1", "levels": "1-3"}, {"suite": "autumn", "limit": 3}


def written(call: ToolCall) -> str:
    return json.dumps({"name": call.name, "arguments": json.loads(call.arguments)})


def checks() -> dict[str, Any]:
    """Gymnasium's own checks, of which any warning is an error."""
    warnings.simplefilter("error")
    for id, knobs in [(PLAN, RPG), (PLAN, ACP), (PLAN, EPOCH), (PLAY, RPG), (PLAY, ACP), (PLAY, EPOCH), (PLAY, AUTUMN)]:
        check_env(gymnasium.make(id, **knobs).unwrapped)
    return {"version": gymnasium.__version__}


def scores(knobs: str, says: str) -> dict[str, Any]:
    """Play every task by the oracle, or by words, with the plan as one action and by turns."""
    figures: dict[str, Any] = {}
    for id in (PLAN, PLAY):
        given = json.loads(knobs)
        if id == PLAN and given["suite"] == "autumn":
            continue
        environment = gymnasium.make(id, **given)
        query: TaskQuery = environment.unwrapped._query
        rewards, expected = [], []
        with Scorer(query) as scorer:
            for task_id in scorer.tasks:
                replies = scorer.solution(task_id)
                environment.reset(options={"task_id": task_id})
                told: list[Any] = [0, 0.0, False, False, {}]
                said: list[str] = []
                while not told[2]:
                    reply = replies[len(said)] if says == "oracle" else None
                    calls = [written(call) for call in reply.tool_calls] if reply else []
                    said.append(f"[{','.join(calls)}]" if calls else reply.text if reply else says)
                    told = list(environment.step(said[-1]))
                rewards.append(told[1])
                turns = replies if says == "oracle" else said
                expected.append(scorer.score(task_id, turns).reward)
        figures[id[-7:-3]] = {"tasks": len(rewards), "same": rewards == expected, "score": sum(rewards) / len(rewards)}
    return figures


def credit(knobs: str) -> list[Any]:
    """Play the second half of each task, in two forks, under each reward. Give the sums and whether forks agree."""
    found = []
    for kind in ("end", "progress", "potential"):
        environment = gymnasium.make(PLAY, reward=kind, **json.loads(knobs)).unwrapped
        sums, same, first = 0.0, True, True
        for task_id in environment._tasks:
            way = environment._scorer.way(task_id)
            observation, _ = environment.reset(options={"task_id": task_id, "prefix": len(way) // 2})
            begun, ends = environment.fork(), []
            for twin in (environment, begun.fork(), begun):
                rewards = [twin.step(written(call))[1] for reply in way[len(way) // 2 :] for call in reply.tool_calls]
                ends.append([rewards, twin._credit.play.result().as_row()])
            same &= ends[0] == ends[1] == ends[2]
            first &= observation == begun.reset(options={"task_id": task_id, "prefix": len(way) // 2 - len(way)})[0]
            sums += sum(ends[0][0])
        found.append([kind, sums / len(environment._tasks), same, first])
    return found


def vector() -> dict[str, Any]:
    """Several environments at once, in this process and in others, from the same seeds."""
    found = {}
    for mode in ("sync", "async"):
        environments = gymnasium.make_vec(PLAY, num_envs=2, vectorization_mode=mode, **EPOCH)
        seen = [environments.reset(seed=[5, 6])[1]["task_id"].tolist()]
        for _ in range(3):
            _, rewards, *_, info = environments.step(("no call", '{"name": "stuck", "arguments": {}}'))
        environments.close()
        found[mode] = [*seen, [float(reward) for reward in rewards], sorted(info)]
    return found


def endings() -> dict[str, Any]:
    """What `info` has of plans that end in several ways: failure, cause and line."""
    found: dict[str, Any] = {}
    for suite, plans in {
        "rpg": ["x", "```python\nmove('Hero', 1, 1)\nmove('Hero', 99, 1)\n```", "```python\nx = []\nx[3]\n```", None],
        "epoch": ["x", '[{"name": "move", "arguments": {}}]', '[{"name": "done", "arguments": {}}]', None],
    }.items():
        environment = gymnasium.make(PLAN, **{"rpg": RPG, "epoch": EPOCH}[suite])
        solution = environment.unwrapped._scorer.solution(environment.unwrapped._tasks[0])[0].text
        for plan in plans:
            environment.reset(options={"task_id": environment.unwrapped._tasks[0]})
            info = environment.step(plan or solution)[-1]
            found.setdefault(suite, []).append([info["failure"], info.get("cause"), info.get("line")])
    return found


def refusals() -> list[str]:
    """The sentences for options, settings and actions that are wrong."""
    environment = gymnasium.make(PLAY, **EPOCH)
    environment.reset()
    told = []
    for call in (
        lambda: environment.reset(options={"task": "L01"}),
        lambda: environment.reset(options={"task_id": 5}),
        lambda: environment.reset(options={"epoch": "0"}),
        lambda: environment.reset(options={"epoch": -1}),
        lambda: environment.reset(options={"task_id": "L01", "prefix": 4}),
        lambda: environment.unwrapped.step(5),
        lambda: gymnasium.make(PLAY, suite="epoch", turns="20"),
        lambda: gymnasium.make(PLAY, suite="epoch", reward="dense"),
        lambda: gymnasium.make(PLAY, suite="epoch", window=2),
    ):
        try:
            told.append(f"accepted: {call()}")
        except UsageError as error:
            told.append(str(error))
    return told


if __name__ == "__main__":
    jobs = {job.__name__: job for job in (checks, scores, credit, vector, endings, refusals)}
    print(json.dumps(jobs[sys.argv[1]](*sys.argv[2:])))
