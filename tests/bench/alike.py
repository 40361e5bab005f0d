"""Tell impossible tasks from solvable ones by what can be seen of their prompts: `python -m tests.bench.alike TASKS`.

A classifier learns from counts of records, lengths, levels, names, and closed places by kind, level and position. It is
cross-validated, so its AUC says how much the prompts of a set give away: 0.5 is nothing. It is given without names and
with them: with enough tasks of one world, names teach what its things are needed for. The boosted trees on binned
features are written out here, as scikit-learn is no dependency.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from herobench.prompts.render import render_prompt
from herobench.rpg.content import load_rules, load_world
from herobench.rpg.task import Task
from herobench.rpg.task_file import load_tasks
from herobench.rpg.world import World
from herobench.task_gen.difficulty import bracket_of

Array = NDArray[np.float64]
FOLDS = 5
_TREES, _DEPTH, _RATE, _BINS, _LEAST = 120, 3, 0.06, 16, 15
_KINDS = ("monster", "resource", "workshop")
_NAMED = "name: "
"""The beginning of features that are names. Trees that see them can learn what a world's tasks need."""


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
    features |= {"worn": len(hero.worn), "bracket": bracket_of(task.difficulty), "difficulty": task.difficulty}
    features |= {f"{_NAMED}target {task.target}": 1, **{f"{_NAMED}wears {code}": 1 for code in hero.worn.values()}}
    features |= {f"skill {number}": progress[0] for number, progress in enumerate(hero.skills.values())}
    features |= dict(_closed(world, task, places))
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


# -- the classifier ---------------------------------------------------------------------------------------------------


def cross_validated(values: Array, labels: Array, seed: int = 0) -> Array:
    """Return the prediction for each row by trees that have not seen it."""
    folds = np.random.default_rng(seed).permutation(len(labels)) % FOLDS
    told = np.zeros(len(labels))
    edges = [np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1])) for column in values.T]
    bins = np.stack([np.searchsorted(edge, column) for edge, column in zip(edges, values.T, strict=True)], axis=1)
    for fold in range(FOLDS):
        learnt = folds != fold
        score = np.zeros(len(labels))
        for _ in range(_TREES):
            chance = 1 / (1 + np.exp(-score))
            score += _RATE * _tree(bins, labels - chance, chance * (1 - chance), learnt, np.arange(len(labels)), _DEPTH)
        told[folds == fold] = score[folds == fold]
    return told


def _tree(
    bins: NDArray[Any], gain: Array, weight: Array, learnt: NDArray[Any], rows: NDArray[Any], depth: int
) -> Array:
    """Return what a tree adds to the score of each row, grown on those that are learnt from."""
    added = np.zeros(len(bins))
    own = rows[learnt[rows]]
    split = _best_split(bins[own], gain[own], weight[own]) if depth else None
    if split is None:
        added[rows] = gain[own].sum() / (weight[own].sum() + 1)
        return added
    column, limit = split
    low = bins[rows, column] <= limit
    return sum((_tree(bins, gain, weight, learnt, part, depth - 1) for part in (rows[low], rows[~low])), added)


def _best_split(bins: NDArray[Any], gain: Array, weight: Array) -> tuple[int, int] | None:
    best, found = gain.sum() ** 2 / (weight.sum() + 1), None
    for column in range(bins.shape[1]):
        sums, weights, counts = (
            np.bincount(bins[:, column], of, _BINS).cumsum() for of in (gain, weight, np.ones(len(gain)))
        )
        worth = sums**2 / (weights + 1) + (sums[-1] - sums) ** 2 / (weights[-1] - weights + 1)
        worth[(counts < _LEAST) | (counts[-1] - counts < _LEAST)] = -1
        if worth.max() > best:
            best, found = worth.max(), (column, int(worth.argmax()))
    return found


def auc(labels: Array, told: Array) -> float:
    """Return the chance that an impossible task is told to be one rather than a solvable one; ties count half."""
    order = np.argsort(told, kind="stable")
    _, number, counts = np.unique(told[order], return_inverse=True, return_counts=True)
    ranks = np.empty(len(told))
    ranks[order] = (np.cumsum(counts) - (counts - 1) / 2)[number]
    ones = labels.sum()
    return float((ranks[labels == 1].sum() - ones * (ones + 1) / 2) / (ones * (len(labels) - ones)))


def main(tasks: Path, world_name: str = "classic") -> None:
    world, rules = load_world(world_name), load_rules()
    known = list(load_tasks(tasks, world).values())
    rows = [seen(world, task, render_prompt(world, task, rules)) for task in known]
    labels = np.array([task.impossible is not None for task in known], dtype=float)
    print(f"{len(known)} tasks, {labels.mean():.1%} impossible; AUC of boosted trees, {FOLDS} folds, three times")
    named = sorted({name for row in rows for name in row})
    for title, names in (("without names", [n for n in named if not n.startswith(_NAMED)]), ("with names", named)):
        values = np.array([[row.get(name, 0) for name in names] for row in rows], dtype=float)
        figures = [auc(labels, cross_validated(values, labels, seed)) for seed in range(3)]
        print(f"{title}, {len(names)} features: {fmean(figures):.3f} ({', '.join(f'{f:.3f}' for f in figures)})")
        alone = {name: auc(labels, column) for name, column in zip(names, values.T, strict=True)}
        for name in sorted(alone, key=lambda name: -abs(alone[name] - 0.5))[:5]:
            print(f"  {name}: {alone[name]:.3f} alone")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
