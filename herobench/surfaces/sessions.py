"""Keeps the attempts that clients of a server play turn by turn, and writes the answers to clients as plain data.

The number of sessions is limited, and a session expires when nobody plays it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from herobench.conversation import Message
from herobench.data.errors import HeroBenchError, UsageError, abbreviate, quoted
from herobench.models.messages import chat_messages, chat_tool
from herobench.models.responses_api import response_items, response_tool
from herobench.scorer import Play, Prefix, Result, RewardKind, Said, Scorer, TaskQuery, TurnReward
from herobench.scorer.play import as_reply, count_characters


class Refused(HeroBenchError):
    """Raised when a client asks for something missing, impossible now, or too large. The message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        """The status code of HTTP for the reason, such as 404."""


def refuse_window(query: TaskQuery) -> None:
    """Raise UsageError for a window: on this surface the client keeps the conversation and sends it to the model."""
    if "window" in dict(query.others):
        raise UsageError("window says which turns a model is sent. Here that is up to whoever asks it: leave it out.")


def refuse_unknown_task(scorer: Scorer, task_id: str) -> None:
    """Raise Refused when there is no such task."""
    if task_id not in scorer.tasks:
        raise Refused(
            404, f"There is no task {quoted(task_id)} among the {len(scorer.tasks):,} tasks of {scorer.dataset}."
        )


def refuse_oracle_prefix(prefix: object, *, allowed: bool) -> None:
    """Raise Refused for turns of the oracle's plan, unless the server may give them: they tell a client the plan."""
    if isinstance(prefix, int) and prefix and not allowed:
        raise Refused(
            403, "prefix asks for turns of the oracle's plan. Start the server with --oracle-prefixes to give them."
        )


# -- answers to clients -----------------------------------------------------------------------------------------------


def task_list(scorer: Scorer, offset: int, limit: int) -> dict[str, Any]:
    """Return a part of the list of tasks, without their rows, since these hold solutions."""
    part = list(scorer.tasks.values())[offset : offset + limit]
    return {
        "suite": scorer.suite,
        "dataset": scorer.dataset,
        "total": len(scorer.tasks),
        "tasks": [{"id": task.id, "group": task.group} for task in part],
    }


def task_view(scorer: Scorer, task_id: str) -> dict[str, Any]:
    """Return a task as a model sees it. Raise Refused when there is none."""
    refuse_unknown_task(scorer, task_id)
    play = scorer.play(task_id)
    return {"id": task_id, "group": scorer.tasks[task_id].group, **chat_view(play, play.conversation)}


_GYM_AGENT = {"type": "responses_api_agents", "name": "simple_agent"}


