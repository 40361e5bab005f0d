"""Small planning tasks for tests: texts by hand, and random ones with a reader of their own to compare with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from random import Random

from hypothesis import strategies as st

from herobench.pddl import Grounded, SearchLimits, ground, read_task
from herobench.pddl.limits import ORDINARY
from herobench.pddl.search import decide_plan

FERRY = """
(define (domain ferry) ; one boat
  (:requirements :strips :typing :action-costs)
  (:types car port - thing vehicle - object thing boat - object)
  (:constants hull - boat)
  (:predicates (at ?c - car ?p - port) (docked ?p - port) (empty) (on ?c - car) (sea ?from ?to - port)
               (wide ?p - port) (deep ?p - port))
  (:functions (total-cost))
  (:action SAIL
    :parameters (?from ?to - port)
    :precondition (and (sea ?from ?to) (docked ?from) (not (= ?from ?to)))
    :effect (and (docked ?to) (not (docked ?from)) (increase (total-cost) 1)))
  (:action board
    :parameters (?c - car ?p - port)
    :precondition (and (at ?c ?p) (docked ?p) (empty))
    :effect (and (on ?c) (not (at ?c ?p)) (not (empty))))
  (:action land
    :parameters (?c - car ?p - port)
    :precondition (and (on ?c) (docked ?p) (or (wide ?p) (deep ?p)))
    :effect (and (at ?c ?p) (empty) (not (on ?c)))))
"""

CROSSING = """
(define (problem crossing) (:domain ferry)
  (:objects red Blue - car west east reef - port)
  (:init (at red west) (at blue west) (docked east) (empty) (wide west) (deep east) (= (total-cost) 0)
         (sea west east) (sea east west) (sea west west) (sea east reef))
  (:goal (and (at red east) (at blue west)))
  (:metric minimize (total-cost)))
"""


def crossing() -> Grounded:
    return ground(read_task(FERRY, CROSSING))


Fact = tuple[str, ...]
"""A predicate and its arguments; in a schema the arguments may be variables."""
State = frozenset[Fact]

KINDS = {"thing": "object", "box": "thing", "spot": "object"}
OBJECTS = {"a": "box", "b": "thing", "s": "spot", "t": "spot", "w": "spot"}
PREDICATES: dict[str, tuple[str, ...]] = {
    "p": ("thing", "spot"),
    "q": ("box",),
    "r": (),
    "link": ("spot", "spot"),
    "good": ("object",),
    "u": ("object", "object"),
}
STATIC = ("link", "good")


def plan_exists(grounded: Grounded, state: int, goal: int, limits: SearchLimits = ORDINARY) -> bool | None:
    """Return whether all atoms of a mask can become true together, from a state; None if a limit ends the search."""
    return decide_plan(grounded.actions, state, goal, grounded.scale_limits(limits)).exists


def is_a(kind: str, wanted: str) -> bool:
    return kind == wanted or (kind in KINDS and is_a(KINDS[kind], wanted))


@dataclass(frozen=True)
class RandomAction:
    """A random schema. Conditions are facts, or facts named `=`, `!=` or `or`; the last has pairs of static facts."""

    name: str
    parameters: dict[str, str]
    conditions: tuple[Fact, ...]
    choices: tuple[tuple[Fact, ...], ...]
    add: tuple[Fact, ...]
    delete: tuple[Fact, ...]


@dataclass(frozen=True)
class RandomTask:
    """A random task, as texts for the package and as plain sets for the tests' own planner."""

    actions: tuple[RandomAction, ...]
    initial: State
    goal: State

    @cached_property
    def grounded(self) -> Grounded:
        return ground(read_task(self.domain_text, self.problem_text))

    @property
    def domain_text(self) -> str:
        kinds = " ".join(f"{kind} - {parent}" for kind, parent in KINDS.items())
        predicates = " ".join(
            f"({name} {' '.join(f'?x{place} - {kind}' for place, kind in enumerate(types))})"
            for name, types in PREDICATES.items()
        )
        actions = "\n".join(map(_action_text, self.actions))
        return f"(define (domain d) (:types {kinds}) (:constants s - spot) (:predicates {predicates}) {actions})"

    @property
    def problem_text(self) -> str:
        objects = " ".join(f"{name} - {kind}" for name, kind in OBJECTS.items() if name != "s")
        initial, goal = (" ".join(map(_text, sorted(facts))) for facts in (self.initial, self.goal))
        return f"(define (problem e) (:domain d) (:objects {objects}) (:init {initial}) (:goal (and {goal})))"

    def instances(self) -> Iterator[tuple[RandomAction, dict[str, str]]]:
        for action in self.actions:
            domains = [[o for o, k in OBJECTS.items() if is_a(k, kind)] for kind in action.parameters.values()]
            for args in product(*domains):
                yield action, dict(zip(action.parameters, args, strict=True))

    def successors(self, state: State) -> Iterator[tuple[str, State]]:
        """The applicable actions of a state, as texts, each with the state after it."""
        for action, binding in self.instances():
            if all(_true(_bind(fact, binding), state) for fact in action.conditions) and all(
                any(_bind(fact, binding) in state for fact in choice) for choice in action.choices
            ):
                delete = {_bind(fact, binding) for fact in action.delete}
                add = {_bind(fact, binding) for fact in action.add}
                yield _text((action.name, *binding.values())), (state - delete) | add

    def distances(
        self, start: State, allowed: Callable[[State, State], bool] = lambda before, after: True
    ) -> dict[State, int]:
        """How far each reachable state is, by breadth-first search; steps that are not allowed are left out."""
        found = {start: 0}
        queue = [start]
        for state in queue:
            for _, new in self.successors(state):
                if new not in found and allowed(state, new):
                    found[new] = found[state] + 1
                    queue.append(new)
        return found

    def texts(self, state: State) -> list[str]:
        """The atoms of a state that actions may change, as the package names them."""
        return sorted(_text(fact) for fact in state if fact[0] in self.grounded.task.fluents)


