"""Ten thousand plans in a row, one in five hostile, on all cores: what they cost, and whether anything stays behind."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from herobench.sandbox import Sandbox
from herobench.suites.rpg.play.execution import FileAnswer, score_answers
from herobench.suites.rpg.worlds.content import load_rules, load_world
from tests.bench.plans import LOOPS
from tests.bench.tasks import gathering_task
from tests.builders import SHARED

_PLANS = 10_000
_WARM = 1_000
_HOSTILE: tuple[str, ...] = ("while True: pass", "import os", "x = [0]\nwhile True: x += x", "def f(): f()\nf()")


def measure() -> dict[str, float]:
    """Plans a second, what is left of processes, descriptors and memory, and verdicts that changed."""
    if not Path("/proc/self").is_dir():
        return {}
    world, cores = load_world(), os.cpu_count() or 1
    task = gathering_task(world)
    before, descriptors = 0.0, _descriptors()
    verdicts: dict[str, set[tuple[object, ...]]] = {}
    start = time.perf_counter()
    plans = list(_plans())
    answers = (FileAnswer(task.id, number, plan, None, None) for number, plan in enumerate(plans))
    with Sandbox(world, load_rules(), workers=cores) as sandbox:
        for number, row in enumerate(score_answers(sandbox, {task.id: task}, answers, cores)):
            seen = (row["outcome"], row["score"], row["ended"], row["end_kind"], row["end_line"])
            verdicts.setdefault(plans[number], set()).add(seen)
            if number == _WARM:
                before = _megabytes()
    took = time.perf_counter() - start
    wrong = sum(len(seen) > 1 or (plan != LOOPS and next(iter(seen))[0] == "win") for plan, seen in verdicts.items())
    return {
        "seconds": took,
        "plans a second": _PLANS / took,
        "distinct plans": len(verdicts),
        "plans with a wrong or changing verdict": wrong,
        "descriptors left over": _descriptors() - descriptors,
        "processes left over": _children(),
        f"megabytes after {_WARM} plans": before,
        f"megabytes after {_PLANS} plans": _megabytes(),
    }


def _plans() -> Iterator[str]:
    file = SHARED / "sandbox" / "attacks.jsonl"
    hostile = _HOSTILE
    if file.is_file():
        hostile = tuple(json.loads(line)["code"] for line in file.read_text("utf-8").splitlines())
    attacks = cycle(hostile)
    return islice((next(attacks) if number % 5 == 0 else LOOPS for number in range(_PLANS)), _PLANS)


def _megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _children() -> int:
    tasks = Path("/proc/self/task").iterdir()
    return sum(len((task / "children").read_text().split()) for task in tasks if (task / "children").exists())
