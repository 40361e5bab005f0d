"""Repairs in words, for the page of a lost plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

_MOST_EDITS = 40
"""The most edits that a page lists."""


def told_repair(repair: Row) -> dict[str, Any]:
    """Return a repair in words: what is proven, and each edit with its line.

    `calls` is the number of calls after which the goal was still in reach; None if it never was out of reach."""
    edits = repair["edits"] or ()
    lost = repair["lost"]
    return {
        "about": " ".join(filter(None, [_reach(repair), _fewest(repair["fewest"])])),
        "calls": lost["after"] if lost else None,
        "edits": [{"line": edit["line"], "text": _edit(edit)} for edit in edits[:_MOST_EDITS]],
        "more": max(0, len(edits) - _MOST_EDITS),
    }


def _reach(repair: Row) -> str:
    lost = repair["lost"]
    if repair["calls"] is None:
        return "The answer has no plan that could be played."
    if lost is None:
        return "The goal was in reach to the end: the plan stopped too early or went on wrongly." * bool(
            repair["fewest"]
        )
    if lost["by"] is None:
        return f"The goal was in reach after step {lost['after']}; whether it was later is not known."
    if lost["by"] == lost["after"] + 1:
        return f"The goal is out of reach from step {lost['by']} on."
    return f"The goal went out of reach between steps {lost['after'] + 1} and {lost['by']}."


def _fewest(fewest: Row | None) -> str:
    if fewest is None:
        return ""
    least, most = fewest["least"], fewest["most"]
    if most is None:
        return f"No fewer than {_edits(least)} win."
    if least == most:
        return f"{_edits(most).capitalize()} {'wins' if most == 1 else 'win'}, and no fewer do."
    return f"{_edits(most).capitalize()} win; between {least} and {most} are needed."


def _edits(number: int) -> str:
    return "one edit" if number == 1 else f"{number} edits"


def _edit(edit: Row) -> str:
    line = "behind the last line" if edit["line"] is None else f"in line {edit['line']}"
    if edit["edit"] == "put in":
        before = "behind the last line" if edit["line"] is None else f"before line {edit['line']}"
        return f"put in {_step(edit['new'])} {before}"
    if edit["edit"] == "leave out":
        return f"leave out {_step(edit['old'])} {line}"
    return f"change {_step(edit['old'])} {line} to {_step(edit['new'])}"


def _step(step: Row) -> str:
    given: Sequence[Any] = step["args"][1:]  # the first is the hero
    named = (f"{name}={value!r}" for name, value in step.get("kwargs", {}).items())
    times = step.get("times", 1)
    return f"{step['action']}({', '.join([*map(repr, given), *named])})" + (f", {times} times," if times > 1 else "")
