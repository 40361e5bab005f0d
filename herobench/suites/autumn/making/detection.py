"""Makes a detection: checks that the change of an environment can be told and reached, and finds a short witness.

The test has another start than the interaction. From several starts, the maker takes the one at which a player that
only repeats earlier actions and compares scores lowest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple

from herobench.data.errors import InputError, Problem
from herobench.suites.autumn.episode.challenge import Detection, Grid, WorldStart, freeze_grid, start_world
from herobench.suites.autumn.episode.environment import Environment
from herobench.suites.autumn.episode.repeating import WAYS, guess
from herobench.suites.autumn.episode.tests import score_frame
from herobench.suites.autumn.language.chance import Chance, Script
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, draws, random_action, restore
from herobench.suites.autumn.language.world import AutumnWorld

_HOPELESS = 4
"""If the outcomes exceed the allowed number by this factor, they are sampled without an attempt to list all."""

Draw = Callable[[Chance], AutumnWorld]
"""Does a start or a step of a world, with random numbers from a state of chance."""


class Outcomes(NamedTuple):
    """Worlds after a start or a step."""

    worlds: list[AutumnWorld]
    complete: bool
    """True if there are no others."""


def outcomes(draw: Draw, most: int, truth: Script, random: Random) -> Outcomes:
    """Return the worlds that `draw` can make; a sample of them if there are more than `most`.

    `truth` has the numbers that were really drawn.
    """
    worlds: list[AutumnWorld] = []
    script: Script | None = Script()
    if math.prod(truth.bounds) > _HOPELESS * most:
        return Outcomes([draw(other) for other in _near(truth, most, random)], False)
    while script is not None and len(worlds) < most:
        worlds.append(draw(script))
        script = drawn_by(worlds[-1]).next()
    if script is None:
        return Outcomes(worlds, True)
    return Outcomes([draw(other) for other in _near(truth, most, random)], False)


def drawn_by(world: AutumnWorld) -> Script:
    """Return the draws of a world that was given a script."""
    chance = world.chance
    assert isinstance(chance, Script)
    return chance


def truly_drawn(draw: Draw, chance: Chance) -> Script:
    """Return the numbers that are drawn from a state of the generator."""
    assert isinstance(chance, int)
    return drawn_by(draw(Script(beyond=chance)))


def step_function(world: AutumnWorld, action: str) -> Draw:
    """Return a function that copies a world and does one step in the copy."""

    def draw(chance: Chance) -> AutumnWorld:
        next_world = world.redrawn(chance)
        next_world.act(action)
        return next_world

    return draw


def _near(truth: Script, count: int, random: Random) -> Iterator[Script]:
    """Yield scripts that differ from the true one in one draw; when these run out, in two."""
    numbers, bounds = truth.numbers, truth.bounds
    single = [(at, other) for at, bound in enumerate(bounds) for other in range(min(bound, 50)) if other != numbers[at]]
    random.shuffle(single)
    for number in range(count):
        changes = single[number : number + 1] or random.sample(single, min(2, len(single)))
        new_numbers = list(numbers)
        for at, other in changes:
            new_numbers[at] = other
        yield Script(tuple(new_numbers), beyond=random.getrandbits(64))


_OUTCOMES = 400
"""The most outcomes of the base program that are compared in the step of the change."""

How = Literal["deterministic", "enumerated", "sampled"]
"""The knowledge of the outcomes of the base program: it has one (`deterministic`), all were listed (`enumerated`), or
some were drawn (`sampled`)."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two programs, the expression that is true once they can be told apart, and the start of both."""

    base: str
    changed: str
    condition: str
    start: WorldStart


@dataclass(frozen=True, slots=True)
class ChangePlay:
    """The result of one play."""

    actions: tuple[str, ...]
    frame: int | None
    """The first changed frame; None if the change was not seen."""
    problem: str = ""
    """The fault of the pair; empty if it has none."""
    impossible: How = "deterministic"
    """The proof that the base program cannot show the changed frame."""


def random_play(pair: Pair, number: int, steps: int) -> ChangePlay:
    """Play the pair at random until the change is seen."""
    random = Random(f"lock step {number}")  # noqa: S311  no secret
    size = start_world(pair.base, pair.start.seed).size
    return play_pair(pair, (random_action(random, size) for _ in range(steps)))


