"""The sandbox as its users see it: give it a task and a plan, get an episode.

Keeps a few warm workers. Safe to be used from several threads: each call borrows a worker for its plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any

from herobench.errors import SandboxError
from herobench.rpg.episode import Ending, EndKind, Episode
from herobench.rpg.game import Game
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.sandbox.limits import Limits
from herobench.sandbox.played import Played
from herobench.sandbox.replay import replayed
from herobench.sandbox.wire import Malformed, played_from
from herobench.sandbox.workers import Worker, WorkerLost

_USES = 1000
"""After how many plans a worker is replaced."""
_STARTS = 3
"""How often the start of a worker is tried."""
_TRIES: Mapping[EndKind, int] = {"wall_clock": 2, "killed": 3, "protocol": 1}
"""How many workers a plan may lose in one way before it counts."""


class Sandbox:
    """Runs plans on tasks of one world under one edition of the rules. Close it, or use it in a `with` statement."""

    def __init__(self, world: World, rules: Rules, limits: Limits | None = None, workers: int = 1) -> None:
        self.world = world
        self.rules = rules
        self.limits = limits or Limits()
        self._places: SimpleQueue[_Place] = SimpleQueue()
        self._all = [_Place(world, self.limits) for _ in range(workers)]
        self._layers: tuple[str, ...] | None = None
        self._warming: list[Thread] = []
        for place in self._all:
            self._places.put(place)

    def execute(self, task: Task, plan: str | None) -> Episode:
        """Run a plan on a task. Whatever the plan is or does, this returns an episode."""
        refusal = _refusal(plan, self.limits)
        if refusal:
            return Episode((), refusal)
        rules = task.rules(self.rules)
        request = {
            "plan": plan,
            "hero": task.hero.as_row(),
            "rules": asdict(rules),
            "seed": task.seed,
            "limits": self.limits.as_row(),
        }
        place = self._places.get()
        try:
            played = place.play(request)
        finally:
            self._places.put(place)
        return replayed(Game(self.world, rules, task.hero, task.seed), played, self.limits)

    def warm_up(self) -> None:
        """Start the workers now and in the background, for whoever has other work to do before the first plan."""
        threads = [Thread(target=self._warm_one) for _ in self._all]
        for thread in threads:
            thread.start()
        self._warming += threads

    def _warm_one(self) -> None:
        place = self._places.get()
        try:
            with suppress(SandboxError):  # it comes up again, and is told, when a plan needs the worker
                place.warm_up()
        finally:
            self._places.put(place)

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of confinement that hold for the workers, by the names of `confine.LAYERS`."""
        if self._layers is None:
            place = self._places.get()
            try:
                self._layers = place.layers
            finally:
                self._places.put(place)
        return self._layers

    def close(self) -> None:
        """End all workers."""
        for thread in self._warming:
            thread.join()
        for place in self._all:
            place.clear()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _refusal(plan: str | None, limits: Limits) -> Ending | None:
    """Why a text is not even sent to a worker; None where it is."""
    if plan is None:
        return Ending("no_code", "the answer has no plan in it")
    if not plan.strip():
        return Ending("no_code", "the plan is empty", None, "empty")
    if len(plan) > limits.source:
        return Ending("rejected", f"the plan has more than {limits.source:,} characters", None, "size")
    lines = plan.split("\n")
    if len(lines) > limits.lines:
        return Ending("rejected", f"the plan has more than {limits.lines:,} lines", None, "size")
    if max(map(len, lines)) > limits.width:
        return Ending("rejected", f"the plan has a line of more than {limits.width:,} characters", None, "size")
    return None


class _Place:
    """Where one worker at a time sits; a lost or worn one gives way to a fresh one."""

    def __init__(self, world: World, limits: Limits) -> None:
        self._world = world
        self._limits = limits
        self._worker: Worker | None = None
        self._uses = 0

    def play(self, request: Mapping[str, Any]) -> Played:
        """What a worker makes of a request. A worker that is lost over it may have been lost for reasons that are not
        the plan's (a busy machine, somebody's kill), so a fresh one tries again before it counts as a limit."""
        losses: list[WorkerLost] = []
        while True:
            try:
                return self._ask(request)
            except WorkerLost as lost:
                self.clear()
                losses.append(lost)
                if sum(loss.kind == lost.kind for loss in losses) >= _TRIES[lost.kind]:
                    return Played((), Ending("limit", lost.reason, None, lost.kind), "")
            except BaseException:
                self.clear()  # an answer that nobody waited for must not reach the next plan
                raise

    def _ask(self, request: Mapping[str, Any]) -> Played:
        if self._uses >= _USES:
            self.clear()
        worker = self._present()
        self._uses += 1
        try:
            played = played_from(worker.ask(request, self._limits.seconds))
        except Malformed as malformed:
            raise WorkerLost("protocol", f"the plan's process sent {malformed}") from malformed
        if played.ending.kind == "memory":
            self.clear()
        return played

    @property
    def layers(self) -> tuple[str, ...]:
        """What confines the worker here; one is started where there is none."""
        return self._present().layers

    def warm_up(self) -> None:
        """Have a worker ready."""
        self._present()

    def _present(self) -> Worker:
        if self._worker is None:
            self._worker = self._started()
        return self._worker

    def _started(self) -> Worker:
        """A fresh worker. One that somebody killed while it started says nothing about the next."""
        for _ in range(_STARTS - 1):
            with suppress(SandboxError):
                return Worker(self._world, self._limits)
        return Worker(self._world, self._limits)

    def clear(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker, self._uses = self._worker, None, 0
        if worker is not None:
            worker.kill()
