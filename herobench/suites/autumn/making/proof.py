"""Proves a challenge again from its row alone, and names each claim that does not hold.

The claims: each choice of a prediction comes about by a way of its own, on which no other is possible, all ways look
alike outside of the rectangle, and a lot said which of them the player is shown; a plan reaches
its goal with its last action, and no shorter one does, as far as the certificate says; a change cannot be seen before
its condition is true, is seen then, and cannot be chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from herobench.data.documents import schema_problems
from herobench.suites.autumn.episode.challenge import Challenge, Detection, Planning, Prediction
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, draws, restore
from herobench.suites.autumn.making.detection import STEPS, Pair, play_pair, random_play, repeat_plays
from herobench.suites.autumn.making.planning import length_bound, try_random_plays
from herobench.suites.autumn.making.prediction import digest, drawn_choice, joined
from herobench.suites.autumn.making.recordings import Trajectory, are_alike, replay
from herobench.suites.autumn.making.search import explore
from herobench.suites.autumn.making.support import Observer, around

_MOST_STEPS = 200_000
"""Actions that a search may try, whatever a certificate says."""


def find_problems(challenge: Challenge) -> list[str]:
    """Prove a challenge again. Return a sentence for each claim that does not hold."""
    certificate = challenge.certificate
    row = {"family": challenge.family, "certificate": dict(certificate)}
    if wrong := schema_problems(row, "autumn-certificate", challenge.id):
        return [f"{problem.path.removeprefix('$.')}: expected {problem.expected}" for problem in wrong]
    try:
        return list(_problems(challenge, certificate))
    except AutumnError as error:
        return [f"a program fails: {error}"]


def _problems(challenge: Challenge, certificate: Mapping[str, Any]) -> Iterator[str]:
    if draws(restore(challenge.program, "", DEFAULT_LIMITS)) != challenge.stochastic:
        yield f"stochastic is {challenge.stochastic}, and the program says otherwise"
    match challenge.test:
        case Prediction() as test:
            yield from _of_prediction(challenge, test, certificate)
        case Planning() as test:
            yield from _of_planning(challenge, test, certificate)
        case Detection() as test:
            yield from _of_detection(challenge, test, certificate)


def _of_prediction(challenge: Challenge, test: Prediction, certificate: Mapping[str, Any]) -> Iterator[str]:
    """Yield what does not hold. Each claim is about all six choices alike, but for the lot that makes one right."""
    seen, hidden = test.actions[: test.mask.since - 1], test.actions[test.mask.since - 1 :]
    recording = replay(challenge.start(), seen)
    ways = [_last_part(replay(challenge.start(), (*seen, *way)), len(seen)) for way in certificate["ways"]]
    if digest([recording, *ways]) != certificate["frames"]:
        yield "the frames have another digest than the certificate says"
    if not are_alike(certificate["likeness"], certificate["ways"]):
        yield f"the ways do not have in common what the likeness {certificate['likeness']} says"
    if len({tuple(around(frame, test.mask) for frame in way.frames) for way in ways}) > 1:
        yield "the ways differ outside of the rectangle"
    belief = Observer(challenge.program, challenge.seed, recording).before(test.mask.since)
    for number, (way, claim) in enumerate(zip(ways, certificate["supports"], strict=True)):
        if test.mask.cut(way.last) != test.choices[number]:
            yield f"choice {number} is not what the rectangle shows on its way"
        observer = Observer(challenge.program, challenge.seed, joined(recording, way))
        support = observer.support(test.mask, belief)
        if support.as_row() != claim:
            yield f"the support of choice {number} is {support.as_row()}, and the certificate says {claim}"
        yield from (
            f"choice {other} is possible on the way to choice {number}"
            for other, choice in enumerate(test.choices)
            if other != number and choice in support.contents
        )
    drawn = drawn_choice(challenge.program, challenge.seed, test.choices, certificate["lot"])
    if test.choice != drawn or list(hidden) != certificate["ways"][drawn]:
        yield f"the lot makes choice {drawn} right, whose way the actions have to be"


def _last_part(trajectory: Trajectory, start: int) -> Trajectory:
    return Trajectory(trajectory.actions[start:], trajectory.frames[start:])


def _of_planning(challenge: Challenge, test: Planning, certificate: Mapping[str, Any]) -> Iterator[str]:
    world = challenge.start()
    is_reached = [test.fits(world.grid)]
    for action in test.actions:
        world.act(action)
        is_reached.append(test.fits(world.grid))
    if is_reached[0]:
        yield "the goal is reached at the start"
    elif True not in is_reached:
        yield "the plan does not reach the goal"
    elif is_reached.index(True) != len(test.actions):
        yield f"the plan reaches the goal with its action {is_reached.index(True)}, and does not end there"
    yield from _of_length(challenge, test, certificate)
    share = certificate["random"]
    share_row = try_random_plays(challenge.program, challenge.seed, test.fits, share["plays"], share["steps"])
    if share_row != share:
        yield f"{share_row['reached']} random plays reach the goal, and the certificate says {share['reached']}"


def _of_length(challenge: Challenge, test: Planning, certificate: Mapping[str, Any]) -> Iterator[str]:
    shortest, bound = certificate["shortest"], certificate["lower_bound"]
    if shortest != (bound if bound == len(test.actions) else None):
        yield f"shortest is {shortest}, lower_bound {bound}, and the plan has {len(test.actions)} actions"
    steps = min(certificate["steps"], _MOST_STEPS) + 1
    exploration = explore(challenge.start(), steps, bound - 1)
    if length_bound(test, exploration) < min(bound, exploration.proven):
        yield f"there is a plan of {length_bound(test, exploration)} actions, and lower_bound is {bound}"
    elif exploration.proven < bound and not exploration.exhausted:
        yield f"whether a plan is shorter than {bound} actions is not decided by {steps:,} steps"


def _of_detection(challenge: Challenge, test: Detection, certificate: Mapping[str, Any]) -> Iterator[str]:
    pair = Pair(challenge.program, test.changed, test.condition, challenge.test_start)
    witness = play_pair(pair, test.actions)
    if witness.problem:
        yield f"the witness: {witness.problem}"
    elif witness.frame != test.frame or len(witness.actions) != len(test.actions):
        yield f"the first changed frame of the witness is {witness.frame}, and the answer says {test.frame}"
    elif witness.impossible != certificate["impossible"]:
        yield f"impossible is {witness.impossible}, and the certificate says {certificate['impossible']}"
    plays = [random_play(pair, number, STEPS) for number in range(len(certificate["plays"]))]
    yield from (f"random play {number}: {play.problem}" for number, play in enumerate(plays) if play.problem)
    if [play.frame for play in plays] != certificate["plays"]:
        yield "random plays see the change in other frames than the certificate says"
    if sum(len(play.actions) for play in plays) != certificate["compared"]:
        yield "random plays compare another number of frames than the certificate says"
    if (repeats := repeat_plays(pair, challenge.seed).as_row()) != certificate["repeated"]:
        yield f"repeated plays score {repeats}, and the certificate says {certificate['repeated']}"
