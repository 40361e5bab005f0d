"""Compare tasks: two tasks are equal when their rows are equal except id, seed, proofs and twin_of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_NOT_COMPARED = frozenset(["id", "seed", "certificate", "impossible", "twin_of"])


def content_digest(row: Mapping[str, Any]) -> bytes:
    """Return a digest that is the same for equal tasks."""
    content = {name: value for name, value in row.items() if name not in _NOT_COMPARED}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()
