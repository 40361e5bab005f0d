"""One session of a run: reads the folder, plays what is owed with the runner, and writes how it ended.

`begin` and `resume` make the order, lock the folder, work a session and close the suite. `herobench run` and
`herobench.run` call them.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from herobench.conversation import Model
from herobench.data.errors import StoreError, UsageError
from herobench.data.rows import seldom_collected
from herobench.models.endpoint import SERVED, build_model, parse_model_name
from herobench.models.model import close
from herobench.models.model_error import RetryPolicy
from herobench.models.negotiation import USUAL, Dialect
from herobench.models.pace import Pace, Window, allow_descriptors
from herobench.models.recording import CachedModel
from herobench.runs.asking import ModelChannel, guess_tokens, read_kept
from herobench.runs.config import RunConfig, now, session_row
from herobench.runs.folder import Key, RunFolder, open_run, remember
from herobench.runs.journal import Journal, refuse_other_scorer
from herobench.runs.options import RunRequest
from herobench.runs.refusals import RunFault
from herobench.runs.rounds import (
    Rounds,
    Shared,
    keep_made,
    lengths_to_choose,
    more_made,
    rounds_of,
    tasks_of_set,
    with_tasks,
)
from herobench.runs.runner import Kept, Runner, interrupts, run_to_end
from herobench.runs.spec import RunSpec, make_spec, new_manifest, refuse_another
from herobench.runs.standing import Ledger, News, Reason, Standing, StopSignal
from herobench.suite.checked import close_suite, closing_suite, load_player, read_files, read_tasks, suite_errors
from herobench.suite.contract import Suite, TaskInfo

_SELDOM = 100_000
"""Calls and samples have no cycles: they are looked for when this many objects are new."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a session. `reason` is None when nothing stopped it."""

    path: Path
    """The run's folder."""
    config: RunConfig

    standing: Standing
    reason: Reason | None
    message: str
    until: Mapping[str, Any] | None = None
    """How the choice of tasks stands, as run.json has it; None for a run of all tasks."""

    @property
    def complete(self) -> bool:
        """True if nothing is left to ask."""
        return not self.standing.owed and (self.until is None or self.until["reason"] is not None)


