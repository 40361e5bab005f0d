"""A suite of somebody else: find the treasure behind one of three doors.

Turn one: the model calls the tool `look` with the number of the door that the prompt names, and is told what is there.
Turn two: the model says what it saw. It shows how a package adds a suite of several turns with a tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any

from herobench.conversation import Message, Reply, Request, Tool, ToolCall
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.options import Option
from herobench.data.rows import read_lines
from herobench.suite.contract import Attempt, Distance, Suite, SuiteSetting, TaskInfo, Verdict
from toy_treasure.answers import TreasureAnswers

TREASURES = ("ruby", "pearl", "opal", "amber")
_ANY = '{"type": "object"}'
LOOK = Tool(
    "look",
    "Look behind a door.",
    {"type": "object", "properties": {"door": {"type": "integer"}}, "required": ["door"]},
)


@dataclass(frozen=True, slots=True)
class TreasureOptions:
    """The settings of the suite."""

    rooms: Annotated[int, Option("How many rooms there are.", metavar="N", least=1)] = 6


class Treasure(Suite):
    """Tasks t0 to t5; the option `rooms` says how many there are."""

    name = "treasure"
    dataset = "doors-v1"
    datasets = ("doors-v1",)
    players = ("oracle", "silent")
    run_options = (TreasureOptions,)

    @staticmethod
    def answer_work(setting: SuiteSetting) -> TreasureAnswers:
        rows = {line.row["id"]: line.row["treasure"] for line in read_lines(setting.tasks or "", _ANY)}
        if unknown := {id: word for id, word in rows.items() if word not in TREASURES}:
            raise InputError(Problem(str(setting.tasks), id, "a treasure", word) for id, word in unknown.items())
        return TreasureAnswers(rows)

    def __init__(self, setting: SuiteSetting) -> None:
        kept = json.loads(setting.files["rooms.json"])["rooms"] if setting.files else 6
        self._rooms = int(setting.options.get("rooms", kept))
        self.options = {"rooms": str(self._rooms)}
        self.dataset = setting.tasks_name or self.dataset
        self._kept = None if setting.tasks is None else [line.row for line in read_lines(setting.tasks, _ANY)]

    def tasks(self) -> Iterator[TaskInfo]:
        for row in self._kept or map(_row, range(self._rooms)):
            yield TaskInfo(row["id"], "even" if int(row["id"][1:]) % 2 == 0 else "odd", row)

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        return {"rooms": str(self._rooms), "doors": "3"}

    def files(self) -> Mapping[str, str]:
        return {"rooms.json": json.dumps({"rooms": self._rooms})}

    def open(self, task_id: str, epoch: int) -> Search:
        return Search(next(task.row for task in self.tasks() if task.id == task_id))

    def blank(self, task_id: str) -> Mapping[str, Any]:
        return {"schema": 1, "door": self.open(task_id, 0).row["door"], "looked": None, "said": None}

    def player(self, name: str) -> Player:
        if name not in self.players:
            raise UsageError(f"There is no player {name!r}: give one of {', '.join(self.players)}.")
        return Player(name)

    def close(self) -> None: ...


def _row(number: int) -> dict[str, Any]:
    return {"schema": 1, "id": f"t{number}", "door": number % 3, "treasure": TREASURES[number % len(TREASURES)]}


class Search(Attempt):
    """One attempt of two turns."""

    tools = (LOOK,)

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.row = row
        self.looked: int | None = None
        self.said: str | None = None
        self.turns: list[dict[str, Any]] = []

    @property
    def messages(self) -> Sequence[Message]:
        told = f"Room {self.row['id']}: look behind door {self.row['door']}."
        return [Message("system", "Look, then say what you saw."), Message("user", told)]

    def step(self, reply: Reply) -> Sequence[Message] | None:
        if not self.turns:
            return self._look(reply)
        self.said = reply.text
        self.turns.append({"turn": "say", "text": reply.text})
        return None

    def _look(self, reply: Reply) -> Sequence[Message] | None:
        self.turns.append({"turn": "look", "calls": [call.arguments for call in reply.tool_calls]})
        told = [Message("tool", self._seen(call), call_id=call.id) for call in reply.tool_calls]
        return told or None

    def _seen(self, call: ToolCall) -> str:
        try:
            self.looked = int(json.loads(call.arguments)["door"])
        except (ValueError, LookupError, TypeError):
            return 'Give a door as {"door": NUMBER}.'
        return f"You see: {self.row['treasure']}." if self.looked == self.row["door"] else "An empty room."

    def grade(self) -> Verdict:
        found = self.looked == self.row["door"]
        won = found and self.said is not None and self.row["treasure"] in self.said
        return Verdict(
            won=won,
            score=100.0 if won else 50.0 if found else 0.0,
            progress=50.0 * len(self.turns),
            failure=None
            if won
            else "never_looked"
            if self.looked is None
            else "wrong_door"
            if not found
            else "wrong_word",
            details={"schema": 1, "door": self.row["door"], "looked": self.looked, "said": self.said},
            events={"schema": 1, "turns": self.turns},
        )

    def distance(self) -> Distance:
        steps = 2 - len(self.turns)
        if (self.turns and self.looked != self.row["door"]) or (not steps and not self.grade().won):
            steps = inf
        return Distance(steps, steps)


class Player:
    """`oracle` looks and says what it sees; `silent` says nothing of use."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def reply(self, request: Request) -> Reply:
        *_, last = request.messages
        if self._name == "silent":
            return Reply("I would rather not.", stop="stop", model=self._name)
        if last.role == "tool":
            return Reply(last.text, stop="stop", model=self._name)
        door = last.text.rstrip(".").rpartition(" ")[2]
        call = ToolCall("call_0", "look", json.dumps({"door": int(door)}))
        return Reply("", (call,), stop="tool_calls", model=self._name)

    async def close(self) -> None: ...
