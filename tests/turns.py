"""Draws the sample of rare tests that CI runs beside the quick ones.

`make test-sample` sets HEROBENCH_TURN, by default to the commit. The same turn draws the same tests, on every worker of
pytest-xdist and on every machine; the next commit draws others, so each rare test has its turn within some forty
commits. `make test-all` runs every test.

Of each kind of rare test a share is drawn, and one at least: CI always looks at a page, replays published results and
kills a process. Tests marked `packaging` share costly environments, one to a module, so they are drawn from one module.
A test that proves what is claimed of shipped data is not drawn: it takes minutes.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict

import pytest

TURN = os.environ.get("HEROBENCH_TURN")

SHARES = {"packaging": 2, "kills": 8, "browser": 12, "conformance": 24, "slow": 40}
"""The kinds of rare tests; one in so many is drawn, of `packaging` one in so many of the module. A test with several
marks is of the first of its kinds."""


def drawn(items: list[pytest.Item], turn: str) -> list[pytest.Item]:
    """Return the rare tests whose turn it is, in their order."""
    kinds = defaultdict(list)
    for item in items:
        if (kind := rare_kind(item)) in SHARES:
            kinds[kind].append(item)
    modules = sorted({item.path for item in kinds["packaging"]}, key=lambda path: _place(turn, path.name))
    kinds["packaging"] = [item for item in kinds["packaging"] if item.path in modules[:1]]
    chosen: set[pytest.Item] = set()
    for kind, its in kinds.items():
        its.sort(key=lambda item: _place(turn, item.nodeid))
        chosen.update(its[: -(-len(its) // SHARES[kind])])
    return [item for item in items if item in chosen]


def rare_kind(item: pytest.Item) -> str | None:
    """Return what kind of rare test a test is; None for a quick one."""
    return next((kind for kind in ("proves", *SHARES) if item.get_closest_marker(kind)), None)


def _place(turn: str, name: str) -> bytes:
    return hashlib.sha256(f"{turn} {name}".encode()).digest()
