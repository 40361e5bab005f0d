"""Asks about a state alone: which actions are applicable, what one changes, and what can never be reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from herobench.pddl.grounded import Grounded
from herobench.pddl.limits import SearchBudget, SearchLimits
from herobench.pddl.pruning import Symmetry
from herobench.pddl.relaxation import LmCut
from herobench.pddl.search import SearchOutcome, a_star
from herobench.pddl.simulation import GroundAction
from herobench.pddl.task import Atom, PddlTask
from herobench.task_gen.acp.scene import (
    ANY,
    LIMITS,
    PlannedTask,
    ProvenQuestion,
    QuestionQuery,
    grounded_at,
    lengthened,
)

_MOST_APPLICABLE = 100
"""The most actions that an answer to app may have, as in the paper."""
_MOST_LISTED = 50
"""The most propositions in a label of reach, as in the published ones."""
_TRIES = 200
"""How many random actions are looked at for one that is not relaxed reachable."""


def ask_app(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the applicable actions."""
    state = chance.choice(scene.states)
    actions = list(map(str, scene.grounded.applicable(state)))
    return ProvenQuestion(state, actions, actions) if 0 < len(actions) <= _MOST_APPLICABLE else None


def ask_prog(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the effects of an applicable action that changes something."""
    state = chance.choice(scene.states)
    actions = [action for action in scene.grounded.applicable(state) if action.add & ~state or action.delete & state]
    if not actions:
        return None
    action = chance.choice(actions)
    changed = {"pos": _texts(scene, action.add & ~state), "neg": _texts(scene, action.delete & state)}
    return ProvenQuestion(state, changed, {**changed, "action": str(action)}, (action,))


def ask_reach(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
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
    return ProvenQuestion(
        state,
        [" ".join((atom.name, *atom.args)) for atom in listed],
        {"never": list(map(str, grounded.atoms_of(found.never)))},
    )


def ask_areach(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
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
    return ProvenQuestion(state, label, {"never": list(map(str, found.never))})


def _example(
    task: PddlTask, relaxed: Sequence[GroundAction], never: Sequence[GroundAction], chance: Random
) -> Atom | None:
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


def _texts(scene: PlannedTask, mask: int) -> list[str]:
    return list(map(str, scene.grounded.atoms_of(mask)))


_FOR_A_TWIN = 4
"""How much more a proof may cost where the distance to the goal is given."""
_HALF = 30
"""As long as the slack is smaller, states are at least half as far from the goal as wanted."""
FARTHEST = 25
"""How far from the goal the states of nexta may be, by the plan."""
_EFFORT, _LEAST = 150_000, 400
"""What the searches for one answer to nexta may cost together: states times actions, and the least number of states."""


def ask_land(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for a proposition that every plan makes true, though it holds neither now nor in the goal."""
    state = chance.choice([state for state in scene.states if scene.goal_mask & ~state])
    grounded = grounded_at(scene, state)
    found = grounded.landmarks(LIMITS)
    if found is None or found.unknown:
        return None
    needed = list(map(str, grounded.atoms_of(found.needed)))
    if not wanted.takes(not needed):
        return None
    return ProvenQuestion(state, {"yes": needed, "no": list(map(str, grounded.atoms_of(found.avoidable)))}, needed)


def ask_nexta(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the first action of a shortest plan, in a state that is not too far from the goal."""
    state = _state_near(scene, chance, wanted)
    if not scene.goal_mask & ~state:
        return None
    grounded = grounded_at(scene, state)
    effort = max(_LEAST, _EFFORT // len(grounded.actions))
    budget = SearchBudget(SearchLimits(effort if wanted.length is None else effort * _FOR_A_TWIN))
    sound = first_actions(grounded, budget, wanted)
    if sound is None:
        return None
    return ProvenQuestion(state, {"yes": sound["yes"], "no": sound["no"], "maybe": [], "opt": str(sound["opt"])}, sound)


def first_actions(grounded: Grounded, budget: SearchBudget, wanted: QuestionQuery = ANY) -> dict[str, Any] | None:
    """Return which actions begin a shortest plan and which do not; None if that is not proven, or not wanted."""
    alike = Symmetry(grounded)
    shortest = _search(grounded, grounded.initial, None, budget, alike).plan
    if shortest is None or not wanted.fits(len(shortest)):
        return None
    sides: dict[bool, list[str]] = {True: [], False: []}
    for action in grounded.applicable(grounded.initial):
        after = grounded.progress(grounded.initial, action)
        is_next = _search(grounded, after, len(shortest) - 1, budget, alike).exists
        if is_next is None:
            return None
        sides[is_next].append(str(action))
    return {"yes": sides[True], "no": sides[False], "opt": len(shortest)}


def _state_near(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> int:
    """Return a state of the plan that is about as far from the goal as wanted, by the lower bound LM-cut."""
    nearest = scene.states[-min(FARTHEST, len(scene.plan)) - 1 : -1]
    if wanted.length is None:
        return chance.choice(nearest)
    # a state that is too far to be proven gives way to nearer ones, as far as the slack allows
    least = (wanted.length + 1) // 2 if wanted.slack < _HALF else 1
    length = max(least, wanted.length - chance.randint(0, wanted.slack // 2))
    estimate = LmCut(scene.grounded.actions, scene.goal_mask)
    return min(reversed(nearest), key=lambda state: abs((estimate(state) or 0) - length))


def _search(grounded: Grounded, state: int, bound: int | None, budget: SearchBudget, alike: Symmetry) -> SearchOutcome:
    estimate = partial(grounded.lm_cut, budget=budget)
    return a_star(grounded.actions, alike(state), grounded.goal, bound, budget, estimate, alike)


_VAL_LENGTHS = range(3, 141)
_JUST_LENGTHS = range(3, 155)
"""The lengths of the published plans, about."""
_MOST_STATES = 400
"""How many states the search for the shortest part of a plan keeps of one position."""
_PLAN_TRIES = 40
"""How many places are tried for superfluous actions."""

Plan = tuple[GroundAction, ...]


def ask_val(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the first action that cannot be carried out: one position of the plan gets such an action."""
    longer = _long_enough(scene, chance, wanted)
    if longer is None:
        return None
    scene, plan = longer, longer.plan
    if len(plan) not in _VAL_LENGTHS or not wanted.fits(len(plan)):
        return None
    position = chance.randrange(len(plan))
    state = scene.states[position]
    wrong = [action for action in scene.grounded.actions if action.pre & ~state]
    if not wrong:
        return None
    actions = (*plan[:position], chance.choice(wrong), *plan[position + 1 :])
    return ProvenQuestion(scene.states[0], position, position, actions)


def ask_just(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for what can be left out of a plan. Where nothing can, something superfluous is put in."""
    longer = _long_enough(scene, chance, wanted)
    if longer is None:
        return None
    scene, plan = longer, longer.plan
    if not any(removable(scene, plan)):
        padded = _padded(scene, chance)
        if padded is None:
            return None
        plan = padded
    if len(plan) not in _JUST_LENGTHS or not wanted.fits(len(plan)):
        return None
    single, pair = removable(scene, plan)
    sound = {"single": single, "pair": pair, "shortest": shortest_part(scene, plan)}
    return ProvenQuestion(scene.states[0], label_of_just(plan, single, pair), sound, plan)


def label_of_just(plan: Plan, single: Sequence[int], pair: Sequence[int]) -> list[list[str]]:
    """Return the answer in the published form: actions with the number of their occurrence, and pairs."""
    label = [[str(plan[place]), str(plan[: place + 1].count(plan[place]))] for place in single]
    return label + [[str(plan[place]), str(plan[place + 1]), "-1"] for place in pair]


def _long_enough(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> PlannedTask | None:
    """Return the scene with a plan that is not much shorter than wanted."""
    missing = (wanted.length or min(_VAL_LENGTHS)) - len(scene.plan)
    return scene if missing <= 0 else lengthened(scene, chance, chance.randint(1, missing))


def removable(scene: PlannedTask, plan: Plan) -> tuple[list[int], list[int]]:
    """Return the positions of the actions that can be left out alone, and of those that can with the next one."""
    single, pair = [], []
    for place, state in enumerate(_states(scene, plan)):
        if place < len(plan) and _reaches(scene, state, plan[place + 1 :]):
            single.append(place)
        if place + 1 < len(plan) and _reaches(scene, state, plan[place + 2 :]):
            pair.append(place)
    return single, pair


def _states(scene: PlannedTask, plan: Plan) -> Iterator[int]:
    state = scene.states[0]
    yield state
    for action in plan:
        state = scene.grounded.progress(state, action)
        yield state


def _reaches(scene: PlannedTask, state: int, actions: Sequence[GroundAction]) -> bool:
    """Return whether actions can be carried out from a state and reach the goal."""
    for _, _, pre, add, delete in actions:
        if pre & ~state:
            return False
        state = state & ~delete | add
    return not scene.goal_mask & ~state


def _padded(scene: PlannedTask, chance: Random) -> Plan | None:
    """Return the plan with one or two superfluous actions more; None if none are found."""
    grounded, plan = scene.grounded, scene.plan
    for _ in range(_PLAN_TRIES):
        place = chance.randrange(len(plan) + 1)
        before, after = plan[:place], plan[place:]
        action = chance.choice(grounded.applicable(scene.states[place]) or plan)
        state = grounded.progress(scene.states[place], action)
        if not grounded.is_applicable(scene.states[place], action):
            continue
        if _reaches(scene, state, after):
            return (*before, action, *after)
        back = [
            other for other in grounded.applicable(state) if _reaches(scene, grounded.progress(state, other), after)
        ]
        if back:
            return (*before, action, chance.choice(back), *after)
    return None


def shortest_part(scene: PlannedTask, plan: Plan) -> int | None:
    """Return the length of the shortest plan among the parts of a plan; None if they lead to too many states."""
    lengths = {scene.states[0]: 0}
    for action in plan:
        for state, length in list(lengths.items()):
            if not action.pre & ~state:
                new = scene.grounded.progress(state, action)
                lengths[new] = min(lengths.get(new, length + 1), length + 1)
        if len(lengths) > _MOST_STATES:
            return None
    # an empty answer is none
    return min((length for state, length in lengths.items() if length and not scene.goal_mask & ~state), default=None)
