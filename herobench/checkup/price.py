"""Estimates a checkup before it starts: tokens, money and time of each run, and the runs that a budget leaves out.

Nobody knows before how good a model is, and a better one is asked longer tasks. So each figure is there for five
models, from one that loses all to one that wins all. A budget is divided for the middle one, and holds for all: a
horizon stops before a round that would cost more. Prompts and answers are as long as those of the suites' players,
whose means `parts` has; the user says how long a model thinks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, log2
from types import MappingProxyType

from herobench.adaptive.goal import Goal
from herobench.checkup.parts import (
    ANSWER_A_DECISION,
    FIRST_LENGTH,
    LADDER,
    LARGEST,
    PARTS,
    PROMPTS,
    STEPS,
    Chosen,
    Part,
    part_named,
)
from herobench.conversation import Usage
from herobench.data.errors import UsageError
from herobench.models.prices import Price

MODELS: Mapping[str, float] = MappingProxyType(
    {"loses all": 0.0, "weak": 1 / 6, "middle": 1 / 2, "strong": 5 / 6, "wins all": 1.0}
)
"""The models that figures are told for: how far along the lengths their horizon lies, in doublings, and how much they
are like the oracle in other parts."""
LIKELY = "middle"
THOUGHTS = 1_000
"""The tokens that a served model is taken to think before each answer if the user does not say."""
_TOKENS_A_SECOND = 50
_SECONDS_A_CALL = 1.0
_ROUND = 8
"""The tasks of a round of `--until`, which waits for the one before."""
_FAR = 1e6

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
    """The inputs of the figures, beside the parts."""

    price: Price | None = None
    thoughts: int = THOUGHTS
    connections: int = 10
    parts: Sequence[Part] = PARTS
    steps: Sequence[tuple[str, int]] = STEPS

    def bills(self, sizes: Sizes, model: str) -> Iterator[Bill]:
        """Yield the bill of each run for one of the models."""
        for run, size in sizes.items():
            yield self._bill(run, size, MODELS[model])

    def cost(self, sizes: Sizes, model: str) -> float:
        """Return the money that a checkup takes of one of the models; 0 without a price."""
        return sum(bill.cost(self.price) or 0.0 for bill in self.bills(sizes, model))

    def expected(self, sizes: Sizes) -> dict[str, float]:
        """Return the money that each run takes of the likely model; nothing without a price."""
        costs = {bill.run: bill.cost(self.price) for bill in self.bills(sizes, LIKELY)}
        return {run: cost for run, cost in costs.items() if cost is not None}

    def whole(self) -> Sizes:
        """Return the sizes of a checkup that leaves nothing out, in the order of the parts."""
        return self.ordered(dict(self.steps))

    def ordered(self, sizes: Sizes) -> Sizes:
        """Return sizes in the order in which runs are asked."""
        return {run: sizes[run] for part in self.parts for run in part.runs if run in sizes}

    def context(self, sizes: Sizes) -> tuple[int, int] | None:
        """Return the tokens of the horizon's largest prompt and of the longest reply; None without the horizon."""
        prompts = [LARGEST[lane] for run in sizes if (lane := run.rpartition("/")[2]) in LARGEST]
        return (max(prompts), round(ANSWER_A_DECISION * LADDER[1]) + self.thoughts) if prompts else None

    def costs(self) -> Iterator[tuple[str, int, float]]:
        """Yield for each step its run, its tasks, and what the checkup costs up to it."""
        sizes: dict[str, int] = {}
        for run, size in self.steps:
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
        return self.ordered(sizes)

    def _bill(self, run: str, size: int, skill: float) -> Bill:
        part = part_named(run, self.parts)
        if isinstance(part.source, Chosen):
            lengths = _rehearsed(f"{part.source.goal},tasks={size}", skill)
            tasks = len(lengths)
            calls, waits = float(tasks), tasks / _ROUND
            prompt = sum(prompt_tokens(run.rpartition("/")[2], length) for length in lengths)
            answer = sum(ANSWER_A_DECISION * length for length in lengths)
        else:
            tasks, by_random, by_oracle = size, part.random_usage, part.oracle_usage
            calls, prompt, answer = (
                size * ((1 - skill) * getattr(by_random, name) + skill * getattr(by_oracle, name))
                for name in ("calls", "prompt", "answer")
            )
            waits = max(by_random.calls, by_oracle.calls)
        reply = answer + calls * self.thoughts
        each = _SECONDS_A_CALL + reply / max(calls, 1.0) / _TOKENS_A_SECOND
        return Bill(run, tasks, calls, prompt, reply, each * max(waits, calls / self.connections))


def prompt_tokens(lane: str, length: float) -> float:
    """Return about how many tokens the prompt of a task of this length has in a lane."""
    known = PROMPTS[lane]
    place = min(max(log2(length / FIRST_LENGTH), 0.0), len(known) - 1.001)
    low, part = int(place), place % 1
    return known[low] + part * (known[low + 1] - known[low])


@cache
def _rehearsed(goal: str, skill: float) -> list[float]:
    """Return the lengths of the tasks that a model of this skill is asked until the goal is reached."""
    from herobench.adaptive.choice import rehearse  # numpy is slow to import

    shortest, longest, count = LADDER
    doublings = log(longest / shortest)
    lengths = {number: shortest * exp(doublings * number / (count - 1)) for number in range(count)}
    ends = {0.0: shortest / _FAR, 1.0: longest * _FAR}
    horizon = ends.get(skill, shortest * exp(doublings * skill))
    return [lengths[number] for number in rehearse(Goal.of(goal), lengths, horizon)]