class Session:
    """One session of a run. It makes the model first, so that an error leaves no folder behind."""

    def __init__(self, spec: RunSpec, argv: Sequence[str]) -> None:
        self._spec = spec
        self._given = spec.suite
        """The suite that the session began with; whoever made the session closes it."""
        self._argv = argv
        self._jobs = spec.conduct.jobs or os.cpu_count() or 1
        self._stop = StopSignal()
        self._tell: Callable[[News], None] = lambda news: None
        self._dialect = spec.model.dialect
        self._model = _model(replace(spec, model=replace(spec.model, learned=self._learn)))
        allow_descriptors(spec.conduct.connections)

    def work(self, folder: RunFolder, tell: Callable[[News], None], watch: Callable[[Standing], None]) -> RunResult:
        """Play all attempts that are owed, in a folder that we hold. `watch` gets the standing before they begin."""
        self._folder, self._tell = folder, tell
        with suite_errors(self._spec.suite.name, "prepare"):
            self._spec.suite.prepare()
        try:
            with seldom_collected(_SELDOM):
                return run_to_end(self._work(watch), self._interrupt)
        except BrokenPipeError:  # whoever reads our output went away; the disk is fine
            raise
        except OSError as error:
            raise StoreError(folder.path, error) from error
        finally:
            self._close_own(self._spec.suite)

    def _close_own(self, suite: Suite) -> None:
        """Close a suite that the session made."""
        if suite is not self._given:
            close_suite(suite)

    def _learn(self, dialect: Dialect, news: str) -> None:
        """Note what was learned of the server, for run.json, and tell the user."""
        self._dialect = dialect
        self._tell({"event": "note", "message": news})

    def _interrupt(self) -> bool:
        """Finish the requests in flight at the first interrupt. Return false at the second, to leave at once."""
        if self._stop.reason is not None:
            self._tell({"event": "leaving"})
            return False
        self._stop.now("interrupted", "Interrupted.")
        self._tell({"event": "stopping", "reason": "interrupted", "message": "finishing what is in flight"})
        return True

    async def _work(self, watch: Callable[[Standing], None]) -> RunResult:
        config, suite, tasks, folder = self._spec.config, self._spec.suite, self._spec.tasks, self._folder
        if not folder.begun:
            create(folder, self._spec)
        self._done = done = folder.measured(refuse_other_scorer(folder.path, suite, tasks))
        if foreign := [key for key in done if key[0] not in tasks or not 0 <= key[1] < config.epochs]:
            told = f"{folder.samples} has {len(foreign)} attempts that are not of this run"
            raise UsageError(RunFault.FOREIGN_ATTEMPTS, told=told, task_id=foreign[0][0], epoch=foreign[0][1])
        if self._spec.makes:
            keep_made(folder, folder.read_manifest(), suite, tasks)  # a kill may have left other ones
        kept = read_kept(folder.calls, done)
        folder.drop_unmeasured()
        rounds = self._rounds()
        total = (config.task_count if rounds is None else len(rounds.asked(done))) * config.epochs
        self._standing = standing = Standing(total, len(done), self._tell, served=kept.served)
        standing.wins = sum(done.values())
        self._manifest = manifest = self._begin()
        ledger = Ledger(self._spec.price, self._spec.conduct.cost_limit, kept.spent, kept.dearest)
        # booked as they were when they were made, so that the limit holds over all sessions
        for characters, said, is_whole in kept.uncounted:
            most = config.sampling.max_tokens if is_whole else None
            ledger.spend(None, partial(guess_tokens, characters, most, said))
        standing.cost = ledger.known
        watch(standing)
        self._tell({"event": "begin", "run": str(folder.path), **standing.as_row()})
        for note in self._spec.notes:
            self._tell({"event": "note", "message": note})
        with interrupts(self._interrupt):
            try:
                if rounds is not None:
                    await self._play(kept.replies, self._chosen(rounds), ledger)
                elif standing.owed:
                    await self._play(kept.replies, [_owed(list(tasks), config.epochs, done)], ledger)
            finally:
                await close(self._model, config.model)
        if rounds is not None:
            manifest["sessions"][-1]["until"] = rounds.as_row(done, folder.read_samples())
        self._end()
        if not standing.owed:
            folder.pack()
        until, stop = manifest["sessions"][-1].get("until"), self._stop
        return RunResult(folder.path, self._spec.config, standing, stop.reason, stop.message, until)

    def _rounds(self) -> Rounds | None:
        """Return the rounds that a run has chosen so far; None for a run of all tasks."""
        spec, folder = self._spec, self._folder
        if spec.goal is None:
            return None
        of = tasks_of_set(spec.suite) if spec.makes else None
        manifest = folder.read_manifest()
        others = [RunFolder(folder.path.parent / name) for name in manifest.get("after", [])]
        shared = Shared.by(other.read_manifest() for other in others if other.begun)
        chosen = manifest.get("rounds", [])
        choice = spec.goal, spec.lengths, spec.config.epochs, chosen, of, shared, spec.tasks
        return rounds_of(spec.suite, folder.read_samples)(*choice)

    def _chosen(self, rounds: Rounds) -> Iterator[Iterable[Key]]:
        """Yield what is owed of the rounds so far, then one round after the other. Each is kept before it is asked."""
        epochs, done, standing, manifest = self._spec.config.epochs, self._done, self._standing, self._manifest
        yield _owed(rounds.asked(done), epochs, done)
        while self._stop.reason is None and (chosen := rounds.next(done, standing.cost)):
            manifest["rounds"] = rounds.chosen
            if self._spec.makes:
                before = self._spec.config.identity
                self._make(rounds)
                for name, value in self._spec.config.identity.items() - before.items():
                    manifest.setdefault("grown", {}).setdefault(name, []).append(before.get(name, value))
                manifest["config"] = self._spec.config.as_row()
                keep_made(self._folder, manifest, self._spec.suite, self._spec.tasks)
            else:
                self._folder.write_manifest(manifest)
            standing.total += len(chosen) * epochs
            yield _owed(chosen, epochs, done)

    def _make(self, rounds: Rounds) -> None:
        """Make the tasks of the rounds that are not made yet, and work with them from now on."""
        spec = self._spec
        assert spec.config.fresh is not None, "a run that makes tasks has their seed"
        assert spec.goal is not None, "and it chooses them"
        suite = more_made(spec.suite, spec.config.fresh, rounds.asked(()))
        self._close_own(spec.suite)
        tasks = {task.id: task for task in read_tasks(suite)}
        config = with_tasks(spec.config, suite, tasks)
        rounds.lengths = lengths_to_choose(suite, tasks, spec.goal, makes=True)
        self._spec = replace(spec, suite=suite, tasks=tasks, config=config, lengths=rounds.lengths)
        with suite_errors(suite.name, "prepare"):
            suite.prepare()
        if spec.is_player:  # which knows the tasks of its suite only
            self._model = _model(self._spec)

    async def _play(self, kept: Kept, owed: Iterable[Iterable[Key]], ledger: Ledger) -> None:
        """Play attempts, one group after the other, and add them to the folder and to those that are done."""
        spec, folder = self._spec, self._folder
        folder.unpack()
        # the replies of a player cost nothing to get again, so its calls need not reach the disk one by one
        with _journal(folder.calls, synced=not spec.is_player) as calls, _journal(folder.samples) as samples:
            line = self._line(ledger, calls)
            connections, name = spec.conduct.connections, spec.config.model
            runner = Runner(
                spec.suite, spec.tasks, spec.agent, name, line, samples, connections, self._jobs, kept, self._done
            )
            with closing(runner):
                for each in owed:
                    runner.take(self._spec.suite, self._spec.tasks, self._model)
                    await runner.work(each)

    def _line(self, ledger: Ledger, calls: Journal) -> ModelChannel:
        conduct, stop = self._spec.conduct, self._stop
        return ModelChannel(
            model=self._model,
            pace=Pace(
                Window(conduct.connections, adaptive=conduct.adaptive), conduct.rpm, conduct.tpm, sleep=stop.sleep
            ),
            retry_policy=RetryPolicy(conduct.retries, sleep=stop.sleep),
            ledger=ledger,
            journal=calls,
            stop=stop,
            standing=self._standing,
            most_tokens=self._spec.config.sampling.max_tokens,
            limits=self._spec.config.limits,
        )

    # -- run.json -----------------------------------------------------------------------------------------------------

    def _begin(self) -> dict[str, Any]:
        """Add a session to run.json."""
        manifest = self._folder.read_manifest()
        session = session_row(self._argv, self._spec.conduct.key_name)
        manifest["conduct"] = self._spec.conduct.as_row()
        manifest["price"] = self._spec.price.as_row() if self._spec.price else None
        manifest["sessions"].append(session)
        _remember(self._spec, manifest)
        self._folder.write_manifest(manifest)
        return manifest

    def _end(self) -> None:
        """Write to run.json how the session ended."""
        ended, manifest, standing = self._stop.reason or "done", self._manifest, self._standing
        manifest["sessions"][-1] |= {"finished": now(), "ended": ended}
        manifest["served"] = sorted(standing.served)
        if self._dialect != USUAL:
            manifest["dialect"] = self._dialect.as_row()
        manifest["totals"] = standing.as_row()
        self._folder.write_manifest(manifest)
        standing.tell({"event": "end", "ended": ended, **standing.as_row()})


