"""Estimates a checkup before it starts: tokens, money and time of each run, and the steps that a budget leaves out.

Each figure is there for five models, from one that loses all to one that wins all, because a better one is asked longer
tasks. A budget is divided for the middle one, and holds for all: a run that chooses its tasks stops before a round that
would cost more. Which tasks such a run asks is rehearsed as by `run --dry-run`; prompts and answers are as long as the
rows of the suites say, and the user says how long a model thinks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from herobench.adaptive.goal import Goal
from herobench.adaptive.rehearsal import MODELS, rehearse_model
from herobench.conversation import Usage
from herobench.data.errors import UsageError
from herobench.models.model import Price
from herobench.suite.checkup_parts import Part, Row, order_steps

LIKELY = "middle"
THOUGHTS = 1_000
"""The tokens that a served model is taken to think before each answer if the user does not say."""
_TOKENS_A_SECOND = 50
_SECONDS_A_CALL = 1.0
_ROUND = 8
"""The tasks of a round of `--until`, which waits for the one before."""

Sizes = Mapping[str, int]
"""The number of tasks of each run."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What a run takes of one model."""

    run: str
    tasks: int
    calls: float
    prompt: float
    """Tokens of prompts."""
    reply: float
    """Tokens of replies, thoughts included."""
    seconds: float

    def cost(self, price: Price | None) -> float | None:
        """Return the money; None without a price."""
        return None if price is None else price.of(Usage(input=round(self.prompt), output=round(self.reply)))


@dataclass(frozen=True, slots=True)
class Terms:
    """The inputs of the figures."""

    parts: Sequence[Part]
    price: Price | None = None
    thoughts: int = THOUGHTS
    connections: int = 10

    @property
    def rows(self) -> dict[str, Row]:
        """The rows of all parts by their runs."""
        return {run: row for part in self.parts for run, row in part.runs.items()}

    def bills(self, sizes: Sizes, model: str) -> Iterator[Bill]:
        """Yield the bill of each run for one of the models."""
        rows = self.rows
        for run, size in sizes.items():
            yield self._bill(run, rows[run], size, MODELS[model])

    def cost(self, sizes: Sizes, model: str) -> float:
        """Return the money that a checkup takes of one of the models; 0 without a price."""
        return sum(bill.cost(self.price) or 0.0 for bill in self.bills(sizes, model))

    def expected(self, sizes: Sizes) -> dict[str, float]:
        """Return the money that each run takes of the likely model; nothing without a price."""
        costs = {bill.run: bill.cost(self.price) for bill in self.bills(sizes, LIKELY)}
        return {run: cost for run, cost in costs.items() if cost is not None}

    def whole(self) -> Sizes:
        """Return the sizes of a checkup that leaves nothing out, in the order in which runs are asked."""
        return {run: row.most for run, row in self.rows.items()}

    def context(self, sizes: Sizes) -> tuple[int, int] | None:
        """Return the tokens of the largest prompt and of the longest reply among rows with usage by length, or None."""
        rows = self.rows
        usages = [usage for run in sizes if (usage := rows[run].by_length)]
        if not usages:
            return None
        reply = max(usage.answer * usage.longest for usage in usages)
        return max(usage.largest for usage in usages), round(reply) + self.thoughts

    def costs(self) -> Iterator[tuple[str, int, float]]:
        """Yield for each step its run, its tasks, and what the checkup costs up to it."""
        sizes: dict[str, int] = {}
        for run, size in order_steps(self.parts):
            sizes[run] = size
            yield run, size, self.cost(sizes, LIKELY)

    def within(self, budget: float | None) -> Sizes:
        """Return the sizes that a budget pays for. Raise UsageError if it pays for no figure."""
        if budget is None:
            return self.whole()
        sizes: dict[str, int] = {}
        for run, size, cost in self.costs():
            if cost > budget:
                if sizes:
                    break
                raise UsageError(
                    f"A budget of {budget:g} is too small for any figure: the first one, {size} tasks of {run}, "
                    f"costs about {cost:.2f}."
                )
            sizes[run] = size
        return {run: sizes[run] for run in self.whole() if run in sizes}

    def _bill(self, run: str, row: Row, size: int, skill: float) -> Bill:
        if row.until and (usage := row.by_length):
            lengths = _rehearse(usage.shortest, usage.longest, usage.tasks, f"{row.until},tasks={size}", skill)
            tasks = len(lengths)
            calls, waits = float(tasks), tasks / _ROUND
            prompt, answer = sum(map(usage.prompt, lengths)), sum(usage.answer * length for length in lengths)
        else:
            tasks, loser, winner = size, row.by_loser, row.by_winner
            calls, prompt, answer = (
                size * ((1 - skill) * getattr(loser, name) + skill * getattr(winner, name))
                for name in ("calls", "prompt", "answer")
            )
            waits = max(loser.calls, winner.calls)
        reply = answer + calls * self.thoughts
        each = _SECONDS_A_CALL + reply / max(calls, 1.0) / _TOKENS_A_SECOND
        return Bill(run, tasks, calls, prompt, reply, each * max(waits, calls / self.connections))


@cache
def _rehearse(shortest: float, longest: float, count: int, goal: str, skill: float) -> list[float]:
    """Return the lengths of the tasks that a model of this skill is asked until the goal is reached."""
    steps = max(1, count - 1)
    lengths = {number: shortest * (longest / shortest) ** (number / steps) for number in range(count)}
    return [lengths[number] for number in rehearse_model(Goal.of(goal), lengths, skill)]
