"""Reads one text as a turn of a model: calls of tools as JSON, or what it says.

Tools that exchange texts alone, such as Gymnasium and OpenEnv, call an attempt's tools so.
"""

from __future__ import annotations

import json

from herobench.conversation import Reply, ToolCall
from herobench.scorer import Play


def turn_of(text: str, play: Play) -> Reply:
    """Return a text as a reply. A text that is no call of a tool is what the model says."""
    calls = _calls(text) if play.tools else []
    if not calls:
        return Reply(text)
    numbered = enumerate(calls)
    return Reply("", tuple(ToolCall(f"call_{play.turns}_{number}", *call) for number, call in numbered))


def _calls(text: str) -> list[tuple[str, str]]:
    """Return the names and arguments of the calls in a text: one as a JSON object, or several as a list."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return []
    listed = told if isinstance(told, list) else [told]
    if not all(isinstance(call, dict) and isinstance(call.get("name"), str) for call in listed):
        return []
    return [(call["name"], json.dumps(call.get("arguments", {}))) for call in listed]
