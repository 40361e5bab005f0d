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


def _shares_none(plan: Sequence[Atom], place: int, others: Iterable[int]) -> bool:
    """Return whether an action has no object of any of some other actions."""
    names = {name for other in others if 0 <= other < len(plan) for name in plan[other].args}
    return bool(names) and names.isdisjoint(plan[place].args)


def _shared(plan: Sequence[Atom], place: int) -> int:
    """Return how many objects an action shares with its neighbors."""
    beside = [plan[other] for other in (place - 1, place + 1) if 0 <= other < len(plan)]
    return sum(len(set(plan[place].args) & set(other.args)) for other in beside)


def _least(places: Iterable[int], number: Callable[[int], float]) -> list[Drop]:
    """Return the places with the least number."""
    numbers = {place: number(place) for place in places}
    return [(place,) for place, value in numbers.items() if value == min(numbers.values())]


def _mean(numbers: Iterable[int]) -> float:
    values = list(numbers)
    return sum(values) / max(1, len(values))


def _rarest(plan: Sequence[Atom], place: int) -> bool:
    counts = Counter(action.name for action in plan)
    return counts[plan[place].name] == min(counts.values())


def _in_its_role(plan: Sequence[Atom], place: int) -> bool:
    """Return whether the last action with one of an action's objects has its name and names the object in its place."""
    own = plan[place]
    before = [next((each for each in reversed(plan[:place]) if name in each.args), None) for name in own.args]
    return any(last and last.name == own.name and last.args[at] == own.args[at] for at, last in enumerate(before))


def role_counts(plan: Sequence[Atom]) -> list[list[int]]:
    """Return for each action how often a plan has the changes of role that lead to it, the rarest change first.

    An object changes its role from one action that names it to the next, as from (load, 0) to (unload, 0).
    """
    last: dict[str, tuple[str, int]] = {}
    changes = []
    for action in plan:
        roles = {name: (action.name, at) for at, name in enumerate(action.args)}
        changes.append([(last.get(name), role) for name, role in roles.items()])
        last |= roles
    counts = Counter(change for each in changes for change in each)
    return [sorted(counts[change] for change in each) for each in changes]


FAULT_LOOKS: Mapping[str, Look] = {
    **{name: LOOKS[name] for name in ("repeat", "again", "twice", "aimless", "astray", "lone")},
    "apart": Look(
        "an action that shares no object with the one before",
        lambda seen: seen.singles(lambda place, _: _shares_none(seen.plan, place, [place - 1])),
    ),
    "apart-next": Look(
        "an action that shares no object with the one after it",
        lambda seen: seen.singles(lambda place, _: _shares_none(seen.plan, place, [place + 1])),
    ),
    "alone": Look(
        "an action that shares no object with either neighbor",
        lambda seen: seen.singles(lambda place, _: _shares_none(seen.plan, place, [place - 1, place + 1])),
    ),
    "fresh": Look(
        "an action with an object that none before it names",
        lambda seen: seen.singles(
            lambda place, one: place > 0 and not {*one.args} <= {name for a in seen.plan[:place] for name in a.args}
        ),
    ),
    "unlike": Look(
        "an action that shares no object with the three before",
        lambda seen: seen.singles(lambda place, _: _shares_none(seen.plan, place, range(place - 3, place))),
    ),
    "unchanged": Look(
        "an action with an object that the last action with it names in the same role",
        lambda seen: seen.singles(lambda place, _: _in_its_role(seen.plan, place)),
    ),
    "doubled": Look(
        "an action of the name of the one before",
        lambda seen: seen.singles(lambda place, one: place > 0 and seen.plan[place - 1].name == one.name),
    ),
    "loose": Look(
        "an action that shares the fewest objects with its neighbors",
        lambda seen: _least(range(len(seen.plan)), lambda place: _shared(seen.plan, place)),
    ),
    "unused": Look(
        "an action whose objects the plan names least often, in the mean",
        lambda seen: _least(
            range(len(seen.plan)), lambda place: _mean(seen.uses[name] for name in seen.plan[place].args)
        ),
    ),
    "rare": Look(
        "an action of the rarest name",
        lambda seen: seen.singles(lambda place, _: _rarest(seen.plan, place)),
    ),
}
"""The reasons to take an action for one that cannot be carried out. A player takes the first that one finds, or the
last."""


def looks_at(glance: PlanGlance, place: int) -> set[str]:
    """Return the looks by which an action of a plan is taken for the fault."""
    return {name for name, look in FAULT_LOOKS.items() if (place,) in look.parts(glance)}


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
    return str(OfferGlance(list(_items(question)), read_situation(question).task.problem.initial).untold or NONE)


def _last(question: Question) -> str:
    *_, item = _items(question)
    return str(item)


def as_list(items: Iterable[str]) -> str:
    """Return items as a list."""
    return f"[{', '.join(items)}]"


