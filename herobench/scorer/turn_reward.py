"""The reward of each turn of an attempt, for trainers that credit decisions.

    play = scorer.play("L05")
    credit = TurnReward(play, "potential", gamma=0.99)
    while not play.over:
        play.say(policy(play.conversation))
        print(credit.of_turn())

`end` pays the score with the last turn, and nothing before. `progress` pays what each turn adds to the progress; the
sum is the score. `potential` pays what `end` does, plus gamma times the potential after the turn, less the potential
before it. The potential is the share of the way that is done: 1 less the distance to the goal, where the distance from
the start of the task counts as 1; and 0 at the end, so that a lost attempt pays back what it earned on the way. So all
ways from one state to an end are paid the same beside the score, discounted by gamma, and the best policy stays the
best. See Ng, Harada and Russell, "Policy invariance under reward transformations" (1999).

The reward belongs to the trainer. Nothing here is told to the model that plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Literal, get_args

from herobench.data.errors import UsageError, abbreviated
from herobench.scorer.play import Play

RewardKind = Literal["end", "progress", "potential"]
REWARDS: tuple[RewardKind, ...] = get_args(RewardKind)
_FARTHEST = 2.0
"""The distance that counts for a goal that is farther, or out of reach. That from the start of the task is 1."""


def refuse_unknown_reward(kind: object, gamma: object) -> None:
    """Raise UsageError for a kind of reward, or a discount, that does not exist."""
    if kind not in REWARDS:
        raise UsageError(f"reward is {abbreviated(kind)}: give one of {', '.join(REWARDS)}.")
    if isinstance(gamma, bool) or not isinstance(gamma, int | float) or not 0 < gamma <= 1:
        raise UsageError(f"gamma is {abbreviated(gamma)}: give a number above 0, and 1 at most.")


class TurnReward:
    """Rewards the turns of one attempt, from now on. Ask for a reward after each turn."""

    def __init__(self, play: Play, kind: RewardKind = "end", gamma: float = 1.0) -> None:
        """Begin with an attempt as it stands. Raise UsageError for an unknown kind, or a wrong discount."""
        refuse_unknown_reward(kind, gamma)
        self._play, self._kind, self._gamma = play, kind, gamma
        self._progress = play.result().figures()["progress"] if kind == "progress" and play.turns else 0.0
        self._potential = potential(play) if kind == "potential" else 0.0

    def of_turn(self, *, last: bool = False, terminal: bool = True) -> float:
        """Return the reward of the turn that was just played.

        `last` is true for a caller that stops before the attempt is over: it is scored by its turns so far. With
        `terminal` at false the potential stays, for trainers that estimate what an attempt that was cut is worth.
        """
        play = self._play
        over = play.over or last
        if self._kind == "progress":
            figures = play.result().figures()
            before, self._progress = self._progress, figures["score" if over else "progress"]
            return self._progress - before
        reward = play.result().reward if over else 0.0
        if self._kind == "potential":
            before, self._potential = self._potential, 0.0 if play.over or (over and terminal) else potential(play)
            reward += self._gamma * self._potential - before
        return reward

    def of_stop(self) -> float:
        """Return what is due beside the last turn's reward if the attempt, which is not over, gets no turn more."""
        due = self._play.result().reward - self._progress - self._gamma * self._potential
        self._progress = self._potential = 0.0
        return due

    def fork(self, play: Play) -> TurnReward:
        """Return the same for a fork of the attempt."""
        twin = TurnReward(play, "end", self._gamma)
        twin._kind, twin._progress, twin._potential = self._kind, self._progress, self._potential
        return twin


def potential(play: Play) -> float:
    """Return the share of the way that an attempt, which goes on, has done; 0 where the suite cannot say."""
    here, start = play.distance(), play.from_start()
    if here is None or start is None:
        return 0.0
    span = start.most if isfinite(start.most) else start.least
    return 1.0 - min(here.most / max(1.0, span), _FARTHEST)


def reward_options(given: Mapping[str, Any]) -> tuple[RewardKind, float]:
    """Return the kind of reward and the discount among some settings. Raise UsageError where they do not fit."""
    kind, gamma = given.get("reward", "end"), given.get("gamma", 1.0)
    refuse_unknown_reward(kind, gamma)
    return kind, gamma
