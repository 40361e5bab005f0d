"""Draws tasks with closed places: pairs of one fight, each solvable with some closed, and impossible with others."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from herobench.suites.rpg.game.task import Task
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.tasks.certificate import rehearse
from herobench.task_gen.rpg.tasks.drafts import Fight
from herobench.task_gen.rpg.tasks.proven_tasks import ProvenTasks
from herobench.task_gen.rpg.unsolvable.closing import Closing, Planned, closings, plan_task

_FIGHT_DRAWS = 60
"""The number of draws of one fight among which a pair is looked for that can close each other's things."""


class ClosedTasks:
    """Draws tasks with closed places."""

    def __init__(self, tasks: ProvenTasks) -> None:
        self._tasks = tasks

    def draw(self, difficulty: int, impossible: bool, rng: Random) -> Task | None:
        """Return a task with places closed: one of two of a random fight that can be closed in each other's way."""
        fight: Fight | None = None
        earlier: list[Planned] = []
        for _ in range(_FIGHT_DRAWS):
            now = self._plan_kill(difficulty, fight, rng)
            if now is None:
                continue
            # The monster and the hero's level are the same in a pair: with them, names would tell which task it is.
            fight = now.task.target, now.task.hero.combat[0]
            for other in earlier:
                pair = closings(self._tasks.world, now, other, rng)
                solvable = self._solvable(pair) if pair else None
                if pair and solvable:
                    number = rng.randrange(2)
                    return pair[number].impossible_task(solvable[number]) if impossible else solvable[number]
            earlier.append(now)
        return None

    def _plan_kill(self, difficulty: int, fight: Fight | None, rng: Random) -> Planned | None:
        """Draw a kill task of a difficulty, and of a fight if one is given, and plan it. Return None if that fails."""
        try:
            task = self._tasks.draw_fight(difficulty, fight, rng)
            events = rehearse(self._tasks.world, self._tasks.rules, task).game.events if task else ()
        except Unplannable:
            return None
        return plan_task(self._tasks.world, task.rules(self._tasks.rules), task, events) if task else None

    def _solvable(self, pair: Sequence[Closing]) -> list[Task] | None:
        """Return the solvable tasks of a pair, certified.

        Both are needed even if only impossible tasks are wanted, since both kinds have to meet the same conditions.
        """
        try:
            return [self._tasks.certify(closing.solvable_task()) for closing in pair]
        except Unplannable:
            return None
