"""The parts of a checkup, as data: what each asks, how its tasks come to be, and what an attempt takes.

To add a suite, add a row to `PARTS` and its steps to `STEPS`: nothing else knows the parts by name.

`chosen_tasks` turns a part and a number of tasks into the task choice of an ordinary run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from herobench.data.options import read_options
from herobench.data.rows import write_rows
from herobench.suite.checked import closing_suite, open_suite, read_tasks, suite_errors
from herobench.suite.contract import SuiteSetting, TaskInfo
from herobench.suite.generating import GenerateRequest, needed_generator
from herobench.work.engine import Each, Local

Card = Literal["horizon", "atoms", "groups"]
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Chosen:
    """Tasks of the suite's default set, or made like them, chosen by the verdicts so far: `run --until`."""

    lanes: tuple[str, ...]
    """The lanes in which the tasks are asked, such as `plan`. Each lane is a run of its own."""
    goal: str
    """The limit at which a run stops, such as `factor=2`. A run also stops at its number of tasks."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Tasks that the suite's generator makes, as many by each set of options."""

    draws: tuple[Mapping[str, str], ...]
    each: int
    """The number of tasks by each set of options."""
    thins: bool = True
    """True if a smaller budget makes fewer tasks by each set of options; False if it uses fewer sets of options."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """Tasks of a shipped set, or their private twins: as many of each group."""

    dataset: str
    fresh: Drawn | None = None
    """How private tasks are made, where twins of the shipped ones take much longer; None for twins."""


@dataclass(frozen=True, slots=True)
class MeanUsage:
    """The mean usage of an attempt: calls of the model, and tokens of prompts and of answers without thoughts."""

    calls: float
    prompt: float
    answer: float


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a checkup."""

    name: str
    """Its folder."""
    title: str
    suite: str
    measures: str
    """What it measures, in a few words."""
    source: Chosen | Shipped | Drawn
    card: Card = "groups"
    """How the page shows it: as the headline, as radars, or group by group."""
    unit: int = 1
    """The tasks that belong together: sizes are multiples of it."""
    options: Mapping[str, str] = field(default_factory=lambda: _NONE)
    """Settings of the suite."""
    chance: bool = False
    """Whether the player `random` is asked the same tasks, to mark chance on the page."""
    random_usage: MeanUsage = MeanUsage(1, 0, 0)
    """The mean usage of an attempt by the player that plays at random."""
    oracle_usage: MeanUsage = MeanUsage(1, 0, 0)
    """The mean usage of an attempt by the oracle."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The folders of its runs within that of the checkup."""
        if isinstance(self.source, Chosen):
            return tuple(f"{self.name}/{lane}" for lane in self.source.lanes)
        return (self.name,)


LENGTHS = ("6-7", "8-15", "16-31", "32-40")
"""The lengths of epoch levels. Levels with decay have 6 actions or more."""
WORLDS = (
    "dials", "bubbles", "couriers", "crane", "canal", "crossrays", "dice", "serpent", "swing", "fold", "scribe", "tray",
)  # fmt: skip
"""Environments of Autumn: of each category some, in which a challenge is made in seconds."""

