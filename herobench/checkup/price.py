"""Estimates a checkup before it starts: tokens, money and time of each run, and the steps that a budget leaves out.

Each figure is there for five models, from one that loses all to one that wins all. A budget is divided for the middle
one, and holds for all. Prompts and answers are as long as the rows of the suites say, and the user says how long a
model thinks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from herobench.conversation import Usage
from herobench.data.errors import UsageError
from herobench.models.model import Price
from herobench.suite.checkup_parts import Part, Row, order_steps

MODELS: Mapping[str, float] = MappingProxyType(
    {"loses all": 0.0, "weak": 1 / 6, "middle": 1 / 2, "strong": 5 / 6, "wins all": 1.0}
)
"""Each model has its horizon between the shortest task (0) and the longest one (1), counted in doublings of length."""
LIKELY = "middle"
THOUGHTS = 1_000
"""The tokens that a served model is taken to think before each answer if the user does not say."""
_TOKENS_A_SECOND = 50
_SECONDS_A_CALL = 1.0

Sizes = Mapping[str, int]
"""The number of tasks of each run."""


@dataclass(frozen=True, slots=True)
class Bill:
    """The tokens and the time that a run of one model takes."""

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

    def whole(self) -> Sizes:
        """Return the sizes of a checkup that leaves nothing out, in the order in which runs are asked."""
        return {run: row.most for run, row in self.rows.items()}

    def context(self, sizes: Sizes) -> tuple[int, int] | None:
        """Return the tokens of the largest prompt and of the longest reply among rows that tell theirs, or None."""
        rows = self.rows
        longest = [own for run in sizes if (own := rows[run].longest)]
        if not longest:
            return None
        prompts, answers = zip(*longest, strict=True)
        return max(prompts), max(answers) + self.thoughts

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
        loser, winner = row.by_loser, row.by_winner
        calls, prompt, answer = (
            size * ((1 - skill) * getattr(loser, name) + skill * getattr(winner, name))
            for name in ("calls", "prompt", "answer")
        )
        waits = max(loser.calls, winner.calls)
        reply = answer + calls * self.thoughts
        each = _SECONDS_A_CALL + reply / max(calls, 1.0) / _TOKENS_A_SECOND
        return Bill(run, size, calls, prompt, reply, each * max(waits, calls / self.connections))
