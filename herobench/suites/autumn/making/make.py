"""Makes challenges of all families from environments. The same words give the same challenge, on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from herobench.errors import InputError, Problem
from herobench.suites.autumn.challenge import Challenge, Family, Test
from herobench.suites.autumn.environment import Environment
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.making.choosing import wanted
from herobench.suites.autumn.making.detection import make_detection
from herobench.suites.autumn.making.planning import make_planning
from herobench.suites.autumn.making.prediction import make_prediction

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
