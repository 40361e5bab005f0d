"""The score of an episode: a pure function of task, events and rules.

Nothing that a plan prints or says counts, only events. An episode whose plan did not run to its end is lost with a
reward of 0, as published; what it had reached by then is kept as `progress_before_end`.

The outcome and the milestone `target_win` are judged apart. In `standard` the events win exactly when they reach the
target. In the paper's editions the outcome of a craft task is read from log lines, so two cases differ, as published:
a craft task that is forfeited after its target was crafted is lost, and `target_win` still counts in its reward; one
that is won by a craft that only mentions the target has no `target_win`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from herobench.rpg.episode import Episode
from herobench.rpg.events import Crafted, CraftRefused, Event
from herobench.rpg.milestones import Milestone, ideal, reached, reaches_target
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World

Outcome = Literal["win", "lose"]

SCORER = 2
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
    gained = reached(task, world, rules, episode.events)
    return Score(
        outcome="win" if won and episode.finished else "lose",
        reward=len(gained) if episode.finished else 0,
        ideal_reward=len(wanted),
        reached=gained,
        missed=tuple(milestone for milestone in wanted if milestone not in gained),
    )


def has_won(task: Task, rules: Rules, events: Sequence[Event]) -> bool:
    """Whether the events win the task.

    The published check of craft tasks reads log lines, and looks for the target's code anywhere in them. With
    `craft_credit` at mention, a craft wins whose code contains the target's. Where failed crafts are logged, one that
    names the target anywhere, even among what another recipe lacked, loses the task for good.
    """
    if task.kind == "craft" and rules.failed_craft_is_logged and any(_forfeits(task.target, event) for event in events):
        return False
    if task.kind == "craft" and rules.craft_credit == "mention":
        return any(isinstance(event.detail, Crafted) and task.target in event.detail.item for event in events)
    return any(reaches_target(task, event) for event in events)


def _forfeits(target: Code, event: Event) -> bool:
    """Whether an event is a failed craft that names the target."""
    refusal = event.detail
    if not isinstance(refusal, CraftRefused):
        return False
    return any(target in code for code in (refusal.item, *(code for code, _, _ in refusal.lacking)))
