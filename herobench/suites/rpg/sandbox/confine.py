"""Confine a worker process for good, before it sees its first plan. `worker` calls `confine` once.

The system and the user's privileges decide which layers are possible. The sandbox relies on no layer alone. The worker
reports the layers that hold. The parent records them with results, and `herobench doctor` shows them. The second half
installs the filter of system calls (seccomp) and the file rules (landlock) of Linux.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct

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
"""Processor time for all plans of one worker. The parent enforces the deadline of a single plan."""
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
    limits = {
        "RLIMIT_AS": memory,
        "RLIMIT_CPU": _CPU_SECONDS,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": 0,
        # Five are open, for the streams and the two pipes, and landlock opens one more for a moment.
        "RLIMIT_NOFILE": 8,
    }
    is_set = [_limit(getattr(resource, name, None), most) for name, most in limits.items()]  # all are set, then judged
    return all(is_set)


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


_ALLOWED = {
    "x86_64": (
        0, 1, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 28, 39, 60, 131, 186, 202, 219, 228, 231, 318,
    ),
    "aarch64": (
        63, 64, 57, 80, 62, 222, 226, 215, 214, 134, 135, 139, 124, 216, 233, 172, 93, 132, 178, 98, 128, 113, 94, 278,
    ),
}  # fmt: skip
"""read write close fstat lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn sched_yield mremap
madvise getpid exit sigaltstack gettid futex restart_syscall clock_gettime exit_group getrandom"""

_REFUSED = {
    "x86_64": (2, 4, 6, 16, 21, 79, 89, 257, 262, 267, 269, 332, 439),
    "aarch64": (56, 79, 29, 48, 17, 78, 291, 439),
}
"""open stat lstat ioctl access getcwd readlink openat newfstatat readlinkat faccessat statx faccessat2"""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
"""Numbers from here on are calls of the x32 interface, which would go past the list."""

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def install_seccomp() -> bool:
    """Filter the system calls of this process from now on. Return False if this machine cannot.

    Needs no_new_privs, or root."""
    machine = platform.machine()
    if platform.system() != "Linux" or machine not in _ALLOWED:
        return False
    instructions = ctypes.create_string_buffer(_program(machine))
    program = _Program(len(instructions) // 8, ctypes.cast(instructions, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def _program(machine: str) -> bytes:
    """Return the filter: it checks the architecture first, because the numbers of calls depend on it."""
    # The filter loads fields by their offset: the number of the call is at 0, the architecture at 4.
    steps = [
        _step(_LOAD, 4),
        _step(_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, 0),
        _step(_AT_LEAST, _X32, 0, 1),
        _step(_RETURN, _KILL),
    ]
    for numbers, answer in ((_ALLOWED[machine], _ALLOW), (_REFUSED[machine], _ERRNO | errno.EACCES)):
        for number in numbers:
            steps += [_step(_EQUAL, number, 0, 1), _step(_RETURN, answer)]
    return b"".join([*steps, _step(_RETURN, _KILL)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


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