def play_pair(pair: Pair, actions: Iterable[str]) -> ChangePlay:
    """Do actions in both worlds until the change is seen. Raise AutumnError if a program fails."""
    seed = pair.start.seed
    base, changed = start_world(pair.base, seed), start_world(pair.changed, seed, pair.condition)
    for number in range(len(pair.start.actions) + 1):
        if number:
            base.act(pair.start.actions[number - 1])
            changed.act(pair.start.actions[number - 1])
        if changed.holds():
            return ChangePlay((), None, "the condition is true at the start")
        if base.grid != changed.grid:
            return ChangePlay((), None, "the frames differ at the start")
    so_far: list[str] = []
    has_chance = _has_chance(pair.base)
    for action in actions:
        before = base.redrawn() if has_chance else base
        base.act(action)
        changed.act(action)
        so_far.append(action)
        condition_holds, differs = changed.holds(), base.grid != changed.grid
        if condition_holds and differs:
            return _of_change(before, changed, tuple(so_far)) if has_chance else ChangePlay(tuple(so_far), len(so_far))
        if differs:
            return ChangePlay(tuple(so_far), None, f"frame {len(so_far)} differs, and the condition is false")
        if condition_holds:
            return ChangePlay(
                tuple(so_far), None, f"the condition is true at frame {len(so_far)}, and the frames are equal"
            )
    return ChangePlay(tuple(so_far), None)


@lru_cache(maxsize=8)
def _has_chance(program: str) -> bool:
    """Return whether a program can draw random numbers."""
    return draws(restore(program, "", DEFAULT_LIMITS))


def _of_change(before: AutumnWorld, changed: AutumnWorld, actions: tuple[str, ...]) -> ChangePlay:
    """Return the play that ends with the changed frame. It has a problem if the base can show that frame too."""
    draw = step_function(before, actions[-1])
    random = Random(len(actions))  # noqa: S311  a sample, no secret
    truth = truly_drawn(draw, before.chance)
    ends = outcomes(draw, _OUTCOMES, truth, random)
    if any(world.grid == changed.grid for world in ends.worlds):
        problem = f"the base program can show the changed frame {len(actions)} too"
        return ChangePlay(actions, None, problem)
    return ChangePlay(actions, len(actions), impossible="enumerated" if ends.complete else "sampled")


_PLAYS = 10
_FIRST_PLAYS = 4
_MOST_PLAYS = 40
"""The most random plays, if the first ones do not reach the change."""
STEPS = 1000
"""Steps of a random play."""
_SHORTENING = 20_000
"""Steps of both worlds that the search for a shorter witness may take."""


def make_detection(environment: Environment, seed: int, random: Random) -> tuple[Detection, dict[str, Any]] | None:
    """Return a detection and its certificate; None if no random play reaches the change from a good start.

    Raise InputError if the change of the environment breaks its contract.
    """
    pair = Pair(environment.base, environment.changed, environment.condition, WorldStart(random.randrange(1, 10_000)))
    plays_to_change = _reaching_plays(environment, pair)
    if not plays_to_change:
        return None
    pair, repeats = best_start(
        [replace(pair, start=start) for start in _starts(pair.start.seed, plays_to_change, random)], seed
    )
    plays = [random_play(pair, number, STEPS) for number in range(_PLAYS)]
    _check(environment, pair, plays)
    ends = [play for play in plays if play.frame is not None]
    if not ends:
        return None
    witness = shorten(pair, min(ends, key=lambda play: len(play.actions)))
    assert witness.frame is not None
    challenge = Detection(pair.changed, pair.condition, witness.actions, witness.frame, pair.start)
    return challenge, certificate_row(plays, witness, repeats)


def best_start(pairs: Sequence[Pair], seed: int) -> tuple[Pair, RepeatedPlays]:
    """Return the first pair from whose start a repeating player scores lowest, and these scores."""
    first = start_world(pairs[0].base, seed).grid
    alike = [pair.start.world(pair.base).grid == first for pair in pairs]  # without chance it is the same start
    best: tuple[Pair, RepeatedPlays] | None = None
    for pair, is_alike in zip(pairs, alike, strict=True):
        if is_alike == min(alike):
            repeats = repeat_below(pair, seed, best and best[1].cost)
            best = best if repeats is None else (pair, repeats)
    assert best is not None
    return best


def _reaching_plays(environment: Environment, pair: Pair) -> list[ChangePlay]:
    """Return the random plays that reach the change. If none of the first few does, try more."""
    plays = [random_play(pair, number, STEPS) for number in range(_FIRST_PLAYS)]
    while len(plays) < _MOST_PLAYS and not any(play.problem or play.frame for play in plays):
        plays.append(random_play(pair, len(plays), STEPS))
    _check(environment, pair, plays)
    return [play for play in plays if play.frame is not None]


def _check(environment: Environment, pair: Pair, plays: Iterable[ChangePlay]) -> None:
    """Raise InputError if the change breaks its contract in a play."""
    if wrong := [play for play in plays if play.problem]:
        where = f"{environment.id}/environment.json"
        expectation = f"a change that the condition tells, but with seed {pair.start.seed} {wrong[0].problem}"
        raise InputError([Problem(where, "$.change.condition", expectation, list(wrong[0].actions[-5:]))])


_STARTS = 8
"""The number of starts among which the maker chooses."""
_LEAD = (5, 40)
"""The least and the greatest number of actions before the player acts."""
_LEAST = 3
"""The most actions before the player acts if the play is short."""
_SOONEST = 12
"""The number of steps before the change may come: a player has to see the old rules first."""


