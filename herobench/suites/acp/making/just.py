"""Asks what can be left out of a plan, so that no rule of thumb tells it.

A plan is made as short as leaving out single actions and pairs of neighbors makes it. Then one superfluous part is put
in. Many parts betray themselves: a pair that names the same objects, a repeated action, the last action. So parts are
put in at many places, and a plan is taken in which none of the `LOOKS` of a rule of thumb finds what can be left out.
What looks superfluous in it is needed. In some domains, such as `swap`, hardly anything superfluous can be hidden.
There other plans are taken after some draws.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from random import Random

from herobench.pddl.task import Atom, GroundAction
from herobench.suites.acp.answers.shortcuts import LOOKS, PlanGlance, at
from herobench.suites.acp.making.scene import (
    PlannedTask,
    ProvenQuestion,
    QuestionQuery,
    scene_along,
)

_LENGTHS = range(3, 155)
"""The lengths of the published plans, about."""
_MOST_STATES = 400
"""How many states the search for the shortest part of a plan keeps of one position."""
_PLACES = 30
"""How many places of a plan are tried for a superfluous part."""
_ACTIONS = 8
"""How many actions are tried at one place."""
_LONGEST_TAIL = 4
"""The most random actions behind the plan, where no length is wanted."""
_KEPT = 0.7
"""The chance of a part of the goal to stay in it."""
_REACHED = 0.5
"""The chance of what a random action reaches to become a part of the goal, where no length is wanted."""
_LAST_TRIMMED = 3
"""How many of the longer plans are looked at: the last ones, of which little can be left out."""
_BACK = 0.2
"""The chance of an action with the one that takes it back to be tried, where nothing else makes up for it."""
_ENDS = (0, 1, -2, -1)
"""The first two and the last two parts that look superfluous. Each question draws three of them that are not
superfluous. Where few parts look so, each is the superfluous one as often as another."""
_OUTER = (0, -1)
"""The positions that are no answer where every action, or every pair, looks superfluous."""
_STRICT = 8
"""The number of draws in which the superfluous part has to be hidden."""

Plan = tuple[GroundAction, ...]


def ask_just(scene: PlannedTask, chance: Random, query: QuestionQuery) -> ProvenQuestion | None:
    """Ask for what can be left out of a plan with one superfluous part."""
    base, longer = _extend(scene, chance, query)
    plan = _pad(base, longer, chance, query)
    if plan is None or len(plan) not in _LENGTHS:
        return None
    if not _reaches(base, base.states[0], plan):
        return None  # the last actions have undone what is left of the goal
    single, pair = removable(base, plan)
    sound = {"single": single, "pair": pair, "shortest": shortest_part(base, plan)}
    return ProvenQuestion(base.states[0], label_of_just(plan, single, pair), sound, plan, goal=base.goal)


def label_of_just(plan: Plan, single: Sequence[int], pair: Sequence[int]) -> list[list[str]]:
    """Return the answer in the published form: actions with the number of their occurrence, and pairs."""
    label = [[str(plan[place]), str(plan[: place + 1].count(plan[place]))] for place in single]
    return label + [[str(plan[place]), str(plan[place + 1]), "-1"] for place in pair]


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


# -- a plan of which nothing can be left out --------------------------------------------------------------------------


def _extend(scene: PlannedTask, chance: Random, query: QuestionQuery) -> tuple[PlannedTask, list[Plan]]:
    """Return a scene with a plan of which nothing can be left out, and the longer plans that it was made of.

    Behind the plan stand random actions. The goal loses some of its parts, and gains some that these actions reach.
    """
    steps = chance.randint(0, _LONGEST_TAIL) if query.length is None else max(0, query.length - len(scene.plan) + 1)
    tail = list(_tail(scene, chance, steps))
    grown = scene_along(scene.grounded, scene.goal, (*scene.plan, *tail))
    share = _REACHED if query.length is None else _KEPT
    final, start = grown.states[-1], grown.states[0]
    reached = [action.add & final & ~start for action in tail]
    new = [mask for mask in reached[:-1] if chance.random() < share] + reached[-1:]
    goals = [atom for atom in scene.goal if chance.random() < _KEPT and scene.grounded.mask([atom]) & ~final == 0]
    more_goals = (chance.choice(scene.grounded.atoms_of(mask)) for mask in new if mask)
    goal = tuple(dict.fromkeys((*goals, *more_goals))) or tuple(chance.sample(scene.goal, 1))
    grown = scene_along(grown.grounded, goal, grown.plan)
    plans = list(_trim(grown))
    return scene_along(grown.grounded, goal, plans[-1]), plans[:-1]


def _tail(scene: PlannedTask, chance: Random, steps: int) -> Iterator[GroundAction]:
    """Yield random actions from the end of the plan that lead to no state twice."""
    state, visited = scene.states[-1], set(scene.states)
    for _ in range(steps):
        able = [
            action
            for action in scene.grounded.applicable(state)
            if scene.grounded.progress(state, action) not in visited
        ]
        if not able:
            return
        action = chance.choice(able)
        state = scene.grounded.progress(state, action)
        visited.add(state)
        yield action


def _trim(scene: PlannedTask) -> Iterator[Plan]:
    """Yield the plan of a scene, and what is left while single actions and pairs can be left out of it."""
    plan = scene.plan
    while True:
        yield plan
        single, pair = removable(scene, plan)
        if single:
            plan = (*plan[: single[-1]], *plan[single[-1] + 1 :])
        elif pair:
            plan = (*plan[: pair[-1]], *plan[pair[-1] + 2 :])
        else:
            return


# -- a superfluous part -----------------------------------------------------------------------------------------------


def _pad(scene: PlannedTask, longer: Sequence[Plan], chance: Random, query: QuestionQuery) -> Plan | None:
    """Return a plan with one superfluous part more; None if no such part is found, or none that is hidden."""
    plans = [plan for plan in (*longer[-_LAST_TRIMMED:], *_with_more(scene, chance)) if query.fits(len(plan))]
    ends = chance.sample(_ENDS, len(_ENDS) - 1)
    hidden = [plan for plan in plans if not shortened_by(scene, plan, ends)]
    if hidden:
        return _draw_plan(hidden, lambda plan: _names(scene, plan), chance)
    if query.slack < _STRICT or not plans:
        return None
    # a pair with the same objects is the most that is found where nothing can be hidden
    return _draw_plan(plans, lambda plan: ("pair" in shortened_by(scene, plan, _OUTER),), chance)


def _draw_plan(plans: Sequence[Plan], kind: Callable[[Plan], tuple[object, ...]], chance: Random) -> Plan:
    """Draw a kind of plans, each as likely, and then a plan of this kind."""
    groups: dict[tuple[object, ...], list[Plan]] = defaultdict(list)
    for plan in plans:
        groups[kind(plan)].append(plan)
    return chance.choice(groups[chance.choice(sorted(groups, key=repr))])


def _names(scene: PlannedTask, plan: Plan) -> tuple[str, ...]:
    """Return the names of the actions that can be left out."""
    single, pair = removable(scene, plan)
    names = [plan[place].name for place in single] or [action.name for at in pair for action in plan[at : at + 2]]
    return tuple(sorted(names))


def shortened_by(scene: PlannedTask, plan: Plan, ends: Sequence[int]) -> set[str]:
    """Return the looks by which a plan can be shortened: of the parts that look so, one at these positions."""
    glance = PlanGlance([Atom(action.name, action.args) for action in plan], scene.goal)
    places = {"any": _OUTER, "two": _OUTER}
    return {
        name
        for name, look in LOOKS.items()
        if any(_is_free(scene, plan, part) for part in at(look.parts(glance), places.get(name, ends)))
    }


def _is_free(scene: PlannedTask, plan: Plan, drop: Sequence[int]) -> bool:
    rest = [action for place, action in enumerate(plan) if place not in drop]
    return bool(rest) and _reaches(scene, scene.states[0], rest)


def _with_more(scene: PlannedTask, chance: Random) -> Iterator[Plan]:
    """Yield plans with a superfluous action, or a pair of them, at random places."""
    grounded, plan = scene.grounded, scene.plan
    for _ in range(_PLACES):
        place = chance.randrange(len(plan) + 1)
        before, state, after = plan[:place], scene.states[place], plan[place:]
        able = grounded.applicable(state)
        for action in chance.sample(able, min(len(able), _ACTIONS)):
            then = grounded.progress(state, action)
            if _reaches(scene, then, after):
                yield (*before, action, *after)
                continue
            others = [
                other
                for other in grounded.applicable(then)
                if grounded.progress(then, other) != state and _reaches(scene, grounded.progress(then, other), after)
            ]
            if others:
                yield (*before, action, chance.choice(others), *after)
            elif (back := _back(scene, then, state)) is not None and chance.random() < _BACK:
                yield (*before, action, back, *after)


def _back(scene: PlannedTask, state: int, to: int) -> GroundAction | None:
    """Return an action from one state to another."""
    grounded = scene.grounded
    return next((each for each in grounded.applicable(state) if grounded.progress(state, each) == to), None)
