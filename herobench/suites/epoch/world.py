"""The world of a level: what actions do and need, and what follows from them. It has no clock and no memory.

A state is an int with one bit for each fact that can change. The games of a level share one world.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.errors import InputError, Problem
from herobench.kept import keep_last
from herobench.pddl import Action, Atom, TooLarge, ground
from herobench.pddl.simulation import bits
from herobench.suites.epoch.causal_rules import Follows, Propagation, atom_of
from herobench.suites.epoch.content import causal_rules

if TYPE_CHECKING:
    from herobench.suites.epoch.level import Level

_KEPT, _BYTES = 64, 400_000_000
"""The number of worlds that are kept, and what they may take together."""


class Change(NamedTuple):
    """What a valid action did."""

    state: int
    """The facts afterwards, with all that follows."""
    added: int
    deleted: int
    """What the action itself changed: only facts that were false or true before."""
    follows: list[Follows]


def _size(world: EpochWorld) -> int:
    return world.grounded.size


@keep_last(_KEPT, _BYTES, _size)
def world_of(level: Level) -> EpochWorld:
    """Return the world of a level. Raise InputError if too much can be done in it."""
    return EpochWorld(level)


class EpochWorld:
    """The world of one level."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.task = level.task
        try:
            self.grounded = ground(self.task)
        except TooLarge as error:
            raise InputError([Problem(f"the level {level.id}", "$.problem", str(error))]) from None
        self.rules = Propagation(causal_rules(), self.grounded)
        self.initial = self.rules.closed(self.grounded.initial)
        actions = self.task.domain.actions
        self._keys = {tool: [parameter.name[1:] for parameter in actions[tool].parameters] for tool in level.tools}
        self._hints = {name: self._hint(name) for name in self.task.domain.predicates}
        self.static = [atom for atom in self.task.problem.initial if atom.name not in self.task.fluents]
        self.milestones = {text: self.mask(text) for text in level.milestones}
        self.until = self.mask(level.unstable.until) if level.unstable and level.unstable.until else 0

    def mask(self, fact: str) -> int:
        """Return the bit of a fact that can change."""
        return 1 << self.grounded.number(atom_of(fact))

    @cached_property
    def unstable(self) -> int:
        """The bits of the facts that fade."""
        fading = self.level.unstable and self.level.unstable.predicate
        return sum(1 << bit for bit, atom in enumerate(self.grounded.atoms) if atom.name == fading)

    @cached_property
    def tool_actions(self) -> list[Action]:
        """The actions that the tools of the level can carry out."""
        return [action for action in self.grounded.actions if action.name in self.level.tools]

    def keys(self, tool: str) -> list[str]:
        """Return the names of a tool's arguments."""
        return self._keys[tool]

    def action_of(self, tool: str, arguments: Mapping[str, Any]) -> Atom | None:
        """Return the action that a call names; None if its arguments are not those of the tool."""
        keys = self._keys[tool]
        if arguments.keys() != set(keys):
            return None
        args = tuple(arguments[key] for key in keys)
        if not all(isinstance(arg, str) for arg in args) or not self.task.is_action(tool, args):
            return None
        return Atom(tool, args)

    def carried_out(self, state: int, action: Atom) -> Change | None:
        """Return what an action does in a state; None if it is refused."""
        found = self.grounded.find(*action)
        if found is None or found.pre & ~state:
            return None
        added, deleted = found.add & ~state, found.delete & state
        after, follows = self.rules.follow(state & ~deleted | added, added)
        return Change(after, added, deleted, follows)

    def unmet(self, state: int, action: Atom) -> list[Atom]:
        """Return the facts that an action needs and that are false, in the order of the PDDL."""
        return [fact for fact in self.grounded.false_preconditions(state, action) if isinstance(fact, Atom)]

    def hint(self, fact: Atom) -> dict[str, list[str]]:
        """Return the tools and the rules that can make facts of the same predicate true."""
        return {kind: list(names) for kind, names in self._hints[fact.name].items()}

    def facts(self, mask: int) -> list[str]:
        """Return the facts of a state or mask as texts, sorted."""
        return sorted(str(self.grounded.atoms[bit]) for bit in bits(mask))

    def everything(self, state: int) -> list[str]:
        """Return all facts as texts, also those that never change, sorted."""
        return sorted([*self.facts(state), *map(str, self.static)])

    def _hint(self, predicate: str) -> dict[str, list[str]]:
        actions = self.task.domain.actions
        return {
            "actions": [tool for tool in self.level.tools if _adds(actions[tool].add, predicate)],
            "rules": [rule.name for rule in causal_rules() if _adds(rule.then, predicate)],
        }


def _adds(effects: tuple[Atom, ...], predicate: str) -> bool:
    return any(atom.name == predicate for atom in effects)
