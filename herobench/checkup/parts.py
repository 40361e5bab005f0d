"""The parts of a checkup, as data: what each asks, how its tasks come to be, and what an attempt takes.

To add a suite, add a row to `PARTS` and its steps to `STEPS`: nothing else knows the parts by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Card = Literal["horizon", "atoms", "plans", "groups"]
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
    """Tasks of a shipped set, or their private twins: as many of each group, or all that share some values of a field.

    These are in the middle of the set, which has its tasks by difficulty.
    """

    dataset: str
    field: str | None = None
    """The field of the tasks' rows whose values are chosen, of those that have a task in each group."""
    fresh: Drawn | None = None
    """How private tasks are made, where twins of the shipped ones take much longer; None for twins."""


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """The tasks of a shipped set, or their private twins, that another part asks about."""

    dataset: str
    part: str
    """The name of that part, which has the field that names them."""


@dataclass(frozen=True, slots=True)
class Toll:
    """What an attempt takes, on average: calls of the model, and tokens of prompts and of answers without thoughts."""

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
    source: Chosen | Shipped | AskedAbout | Drawn
    card: Card = "groups"
    """How the page shows it: as the headline, as radars, as the plans of a diagnosis, or group by group."""
    unit: int = 1
    """The tasks that belong together: sizes are multiples of it."""
    options: Mapping[str, str] = field(default_factory=lambda: _NONE)
    """Settings of the suite."""
    chance: bool = False
    """Whether the player `random` is asked the same tasks, to mark chance on the page."""
    lost: Toll = Toll(1, 0, 0)
    """What an attempt takes of a model that plays at random."""
    won: Toll = Toll(1, 0, 0)
    """What an attempt takes of the oracle."""

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
        lost=Toll(1, 1475, 20),
        won=Toll(1, 1475, 38),
    ),
    Part(
        "hero",
        "Questions about the hero's world",
        "acp",
        "the same eight atoms in the world of the long plans, about 25 tasks",
        Shipped("hero-v3", "rpg_task"),
        card="atoms",
        unit=8,
        chance=True,
        lost=Toll(1, 3750, 12),
        won=Toll(1, 3750, 12),
    ),
    Part(
        "plans",
        "Plans for the same tasks",
        "rpg",
        "whole plans for the tasks that these questions are about, to see which atom predicts lost plans",
        AskedAbout("base-v2", "hero"),
        card="plans",
        lost=Toll(1, 4620, 317),
        won=Toll(1, 4620, 317),
    ),
    Part(
        "epochs",
        "Epochs",
        "epoch",
        "consequences over time: levels with decay in four lengths",
        Drawn(tuple({"length": length, "decay": "on"} for length in LENGTHS), 12),
        unit=4,
        lost=Toll(20, 77000, 326),
        won=Toll(19.1, 74300, 342),
    ),
    Part(
        "autumn",
        "Autumn",
        "autumn",
        "worlds whose rules must be learned: three tests in each of 12 environments",
        Drawn(tuple({"environment": world, "variants": "on"} for world in WORLDS), 3, thins=False),
        unit=3,
        options={"observation": "compact", "steps": "60", "total": "150"},
        lost=Toll(130, 185000, 708),
        won=Toll(18, 22700, 101),
    ),
    Part(
        "discover",
        "Discover",
        "discover",
        "rules and facts that have to be found by acting, and a long plan in what was found",
        Shipped("discover-v2", fresh=Drawn(({},), 24)),
        unit=4,
        # players put many calls into a reply; a model that makes one in each takes about ten times the prompts
        lost=Toll(3.2, 25000, 1080),
        won=Toll(3, 16900, 190),
    ),
)

STEPS: tuple[tuple[str, int], ...] = (
    ("horizon/plan", 40),
    ("questions", 80),
    ("horizon/plan", 80),
    ("hero", 80),
    ("plans", 10),
    ("epochs", 8),
    ("horizon/steps", 40),
    ("questions", 200),
    ("horizon/plan", 160),
    ("hero", 200),
    ("plans", 25),
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
