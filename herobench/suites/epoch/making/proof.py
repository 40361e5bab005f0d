"""Proves what the certificate of a level says, and names each claim that does not hold.

The claims: the reference plan solves the level in the game, with just as many valid actions as `optimal` says; no plan
is shorter; every milestone is a landmark that does not hold at the start; the limits follow from the length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from herobench.pddl import GroundAction, SearchLimits
from herobench.pddl.limits import ORDINARY
from herobench.pddl.relaxation import relaxed_landmarks
from herobench.pddl.search import decide_plan
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import EpochWorld, level_world, parse_atom
from herobench.suites.epoch.making.prover import is_shortest, play_plan

_TELLING = frozenset(
    "opened tree-planted code-carved knows convinced amendment-in-constitution destroyed permit-created lever-pulled "
    "clocks-aligned".split()
)
"""Landmarks with these predicates are milestones, beside the facts of the goal."""
_FEW = 3
"""With fewer milestones than this, getting things counts too."""


def level_limits(optimal: int) -> tuple[int, int]:
    """Return the most turns and the stagnation window of a level, by the length of its shortest solution."""
    return max(15, 3 * optimal), max(10, optimal)


def milestones_on(world: EpochWorld, plan: Sequence[GroundAction]) -> tuple[str, ...]:
    """Return landmarks of a level, in the order in which a solution reaches them."""
    landmarks = relaxed_landmarks(world.grounded.actions, world.initial, world.grounded.goal) or 0
    facts_in_order: dict[str, None] = {}
    state = world.initial
    for action in plan:
        before, facts = state, state & ~action.delete | action.add
        state = world.rules.closure(facts)
        for new in (facts & ~before, state & ~facts):  # what the action adds comes before what follows
            facts_in_order |= dict.fromkeys(world.facts(new & landmarks))
    goal = world.facts(world.grounded.goal)
    telling = [fact for fact in facts_in_order if fact in goal or parse_atom(fact).name in _TELLING]
    if len(telling) < _FEW:
        telling = [fact for fact in facts_in_order if fact in telling or parse_atom(fact).name == "has"]
    return tuple(telling)


def find_problems(level: Level, limits: SearchLimits = ORDINARY) -> list[str]:
    """Prove the certificate of a level again. Return a sentence for each claim that does not hold."""
    return [*_problems_of_plan(level), *_problems_of_length(level, limits), *_problems_of_milestones(level, limits)]


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
