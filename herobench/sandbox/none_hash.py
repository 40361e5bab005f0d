"""Give None the same hash in every worker. `worker` calls `pin` before anything else.

In Python 3.11 the hash of None is its address, which changes from process to process. So does the order of a set that
holds None, and a plan that iterates over such a set would win or lose by chance. From Python 3.12 on the hash is a
constant, which `pin` also gives to Python 3.11 by setting the hash function of None's type.
"""

from __future__ import annotations

import ctypes
import sys

PINNED = 0xFCA86420
"""The hash of None from Python 3.12 on."""
_TP_HASH = 15 * ctypes.sizeof(ctypes.c_void_p)
"""The offset of the hash function in a type object of CPython 3.11."""


def pin() -> None:
    """Set the hash of None for the rest of the process. Call it before any dict or set has None as a key."""
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    function = ctypes.c_void_p.from_address(id(type(None)) + _TP_HASH)
    inherited = ctypes.c_void_p.from_address(id(object) + _TP_HASH)
    if function.value == inherited.value:  # true in CPython 3.11; otherwise the layout is another one
        function.value = ctypes.cast(_hash, ctypes.c_void_p).value


_hash = ctypes.PYFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p)(lambda _: PINNED)
"""Kept for the life of the process, because None's type points to it."""
