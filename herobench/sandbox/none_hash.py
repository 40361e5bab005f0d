"""Gives None the same hash in every worker.

Up to Python 3.11 the hash of None is its address, so a set that holds None, alone or in tuples, is ordered differently
from one process to the next, and a plan that iterates over it may win or lose by chance. Since Python 3.12 the hash is
a constant. `pin` makes a process on Python 3.11 use that constant, by setting the hash function of None's type.
"""

from __future__ import annotations

import ctypes
import sys

PINNED = 0xFCA86420
"""The hash of None since Python 3.12."""
_TP_HASH = 15 * ctypes.sizeof(ctypes.c_void_p)
"""Where a type object of CPython 3.11 has its hash function."""


def pin() -> None:
    """Set the hash of None for the rest of the process. Call it before there are tables with None as a key."""
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    function = ctypes.c_void_p.from_address(id(type(None)) + _TP_HASH)
    inherited = ctypes.c_void_p.from_address(id(object) + _TP_HASH)
    if function.value == inherited.value:  # as it is in CPython 3.11: otherwise this is another layout
        function.value = ctypes.cast(_hash, ctypes.c_void_p).value


_hash = ctypes.PYFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p)(lambda _: PINNED)
"""Kept for the life of the process, as None's type refers to it."""
