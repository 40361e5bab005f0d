"""Reward functions for TRL, and for any trainer that calls `f(prompts, completions, **columns) -> rewards`.

    from datasets import Dataset
    from herobench.surfaces.reward import reward, training_rows

    dataset = Dataset.from_list(list(training_rows(suite="rpg", seed=7, difficulty="1-3", count=500)))
    trainer = GRPOTrainer(model=..., reward_funcs=reward, train_dataset=dataset)

A reward is None where the sandbox or the suite failed: TRL leaves such completions out. Plans run in the sandbox's
processes, which each process of a trainer starts once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from herobench.ahead import in_order
from herobench.errors import UsageError
from herobench.scorer import Answer, Result, Said, Scorer
from herobench.surfaces.training import COLUMN, FIGURES, UNMEASURED, checked_figure, measured, prompts_of, scorer_of

Completion = Said | Sequence[Said]
"""A text, or the messages that the policy added to a conversation."""
Rewards = list[float | None]


def reward(
    prompts: Sequence[Any],
    completions: Sequence[Completion],
    task_id: Sequence[str],
    *,
    epoch: Sequence[int] | None = None,
    herobench: Sequence[str | Mapping[str, Any] | None] | None = None,
    log_extra: Callable[[str, list[Any]], None] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    knobs: Mapping[str, Any] | None = None,
    figure: str = "score",
    **columns: Any,
) -> Rewards:
    """Return the reward of each completion; None where it was not measured.

    The dataset's column `task_id` names tasks, and its column `herobench`, if any, has settings.
    """
    checked_figure(figure)
    epochs = [0] * len(completions) if epoch is None else epoch
    settings = [None] * len(completions) if herobench is None else herobench
    _refuse_other_lengths({"task_id": task_id, "epoch": epochs, COLUMN: settings}, len(completions))
    jobs = [
        (scorer_of(knobs or {}, column), Answer(task, said, 0 if number is None else number))
        for task, said, number, column in zip(task_id, completions, epochs, settings, strict=True)
    ]
    results = _measured(jobs)
    _report(results, log_extra, log_metric)
    return [None if result is None else result.figures()[figure] for result in results]


async def async_reward(prompts: Sequence[Any], completions: Sequence[Completion], *given: Any, **named: Any) -> Rewards:
    """Return what `reward` returns. The event loop goes on meanwhile."""
    return await asyncio.to_thread(reward, prompts, completions, *given, **named)


def reward_function(*, figure: str = "score", **knobs: Any) -> Callable[..., Rewards]:
    """Return `reward` with settings for rows that have none: `reward_function(suite="acp", seed=7)`.

    `figure` is `score`, `win` or `progress`. The function can be pickled.
    """
    return partial(reward, knobs=knobs, figure=checked_figure(figure))


def async_reward_function(*, figure: str = "score", **knobs: Any) -> Callable[..., Awaitable[Rewards]]:
    """Return `async_reward` with settings, as `reward_function` does."""
    return partial(async_reward, knobs=knobs, figure=checked_figure(figure))


def training_rows(**knobs: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dataset: `prompt`, `task_id`, `group`, and the settings that score them in `herobench`."""
    for task_id, prompt, facts in prompts_of(knobs):
        yield {"prompt": prompt, "task_id": task_id, "group": facts["group"], COLUMN: facts[COLUMN]}


def _refuse_other_lengths(columns: Mapping[str, Sequence[Any]], count: int) -> None:
    for name, values in columns.items():
        if len(values) != count:
            raise UsageError(f"There are {count:,} completions, and {len(values):,} values of {name}.")


def _measured(jobs: Sequence[tuple[Scorer, Answer]]) -> list[Result | None]:
    threads = max((scorer.jobs for scorer, _ in jobs), default=1)
    if threads == 1:
        return [measured(*job) for job in jobs]
    with ThreadPoolExecutor(threads) as pool:  # the work is done in the sandbox's processes
        return list(in_order(pool, threads, lambda job: measured(*job), jobs))


def _report(
    results: Sequence[Result | None],
    log_extra: Callable[[str, list[Any]], None] | None,
    log_metric: Callable[[str, float], None] | None,
) -> None:
    """Tell the trainer the figures of a batch, and the cause of each failure."""
    if log_extra is not None:
        log_extra("failure", [UNMEASURED if result is None else result.failure for result in results])
    if log_metric is not None and results:
        figures = [result.figures() for result in results if result is not None]
        log_metric(f"{COLUMN}/{UNMEASURED}", 1 - len(figures) / len(results))
        for name in FIGURES if figures else ():
            log_metric(f"{COLUMN}/{name}", sum(row[name] for row in figures) / len(figures))
