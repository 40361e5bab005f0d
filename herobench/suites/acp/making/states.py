"""Asks about states and plans: possible actions and their effects, landmarks, and unreachable facts.

Also how the shortest plan begins, and where a plan fails.

Whoever asks what can never be reached names some propositions or actions, or none of them. The published questions
leave it to the reader what to name, and in most domains something with an object twice, such as a block on itself, is
right without a look at the state. So a generated question offers some items. At most one of them is out of reach. The
others are alike, and can be reached. An object twice, and a fact that never changes and does not hold, make an item
easy to refute: such an item is taken where there is no other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from herobench.pddl.grounded import Grounded
from herobench.pddl.limits import SearchBudget, SearchLimits
from herobench.pddl.pruning import Symmetry
from herobench.pddl.relaxation import LmCut
from herobench.pddl.search import SearchOutcome, a_star
from herobench.pddl.task import Atom, GroundAction, PddlTask, Simulation
from herobench.suites.acp.answers.shortcuts import (
    ITEM_LOOKS,
    OfferGlance,
    PlanGlance,
    looks_at,
    looks_at_item,
    role_counts,
)
from herobench.suites.acp.making.scene import (
    ANY,
    LIMITS,
    PlannedTask,
    ProvenQuestion,
    QuestionQuery,
    grounded_at,
    lengthen,
)

_MOST_APPLICABLE = 100
"""The most actions that an answer to app may have, as in the paper."""


def ask_app(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the applicable actions."""
    state = chance.choice(scene.states)
    actions = list(map(str, scene.grounded.applicable(state)))
    return ProvenQuestion(state, actions, actions) if 0 < len(actions) <= _MOST_APPLICABLE else None


