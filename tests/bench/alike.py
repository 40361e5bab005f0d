"""Tell impossible tasks from solvable ones by what can be seen of their prompts: `python -m tests.bench.alike TASKS`.

A classifier learns from counts of records, lengths, levels, names, closed places by kind, level and position, and from
what the hero could still make: for each type of gear, and of what he wears. It is cross-validated, so its AUC says how
much the prompts of a set give away: 0.5 is nothing. It is given without names and with them: with enough tasks of one
world, names teach what its things are needed for. Give the same set with all tasks solvable and with all impossible as
two files, and the two forms of a task are judged by what was learned from others.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.tasks.spec import to_bracket

Array = NDArray[np.float64]
FOLDS, REPEATS = 5, 3
_KINDS = ("monster", "resource", "workshop")
_NAMED = "name: "
"""The beginning of features that are names. Trees that see them can learn what a world's tasks need."""
_FOLLOWED = "followed: "
"""The beginning of features that take following the recipes, which is a part of a plan."""


def seen(world: World, task: Task, prompt: str) -> Mapping[str, float]:
    """Return what can be seen of a prompt without planning anything, as numbers by name."""
    features: dict[str, float] = {"characters": len(prompt), "is_kill": task.kind == "kill"}
    for section in prompt.split("\n## ")[1:]:
        heading = section.partition("\n")[0]
        records = [json.loads(line) for line in section.splitlines() if line.startswith("{")]
        features |= {f"records of {heading}": len(records), f"characters of {heading}": len(section)}
    places = [json.loads(line) for line in prompt.splitlines() if line.startswith("{") and '"content"' in line]
    hero = task.hero
    target = world.monsters[task.target] if task.kind == "kill" else world.items[task.target]
    features |= {"hero level": hero.combat[0], "hero health": hero.stats["hp"], "target level": target.level}
    features |= {"worn": len(hero.worn), "bracket": to_bracket(task.difficulty), "difficulty": task.difficulty}
    features |= {f"{_NAMED}target {task.target}": 1, **{f"{_NAMED}wears {code}": 1 for code in hero.worn.values()}}
    features |= {f"skill {number}": progress[0] for number, progress in enumerate(hero.skills.values())}
    features |= {f"{_NAMED}target {task.target} at level {hero.combat[0]}": 1}
    features |= dict(_closed(world, task, places))
    features |= {f"{_FOLLOWED}{name}": figure for name, figure in _still_made(world, task)}
    return features