def create(folder: RunFolder, spec: RunSpec, after: Sequence[str] = ()) -> None:
    """Begin a run in a folder that we hold, and ask nothing yet.

    `after` names the folders beside it of runs that come before, and that tell it where to begin.
    """
    files = read_files(spec.suite)
    manifest = new_manifest(spec.config, spec.conduct, spec.price, files, spec.help)
    if spec.makes:
        manifest["rounds"] = [list(spec.tasks)]
    if after:
        manifest["after"] = list(after)
    _remember(spec, manifest)
    folder.create(manifest, (task.row for task in spec.tasks.values()), files)


def _remember(spec: RunSpec, manifest: Mapping[str, Any]) -> None:
    """Leave a record of what the run reaches, before its folder says so: a kill may come between them."""
    if not spec.is_player and spec.person is None:
        remember(manifest)


def _model(spec: RunSpec) -> Model:
    """Make the model of a run: a player of the suite, or a model by its name, with the cache if one is wanted.

    A person is there already."""
    if spec.person is not None:
        return spec.person
    model_spec, cache, suite = spec.model, spec.conduct.cache, spec.suite
    if cache and (spec.is_player or parse_model_name(model_spec.name)[0] != SERVED):
        raise UsageError(RunFault.CACHE_OF_PLAYER, model=model_spec.name)
    if spec.is_player:
        model_spec.without_sampling()
        return load_player(suite, model_spec.name)
    model = build_model(model_spec, suite.players, suite.name)
    return CachedModel(model, model_spec, Path(cache)) if cache else model