def ask_prog(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the effects of an applicable action that changes something."""
    state = chance.choice(scene.states)
    actions = [action for action in scene.grounded.applicable(state) if action.add & ~state or action.delete & state]
    if not actions:
        return None
    action = chance.choice(actions)
    changes = state_changes(scene.grounded, state, action)
    return ProvenQuestion(state, changes, {**changes, "action": str(action)}, (action,))


def state_changes(grounded: Grounded, state: int, action: GroundAction) -> dict[str, list[str]]:
    """Return what an action makes true in a state, and what it makes false."""
    masks = {"pos": action.add & ~state, "neg": action.delete & state}
    return {name: list(map(str, grounded.atoms_of(mask))) for name, mask in masks.items()}


_FOR_A_TWIN = 4
"""How much more a proof may cost where the distance to the goal is given."""
_HALF = 30
"""As long as the slack is smaller, states are at least half as far from the goal as wanted."""
FARTHEST = 25
"""How far from the goal the states of nexta may be, by the plan."""
_EFFORT, _LEAST = 150_000, 400
"""What the searches for one answer to nexta may cost together: states times actions, and the least number of states."""


def ask_land(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for a proposition that every plan makes true, though it holds neither now nor in the goal."""
    state = chance.choice([state for state in scene.states if scene.goal_mask & ~state])
    grounded = grounded_at(scene, state)
    landmarks = grounded.landmarks(LIMITS)
    if landmarks is None or landmarks.unknown:
        return None
    needed = list(map(str, grounded.atoms_of(landmarks.needed)))
    if not query.takes(not needed):
        return None
    return ProvenQuestion(state, {"yes": needed, "no": list(map(str, grounded.atoms_of(landmarks.avoidable)))}, needed)


def ask_nexta(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the first action of a shortest plan, in a state that is not too far from the goal."""
    state = _state_near(scene, chance, query)
    if not scene.goal_mask & ~state:
        return None
    grounded = grounded_at(scene, state)
    effort = max(_LEAST, _EFFORT // len(grounded.actions))
    budget = SearchBudget(SearchLimits(effort if query.length is None else effort * _FOR_A_TWIN))
    sound = first_actions(grounded, budget, query)
    if sound is None:
        return None
    return ProvenQuestion(state, label_of_nexta(sound), sound)


def label_of_nexta(sound: Mapping[str, Any]) -> dict[str, Any]:
    """Return a proven answer in the published form."""
    return {"yes": sound["yes"], "no": sound["no"], "maybe": [], "opt": str(sound["opt"])}


def first_actions(grounded: Grounded, budget: SearchBudget, query: QuestionQuery = ANY) -> dict[str, Any] | None:
    """Return which actions begin a shortest plan and which do not; None if that is not proven, or not wanted."""
    alike = Symmetry(grounded)
    shortest = _search(grounded, grounded.initial, None, budget, alike).plan
    if shortest is None or not query.fits(len(shortest)):
        return None
    sides: dict[bool, list[str]] = {True: [], False: []}
    for action in grounded.applicable(grounded.initial):
        after = grounded.progress(grounded.initial, action)
        is_next = _search(grounded, after, len(shortest) - 1, budget, alike).exists
        if is_next is None:
            return None
        sides[is_next].append(str(action))
    return {"yes": sides[True], "no": sides[False], "opt": len(shortest)}


def _state_near(scene: PlannedTask, chance: Random, query: QuestionQuery) -> int:
    """Return a state of the plan that is about as far from the goal as wanted, by the lower bound LM-cut."""
    nearest = scene.states[-min(FARTHEST, len(scene.plan)) - 1 : -1]
    if query.length is None:
        return chance.choice(nearest)
    # a state that is too far to be proven gives way to nearer ones, as far as the slack allows
    least = (query.length + 1) // 2 if query.slack < _HALF else 1
    length = max(least, query.length - chance.randint(0, query.slack // 2))
    estimate = LmCut(scene.grounded.actions, scene.goal_mask)
    return min(reversed(nearest), key=lambda state: abs((estimate(state) or 0) - length))


def _search(grounded: Grounded, state: int, bound: int | None, budget: SearchBudget, alike: Symmetry) -> SearchOutcome:
    estimate = partial(grounded.lm_cut, budget=budget)
    return a_star(grounded.actions, alike(state), grounded.goal, bound, budget, estimate, alike)


_VAL_LENGTHS = range(3, 141)
"""The lengths of the published plans, about."""
_LEAST_LENGTH = 10
"""A plan of no wanted length is made longer if it is shorter, for in a short one the fault is guessed."""
_FAULTS, _STEPS = 60, 4
"""The number of plans with a fault that are drawn, and the most looks that the rarity of an action adds to it."""
Fault = tuple[int, list[GroundAction]]
"""The position of the first action that cannot be carried out, and all actions."""


def ask_val(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the first action that cannot be carried out: one that looks about like an action drawn by lot."""
    longer = _long_enough(scene, chance, query)
    if longer is None or len(longer.plan) not in _VAL_LENGTHS or not query.fits(len(longer.plan)):
        return None
    faults = [fault for _ in range(_FAULTS) if (fault := _draw_fault(longer, chance)) is not None]
    if not faults:
        return None
    goal = scene.task.problem.goal
    wanted = _looks_of((chance.randrange(len(longer.plan)), faults[0][1]), goal)
    position, actions = min(faults, key=lambda fault: len(wanted ^ _looks_of(fault, goal)))
    return ProvenQuestion(longer.states[0], position, position, tuple(actions))


def _looks_of(fault: Fault, goal: Iterable[Atom]) -> set[tuple[str, int]]:
    """Return the looks of an action of a plan, and a look for each step up to the rarity of its changes of role."""
    place, plan = fault[0], [_as_atom(action) for action in fault[1]]
    counts = role_counts(plan)
    rank = sum(one < counts[place] for one in counts) / len(plan)
    steps = {"rank": round(rank * _STEPS), "rarest": min([*counts[place], _STEPS])}
    rarity = {(name, step) for name, number in steps.items() for step in range(number)}
    return rarity | {(look, 0) for look in looks_at(PlanGlance(plan, goal), place)}


def _draw_fault(scene: PlannedTask, chance: Random) -> Fault | None:
    """Draw a plan that turns to random actions before its fault, and goes on as if that had been carried out.

    So the fault is one odd action of many. It shares an object with the one before, and lacks one precondition.
    """
    position = chance.randrange(len(scene.plan))
    start = chance.randrange(position + 1)
    state, actions = scene.states[start], list(scene.plan[:start])
    for place in range(start, len(scene.plan)):
        choices = scene.grounded.applicable(state)
        if place == position:
            wrong = [action for action in scene.grounded.actions if action.pre & ~state]
            nearly = [action for action in wrong if (action.pre & ~state).bit_count() == 1] or wrong
            choices = [action for action in nearly if actions and {*actions[-1].args} & {*action.args}] or nearly
        if not choices:
            return None
        actions.append(chance.choice(choices))
        state = scene.grounded.progress(state, actions[-1])
    return position, actions


def _long_enough(scene: PlannedTask, chance: Random, query: QuestionQuery) -> PlannedTask | None:
    """Return the scene with a plan that is not much shorter than wanted."""
    missing = (query.length or _LEAST_LENGTH) - len(scene.plan)
    return scene if missing <= 0 else lengthen(scene, chance, chance.randint(1, missing))


_OFFERED = 8
"""How many items a question offers, where there are as many."""
_LEAST_OFFERED = 2
_ALIKE = 5
"""How many of the other items have the name of the one that is out of reach, where there are as many."""
_NONE = 0.06
"""The part of the questions in which None is right, in domains where something is out of reach."""
_STRICT = 3
"""The number of draws in which None is right only if that is drawn, and what no fact tells of is not the answer."""
_TWICE = 0.7
"""The chance of an item with an object twice to be taken, where nothing else is out of reach."""
_HARDEST = 0.7
"""The chance that an item is taken which is as hard to refute as any. Else one that is easier may be taken."""
_OFFERS = 24
"""The number of further offers that are drawn. A lot says which looks should find the answer. The generator takes the
offer in which these looks find it, and other looks do not."""
_FOUND = 1 / 7
"""The chance of a look to find the answer, about as large as for any other item."""
_OPEN = 0.3
"""The part of the questions in which None is right where each offer shows the answer as that with the fewest links."""
_TRIES = 300
"""How many random actions are looked at for some that are out of reach."""

Easy = Callable[[Atom], int]
"""How easy an item is to refute: 0 for the hardest ones."""


def ask_reach(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for a proposition that can never hold."""
    state = chance.choice(scene.states)
    grounded = grounded_at(scene, state)
    atoms = grounded.reachable_atoms(LIMITS)
    if atoms.unknown:
        return None
    possible, never = frozenset(grounded.atoms_of(atoms.reachable)), grounded.atoms_of(atoms.never)
    out = [atom for atom in grounded.task.atoms(sorted(grounded.task.fluents)) if atom not in possible]
    # what holds now is no choice: offered, it would leave fewer items to choose from
    later = grounded.atoms_of(atoms.reachable & ~grounded.initial)
    facts = grounded.task.problem.initial
    offer = _draw_offer(out, later, lambda atom: int(atom not in never), chance, query, facts)
    if offer is None:
        return None
    answer, offered = offer
    label = [" ".join((atom.name, *atom.args)) for atom in answer]
    goal = scene.task.problem.goal  # whole, for a part that is left out of it would tell what is out of reach
    return ProvenQuestion(state, label, {"never": list(map(str, never))}, offered=offered, goal=goal)


def ask_areach(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for an action that can never become applicable."""
    state = chance.choice(scene.states)
    grounded = grounded_at(scene, state)
    actions = grounded.reachable_actions(LIMITS)
    if actions.unknown:
        return None
    never = frozenset(map(_as_atom, actions.never))
    reachable = [atom for atom in map(_as_atom, grounded.actions) if atom not in never]
    simulation = Simulation(grounded.task)

    def easy(atom: Atom) -> int:
        if atom in never:
            return 0
        return 2 if _breaks_a_constant(simulation, atom) else 1

    possible = frozenset(reachable)
    out = [*never, *(atom for atom in _draw_atoms(grounded.task, chance) if atom not in possible)]
    offer = _draw_offer(out, reachable, easy, chance, query, grounded.task.problem.initial)
    if offer is None:
        return None
    answer, offered = offer
    sound = {"never": list(map(str, actions.never))}
    return ProvenQuestion(state, list(map(str, answer)), sound, offered=offered, goal=scene.task.problem.goal)


def _as_atom(action: GroundAction) -> Atom:
    return Atom(action.name, action.args)


def _draw_atoms(task: PddlTask, chance: Random) -> Iterable[Atom]:
    """Return all actions by their types, or some of many."""
    if task.count_actions() <= _TRIES:
        return task.ground_actions()
    schemas = [
        schema for schema in task.domain.actions.values() if all(task.objects[p.type] for p in schema.parameters)
    ]
    schema_sample = (chance.choice(schemas) for _ in range(_TRIES))
    return [
        Atom(each.name, tuple(chance.choice(task.objects[p.type]) for p in each.parameters)) for each in schema_sample
    ]


def _breaks_a_constant(simulation: Simulation, action: Atom) -> bool:
    """Return whether a precondition of an action is false that no action changes."""
    false = simulation.false_preconditions(simulation.initial, action)
    return any(not isinstance(part, Atom) or part.name not in simulation.task.fluents for part in false)


# -- what is offered --------------------------------------------------------------------------------------------------


Offer = tuple[list[Atom], tuple[Atom, ...]]
"""The item that is out of reach, if any, and all that are offered."""


def _draw_offer(
    out: Iterable[Atom],
    reachable: Sequence[Atom],
    easy: Easy,
    chance: Random,
    query: QuestionQuery,
    facts: Collection[Atom],
) -> Offer | None:
    """Return an offer in which what is out of reach looks no more and no less so than others; None if there is none."""
    every = sorted(set(out))
    answer = [] if chance.random() < _NONE else _draw_atom(every, easy, chance)
    if answer is None and query.slack < _STRICT:
        return None
    offers = [_offer(answer or [], reachable, chance)]
    for _ in range(_OFFERS if answer else 0):
        offers.append(_offer(_draw_atom(every, easy, chance) or [], reachable, chance))
    made = [offer for offer in offers if offer is not None and bool(offer[0]) == bool(answer)]
    wanted = {look for look in ITEM_LOOKS if chance.random() < _FOUND}
    best = min(made, key=lambda offer: _telling(offer, facts, wanted), default=None)
    if best is None or (query.slack < _STRICT and _telling(best, facts, wanted)[0]):
        return None
    is_shown = answer and "unlinked" not in wanted and OfferGlance(best[1], facts).unlinked == best[0][0]
    return _offer([], reachable, chance) if is_shown and chance.random() < _OPEN else best


def _telling(offer: Offer, facts: Collection[Atom], wanted: Collection[str]) -> tuple[bool, int]:
    """Return whether the answer stands out by its name or an untold object, and how many looks are not as wanted."""
    answer, offered = offer
    if not answer:
        return False, 0
    glance = OfferGlance(offered, facts)
    stands_out = glance.untold == answer[0] or glance.names[answer[0].name] == 1
    return stands_out, len(looks_at_item(glance, answer[0]).symmetric_difference(wanted))


def _offer(answer: list[Atom], reachable: Sequence[Atom], chance: Random) -> Offer | None:
    """Return items that are offered with the one that is out of reach; None if there are too few."""
    like = answer[0] if answer else chance.choice(reachable or [None])
    if like is None:
        return None
    offered = [like, *_alike(like, [atom for atom in reachable if atom != like], chance)]
    return None if len(offered) < _LEAST_OFFERED else (answer, tuple(chance.sample(offered, len(offered))))


def _draw_atom(out: Sequence[Atom], easy: Easy, chance: Random) -> list[Atom] | None:
    """Draw an item that is out of reach, rather one that is hard to refute; None if there is none."""
    plain = [atom for atom in out if len(set(atom.args)) == len(atom.args)]
    if not out:
        return None
    if not plain:
        return chance.sample(out, 1) if chance.random() < _TWICE else []
    groups: dict[tuple[int, str], list[Atom]] = {}
    for atom in plain:
        groups.setdefault((easy(atom), atom.name), []).append(atom)
    hardest = min(level for level, _ in groups)
    level = hardest if chance.random() < _HARDEST else chance.choice(sorted({level for level, _ in groups}))
    name = chance.choice(sorted(name for each, name in groups if each == level))
    return [chance.choice(groups[level, name])]


def _alike(like: Atom, others: Sequence[Atom], chance: Random) -> list[Atom]:
    """Return other items: most of the same name, and of those the ones that have objects of it."""
    pool = chance.sample(others, len(others))
    like_it = sorted(
        (atom for atom in pool if atom.name == like.name), key=lambda atom: -len(set(atom.args) & set(like.args))
    )
    same = like_it[: _ALIKE * 2]
    same_sample = chance.sample(same, min(len(same), _ALIKE))
    rest = [atom for atom in pool if atom.name != like.name] + [atom for atom in like_it if atom not in same_sample]
    return [*same_sample, *rest[: _OFFERED - 1 - len(same_sample)]]
