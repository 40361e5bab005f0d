"""Reward functions for TRL, and for any trainer that calls `f(prompts, completions, **columns) -> rewards`.

    from datasets import Dataset
    from herobench.surfaces.reward import reward, training_rows

    dataset = Dataset.from_list(list(training_rows(suite="rpg", seed=7, difficulty="1-3", count=500)))
    trainer = GRPOTrainer(model=..., reward_funcs=reward, train_dataset=dataset)

A reward is None if the sandbox or the suite failed: TRL leaves such completions out. Plans run in the processes of a
sandbox, which each process of a trainer starts once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from herobench.data.documents import json_object
from herobench.data.errors import SandboxError, SuiteError, UsageError, abbreviate
from herobench.models.messages import chat_messages
from herobench.scorer import Answer, Result, Said, Scorer, TaskQuery, shared_scorer
from herobench.work.engine import threaded

COLUMN = "herobench"
"""The column of a dataset that has the settings of a row."""
UNMEASURED = "unmeasured"
"""The failure of a reply that could not be measured."""
FIGURES = ("score", "win", "progress")
NOT_MEASURED = (SandboxError, SuiteError)
"""Errors that the policy did not cause."""

_log = logging.getLogger(__name__)


def as_column(knobs: Mapping[str, Any]) -> str:
    """Return settings as a value of the column `herobench`."""
    return json.dumps({name: value for name, value in knobs.items() if value is not None}, sort_keys=True, default=str)


@lru_cache(maxsize=1024)
def merge_settings(*columns: str) -> TaskQuery:
    """Merge settings; later columns override earlier ones. A suite is played in one turn unless a mode is named."""
    knobs: dict[str, Any] = {}
    for column in columns:
        knobs |= _settings(column)
    knobs.setdefault("jobs", _share_of_cores())
    query = TaskQuery(**knobs)
    return query if "mode" in dict(query.others) else query.one_turn()


def reward_scorer(knobs: Mapping[str, Any], column: str | Mapping[str, Any] | None = None) -> Scorer:
    """Return this process's scorer for settings of a trainer. Settings of a row override them."""
    row = column if isinstance(column, str) else as_column(column or {})
    return shared_scorer(merge_settings(as_column(knobs), row))


def list_prompts(knobs: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]], dict[str, Any]]]:
    """Yield the id of each task, its prompt as chat messages, and its facts."""
    scorer = reward_scorer(knobs)
    for index, (task_id, task) in enumerate(scorer.tasks.items()):
        facts = {"index": index, "group": task.group or "", COLUMN: as_column(knobs)}
        yield task_id, chat_messages(scorer.opening(task_id)), facts


def measure(scorer: Scorer, answer: Answer) -> Result | None:
    """Return the result of an answer; None when an error that the policy did not cause prevents it."""
    try:
        return scorer.score(answer.task_id, answer.said, answer.epoch)
    except NOT_MEASURED as error:
        _log.warning("%s is not measured: %s", answer.task_id, error)
        return None


def checked_figure(name: str) -> str:
    """Return the name of a figure. Raise UsageError for an unknown name."""
    if name not in FIGURES:
        raise UsageError(f"There is no figure {name!r}: a reward is one of {', '.join(FIGURES)}.")
    return name


def _settings(column: str) -> dict[str, Any]:
    settings = json_object(column or "{}")
    if settings is None:
        raise UsageError(f"The column {COLUMN} is {abbreviate(column)}: give settings as a JSON object.")
    return settings


