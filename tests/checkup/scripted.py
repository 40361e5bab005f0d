"""A loopback server that answers from scripts: the players of the suites, which win or lose as a skill says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from math import log
from pathlib import Path
from typing import Any

from herobench.conversation import Message, Request
from herobench.runs.folder import RunFolder
from herobench.runs.rounds import open_kept
from herobench.runs.spec import setting_of_run
from herobench.suite.contract import Suite
from tests.loopback import Behaviour, Loopback
from tests.loopback.api_request import MODELS

Skill = Callable[[str, float | None], bool]
"""Whether a task is won, by its id and its length, which only tasks of the RPG have."""


def luck(task_id: str) -> float:
    """A number from 0 to 1 that is always the same for a task."""
    return int.from_bytes(sha256(task_id.encode()).digest()[:6]) / 2**48


def wins_all(task_id: str, length: float | None) -> bool:
    return True


def loses_all(task_id: str, length: float | None) -> bool:
    return False


def mixed(horizon: float, share: float = 0.5) -> Skill:
    """A model whose log-odds fall by 1 with each doubling of the length; it wins a share of tasks without one."""

    def skill(task_id: str, length: float | None) -> bool:
        chance = share if length is None else 1 / (1 + (length / horizon) ** (1 / log(2)))
        return luck(task_id) < chance

    return skill


@dataclass(frozen=True)
class _Known:
    """A task that is being asked."""

    suite: Suite
    task_id: str
    opening: str
    messages: int

    def is_asked(self, texts: list[str]) -> bool:
        """Whether a conversation begins with the task. The opening of Autumn ends with the actions on offer."""
        begun = "\n".join(texts[: self.messages])
        return begun.startswith(self.opening) if self.suite.name == "autumn" else begun == self.opening


class Scripted(Loopback):
    """Answers what the runs below a folder ask."""

    def __init__(self, folder: Path, skill: Skill, disturb: Callable[[int], Behaviour | None] = lambda asked: None):
        super().__init__(self._say)
        self._folder, self._skill, self._disturb = folder, skill, disturb
        self._known: dict[tuple[str, str], _Known] = {}
        self._whole: set[str] = set()
        """The runs whose tasks are all known."""
        self._texts: list[str] = []
        self._turns = 0
        self._number = 0

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        for suite in {id(known.suite): known.suite for known in self._known.values()}.values():
            suite.close()

    def _decide(self, request: Any, number: int) -> Any:
        body = json.loads(request.body or b"{}")
        self._texts = [_text(message) for message in body.get("messages", [])]
        self._turns = sum(message["role"] == "assistant" for message in body.get("messages", []))
        return super()._decide(request, number)

    def _say(self, key: str, attempt: int) -> Behaviour:
        if key == MODELS:
            return Behaviour(model="m")
        self._number += 1
        if (disturbed := self._disturb(self._number)) is not None:
            return disturbed
        known = self._find() or (self._look(), self._find())[1]
        assert known is not None, f"nobody asks this: {self._texts[-1][:200]}"
        details = known.suite.blank(known.task_id)
        won = self._skill(known.task_id, details.get("decisions") if known.suite.name == "rpg" else None)
        has_random = "random" in known.suite.players
        # a player looks for the number of the turn in the newest messages, or counts its own
        newest = [Message("assistant", "")] * self._turns + [Message("user", text) for text in self._texts[-2:]]
        player = known.suite.player("oracle" if won or not has_random else "random")
        reply = _result(player.reply(Request(known.task_id, 0, tuple(newest))))
        if not won and not has_random:
            return Behaviour(text=_without_its_end(reply.text))
        calls = [{"name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
        return Behaviour(text=reply.text, calls=calls or None)

    def _find(self) -> _Known | None:
        return next((known for known in self._known.values() if known.is_asked(self._texts)), None)

    def _look(self) -> None:
        """Learn the tasks that the runs ask now. A run that chooses tasks asks only those of its rounds."""
        for path in self._folder.rglob("run.json"):
            folder = RunFolder(path.parent)
            manifest = folder.read_manifest()
            run = str(path.parent.relative_to(self._folder))
            asked = {task_id for chosen in manifest.get("rounds", ()) for task_id in chosen}
            if not asked and run in self._whole:
                continue
            self._whole.add(run)
            if asked and all((run, task_id) in self._known for task_id in asked):
                continue
            suite = open_kept(manifest, setting_of_run(folder, manifest, {}, 1))
            for task_id in asked or [task.id for task in suite.tasks()]:
                if (run, task_id) not in self._known:
                    attempt = suite.open(task_id, 0)
                    texts = [message.text for message in attempt.messages]
                    if suite.name == "autumn":
                        texts[1] = attempt._opening.text  # type: ignore[attr-defined]
                    self._known[run, task_id] = _Known(suite, task_id, "\n".join(texts), len(texts))


def _without_its_end(plan: str) -> str:
    """A plan without its last action, which would have won: a lost plan is about as long as a winning one."""
    *lines, _, fence = filter(str.strip, plan.splitlines())
    return "\n".join([*lines, fence])


def _result(coroutine: Any) -> Any:
    """The result of a coroutine that waits for nothing, or for a thread: the server's own loop is running."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
