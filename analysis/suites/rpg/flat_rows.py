"""Other rows of the RPG as samples: the output of `herobench score`, and the published results of the paper.

Both are flat. Their bracket of difficulty is only known from the task's id, which is parsed here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.analysis.samples.samples import ATTEMPT, SCHEMA, loose_schema, refuse_unknown, refuse_wrong
from herobench.data.columns import SAMPLE, TEXT, Column, Schema, blank, names
from herobench.suites.rpg.play.columns import DETAILS, SCORED

SUITE = "rpg"
_SCORED = frozenset({"task_id", "epoch", "outcome", "score"})
_PUBLISHED = frozenset({"task", "result", "reward", "score"})
_OUTCOMES = {"win": True, "lose": False, None: None}
_BLANK: Mapping[str, Any] = blank(SAMPLE)
_DETAILS = names(DETAILS)
_SCORED_SCHEMA = loose_schema(
    SCORED,
    # the form of the events is checked when they are followed, once for all rows
    {**ATTEMPT, "outcome": {"enum": ["win", "lose", None]}, "events": {"type": ["object", "null"]}},
)
_NUMBER: Schema = {"type": "number"}
_PUBLISHED_SCHEMA = loose_schema(
    [Column(name, _NUMBER, "") for name in ("reward", "ideal", "score", "tokens")], {"task": TEXT}
)


def bracket_in_id(task_id: str) -> str | None:
    """Return the bracket in a task's id, before the first slash; None if there is none."""
    bracket, slash, _ = task_id.partition("/")
    return bracket if slash and bracket else None


def adopted(row: Mapping[str, Any], name: str, place: str) -> dict[str, Any] | None:
    """Return a scored row or a published result as a sample; None if it is neither.

    Raise InputError with the place if its values are wrong.
    """
    if row.keys() >= _SCORED:
        refuse_wrong(row, _SCORED_SCHEMA, place)
        refuse_unknown(row, ("outcome", "score"), place)
        return sample_of_scored(row)
    if row.keys() >= _PUBLISHED:
        refuse_wrong(row, _PUBLISHED_SCHEMA, place)
        return sample_of_scored(
            {
                "task_id": row["task"],
                "epoch": 0,
                "model": name,
                "outcome": "win" if row["result"] == "win" else "lose",
                "reward": row["reward"],
                "ideal_reward": row.get("ideal"),
                "score": row["score"],
                "tokens": row.get("tokens"),
                # a published id ends with the kind of its task, such as 9/2_Lich_kill
                "kind": row["task"].rpartition("_")[2],
            }
        )
    return None


def sample_of_scored(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scored row as a sample. Columns that it lacks are None."""
    return {
        **_BLANK,
        "schema": SCHEMA,
        "suite": SUITE,
        "task_id": row["task_id"],
        "group": bracket_in_id(row["task_id"]),
        "epoch": int(row.get("epoch", 0)),
        "status": "ok",
        "model": row.get("model"),
        "won": _OUTCOMES[row["outcome"]],
        "score": row["score"],
        "progress": row.get("progress_before_end"),
        "failure": row.get("failure"),
        "output_tokens": row.get("tokens"),
        "details": {name: row.get(name) for name in _DETAILS},
        "events": row.get("events"),
    }
