"""The score of an episode: a pure function of task, events and rules.

Nothing that a plan prints or says counts, only events. An episode whose plan did not run to its end is lost with a
reward of 0, as published; what it had reached by then is kept as `progress_before_end`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from herobench.episode import Episode
from herobench.events import Crafted, CraftRefused, Event, Fought
from herobench.milestones import Milestone, ideal, reached
from herobench.rules import Rules
from herobench.task import Task
from herobench.world import Code, World

Outcome = Literal["win", "lose"]

SCORER = 1
"""The number of this way to score. It goes up when the same answers would get other scores."""


@dataclass(frozen=True, slots=True)
class Score:
    """What an episode is worth. `score` is the reward in percent of the ideal; a win can have less than 100."""

    outcome: Outcome
    reward: int
    ideal_reward: int
    reached: tuple[Milestone, ...]
    missed: tuple[Milestone, ...]
    """Both as far as the events went, whether or not they count."""

    @property
    def score(self) -> float:
        """Reward in percent of the ideal."""
        return 100 * self.reward / self.ideal_reward

    @property
    def progress_before_end(self) -> float:
        """The same for all that was reached, even where the plan's end makes it worth nothing."""
        return 100 * len(self.reached) / self.ideal_reward


def score(task: Task, world: World, rules: Rules, episode: Episode) -> Score:
    """Judge an episode."""
    wanted = ideal(task, world)
    won = has_won(task, rules, episode.events)
    gained = reached(task, world, episode.events, won)
    return Score(
        outcome="win" if won and episode.finished else "lose",
        reward=len(gained) if episode.finished else 0,
        ideal_reward=len(wanted),
        reached=gained,
        missed=tuple(milestone for milestone in wanted if milestone not in gained),
    )


def has_won(task: Task, rules: Rules, events: Sequence[Event]) -> bool:
    """Whether the events win the task."""
    if task.kind == "kill":
        return any(isinstance(event.detail, Fought) and _beats(event.detail, task.target) for event in events)
    return _crafts_target(task.target, rules, events)


def _beats(fight: Fought, target: Code) -> bool:
    return fight.won and fight.monster == target


def _crafts_target(target: Code, rules: Rules, events: Sequence[Event]) -> bool:
    """Whether the target was crafted, and no logged failure forfeits it.

    The published check reads log lines, and looks for the target's code anywhere in them: with `craft_credit` at
    mention, a code that contains the target's counts for it; where failed crafts are logged, one that names the target
    anywhere, be it among what another recipe lacked, loses the task for good.
    """
    if rules.failed_craft_is_logged and any(_mentions(event.detail, target) for event in events):
        return False
    crafted = [event.detail.item for event in events if isinstance(event.detail, Crafted)]
    if rules.craft_credit == "mention":
        return any(target in item for item in crafted)
    return target in crafted


def _mentions(detail: object, target: Code) -> bool:
    if not isinstance(detail, CraftRefused):
        return False
    return any(target in code for code in (detail.item, *(code for code, _, _ in detail.lacking)))
