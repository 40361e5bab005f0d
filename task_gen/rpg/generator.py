"""The generator: make task number i of a spec from a random stream that depends on nothing else.

A task is drawn, then planned by the oracle and certified. A draw that cannot be proven is followed by another one
from the same stream. If a share of the tasks is to be impossible, two tasks of one fight are drawn, and each is proven
twice: solvable with some places closed, and impossible with others. One of them is written.

Tasks do not depend on each other, so several processes can make them, in order and in constant memory; state that one
task leaves behind must never reach another. Processes exchange rows, because tasks hold read-only mappings that cannot
be pickled.
"""

from __future__ import annotations

from collections.abc import Generator as Rows
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from random import Random
from typing import Any

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.proven_tasks import ProvenTasks
from herobench.task_gen.rpg.tasks.spec import Spec, bracket_steps, to_bracket
from herobench.work.engine import Each, Local

_DRAWS = 2000
"""The number of draws at the wanted difficulty before the generator gives it up."""
_OTHER_DRAWS = 100
"""The number of draws at each other difficulty of the bracket after that."""
WORTH = 10
"""The number of tasks that pays for the start of a process."""
_DRAWS_A_FIGHT = 20
"""The number of draws that one fight stands for: most draws of a fight that is given fail early."""


class Generator:
    """Makes the tasks of a spec in a world."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        # Bad options fail here, before any time goes into drawing.
        spec.check(world, rules)
        self.world = world
        self.rules = rules
        self.spec = spec
        self._tasks = ProvenTasks(world, rules, spec)

    def task(self, index: int) -> Task:
        """Return task number `index`. Raises UsageError if the world has no such task."""
        task = self.attempt(index)
        if task is None:
            raise self._impossible(index)
        return task

    def attempt(self, index: int) -> Task | None:
        """Return task number `index`, or None if the world has no such task."""
        rng = self.spec.rng(self.world, index)
        task = next(filter(None, self._draws(index, rng)), None)
        # Brackets take turns, so this is its number in its bracket, from 1 on.
        number = 1 + (index if self.spec.steps else index // len(self.spec.brackets))
        return replace(task, id=task_id(self.world, task, number)) if task else None

    def _draws(self, index: int, rng: Random) -> Iterator[Task | None]:
        """Yield draws of a task: at the wanted difficulty, then at the others of its bracket."""
        if self.spec.unsolvable is None:
            for difficulty, draws in self._difficulties(index, rng):
                # If the wanted kind does not exist at this difficulty, the other one is better than none.
                for kind in self._tasks.kinds(difficulty, rng):
                    yield from (self._tasks.draw(kind, difficulty, rng) for _ in range(draws))
            return
        from herobench.task_gen.rpg.unsolvable.closing import ClosedTasks  # few specs close places

        closed_tasks, is_impossible = ClosedTasks(self._tasks), self.spec.is_impossible(index)
        for difficulty, draws in self._difficulties(index, rng):
            yield from (closed_tasks.draw(difficulty, is_impossible, rng) for _ in range(draws // _DRAWS_A_FIGHT))

    def _difficulties(self, index: int, rng: Random) -> Iterator[tuple[int, int]]:
        """Yield the wanted difficulty, then the others of its bracket, each with its number of draws."""
        target = self.spec.difficulty(index)
        # A spec with explicit difficulties gets those or nothing: twins depend on it.
        yield target, _DRAWS
        if not self.spec.steps:
            others = [step for step in bracket_steps(to_bracket(target)) if step != target]
            yield from ((step, _OTHER_DRAWS) for step in rng.sample(others, len(others)))

    # -- what is possible -------------------------------------------------------------------------------------------

    def _impossible(self, index: int) -> UsageError:
        """Return the error: why there is no such task, and which tasks there are."""
        spec = self.spec
        target = spec.difficulty(index)
        steps = bracket_steps(to_bracket(target))
        kind = "" if spec.kind == "mixed" else f"{spec.kind} "
        request_text = f"difficulty {target}" if spec.steps else f"difficulty {steps[0]} to {steps[-1]}"
        against = f" against {self.world.monsters[spec.monster].name}" if spec.monster else ""
        extras = " and ".join(spec.extras())
        extra = f" with {extras}" if extras else ""
        asked = f"{kind}task of {request_text}{against}{extra}"
        return UsageError(TaskFault.NO_TASK, asked=asked, code=self.world.code, possible=self._tasks.possible(extras))


def task_id(world: World, task: Task, number: int) -> str:
    """Return the id of a task, which people read: its bracket, number, target and kind.

    Nothing parses an id but for the bracket before the slash.
    """
    name = (world.monsters if task.kind == "kill" else world.items)[task.target].name
    return f"{to_bracket(task.difficulty)}/{number}_{name}_{task.kind}"


@lru_cache(maxsize=200)
def generator(world: World, rules: Rules, spec: Spec) -> Generator:
    """Return the generator of a spec. It is cached, because its constructor looks through the whole world."""
    return Generator(world, rules, spec)


# -- many tasks -------------------------------------------------------------------------------------------------------


def task_rows(world: World, rules: Rules, spec: Spec, indices: Iterable[int], jobs: int = 1) -> Rows[dict[str, Any]]:
    """Yield the rows of a spec's tasks, in the order of the indices.

    Close the generator if you stop early, so that its workers end.
    """
    yield from Local(jobs).results(Each(partial(task_row, world, rules, spec), worth=WORTH), indices)


def task_row(world: World, rules: Rules, spec: Spec, index: int) -> dict[str, Any]:
    """Return the row of a task. Raise UsageError if there is no such task."""
    return generator(world, rules, spec).task(index).as_row()
