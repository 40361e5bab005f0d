"""Landlock (Linux 5.13 and later): forbid this process all files and connections. `confine` calls `install`."""

from __future__ import annotations

import ctypes
import os
import platform

_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_VERSION = 1
_FILES_BY_ABI = (13, 14, 15, 15, 16, 16, 16)
"""The number of kinds of file access that each version of the interface knows. Later versions know no more."""
_NETWORK_SINCE, _SCOPES_SINCE = 4, 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


def install_landlock() -> bool:
    """Deny this process all files from now on. Return False if the kernel cannot. Needs no_new_privs, or root."""
    if platform.system() != "Linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    if version < 1:
        return False
    # A right that is handled here and granted by no rule is denied. No rule is ever added.
    rules = _Ruleset((1 << _FILES_BY_ABI[min(version, len(_FILES_BY_ABI)) - 1]) - 1, 0, 0)
    size = 8  # an older kernel refuses a longer structure than it knows
    if version >= _NETWORK_SINCE:
        rules.network, size = 0b11, 16
    if version >= _SCOPES_SINCE:
        rules.scopes, size = 0b11, 24
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    holds = bool(libc.syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)) == 0)
    os.close(ruleset)
    return holds
