"""Read values out of JSON that a server sent.

Servers send fields of other types than their documentation says. A value of the wrong type counts as absent here, so
that the modules which read replies need no checks of their own. Nothing in here raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LARGEST_COUNT = 10**12


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def entries(value: object) -> list[Any]:
    """Return a list, or an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str | None:
    """Return a text that is not empty, or None."""
    return value if isinstance(value, str) and value else None


def count(value: object) -> int | None:
    """Return a number of things, or None. A number beyond all reason counts as absent too."""
    # To Python, true is a 1.
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_COUNT else None


def content_of(content: object, kind: str = "text") -> str:
    """Return the text of content. Where content is a list of parts, only the parts of this kind count."""
    if isinstance(content, str):
        return content if kind == "text" else ""
    parts = (part for part in map(mapping, entries(content)) if part.get("type") == kind)
    return "".join(content_of(part.get(kind)) for part in parts)
