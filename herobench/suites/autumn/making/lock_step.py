"""The base program and the changed one side by side: the same actions and the same draws, until the change is seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Literal

from herobench.suites.autumn.challenge import started
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, restored
from herobench.suites.autumn.language.statistics import draws, random_action
from herobench.suites.autumn.language.world import World
from herobench.suites.autumn.making.outcomes import outcomes, stepped, truly_drawn

_OUTCOMES = 400
"""Outcomes of the base program that are looked at in the step of the change."""

Impossible = Literal["deterministic", "enumerated", "sampled"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two programs, the expression that says when they can be told apart, and the seed of both."""

    base: str
    changed: str
    condition: str
    seed: int


@dataclass(frozen=True, slots=True)
class Play:
    """What came of one play."""

    actions: tuple[str, ...]
    frame: int | None
    """The first changed frame; None if the change was not seen."""
    problem: str = ""
    """What is wrong with the pair; empty if nothing is."""
    impossible: Impossible = "deterministic"
    """How it is known that the base program cannot show the changed frame."""


def random_play(pair: Pair, number: int, steps: int) -> Play:
    """Play the pair at random until the change is seen."""
    random = Random(f"lock step {number}")  # noqa: S311  a measurement, no secret
    size = started(pair.base, pair.seed).size
    return played(pair, (random_action(random, size) for _ in range(steps)))


def played(pair: Pair, actions: Iterable[str]) -> Play:
    """Do actions in both worlds until the change is seen. Raises AutumnError."""
    base, changed = started(pair.base, pair.seed), started(pair.changed, pair.seed, pair.condition)
    if changed.holds():
        return Play((), None, "the condition is true at the start")
    if base.grid != changed.grid:
        return Play((), None, "the frames differ at the start")
    done: list[str] = []
    for action in actions:
        before = base.redrawn()
        base.act(action)
        changed.act(action)
        done.append(action)
        seen, differs = changed.holds(), base.grid != changed.grid
        if seen and differs:
            return _of_change(before, changed, tuple(done))
        if differs:
            return Play(tuple(done), None, f"frame {len(done)} differs, and the condition is false")
        if seen:
            return Play(tuple(done), None, f"the condition is true at frame {len(done)}, and the frames are equal")
    return Play(tuple(done), None)


def _of_change(before: World, changed: World, actions: tuple[str, ...]) -> Play:
    """Return the play that ends with the changed frame, which the base program must not be able to show."""
    if not draws(restored(before.program.source.program, "", DEFAULT_LIMITS)):
        return Play(actions, len(actions))
    draw = stepped(before, actions[-1])
    random = Random(len(actions))  # noqa: S311  a sample, no secret
    truth = truly_drawn(draw, before.chance)
    found = outcomes(draw, _OUTCOMES, truth, random)
    if any(world.grid == changed.grid for world in found.worlds):
        problem = f"the base program can show the changed frame {len(actions)} too"
        return Play(actions, None, problem)
    return Play(actions, len(actions), impossible="enumerated" if found.complete else "sampled")
