"""Make private twins: for each task another one like it, in the same world. `herobench run --fresh` asks them.

A twin has the difficulty, kind, knowledge and mechanics of its original, and is drawn from another seed. The suite
tells it under opaque names, so nothing helps that a model knows by heart of the task or of the world's things. Two
tasks are equal when their rows are equal except id, seed, proofs and twin_of.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task, bracket_steps, to_bracket
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.task_maker import WORTH, generator, task_id
from herobench.task_gen.rpg.tasks.spec import DROP_SCALE, Spec
from herobench.work.engine import Each, Local

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


def fresh_twins(
    world: World, tasks: Collection[Task], task_ids: Sequence[str], seed: int, jobs: int
) -> tuple[dict[str, Task], list[str]]:
    """Return the twins of the chosen ones of some tasks by id, and a sentence for each thing in which they differ.

    The twin of a task does not depend on which others are chosen, unless twins had to be told apart. Raise UsageError
    for a task that can have no twin in the world.
    """
    rules = load_rules()
    by_id = {original.id: original for original in originals(tasks, seed)}
    chosen = [by_id[task_id] for task_id in task_ids]
    seen = {content_digest(task.as_row()) for task in tasks}
    twins: list[Task] = []
    moved = copies = 0
    rows = Local(jobs).results(Each(partial(_twin_row, world, rules), worth=WORTH), chosen)
    for original, row in zip(chosen, rows, strict=True):
        unique_row = _unlike(world, rules, original, row, seen)
        digest = content_digest(unique_row)
        moved += unique_row["difficulty"] not in original.spec.steps
        copies += digest in seen
        seen.add(digest)
        twins.append(Task.from_row(unique_row))
    may_buy = any(task.mechanics.exchange == "world" for task in tasks if task.id in set(task_ids))
    return {task.id: task for task in twins}, list(_notes(moved, copies, may_buy))


def _twin_row(world: World, rules: Rules, original: Original) -> Mapping[str, Any]:
    return twin(world, rules, original).as_row()


def _unlike(
    world: World, rules: Rules, original: Original, row: Mapping[str, Any], seen: Collection[bytes]
) -> Mapping[str, Any]:
    """Return the row of a twin, or of a later one if an equal task was seen. After some tries the last one stays."""
    for again in range(1, _TRIES):
        if content_digest(row) not in seen:
            break
        # Far beyond the indices in use, so that the replacement is not the twin of another original.
        row = _twin_row(world, rules, replace(original, index=original.index + again * _FAR))
    return row


def _notes(moved: int, copies: int, may_buy: bool) -> Iterator[str]:
    """Yield a sentence for each thing in which twins differ from their originals."""
    if moved:
        yield f"{moved} twins have another difficulty in the same bracket: the world has none nearer."
    if copies:
        yield f"{copies} twins equal an original or another twin: the world has no other tasks."
    if may_buy:
        yield "Some originals can buy everything at the exchange; their twins cannot, so they may be harder."
