"""Run tests as a user whom file permissions bind, also where they run as root.

Root passes every permission check by two capabilities. In this process they are laid down for a while; a program that
is started as root gets them back, unless they are taken out of its bounding set.
"""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.program import Done, command, surroundings

_PASSING = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
_DROP_FROM_BOUNDING_SET = 24
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


def _bind() -> None:
    for capability in _PASSING:
        if _libc.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0) != 0:
            os._exit(77)


@functools.cache
def _why_not() -> str | None:
    """Why the program cannot be run as an ordinary user; None where it can."""
    if os.geteuid() != 0:
        return None
    if not sys.platform.startswith("linux"):
        return "root lays its powers down on Linux alone"
    tried = subprocess.run([sys.executable, "-c", ""], preexec_fn=_bind, capture_output=True)
    return None if tried.returncode == 0 else "root cannot lay its powers down here"


def as_ordinary_user(*args: str | Path, cwd: Path) -> Done:
    """Run the program to its end, bound by permissions. Skips the test where that cannot be had."""
    if reason := _why_not():
        pytest.skip(reason)
    return subprocess.run(
        command(*args),
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env=surroundings(),
        preexec_fn=_bind if os.geteuid() == 0 else None,
    )