def _closed(world: World, task: Task, places: list[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    closed = [(number, place) for number, place in enumerate(places) if place.get("closed")]
    for _, place in closed:
        yield f"{_NAMED}closed {place['content']['code']}", 1
    yield "closed", len(closed)
    yield "closed, mean position", fmean([number for number, _ in closed])
    for axis in ("x", "y"):
        yield f"closed, mean {axis}", fmean([place[axis] for _, place in closed])
    for kind in _KINDS:
        found = [place["content"]["code"] for _, place in closed if place["content"]["type"] == kind]
        things = {"monster": world.monsters, "resource": world.resources}.get(kind, {})
        levels = [things[code].level for code in set(found) if code in things] or [0]
        yield f"closed {kind}s", len(found)
        yield f"closed {kind}s, different", len(set(found))
        for name, figure in (("mean", fmean(levels)), ("least", min(levels)), ("most", max(levels))):
            yield f"closed {kind}s, {name} level", figure
            yield f"closed {kind}s, {name} level above the hero", figure - task.hero.combat[0]


def _still_made(world: World, task: Task) -> Iterator[tuple[str, float]]:
    """Yield what the hero could make with all that stands open, were he to win every other fight."""
    makeable, level = _makeable(world, task), task.hero.combat[0]
    yield "makeable", len(makeable)
    yield "makeable of what is worn", sum(code in makeable for code in task.hero.worn.values())
    empty = Counter(slot_type(slot) for slot in gear_slots(world) if slot not in task.hero.worn)
    gains = 0
    for kind in dict.fromkeys(map(slot_type, gear_slots(world))):
        gear = [item for item in world.items.values() if item.type == kind and item.level <= level]
        made = [item.level for item in gear if item.code in makeable]
        not_made = [item.level for item in gear if item.code not in makeable]
        worn = [task.hero.worn.get(slot) for slot in gear_slots(world) if slot_type(slot) == kind]
        poorest = min(world.items[code].level if code else 0 for code in worn)
        gain = max(max(made, default=0) - poorest, 0)
        gains += gain
        yield f"{kind}, empty slots", empty[kind]
        yield f"{kind}, makeable", len(made)
        yield f"{kind}, makeable for empty slots", len(made) * empty[kind]
        yield f"{kind}, best level", max(made, default=0)
        yield f"{kind}, best level that is out of reach", max(not_made, default=0)
        yield f"{kind}, gain in level", gain
    yield "gain in level", gains


def _makeable(world: World, task: Task) -> set[Code]:
    closed = set(task.mechanics.closed)
    standing = {tile.content for place, tile in world.tiles.items() if tile.content and place not in closed}
    skills = {skill: progress[0] for skill, progress in task.hero.skills.items()}
    nodes = [world.resources[code] for kind, code in standing if kind == "resource"]
    prey = [world.monsters[code] for kind, code in standing if kind == "monster" and code != task.target]
    found = {drop.item for node in nodes if skills[node.skill] >= node.level for drop in node.drops}
    found |= {drop.item for monster in prey for drop in monster.drops}
    recipes = {code: item.recipe for code, item in world.items.items() if item.recipe}
    open_shops = {code for kind, code in standing if kind == "workshop"}
    able = {code: r for code, r in recipes.items() if r.skill in open_shops and skills[r.skill] >= r.level}
    while more := {code for code, r in able.items() if r.ingredients.keys() <= found} - found:
        found |= more
    return found


# -- the classifier ---------------------------------------------------------------------------------------------------

CLASSIFIERS = {
    "boosted trees": HistGradientBoostingClassifier(max_iter=120, learning_rate=0.06, random_state=0),
    "random forest": RandomForestClassifier(300, min_samples_leaf=2, random_state=0),
}


def cross_validated(model: Any, values: Array, labels: Array, groups: Sequence[int], seed: int) -> float:
    """Return the AUC of predictions for rows by a model that has seen no row of their groups."""
    folds = np.random.default_rng(seed).permutation(max(groups) + 1)[list(groups)] % FOLDS
    told = np.zeros(len(labels))
    for fold in range(FOLDS):
        learnt = folds != fold
        told[~learnt] = model.fit(values[learnt], labels[learnt]).predict_proba(values[~learnt])[:, 1]
    return float(roc_auc_score(labels, told))


def main(files: Sequence[Path], world_name: str) -> None:
    world, rules = load_world(world_name), load_rules()
    known = [task for path in files for task in load_tasks(path, world).values()]
    rows = [seen(world, task, render_prompt(world, task, rules)) for task in known]
    labels = np.array([task.impossible is not None for task in known], dtype=float)
    print(f"{len(known)} tasks, {labels.mean():.1%} impossible; AUC, {FOLDS} folds, {REPEATS} times")
    numbers: dict[str, int] = {}
    pairs = [numbers.setdefault(task.id, len(numbers)) for task in known]
    named = sorted({name for row in rows for name in row})
    counts = [name for name in named if not name.startswith((_NAMED, _FOLLOWED))]
    sets = {
        "counts": counts,
        "counts and names": [name for name in named if not name.startswith(_FOLLOWED)],
        "counts and recipes": [name for name in named if not name.startswith(_NAMED)],
        "all": named,
    }
    for title, names in sets.items():
        values = np.array([[row.get(name, 0) for name in names] for row in rows], dtype=float)
        for folding, groups in ("tasks", range(len(known))), ("pairs", pairs):
            if folding == "tasks" or len(numbers) < len(known):
                for kind, model in CLASSIFIERS.items():
                    found = [cross_validated(model, values, labels, groups, seed) for seed in range(REPEATS)]
                    each = ", ".join(f"{figure:.3f}" for figure in found)
                    print(f"{title}, {len(names)} features, folds of {folding}, {kind}: {fmean(found):.3f} ({each})")
        alone = {name: float(roc_auc_score(labels, column)) for name, column in zip(names, values.T, strict=True)}
        for name in sorted(alone, key=lambda name: -abs(alone[name] - 0.5))[:5]:
            print(f"  {name}: {alone[name]:.3f} alone")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="+", type=Path, help="files of tasks of one world")
    parser.add_argument("--world", default="classic")
    options = parser.parse_args()
    # On small tables, threads that wait for each other take far longer than the work.
    with threadpool_limits(limits=1):
        main(options.tasks, options.world)
