"""Rehearses a run that chooses its tasks, for its price before it starts: with several models, since nobody knows yet
how good the model is."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import TypeVar

from herobench.adaptive.goal import Goal

Task = TypeVar("Task", bound=Hashable)
MODELS: Mapping[str, float] = MappingProxyType(
    {"loses all": 0.0, "weak": 1 / 6, "middle": 1 / 2, "strong": 5 / 6, "wins all": 1.0}
)
"""How far along the lengths the horizon of a model lies, in doublings: 0 at the shortest task, 1 at the longest."""
_FAR = 1e6
"""The horizon of a model that loses or wins all is so many times outside the lengths."""


def model_horizon(lengths: Mapping[Task, float], share: float) -> float:
    """Return the horizon of one of the models among tasks of these lengths."""
    shortest, longest = min(lengths.values()), max(lengths.values())
    if share <= 0.0:
        return shortest / _FAR
    return longest * _FAR if share >= 1.0 else shortest * float((longest / shortest) ** share)


def rehearse_model(
    goal: Goal, lengths: Mapping[Task, float], share: float, costs: Mapping[Task, float] | None = None
) -> list[Task]:
    """Return the tasks that one of the models is asked until the goal is reached."""
    from herobench.adaptive.choice import rehearse  # numpy is slow to import

    return rehearse(goal, lengths, model_horizon(lengths, share), costs)