PARTS = (
    Part(
        "horizon",
        "Horizon",
        "rpg",
        "how many decisions ahead the model plans, and what planning costs it",
        Chosen(("plan", "gear", "steps"), "factor=2"),
        card="horizon",
    ),
    Part(
        "questions",
        "Planning questions",
        "acp",
        "the atoms of planning in 13 domains, 25 of each of eight kinds",
        Shipped("acpbench-hard-v1", fresh=Drawn(({"task": "all", "domain": "all"},), 200)),
        card="atoms",
        unit=8,
        chance=True,
        random_usage=MeanUsage(1, 1475, 20),
        oracle_usage=MeanUsage(1, 1475, 38),
    ),
    Part(
        "epochs",
        "Epochs",
        "epoch",
        "consequences over time: levels with decay in four lengths",
        Drawn(tuple({"length": length, "decay": "on"} for length in LENGTHS), 12),
        unit=4,
        random_usage=MeanUsage(20, 77000, 326),
        oracle_usage=MeanUsage(19.1, 74300, 342),
    ),
    Part(
        "autumn",
        "Autumn",
        "autumn",
        "worlds whose rules must be learned: three tests in each of 12 environments",
        Drawn(tuple({"environment": world, "variants": "on"} for world in WORLDS), 3, thins=False),
        unit=3,
        options={"observation": "compact", "steps": "60", "total": "150"},
        random_usage=MeanUsage(130, 185000, 708),
        oracle_usage=MeanUsage(18, 22700, 101),
    ),
    Part(
        "discover",
        "Discover",
        "discover",
        "rules and facts that have to be found by acting, and a long plan in what was found",
        Shipped("discover-v4", fresh=Drawn(({},), 24)),
        unit=4,
        # players put many calls into a reply; a model that makes one in each takes about ten times the prompts
        random_usage=MeanUsage(3.9, 42500, 1270),
        oracle_usage=MeanUsage(3, 23800, 600),
    ),
)

STEPS: tuple[tuple[str, int], ...] = (
    ("horizon/plan", 40),
    ("questions", 80),
    ("horizon/plan", 80),
    ("epochs", 8),
    ("horizon/steps", 40),
    ("questions", 200),
    ("horizon/plan", 160),
    ("epochs", 24),
    ("autumn", 12),
    ("horizon/gear", 40),
    ("horizon/steps", 80),
    ("epochs", 48),
    ("autumn", 36),
    ("discover", 8),
    ("horizon/gear", 160),
    ("horizon/steps", 160),
    ("discover", 24),
)
"""Runs and their tasks in the order in which a budget takes them. A later step of a run makes it larger."""

PROMPTS: Mapping[str, Sequence[int]] = MappingProxyType(
    {
        "plan": (3510, 3630, 3840, 4520, 4980, 5460, 6320, 8040, 9630, 12130),
        "gear": (3670, 3830, 4110, 4880, 5450, 6200, 8130, 11010, 12370, 15910),
        "steps": (3650, 3870, 4250, 5290, 6280, 8130, 12220, 18800, 31840, 55680),
    }
)
"""The tokens of prompts of the horizon's tasks in each lane, by their length: 8, 16, 32 decisions and so on."""
LARGEST: Mapping[str, int] = MappingProxyType({"plan": 16_300, "gear": 19_300, "steps": 63_300})
"""The tokens of the largest prompt of the horizon's set in each lane. No other part has prompts as large."""
FIRST_LENGTH = 8
ANSWER_A_DECISION = 8.1
"""The tokens of a plan for each of its decisions."""
LADDER = (4.0, 4454.0, 360)
"""The shortest and the longest task of the horizon's set, and how many there are, evenly over the logarithm."""


def part_named(name: str, parts: Sequence[Part]) -> Part:
    """Return the part with a run of this name, or with this name."""
    return next(part for part in parts if name in (part.name, *part.runs))


_Thing = TypeVar("_Thing")
PUBLIC_SEED = 0
"""The seed of tasks that are drawn for a public checkup, because their suite ships too few."""
_NEVER = Event()


def chosen_tasks(
    run: str, size: int, parts: Sequence[Part], seed: int | None, folder: Path, jobs: int, stop: Event = _NEVER
) -> dict[str, Any]:
    """Return the entries of a run's request that choose its tasks: `size` of them, private ones by the seed.

    Tasks that a generator makes are written into a folder. Without a seed they are those that everyone can have. Raise
    CancelledError if they are no longer wanted before all are made.
    """
    part = part_named(run, parts)
    common: dict[str, Any] = {"suite": part.suite, "options": dict(part.options)}
    fresh = {} if seed is None else {"fresh": seed}
    match part.source:
        case Chosen(goal=goal):
            lane = run.rpartition("/")[2]
            common["options"] |= {"lane": lane}
            until = f"{goal},tasks={size},longest={LADDER[1]:g}"
            return {**common, **fresh, "until": until}
        case Drawn() as source:
            file = _written(part, source, size, PUBLIC_SEED if seed is None else seed, folder, jobs, stop)
            return {**common, "tasks": file}
        case Shipped(fresh=Drawn() as source) if seed is not None:
            return {**common, "tasks": _written(part, source, size, seed, folder, jobs, stop)}
        case Shipped(dataset=dataset):
            ids = tuple(task.id for task in _shipped(part, dataset, size))
            return {**common, "dataset": dataset, "task_ids": ids, **fresh}


