"""A sample's own columns, and that they and a scored row's are those of its schema."""

from __future__ import annotations

from typing import Any

from herobench.conversation import Reply, Usage
from herobench.documents import load_schema
from herobench.models.failure import Kind
from herobench.runs.sample import Tolls, measured_row, unmeasured_row, with_scores
from tests.runs.trial import failure

SCORED = {"schema": 9, "task_id": "a", "epoch": 1, "model": "x", "tokens": 1, "outcome": "win", "score": 1.0}
BLANK = {**dict.fromkeys(SCORED), "task_id": "a", "epoch": 1}


def call(usage: Usage | None = None, cost: float | None = None, retries: int = 0, at: str = "1") -> dict[str, Any]:
    reply = None if usage is None else Reply("x", usage=usage).as_row()
    return {
        "reply": reply,
        "cost": cost,
        "retries": [{}] * retries,
        "seconds": 0.25,
        "started": f"begun {at}",
        "finished": f"done {at}",
    }


def tolls(*calls: dict[str, Any]) -> Tolls:
    together = Tolls()
    for one in calls:
        together.add(one)
    return together


def test_the_calls_of_an_attempt_are_added_up() -> None:
    both = tolls(call(Usage(10, 5, 2, 4), 0.5, 2, at="1"), call(Usage(20, 6, None, 0), 0.25, 1, at="2"))
    assert both.as_row() == {
        "calls": 2,
        "retries": 3,
        "input_tokens": 30,
        "output_tokens": 11,
        "reasoning_tokens": 2,
        "cached_tokens": 4,
        "cost": 0.75,
        "seconds": 0.5,
        "started": "begun 1",
        "finished": "done 2",
    }


def test_what_is_not_known_is_none_and_never_0() -> None:
    nothing = tolls().as_row()
    assert (nothing["calls"], nothing["retries"], nothing["seconds"]) == (0, 0, 0.0)
    assert all(nothing[name] is None for name in nothing.keys() - {"calls", "retries", "seconds"})
    failed = tolls(call(retries=3)).as_row()
    assert (failed["calls"], failed["retries"], failed["cost"], failed["output_tokens"]) == (1, 3, None, None)
    free = tolls(call(Usage(0, 0), 0.0)).as_row()
    assert (free["cost"], free["output_tokens"], free["cached_tokens"]) == (0.0, 0, None)


def test_a_measured_row_says_what_was_scored_and_what_the_server_said_of_itself() -> None:
    reply = Reply("text", "plan", stop="length", model="named", usage=Usage(1, 2))
    row = measured_row(SCORED, "asked for", reply, tolls(call(Usage(1, 2)), call(Usage(1, 3))))
    assert (row["status"], row["error"], row["outcome"], row["score"]) == ("ok", None, "win", 1.0)
    assert (row["schema"], row["model"], row["tokens"]) == (1, "named", 5)
    assert (row["answer"], row["plan"], row["stop"], row["calls"]) == ("text", "plan", "length", 2)
    assert measured_row(SCORED, "asked for", Reply("text"), Tolls())["model"] == "asked for"


def test_an_unmeasured_row_says_nothing_of_the_model() -> None:
    row = unmeasured_row(BLANK, "asked for", failure(Kind.SERVER, status=500), tolls(call(retries=5)))
    assert (row["status"], row["model"]) == ("unmeasured", "asked for")
    assert row["error"] == {"kind": "server", "message": "It failed by server.", "status": 500}
    assert (row["calls"], row["retries"]) == (1, 5)
    assert all(row[name] is None for name in ("outcome", "score", "answer", "plan", "stop", "tokens", "cost"))
    assert row.keys() == measured_row(SCORED, "", Reply(""), Tolls()).keys()


def test_new_scores_leave_what_belongs_to_the_asking() -> None:
    sample = measured_row(SCORED, "asked for", Reply("text", model="named"), tolls(call(Usage(1, 2))))
    again = with_scores(sample, {**SCORED, "model": None, "tokens": None, "outcome": "lose", "score": 0.5})
    assert again == {**sample, "outcome": "lose", "score": 0.5}
    assert list(again) == list(sample)


def test_a_sample_has_every_column_of_a_scored_row_and_their_meaning() -> None:
    sample, scored = load_schema("sample"), load_schema("scored")
    assert set(scored["required"]) <= set(sample["required"])
    assert sample["required"] == list(sample["properties"])
    for name, kind in scored["properties"].items():
        if name not in ("schema", "model", "tokens"):
            assert allowed(kind) <= allowed(sample["properties"][name]), name


def allowed(kind: Any) -> set[str]:
    """What a property may be."""
    if "enum" in kind:
        return {repr(value) for value in kind["enum"]}
    types = kind.get("type") or [one["type"] for one in kind.get("oneOf", [])]
    return {types} if isinstance(types, str) else set(types)
