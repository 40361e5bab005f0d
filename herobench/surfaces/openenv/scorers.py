"""The tasks of an OpenEnv server: opens and shares its scorers, and chooses the task of an episode.

A server has its own scorer, and further scorers for the knobs that clients name in a reset. A scorer is opened for the
first session with its knobs, and shared by all sessions with equal ones. The number of open scorers is limited: to open
another one, the server closes the one that has been unused longest. To make long or many tasks may take minutes, so a
client gets a bounded number of them.

An episode plays the named task, the task at an index of the split, or one that a seed draws. In OpenEnv's routes the
tasks of a server are one split: `train` for tasks that were made anew or come from a file, `test` for a shipped set,
which must not be used for training.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from threading import Lock
from typing import Any

from herobench.data.documents import json_object
from herobench.data.errors import UsageError, abbreviate, quoted
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.scorer import MADE
from herobench.suite.checked import settings_of_files
from herobench.surfaces.sessions import Refused, refuse_unknown_task, refuse_window


def knobs_of_files(query: TaskQuery) -> dict[str, str]:
    """Return the knobs whose texts name files or folders."""
    tasks = {} if query.tasks is None else {"tasks": str(query.tasks)}
    names = {name: text for name in ("dataset", "difficulty", "length", "limit") if (text := getattr(query, name))}
    return {**tasks, **settings_of_files(query.suite, names | dict(query.others))}


MOST = 16
"""The most scorers that are open at once beside the server's own."""
MOST_MADE = 100
"""The most tasks that are made anew for a client."""
MOST_LENGTH = 1_000
"""The most that these tasks may have together, each counted by the greatest length that the client names."""
_OF_SERVER = ("tasks", "jobs")
"""Knobs that clients cannot set: the files and the processes of the server."""


@dataclass
class _Slot:
    """A scorer, once it is open, with the number of sessions that use it."""

    scorer: Scorer | None = None
    users: int = 0
    refusal: Refused | None = None
    opening: Lock = field(default_factory=Lock)

    def open(self, make: Callable[[], Scorer]) -> Scorer:
        """Return the scorer, and open it if needed. If that is refused, all who waited get the same refusal."""
        with self.opening:
            if self.refusal is not None:
                raise Refused(self.refusal.status, str(self.refusal))
            try:
                self.scorer = self.scorer or make()
            except Refused as refusal:
                self.refusal = refusal
                raise
            return self.scorer


class Scorers:
    """Lends scorers to sessions. Threads may share it. Use it in a `with` statement, or close it."""

    def __init__(self, query: TaskQuery, *, fixed: bool = False, most: int = MOST) -> None:
        """`query` has the server's own tasks. With `fixed`, clients get no others."""
        refuse_window(query)
        self._own = _Slot()
        self._own_query, self._fixed, self._most = query, fixed, most
        self._others: dict[TaskQuery, _Slot] = {}
        self._lock = Lock()

    @property
    def own(self) -> Scorer:
        """The server's own scorer. It is opened at the first use. Raise UsageError if that fails."""
        # Not earlier: the processes that the scorer starts may import the server's module again.
        return self._own.open(lambda: Scorer(self._own_query))

    def take(self, knobs: Mapping[str, Any], row: str | Mapping[str, Any] | None = None) -> Scorer:
        """Return the scorer for knobs, which override the settings of a dataset's row, or else the server's own knobs.

        Give it back after use. Raise Refused or UsageError for knobs that a client may not name, or that do not fit.
        """
        query = self._query(knobs, row)
        if query == self._own_query:
            return self.own
        slot = self._hold(query)
        try:
            return slot.open(lambda: Scorer(query))
        except BaseException:
            self._release(query)
            raise

    def take_too(self, scorer: Scorer) -> None:
        """Share a scorer that another session has taken. Give it back too."""
        if scorer is not self._own.scorer:
            self._hold(scorer.query)

    def give_back(self, scorer: Scorer) -> None:
        """Release a scorer that a session no longer needs."""
        if scorer is not self._own.scorer:
            self._release(scorer.query)

    def close(self) -> None:
        """Close all scorers."""
        with self._lock:
            slots = [self._own, *self._others.values()]
            self._others.clear()
        for one in slots:
            if one.scorer is not None:
                one.scorer.close()

    def __enter__(self) -> Scorers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _query(self, knobs: Mapping[str, Any], row: str | Mapping[str, Any] | None) -> TaskQuery:
        own = self._own_query
        client_knobs = {name: value for name, value in {**_settings(row), **knobs}.items() if value is not None}
        if not client_knobs:
            return own
        if self._fixed:
            raise Refused(422, f"This server plays its own tasks alone: leave out {', '.join(sorted(client_knobs))}.")
        _refuse_server_knobs(client_knobs.keys() & set(_OF_SERVER))
        stays = not row and str(client_knobs.get("suite", own.suite)) == own.suite
        server_knobs = own.as_knobs() if stays else {"jobs": own.jobs or self.own.jobs}
        query = TaskQuery(**{**_without_other_source(server_knobs, client_knobs), **client_knobs})
        refuse_window(query)
        _refuse_server_knobs(name for name, _ in knobs_of_files(query).items() - knobs_of_files(own).items())
        _refuse_dear(query)
        return query

    def _hold(self, query: TaskQuery) -> _Slot:
        """Add a user to a scorer, which may not be open yet."""
        with self._lock:
            slot = self._others.pop(query, None)
            if slot is None:
                self._make_room()
                slot = _Slot()
            self._others[query] = slot  # at the end: the last one in use
            slot.users += 1
            return slot

    def _make_room(self) -> None:
        if len(self._others) < self._most:
            return
        for query, slot in self._others.items():
            if not slot.users:
                del self._others[query]
                if slot.scorer is not None:
                    slot.scorer.close()
                return
        raise Refused(429, f"Sessions use {self._most} other choices of tasks: end some, or choose the same tasks.")

    def _release(self, query: TaskQuery) -> None:
        with self._lock:
            slot = self._others.get(query)
            if slot is None:  # all were closed
                return
            slot.users -= 1
            if not slot.users and slot.scorer is None:  # it could not be opened
                del self._others[query]


