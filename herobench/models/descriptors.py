"""Room for many connections: each takes a file descriptor, and the usual allowance is small."""

from __future__ import annotations

import resource

from herobench.errors import UsageError

_OTHERS = 200
"""Descriptors for everything that is no connection: files, pipes to workers, libraries."""


def allow_descriptors(connections: int) -> None:
    """Raise the allowance as far as so many connections need. Raises UsageError where the system does not let us."""
    wanted = connections + _OTHERS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        told = f"{connections} connections need {wanted} open files, and {hard} are allowed"
        most = hard - _OTHERS
        raise UsageError(f"{told}: give at most {most} connections." if most > 0 else f"{told}.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
