"""The state, the goal and the actions that a question is about, from its PDDL.

Read once for each pair of texts, and then kept: several questions ask about one state, and a run grades each question
several times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import RLock

from herobench.data.errors import InputError, Problem
from herobench.data.kept import keep_last
from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.parser import read_task
from herobench.pddl.syntax import PddlError, TooLarge
from herobench.pddl.task import Atom, Condition, GroundAction, Simulation, Unequal
from herobench.suites.acp.questions.questions import Question

_KEPT, _BYTES = 64, 400_000_000
"""The number of situations that are kept, and what they may take together. A large published one takes some 5 MB."""
_PER_CHARACTER = 100
"""About how many bytes a character of PDDL takes once it is read."""


def parse_atom(item: str) -> Atom:
    """Return an action or proposition as `(name object ...)` in lower case, with or without its parentheses."""
    name, *args = item.lower().strip("()").split() or [""]
    return Atom(name, tuple(args))


def read_situation(question: Question) -> Situation:
    """Return the situation of a question. Raise InputError if its PDDL cannot be read."""
    try:
        return situation_at(question.pddl_domain, question.pddl_problem)
    except PddlError as error:
        raise InputError([Problem(question.key, "", f"PDDL that can be read ({error})")]) from error


def _size(situation: Situation) -> int:
    return situation.size


@keep_last(_KEPT, _BYTES, _size)
def situation_at(domain: str, problem: str) -> Situation:
    """Return the situation of two texts. Raises PddlError."""
    return Situation(domain, problem)


class Situation:
    """What can be said about a question without a search."""

    def __init__(self, domain: str, problem: str) -> None:
        self.task = read_task(domain, problem)
        self.alone = RLock()
        """Held by what grounds or searches the task: threads share a situation, and the estimates of its searches."""
        self._text = len(domain) + len(problem)
        self._grounded: Grounded | None = None
        self._refused = ""

    @property
    def size(self) -> int:
        """About how many bytes the situation takes."""
        return self._text * _PER_CHARACTER + (self._grounded.size if self._grounded else 0)

    @property
    def grounded(self) -> Grounded:
        """The task with all actions that could ever be carried out. Raises InputError if they are too many."""
        with self.alone:
            if self._grounded is None and not self._refused:
                try:
                    self._grounded = ground(self.task)
                except TooLarge as error:
                    self._refused = str(error)
        if self._grounded is None:
            place = f"the PDDL problem {self.task.problem.name} of a question"
            raise InputError([Problem(place, "", self._refused)])
        return self._grounded

    def is_atom(self, item: str) -> bool:
        """Return whether a proposition is well typed."""
        return self.task.is_atom(*parse_atom(item))

    def is_action(self, item: str) -> bool:
        """Return whether an action is well typed."""
        return self.task.is_action(*parse_atom(item))

    def is_fluent(self, item: str) -> bool:
        """Return whether some action changes the predicate of a proposition."""
        return parse_atom(item).name in self.task.fluents

    def holds(self, item: str) -> bool:
        """Return whether a proposition holds in the current state."""
        return parse_atom(item) in self.task.problem.initial

    def applicable(self) -> frozenset[str]:
        """Return the actions that can be carried out in the current state."""
        return frozenset(map(str, self.grounded.applicable(self.grounded.initial)))

    def is_plan(self, actions: Iterable[str]) -> bool:
        """Return whether a sequence of actions can be carried out and reaches the goal."""
        return self.first_fault(actions) is None

    def first_fault(self, actions: Iterable[str]) -> int | None:
        """Return the position of the first action that cannot be carried out, or the number of actions if all can but
        do not reach the goal; None for a plan."""
        simulation = Simulation(self.task)  # not kept: it numbers new atoms, and threads share situations
        state = simulation.initial
        position = -1
        for position, item in enumerate(actions):
            action = simulation.ground_action(*parse_atom(item)) if self.is_action(item) else None
            if action is None or not simulation.is_applicable(state, action):
                return position
            state = simulation.progress(state, action)
        return None if simulation.is_goal(state) else position + 1

    def deed(self, item: str, before: Iterable[str] = ()) -> Deed:
        """Return what a well-typed action needs and changes after the actions before it, whether or not they fit."""
        simulation = Simulation(self.task)
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


def _ground(simulation: Simulation, actions: Iterable[str]) -> Iterator[GroundAction]:
    for item in actions:
        name, args = parse_atom(item)
        if simulation.task.is_action(name, args):
            yield simulation.ground_action(name, args)


def _names(conditions: Iterable[Condition]) -> tuple[Names, ...]:
    return tuple(map(_condition_names, conditions))


def _condition_names(condition: Condition) -> Names:
    if isinstance(condition, Atom):
        return (condition.name, *condition.args)
    return (f"{condition.left} is not {condition.right}" if isinstance(condition, Unequal) else str(condition),)