@dataclass(frozen=True)
class OfferGlance:
    """Items and the facts of a state, as far as they can be seen without computing what can be reached."""

    items: Sequence[Atom]
    facts: Iterable[Atom]

    @cached_property
    def mentions(self) -> Counter[str]:
        """Counts the facts that name each object."""
        return Counter(name for fact in self.facts for name in set(fact.args))

    @cached_property
    def names(self) -> Counter[str]:
        """How many items have each name."""
        return Counter(item.name for item in self.items)

    @cached_property
    def usual(self) -> Sequence[Atom]:
        """The items of the commonest name."""
        return [item for item in self.items if self.names[item.name] == max(self.names.values())]

    @property
    def untold(self) -> Atom | None:
        """The first item with an object that no fact names."""
        return next((item for item in self.items if not self.mentions.keys() >= set(item.args)), None)

    @property
    def unlinked(self) -> Atom:
        """The first item of the commonest name with the fewest facts about two of its objects."""
        return min(self.usual, key=self.links)

    def overlap(self, item: Atom) -> int:
        """Return how many objects an item shares with the others."""
        return sum(len(set(item.args) & set(other.args)) for other in self.items if other != item)

    def links(self, item: Atom) -> int:
        """Return how many facts name two of an item's objects."""
        return sum(len(set(item.args) & set(fact.args)) > 1 for fact in self.facts)


ITEM_LOOKS: Mapping[str, Callable[[OfferGlance], Atom]] = {
    "unmentioned": lambda seen: min(seen.usual, key=lambda item: _mean(seen.mentions[name] for name in item.args)),
    "mentioned": lambda seen: max(seen.usual, key=lambda item: _mean(seen.mentions[name] for name in item.args)),
    "hidden": lambda seen: min(
        seen.items, key=lambda item: min((seen.mentions[name] for name in item.args), default=0)
    ),
    "sole": lambda seen: min(seen.items, key=lambda item: seen.names[item.name]),
    "unlinked": lambda seen: seen.unlinked,
    "linked": lambda seen: max(seen.usual, key=seen.links),
    "joined": lambda seen: max(seen.items, key=seen.overlap),
    "stray": lambda seen: min(seen.usual, key=seen.overlap),
}
"""The reasons to take an offered item for one that can never be reached. Each names the first one of the extreme."""


def looks_at_item(glance: OfferGlance, item: Atom) -> set[str]:
    """Return the looks by which an item is taken for one that is out of reach."""
    return {name for name, look in ITEM_LOOKS.items() if look(glance) == item}


def _by_look(look: Callable[[OfferGlance], Atom]) -> Callable[[Question], str]:
    """Return the rule that names an item by a look; None where nothing is offered."""

    def rule(question: Question) -> str:
        offered = [parse_atom(item) for item in offered_in(question.question)]
        return str(look(OfferGlance(offered, read_situation(question).task.problem.initial))) if offered else NONE

    return rule


_NEVER: Mapping[str, Callable[[Question], str]] = {
    "none": lambda question: NONE,
    "twice": lambda question: _first_item(question, lambda atom: len(set(atom.args)) < len(atom.args)),
    "shown": _as_shown,
    "untold": _untold,
    "first": lambda question: _first_item(question, lambda atom: True),
    "last": _last,
    **{name: _by_look(look) for name, look in ITEM_LOOKS.items()},
}
"""The rules that name something that can never be reached, by their names."""


def _fault(part: int, look: str) -> Callable[[Question], str]:
    """Return the rule that takes the first or the last action that looks wrong for the fault; or else the first one."""

    def rule(question: Question) -> str:
        plan = [parse_atom(action) for action in plan_in(question.question)]
        glance = PlanGlance(plan, read_situation(question).task.problem.goal)
        return str(next(at(FAULT_LOOKS[look].parts(glance), (part,)), (0,))[0])

    return rule


_FAULT: Mapping[str, Callable[[Question], str]] = {
    look if part == 0 else f"{look}-last": _fault(part, look) for look in FAULT_LOOKS for part in (0, -1)
}
"""The rules that take an action for the fault of a plan, by their names."""
_PARTS = {"any": ("first", "last"), "two": ("first-two", "last-two")}
_LEFT_OUT: Mapping[str, Callable[[Question], str]] = {
    name: _without(part, look)
    for look in LOOKS
    for part, name in zip((0, -1), _PARTS.get(look, (look, f"{look}-last")), strict=True)
}
"""The rules that leave a part out of a plan, by their names."""
RULES = tuple(dict.fromkeys(("pair", *_LEFT_OUT, *_NEVER, *_FAULT)))
"""The names of all rules, the usual one first."""


def thumb_answer(rule: str, question: Question) -> str | None:
    """Return the answer of a rule; None if it says nothing of the question's task."""
    rules = {"just": _LEFT_OUT, "reach": _NEVER, "areach": _NEVER, "val": _FAULT}.get(question.task, {})
    return rules[rule](question) if rule in rules else None
