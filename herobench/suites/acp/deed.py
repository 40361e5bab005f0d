"""What an action needs and changes in a state, for those who show it: nothing is graded by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from herobench.pddl.domain import Atom, Condition, Unequal
from herobench.pddl.simulation import Action, Simulation
from herobench.suites.acp.situation import Situation, atom_of

Names = tuple[str, ...]
"""A predicate and its objects, or a condition in words."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An action in one state."""

    needs: tuple[Names, ...]
    """Its preconditions that hold, without those that no action changes."""
    missing: tuple[Names, ...]
    """Its preconditions that do not hold; none if it can be carried out."""
    adds: tuple[Names, ...]
    """The propositions that become true."""
    deletes: tuple[Names, ...]
    """The propositions that become false."""


def deed_of(situation: Situation, item: str, before: Iterable[str] = ()) -> Deed:
    """Return what a well-typed action needs and changes after the actions before it, whether or not they fit."""
    simulation = Simulation(situation.task)
    state = simulation.initial
    for action in _ground(simulation, before):
        state = simulation.progress(state, action)
    (action,) = _ground(simulation, [item])
    return Deed(
        needs=_names(simulation.atoms_of(action.pre & state)),
        missing=_names(simulation.false_preconditions(state, action)),
        adds=_names(simulation.atoms_of(action.add & ~state)),
        deletes=_names(simulation.atoms_of(action.delete & state)),
    )


def _ground(simulation: Simulation, actions: Iterable[str]) -> Iterator[Action]:
    for item in actions:
        name, args = atom_of(item)
        if simulation.task.is_action(name, args):
            yield simulation.ground_action(name, args)


def _names(conditions: Iterable[Condition]) -> tuple[Names, ...]:
    return tuple(map(_told, conditions))


def _told(condition: Condition) -> Names:
    if isinstance(condition, Atom):
        return (condition.name, *condition.args)
    return (f"{condition.left} is not {condition.right}" if isinstance(condition, Unequal) else str(condition),)
