"""Asks what can never be reached: one of some propositions or actions that the question offers, or none of them.

The published questions leave it to the reader what to name, and in most domains something with an object twice, such as
a block on itself, is right without a look at the state. So a generated question offers some items. At most one of them
is out of reach. The others are alike, and can be reached. An object twice, and a fact that never changes and does not
hold, make an item easy to refute: such an item is taken where there is no other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random

from herobench.pddl.simulation import GroundAction, Simulation
from herobench.pddl.task import Atom, PddlTask
from herobench.task_gen.acp.scene import LIMITS, PlannedTask, ProvenQuestion, QuestionQuery, grounded_at

_OFFERED = 8
"""How many items a question offers, where there are as many."""
_LEAST = 2
_ALIKE = 5
"""How many of the other items have the name of the one that is out of reach, where there are as many."""
_NONE = 0.06
"""The part of the questions in which None is right, in domains where something is out of reach."""
_STRICT = 3
"""The number of draws in which None is right only if that is drawn."""
_TWICE = 0.5
"""The chance of an item with an object twice to be taken, where nothing else is out of reach."""
_HARDEST = 0.7
"""The chance that an item is taken which is as hard to refute as any. Else one that is easier may be taken."""
_TRIES = 300
"""How many random actions are looked at for some that are out of reach."""

Easy = Callable[[Atom], int]
"""How easy an item is to refute: 0 for the hardest ones."""


def ask_reach(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for a proposition that can never hold."""
    state = chance.choice(scene.states)
    grounded = grounded_at(scene, state)
    found = grounded.reachable_atoms(LIMITS)
    if found.unknown:
        return None
    reachable, never = grounded.atoms_of(found.reachable), grounded.atoms_of(found.never)
    known = frozenset(reachable)
    out = [atom for atom in grounded.task.atoms(sorted(grounded.task.fluents)) if atom not in known]
    now = grounded.atoms_of(grounded.initial)
    asked = _offered(out, reachable, lambda atom: int(atom not in never), chance, wanted, frozenset(now))
    if asked is None:
        return None
    answer, offered = asked
    label = [" ".join((atom.name, *atom.args)) for atom in answer]
    goal = scene.task.problem.goal  # whole, for a part that is left out of it would tell what is out of reach
    return ProvenQuestion(state, label, {"never": list(map(str, never))}, offered=offered, goal=goal)


def ask_areach(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for an action that can never become applicable."""
    state = chance.choice(scene.states)
    grounded = grounded_at(scene, state)
    found = grounded.reachable_actions(LIMITS)
    if found.unknown:
        return None
    never = frozenset(map(_named, found.never))
    reachable = [atom for atom in map(_named, grounded.actions) if atom not in never]
    simulation = Simulation(grounded.task)

    def easy(atom: Atom) -> int:
        return 0 if atom in never else 2 if _breaks_a_constant(simulation, atom) else 1

    known = frozenset(reachable)
    out = [*never, *(atom for atom in _drawn(grounded.task, chance) if atom not in known)]
    asked = _offered(out, reachable, easy, chance, wanted)
    if asked is None:
        return None
    answer, offered = asked
    sound = {"never": list(map(str, found.never))}
    return ProvenQuestion(state, list(map(str, answer)), sound, offered=offered, goal=scene.task.problem.goal)


def _named(action: GroundAction) -> Atom:
    return Atom(action.name, action.args)


def _drawn(task: PddlTask, chance: Random) -> Iterable[Atom]:
    """Return all actions by their types, or some of many."""
    if task.count_actions() <= _TRIES:
        return task.ground_actions()
    schemas = [
        schema for schema in task.domain.actions.values() if all(task.objects[p.type] for p in schema.parameters)
    ]
    drawn = (chance.choice(schemas) for _ in range(_TRIES))
    return [Atom(each.name, tuple(chance.choice(task.objects[p.type]) for p in each.parameters)) for each in drawn]


def _breaks_a_constant(simulation: Simulation, action: Atom) -> bool:
    """Return whether a precondition of an action is false that no action changes."""
    false = simulation.false_preconditions(simulation.initial, action)
    return any(not isinstance(part, Atom) or part.name not in simulation.task.fluents for part in false)


# -- what is offered --------------------------------------------------------------------------------------------------


def _offered(
    out: Iterable[Atom],
    reachable: Sequence[Atom],
    easy: Easy,
    chance: Random,
    wanted: QuestionQuery,
    now: Collection[Atom] = frozenset(),
) -> tuple[list[Atom], tuple[Atom, ...]] | None:
    """Return the item that is out of reach, if any, and all that are offered; None if this draw should have one."""
    answer = [] if chance.random() < _NONE else _one_of(sorted(set(out)), easy, chance)
    if answer is None and wanted.slack < _STRICT:
        return None
    like = answer[0] if answer else chance.choice(reachable or [None])
    if like is None:
        return None
    # what holds now is offered only where its predicate is that of the answer, so that this one does not stand out
    others = [atom for atom in reachable if atom != like and (atom.name == like.name or atom not in now)]
    offered = [*(answer or []), *_alike(like, others, chance)]
    offered += [like] if not answer else []
    return None if len(offered) < _LEAST else (answer or [], tuple(chance.sample(offered, len(offered))))


def _one_of(out: Sequence[Atom], easy: Easy, chance: Random) -> list[Atom] | None:
    """Draw an item that is out of reach, rather one that is hard to refute; None if there is none."""
    plain = [atom for atom in out if len(set(atom.args)) == len(atom.args)]
    if not plain:
        return None if not out else chance.sample(out, 1) if chance.random() < _TWICE else []
    groups: dict[tuple[int, str], list[Atom]] = {}
    for atom in plain:
        groups.setdefault((easy(atom), atom.name), []).append(atom)
    hardest = min(level for level, _ in groups)
    level = hardest if chance.random() < _HARDEST else chance.choice(sorted({level for level, _ in groups}))
    name = chance.choice(sorted(name for each, name in groups if each == level))
    return [chance.choice(groups[level, name])]


def _alike(like: Atom, others: Sequence[Atom], chance: Random) -> list[Atom]:
    """Return other items: most of the same name, and of those the ones that have objects of it."""
    mixed = chance.sample(others, len(others))
    ranked = sorted(
        (atom for atom in mixed if atom.name == like.name), key=lambda atom: -len(set(atom.args) & set(like.args))
    )
    same = ranked[: _ALIKE * 2]
    chosen = chance.sample(same, min(len(same), _ALIKE))
    rest = [atom for atom in mixed if atom.name != like.name] + [atom for atom in ranked if atom not in chosen]
    return [*chosen, *rest[: _OFFERED - 1 - len(chosen)]]
