"""Confine a worker process for good, before it sees its first plan. `worker` calls `confine` once.

The system and the privileges of the user decide which layers are possible; none is relied on alone. The worker reports
the layers that hold. The parent records them with results, and `herobench doctor` shows them.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource

from herobench.sandbox.kernel import install_landlock, install_seccomp

LAYERS = {
    "unprivileged": "runs as nobody, or as a user who is not root",
    "no_new_privs": "can gain no privileges",
    "resources": "has limits on memory, processor time, files and processes",
    "no_writable_code": "can make no memory executable",
    "landlock": "can open no file and no connection",
    "seccomp": "can make only the system calls that computing takes",
}
"""The layers, each with the rest of the sentence "the worker ..."."""

_NOBODY = 65534
_CPU_SECONDS = 3600
"""Processor time for all plans of one worker; the deadline of a single plan is kept by the parent."""
_PR_SET_NO_NEW_PRIVS, _PR_SET_DUMPABLE, _PR_SET_MDWE = 38, 4, 65


def confine(memory: int) -> list[str]:
    """Put every layer in place that this system has. Return the names of those that hold."""
    # The order counts: once the process is not root, landlock and the filter need no_new_privs before them.
    layers = {
        "unprivileged": _drop_privileges(),
        "no_new_privs": _prctl(_PR_SET_NO_NEW_PRIVS, 1),
        "resources": _limit_resources(memory),
        "no_writable_code": _prctl(_PR_SET_MDWE, 1),
        "landlock": install_landlock(),
        "seccomp": False,
    }
    _prctl(_PR_SET_DUMPABLE, 0)  # no other process of the same user may look into this one
    layers["seccomp"] = install_seccomp()  # last, because it forbids the system calls that the others need
    return [name for name, holds in layers.items() if holds]


def _drop_privileges() -> bool:
    """Become the user nobody if this is root. Any other user has nothing to drop."""
    if os.geteuid() != 0:
        return True
    try:
        os.setgroups([])  # groups first: without root they cannot be changed any more
        os.setregid(_NOBODY, _NOBODY)
        os.setreuid(_NOBODY, _NOBODY)
    except OSError:
        return False
    return os.geteuid() != 0


def _limit_resources(memory: int) -> bool:
    wanted = {
        "RLIMIT_AS": memory,
        "RLIMIT_CPU": _CPU_SECONDS,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": 0,
        # Five are open, for the streams and the two pipes, and landlock opens one more for a moment.
        "RLIMIT_NOFILE": 8,
    }
    held = [_limit(getattr(resource, name, None), most) for name, most in wanted.items()]  # all are set, then judged
    return all(held)


def _limit(kind: int | None, most: int) -> bool:
    if kind is None:
        return False
    try:
        resource.setrlimit(kind, (most, most))
    except (OSError, ValueError):
        return False
    return True


def _prctl(option: int, value: int) -> bool:
    if platform.system() != "Linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) == 0)
