"""What a plan costs in the sandbox, replay included: as loops, unrolled, and many at once."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

from bench.clock import seconds
from bench.tasks import gathering_task
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.bounds import PlanBudget
from herobench.suites.rpg.worlds.content import load_rules, load_world

LOOPS = """
move("Hero", 2, 0)
for _ in range(240):
    gather("Hero")
move("Hero", 1, 5)
for _ in range(30):
    craft("Hero", "copper", 1)
move("Hero", 0, 1)
for _ in range(27):
    fight("Hero")
"""


def _unrolled() -> str:
    """The same 300 actions, each on a line of its own."""
    lines = ['move("Hero", 2, 0)', *['gather("Hero")'] * 240, 'move("Hero", 1, 5)']
    lines += [*['craft("Hero", "copper", 1)'] * 30, 'move("Hero", 0, 1)', *['fight("Hero")'] * 27]
    return "\n".join(lines)


def measure() -> dict[str, float]:
    """Milliseconds a plan, plans a second, nanoseconds a tick."""
    world = load_world()
    task = gathering_task(world)
    figures: dict[str, float] = {}
    with Sandbox(world, load_rules()) as sandbox:
        for name, plan in (("loops", LOOPS), ("unrolled", _unrolled())):
            assert len(sandbox.execute(task, plan).events) == 300
            figures[f"milliseconds for 300 actions, {name}"] = 1e3 * seconds(
                lambda p=plan: sandbox.execute(task, p), 25
            )
    for workers in sorted({1, os.cpu_count() or 1}):
        figures[f"plans a second, {workers} workers"] = _throughput(workers, task)
    figures["nanoseconds a tick"] = _tick()
    return figures


def _throughput(workers: int, task: Task, plans: int = 1500) -> float:
    world = load_world()
    with Sandbox(world, load_rules(), workers=workers) as sandbox, ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda _: sandbox.execute(task, LOOPS), range(workers * 4)))
        start = time.perf_counter()
        list(pool.map(lambda _: sandbox.execute(task, LOOPS), range(plans)))
        return plans / (time.perf_counter() - start)


def _tick(ticks: int = 200_000) -> float:
    tick = PlanBudget(Limits(steps=10**9)).tick

    def run() -> None:
        for _ in range(ticks):
            tick()

    return seconds(run) / ticks * 1e9