def _share_of_cores() -> int:
    """Return this process's share of the cores. Launchers such as torchrun set the number of processes on a machine."""
    beside = os.environ.get("LOCAL_WORLD_SIZE", "")
    return max(1, (os.cpu_count() or 1) // max(1, int(beside) if beside.isdecimal() else 1))


Completion = Said | Sequence[Said]
"""A text, or the messages that the policy added to a conversation."""
Rewards = list[float | None]


def reward(
    prompts: Sequence[Any],
    completions: Sequence[Completion],
    task_id: Sequence[str],
    *,
    epoch: Sequence[int] | None = None,
    completion_ids: Sequence[Sequence[int]] | None = None,
    herobench: Sequence[str | Mapping[str, Any] | None] | None = None,
    log_extra: Callable[[str, list[Any]], None] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    knobs: Mapping[str, Any] | None = None,
    figure: str = "score",
    **columns: Any,
) -> Rewards:
    """Return the reward of each completion; None for one that was not measured.

    The dataset's column `task_id` names tasks, and its column `herobench`, if any, has settings. A warning says where
    the limit of tokens seems to cut all completions, by their `completion_ids`.
    """
    checked_figure(figure)
    epochs = [0] * len(completions) if epoch is None else epoch
    settings = [None] * len(completions) if herobench is None else herobench
    _refuse_other_lengths({"task_id": task_id, "epoch": epochs, COLUMN: settings}, len(completions))
    jobs = [
        (reward_scorer(knobs or {}, column), Answer(task, completion, 0 if number is None else number))
        for task, completion, number, column in zip(task_id, completions, epochs, settings, strict=True)
    ]
    results = _measure_all(jobs)
    _report(results, log_extra, log_metric)
    _warn_if_cut(completion_ids or (), results)
    return [None if result is None else result.figures()[figure] for result in results]


async def async_reward(prompts: Sequence[Any], completions: Sequence[Completion], *given: Any, **named: Any) -> Rewards:
    """Return the rewards as `reward` does, without blocking the event loop."""
    return await asyncio.to_thread(reward, prompts, completions, *given, **named)


def reward_function(*, figure: str = "score", **knobs: Any) -> Callable[..., Rewards]:
    """Return `reward` with settings for rows that have none: `reward_function(seed=7, count=100)`.

    `figure` is `score`, `win` or `progress`. The function can be pickled.
    """
    return partial(reward, knobs=knobs, figure=checked_figure(figure))


def async_reward_function(*, figure: str = "score", **knobs: Any) -> Callable[..., Awaitable[Rewards]]:
    """Return `async_reward` with settings, as `reward_function` does."""
    return partial(async_reward, knobs=knobs, figure=checked_figure(figure))


def training_rows(**knobs: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dataset: `prompt`, `task_id`, `group`, and the settings that score them in `herobench`."""
    for task_id, prompt, facts in list_prompts(knobs):
        yield {"prompt": prompt, "task_id": task_id, "group": facts["group"], COLUMN: facts[COLUMN]}


def _refuse_other_lengths(columns: Mapping[str, Sequence[Any]], count: int) -> None:
    for name, values in columns.items():
        if len(values) != count:
            raise UsageError(f"There are {count:,} completions, and {len(values):,} values of {name}.")


def _measure_all(jobs: Sequence[tuple[Scorer, Answer]]) -> list[Result | None]:
    threads = max((scorer.jobs for scorer, _ in jobs), default=1)
    return list(threaded(lambda job: measure(*job), jobs, threads))  # threads only wait for the sandbox's processes


def _warn_if_cut(completion_ids: Sequence[Sequence[int]], results: Sequence[Result | None]) -> None:
    """Warn where all completions of a batch lose, differ, and have one length: their tokens ran out."""
    lengths = {len(ids) for ids in completion_ids}
    differ = len({tuple(ids) for ids in completion_ids}) > 1
    if differ and len(lengths) == 1 and not any(result is not None and result.verdict.won for result in results):
        _log.warning(
            "All %s completions have %s tokens, and none wins: the limit of tokens seems to cut them off. Raise it, "
            "in TRL by max_completion_length.",
            *(len(completion_ids), *lengths),
        )


def _report(
    results: Sequence[Result | None],
    log_extra: Callable[[str, list[Any]], None] | None,
    log_metric: Callable[[str, float], None] | None,
) -> None:
    """Tell the trainer the figures of a batch, and the cause of each failure."""
    if log_extra is not None:
        log_extra("failure", [UNMEASURED if result is None else result.failure for result in results])
        log_extra("cause", [None if result is None else result.cause for result in results])
    if log_metric is not None and results:
        figures = [result.figures() for result in results if result is not None]
        log_metric(f"{COLUMN}/{UNMEASURED}", 1 - len(figures) / len(results))
        for name in FIGURES if figures else ():
            log_metric(f"{COLUMN}/{name}", sum(row[name] for row in figures) / len(figures))
