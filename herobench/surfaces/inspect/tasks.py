"""The tasks: one for each suite that comes with HeroBench, and `suite` for any other.

The arguments are the options of the command line. With a seed, tasks are made by difficulty, length and count. All
other arguments are settings of the suite, such as `-T mode=tools`.
"""

from __future__ import annotations

from typing import Any

from click import UsageError as WrongArgument
from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from herobench.errors import HeroBenchError
from herobench.scorer import Scorer, Wanted, shared_scorer
from herobench.surfaces.inspect.knobs import as_metadata, kept
from herobench.surfaces.inspect.messages import inspect_message
from herobench.surfaces.inspect.scorers import average, verdict
from herobench.surfaces.inspect.solvers import play

_VERSION = "1.0"
"""Changes when a score of the same replies does."""


@task  # type: ignore[untyped-decorator, unused-ignore]
def rpg(**knobs: Any) -> Task:
    """Write a plan for a hero in a role-playing world, or play it with `-T mode=tools`."""
    return _task("rpg", knobs)


@task  # type: ignore[untyped-decorator, unused-ignore]
def acp(**knobs: Any) -> Task:
    """Answer questions about actions, changes and plans: ACPBench Hard."""
    return _task("acp", knobs)


@task  # type: ignore[untyped-decorator, unused-ignore]
def epoch(**knobs: Any) -> Task:
    """Lead people through three epochs with tools, or by one plan with `-T mode=plan`."""
    return _task("epoch", knobs)


@task  # type: ignore[untyped-decorator, unused-ignore]
def autumn(**knobs: Any) -> Task:
    """Act in a world with hidden rules, then answer a challenge about them."""
    return _task("autumn", knobs)


@task  # type: ignore[untyped-decorator, unused-ignore]
def suite(suite: str, **knobs: Any) -> Task:
    """Play a suite of another package, by its name: `-T suite=NAME`."""
    return _task(suite, knobs)


def _task(suite: str, knobs: dict[str, Any]) -> Task:
    try:
        knobs = kept(suite, knobs)
        scorer = shared_scorer(Wanted(**knobs))
        samples = [_sample(scorer, task_id, info.group, knobs) for task_id, info in scorer.tasks.items()]
    except HeroBenchError as error:
        raise WrongArgument("\n".join(error.lines)) from error
    return Task(
        dataset=MemoryDataset(samples, name=scorer.dataset),
        solver=play(),
        scorer=verdict(),
        epochs=Epochs(1, average()),
        version=_VERSION,
        metadata={"dataset": scorer.dataset, **scorer.identity},
    )


def _sample(scorer: Scorer, task_id: str, group: str | None, knobs: dict[str, Any]) -> Sample:
    opening = [inspect_message(message) for message in scorer.opening(task_id)]
    return Sample(id=task_id, input=opening, metadata=as_metadata(group, knobs))
