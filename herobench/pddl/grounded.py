"""A grounded task: its atoms have numbers, and it has all actions that can be reached if actions delete nothing.

The relaxed reachable atoms are found in layers. Each layer joins what the layer before has added with everything that
is true so far, so that an action is found when the last atom of its precondition is. True static atoms take part in
the joins, and have no bit in the states.

Numbers that would take all memory or hours are refused before anything is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import prod

from herobench.pddl.limits import ORDINARY, SearchBudget, SearchLimits
from herobench.pddl.reachability import Decided, reachable_actions, reachable_atoms
from herobench.pddl.relation import (
    MOST_WORK,
    WIDTH,
    GroundingWork,
    Join,
    JoinPlan,
    ReachedAtoms,
    Relation,
    Row,
    TooMuchWork,
    row_getter,
)
from herobench.pddl.relaxation import LmCut
from herobench.pddl.search import Landmarks, SearchOutcome, a_star, find_landmarks
from herobench.pddl.syntax import TooLarge
from herobench.pddl.task import Atom, Condition, GroundAction, PddlTask, Schema, Simulation

Reached = dict[str, dict[Row, None]]
"""The arguments of each action schema for which its precondition was reached."""


MOST_ACTIONS = 20_000
"""The most reachable actions of one schema."""
MOST_TOGETHER = 40_000
"""The most reachable actions of all schemas."""
MOST_REACHED = 20_000
"""The most atoms that actions change and that can be reached. A state has a bit for each, and so has each action."""
MOST_ATOMS = 1_000_000
"""The most well-typed atoms that actions change."""
_LOOKED_AT = "rows and conditions that a grounding looks at"


def relaxed_reachable(task: PddlTask) -> tuple[Reached, dict[str, Relation]]:
    """Return the arguments of the reachable actions by schema, and the reachable atoms by predicate.

    Raise TooLarge if there are too many.
    """
    _check_counts(task)
    try:
        return _Grounding(task).reached()
    except TooMuchWork:
        raise TooLarge(MOST_WORK, _LOOKED_AT) from None


def _check_counts(task: PddlTask) -> None:
    """Refuse a task whose types allow too many atoms."""
    for name in sorted(task.fluents):
        if (count := task.count_atoms([name])) > MOST_ATOMS:
            raise TooLarge(MOST_ATOMS, f"groundings of the predicate {name}", count)
    if (count := task.count_atoms(task.fluents)) > MOST_ATOMS:
        raise TooLarge(MOST_ATOMS, "groundings of all predicates that actions change", count)


class _Grounding:
    """Finds the reachable actions and atoms of a task."""

    def __init__(self, task: PddlTask) -> None:
        work = GroundingWork()
        self._relations = {name: Relation(work) for name in task.domain.predicates}
        rows: dict[str, list[Row]] = {name: [] for name in self._relations}
        for atom in task.problem.initial:
            rows[atom.name].append(atom.args)
        for name, relation in self._relations.items():
            relation.enter(rows[name])
        self._atoms = sum(len(self._relations[name].rows) for name in task.fluents)
        """The atoms that actions change and that were reached."""
        facts = ReachedAtoms(task, self._relations, work)
        self._schemas = [_Grounder(schema, facts) for schema in task.domain.actions.values()]
        self._users: dict[str, list[int]] = {}
        """The numbers of the schemas that need an atom of a predicate that actions change."""
        for number, grounder in enumerate(self._schemas):
            for name in dict.fromkeys(atom.name for atom in grounder.triggers):
                self._users.setdefault(name, []).append(number)

    def reached(self) -> tuple[Reached, dict[str, Relation]]:
        """Return what is reached."""
        joins = [(grounder, grounder.start()) for grounder in self._schemas]
        while joins:
            effects: dict[str, list[Row]] = {}
            for grounder, new in joins:
                for atom, as_row in grounder.add:
                    effects.setdefault(atom.name, []).extend(map(as_row, new))
            delta = {name: self._relations[name].enter(rows) for name, rows in effects.items()}
            self._atoms += sum(map(len, delta.values()))
            if self._atoms > MOST_REACHED:
                raise TooLarge(MOST_REACHED, "propositions that actions change and that can be reached")
            numbers = sorted({number for name, rows in delta.items() if rows for number in self._users.get(name, ())})
            joins = [(self._schemas[number], self._schemas[number].go_on(delta)) for number in numbers]
        return {grounder.schema.name: grounder.found for grounder in self._schemas}, self._relations


def atom_instantiator(schema: Schema) -> Callable[[Atom], Callable[[Row], Row]]:
    """Return what makes, of an atom of a schema, a function from the action's arguments to the atom's."""
    places = {parameter.name: place for place, parameter in enumerate(schema.parameters)}

    def of(atom: Atom) -> Callable[[Row], Row]:
        if all(arg in places for arg in atom.args):
            return row_getter(tuple(places[arg] for arg in atom.args))
        return lambda row: tuple(row[places[arg]] if arg in places else arg for arg in atom.args)

    return of


class _Grounder:
    """Finds the reachable actions of one schema."""

    def __init__(self, schema: Schema, facts: ReachedAtoms) -> None:
        self.schema = schema
        self.found: dict[Row, None] = {}
        as_instance = atom_instantiator(schema)
        self.add = [(atom, as_instance(atom)) for atom in schema.add]
        self._facts = facts
        atoms = (*(part for part in schema.precondition if isinstance(part, Atom)), *schema.add, *schema.delete)
        self._weight = 1 + sum(1 + len(atom.args) // WIDTH for atom in atoms)
        """The cost of one action of the schema, with its atoms."""
        self.triggers = list(
            dict.fromkeys(
                part for part in schema.precondition if isinstance(part, Atom) and part.name in facts.task.fluents
            )
        )
        self._joins: dict[Atom | None, Join] = {}

    def start(self) -> list[Row]:
        """Return the arguments of the actions that the initial state allows."""
        return self._join(None, [()])

    def go_on(self, delta: dict[str, list[Row]]) -> list[Row]:
        """Return the arguments of the actions that new atoms allow."""
        return [row for atom in self.triggers if delta.get(atom.name) for row in self._join(atom, delta[atom.name])]

    def _join(self, trigger: Atom | None, rows: Sequence[Row]) -> list[Row]:
        """Return the arguments of the new actions that rows of an atom allow. Raise TooLarge if they are too many."""
        facts = self._facts
        try:
            join = self._joins.get(trigger)
            if join is None:
                join = self._joins[trigger] = JoinPlan(self.schema, facts, trigger).join
            new = [row for row in dict.fromkeys(join(rows, facts.work)) if row not in self.found]
            facts.work.take(len(new) * self._weight)
        except TooMuchWork:
            raise self._too_large() from None
        self.found.update(dict.fromkeys(new))
        facts.actions += len(new)
        if len(self.found) > MOST_ACTIONS:
            raise self._too_large()
        if facts.actions > MOST_TOGETHER:
            raise TooLarge(MOST_TOGETHER, "groundings of all actions together")
        return new

    def _too_large(self) -> TooLarge:
        objects = self._facts.task.objects
        groundings = prod(objects.count(parameter.type) for parameter in self.schema.parameters)
        if groundings > MOST_ACTIONS:
            return TooLarge(MOST_ACTIONS, f"groundings of the action {self.schema.name}", groundings)
        return TooLarge(MOST_WORK, f"{_LOOKED_AT}, as far as the action {self.schema.name}")


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
        rows_of, relations = relaxed_reachable(task)
        self._bits: dict[str, dict[Row, int]] = {
            name: {row: 1 << self.number(Atom(name, row)) for row in sorted(relations[name].rows)}
            for name in sorted(task.fluents)
        }
        self.reachable = 0
        for rows in self._bits.values():
            for bit in rows.values():
                self.reachable |= bit
        self.actions = [
            action for name in sorted(rows_of) for action in self._instances(task.domain.actions[name], rows_of)
        ]

    @property
    def size(self) -> int:
        """About how many bytes the task takes."""
        return len(self.actions) * (500 + len(self.atoms) // 2)

    def scale_limits(self, limits: SearchLimits) -> SearchLimits:
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

    def a_star(
        self, state: int, bound: int | None = None, limits: SearchLimits | SearchBudget = ORDINARY
    ) -> SearchOutcome:
        """Return a shortest plan from a state; with a bound, only if it has no more actions."""
        budget = limits if isinstance(limits, SearchBudget) else SearchBudget(self.scale_limits(limits))
        return a_star(self.actions, state, self.goal, bound, budget, partial(self.lm_cut, budget=budget))

    def landmarks(self, limits: SearchLimits = ORDINARY) -> Landmarks | None:
        """Return the atoms that every plan makes true; None if the goal is known to be out of reach."""
        return find_landmarks(self.actions, self.initial, self.goal, self.scale_limits(limits))

    def reachable_atoms(self, limits: SearchLimits = ORDINARY) -> Decided[int]:
        """Return which of the relaxed reachable atoms hold in some reachable state."""
        return reachable_atoms(self.actions, self.initial, self.scale_limits(limits))

    def reachable_actions(self, limits: SearchLimits = ORDINARY) -> Decided[list[GroundAction]]:
        """Return which actions are applicable in some reachable state."""
        return reachable_actions(self.actions, self.initial, self.scale_limits(limits))

    def _instances(self, schema: Schema, reached: Reached) -> list[GroundAction]:
        as_instance = atom_instantiator(schema)

        def columns(atoms: Sequence[Condition]) -> list[Column]:
            return [
                (as_instance(atom), self._bits[atom.name])
                for atom in atoms
                if isinstance(atom, Atom) and atom.name in self._bits
            ]

        pre, add, delete = columns(schema.precondition), columns(schema.add), columns(schema.delete)
        actions = []
        for args in sorted(reached[schema.name]):
            add_mask = _mask(add, args)
            actions.append(GroundAction(schema.name, args, _mask(pre, args), add_mask, _mask(delete, args) & ~add_mask))
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
