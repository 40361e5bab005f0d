"""Calls that are made up, as lines of calls.jsonl."""

from __future__ import annotations

from typing import Any

from tests.builders import Json

ASKED = [{"role": "user", "content": "What now?"}]


def call(task_id: str, number: int, role: str | None = None, text: str | None = "This.", **changes: Any) -> Json:
    """A call; one without a text failed."""
    usage = {"input": 100, "output": 10, "reasoning": 4, "cached": None}
    reply = {"text": text, "tool_calls": [], "answer": None, "reasoning": None, "stop": "stop", "usage": usage,
             "model": "m", "id": None, "from_cache": False}  # fmt: skip
    failed = text is None
    return {
        "schema": 4,
        "task_id": task_id,
        "epoch": 0,
        "call": number,
        "request": "0" * 64,
        "role": role,
        "branch": [],
        "messages": ASKED,
        "tools": [],
        "characters": 9,
        "form": None,
        "started": "2026-01-01T00:00:00Z",
        "reply": None if failed else reply,
        "error": {"kind": "server", "message": "It failed.", "status": 500} if failed else None,
        "cost": None if failed else 0.25,
        "retries": [],
        "seconds": 1.5,
        "finished": "2026-01-01T00:00:01Z",
        **changes,
    }
