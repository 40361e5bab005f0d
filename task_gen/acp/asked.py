"""What is asked of a scene, before it is told in words: a state, the actions that are named, label and proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.limits import SearchLimits
from herobench.pddl.simulation import GroundAction
from herobench.pddl.task import PddlTask
from herobench.task_gen.acp.scene import Counts, PlannedTask

LIMITS = SearchLimits(states=3_000)
"""What one proof may look at. A question that takes more is dropped, and another one is drawn."""


_STRICT = 40
"""The number of draws in which the right answer has to be None if that is wanted."""


@dataclass(frozen=True, slots=True)
class ProvenQuestion:
    """A question about a state of a scene, with its proven answer."""

    state: int
    label: Any
    """The answer in the published form."""
    sound: Any
    """The proven answer in the form in which a question carries it."""
    actions: tuple[GroundAction, ...] = ()
    """The actions that the question names."""


@dataclass(frozen=True, slots=True)
class QuestionQuery:
    """What a question should be like. A private twin is made with the facts of its original."""

    counts: Counts | None = None
    """How many objects of each type its instance has; None for any size."""
    length: int | None = None
    """The length of the plan, or for nexta the distance to the goal; None for any."""
    slack: int = 0
    """How far the length may be off."""
    is_none: bool | None = None
    """Whether the right answer is None; None if that does not matter."""

    def for_draw(self, draw: int) -> QuestionQuery:
        """Return what is wanted of the n-th draw: the more draws were in vain, the less."""
        return replace(self, slack=draw, is_none=self.is_none if draw < _STRICT else None)

    def fits(self, length: int) -> bool:
        """Return whether a length is near enough."""
        return self.length is None or abs(self.length - length) <= self.slack

    def takes(self, is_none: bool) -> bool:
        """Return whether a right answer is wanted that is None, or that is not."""
        return self.is_none in (None, is_none)


ANY = QuestionQuery()
"""Any question."""
Ask = Callable[[PlannedTask, Random, QuestionQuery], ProvenQuestion | None]
"""Asks a question of a scene; None if it cannot, or the answer is not proven, or not the wanted one."""


def task_at(scene: PlannedTask, state: int) -> PddlTask:
    """Return the task of a scene as it stands in a state."""
    task = scene.task
    static = (atom for atom in task.problem.initial if atom.name not in task.fluents)
    initial = (*static, *scene.grounded.atoms_of(state))
    return replace(task, problem=replace(task.problem, initial=tuple(sorted(initial)), goal=scene.goal))


def grounded_at(scene: PlannedTask, state: int) -> Grounded:
    """Return the grounded task of a scene as it stands in a state: the one that a grader will see."""
    return ground(task_at(scene, state))
