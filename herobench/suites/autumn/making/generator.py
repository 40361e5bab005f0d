"""The generator of the suite behind the contract: reads its options, and makes challenges in order."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from herobench.errors import UsageError
from herobench.generating import GeneratorOption, Made, Request
from herobench.pool import in_processes
from herobench.suites.autumn.challenge import FAMILIES, Family
from herobench.suites.autumn.environment import Environment, load_environment, shipped_names
from herobench.suites.autumn.making.make import challenge_of
from herobench.suites.autumn.making.variants import variant_of

_WORTH_A_WORKER = 2
"""The number of challenges that pays for the start of a process."""


class Order(NamedTuple):
    """What one challenge is made of."""

    environment: Environment
    family: Family
    seed: int
    number: int
    """The number of the challenge among those of its family, from 0."""
    turn: int
    """How often the environment has had a challenge of this family, from 1."""
    varied: bool


def _families(text: str) -> tuple[Family, ...]:
    if text == "all":
        return FAMILIES
    for family in FAMILIES:
        if text == family:
            return (family,)
    raise ValueError(f"give one of {', '.join(FAMILIES)}, or all")


class AutumnGenerator:
    """Makes challenges for environments."""

    options = (
        GeneratorOption(
            "environment", "A shipped environment or a folder; without it all that are shipped.", None, "NAME"
        ),
        GeneratorOption(
            "family", "The kind of test: prediction, planning, detection, or all.", "all", "NAME", _families
        ),
        GeneratorOption("variants", "Change colours, constants and geometry of the environments.", is_flag=True),
    )

    def make(self, request: Request) -> Made:
        """Make challenges."""
        given = request.values
        names = [given["environment"]] if given["environment"] else shipped_names()
        if not names:
            raise UsageError("No environments are shipped: name a folder with --environment.")
        environments = [load_environment(name) for name in names]
        pairs = [(environment, family) for environment in environments for family in given["family"]]
        count = request.count or len(pairs)
        orders = [
            Order(
                *pairs[number % len(pairs)],
                request.seed,
                number // len(given["family"]),
                number // len(pairs) + 1,
                given["variants"],
            )
            for number in range(count)
        ]
        jobs = min(request.jobs, max(1, count // _WORTH_A_WORKER))
        return Made(count, in_processes(row, orders, jobs) if jobs > 1 else map(row, orders))


def row(order: Order) -> Mapping[str, Any]:
    """Return the row of a challenge."""
    environment, id = order.environment, f"{order.environment.id}-{order.family}-{order.seed}-{order.turn}"
    if order.varied:
        id += "-variant"
        environment = variant_of(environment, Random(id))  # noqa: S311  a draw, no secret
    return challenge_of(environment, order.family, id, order.seed, order.number).as_row()
