"""Subtasks: the oracle's plan in pieces, each of which ends with a craft or a fight.

Players use them where a model works step by step: they answer as a model would that plans like the oracle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from herobench.rpg.task import Task
from herobench.rpg.world import Code, Place, World
from herobench.task_gen.oracle.steps import Do, FightUntil, Step


class Subtask(NamedTuple):
    """A craft or some fights, with all the steps that lead there."""

    kind: str
    """`craft` or `fight`."""
    code: Code
    quantity: int
    """Pieces to craft, or fights; where drops fall by chance, 1 fight stands for as many as it takes."""
    steps: tuple[Step, ...]


def subtasks_of(world: World, task: Task, steps: Sequence[Step]) -> list[Subtask]:
    """Return steps as subtasks. Steps behind the last craft or fight belong to it."""
    found: list[Subtask] = []
    ahead: list[Step] = []
    for step, place in _with_places(task, steps):
        ahead.append(step)
        if isinstance(step, Do) and step.action == "craft":
            code, quantity = step.args
            found.append(Subtask("craft", str(code), int(quantity or 1) * step.times, tuple(ahead)))
        elif isinstance(step, FightUntil) or (isinstance(step, Do) and step.action == "fight"):
            times = step.times if isinstance(step, Do) else 1
            found.append(Subtask("fight", world.standing("monster")[place], times, tuple(ahead)))
        else:
            continue
        ahead = []
    if ahead and found:
        found[-1] = found[-1]._replace(steps=(*found[-1].steps, *ahead))
    return found


def _with_places(task: Task, steps: Iterable[Step]) -> Iterator[tuple[Step, Place]]:
    """Yield each step with the place where the hero stands by then."""
    place = task.hero.place
    for step in steps:
        if isinstance(step, Do) and step.action == "move":
            x, y = step.args
            place = (int(x or 0), int(y or 0))
        yield step, place
