"""Values from servers as what they should be; what is something else counts as absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST = 10**12


def mapping(value: object) -> Mapping[str, Any]:
    """An object, empty where there is none."""
    return value if isinstance(value, dict) else {}


def entries(value: object) -> list[Any]:
    """A list, empty where there is none."""
    return value if isinstance(value, list) else []


def text(value: object) -> str | None:
    """A text with something in it."""
    return value if isinstance(value, str) and value else None


def count(value: object) -> int | None:
    """A number of things; one beyond all reason is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST else None
