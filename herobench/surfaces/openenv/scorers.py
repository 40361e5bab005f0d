"""The tasks of an OpenEnv server: opens and shares its scorers, and chooses the task of an episode.

A server has its own scorer, and further scorers for the knobs that clients name in a reset. A scorer is opened for the
first session with its knobs, and shared by all sessions with equal ones. The number of open scorers is limited: to open
another one, the server closes the one that has been unused longest. With a time limit, a scorer is opened only after a
trial; if the trial fails, all sessions that waited for it fail.

An episode plays the named task, the task at an index of the split, or one that a seed draws. In OpenEnv's routes the
tasks of a server are one split: `train` for tasks that were made anew or come from a file, `test` for a shipped set,
which must not be used for training.

A trial opens the tasks of a client's knobs in another process first, which is killed when it takes too long:

    python -m herobench.surfaces.openenv.scorers FILE     # knobs as JSON by standard input

This may take minutes if tasks are long or many, or a world is large, and a thread cannot be killed. The process writes
the tasks to a file, opens the suite, and reports the result in one line; then the server opens the suite from the file.
The process leads a group, so that the processes that it starts end with it. It ends when the server does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread
from typing import Any

from herobench.data.documents import json_object
from herobench.data.errors import InputError, UsageError, abbreviated, quoted
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.scorer import folder_of_made, write_made
from herobench.suite.checked import settings_of_files
from herobench.surfaces.sessions import Refused, refuse_unknown_task, refuse_window


def knobs_of_files(wanted: TaskQuery) -> dict[str, str]:
    """Return the knobs whose texts name files or folders."""
    tasks = {} if wanted.tasks is None else {"tasks": str(wanted.tasks)}
    named = {name: text for name in ("dataset", "difficulty", "length", "limit") if (text := getattr(wanted, name))}
    return {**tasks, **settings_of_files(wanted.suite, named | dict(wanted.others))}


MOST = 16
"""The most scorers that are open at once beside the server's own."""
MOST_MADE = 1_000
"""The most tasks that are made anew for a client."""
_OF_SERVER = ("tasks", "jobs")
"""Knobs that clients cannot set: the files and the processes of the server."""


@dataclass
class _Held:
    """A scorer, once it is open, with the number of sessions that use it."""

    scorer: Scorer | None = None
    users: int = 0
    refusal: Refused | None = None
    opening: Lock = field(default_factory=Lock)

    def opened(self, opened: Callable[[], Scorer]) -> Scorer:
        """Return the scorer, and open it if needed. If that is refused, all who waited get the same refusal."""
        with self.opening:
            if self.refusal is not None:
                raise Refused(self.refusal.status, str(self.refusal))
            try:
                self.scorer = self.scorer or opened()
            except Refused as refusal:
                self.refusal = refusal
                raise
            return self.scorer


