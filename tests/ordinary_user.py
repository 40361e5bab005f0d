"""Run tests as a user whom file permissions bind, also where they run as root.

Root passes every permission check by two capabilities, which are laid down for a while in this process.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.program import Done, herobench

_PASSING = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
_VERSION = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Be bound by permissions in this thread. Skips the test where that cannot be had."""
    if os.geteuid() != 0:
        yield
        return
    if not sys.platform.startswith("linux"):
        pytest.skip("root lays its powers down on Linux alone")
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    held = (ctypes.c_uint32 * 6)()
    if _libc.capget(header, held) != 0:
        pytest.skip("capabilities cannot be read here")
    fewer = (ctypes.c_uint32 * 6)(*held)
    for capability in _PASSING:
        fewer[0] &= ~(1 << capability)  # of those in effect; they stay permitted, to be taken up again
    if _libc.capset(header, fewer) != 0:
        pytest.skip("capabilities cannot be laid down here")
    try:
        yield
    finally:
        assert _libc.capset(header, held) == 0


def as_ordinary_user(*args: str | Path, cwd: Path) -> Done:
    """Run a command to its end, bound by permissions. Skips the test where that cannot be had."""
    with ordinary_user():
        return herobench(*args, cwd=cwd)
