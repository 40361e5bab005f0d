"""Proves what the certificate of a level says, and names each claim that does not hold.

The claims of a level of the published edition: the reference plan solves the level in the game, with just as many valid
actions as `optimal` says; no plan is shorter; every milestone is a landmark that does not hold at the start; the limits
follow from the length. Those of a road: its plan solves it in the least hours; its milestones are its gates; its
turns follow from the length of its plan; its traps are those of its reference plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple

from herobench.pddl import SearchLimits
from herobench.pddl.limits import ORDINARY
from herobench.pddl.relaxation import relaxed_landmarks
from herobench.pddl.search import decide_plan
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import ROAD, EpochWorld, domain_name, level_world, parse_atom
from herobench.suites.epoch.making.prover import is_shortest, play_plan
from herobench.suites.epoch.making.road import NotRoad, Road
from herobench.suites.epoch.making.traps import find_traps, walk
from herobench.suites.epoch.making.values import RoadValues


def level_limits(optimal: int) -> tuple[int, int]:
    """Return the most turns and the stagnation window of a level, by the length of its shortest solution."""
    return max(15, 3 * optimal), max(10, optimal)


def cap_turns(optimal: int) -> int:
    """Return the most turns of a game on a road: so many, and so round, that they do not tell its plan."""
    return 50 * (optimal // 40 + 2)


def find_problems(level: Level, limits: SearchLimits = ORDINARY) -> list[str]:
    """Prove the certificate of a level again. Return a sentence for each claim that does not hold."""
    problems = list(_problems_of_plan(level))
    if domain_name(level.problem) == ROAD:
        return problems or list(_problems_of_road(level))
    return [
        *problems,
        *_problems_of_limits(level),
        *_problems_of_length(level, limits),
        *_problems_of_milestones(level, limits),
    ]


def _problems_of_road(level: Level) -> Iterator[str]:
    """Yield the claims that do not hold of a road whose plan solves it."""
    world = level_world(level)
    try:
        values = RoadValues(Road(world))
    except NotRoad as error:
        yield f"the level is no road: {error}"
        return
    actions = [world.grounded.find(*parse_atom(action)) for action in level.reference_plan]
    reference = walk(values, list(filter(None, actions)))
    for name, hours in (("the least hours are", values.value(world.initial)), ("the plan takes", reference.hours[-1])):
        if hours != level.least:
            yield f"{name} {hours}, and not {level.least}"
    for name, turns in (("max_steps", level.max_steps), ("stagnation_window", level.stagnation_window)):
        if turns != cap_turns(level.optimal):
            yield f"{name} is {turns}, and follows from optimal as {cap_turns(level.optimal)}"
    if level.limit is None:
        yield "there is no limit"
    gates = tuple(f"(raised {gate})" for gate in values.road.gates)
    if level.milestones != gates:
        yield f"the milestones are not the gates in their order: {' '.join(gates)}"
    traps = find_traps(values, reference, level.hours_to_win)
    for trap in sorted({*traps} ^ {*level.traps}, key=astuple):
        place = "is none" if trap in level.traps else "is left out"
        yield f"the trap {trap.action} at turn {trap.turn} {place}"


def _problems_of_plan(level: Level) -> Iterator[str]:
    if len(level.reference_plan) != level.optimal:
        yield f"reference_plan has {len(level.reference_plan)} actions, and optimal is {level.optimal}"
    game = play_plan(level, level.reference_plan)
    if game.stop != "SOLVED":
        yield f"reference_plan ends with {game.stop or 'the goal not reached'}, not with SOLVED"
    elif game.turns != len(level.reference_plan):
        yield f"reference_plan solves the level with its action {game.turns}, and does not end there"
    elif game.clock != game.turns:
        yield f"reference_plan has {game.turns - game.clock} actions that are refused"


def _problems_of_limits(level: Level) -> Iterator[str]:
    limits = level_limits(level.optimal)
    for name, value, limit in zip(
        ("max_steps", "stagnation_window"), (level.max_steps, level.stagnation_window), limits, strict=True
    ):
        if value != limit:
            yield f"{name} is {value}, and follows from optimal as {limit}"


def _problems_of_length(level: Level, limits: SearchLimits) -> Iterator[str]:
    world = level_world(level)
    if world.grounded.is_goal(world.initial):
        yield "the goal holds at the start"
    elif not any(not action.pre & ~world.initial for action in world.tool_actions):
        yield "no action can be carried out at the start"
    match is_shortest(level, level.optimal, limits):
        case False:
            yield f"there is a plan of fewer than {level.optimal} actions"
        case None:
            yield f"whether a plan is shorter than {level.optimal} actions is not decided by {limits.states:,} states"


def _problems_of_milestones(level: Level, limits: SearchLimits) -> Iterator[str]:
    world = level_world(level)
    if not level.milestones:
        yield "there are no milestones"
    sure = relaxed_landmarks(world.grounded.actions, world.initial, world.grounded.goal) or 0
    for fact, mask in world.milestones.items():
        if mask & world.initial:
            yield f"the milestone {fact} holds at the start"
        elif not mask & sure:
            match _is_landmark(world, mask, limits):
                case False:
                    yield f"the milestone {fact} is no landmark: there is a solution without it"
                case None:
                    yield f"whether the milestone {fact} is a landmark is not decided by {limits.states:,} states"


def _is_landmark(world: EpochWorld, fact: int, limits: SearchLimits) -> bool | None:
    """Return whether every solution makes a fact true; None if the limits are too narrow to know."""
    without = [action for action in world.grounded.actions if not action.add & fact]
    exists = decide_plan(without, world.initial, world.grounded.goal, limits).exists
    return None if exists is None else not exists
