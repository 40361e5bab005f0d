"""Rules of thumb: they read the form of a question and of its plan, and compute no state.

The players `shortcut:NAME` go by them. What a rule says nothing of, they answer as `format-only` does. The generator
takes care that the rules that leave something out of a plan are seldom right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from herobench.pddl.task import Atom
from herobench.suites.acp.questions.lenient import NONE
from herobench.suites.acp.questions.questions import Question, offered_in, plan_in, shots
from herobench.suites.acp.questions.situation import parse_atom, read_situation

Drop = tuple[int, ...]
"""The positions of the actions that are left out."""


@dataclass(frozen=True)
class PlanGlance:
    """A plan and a goal, as far as they can be seen without computing a state."""

    plan: Sequence[Atom]
    goal: Iterable[Atom]

    @cached_property
    def goal_objects(self) -> frozenset[str]:
        """The objects of the goal."""
        return frozenset(name for atom in self.goal for name in atom.args)

    @cached_property
    def uses(self) -> Counter[str]:
        """In how many actions each object occurs."""
        return Counter(name for action in self.plan for name in set(action.args))

    def pairs(self, looks: Callable[[Atom, Atom], bool]) -> list[Drop]:
        """Return the pairs of neighbors that look a way."""
        plan = self.plan
        return [(place, place + 1) for place in range(len(plan) - 1) if looks(plan[place], plan[place + 1])]

    def singles(self, looks: Callable[[int, Atom], bool]) -> list[Drop]:
        """Return the actions that look a way."""
        return [(place,) for place, action in enumerate(self.plan) if looks(place, action)]


def at(parts: Sequence[Drop], places: Iterable[int]) -> Iterator[Drop]:
    """Yield the parts at some positions, as far as there are such."""
    return (parts[place] for place in places if -len(parts) <= place < len(parts))


def _is_same(one: Atom, other: Atom) -> bool:
    return bool(one.args) and sorted(one.args) == sorted(other.args)


def _is_inside(one: Atom, other: Atom) -> bool:
    return bool(one.args and other.args) and (set(one.args) <= set(other.args) or set(other.args) <= set(one.args))


class Look(NamedTuple):
    """A reason to leave out a part of a plan: a few words, and what finds such parts."""

    words: str
    parts: Callable[[PlanGlance], Sequence[Drop]]


LOOKS: Mapping[str, Look] = {
    "pair": Look("two neighbors that name the same objects", lambda seen: seen.pairs(_is_same)),
    "return": Look(
        "two such neighbors of the same name, as there and back",
        lambda seen: seen.pairs(lambda one, other: _is_same(one, other) and one.name == other.name),
    ),
    "opposite": Look(
        "two such neighbors of different names, as load and unload",
        lambda seen: seen.pairs(lambda one, other: _is_same(one, other) and one.name != other.name),
    ),
    "inside": Look("two neighbors, the objects of one among those of the other", lambda seen: seen.pairs(_is_inside)),
    "repeat": Look("an action that was done before", lambda seen: seen.singles(lambda at, one: one in seen.plan[:at])),
    "again": Look(
        "an action that is done again later", lambda seen: seen.singles(lambda at, one: one in seen.plan[at + 1 :])
    ),
    "twice": Look(
        "an action that names an object twice",
        lambda seen: seen.singles(lambda _, one: len(set(one.args)) < len(one.args)),
    ),
    "aimless": Look(
        "an action with no object of the goal",
        lambda seen: seen.singles(lambda _, one: not seen.goal_objects & set(one.args)),
    ),
    "astray": Look(
        "an action with an object that is not in the goal",
        lambda seen: seen.singles(lambda _, one: bool(set(one.args) - seen.goal_objects)),
    ),
    "lone": Look(
        "an action with an object that no other names",
        lambda seen: seen.singles(lambda _, one: any(seen.uses[name] == 1 for name in one.args)),
    ),
    "any": Look("an action", lambda seen: seen.singles(lambda _, one: True)),
    "two": Look("two neighbors", lambda seen: seen.pairs(lambda one, other: True)),
}
"""The reasons by their names. A player leaves out the first part that one finds, or the last."""


# -- rules ------------------------------------------------------------------------------------------------------------


def _without(part: int, look: str) -> Callable[[Question], str]:
    """Return the rule that leaves out the first or the last part that looks superfluous; or else the last action."""

    def rule(question: Question) -> str:
        plan = plan_in(question.question)
        glance = PlanGlance([parse_atom(action) for action in plan], read_situation(question).task.problem.goal)
        drop = next(at(LOOKS[look].parts(glance), (part,)), (len(plan) - 1,))
        return as_list(action for place, action in enumerate(plan) if place not in drop)

    return rule


def _first_item(question: Question, is_it: Callable[[Atom], bool]) -> str:
    """Return the first item that looks some way, of those that are offered or of all; or else None."""
    return next((str(atom) for atom in _items(question) if is_it(atom)), NONE)


def _items(question: Question) -> Iterator[Atom]:
    offered = offered_in(question.question)
    if offered:
        return map(parse_atom, offered)
    task = read_situation(question).task
    return iter(task.atoms(sorted(task.fluents))) if question.task == "reach" else iter(task.ground_actions())


def _as_shown(question: Question) -> str:
    """Return the first item that has the name of an example's answer."""
    names = {parse_atom(shot["answer"]).name for shot in shots()[question.task]["shots"]}
    return _first_item(question, lambda atom: atom.name in names)


def _untold(question: Question) -> str:
    """Return the first item with an object that no fact of the state names."""
    names = {name for atom in read_situation(question).task.problem.initial for name in atom.args}
    return _first_item(question, lambda atom: not names.issuperset(atom.args))


def _last(question: Question) -> str:
    *_, item = _items(question)
    return str(item)


def as_list(items: Iterable[str]) -> str:
    """Return items as a list."""
    return f"[{', '.join(items)}]"


_NEVER: Mapping[str, Callable[[Question], str]] = {
    "none": lambda question: NONE,
    "twice": lambda question: _first_item(question, lambda atom: len(set(atom.args)) < len(atom.args)),
    "shown": _as_shown,
    "untold": _untold,
    "first": lambda question: _first_item(question, lambda atom: True),
    "last": _last,
}
"""The rules that name something that can never be reached, by their names."""
_PARTS = {"any": ("first", "last"), "two": ("first-two", "last-two")}
_LEFT_OUT: Mapping[str, Callable[[Question], str]] = {
    name: _without(part, look)
    for look in LOOKS
    for part, name in zip((0, -1), _PARTS.get(look, (look, f"{look}-last")), strict=True)
}
"""The rules that leave a part out of a plan, by their names."""
RULES = tuple(dict.fromkeys(("pair", *_LEFT_OUT, *_NEVER)))
"""The names of all rules, the usual one first."""


def thumb_answer(rule: str, question: Question) -> str | None:
    """Return the answer of a rule; None if it says nothing of the question's task."""
    rules = {"just": _LEFT_OUT, "reach": _NEVER, "areach": _NEVER}.get(question.task, {})
    return rules[rule](question) if rule in rules else None