class Scorers:
    """Lends scorers to sessions. Threads may share it. Use it in a `with` statement, or close it."""

    def __init__(
        self, wanted: TaskQuery, *, fixed: bool = False, most: int = MOST, seconds: float | None = None
    ) -> None:
        """`wanted` has the server's own tasks. With `fixed`, clients get no others. `seconds` limits a trial."""
        refuse_window(wanted)
        self._own = _Held()
        self._own_wanted, self._fixed, self._most, self._seconds = wanted, fixed, most, seconds
        self._closing = Event()
        self._others: dict[TaskQuery, _Held] = {}
        self._lock = Lock()

    @property
    def own(self) -> Scorer:
        """The server's own scorer. It is opened at the first use. Raise UsageError if that fails."""
        # Not earlier: the processes that the scorer starts may import the server's module again.
        return self._own.opened(lambda: Scorer(self._own_wanted))

    def take(self, knobs: Mapping[str, Any], row: str | Mapping[str, Any] | None = None) -> Scorer:
        """Return the scorer for knobs, which override the settings of a dataset's row, or else the server's own knobs.

        Give it back after use. Raise Refused or UsageError for knobs that a client may not name, or that do not fit.
        """
        wanted = self._wanted(knobs, row)
        if wanted == self._own_wanted:
            return self.own
        held = self._hold(wanted)
        try:
            return held.opened(lambda: self._opened(wanted))
        except BaseException:
            self._release(wanted)
            raise

    def take_too(self, scorer: Scorer) -> None:
        """Share a scorer that another session has taken. Give it back too."""
        if scorer is not self._own.scorer:
            self._hold(scorer.wanted)

    def give_back(self, scorer: Scorer) -> None:
        """Release a scorer that a session no longer needs."""
        if scorer is not self._own.scorer:
            self._release(scorer.wanted)

    def close(self) -> None:
        """Close all scorers, and stop making others."""
        self._closing.set()
        with self._lock:
            held = [self._own, *self._others.values()]
            self._others.clear()
        for one in held:
            if one.scorer is not None:
                one.scorer.close()

    def __enter__(self) -> Scorers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wanted(self, knobs: Mapping[str, Any], row: str | Mapping[str, Any] | None) -> TaskQuery:
        own = self._own_wanted
        given = {name: value for name, value in {**_settings(row), **knobs}.items() if value is not None}
        if not given:
            return own
        if self._fixed:
            raise Refused(422, f"This server plays its own tasks alone: leave out {', '.join(sorted(given))}.")
        _refuse_server_knobs(given.keys() & set(_OF_SERVER))
        stays = not row and str(given.get("suite", own.suite)) == own.suite
        kept = own.as_knobs() if stays else {"jobs": own.jobs or self.own.jobs}
        wanted = TaskQuery(**{**_without_other_source(kept, given), **given})
        refuse_window(wanted)
        _refuse_server_knobs(name for name, _ in knobs_of_files(wanted).items() - knobs_of_files(own).items())
        if wanted.count is not None and wanted.count > MOST_MADE:
            raise Refused(422, f"count is {wanted.count:,}: at most {MOST_MADE:,} tasks are made for a client.")
        return wanted

    def _opened(self, wanted: TaskQuery) -> Scorer:
        if self._seconds is None:
            return Scorer(wanted)
        return Scorer(wanted, tried(wanted, self._seconds, self._closing))

    def _hold(self, wanted: TaskQuery) -> _Held:
        """Add a user to a scorer, which may not be open yet."""
        with self._lock:
            held = self._others.pop(wanted, None)
            if held is None:
                self._make_room()
                held = _Held()
            self._others[wanted] = held  # at the end: the last one in use
            held.users += 1
            return held

    def _make_room(self) -> None:
        if len(self._others) < self._most:
            return
        for wanted, held in self._others.items():
            if not held.users:
                del self._others[wanted]
                if held.scorer is not None:
                    held.scorer.close()
                return
        raise Refused(429, f"Sessions use {self._most} other choices of tasks: end some, or choose the same tasks.")

    def _release(self, wanted: TaskQuery) -> None:
        with self._lock:
            held = self._others.get(wanted)
            if held is None:  # all were closed
                return
            held.users -= 1
            if not held.users and held.scorer is None:  # it could not be opened
                del self._others[wanted]


