"""The scorer: it plays the replies of a sample again and judges them, so a log can be scored without a model."""

from __future__ import annotations

import math
from typing import Any

from anyio.to_thread import run_sync
from inspect_ai._util.registry import registry_add, registry_info, set_registry_info
from inspect_ai.scorer import (
    Score,
    ScoreReducer,
    Target,
    accuracy,
    mean,
    mean_score,
    score_reducer,
    scorer,
    stderr,
)
from inspect_ai.scorer import Scorer as InspectScorer
from inspect_ai.solver import TaskState

from herobench.scorer import Result
from herobench.surfaces.inspect.knobs import epoch_of, scorer_of, task_id_of
from herobench.surfaces.inspect.messages import replies_in


@score_reducer  # type: ignore[untyped-decorator, unused-ignore]
def average() -> ScoreReducer:
    """Take the means over epochs. Inspect's own warns of each value that is no number, as a failure is."""
    return mean_score(value_to_float=lambda value: float(value) if isinstance(value, int | float) else math.nan)


# With its package twice in its name, it has it once in a log. Without one, `inspect score` does not find it.
@scorer(  # type: ignore[untyped-decorator, unused-ignore]
    name="herobench/verdict",
    metrics={"win": [accuracy(), stderr()], "score": [mean(), stderr()], "progress": [mean(), stderr()]},
)
def verdict() -> InspectScorer:
    """Give `win`, `score` and `progress`, each from 0 to 1, and the class of `failure`."""

    async def score(state: TaskState, target: Target) -> Score:
        result: Result = await run_sync(_judged, state)
        value: dict[str, Any] = {**result.figures(), "failure": result.failure}
        return Score(
            value=value,
            answer=state.output.completion,
            explanation="won" if result.won else f"lost: {result.failure}",
            metadata=result.as_row(),
        )

    return score


def _judged(state: TaskState) -> Result:
    task_id, epoch, scorer = task_id_of(state), epoch_of(state), scorer_of(state)
    opening = scorer.play(task_id, epoch).conversation
    return scorer.score(task_id, [*replies_in(state.messages, opening)], epoch)


def _let_logs_find(factory: Any) -> None:
    """Register a scorer by the name that logs have: the whole one, less its package."""
    info = registry_info(factory)
    registry_add(factory, info.model_copy(update={"name": info.name.removeprefix("herobench/")}))
    set_registry_info(factory, info)


_let_logs_find(verdict)
