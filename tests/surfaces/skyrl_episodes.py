"""Plays tasks in SkyRL-Gym as its generator does, in an environment that has it: prints a line of figures a suite.

python skyrl_episodes.py '{"suite": "rpg", "limit": 3}' oracle
python skyrl_episodes.py '{"suite": "rpg", "limit": 3}' "no plan"     # always says that
python skyrl_episodes.py '{"suite": "rpg", "limit": 3, "mode": "feedback"}' credit
"""

import json
import sys
from typing import Any

import skyrl_gym

from herobench.conversation import Reply
from herobench.scorer import Scorer, TaskQuery
from herobench.surfaces import skyrl


def main(knobs: dict[str, Any], says: str) -> None:
    skyrl_gym.register(id="herobench", entry_point="herobench.surfaces.skyrl:HeroBench")
    metrics, same = [], True
    with Scorer(TaskQuery(**knobs)) as scorer:
        for row in skyrl.training_rows(**knobs):
            task_id, prompt = row["reward_spec"]["ground_truth"], row.pop("prompt")
            replies = [*map(written, scorer.solution(task_id))] if says == "oracle" else [says] * 1000
            environment = skyrl_gym.make(row.pop("env_class"), env_config={}, extras=row)
            messages, _ = environment.init(prompt)
            assert messages == prompt
            assert all(tool.name in prompt[0]["content"] for tool in scorer.play(task_id).tools)
            said: list[str] = []
            done: Any = {"done": False}
            while not done["done"]:
                said.append(replies[len(said)])
                done = environment.step(said[-1])
                assert all(message.keys() == {"role", "content"} for message in done["observations"])
                environment.close()
            play = scorer.play(task_id)
            for text in said:
                play.say(play.read(text))
            expected = play.result()
            same &= done["reward"] == expected.reward and done["metadata"]["failure"] == expected.failure
            metrics.append(environment.get_metrics())
    print(json.dumps({"tasks": len(metrics), "same": same, **skyrl.HeroBench.aggregate_metrics(metrics)}))


def written(reply: Reply) -> str:
    """Return a reply as a policy writes it: calls as JSON."""
    calls = [{"name": call.name, "arguments": json.loads(call.arguments)} for call in reply.tool_calls]
    return json.dumps(calls[0] if len(calls) == 1 else calls) if calls else reply.text


def credit(knobs: dict[str, Any]) -> None:
    """Play the second half of each task under each reward, in two forks. Print the sums, and whether forks agree."""
    skyrl_gym.register(id="herobench", entry_point="herobench.surfaces.skyrl:HeroBench")
    found: dict[str, Any] = {"same": True}
    for kind in ("end", "progress", "potential"):
        sums = []
        with Scorer(TaskQuery(**knobs)) as scorer:
            for row in skyrl.training_rows(**knobs):
                way = scorer.way(row["reward_spec"]["ground_truth"])
                row["extra_info"]["prefix"] = len(way) // 2
                environment = skyrl_gym.make("herobench", env_config={"reward": kind}, extras=row)
                opening, _ = environment.init(row["prompt"])
                assert len(opening) > len(row["prompt"])
                ends = []
                for twin in (environment.fork(), environment):
                    ends.append([twin.step(written(reply))["reward"] for reply in way[len(way) // 2 :]])
                found["same"] &= ends[0] == ends[1]
                sums.append(sum(ends[0]))
        found[kind] = sum(sums) / len(sums)
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[2] == "credit":
        credit(json.loads(sys.argv[1]))
    else:
        main(json.loads(sys.argv[1]), sys.argv[2])
