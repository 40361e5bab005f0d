"""The scorer: it plays the replies of a sample again and judges them, so a log can be scored without a model."""

from __future__ import annotations

from anyio.to_thread import run_sync
from inspect_ai.scorer import Score, Target, accuracy, mean, scorer, stderr
from inspect_ai.scorer import Scorer as InspectScorer
from inspect_ai.solver import TaskState

from herobench.scorer import Result
from herobench.surfaces.inspect.knobs import epoch_of, scorer_of, task_id_of
from herobench.surfaces.inspect.messages import replies_in


@scorer(  # type: ignore[untyped-decorator, unused-ignore]
    metrics={"win": [accuracy(), stderr()], "score": [mean(), stderr()]}
)
def verdict() -> InspectScorer:
    """Give `win` and `score`, each from 0 to 1. The metadata of the score says why an attempt was lost."""

    async def score(state: TaskState, target: Target) -> Score:
        result: Result = await run_sync(_judged, state)
        return Score(
            value={"win": float(result.won), "score": result.reward},
            answer=state.output.completion,
            explanation="won" if result.won else f"lost: {result.failure}",
            metadata=result.as_row(),
        )

    return score


def _judged(state: TaskState) -> Result:
    task_id, epoch, scorer = task_id_of(state), epoch_of(state), scorer_of(state)
    opening = scorer.play(task_id, epoch).conversation
    return scorer.score(task_id, [*replies_in(state.messages, opening)], epoch)
