"""The public face of the sandbox: `Sandbox.execute` takes a task and a plan and returns an episode.

It keeps a few workers warm. Several threads may use it: each call borrows a worker for one plan, and `Lending` starts
only the workers that plans need. A plan that fails still gives an episode; only a sandbox that cannot work at all
raises SandboxError.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from threading import Condition, Thread
from time import monotonic
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from herobench.data.errors import SandboxError
from herobench.suites.rpg.game.episode import Ending, EndKind, Episode, gave_up, giving_up
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.wire import Malformed, Played, Scene, enact, most_bytes, played_from
from herobench.suites.rpg.sandbox.worker_handle import WorkerHandle, WorkerLost

_Thing = TypeVar("_Thing")

START_SECONDS = 0.2
"""The approximate time that a start takes."""


class Lending(Generic[_Thing]):
    """Things that threads borrow. Each starts at its first use.

    `start` starts a thing unless it has started. It is called for the first thing only."""

    def __init__(self, things: Iterable[_Thing], start: Callable[[_Thing], object]) -> None:
        self._start = start
        self._fresh = deque(things)
        """Things that were never lent."""
        self._free: deque[_Thing] = deque()
        """Things that were returned."""
        self._begun = False
        """True when a thing has started or failed to."""
        self._lent = 0
        self._waited = 0.0
        """The seconds that all borrowers together have waited since a fresh thing was lent."""
        self._changed = Condition()

    @contextmanager
    def lend(self) -> Iterator[_Thing]:
        """Lend a thing. Raises what the start of the first one raises."""
        thing = self._take()
        try:
            if not self._begun:
                self._begin(thing)
            yield thing
        finally:
            with self._changed:
                self._lent -= 1
                self._free.append(thing)
                self._changed.notify()

    def _begin(self, thing: _Thing) -> None:
        """Start the first thing."""
        try:
            self._start(thing)
        finally:
            with self._changed:
                self._begun = True
                # All who wait have to watch the clock from now on: the first use of the thing may take long.
                self._changed.notify_all()

    def _take(self) -> _Thing:
        with self._changed:
            while True:
                if self._free:
                    thing = self._free.pop()
                elif self._fresh and self._is_another_due():
                    self._waited = 0.0
                    thing = self._fresh.popleft()
                else:
                    self._wait()
                    continue
                self._lent += 1
                return thing

    def _is_another_due(self) -> bool:
        """Return whether to lend a fresh thing: the first at once, others when waiting has taken as long as a start."""
        return not self._lent or (self._begun and self._waited >= START_SECONDS)

    def _wait(self) -> None:
        """Wait until a thing is returned, or a fresh one is due."""
        if not (self._begun and self._fresh):
            # While the first thing starts, another one would only be ready later.
            self._changed.wait()
            return
        began = monotonic()
        self._changed.wait(START_SECONDS - self._waited)
        self._waited += monotonic() - began


_USES = 1000
"""The number of plans after which a worker is replaced."""
_STARTS = 3
"""The number of attempts to start a worker."""
# Only a plan that controls its worker can break the protocol, so it gets no second try.
_TRIES: Mapping[EndKind, int] = {"wall_clock": 2, "killed": 3, "protocol": 1}
"""The number of workers that a plan must lose in the same way before the loss counts as a limit."""


class Workers:
    """A few workers for the plans of one world, or of none. Use them in a `with` statement, or close them."""

    def __init__(self, world: World | None, limits: Limits | None = None, workers: int = 1) -> None:
        self.limits = limits or Limits()
        self._all = [_WorkerSlot(world, self.limits) for _ in range(workers)]
        self._slots = Lending(self._all, _WorkerSlot.warm_up)
        self._layers: tuple[str, ...] | None = None
        self._warming: list[Thread] = []

    def run(self, plan: str | None, scene: Mapping[str, Any], limits: Limits) -> Played:
        """Return what a plan attempts in a scene. The caller has to replay it."""
        if refusal := _refusal(plan, limits):
            return Played((), refusal, "")
        with self._slots.lend() as slot:
            return slot.play({"plan": plan, "limits": asdict(limits), **scene})

    def warm_up(self) -> None:
        """Start a worker in the background, to be ready for the first plan. Others start when needed."""
        thread = Thread(target=self._warm_one)
        thread.start()
        self._warming.append(thread)

    def _warm_one(self) -> None:
        with suppress(SandboxError), self._slots.lend() as slot:  # raised again when a plan needs the worker
            slot.warm_up()

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of confinement that hold for the workers, by their names in `confine.LAYERS`."""
        if self._layers is None:
            with self._slots.lend() as slot:
                self._layers = slot.layers
        return self._layers

    def close(self) -> None:
        """End all workers."""
        for thread in self._warming:
            thread.join()
        for slot in self._all:
            slot.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Sandbox(Workers):
    """Runs plans on tasks of one world under one edition of the rules."""

    def __init__(self, world: World, rules: Rules, limits: Limits | None = None, workers: int = 1) -> None:
        super().__init__(world, limits, workers)
        self.world = world
        self.rules = rules

    def execute(self, task: Task, plan: str | None) -> Episode:
        """Run a plan on a task. Any plan gives an episode."""
        return self.go_on(self.scene(task), plan)

    def scene(self, task: Task, *, told: bool = False) -> Scene:
        """Begin the game of a task, in the world or, for a dry run, in its told part."""
        return Scene(self.world, self.rules, task, told=told)

    def go_on(self, scene: Scene, plan: str | None) -> Episode:
        """Run a part of a plan where the earlier parts left the game. Return the episode of this part."""
        over = Ending("rejected", "the game is over") if scene.game.over else None
        if refusal := over or _giving_up(plan, scene):
            return Episode((), refusal)
        limits = replace(self.limits, actions=self.limits.actions - len(scene.game.events))
        outcome = self.run(plan, {"track": scene.task.mechanics.plan, **scene.request()}, limits)
        # Replayed in our own game: only the list of attempts is taken from the worker.
        return enact(scene.game, outcome, limits)


