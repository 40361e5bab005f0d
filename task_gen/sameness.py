"""When two tasks are the same: where their rows are, apart from what names a task, proves it, or seeds its chance."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_NOT_COMPARED = frozenset(["id", "seed", "certificate", "twin_of"])


def content_digest(row: Mapping[str, Any]) -> bytes:
    """A digest that the rows of the same task share."""
    content = {name: value for name, value in row.items() if name not in _NOT_COMPARED}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()