def evenly(things: Sequence[_Thing], count: int) -> list[_Thing]:
    """Return `count` of some things, spread evenly over their order; all if there are fewer."""
    count = min(count, len(things))
    return [things[number * len(things) // count] for number in range(count)]


def _shipped(part: Part, dataset: str, size: int) -> list[TaskInfo]:
    """Return tasks of a set, as many of each group."""
    with closing_suite(open_suite(part.suite, SuiteSetting(dataset, options=part.options))) as suite:
        tasks = read_tasks(suite)
    groups: dict[str | None, list[TaskInfo]] = {}
    for task in tasks:
        groups.setdefault(task.group, []).append(task)
    return [task for own in groups.values() for task in evenly(own, size // len(groups))]


class MadeAhead:
    """Makes the tasks of later runs while the earlier ones are asked, in their order. Close it at the end."""

    def __init__(self, choose: Callable[[str, Event], dict[str, Any]], runs: Iterable[str]) -> None:
        """`choose` is `chosen_tasks` for a run."""
        self._choose, self._stop = choose, Event()
        self._thread = ThreadPoolExecutor(1, "making")
        self._made = {run: self._thread.submit(choose, run, self._stop) for run in runs}

    def choose(self, run: str) -> dict[str, Any]:
        """Return the choice of a run's tasks, when they are made."""
        return self._made[run].result() if run in self._made else self._choose(run, self._stop)

    def close(self) -> None:
        """End when the task is made that is being made."""
        self._stop.set()
        self._thread.shutdown(cancel_futures=True)


def is_made(part: Part, seed: int | None) -> bool:
    """Return whether a generator makes the tasks of a part before its run begins."""
    return isinstance(part.source, Drawn) or (
        isinstance(part.source, Shipped) and part.source.fresh is not None and seed is not None
    )


def _written(part: Part, source: Drawn, size: int, seed: int, folder: Path, jobs: int, stop: Event) -> Path:
    """Make tasks by the suite's generator if that was not done yet, and return their file."""
    file = folder / f"{part.name}.jsonl"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        write_rows(file, _drawn(part, source, size, seed, jobs, stop))
    return file


def _drawn(part: Part, source: Drawn, size: int, seed: int, jobs: int, stop: Event) -> list[Mapping[str, Any]]:
    """Make tasks by the suite's generator. A smaller part has the first ones of a larger part."""
    draws = source.draws if source.thins else source.draws[: size // source.each]
    each = size // len(source.draws) if source.thins else source.each
    generator = needed_generator(part.suite)
    orders: list[partial[Mapping[str, Any]]] = []
    rows: list[Mapping[str, Any]] = []
    for place, texts in enumerate(draws):
        request = GenerateRequest(read_options(generator.options, texts), seed, each, jobs, tuple(texts))
        with suite_errors(part.suite, "numbered"):
            made = generator.numbered(request)
        if made is None:
            rows += generator.make(request).rows
        else:
            # the numbers differ over the draws, and with them the ids
            orders += [partial(made.make, place * source.each + number) for number in range(each)]
    with closing(Local(jobs).results(Each(_called, worth=2), orders)) as made_rows:
        for row in made_rows:
            if stop.is_set():
                raise CancelledError
            rows.append(row)
    return rows


def _called(order: partial[Mapping[str, Any]]) -> Mapping[str, Any]:
    return order()
