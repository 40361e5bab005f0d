"""A scene: an instance, a plan for it, and the states on the way. Questions are asked of scenes.

A plan is found by a greedy search, so it is rarely the shortest; that is wanted, because superfluous actions can be
left out. All limits count states, so the same draw gives the same scene on every machine.

A question about a scene, before it is put into words, has a state, named actions, a label and a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.limits import SearchBudget, SearchLimits
from herobench.pddl.search import find_plan
from herobench.pddl.task import Atom, GroundAction, PddlTask

Counts = Mapping[str, int]
"""How many objects of each type an instance has."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A problem before it is text. Facts are texts such as `at c0 l0`."""

    name: str
    objects: Mapping[str, Iterable[str]]
    """The objects by their type."""
    initial: Iterable[str]
    goal: Iterable[str]
    """In an order in which the facts can be reached one after the other, where the domain has such an order."""


def problem_text(domain: str, instance: Instance) -> str:
    """Return an instance as the text of a PDDL problem."""
    objects = " ".join(f"{' '.join(names)} - {kind}" for kind, names in sorted(instance.objects.items()) if names)
    return (
        f"(define (problem {instance.name})\n"
        f"    (:domain {domain})\n"
        f"    (:objects {objects})\n"
        f"    (:init {_write_facts(sorted(instance.initial))})\n"
        f"    (:goal (and {_write_facts(instance.goal)}))\n"
        ")\n"
    )


def _write_facts(facts: Iterable[str]) -> str:
    return " ".join(f"({fact})" for fact in facts)


_WHOLE = SearchLimits(states=200)
"""The limits of a search for all goals at once."""
_ONE_BY_ONE = SearchLimits(states=800)
"""The limits of the search that reaches goals one after the other, all together."""


@dataclass(frozen=True)
class PlannedTask:
    """A task with a plan."""

    grounded: Grounded
    goal: tuple[Atom, ...]
    """The parts of the task's goal that can be reached."""
    goal_mask: int
    plan: tuple[GroundAction, ...]
    states: tuple[int, ...]
    """The states of the plan: one more than it has actions."""

    @property
    def task(self) -> PddlTask:
        """The task."""
        return self.grounded.task


def plan_scene(task: PddlTask, *, is_piecewise: bool) -> PlannedTask | None:
    """Return the scene of a task; None if no plan is found, or the goal holds already.

    Parts of the goal that no action could ever reach are left out. A piecewise plan reaches the parts one by one, in
    their order. It is longer, and is found where a search for all of them gets lost.
    """
    grounded = ground(task)
    parts = [
        atom for atom in task.problem.goal if grounded.mask([atom]) & ~(grounded.reachable | grounded.initial) == 0
    ]
    goal = grounded.mask(parts)
    if not goal & ~grounded.initial:
        return None
    plan = _plan(grounded, grounded.initial, parts, is_piecewise=is_piecewise)
    return scene_along(grounded, parts, plan) if plan else None


def lengthen(scene: PlannedTask, chance: Random, steps: int) -> PlannedTask | None:
    """Return the scene with a plan that begins with random actions; None if there is no way back from them."""
    grounded = scene.grounded
    detour, state = _walk(grounded, chance, steps)
    rest = _plan(grounded, state, scene.goal, is_piecewise=False)
    return None if rest is None else scene_along(grounded, scene.goal, [*detour, *rest])


def walk_scene(task: PddlTask, chance: Random, steps: int) -> PlannedTask:
    """Return a scene whose actions are chosen at random, for questions that need no plan."""
    grounded = ground(task)
    return scene_along(grounded, task.problem.goal, _walk(grounded, chance, steps)[0])


def scene_along(grounded: Grounded, goal: Sequence[Atom], plan: Sequence[GroundAction]) -> PlannedTask:
    """Return the scene of a plan from the start of a task."""
    states = [grounded.initial]
    for action in plan:
        states.append(grounded.progress(states[-1], action))
    return PlannedTask(grounded, tuple(goal), grounded.mask(goal), tuple(plan), tuple(states))


def _walk(grounded: Grounded, chance: Random, steps: int) -> tuple[list[GroundAction], int]:
    """Return random actions, and the state that they lead to."""
    state, actions = grounded.initial, list[GroundAction]()
    for _ in range(steps):
        applicable = grounded.applicable(state)
        if not applicable:
            break
        actions.append(chance.choice(applicable))
        state = grounded.progress(state, actions[-1])
    return actions, state


def _plan(grounded: Grounded, state: int, goal: Sequence[Atom], *, is_piecewise: bool) -> list[GroundAction] | None:
    """Return a plan from a state; None if none is found."""
    ways = (_one_by_one, _at_once) if is_piecewise else (_at_once, _one_by_one)
    return next((plan for way in ways if (plan := way(grounded, state, goal)) is not None), None)


def _at_once(grounded: Grounded, state: int, goal: Sequence[Atom]) -> list[GroundAction] | None:
    return find_plan(grounded.actions, state, grounded.mask(goal), _WHOLE).plan


def _one_by_one(grounded: Grounded, state: int, goal: Sequence[Atom]) -> list[GroundAction] | None:
    plan, mask, budget = list[GroundAction](), 0, SearchBudget(_ONE_BY_ONE)
    for atom in goal:
        mask |= grounded.mask([atom])
        path = find_plan(grounded.actions, state, mask, budget).plan
        if path is None:
            return None
        plan += path
        for action in path:
            state = grounded.progress(state, action)
    return plan


# -- what is asked of a scene -----------------------------------------------------------------------------------------

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
    offered: tuple[Atom, ...] = ()
    """The propositions or actions among which the answer is."""
    goal: tuple[Atom, ...] | None = None
    """The goal, where it is not that of the scene."""


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
        """Return the demands on the n-th draw: the more draws failed, the fewer."""
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
    """Return the task of a scene in a state."""
    task = scene.task
    static = (atom for atom in task.problem.initial if atom.name not in task.fluents)
    initial = (*static, *scene.grounded.atoms_of(state))
    return replace(task, problem=replace(task.problem, initial=tuple(sorted(initial)), goal=scene.goal))


def grounded_at(scene: PlannedTask, state: int) -> Grounded:
    """Return the grounded task of a scene in a state, as a grader will see it."""
    return ground(task_at(scene, state))