def _refuse_dear(query: TaskQuery) -> None:
    """Raise Refused for tasks that would take long to make, by their number and their greatest length."""
    if query.seed is None:
        return
    count = query.count or MADE
    if count > MOST_MADE:
        raise Refused(422, f"count is {count:,}: at most {MOST_MADE:,} tasks are made for a client.")
    longest = max(map(int, re.findall(r"[0-9]{1,9}", query.length or "")), default=1)
    if count * longest > MOST_LENGTH:
        raise Refused(
            422,
            f"{count} tasks with a length up to {longest:,} are too many to make for a client: count times length is "
            f"at most {MOST_LENGTH:,}. Ask for a smaller count or length, or leave both out: the server's own tasks "
            "are ready.",
        )


def _without_other_source(own: Mapping[str, Any], client_knobs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the server's knobs, without its source of tasks if a client names another: a seed or a dataset."""
    if "seed" in client_knobs:
        sources = {"dataset", "tasks"}
    else:
        sources = {"tasks", "seed", "length", "count"} if "dataset" in client_knobs else set()
    return {name: value for name, value in own.items() if name not in sources}


def _settings(row: str | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the settings of a row, given as a mapping or JSON, without `jobs`: the server has its own."""
    settings = json_object(row) if isinstance(row, str) and row else row or {}
    if not isinstance(settings, Mapping):
        raise UsageError(f"herobench is {abbreviate(row)}: give settings as a JSON object.")
    return {name: value for name, value in settings.items() if name != "jobs"}


def _refuse_server_knobs(names: Iterable[str]) -> None:
    """Raise Refused for knobs that name files or processes of the server."""
    for name in sorted(names):
        raise Refused(422, f"A client names no files and no processes of the server: leave out {name}.")


# -- the task of an episode -------------------------------------------------------------------------------------------

_LAST_EPOCH = 10_000


def is_shipped(scorer: Scorer) -> bool:
    """Return whether the tasks are a shipped set, and not made from a seed or read from a file."""
    return scorer.query.seed is None and scorer.query.tasks is None


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
            raise Refused(422, f"{name} is {abbreviate(value)}: give a text.")
    for name, value in numbers.items():
        if value is not None and not _is_whole(value):
            raise Refused(422, f"{name} is {abbreviate(value)}: give a whole number.")
    if not (_is_whole(epoch) and 0 <= epoch <= _LAST_EPOCH):
        raise Refused(422, f"epoch is {abbreviate(epoch)}: give a whole number from 0 to {_LAST_EPOCH:,}.")


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
        listed_id: str = listed_task(scorer, index)["id"]
    except IndexError:
        raise Refused(404, f"There is no task {index}: the {len(scorer.tasks):,} tasks count from 0.") from None
    return listed_id