def _without_other_source(own: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the server's knobs, without its source of tasks if a client names another: a seed or a dataset."""
    if "seed" in given:
        replaced = {"dataset", "tasks"}
    else:
        replaced = {"tasks", "seed", "length", "count"} if "dataset" in given else set()
    return {name: value for name, value in own.items() if name not in replaced}


def _settings(row: str | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the settings of a row, given as a mapping or JSON, without `jobs`: the server has its own."""
    settings = json_object(row) if isinstance(row, str) and row else row or {}
    if not isinstance(settings, Mapping):
        raise UsageError(f"herobench is {abbreviated(row)}: give settings as a JSON object.")
    return {name: value for name, value in settings.items() if name != "jobs"}


def _refuse_server_knobs(names: Iterable[str]) -> None:
    """Raise Refused for knobs that name files or processes of the server."""
    for name in sorted(names):
        raise Refused(422, f"A client names no files and no processes of the server: leave out {name}.")


# -- the task of an episode -------------------------------------------------------------------------------------------

_LAST_EPOCH = 10_000


def is_shipped(scorer: Scorer) -> bool:
    """Return whether the tasks are a shipped set, and not made from a seed or read from a file."""
    return scorer.wanted.seed is None and scorer.wanted.tasks is None


def split_name(scorer: Scorer) -> str:
    """Return the name of the split."""
    return "test" if is_shipped(scorer) else "train"


def refuse_other_split(scorer: Scorer, split: str) -> None:
    """Raise Refused for a split that does not exist."""
    if split != split_name(scorer):
        raise Refused(404, f"There is no split {quoted(split)} here: the tasks are the split {split_name(scorer)!r}.")


def refuse_wrong_types(epoch: Any, texts: Mapping[str, Any], numbers: Mapping[str, Any]) -> None:
    """Raise Refused for arguments of a reset with wrong types, since OpenEnv passes on whatever a client sends."""
    for name, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise Refused(422, f"{name} is {abbreviated(value)}: give a text.")
    for name, value in numbers.items():
        if value is not None and not _is_whole(value):
            raise Refused(422, f"{name} is {abbreviated(value)}: give a whole number.")
    if not (_is_whole(epoch) and 0 <= epoch <= _LAST_EPOCH):
        raise Refused(422, f"epoch is {abbreviated(epoch)}: give a whole number from 0 to {_LAST_EPOCH:,}.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def listed_task(scorer: Scorer, index: int) -> dict[str, Any]:
    """Return the entry of a task in a list. Raise IndexError for an index without a task."""
    if index < 0:
        raise IndexError(index)
    task = list(scorer.tasks.values())[index]
    return {"id": task.id, "group": task.group, "split": split_name(scorer), "index": index}


def chosen_task(scorer: Scorer, task_id: str | None, split: str | None, index: int | None, seed: int | None) -> str:
    """Return the id of the task to play. Raise Refused when there is no such task."""
    if split is not None:
        refuse_other_split(scorer, split)
    if task_id is not None:
        refuse_unknown_task(scorer, task_id)
        return task_id
    if index is None:
        return Random(seed).choice(list(scorer.tasks))  # noqa: S311 - the same task for the same seed
    try:
        named: str = listed_task(scorer, index)["id"]
    except IndexError:
        raise Refused(404, f"There is no task {index}: the {len(scorer.tasks):,} tasks count from 0.") from None
    return named


# -- a trial of a client's choice -------------------------------------------------------------------------------------

_LOOK = 0.2
"""The seconds between two checks whether the server is closing."""
_MOST_TOLD = 4_000
"""The most characters of a message, so that it fits into a pipe and is written at once."""
_STDIN, _STDOUT = 0, 1


@contextmanager
def tried(wanted: TaskQuery, seconds: float, closing: Event) -> Iterator[Path]:
    """Try a query in another process. During the context, the path has its tasks if it has a seed.

    Raise Refused when it takes longer than `seconds` or the server is closing, and UsageError when it fails.
    """
    with folder_of_made(wanted) as path:
        _try(wanted, path, seconds, closing)
        yield path


def _try(wanted: TaskQuery, path: Path, seconds: float, closing: Event) -> None:
    command = [sys.executable, "-P", "-m", __name__, str(path)]
    with subprocess.Popen(
        command,
        bufsize=0,  # no buffered bytes are left to write if the process has ended early
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps(wanted.as_knobs()).encode() + b"\n")
            _wait(process, seconds, closing)
            told = process.stdout.readline()
        except BrokenPipeError:
            told = b""
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # nobody has waited for it yet, so its id is not reused
    if not told:
        raise Refused(500, "The process that makes the tasks ended early. Ask for less, or try again.")
    if refusal := json.loads(told):
        raise UsageError(refusal)


def _wait(process: subprocess.Popen[bytes], seconds: float, closing: Event) -> None:
    """Wait for the line that a process writes."""
    assert process.stdout
    last = time.monotonic() + seconds
    while not wait([process.stdout.fileno()], _LOOK):
        if closing.is_set():
            raise Refused(503, "The server is closing.")
        if time.monotonic() > last:
            raise Refused(
                422,
                f"Making these tasks takes longer than {seconds:g} s, so it was ended. Ask for less, such as a smaller "
                "count, length or difficulty, or leave such knobs out: the server's own tasks are ready. Whoever runs "
                "the server gives it more time with --make-timeout, or takes no such requests with --fixed.",
            )


def main(path: Path) -> None:
    """Try the query whose knobs come by standard input. Write null, or the reason why it fails."""
    wanted = TaskQuery(**json.loads(sys.stdin.buffer.readline()))
    Thread(target=_end_with_server, daemon=True).start()
    told = None
    try:
        if wanted.seed is not None:
            write_made(wanted, path)
        with Scorer(wanted, nullcontext(path)):
            pass
    except (UsageError, InputError) as error:
        told = str(error)[:_MOST_TOLD]
    os.write(_STDOUT, json.dumps(told).encode() + b"\n")


def _end_with_server() -> None:
    """Kill this process and its group once standard input is closed."""
    os.read(_STDIN, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
