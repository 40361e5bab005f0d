"""Scores replies for other tools: opens suites, plays attempts, and returns results.

Adapters in `herobench.surfaces` use it, and so may any program:

    from herobench.scorer import Scorer, TaskQuery

    with Scorer(TaskQuery(suite="rpg", dataset="base", difficulty="1-3")) as scorer:
        for task_id in scorer.tasks:
            result = scorer.score(task_id, "```python\\nmove('Hero', 1, 1)\\n```")
            print(task_id, result.reward, result.failure)

`TurnReward` rewards each turn of an attempt. `Frontier` draws tasks that a policy wins about half of the time, and
follows its progress.

It imports no library that a trainer may need in another version: no openai, numpy, pandas or typer.
"""

from herobench.scorer.frontier import Frontier
from herobench.scorer.play import REWARDS, Play, Result, RewardKind, Said, TurnReward
from herobench.scorer.query import TaskQuery
from herobench.scorer.scorer import Answer, Prefix, Scorer, shared_scorer

__all__ = [
    "REWARDS",
    "Answer",
    "Frontier",
    "Play",
    "Prefix",
    "Result",
    "RewardKind",
    "Said",
    "Scorer",
    "TaskQuery",
    "TurnReward",
    "shared_scorer",
]