def _owed(task_ids: Sequence[str], epochs: int, done: Collection[Key]) -> Iterator[Key]:
    """Yield the attempts without a sample, epoch by epoch, so that a run cut short has each task equally often."""
    for epoch in range(epochs):
        yield from ((task_id, epoch) for task_id in task_ids if (task_id, epoch) not in done)


@contextmanager
def _journal(path: Path, *, synced: bool = True) -> Iterator[Journal]:
    journal = Journal(path, synced=synced)
    try:
        yield journal
    finally:
        journal.close()


_RUNS = Path("runs")
_LONGEST_NAME = 120


def _ignore(_: object) -> None:
    """Take no notice."""


@dataclass(frozen=True, slots=True)
class RunCallbacks:
    """The functions that follow a session: `watch` gets the standing before it begins, `tell` gets every event."""

    tell: Callable[[News], None] = _ignore
    watch: Callable[[Standing], None] = _ignore
    argv: Sequence[str] = ()
    """The command line, for the record."""
    check: Callable[[Mapping[str, TaskInfo]], None] = _ignore
    """Gets the tasks before anything is kept, and raises UsageError for tasks that cannot be asked."""


def begin(request: RunRequest, output: Path | None, callbacks: RunCallbacks) -> RunResult:
    """Begin a run, or continue the one that is in the folder if it has the same configuration."""
    spec = make_spec(request)
    with closing_suite(spec.suite):
        callbacks.check(spec.tasks)
        session = Session(spec, callbacks.argv)
        folder = RunFolder(output or _new_path(spec))
        # before the lock, which makes the folder and a file in it
        folder.refuse_strangers(read_files(spec.suite))
        with folder:
            if folder.begun and spec.makes:
                raise UsageError(RunFault.MAKES_ITS_TASKS, folder=folder.path)
            if folder.begun:
                refuse_another(spec.config, folder.read_manifest())
            return session.work(folder, callbacks.tell, callbacks.watch)


def begin_lanes(request: RunRequest, lanes: Sequence[str], output: Path | None) -> list[Path]:
    """Begin a run for each lane, all in one folder, and ask nothing yet. Return the folders of the runs.

    What is there already is left as it is if it has the same configuration.
    """
    for number, lane in reversed([*enumerate(lanes)]):  # the last one tells most, so it refuses first
        request = {**request, "options": {**request.get("options", {}), "lane": lane}}
        spec = make_spec(request)
        with closing_suite(spec.suite):
            output = output or _new_path(spec)
            if spec.config.fresh is not None:  # all lanes have the same twins
                request["fresh"] = spec.config.fresh
            folder = RunFolder(output / lane)
            folder.refuse_strangers(read_files(spec.suite))
            with folder:
                if folder.begun:
                    refuse_another(spec.config, folder.read_manifest())
                else:
                    create(folder, spec, lanes[:number] if spec.goal else ())
    return [] if output is None else [output / lane for lane in lanes]


def resume(request: RunRequest, path: Path, callbacks: RunCallbacks) -> RunResult:
    """Continue a run. Raise UsageError when the request would make it another run, or when somebody else began it."""
    with open_run(path) as folder:
        spec = make_spec(request, folder)
        with closing_suite(spec.suite):
            if spec.refusal:
                raise spec.refusal
            callbacks.check(spec.tasks)
            return Session(spec, callbacks.argv).work(folder, callbacks.tell, callbacks.watch)


def _new_path(spec: RunSpec) -> Path:
    """Make up the folder of a run for which none was named."""
    fresh = "" if spec.config.fresh is None else "-fresh"
    return made_up_path("", f"{spec.config.dataset}{fresh}--{spec.config.model}")


def made_up_path(begin: str, name: str) -> Path:
    """Make up a folder that tells a name."""
    return _RUNS / f"{begin}{re.sub(r'[^A-Za-z0-9._-]+', '-', name)[:_LONGEST_NAME]}--{secrets.token_hex(4)}"
