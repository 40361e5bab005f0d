"""The exception that says why a text is no plan."""

from __future__ import annotations

from herobench.rpg.episode import EndKind

_MOST_CHARACTERS_IN_REASON = 300


class Rejected(Exception):
    """Raised when a text is not a plan in this language."""

    def __init__(self, kind: EndKind, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason[:_MOST_CHARACTERS_IN_REASON]
        self.line = line
