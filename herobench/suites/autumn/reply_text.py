"""Reads what a model writes: `<action>left</action>` and other tags. Of several with one name the last one counts.

Text outside of tags is thought.
"""

from __future__ import annotations

NOTHING = "noop"
"""What a reply without an action counts as."""


def tagged(text: str, name: str) -> str | None:
    """Return the content of the last tag of a name; None if there is none. Takes linear time."""
    opening, closing = f"<{name}>", f"</{name}>"
    end = text.rfind(closing)
    start = text.rfind(opening, 0, max(end, 0))
    if start < 0:
        return None
    start += len(opening)
    return text[start : text.find(closing, start)]


def action_in(text: str) -> str:
    """Return the action of a reply: the first line of its tag."""
    lines = (tagged(text, "action") or "").strip().splitlines()
    return " ".join(lines[0].split()) if lines else NOTHING


class Scratchpad:
    """The notes that a model keeps across turns."""

    longest = 20_000
    """The most characters; older ones are dropped."""

    def __init__(self) -> None:
        self.text = ""

    def take(self, reply: str) -> None:
        """Delete and add what a reply says."""
        if gone := tagged(reply, "scratchpad_del"):
            self.text = self.text.replace(gone.strip(), "", 1).strip() if gone.strip() else self.text
        if new := (tagged(reply, "scratchpad_add") or "").strip():
            self.text = f"{self.text}\n{new}".strip()[-self.longest :]
