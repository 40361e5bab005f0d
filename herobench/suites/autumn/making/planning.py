"""Makes a goal that can be reached: a frame of a search at a wanted depth, and the cells that matter in it.

Where the search proves it, the depth is the length of a shortest plan. Where clicks anywhere matter, a search does not
get as far: then the goal comes from a recorded play, and the certificate has a bound only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice, repeat
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from herobench.suites.autumn.episode.challenge import Grid, Planning, start_world
from herobench.suites.autumn.episode.environment import Environment
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.program import random_action
from herobench.suites.autumn.language.world import KEYS, AutumnWorld
from herobench.suites.autumn.making.recordings import record
from herobench.suites.autumn.making.search import Explored, explore, named_keys, played_cells

PLAYS = 10
RANDOM_STEPS = 300
REPEATED = 60
"""The number of times that repeated play does an action."""
_CLICKS = 0.7
"""The share of clicks in matching play."""
Reached = Callable[[list[list[str]]], bool]
"""Says whether a frame is what is wanted."""


def first_reached(world: AutumnWorld, actions: Iterable[str], is_goal: Reached) -> int | None:
    """Return the number of actions until a frame is the wanted one; None if no frame is, or if the program fails."""
    for number, action in enumerate(actions, 1):
        try:
            world.act(action)
        except AutumnError:
            return None
        if is_goal(world.grid):
            return number
    return None


def try_random_plays(
    program: str, seed: int, is_goal: Reached, plays: int = PLAYS, steps: int = RANDOM_STEPS
) -> dict[str, int]:
    """Return how many random plays reach something, of how many, and how long each may be."""
    reached_plays = sum(any(map(is_goal, _random_frames(program, seed, number, steps))) for number in range(plays))
    return {"plays": plays, "steps": steps, "reached": reached_plays}


@lru_cache(maxsize=PLAYS)  # several goals of a world are measured by the same plays
def _random_frames(program: str, seed: int, number: int, steps: int) -> list[list[list[str]]]:
    """Return the frames of a random play, up to where the program fails."""
    world, random = start_world(program, seed), Random(f"random play {number}")  # noqa: S311  a measurement, no secret
    frames: list[list[list[str]]] = []
    with suppress(AutumnError):
        for _ in range(steps):
            world.act(random_action(random, world.size))
            frames.append(world.grid)
    return frames


def matching_share(program: str, seed: int, goal: Planning, numbers: Sequence[int] = range(PLAYS)) -> int:
    """Return how many of some plays reach a goal by clicks on cells that differ from it, and keys in between."""
    reached_plays = 0
    for number in numbers:
        world = start_world(program, seed)
        actions = islice(_matching(world, goal, number), RANDOM_STEPS)
        reached_plays += goal.fits(world.grid) or first_reached(world, actions, goal.fits) is not None
    return reached_plays


def _matching(world: AutumnWorld, goal: Planning, number: int) -> Iterator[str]:
    random = Random(f"matching play {number}")  # noqa: S311  a measurement, no secret
    keys = KEYS if number % 2 else ("noop",)
    while True:
        differing = goal.differing(world.grid)
        yield "click {} {}".format(*random.choice(differing)) if random.random() < _CLICKS else random.choice(keys)


def repeated_winner(program: str, seed: int, goal: Planning, times: int = REPEATED) -> str | None:
    """Return an action that reaches a goal when it is done again and again, `noop` first; None if there is none."""
    clicks = (f"click {x} {y}" for x, y in played_cells(start_world(program, seed), times))
    action: str
    for action in ("noop", *named_keys(program), *clicks):
        if first_reached(start_world(program, seed), repeat(action, times), goal.fits) is not None:
            return action
    return None


STEPS = 15_000
"""Actions that a search may try."""
_CANDIDATES = 40
_SEEDS = 8
"""Other seeds under which the plan of a goal is tried."""
_RECORDINGS = 60
_MEASURED = 12
"""Candidates at which play without a thought is measured."""
_SELDOM = 1
"""Plays without a thought that may reach a goal before another one is measured."""


class CandidateGoal(NamedTuple):
    """A goal that can be reached."""

    goal: Planning
    depth: int
    robust: float
    """The share of other seeds under which the plan works too."""
    deeds: int
    """The actions of the plan that are not `noop`."""
    new: int
    """The cells that matter and differ from the start."""

    @property
    def worth(self) -> tuple[float, bool, int, int]:
        """Sorts candidates: the best is the greatest."""
        return round(self.robust, 1), 2 * self.deeds >= len(self.goal.actions), min(self.new, 4), self.depth


def make_planning(environment: Environment, seed: int, random: Random) -> tuple[Planning, dict[str, Any]] | None:
    """Return a goal with a plan, and its certificate; None if none was found."""
    exploration = explore(start_world(environment.base, seed), STEPS, environment.steps[1])
    candidates = list(_of_search(exploration, environment, seed, random))
    if not candidates:
        candidates = list(_of_play(exploration, environment, seed, random))
    if not candidates:
        return None
    candidates.sort(key=lambda candidate: candidate.worth, reverse=True)
    best = _least_thoughtless(candidates, environment.base, seed)
    if best is None:
        return None
    goal = best.with_background(start_world(environment.base, seed).background)
    return goal, certificate_row(goal, exploration, try_random_plays(environment.base, seed, goal.fits))


def _least_thoughtless(candidates: Sequence[CandidateGoal], program: str, seed: int) -> Planning | None:
    """Return a good goal that play without a thought hardly reaches. The best candidates come first.

    No goal that one action reaches when it is repeated will do; None if there is no other.
    """
    robust = round(candidates[0].robust, 1)
    best = min(_MEASURED, sum(round(candidate.robust, 1) == robust for candidate in candidates))
    often: list[tuple[int, Planning]] = []
    for goal in [candidate.goal for candidate in candidates[:best]]:
        reached = try_random_plays(program, seed, goal.fits)["reached"] + matching_share(program, seed, goal)
        if reached > _SELDOM:
            often.append((reached, goal))
        elif repeated_winner(program, seed, goal) is None:
            return goal
    others = [goal for _, goal in sorted(often, key=itemgetter(0))] + [other.goal for other in candidates[best:]]
    return next((goal for goal in others if repeated_winner(program, seed, goal) is None), None)


def certificate_row(goal: Planning, exploration: Explored, share: Mapping[str, int]) -> dict[str, Any]:
    """Return what a search says about a goal, and how often random play reaches it."""
    length = len(goal.actions)
    bound = length_bound(goal, exploration)
    return {
        "shortest": length if bound == length else None,
        "lower_bound": bound,
        "states": exploration.states,
        "steps": exploration.steps,
        "random": dict(share),
    }


def length_bound(goal: Planning, exploration: Explored) -> int:
    """Return the length that no plan is shorter than, as far as a search knows."""
    for depth, layer in enumerate(exploration.layers[: exploration.complete + 1]):
        if depth and any(goal.fits(node.grid) for node in layer):
            return depth
    return exploration.proven


# -- where goals come from --------------------------------------------------------------------------------------------


def _of_search(exploration: Explored, environment: Environment, seed: int, random: Random) -> Iterator[CandidateGoal]:
    least, most = environment.steps
    deepest = min(most, len(exploration.layers) - 1, exploration.proven)
    depths = range(least, deepest + 1)
    nodes = [node for depth in depths for node in exploration.layers[depth]]
    random.shuffle(nodes)
    nodes.sort(key=lambda node: abs(node.depth - (least + most) // 2))
    tries: set[tuple[Grid, tuple[tuple[int, ...], ...]]] = set()
    count = 0
    for node in nodes[: 10 * _CANDIDATES]:
        mask = goal_mask(environment, exploration.layers[0][0].grid, node.grid)
        goal = Planning(node.grid, mask, node.plan)
        if (node.grid, mask) in tries or not _is_goal(goal, exploration, node.depth):
            continue
        tries.add((node.grid, mask))
        yield _candidate(goal, environment, seed, exploration.layers[0][0].grid)
        count += 1
        if count >= _CANDIDATES:
            return


def _is_goal(goal: Planning, exploration: Explored, depth: int) -> bool:
    """Return whether no state before a depth looks like the goal."""
    if all(action == "noop" for action in goal.actions):
        return False
    nodes = (node for layer in exploration.layers[:depth] for node in layer)
    return any(map(any, goal.mask)) and not any(goal.fits(node.grid) for node in nodes)


def _of_play(exploration: Explored, environment: Environment, seed: int, random: Random) -> Iterator[CandidateGoal]:
    least, most = environment.steps
    start = exploration.layers[0][0].grid
    for _ in range(_RECORDINGS):
        length = random.randint(least, most)
        recording = record(start_world(environment.base, seed), random, length)
        goal = Planning(recording.last, goal_mask(environment, start, recording.last), recording.actions)
        if not any(map(any, goal.mask)) or goal.fits(start):
            continue
        goal = Planning(goal.goal, goal.mask, shorten(environment.base, seed, goal))
        if len(goal.actions) >= least and length_bound(goal, exploration) > exploration.complete:
            yield _candidate(goal, environment, seed, start)


def shorten(program: str, seed: int, goal: Planning) -> tuple[str, ...]:
    """Return a plan in which no single action can be left out or be `noop`, and that ends when the goal is reached."""
    plan = _until_reached(program, seed, goal, goal.actions)
    assert plan is not None
    at = 0
    while at < len(plan):
        shorter = _until_reached(program, seed, goal, (*plan[:at], *plan[at + 1 :]))
        waiting = _until_reached(program, seed, goal, (*plan[:at], "noop", *plan[at + 1 :]))
        if shorter is not None:
            plan = shorter
        else:
            plan, at = plan if waiting is None else waiting, at + 1
    return plan


def _until_reached(program: str, seed: int, goal: Planning, actions: Sequence[str]) -> tuple[str, ...] | None:
    """Return the actions up to the one that reaches the goal; None if none does."""
    number = first_reached(start_world(program, seed), actions, goal.fits)
    return None if number is None else tuple(actions[:number])


def goal_mask(environment: Environment, start: Grid, goal: Grid) -> tuple[tuple[int, ...], ...]:
    """Return 1 for the cells that show the wanted colours in the goal, or showed them at the start and do not now.

    Where nothing is left to chance, the cells around those of the goal matter too.
    """
    shows, size = set(environment.shows), len(goal)
    visible = {(x, y) for y, row in enumerate(goal) for x, color in enumerate(row) if color in shows}
    matter = visible | {
        (x, y) for y, row in enumerate(start) for x, color in enumerate(row) if color in shows and goal[y][x] != color
    }
    if not environment.stochastic:
        matter |= {(x + dx, y + dy) for x, y in visible for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return tuple(tuple(int((x, y) in matter) for x in range(size)) for y in range(size))


def _candidate(goal: Planning, environment: Environment, seed: int, start: Grid) -> CandidateGoal:
    others = range(seed + 1, seed + 1 + _SEEDS) if environment.stochastic else ()
    works = [_until_reached(environment.base, other, goal, goal.actions) is not None for other in others]
    deeds = sum(action != "noop" for action in goal.actions)
    return CandidateGoal(goal, len(goal.actions), _share(works), deeds, _new_cells(goal, start))


def _share(works: Iterable[bool]) -> float:
    outcomes = list(works)
    return sum(outcomes) / len(outcomes) if outcomes else 1.0


def _new_cells(goal: Planning, start: Grid) -> int:
    rows = zip(goal.mask, goal.goal, start, strict=True)
    return sum(
        bool(matters) and one != other
        for mask, one_row, other_row in rows
        for matters, one, other in zip(mask, one_row, other_row, strict=True)
    )