def _bind(fact: Fact, binding: dict[str, str]) -> Fact:
    return (fact[0], *(binding.get(arg, arg) for arg in fact[1:]))


def _true(fact: Fact, state: State) -> bool:
    if fact[0] in ("=", "!="):
        return (fact[1] == fact[2]) == (fact[0] == "=")
    return fact in state


def _text(fact: Fact) -> str:
    return f"(not (= {fact[1]} {fact[2]}))" if fact[0] == "!=" else f"({' '.join(fact)})"


def _action_text(action: RandomAction) -> str:
    parameters = " ".join(f"{name} - {kind}" for name, kind in action.parameters.items())
    choices = " ".join(f"(or {' '.join(map(_text, choice))})" for choice in action.choices)
    pre = " ".join(map(_text, action.conditions))
    effects = " ".join((*map(_text, action.add), *(f"(not {_text(fact)})" for fact in action.delete)))
    return (
        f"(:action {action.name} :parameters ({parameters}) :precondition (and {pre} {choices}) "
        f":effect (and {effects}))"
    )


def random_tasks() -> st.SearchStrategy[RandomTask]:
    """Tasks of which most can be solved, and many in several steps only."""
    return st.integers(0, 2**32).map(random_task)


WALK = RandomAction(
    "walk",
    {"?x": "thing", "?y": "spot", "?z": "spot"},
    (("p", "?x", "?y"), ("link", "?y", "?z")),
    (),
    (("p", "?x", "?z"),),
    (("p", "?x", "?y"),),
)
"""What makes many tasks long."""


def random_task(seed: int) -> RandomTask:
    """The task of a seed."""
    chance = Random(seed)
    actions = tuple(_random_action(chance, name) for name in ("one", "two", "three"))
    if chance.random() < 0.6:
        actions += (WALK,)
    everything = [
        (name, *args)
        for name, kinds in PREDICATES.items()
        for args in product(*([o for o, own in OBJECTS.items() if is_a(own, kind)] for kind in kinds))
    ]
    initial = frozenset(fact for fact in everything if chance.random() < (0.5 if fact[0] in STATIC else 0.25))
    task = RandomTask(actions, initial, frozenset())
    state, met = initial, dict[Fact, None]()
    for _ in range(12):
        following = sorted(task.successors(state), key=lambda pair: pair[0])
        if following:
            _, state = chance.choice(following)
            met |= dict.fromkeys(sorted(state - initial - met.keys()))
    goal = [*met][-1:] or chance.sample(everything, 1)
    new = sorted(state - initial)
    goal += chance.sample(new, min(len(new), 2))
    if chance.random() < 0.2:
        goal.append(chance.choice(everything))
    return RandomTask(actions, initial, frozenset(goal))


def _random_action(chance: Random, name: str) -> RandomAction:
    kinds = chance.choices(["box", "thing", "spot", "object"], [2, 2, 4, 1], k=chance.randint(1, 3))
    parameters = {f"?v{place}": kind for place, kind in enumerate(kinds)}
    terms = parameters if chance.random() < 0.7 else {**parameters, "s": "spot"}
    changing = [name for name in PREDICATES if name not in STATIC]

    def some(names: Iterable[str], least: int, most: int) -> tuple[Fact, ...]:
        drawn = [_random_fact(chance, chance.choice(list(names)), terms) for _ in range(chance.randint(least, most))]
        return tuple(dict.fromkeys(fact for fact in drawn if fact))

    conditions = some(PREDICATES, 1, 2)
    if chance.random() < 0.4:
        pair = [chance.choice(sorted(terms)) for _ in range(2)]
        conditions = (*conditions, (chance.choice(["!=", "!=", "!=", "="]), *pair))
    choices = tuple(choice for choice in [some(STATIC, 0, 2)] if choice and chance.random() < 0.5)
    used = [fact for fact in conditions if fact[0] in changing]
    delete = (*chance.sample(used, min(len(used), chance.randint(0, 2))), *some(changing, 0, 1))
    return RandomAction(name, parameters, conditions, choices, some(changing, 1, 2), delete)


def _random_fact(chance: Random, name: str, terms: dict[str, str]) -> Fact | None:
    """A well-typed fact over terms with types; None if no term fits."""
    fitting = [[term for term, own in terms.items() if is_a(own, kind)] for kind in PREDICATES[name]]
    return (name, *map(chance.choice, fitting)) if all(fitting) else None
