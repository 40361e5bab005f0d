"""What agents cost: `python -m bench.agents`. It prints the tables that docs/agents.md sums up.

A model that knows the way plays base tasks of each bracket with each agent. So the figures are the least that an agent
takes: every other model is asked more often. Tokens are guessed as a quarter of the characters, since no server counts
them. Seconds are processor time of this program with its sandbox workers, without the model.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.clock import processor
from herobench.agents.agent import build_agent
from herobench.conversation import Model, Reply, Request, Usage
from herobench.suite.contract import SuiteSetting
from herobench.suites.rpg.game.task import Task, to_bracket
from herobench.suites.rpg.suite import Rpg
from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.program import write_jsonl
from tests.runs.trial import Trial

WAYS = {
    "one-shot": ("one-shot", "plan"),
    "one-shot, feedback": ("one-shot", "feedback"),
    "tools": ("tools", "tools"),
    "best-of:3": ("best-of:3", "plan"),
    "a1": ("a1", "plan"),
    "a1, feedback": ("a1", "feedback"),
    "a2": ("a2", "plan"),
    "a2, feedback": ("a2", "feedback"),
}
BRACKETS = range(1, 10)
_TASKS = 5
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Bill:
    """What an attempt takes on average."""

    calls: float
    tokens_in: float
    tokens_out: float
    seconds: float


class Counting:
    """Counts the tokens of another model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def reply(self, request: Request) -> Reply:
        reply = await self._model.reply(request)
        asked = sum(len(message.text) for message in request.messages) + sum(len(str(tool)) for tool in request.tools)
        said = len(reply.text) + sum(len(call.arguments) for call in reply.tool_calls)
        return replace(reply, usage=Usage(asked // _CHARACTERS_A_TOKEN, said // _CHARACTERS_A_TOKEN))

    async def close(self) -> None:
        await self._model.close()


def bill(way: tuple[str, str], tasks: Sequence[Task]) -> Bill:
    """Play tasks with an agent in a mode."""
    with TemporaryDirectory() as folder:
        path = write_jsonl(Path(folder) / "tasks.jsonl", (task.as_row() for task in tasks))
        before = processor()
        with closing(Rpg(SuiteSetting(tasks=path, options={"mode": way[1]}, workers=1))) as suite:
            trial = Trial(Path(folder), suite, Counting(suite.player("oracle")), build_agent(way[0]), connections=1)
            trial.work()
            rows = trial.samples
        seconds = processor() - before
    assert all(row["won"] for row in rows), way
    sums = [sum(row[name] for row in rows) / len(rows) for name in ("calls", "input_tokens", "output_tokens")]
    return Bill(*sums, seconds / len(rows))


def of_bracket(bracket: int) -> Sequence[Task]:
    return list(
        islice((task for task in shipped_tasks("base").values() if to_bracket(task.difficulty) == bracket), _TASKS)
    )


def tables(bills: Mapping[str, Sequence[Bill]]) -> Iterator[str]:
    """Yield a table for each figure, with a row for each agent."""
    for title, figure, form in (
        ("calls", "calls", "{:.0f}"),
        ("thousand tokens in", "tokens_in", "{:.1f}"),
        ("thousand tokens out", "tokens_out", "{:.1f}"),
        ("seconds of processor time", "seconds", "{:.2f}"),
    ):
        yield f"| {title} | " + " | ".join(map(str, BRACKETS)) + " |\n|---|" + "--:|" * len(BRACKETS)
        scale = 1000 if "thousand" in title else 1
        for name, row in bills.items():
            figures = (form.format(getattr(each, figure) / scale) for each in row)
            yield f"| `{name}` | " + " | ".join(figures) + " |"
        yield ""


def main() -> None:
    """Print the tables."""
    tasks = [of_bracket(bracket) for bracket in BRACKETS]
    bill(WAYS["one-shot"], tasks[0])  # so that imports are nobody's
    bills = {name: [bill(way, some) for some in tasks] for name, way in WAYS.items()}
    sys.stdout.write("\n".join(tables(bills)) + "\n")


if __name__ == "__main__":
    main()
