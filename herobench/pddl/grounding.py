"""Grounds a task: finds all actions and atoms that can be reached if actions delete nothing.

The relaxed reachable atoms are found in layers. Each layer joins what the layer before has added with everything that
is true so far, so that an action is found when the last atom of its precondition is. True static atoms take part in
the joins, and have no bit in the states.

Numbers that would take all memory or hours are refused before anything is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from herobench.pddl.domain import Atom, Schema
from herobench.pddl.join import Facts, Join, JoinPlan, TooManyRows
from herobench.pddl.pddl_error import TooLarge
from herobench.pddl.relation import Relation, Row, row_getter
from herobench.pddl.task import Task

Reached = dict[str, dict[Row, None]]
"""The arguments of each action schema for which its precondition was reached."""


MOST_ACTIONS = 20_000
"""The most reachable actions of one schema."""
MOST_ATOMS = 1_000_000
"""The most well-typed atoms of one predicate that actions change."""


def relaxed_reachable(task: Task) -> tuple[Reached, dict[str, Relation]]:
    """Return the arguments of the reachable actions by schema, and the reachable atoms by predicate.

    Raise TooLarge if there are too many.
    """
    for name in sorted(task.fluents):
        if (count := task.count_atoms([name])) > MOST_ATOMS:
            raise TooLarge("predicate", name, count, MOST_ATOMS)
    relations = {name: Relation() for name in task.domain.predicates}
    rows: dict[str, list[Row]] = {name: [] for name in relations}
    for atom in task.problem.initial:
        rows[atom.name].append(atom.args)
    for name, relation in relations.items():
        relation.enter(rows[name])
    facts = Facts(task, relations)
    schemas = [_Grounder(schema, facts) for schema in task.domain.actions.values()]
    added = [(grounder, grounder.start()) for grounder in schemas]
    while any(new for _, new in added):
        effects: dict[str, list[Row]] = {}
        for grounder, new in added:
            for atom, as_row in grounder.add:
                effects.setdefault(atom.name, []).extend(map(as_row, new))
        delta = {name: relations[name].enter(rows) for name, rows in effects.items()}
        added = [(grounder, grounder.go_on(delta)) for grounder in schemas]
    return {grounder.schema.name: grounder.found for grounder in schemas}, relations


def instance_of(schema: Schema) -> Callable[[Atom], Callable[[Row], Row]]:
    """Return what makes, of an atom of a schema, a function from the action's arguments to the atom's."""
    places = {parameter.name: place for place, parameter in enumerate(schema.parameters)}

    def of(atom: Atom) -> Callable[[Row], Row]:
        if all(arg in places for arg in atom.args):
            return row_getter(tuple(places[arg] for arg in atom.args))
        return lambda row: tuple(row[places[arg]] if arg in places else arg for arg in atom.args)

    return of


class _Grounder:
    """Finds the reachable actions of one schema."""

    def __init__(self, schema: Schema, facts: Facts) -> None:
        self.schema = schema
        self.found: dict[Row, None] = {}
        as_instance = instance_of(schema)
        self.add = [(atom, as_instance(atom)) for atom in schema.add]
        self._facts = facts
        fluents = facts.task.fluents
        self._triggers = list(
            dict.fromkeys(part for part in schema.precondition if isinstance(part, Atom) and part.name in fluents)
        )
        self._joins: dict[Atom, Join] = {}

    def start(self) -> list[Row]:
        """Return the arguments of the actions that the initial state allows."""
        return self._enter(JoinPlan(self.schema, self._facts, None).join, [()])

    def go_on(self, delta: dict[str, list[Row]]) -> list[Row]:
        """Return the arguments of the actions that new atoms allow."""
        new: list[Row] = []
        for atom in self._triggers:
            if rows := delta.get(atom.name):
                join = self._joins.get(atom)
                if join is None:
                    join = self._joins[atom] = JoinPlan(self.schema, self._facts, atom).join
                new += self._enter(join, rows)
        return new

    def _enter(self, join: Join, rows: Iterable[Row]) -> list[Row]:
        try:
            new = [row for row in dict.fromkeys(join(rows)) if row not in self.found]
        except TooManyRows:
            raise self._too_large() from None
        self.found.update(dict.fromkeys(new))
        if len(self.found) > MOST_ACTIONS:
            raise self._too_large()
        return new

    def _too_large(self) -> TooLarge:
        objects = self._facts.task.objects
        count = prod(len(objects[parameter.type]) for parameter in self.schema.parameters)
        return TooLarge("action", self.schema.name, count, MOST_ACTIONS)
