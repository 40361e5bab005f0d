"""The generator of the suite behind the contract: reads its options, and makes challenges in order."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from herobench.data.errors import InputError, Problem, UsageError
from herobench.suite.generating import GenerateRequest, GeneratorOption, Made, Numbered, TaskGenerator
from herobench.suites.autumn.episode.challenge import FAMILIES, Challenge, Family, Test
from herobench.suites.autumn.episode.environment import Environment, load_environment, shipped_names
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.task_gen.autumn.detection import make_detection
from herobench.task_gen.autumn.planning import make_planning
from herobench.task_gen.autumn.prediction import make_prediction
from herobench.task_gen.autumn.support import wanted
from herobench.task_gen.autumn.variants import variant_of
from herobench.work.engine import Each, Local

_SEEDS = 6
"""Seeds of the world that are tried before an environment is refused."""


def challenge_of(environment: Environment, family: Family, id: str, seed: int, number: int) -> Challenge:
    """Return a challenge. `seed` names a set of challenges, and `number` counts in it.

    Raises InputError if the environment gives none.
    """
    random = Random(f"{environment.id}/{family}/{seed}/{number}")  # noqa: S311  a draw, no secret
    for _ in range(_SEEDS):
        world_seed = random.randrange(1, 10_000)
        try:
            made = _made(environment, family, world_seed, seed, number, random)
        except AutumnError as error:
            raise InputError([Problem(environment.id, "", f"programs that do not fail, but: {error}")]) from error
        if made is not None:
            test, certificate = made
            return _challenge(environment, id, world_seed, test, certificate)
    raise InputError([Problem(environment.id, "", _NEEDED[family])])


_NEEDED: Mapping[Family, str] = {
    "prediction": "a world that shows enough different frames for six choices",
    "planning": "a goal that shows planning.shows, that can be reached in as many steps as planning.steps says, "
    "and that is not reached by waiting or by one action again and again",
    "detection": "a change that some of 40 random plays reach",
}


def _made(
    environment: Environment, family: Family, world_seed: int, seed: int, number: int, random: Random
) -> tuple[Test, dict[str, Any]] | None:
    if family == "prediction":
        return make_prediction(environment.base, world_seed, wanted(seed, number), random)
    if family == "planning":
        return make_planning(environment, world_seed, random)
    return make_detection(environment, world_seed)


def _challenge(environment: Environment, id: str, seed: int, test: Test, certificate: Mapping[str, Any]) -> Challenge:
    return Challenge(
        id=id,
        environment=environment.id,
        title=environment.title,
        category=environment.category,
        stochastic=environment.stochastic,
        hints=environment.hints,
        program=environment.base,
        seed=seed,
        test=test,
        certificate=certificate,
    )


_WORTH_A_WORKER = 2
"""The number of challenges that pays for the start of a process."""


class ChallengeOrder(NamedTuple):
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


class AutumnGenerator(TaskGenerator):
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

    def make(self, request: GenerateRequest) -> Made:
        """Make challenges."""
        orders = _orders(request)
        count = request.count or len(orders.pairs)
        asked = map(orders.order, range(count))
        return Made(count, Local(request.jobs).results(Each(row, _WORTH_A_WORKER), asked))

    def numbered(self, request: GenerateRequest) -> Numbered:
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

    def order(self, number: int) -> ChallengeOrder:
        """Return what a challenge is made of, by its number."""
        pair, turn = self.pairs[number % len(self.pairs)], number // len(self.pairs) + 1
        return ChallengeOrder(*pair, self.seed, number // self.families, turn, self.varied)

    def __call__(self, number: int) -> Mapping[str, Any]:
        """Return the row of a challenge, by its number."""
        return row(self.order(number))


def _orders(request: GenerateRequest) -> _Orders:
    given = request.values
    names = [given["environment"]] if given["environment"] else shipped_names()
    if not names:
        raise UsageError("No environments are shipped: name a folder with --environment.")
    environments = [load_environment(name) for name in names]
    pairs = [(environment, family) for environment in environments for family in given["family"]]
    return _Orders(pairs, len(given["family"]), request.seed, given["variants"])


def row(order: ChallengeOrder) -> Mapping[str, Any]:
    """Return the row of a challenge."""
    environment, id = order.environment, f"{order.environment.id}-{order.family}-{order.seed}-{order.turn}"
    if order.varied:
        id += "-variant"
        environment = variant_of(environment, Random(id))  # noqa: S311  a draw, no secret
    return challenge_of(environment, order.family, id, order.seed, order.number).as_row()
