"""Runs of the agent a1 that are killed again and again: no call is lost, and nothing is asked twice.

The server plays the oracle and kills its client in the middle of an attempt, when a request has come and is not yet
answered. With one connection, all that was answered before was kept, so each question is answered exactly once.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from herobench.conversation import Form, Message, Request
from herobench.suites.rpg.agents.paper import ACTIONS, JUDGEMENT, SUBTASKS
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.oracle_player import OraclePlan, role_answer
from tests.loopback import Kind, Loopback
from tests.program import command, herobench, read_jsonl, surroundings

FORMS: dict[str, Form] = {
    "You are the decomposer": SUBTASKS,
    "You are the critic": JUDGEMENT,
    "You turn one subtask": ACTIONS,
    "You judge the actions": JUDGEMENT,
}
"""What is asked, by the first words of the question."""


class Killer:
    """Says what the server does with each request: it answers, or kills the client."""

    def __init__(self, lives: Sequence[int]) -> None:
        self.client: subprocess.Popen[bytes] | None = None
        self.answered: Counter[str] = Counter()
        self._lives = list(lives)
        """How many requests each session may still make."""

    def __call__(self, question: str, attempt: int) -> Kind:
        if self._lives and self.client is not None:
            self._lives[0] -= 1
            if self._lives[0] < 0:
                self._lives.pop(0)
                os.kill(self.client.pid, signal.SIGKILL)
                self.client.wait()
                return Kind.SILENCE
        self.answered[question] += 1
        return Kind.OK


def killed_and_resumed(folder: Path, kills: int) -> None:
    tasks = folder / "tasks.jsonl"
    made = herobench("generate", "--difficulty", "9", "--kind", "kill", "--count", "1", "--seed", "2", "-o", str(tasks))
    assert made.returncode == 0, made.stderr
    world = load_world()
    (task,) = load_tasks(tasks, world).values()
    known = OraclePlan(world, load_rules(), task)

    def answer(question: str) -> str:
        form = next(form for words, form in FORMS.items() if question.startswith(words))
        return role_answer(known, Request(task.id, 0, [Message("user", question)], form=form))

    chance = Random(3)
    killer = Killer([chance.randrange(3) for _ in range(kills)])
    options = ["--model", "m", "--agent", "a1", "--max-connections", "1", "--tasks", tasks, "-o", folder / "run"]
    with Loopback(killer, answer) as server:
        environment = {**surroundings(), "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.url}
        for number in range(kills + 1):
            killer.client = subprocess.Popen(command("run", *options), env=environment, stderr=subprocess.DEVNULL)
            returned = killer.client.wait()
            assert returned == (-signal.SIGKILL if number < kills else 0)
    (sample,) = read_jsonl(folder / "run" / "samples.jsonl")
    assert sample["won"]
    assert sample["calls"] == len(killer.answered) == killer.answered.total()
    assert len(read_jsonl(folder / "run" / "calls.jsonl")) == sample["calls"]


@pytest.mark.kills
def test_thirty_kills_lose_nothing_and_ask_nothing_twice(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, 30)
