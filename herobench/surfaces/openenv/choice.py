"""Which task an episode plays: the one that is named, the one at a place of a split, or one that a seed draws.

The tasks of a server are one split, as OpenEnv's routes about tasks have it: `train` for tasks that were made anew or
come from a file, `test` for a shipped set, on which no model should be trained.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from herobench.data.errors import abbreviated, quoted
from herobench.scorer import Scorer
from herobench.surfaces.sessions import Refused, refuse_unknown

_LAST_EPOCH = 10_000


def split_of(scorer: Scorer) -> str:
    """Return the name of the split."""
    return "test" if scorer.wanted.seed is None and scorer.wanted.tasks is None else "train"


def refuse_other_split(scorer: Scorer, split: str) -> None:
    """Raise Refused for a split that is not there."""
    if split != split_of(scorer):
        raise Refused(404, f"There is no split {quoted(split)} here: the tasks are the split {split_of(scorer)!r}.")


def refuse_wrong_types(epoch: Any, texts: Mapping[str, Any], numbers: Mapping[str, Any]) -> None:
    """Raise Refused for arguments of a reset that are none: OpenEnv passes on whatever a client sends."""
    for name, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise Refused(422, f"{name} is {abbreviated(value)}: give a text.")
    for name, value in numbers.items():
        if value is not None and not _is_whole(value):
            raise Refused(422, f"{name} is {abbreviated(value)}: give a whole number.")
    if not (_is_whole(epoch) and 0 <= epoch <= _LAST_EPOCH):
        raise Refused(422, f"epoch is {abbreviated(epoch)}: give a whole number from 0 to {_LAST_EPOCH:,}.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def listed_task(scorer: Scorer, index: int) -> dict[str, Any]:
    """Return what a list tells of the task at a place. Raise IndexError where there is none."""
    if index < 0:
        raise IndexError(index)
    task = list(scorer.tasks.values())[index]
    return {"id": task.id, "group": task.group, "split": split_of(scorer), "index": index}


def chosen_task(scorer: Scorer, task_id: str | None, split: str | None, index: int | None, seed: int | None) -> str:
    """Return the id of the task to play. Raise Refused when there is none such."""
    if split is not None:
        refuse_other_split(scorer, split)
    if task_id is not None:
        refuse_unknown(scorer, task_id)
        return task_id
    if index is None:
        return Random(seed).choice(list(scorer.tasks))  # noqa: S311 - the same task for the same seed
    try:
        named: str = listed_task(scorer, index)["id"]
    except IndexError:
        raise Refused(404, f"There is no task {index}: the {len(scorer.tasks):,} tasks count from 0.") from None
    return named
