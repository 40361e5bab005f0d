"""The generator of the suite behind the contract: reads its options, and makes challenges in order."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from herobench.errors import UsageError
from herobench.generating import GeneratorOption, Made, Numbered, Request
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
        orders = _orders(request)
        count = request.count or len(orders.pairs)
        jobs = min(request.jobs, max(1, count // _WORTH_A_WORKER))
        asked = map(orders.order, range(count))
        return Made(count, in_processes(row, asked, jobs) if jobs > 1 else map(row, asked))

    def numbered(self, request: Request) -> Numbered:
        """Return the same challenges by their numbers."""
        orders = _orders(request)
        texts = [f"{environment!r}/{family}" for environment, family in orders.pairs]
        digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
        identity = {"seed": orders.seed, "variants": orders.varied, "environments": digest}
        return Numbered(orders, identity, numbers=range(request.count or len(orders.pairs)))


@dataclass(frozen=True, slots=True)
class _Orders:
    """Deals out environments and families in turns: task number n of a request gets one pair of them."""

    pairs: Sequence[tuple[Environment, Family]]
    families: int
    seed: int
    varied: bool

    def order(self, number: int) -> Order:
        """Return what a challenge is made of, by its number."""
        pair, turn = self.pairs[number % len(self.pairs)], number // len(self.pairs) + 1
        return Order(*pair, self.seed, number // self.families, turn, self.varied)

    def __call__(self, number: int) -> Mapping[str, Any]:
        """Return the row of a challenge, by its number."""
        return row(self.order(number))


def _orders(request: Request) -> _Orders:
    given = request.values
    names = [given["environment"]] if given["environment"] else shipped_names()
    if not names:
        raise UsageError("No environments are shipped: name a folder with --environment.")
    environments = [load_environment(name) for name in names]
    pairs = [(environment, family) for environment in environments for family in given["family"]]
    return _Orders(pairs, len(given["family"]), request.seed, given["variants"])


def row(order: Order) -> Mapping[str, Any]:
    """Return the row of a challenge."""
    environment, id = order.environment, f"{order.environment.id}-{order.family}-{order.seed}-{order.turn}"
    if order.varied:
        id += "-variant"
        environment = variant_of(environment, Random(id))  # noqa: S311  a draw, no secret
    return challenge_of(environment, order.family, id, order.seed, order.number).as_row()
