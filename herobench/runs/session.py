"""One session of a run: from the folder as it is found, by way of the runner, to the folder as it is left."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.agents.agent import build_agent
from herobench.errors import StoreError, UsageError
from herobench.models.cache import Cached
from herobench.models.descriptors import allow_descriptors
from herobench.models.model import Model
from herobench.models.pace import Pace
from herobench.models.patience import Patience
from herobench.models.registry import SERVED, build_model, maker_of
from herobench.runs.asking import Line, guess_of
from herobench.runs.folder import Key, RunFolder
from herobench.runs.journal import Journal
from herobench.runs.kept import read_kept
from herobench.runs.ledger import Ledger
from herobench.runs.order import Order
from herobench.runs.provenance import now, session_row
from herobench.runs.rpg import Rpg
from herobench.runs.runner import Parts, Runner
from herobench.runs.standing import News, Standing
from herobench.runs.stop import Reason, Stop
from herobench.runs.suite import Suite
from herobench.sandbox import Sandbox

SCHEMA = 1
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended: by itself, or stopped."""

    standing: Standing
    reason: Reason | None
    message: str


class Session:
    """One session of a run. What it takes is made first, so that what cannot be made leaves no folder behind."""

    def __init__(self, order: Order, argv: Sequence[str]) -> None:
        self._order = order
        self._argv = argv
        self._jobs = order.conduct.jobs or os.cpu_count() or 1
        self._model = _model(order)
        self._agent = build_agent(order.config.agent)
        allow_descriptors(order.conduct.connections)

    def work(self, folder: RunFolder, tell: Callable[[News], None], watch: Callable[[Standing], None]) -> Ending:
        """Go through all that is owed, in a folder that is ours; `watch` is handed the standing before it begins."""
        order = self._order
        with Sandbox(order.world, order.rules, workers=self._jobs) as sandbox:
            sandbox.warm_up()
            try:
                return asyncio.run(self._work(folder, Rpg(sandbox, order.tasks), tell, watch))
            except BrokenPipeError:  # of who listened to us, not of the disk
                raise
            except OSError as error:
                raise StoreError(folder.path, error) from error

    async def _work(
        self, folder: RunFolder, suite: Suite, tell: Callable[[News], None], watch: Callable[[Standing], None]
    ) -> Ending:
        config = self._order.config
        if not folder.begun:
            tasks = (task.as_row() for task in self._order.tasks.values())
            folder.create(self._manifest(), tasks, self._order.world.source)
        done = folder.measured()
        kept = read_kept(folder.calls, done)
        folder.drop_unmeasured()
        stop = Stop()
        standing = Standing(config.task_count * config.epochs, len(done), tell, served=kept.served)
        standing.wins = sum(outcome == "win" for outcome in done.values())
        manifest = self._begin(folder, suite)
        ledger = Ledger(self._order.price, self._order.conduct.cost_limit, kept.spent)
        for characters in kept.uncounted:
            ledger.spend(None, guess_of(characters, config.sampling.max_tokens))
        standing.cost = ledger.known
        watch(standing)
        tell({"event": "begin", "run": str(folder.path), **standing.as_row()})
        with _journal(folder.calls) as calls, _journal(folder.samples) as samples, _interrupts(stop, tell):
            line = self._line(ledger, calls, stop, standing)
            parts = Parts(suite, self._agent, config.model, line, samples, self._order.conduct.connections, self._jobs)
            try:
                await Runner(parts, kept.replies).work(_owed(suite.task_ids, config.epochs, done))
            finally:
                await self._model.close()
        self._end(folder, manifest, standing, stop)
        return Ending(standing, stop.reason, stop.message)

    def _line(self, ledger: Ledger, calls: Journal, stop: Stop, standing: Standing) -> Line:
        conduct = self._order.conduct
        return Line(
            model=self._model,
            pace=Pace(conduct.connections, conduct.rpm, conduct.tpm, sleep=stop.sleep),
            patience=Patience(conduct.retries, sleep=stop.sleep),
            ledger=ledger,
            journal=calls,
            stop=stop,
            standing=standing,
            most_tokens=self._order.config.sampling.max_tokens,
        )

    # -- run.json -----------------------------------------------------------------------------------------------------

    def _manifest(self) -> dict[str, Any]:
        """The run.json of a new run."""
        return {
            "schema": SCHEMA,
            "id": secrets.token_hex(4),
            "config": self._order.config.as_row(),
            "conduct": self._order.conduct.as_row(),
            "price": self._price(),
            "served": [],
            "totals": None,
            "sessions": [],
        }

    def _price(self) -> dict[str, float] | None:
        return self._order.price.as_row() if self._order.price else None

    def _begin(self, folder: RunFolder, suite: Suite) -> dict[str, Any]:
        """Note that a session begins."""
        manifest = folder.read_manifest()
        session = session_row(self._argv, self._order.conduct.key_name, suite.confinement)
        manifest["conduct"] = self._order.conduct.as_row()
        manifest["price"] = self._price()
        manifest["sessions"].append(session)
        folder.write_manifest(manifest)
        return manifest

    def _end(self, folder: RunFolder, manifest: dict[str, Any], standing: Standing, stop: Stop) -> None:
        """Note how it ended."""
        manifest["sessions"][-1] |= {"finished": now(), "ended": stop.reason or "done"}
        manifest["served"] = sorted(standing.served)
        manifest["totals"] = standing.as_row()
        folder.write_manifest(manifest)
        standing.tell({"event": "end", "ended": stop.reason or "done", **standing.as_row()})


def _model(order: Order) -> Model:
    """The model of a run, with the cache where one is asked for."""
    setting, cache = order.setting, order.conduct.cache
    if cache and maker_of(setting.name)[0] != SERVED:
        raise UsageError(f"The model {setting.name} is not served, and has no use for a cache.")
    model = build_model(setting)
    return Cached(model, setting, Path(cache)) if cache else model


def _owed(task_ids: Sequence[str], epochs: int, done: Collection[Key]) -> Iterator[Key]:
    """What is left to do: epoch by epoch, so that a run that is cut short has each task about equally often."""
    for epoch in range(epochs):
        yield from ((task_id, epoch) for task_id in task_ids if (task_id, epoch) not in done)


@contextmanager
def _journal(path: Path) -> Iterator[Journal]:
    journal = Journal(path)
    try:
        yield journal
    finally:
        journal.close()


@contextmanager
def _interrupts(stop: Stop, tell: Callable[[News], None]) -> Iterator[None]:
    """The first Ctrl-C, or a request to terminate, lets what is in flight finish; the second leaves at once. What has
    been kept until then is kept, and the workers go with us."""
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        if stop.reason is not None:
            tell({"event": "leaving"})
            os._exit(INTERRUPTED)
        stop.now("interrupted", "Interrupted.")
        tell({"event": "stopping", "reason": "interrupted", "message": "finishing what is in flight"})

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
