"""Counts the actions of an interaction: which a player used, and how often it began again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from herobench.suites.autumn.language.actions import KEYS
from herobench.suites.autumn.phase import RESET

CLASSES = ("click", "arrow", "noop", "reset")


def explored(turns: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the actions of an interaction that did something in the world: moves and resets."""
    return [turn["action"] for turn in turns if "refused" not in turn and class_of(turn["action"])]


def class_of(action: str) -> str | None:
    """Return the class of an action; None for `quit` and the like."""
    if action.startswith("click"):
        return "click"
    return "arrow" if action in KEYS else action if action in CLASSES else None


def census_of(actions: Sequence[str]) -> dict[str, Any]:
    """Return the number of distinct actions, the share of each class among them, and the resets.

    A click on another cell is another action. The shares are None without an action.
    """
    distinct = set(actions)
    classes = [class_of(action) for action in distinct]
    shares = {f"{name}_share": classes.count(name) / len(distinct) if distinct else None for name in CLASSES}
    return {"distinct_actions": len(distinct), **shares, "resets": actions.count(RESET)}
