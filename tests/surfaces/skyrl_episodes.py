"""Plays tasks in SkyRL-Gym as its generator does, in an environment that has it: prints a line of figures a suite.

python skyrl_episodes.py '{"suite": "rpg", "limit": 3}' oracle
python skyrl_episodes.py '{"suite": "rpg", "limit": 3}' "no plan"     # always says that
"""

import json
import sys
from typing import Any

import skyrl_gym

from herobench.scorer import Answer, Scorer, TaskQuery
from herobench.surfaces import skyrl


def main(knobs: dict[str, Any], says: str) -> None:
    skyrl_gym.register(id="herobench", entry_point="herobench.surfaces.skyrl:HeroBench")
    metrics, same = [], True
    with Scorer(TaskQuery(**knobs)) as scorer:
        for row in skyrl.training_rows(**knobs):
            task_id, prompt = row["reward_spec"]["ground_truth"], row.pop("prompt")
            replies = [reply.text for reply in scorer.solution(task_id)] if says == "oracle" else [says] * 1000
            environment = skyrl_gym.make(row.pop("env_class"), env_config={}, extras=row)
            messages, _ = environment.init(prompt)
            assert messages == prompt
            said: list[str] = []
            done: Any = {"done": False}
            while not done["done"]:
                said.append(replies[len(said)])
                done = environment.step(said[-1])
                environment.close()
            expected = next(scorer.score_all([Answer(task_id, said)]))
            same &= done["reward"] == expected.reward and done["metadata"]["failure"] == expected.failure
            metrics.append(environment.get_metrics())
    print(json.dumps({"tasks": len(metrics), "same": same, **skyrl.HeroBench.aggregate_metrics(metrics)}))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2])
