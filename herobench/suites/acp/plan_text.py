"""Reads the plan that a question quotes: the tasks val and just ask about `"(a x) (b y)"`."""

from __future__ import annotations

import re

_QUOTED = re.compile(r'"([^"]*)"')
_ACTION = re.compile(r"\([^()]*\)")


def plan_in(question: str) -> tuple[str, ...]:
    """Return the actions of the plan that a question quotes, as they are written there."""
    quoted = _QUOTED.search(question)
    return tuple(_ACTION.findall(quoted[1] if quoted else question))
