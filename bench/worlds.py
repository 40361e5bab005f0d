"""What size costs: remixed worlds of a tenth to twenty times the classic one, and worlds in which more can be worn.

Each is made, loaded, searched for the smallest gear against some of its monsters, and asked for tasks. The first task
takes in what all later ones share.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bench.clock import timed
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.world_files import write_world
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.remix.remixed_world import remix
from herobench.task_gen.rpg.tasks.spec import Spec

SIZES = (0.1, 1.0, 5.0, 20.0)
MORE_SLOTS = (0, 2, 4, 6)
"""So many slots for artifacts more than the three that there are."""
SEED = 7
_MONSTERS = 25
"""Against so many monsters of each world gear is looked for."""
_TASKS = 9

rules = load_rules()


def measure() -> dict[str, float]:
    """Seconds by size and by slots, and what there is in the worlds."""
    figures: dict[str, float] = {}
    for size in SIZES:
        making, documents = timed(partial(remix, SEED, size))
        figures |= _named(f"size {size:g}", {"seconds, making": making, **_of(documents, size)})
    documents = remix(SEED)
    for more in MORE_SLOTS:
        figures |= _named(f"slots +{more}", _of(_roomier(documents, more), 1.0))
    return figures


def _named(name: str, figures: Mapping[str, float]) -> dict[str, float]:
    return {f"{name}, {figure}": value for figure, value in figures.items()}


def _roomier(documents: Mapping[str, Any], more: int) -> Mapping[str, Any]:
    """A world in which more artifacts can be worn."""
    about = documents["world"]
    added = [f"artifact{number}" for number in range(4, 4 + more)]
    return {**documents, "world": {**about, "slots": [*about["slots"], *added]}}


def _of(documents: Mapping[str, Any], size: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        write_world(Path(folder), documents)
        loading, world = timed(lambda: load_world(folder))
    step = len(world.monsters) // _MONSTERS + 1
    searches = [timed(partial(_smallest, world, code))[0] for code in list(world.monsters)[::step]]
    brackets = (1, 2, 3) if size < 1 else Spec().brackets
    generator = Generator(world, rules, Spec(brackets=brackets, kind="kill"))
    tasks = [timed(partial(generator.task, index))[0] for index in range(_TASKS)]
    return {
        "items": len(world.items),
        "monsters": len(world.monsters),
        "slots": len(gear_slots(world)),
        "seconds, loading": loading,
        "seconds, smallest gear, mean": sum(searches) / len(searches),
        "seconds, smallest gear, worst": max(searches),
        "seconds, first task": tasks[0],
        "seconds, later tasks, mean": sum(tasks[1:]) / len(tasks[1:]),
        "seconds, later tasks, worst": max(tasks[1:]),
    }


def _smallest(world: World, code: str) -> None:
    monster = world.monsters[code]
    search = GearSearch.of(world, rules, monster, HeroStart.bare(world, rules, monster.intended_level))
    assert search.smallest()
