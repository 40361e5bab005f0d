"""The generator of the RPG behind the contract of generators, so that programs make tasks as the command line does.

`herobench generate` has more options; these are what other tools turn: how hard, how long, what is told.
"""

from __future__ import annotations

import os
from typing import get_args

from herobench.generating import GeneratorOption, Made, Numbered, Request
from herobench.ranges import brackets_of, least_and_most
from herobench.rpg.content import load_rules, load_world
from herobench.rpg.task import KnowledgeLevel, PlanTrack
from herobench.task_gen.numbered import numbered_tasks, tasks_by_options
from herobench.task_gen.spec import KindWish, Spec
from herobench.task_gen.stream import processes, task_rows

_COUNT = 20
"""How many tasks are made when no number is given."""


def _decisions(text: str) -> tuple[int, int]:
    found = least_and_most(text)
    if found is None:
        raise ValueError("give a number such as 100, or the least and the most such as 4-400")
    return found


def _noise(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ValueError("give a number of items such as 5")
    return int(text)


def _kind(text: str) -> str:
    return _one_of(text, get_args(KindWish))


def _knowledge(text: str) -> str:
    return _one_of(text, get_args(KnowledgeLevel))


def _track(text: str) -> str:
    return _one_of(text, get_args(PlanTrack))


def _one_of(text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise ValueError(f"give one of {', '.join(known)}")
    return text


class TaskMaker:
    """Makes certified tasks in the classic world."""

    options = (
        GeneratorOption("difficulty", "Brackets, such as 9, 1-9 or 1,3,5-7; they take turns.", "1-9", "N", brackets_of),
        GeneratorOption("decisions", "Campaigns of so many decisions.", None, "N|N-M", _decisions, is_length=True),
        GeneratorOption("kind", "kill, craft or mixed.", "mixed", read=_kind),
        GeneratorOption("knowledge", "What is told: exact, decoys or world.", "exact", read=_knowledge),
        GeneratorOption("noise", "Tell N more items that cannot be made.", "0", "N", _noise),
        GeneratorOption("plan", "What plans may hold: straight or program.", "program", read=_track),
        GeneratorOption("stochastic", "Drops fall by chance.", is_flag=True),
    )

    by_options = staticmethod(tasks_by_options)

    def make(self, request: Request) -> Made:
        """Make tasks. Raise UsageError for options that contradict each other."""
        count = request.count or _COUNT
        jobs = processes(count, request.jobs or os.cpu_count())
        return Made(count, task_rows(load_world(), load_rules(), _spec(request), range(count), jobs))

    def numbered(self, request: Request) -> Numbered:
        """Return the same tasks by their numbers."""
        return numbered_tasks(load_world(), load_rules(), _spec(request), range(request.count or _COUNT))


def _spec(request: Request) -> Spec:
    given = request.values
    return Spec(
        seed=request.seed,
        brackets=given["difficulty"],
        **{name: given[name] for name in ("decisions", "kind", "knowledge", "noise", "plan", "stochastic")},
    )
