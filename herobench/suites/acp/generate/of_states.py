"""Asks about a state alone: which actions are applicable, what one changes, and what can never be reached."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from herobench.pddl.domain import Atom
from herobench.pddl.simulation import Action
from herobench.pddl.task import Task
from herobench.suites.acp.generate.asked import LIMITS, Asked, Wanted, grounded_at
from herobench.suites.acp.generate.scene import Scene

_MOST_APPLICABLE = 100
"""The most actions that an answer to app may have, as in the paper."""
_MOST_LISTED = 50
"""The most propositions in a label of reach, as in the published ones."""
_TRIES = 200
"""How many random actions are looked at for one that is not relaxed reachable."""


def ask_app(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
    """Ask for the applicable actions."""
    state = chance.choice(scene.states)
    actions = list(map(str, scene.grounded.applicable(state)))
    return Asked(state, actions, actions) if 0 < len(actions) <= _MOST_APPLICABLE else None


def ask_prog(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
    """Ask for the effects of an applicable action that changes something."""
    state = chance.choice(scene.states)
    actions = [action for action in scene.grounded.applicable(state) if action.add & ~state or action.delete & state]
    if not actions:
        return None
    action = chance.choice(actions)
    changed = {"pos": _texts(scene, action.add & ~state), "neg": _texts(scene, action.delete & state)}
    return Asked(state, changed, {**changed, "action": str(action)}, (action,))


def ask_reach(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
    """Ask for a proposition that can never hold."""
    state = chance.choice(scene.states)
    grounded = grounded_at(scene, state)
    found = grounded.reachable_atoms(LIMITS)
    if found.unknown:
        return None
    reachable = set(grounded.atoms_of(found.reachable))
    never = [atom for atom in grounded.task.atoms(sorted(grounded.task.fluents)) if atom not in reachable]
    if not wanted.takes(not never):
        return None
    listed = sorted(chance.sample(never, min(len(never), _MOST_LISTED)))
    return Asked(
        state,
        [" ".join((atom.name, *atom.args)) for atom in listed],
        {"never": list(map(str, grounded.atoms_of(found.never)))},
    )


def ask_areach(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
    """Ask for an action that can never become applicable."""
    state = chance.choice(scene.states)
    grounded = grounded_at(scene, state)
    found = grounded.reachable_actions(LIMITS)
    if found.unknown:
        return None
    example = _example(grounded.task, grounded.actions, found.never, chance)
    if not wanted.takes(example is None):
        return None
    label = [] if example is None else [str(example)]
    return Asked(state, label, {"never": list(map(str, found.never))})


def _example(task: Task, relaxed: Sequence[Action], never: Sequence[Action], chance: Random) -> Atom | None:
    """Return some action that can never become applicable; None if there is none."""
    everything = task.count_actions()
    if everything == len(relaxed) - len(never):
        return None
    # what the delete relaxation does not refute is harder to see, so it is half of the examples where there is any
    if never and (everything == len(relaxed) or chance.randrange(2)):
        action = chance.choice(never)
        return Atom(action.name, action.args)
    known = {(action.name, action.args) for action in relaxed}
    schemas = [
        schema for schema in task.domain.actions.values() if all(task.objects[p.type] for p in schema.parameters)
    ]
    for _ in range(_TRIES):
        schema = chance.choice(schemas)
        args = tuple(chance.choice(task.objects[parameter.type]) for parameter in schema.parameters)
        if (schema.name, args) not in known:
            return Atom(schema.name, args)
    return next(action for action in task.ground_actions() if (action.name, action.args) not in known)


def _texts(scene: Scene, mask: int) -> list[str]:
    return list(map(str, scene.grounded.atoms_of(mask)))
