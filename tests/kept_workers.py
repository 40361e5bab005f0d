"""Sandbox workers that outlive their sandbox, for tests that are not about workers.

Starting a worker takes 0.15 seconds of processor time, which is most of what a small run takes. So a sandbox of such a
test borrows an idle worker of an earlier one, if there is one of the same world and limits. Tests of the sandbox, and
commands in processes of their own, start workers as users do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Limits, pool
from herobench.suites.rpg.sandbox.worker_handle import WorkerHandle

_MOST = 6
"""The most workers that are kept: each holds some memory."""
_kept: list[KeptWorker] = []
"""The idle workers, the one that was used last at the end."""


class KeptWorker(WorkerHandle):
    """A worker that is kept when its sandbox ends it, unless it is busy or its last plan reached a limit."""

    def __init__(self, world: World | None, limits: Limits) -> None:
        self._idle = False
        super().__init__(world, limits)
        self.serves = (world.source if world else None, limits)

    def ask(self, request: Mapping[str, Any], seconds: float, most: int | None = None) -> Any:
        self._idle = False
        answer = super().ask(request, seconds, most)
        self._idle = answer.get("how") != "limit"
        return answer

    def kill(self) -> None:
        if self._idle and hasattr(self, "layers"):
            _kept.append(self)
            if len(_kept) > _MOST:
                _kept.pop(0).end()
        else:
            super().kill()

    def end(self) -> None:
        """Kill the worker, idle or not."""
        self._idle = False
        self.kill()

    @property
    def dead(self) -> bool:
        """Whether the process has ended by itself, or was killed from outside."""
        return self._process.poll() is not None


def borrowed(world: World | None, limits: Limits) -> WorkerHandle:
    """A kept worker of this world and these limits; a new one if there is none."""
    for worker in reversed(_kept):
        if worker.serves == (world.source if world else None, limits):
            _kept.remove(worker)
            if not worker.dead:
                return worker
            worker.end()
    return KeptWorker(world, limits)


@contextmanager
def keeping(kind: Any = borrowed) -> Iterator[None]:
    """Let sandboxes get their workers from a function or class. No worker is kept from before, and none is left."""
    before = pool.WorkerHandle
    end_kept()
    pool.WorkerHandle = kind  # type: ignore[misc]
    try:
        yield
    finally:
        pool.WorkerHandle = before  # type: ignore[misc]
        end_kept()


def end_kept() -> None:
    while _kept:
        _kept.pop().end()
