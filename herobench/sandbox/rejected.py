"""The exception for a text that is no plan. `language` and `transformer` raise it; `play` makes an ending of it."""

from __future__ import annotations

from herobench.rpg.episode import EndKind

_MOST_CHARACTERS_IN_REASON = 300  # a reason may quote a name from the plan


class Rejected(Exception):
    """Raised when a text is no plan in this language."""

    def __init__(self, kind: EndKind, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason[:_MOST_CHARACTERS_IN_REASON]
        self.line = line