def gym_rows(scorer: Scorer, prefix: int = 0, columns: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the tasks as rows of NeMo Gym, with more columns. They may begin after turns of the oracle."""
    for task_id in scorer.tasks:
        play = scorer.play(task_id, prefix=prefix)
        params: dict[str, Any] = {"input": [item for one in play.conversation for item in response_items(one)]}
        if play.tools:
            params["tools"] = [response_tool(tool) for tool in play.tools]
        yield {"responses_create_params": params, "task_id": task_id, "agent_ref": _GYM_AGENT, **(columns or {})}


def chat_view(play: Play, news: Iterable[Message]) -> dict[str, Any]:
    """Return messages, with the tools of the attempt, in the form of chat APIs."""
    return {"messages": chat_messages(news), "tools": [chat_tool(tool) for tool in play.tools]}


def as_text(messages: Iterable[Message]) -> str:
    """Return messages as one text, for tools that exchange nothing else."""
    return "\n\n".join(message.text for message in messages)


_WANTED: Mapping[str, str] = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a JSON object",
    "model_type": "a JSON object",
    "model_attributes_type": "a JSON object",
    "literal_error": "{expected}",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} at most",
}
"""The values that pydantic would take, by the types of its errors."""
_MOST_WRONG = 5


def wrong_fields(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return what is wrong with the fields of a client, by the errors of pydantic: a sentence for each field."""
    return " ".join(dict.fromkeys(map(_wrong_field, islice(errors, _MOST_WRONG))))


def _wrong_field(error: Mapping[str, Any]) -> str:
    # the first part may be that of a request, and parts in <> are the forms that a field may have
    kind, (*parts,) = error["type"], (str(part) for part in error["loc"] if not str(part).startswith("<"))
    name = ".".join(parts[1:] if parts[:1] in (["body"], ["query"]) else parts) or "The body"
    facts: Mapping[str, Any] = error.get("ctx", {})
    if kind == "missing":
        return f"{name} is missing."
    if kind == "extra_forbidden":
        return f"There is no {name}: leave it out."
    if kind == "json_invalid":
        return f"The body is no JSON: {facts['error']}."
    if kind not in _WANTED and kind != "form":
        return f"{name}: {error['msg'].removeprefix('Value error, ')}."
    expected = error["msg"] if kind == "form" else _WANTED[kind].format(**facts)
    return f"{name} is {abbreviate(error['input'])}: give {expected}."


# -- calls that score -------------------------------------------------------------------------------------------------

_Made = TypeVar("_Made")

MOST_WAITING = 1_000
"""The most calls that may wait or run at once, by default."""


class ScoringQueue:
    """Calls that score. Close it, so that its threads end."""

    def __init__(self, threads: int, most: int = MOST_WAITING) -> None:
        self.most = most
        self._pool = ThreadPoolExecutor(threads, "score")
        self._count = 0
        self._lock = Lock()

    @property
    def waiting(self) -> int:
        """The number of calls that wait or run."""
        return self._count

    async def one(self, call: Callable[..., _Made], *given: Any) -> _Made:
        """Make a call and return its result. Raise Refused when the queue is full."""
        (result,) = await self.all([lambda: call(*given)])
        return result

    async def all(self, calls: Sequence[Callable[[], _Made]]) -> list[_Made]:
        """Make calls and return their results in order. Raise Refused when the queue has no room for all of them."""
        self._enter(len(calls))
        futures = [self._pool.submit(call) for call in calls]
        for future in futures:
            future.add_done_callback(self._leave)
        try:
            return await asyncio.gather(*map(asyncio.wrap_future, futures))
        finally:
            # After a failed call, or when the client is gone, nobody waits for the other calls.
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Drop the calls that wait, and wait for those that run."""
        self._pool.shutdown(cancel_futures=True)

    def _enter(self, count: int) -> None:
        if count > self.most:
            raise Refused(413, f"The queue has {self.most:,} places: send fewer answers at once.")
        with self._lock:
            if self._count + count > self.most:
                raise Refused(429, f"The queue is full: {self._count:,} of {self.most:,} places are taken. Try again.")
            self._count += count

    def _leave(self, _: Future[Any]) -> None:
        with self._lock:
            self._count -= 1


# -- sessions ---------------------------------------------------------------------------------------------------------

MOST_SESSIONS = 2_048
"""The most sessions that may be open at once, by default."""
EXPIRY = 600.0
"""The seconds without a call after which a session is closed, by default."""


class ClientSession:
    """An attempt of one client. A client takes one turn at a time."""

    def __init__(self, credit: TurnReward, now: float) -> None:
        self.key = secrets.token_urlsafe(16)
        self.play = credit.play
        self.used = now
        self.rewards = credit.rewards
        """The reward of each turn so far."""
        self._credit = credit
        self._lock = Lock()

    @property
    def busy(self) -> bool:
        """True while a turn is being played."""
        return self._lock.locked()

    @contextmanager
    def turn(self, *, wait: bool = False) -> Iterator[Play]:
        """Hold the attempt during the context. If another call holds it, wait for that, or raise Refused."""
        if not self._lock.acquire(blocking=wait):
            raise Refused(409, "The session takes one call at a time: wait for the answer to the one before.")
        try:
            yield self.play
        finally:
            self._lock.release()

    def opening_state(self) -> dict[str, Any]:
        """Return the state before any turn."""
        return self._state(self.play.conversation)

    def play_turn(self, turn: Said) -> dict[str, Any]:
        """Play a turn and return the new state. Raise Refused when the attempt is over, or too long."""
        with self.turn() as play:
            if play.over:
                raise Refused(409, "The attempt is over: close the session.")
            return self._state(self.play_locked(turn))

    def _state(self, news: Iterable[Message]) -> dict[str, Any]:
        play = self.play
        return {
            "session_id": self.key,
            "task_id": play.task_id,
            "turns": play.turns,
            **chat_view(play, news),
            "over": play.over,
            "result": play.result().as_row(details=False) if play.over else None,
        }

    def play_locked(self, turn: Said) -> Sequence[Message]:
        """Play a turn, and record its reward. Call it within `turn`. Raise Refused as `say_within` does."""
        news = say_within(self.play, turn)
        self._credit.of_turn()
        return news

    def end(self, turn: Said | None) -> None:
        """Play a last turn, if any. The last turn gets the reward of the end. Call it within `turn`."""
        if turn is not None:
            say_within(self.play, turn)
            self._credit.of_turn(last=True)
        else:
            self.rewards[-1] += self._credit.of_stop()


class Sessions:
    """The sessions of a server. Threads may share them."""

    def __init__(
        self,
        scorer: Scorer,
        most: int = MOST_SESSIONS,
        expiry: float = EXPIRY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._scorer, self._most, self._expiry, self._clock = scorer, most, expiry, clock
        self._open: dict[str, ClientSession] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        with self._lock:
            self._expire()
            return len(self._open)

    def open(
        self, task_id: str, epoch: int = 0, prefix: Prefix = (), reward: RewardKind = "end", gamma: float = 1.0
    ) -> ClientSession:
        """Start an attempt, after the turns of a prefix.

        Raise Refused when there is no such task, the prefix is too long, or too many sessions are open.
        """
        refuse_unknown_task(self._scorer, task_id)
        self._refuse_if_full()
        play = self._scorer.play(task_id, epoch, prefix)
        refuse_if_long(play)
        session = ClientSession(TurnReward(play, reward, gamma), self._clock())
        with self._lock:
            self._refuse_if_full_now()  # others may have opened sessions meanwhile
            self._open[session.key] = session
        return session

    def at(self, key: str) -> ClientSession:
        """Return an open session, and restart its expiry. Raise Refused when there is none."""
        with self._lock:
            self._expire()
            session = self._session(key)
            session.used = self._clock()
            return session

    def close(self, key: str) -> ClientSession:
        """Remove and return a session, so that its result is read only once. Raise Refused when there is none."""
        with self._lock:
            session = self._session(key)
            if session.busy:
                raise Refused(409, "The session is in the middle of a turn: wait for its answer before you close it.")
            return self._open.pop(key)

    def end(self, key: str) -> Result:
        """Return the result of a session, and remove it. It stays if this fails, so that a client can try again."""
        with self.at(key).turn() as play:
            result = play.result()
        self.close(key)
        return result

    def _session(self, key: str) -> ClientSession:
        if key not in self._open:
            raise Refused(
                404, f"There is no such session. One ends when it is closed, or unused for {self._expiry:g} s."
            )
        return self._open[key]

    def _refuse_if_full(self) -> None:
        with self._lock:
            self._refuse_if_full_now()

    def _refuse_if_full_now(self) -> None:
        self._expire()
        if len(self._open) >= self._most:
            raise Refused(429, f"All {self._most:,} sessions are taken: close one, or try again later.")

    def _expire(self) -> None:
        oldest = self._clock() - self._expiry
        for key in [key for key, session in self._open.items() if session.used < oldest and not session.busy]:
            del self._open[key]


# -- long conversations -----------------------------------------------------------------------------------------------

MOST = 16 * 2**20
"""The most characters of a conversation: four times as many as the longest contexts of models."""
IN_ALL = 16 * MOST
"""The most characters of all conversations of a process. Above this, only short conversations continue."""
_SHORT = MOST // 16

_counted: WeakKeyDictionary[Play, int] = WeakKeyDictionary()
"""The characters of each conversation when it was last counted."""
_at_most = 0
"""An upper bound of their sum: conversations that have ended since are still in it."""
_lock = Lock()


def say_within(play: Play, turn: Said, most: int = MOST, in_all: int = IN_ALL) -> Sequence[Message]:
    """Play a turn. Raise Refused, without playing it, when conversations would have too many characters."""
    reply = as_reply(turn)
    refuse_if_long(play, count_characters(reply), most, in_all)
    return play.say(reply)


def refuse_if_long(play: Play, more: int = 0, most: int = MOST, in_all: int = IN_ALL) -> None:
    """Raise Refused if conversations would have too many characters after `more` further ones."""
    size = play.size + more
    if size > most:
        raise Refused(
            413,
            f"The conversation of an attempt may have {most:,} characters, and with this turn it has more: say less, "
            "or end the attempt, which is scored by its turns so far.",
        )
    if _sum_with(play, size, in_all) > in_all and size > _SHORT:
        raise Refused(
            429,
            f"The conversations of all attempts have more than {in_all:,} characters. Until others end, those of more "
            f"than {_SHORT:,} take no turns: end the attempt, or try again later.",
        )


def _sum_with(play: Play, size: int, in_all: int) -> int:
    """Return the number of characters of all conversations, of which this one has `size`."""
    global _at_most
    with _lock:
        _at_most += size - _counted.get(play, 0)
        _counted[play] = size
        if _at_most > in_all:  # recount, without the conversations that have ended
            for one in _counted:
                _counted[one] = size if one is play else one.size
            _at_most = sum(_counted.values())
        return _at_most
