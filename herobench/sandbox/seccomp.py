"""The system-call filter of a worker (Linux): allow only computing and its two pipes. `confine` calls `install`.

The filter is a BPF program that is built here: it has thirty comparisons, and so needs no system library. Calls that
ask for files get EACCES, because CPython makes such calls by itself, for example to show the line of a syntax error.
Every other call that is not listed kills the process.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

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
