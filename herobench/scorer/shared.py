"""Scorers that all calls in one process share: a reward function is called again and again with the same settings."""

from __future__ import annotations

import atexit
import os
from threading import Lock

from herobench.scorer.scorer import Scorer
from herobench.scorer.wanted import Wanted

_lock = Lock()
_open: dict[tuple[int, Wanted], Scorer] = {}


def shared_scorer(wanted: Wanted) -> Scorer:
    """Return the scorer of this process for what is wanted. It is opened once, and closed when the process ends."""
    # A fork of a trainer inherits the dictionary, but not the right to use its parent's worker processes.
    key = os.getpid(), wanted
    with _lock:
        if key not in _open:
            _open[key] = Scorer(wanted)
        return _open[key]


@atexit.register
def close_shared() -> None:
    """End the scorers of this process. The next call opens new ones."""
    with _lock:
        for key in [key for key in _open if key[0] == os.getpid()]:
            _open.pop(key).close()


def _renew_lock() -> None:
    """Give a forked process a lock of its own: another thread of the parent may have held it."""
    global _lock
    _lock = Lock()


os.register_at_fork(after_in_child=_renew_lock)
