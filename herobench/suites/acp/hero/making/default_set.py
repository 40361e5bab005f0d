"""Makes the set that is shipped: a question of each kind about every third task of the dataset base.

`python -m herobench.suites.acp.hero.making.default_set` writes it to world_data/acp.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path

from herobench.rpg.content import load_rules
from herobench.suites.acp.hero.making.make import questions_about
from herobench.suites.acp.hero.making.source import unfit
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.suites.acp.hero.shipped import FILE
from herobench.task_gen.datasets import shipped_tasks, world_of

DATASET = "base-v2"
"""The RPG tasks that are asked about."""
_EVERY = 3
_SEED = 1


def default_questions() -> Iterator[HeroQuestion]:
    """Yield the questions of the set in their order."""
    world, rules = world_of(None, DATASET), load_rules()
    tasks = (task for task in shipped_tasks(DATASET).values() if not unfit(world, task.rules(rules), task))
    return questions_about(world, list(tasks)[::_EVERY], seed=_SEED)


def as_file(questions: Iterator[HeroQuestion]) -> bytes:
    """Return questions as a shipped file."""
    rows = (json.dumps(question.as_row(), ensure_ascii=False, separators=(",", ":")) for question in questions)
    return lzma.compress("".join(f"{row}\n" for row in rows).encode(), preset=9)


if __name__ == "__main__":
    folder = Path(__file__).parents[5] / "world_data" / "acp"
    (folder / FILE).write_bytes(as_file(default_questions()))
