"""Conversations with tools against servers that read the history strictly, each in its manner, and fail in every way:
every attempt is measured, no reply is paid for twice, and a resumed run has the samples of an undisturbed one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from herobench.conversation import Message, Reply, Tool
from herobench.models import negotiation
from herobench.models.model import Endpoint, ModelSpec
from herobench.models.openai_api import ServedModel
from herobench.models.sampling import Sampling
from herobench.runs.options import AttemptLimits
from herobench.suite.checked import open_suite
from herobench.suite.contract import Attempt, Suite, SuiteSetting, TaskInfo, Verdict
from tests.loopback import Behaviour, Kind, Loopback, Manner
from tests.models.asked import CHAT_STREAM
from tests.models.test_misbehaviour import expected
from tests.runs.test_served import BRIEF
from tests.runs.trial import Json, Trial, row_key

FAULTS = [kind for kind in Kind if kind is not Kind.OK]
REPLIES = {kind for kind in Kind if expected(CHAT_STREAM, kind).kind is None}
"""What the server is paid for."""
OTHERWISE = {Kind.REFUSAL, Kind.LENGTH, Kind.THOUGHTS_ONLY, Kind.EMPTY_LENGTH}
"""What is another reply than that of an undisturbed run."""
OUTGROWN = {kind for kind in Kind if kind.startswith("context")} | {Kind.TOO_LARGE}
"""What ends an attempt, which is judged by what it has."""
LESSONS = {Manner.KIMI: 1, Manner.R1: 1, Manner.AZURE: 1, Manner.MISTRAL: 1}
"""How many requests a manner may refuse before it is learned."""
CALLS = 5
GAMES: dict[str, tuple[str | None, dict[str, str], str, int]] = {
    "rpg": ("base", {}, "look", 1),
    "epoch": (None, {}, "move", 10),
    "autumn": (None, {"observation": "picture"}, "noop", 1),
}
"""The dataset, the options, a tool, and how often each task is played."""


class Marked(Attempt):
    """An attempt that tells the server which one it is."""

    def __init__(self, attempt: Attempt, mark: str) -> None:
        self._attempt = attempt
        self._mark = mark

    @property
    def tools(self) -> Sequence[Tool]:
        return self._attempt.tools

    def _marked(self, messages: Sequence[Message]) -> list[Message]:
        mark = f"\n[attempt {self._mark}]"
        return [replace(one, text=one.text + mark) if one.role == "user" else one for one in messages]

    @property
    def messages(self) -> Sequence[Message]:
        return self._marked(self._attempt.messages)

    @property
    def conversation(self) -> Sequence[Message] | None:
        sent = self._attempt.conversation
        return None if sent is None else self._marked(sent)

    def step(self, reply: Reply) -> Sequence[Message] | None:
        told = self._attempt.step(reply)
        return None if told is None else self._marked(told)

    def grade(self) -> Verdict:
        return self._attempt.grade()


class Games:
    """The first tasks of a suite."""

    def __init__(self, suite: Suite, count: int) -> None:
        self._suite = suite
        self._tasks = list(suite.tasks())[:count]
        self.numbers = {task.id: number for number, task in enumerate(self._tasks)}

    def tasks(self) -> Iterator[TaskInfo]:
        return iter(self._tasks)

    def open(self, task_id: str, epoch: int) -> Attempt:
        return Marked(self._suite.open(task_id, epoch), self.mark((task_id, epoch)))

    def mark(self, key: tuple[str, int]) -> str:
        return str(self.numbers[key[0]] + len(self._tasks) * key[1])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._suite, name)


def turns(tool: str) -> list[Any]:
    """The turns of a weak model: calls that are malformed in many ways."""
    return [
        {"text": "Hm.", "calls": [{"name": tool, "arguments": "{}"}, {"name": tool, "arguments": '{"x": 1'}]},
        {"calls": [{"name": "no such tool!", "arguments": "not JSON"}, {"name": tool, "arguments": "[1]"}]},
        {"calls": [{"name": "", "arguments": ""}, {"name": tool, "arguments": '{"x": NaN}'}]},
        " \n",
    ]


def served(server: Loopback, api: Literal["chat", "responses"]) -> ServedModel:
    endpoint = Endpoint(server.url, api=api, timeout=10.0, connections=8)
    return ServedModel(ModelSpec("m", "m", Sampling(max_tokens=1000), endpoint))


def comparable(row: Json) -> Json:
    """What two samples of the same play have in common."""
    said = [
        (reply["text"], [(call["name"], call["arguments"]) for call in reply["tool_calls"]]) for reply in row["replies"]
    ]
    return {"said": said, **{name: row[name] for name in ("won", "score", "failure", "unfinished", "details")}}


@pytest.mark.slow  # `tests/models/test_negotiation.py` has the lessons in short
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("manner", Manner)
def test_every_attempt_is_measured_and_none_paid_for_twice(
    game: str, manner: Manner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-secret")
    monkeypatch.setattr(negotiation, "_HEAD_START", 60.0)
    dataset, options, tool, epochs = GAMES[game]
    lessons = LESSONS.get(manner, 0) + (manner is Manner.MISTRAL and game == "autumn")
    api: Literal["chat", "responses"] = "responses" if manner is Manner.OPENAI else "chat"

    def script(key: str, attempt: int) -> Behaviour:
        kind = FAULTS[int(key)] if attempt == 3 and int(key) < len(FAULTS) and not calm else Kind.OK
        return Behaviour(kind, seconds=BRIEF.get(kind, 1.0))

    def play(path: Path) -> tuple[Trial, Counter[str]]:
        """Play a session. Return what is there then, and for each attempt how many replies were paid for in it."""
        with Loopback(script, lambda key: turns(tool), r"\[attempt (\d+)\]", manner) as server:
            trial = Trial(
                path,
                games,
                served(server, api),
                epochs=epochs,
                connections=8,
                retries=1,
                limits=AttemptLimits(calls=CALLS),
            )
            trial.work()
            records = server.records()
        refused = [record for record in records if record.status]
        assert len(refused) <= lessons, [record.status for record in refused]
        return trial, Counter(
            record.key for record in records if not record.status and record.behaviour.kind in REPLIES
        )

    with closing(open_suite(game, SuiteSetting(dataset, None, {"mode": "tools", **options}, {}, 1))) as suite:
        games: Any = Games(suite, -(-len(FAULTS) // epochs))
        calm = True
        whole, _ = play(tmp_path / "whole")
        calm = False
        trial, paid = play(tmp_path / "run")
        lost = {games.mark(row_key(row)): row["error"]["kind"] for row in trial.samples if row["error"]}
        calm = True
        trial, again = play(tmp_path / "run")
    trial.assert_whole()
    assert trial.statuses() == {"ok": len(trial.samples)}
    kept = Counter(games.mark(row_key(call)) for call in trial.calls if call["reply"])
    assert paid + again == kept, "what was paid for is kept, and never asked for again"
    undisturbed = {row_key(row): comparable(row) for row in whole.samples}
    assert len(undisturbed) == len(trial.samples) >= len(FAULTS)
    for row in trial.samples:
        mark = games.mark(row_key(row))
        fault = FAULTS[int(mark)] if int(mark) < len(FAULTS) else Kind.OK
        if fault in OUTGROWN:
            assert (mark in lost, row["calls"]) == (False, 3)
            assert row["unfinished"].startswith("the conversation has outgrown the context of the model: ")
        elif fault not in OTHERWISE:
            assert comparable(row) == undisturbed[row_key(row)], fault