def _starts(seed: int, plays: Sequence[ChangePlay], random: Random) -> Iterator[WorldStart]:
    """Yield starts: the first actions of random plays, cut somewhere before the change."""
    for number in range(_STARTS):
        actions = plays[number % len(plays)].actions
        most = min(_LEAD[1], len(actions) - _SOONEST)
        length = random.randint(min(_LEAD[0], most), most) if most > 0 else min(_LEAST, len(actions) - 1)
        yield WorldStart(seed, actions[:length])


REPEATS = 4
"""The number of repeating players that are measured at a start."""
REPEATED_STEPS = 240


@dataclass(frozen=True, slots=True)
class RepeatedPlays:
    """The scores of a player that repeats in the test the random actions of its interaction."""

    scores: Mapping[str, float]
    """The mean score of each way to guess the frame, with two digits."""
    triggers: tuple[int | None, ...]
    """The frame at which the change came in each play; None if it never came."""

    @property
    def cost(self) -> tuple[bool, float]:
        """The cost of a start: lower is better. The change must come in some plays, but not too early in any.

        While plays are still missing it is a lower bound of the final cost.
        """
        reached = [trigger for trigger in self.triggers if trigger is not None]
        if not reached and len(self.triggers) == REPEATS:
            return True, 1.0
        most = REPEATS - len(self.triggers) + len(reached)
        return min(reached, default=_SOONEST) < _SOONEST, max(self.scores.values()) * REPEATS / most

    def as_row(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"scores": dict(self.scores), "triggers": list(self.triggers)}


def repeat_plays(pair: Pair, seed: int, numbers: Sequence[int] = range(REPEATS)) -> RepeatedPlays:
    """Measure repeating players at a start, by their numbers. `seed` starts the interaction."""
    plays = repeat_below(pair, seed, None, numbers)
    assert plays is not None
    return plays


def repeat_below(
    pair: Pair, seed: int, limit: tuple[bool, float] | None, numbers: Sequence[int] = range(REPEATS)
) -> RepeatedPlays | None:
    """Measure repeating players at a start; None if the cost is `limit` or more."""
    total = dict.fromkeys(WAYS, 0.0)
    triggers: list[int | None] = []
    start = pair.start.world(pair.changed, pair.condition)
    for number in numbers:
        actions, before = _interaction(pair.base, seed, number)
        now, trigger = _watch(start.clone(), actions)
        triggers.append(trigger)
        for way in WAYS:
            total[way] += score_frame(guess(way, before, now), trigger) or 0.0
        repeats = RepeatedPlays({way: round(score / len(numbers), 2) for way, score in total.items()}, tuple(triggers))
        if limit is not None and repeats.cost >= limit:
            return None
    return repeats


@lru_cache(maxsize=REPEATS)  # several starts are measured by the same interactions
def _interaction(program: str, seed: int, number: int) -> tuple[list[str], list[Grid]]:
    """Return the actions of a random play, and its frames."""
    random, world = Random(f"repeated play {number}"), start_world(program, seed)  # noqa: S311  no secret
    actions = [random_action(random, world.size) for _ in range(REPEATED_STEPS)]
    return actions, _watch(world, actions)[0]


def _watch(world: AutumnWorld, actions: Iterable[str]) -> tuple[list[Grid], int | None]:
    """Do actions. Return the frames, and one more than the number of actions until the condition was true."""
    frames, trigger = [freeze_grid(world.grid)], None
    asks = bool(world.program.source.condition)
    for number, action in enumerate(actions, 1):
        world.act(action)
        frames.append(freeze_grid(world.grid))
        if asks and trigger is None and world.holds():
            trigger = number + 1
    return frames, trigger


def certificate_row(plays: Sequence[ChangePlay], witness: ChangePlay, repeats: RepeatedPlays) -> dict[str, Any]:
    """Return a certificate: the results of random plays, of the witness and of repeating players."""
    return {
        "plays": [play.frame for play in plays],
        "compared": sum(len(play.actions) for play in plays),
        "impossible": witness.impossible,
        "repeated": repeats.as_row(),
    }


def shorten(pair: Pair, play: ChangePlay) -> ChangePlay:
    """Shorten a play that shows the change: leave out runs of actions, long ones first, while the search lasts."""
    budget = _SHORTENING
    length = max(1, len(play.actions) // 2)
    while True:
        at = 0
        while at < len(play.actions) and budget > 0:
            other = _reaching(pair, (*play.actions[:at], *play.actions[at + length :]))
            budget -= len(play.actions)
            if other is None:
                at += length
            else:
                play = other
        if length == 1 or budget <= 0:
            return play
        length = max(1, length // 2)


def _reaching(pair: Pair, actions: Sequence[str]) -> ChangePlay | None:
    """Return the play of these actions; None if it does not show the change."""
    try:
        play = play_pair(pair, actions)
    except AutumnError:
        return None
    return play if play.frame is not None else None
