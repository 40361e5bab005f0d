"""A grounded task: all its relaxed reachable actions, over numbered atoms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial

from herobench.pddl.domain import Atom, Condition, Schema
from herobench.pddl.grounding import Reached, instance_of, relaxed_reachable
from herobench.pddl.limits import ORDINARY, SearchBudget, SearchLimits
from herobench.pddl.lm_cut import LmCut
from herobench.pddl.reachability import ReachableActions, ReachableAtoms, reachable_actions, reachable_atoms
from herobench.pddl.relation import Row
from herobench.pddl.relaxation import relaxed_closure
from herobench.pddl.search import (
    Landmarks,
    Mutexes,
    SearchOutcome,
    a_star,
    decide_plan,
    enumerate_states,
    find_landmarks,
)
from herobench.pddl.simulation import GroundAction, Simulation
from herobench.pddl.task import PddlTask

Column = tuple[Callable[[Row], Row], dict[Row, int]]
"""A function that turns an action's arguments into those of one of its atoms, and the bit of each such atom."""

_LIGHT = 500
"""Bits of a state that a test looks at in no time."""


class Grounded(Simulation):
    """A task with all actions that are reachable if actions delete nothing, sorted by name and arguments.

    All others are never applicable. `reachable` is the mask of the atoms that are reachable in the same sense.
    """

    def __init__(self, task: PddlTask) -> None:
        super().__init__(task)
        reached, relations = relaxed_reachable(task)
        self._bits: dict[str, dict[Row, int]] = {
            name: {row: 1 << self.number(Atom(name, row)) for row in sorted(relations[name].rows)}
            for name in sorted(task.fluents)
        }
        self.reachable = 0
        for rows in self._bits.values():
            for bit in rows.values():
                self.reachable |= bit
        self.actions = [
            action for name in sorted(reached) for action in self._instances(task.domain.actions[name], reached)
        ]

    @property
    def size(self) -> int:
        """About how many bytes the task takes."""
        return len(self.actions) * (500 + len(self.atoms) // 2)

    def scaled(self, limits: SearchLimits) -> SearchLimits:
        """Return the limits of a search in this task: a test of a state with many bits takes longer."""
        return replace(limits, tests=limits.tests // (1 + len(self.atoms) // _LIGHT))

    def find(self, name: str, args: Sequence[str]) -> GroundAction | None:
        """Return the action of a name and objects; None if no reachable state allows it."""
        return self._by_name.get((name, tuple(args)))

    @cached_property
    def _by_name(self) -> dict[tuple[str, tuple[str, ...]], GroundAction]:
        return {(action.name, action.args): action for action in self.actions}

    def ground_action(self, name: str, args: Sequence[str]) -> GroundAction:
        """Return the ground action of a name and objects, in lower case; ValueError if it is not well typed."""
        return self.find(name, args) or super().ground_action(name, args)

    def applicable(self, state: int) -> list[GroundAction]:
        """Return the actions that can be carried out in a state reachable from the initial one, sorted."""
        absent = ~state
        return [action for action in self.actions if not action[2] & absent]

    @cached_property
    def lm_cut(self) -> LmCut:
        """The heuristic LM-cut for the goal: `lm_cut(state)` is a lower bound, `lm_cut.landmarks(state)` proves it."""
        return LmCut(self.actions, self.goal)

    @cached_property
    def mutexes(self) -> Mutexes:
        """The pairs of atoms that may be true together: `mutexes.allows(mask)` is False if they never are (h2)."""
        return Mutexes(self.actions, self.initial)

    def relaxed_reachable(self, state: int) -> int:
        """Return the atoms that can be reached from a state if actions delete nothing."""
        return relaxed_closure(self.actions, state)

    def enumerate_states(self, limit: int) -> tuple[list[int], bool]:
        """Return up to `limit` reachable states, nearest first, and whether these are all."""
        return enumerate_states(self.actions, self.initial, limit)

    def a_star(
        self, state: int, bound: int | None = None, limits: SearchLimits | SearchBudget = ORDINARY
    ) -> SearchOutcome:
        """Return a shortest plan from a state; with a bound, only if it has at most so many actions."""
        budget = limits if isinstance(limits, SearchBudget) else SearchBudget(self.scaled(limits))
        return a_star(self.actions, state, self.goal, bound, budget, partial(self.lm_cut, budget=budget))

    def plan_exists(self, state: int, goal: int, limits: SearchLimits = ORDINARY) -> bool | None:
        """Return whether the atoms of a mask can be true together after a state; None if the limits are too narrow."""
        return decide_plan(self.actions, state, goal, self.scaled(limits)).exists

    def landmarks(self, limits: SearchLimits = ORDINARY) -> Landmarks | None:
        """Return the atoms that every plan makes true; None if the goal is known to be out of reach."""
        return find_landmarks(self.actions, self.initial, self.goal, self.scaled(limits))

    def reachable_atoms(self, limits: SearchLimits = ORDINARY) -> ReachableAtoms:
        """Return which of the relaxed reachable atoms hold in some reachable state."""
        return reachable_atoms(self.actions, self.initial, self.scaled(limits))

    def reachable_actions(self, limits: SearchLimits = ORDINARY) -> ReachableActions:
        """Return which actions are applicable in some reachable state."""
        return reachable_actions(self.actions, self.initial, self.scaled(limits))

    def _instances(self, schema: Schema, reached: Reached) -> list[GroundAction]:
        as_instance = instance_of(schema)

        def columns(atoms: Sequence[Condition]) -> list[Column]:
            return [
                (as_instance(atom), self._bits[atom.name])
                for atom in atoms
                if isinstance(atom, Atom) and atom.name in self._bits
            ]

        pre, add, delete = columns(schema.precondition), columns(schema.add), columns(schema.delete)
        actions = []
        for args in sorted(reached[schema.name]):
            added = _mask(add, args)
            actions.append(GroundAction(schema.name, args, _mask(pre, args), added, _mask(delete, args) & ~added))
        return actions


def _mask(columns: list[Column], args: Row) -> int:
    """Return the mask of one action's atoms. A deleted atom that is never true has no bit and is left out."""
    mask = 0
    for as_row, bits in columns:
        mask |= bits.get(as_row(args), 0)
    return mask


def ground(task: PddlTask) -> Grounded:
    """Return a task with its relaxed reachable actions."""
    return Grounded(task)
