"""Compare tasks: two tasks are equal when their rows are equal except id, seed, proofs and twin_of."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.generator import generator, make_rows, task_id
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.remix.blueprint import CLASSIC_ITEMS
from herobench.task_gen.rpg.tasks.spec import DROP_SCALE, Spec, bracket_steps, to_bracket

_NOT_COMPARED = frozenset(["id", "seed", "certificate", "impossible", "twin_of"])


def content_digest(row: Mapping[str, Any]) -> bytes:
    """Return a digest that is the same for equal tasks."""
    content = {name: value for name, value in row.items() if name not in _NOT_COMPARED}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()


_STEPS = 1000
"""A number above every difficulty, so that seed * _STEPS + difficulty is unique."""
_TRIES, _FAR = 20, 100_000
"""The number of tries for a twin, and the distance between their indices."""


@dataclass(frozen=True, slots=True)
class Original:
    """A task that gets a twin: its id, the profile of the twin, and two numbers."""

    id: str
    spec: Spec
    index: int
    """Its number among the tasks of the same profile, so that each of them gets another twin."""
    number: int
    """Its number in its bracket."""


def originals(tasks: Iterable[Task], seed: int) -> Iterator[Original]:
    """Yield what the twins of some tasks are made from."""
    alike: Counter[Spec] = Counter()
    numbers: Counter[int] = Counter()
    for task in tasks:
        spec, bracket = profile(task, seed), to_bracket(task.difficulty)
        numbers[bracket] += 1
        yield Original(task.id, spec, alike[spec], numbers[bracket])
        alike[spec] += 1


def profile(task: Task, seed: int) -> Spec:
    """Return the spec that asks for a task like this one."""
    scale = task.mechanics.drop_scale
    # A spec knows one scale only, so such a task cannot have a twin.
    if scale not in (None, DROP_SCALE):
        raise UsageError(TaskFault.DROPS_AT_SCALE, id=task.id, scale=scale, scale_of_twins=DROP_SCALE)
    if task.mechanics.budget is not None and task.mechanics.budget_factor is None:
        raise UsageError(TaskFault.BUDGET_WITHOUT_FACTOR, id=task.id)
    return Spec(
        seed=seed,
        plan=task.mechanics.plan,
        defeat=task.mechanics.defeat,
        budget=task.mechanics.budget_factor,
        brackets=(),
        steps=(task.difficulty,),
        kind=task.kind,
        knowledge=task.knowledge.level,
        leveling=task.mechanics.leveling,
        noise=len(task.knowledge.noise),
        stochastic=scale is not None,
        unsolvable=float(task.impossible is not None) if task.mechanics.closed else None,
    )


def twin(world: World, rules: Rules, original: Original) -> Task:
    """Return the twin of a task: of its difficulty, or of the nearest one in its bracket that the world has.

    Raises UsageError if the bracket has none.
    """
    (target,) = original.spec.steps
    # The nearest difficulty first; among two equally near ones, the lower.
    for step in sorted(bracket_steps(to_bracket(target)), key=lambda step: (abs(step - target), step)):
        task = generator(world, rules, _at(original.spec, step)).attempt(original.index)
        if task:
            return replace(task, id=task_id(world, task, original.number), twin_of=original.id)
    raise UsageError(TaskFault.NO_TWIN, id=original.id, code=world.code)


def _at(spec: Spec, step: int) -> Spec:
    """Return a spec at another difficulty.

    The wanted difficulty goes into its seed: two originals that end at the same difficulty get different twins.
    """
    (target,) = spec.steps
    return spec if step == target else replace(spec, steps=(step,), seed=spec.seed * _STEPS + target)


class Twins:
    """Replaces twins that equal an original or an earlier twin, and counts those that differ from what was asked."""

    def __init__(self, world: World, rules: Rules, tasks: Collection[Task], twin_originals: Sequence[Original]) -> None:
        self._world = world
        self._rules = rules
        self._wanted = twin_originals
        # Digests instead of rows, because a set may have millions of tasks.
        self._seen = {content_digest(task.as_row()) for task in tasks}
        ids = {original.id for original in twin_originals}
        self._may_buy = any(task.mechanics.exchange == "world" for task in tasks if task.id in ids)
        self.moved = 0
        """The number of twins with another difficulty than their original."""
        self.copies = 0
        """The number of twins that still equal an original or another twin."""

    def rows(self, jobs: int) -> Generator[Mapping[str, Any]]:
        """Make all twins, and yield their rows."""
        with closing(make_rows(self._world, self._rules, twin, self._wanted, jobs)) as twin_rows:
            yield from self.told_apart(twin_rows)

    def told_apart(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of all twins; duplicates are replaced as far as the world has others."""
        for original, row in zip(self._wanted, rows, strict=True):
            other = self._new(original, row)
            self.moved += other["difficulty"] not in original.spec.steps
            yield other

    def notes(self) -> Iterator[str]:
        """Yield a sentence for each thing in which the twins differ from their originals; read it after the last."""
        counts = {
            "twins have another difficulty in the same bracket: the world has none nearer": self.moved,
            "twins equal an original or another twin: the world has no other tasks": self.copies,
        }
        yield from (f"{count} {what}." for what, count in counts.items() if count)
        if self._may_buy:
            yield "Some originals can buy everything at the exchange; their twins cannot, so they may be harder."

    def _new(self, original: Original, row: Mapping[str, Any]) -> Mapping[str, Any]:
        for again in range(1, _TRIES):
            if content_digest(row) not in self._seen:
                break
            # Far beyond the indices in use, so that the replacement is not the twin of another original.
            further = replace(original, index=original.index + again * _FAR)
            row = twin(self._world, self._rules, further).as_row()
        digest = content_digest(row)
        self.copies += digest in self._seen
        self._seen.add(digest)
        return row


def world_like(world: World, seed: int) -> World:
    """Return the remixed world of a seed that is as large as a world, in whole sizes of the classic one."""
    size = max(1, round(len(world.items) / CLASSIC_ITEMS))
    return load_world(f"remix:{seed}:{size}")


def fresh_twins(
    world: World, tasks: Collection[Task], task_ids: Sequence[str], seed: int, jobs: int
) -> tuple[dict[str, Task], list[str]]:
    """Return the twins of the chosen ones of some tasks by id, and a sentence for each thing in which they differ.

    The twin of a task does not depend on which others are chosen, unless twins had to be told apart. Raise UsageError
    for a task that can have no twin in the world.
    """
    rules = load_rules()
    by_id = {original.id: original for original in originals(tasks, seed)}
    originals_asked = [by_id[task_id] for task_id in task_ids]
    twins = Twins(world, rules, tasks, originals_asked)
    twin_tasks = [Task.from_row(row) for row in twins.rows(jobs)]
    return {task.id: task for task in twin_tasks}, list(twins.notes())