def _refusal(plan: str | None, limits: Limits) -> Ending | None:
    """Return the ending of a text that is not sent to a worker; None for a text that is."""
    if plan is None:
        return Ending("no_code", "the answer has no plan in it")
    if not plan.strip():
        return Ending("no_code", "the plan is empty", None, "empty")
    # Checked here, before a worker has to parse a large text.
    if len(plan) > limits.source:
        return Ending("rejected", f"the plan has more than {limits.source:,} characters", None, "size")
    lines = plan.split("\n")
    if len(lines) > limits.lines:
        return Ending("rejected", f"the plan has more than {limits.lines:,} lines", None, "size")
    if max(map(len, lines)) > limits.width:
        return Ending("rejected", f"the plan has a line of more than {limits.width:,} characters", None, "size")
    return None


def _giving_up(plan: str | None, scene: Scene) -> Ending | None:
    """Return the ending of a plan that refuses a task which may be impossible; None for any other plan.

    Giving up after an attempt does not count."""
    refusal = giving_up(plan) if plan is not None and scene.task.mechanics.closed and not scene.begun else None
    return gave_up(*refusal) if refusal else None


class _WorkerSlot:
    """Holds one worker at a time, and replaces a worker that is lost or has run its number of plans."""

    def __init__(self, world: World | None, limits: Limits) -> None:
        self._world = world
        self._limits = limits
        self._worker: WorkerHandle | None = None
        self._uses = 0

    def play(self, request: Mapping[str, Any]) -> Played:
        """Send a request to a worker, and return what the plan attempted. Retry with fresh workers if one is lost."""
        # A busy machine or another program may cause a loss, so a single one is not blamed on the plan.
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
                self.clear()  # the worker may still answer, and the next plan must not get that answer
                raise

    def _ask(self, request: Mapping[str, Any]) -> Played:
        if self._uses >= _USES:
            self.clear()
        worker = self._present()
        self._uses += 1
        try:
            limits = Limits(**request["limits"])
            outcome = played_from(worker.ask(request, limits.seconds, most_bytes(limits)))
        except Malformed as malformed:
            raise WorkerLost("protocol", f"the plan's process sent {malformed}") from malformed
        if outcome.ending.kind == "memory":
            self.clear()  # this plan may have left too little memory for the next one
        return outcome

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that confine the worker. A worker is started if there is none."""
        return self._present().layers

    def warm_up(self) -> None:
        """Start a worker if there is none."""
        self._present()

    def _present(self) -> WorkerHandle:
        if self._worker is None:
            self._worker = self._start()
        return self._worker

    def _start(self) -> WorkerHandle:
        """Start a worker. Retry, since another program may have killed one while it started."""
        for _ in range(_STARTS - 1):
            with suppress(SandboxError):
                return WorkerHandle(self._world, self._limits)
        return WorkerHandle(self._world, self._limits)

    def clear(self) -> None:
        """End the worker, if there is one."""
        worker, self._worker, self._uses = self._worker, None, 0
        if worker is not None:
            worker.kill()
