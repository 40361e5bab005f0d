"""Makes the private twins that `herobench run --fresh` asks in place of the chosen tasks. The suite calls it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import closing

from herobench.rpg.content import load_rules, load_world
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.remix.blueprint import CLASSIC_ITEMS
from herobench.task_gen.stream import processes, rows_of
from herobench.task_gen.twin_tasks import Twins, originals, twin


def world_like(world: World, seed: int) -> World:
    """Return the remixed world of a seed that is as large as a world, in whole sizes of the classic one."""
    size = max(1, round(len(world.items) / CLASSIC_ITEMS))
    return load_world(f"remix:{seed}:{size}")


def fresh_twins(
    world: World, tasks: Collection[Task], chosen: Sequence[str], seed: int, jobs: int
) -> tuple[dict[str, Task], list[str]]:
    """Return the twins of the chosen ones of some tasks by id, and a sentence for each thing in which they differ.

    The twin of a task does not depend on which others are chosen, unless twins had to be told apart. Raise UsageError
    for a task that can have no twin in the world.
    """
    rules = load_rules()
    by_id = {original.id: original for original in originals(tasks, seed)}
    wanted = [by_id[task_id] for task_id in chosen]
    twins = Twins(world, rules, tasks, wanted)
    with closing(rows_of(world, rules, twin, wanted, processes(len(wanted), jobs))) as rows:
        made = [Task.from_row(row) for row in twins.told_apart(rows)]
    return {task.id: task for task in made}, twins.notes()
