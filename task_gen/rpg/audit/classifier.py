"""The learned classifier: boosted trees that tell needed items from decoys by their visible features.

Cross-validated over tasks: the guesses for a task come from trees that were trained on other tasks of its group. They
give an order of sets to a player, and an AUC: the share of pairs of a needed item and a decoy of one type and task in
which the needed item is rated higher, with ties as halves. 0.5 means that nothing leaks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Item, World, slot_type
from herobench.task_gen.rpg.audit.case import AuditGroup
from herobench.task_gen.rpg.audit.journey import ToldItems
from herobench.task_gen.rpg.tasks.noise import power

NUMBERS = (
    "level", "level_below_hero", "level_below_target", "power", "effects", "place_in_prompt", "place_in_type", "work",
    "depth", "ingredients", "pieces", "sharing", "least_sharing", "used_in", "raw_materials", "nodes", "monsters",
    "sold", "places", "recipe_level", "same_first_word", "worn",
)  # fmt: skip
RANKED = ("level", "power", "work", "depth", "pieces", "sharing", "raw_materials", "places")
"""Features whose rank among the candidates of the type is a feature too."""
WORDS = ("type", "options", "empty_slots", "skill", "first_word", "last_word")
"""Features that are the same for all candidates of a type, or that are no numbers."""
FEATURES = (*NUMBERS, *(f"{name}_rank" for name in RANKED), *WORDS)
CATEGORIES = ("type", "skill", "first_word", "last_word")


class SlotCandidate(NamedTuple):
    """An item that may be right for a slot of its type."""

    code: Code
    kind: str
    needed: bool
    """True if it is in the right gear. A classifier learns it from other tasks, and is judged by it."""
    worn: bool
    values: dict[str, float | str]


def candidates(world: World, task: Task) -> list[SlotCandidate]:
    """Return the candidates of a kill task; none for a craft task."""
    if task.kind != "kill":
        return []
    told, hero = ToldItems(world, task), task.hero
    gear = [item for item in told.gear if told.traceable(item.code) and item.level <= hero.combat[0]]
    known = {code: world.items[code] for code in hero.worn.values() if told.knows_effects(code)}
    kinds = {item.type for item in gear}
    found = {item.code: item for item in gear} | {code: item for code, item in known.items() if item.type in kinds}
    by_type: dict[str, list[Item]] = {}
    for item in sorted(found.values(), key=lambda item: (item.level, item.code)):
        by_type.setdefault(item.type, []).append(item)
    right = set({**hero.worn, **task.missing}.values()).union(*(goal.missing.values() for goal in task.then))
    return [
        SlotCandidate(item.code, kind, item.code in right, item.code in known, values)
        for kind, items in by_type.items()
        for item, values in zip(items, _values(told, kind, items), strict=True)
    ]


def _values(told: ToldItems, kind: str, items: Sequence[Item]) -> Iterator[dict[str, float | str]]:
    """Yield the features of the candidates of one type."""
    first_words = Counter(item.name.split()[0] for item in told.gear)
    rows = [_numbers(told, item, index / len(items)) for index, item in enumerate(items)]
    for row, item in zip(rows, items, strict=True):
        row["same_first_word"] = first_words[item.name.split()[0]]
    slots = [slot for slot in told.world.slots if slot_type(slot) == kind]
    empty = sum(slot not in told.task.hero.worn for slot in slots)
    ranks = {name: sorted(row[name] for row in rows) for name in RANKED}
    for row, item in zip(rows, items, strict=True):
        yield {
            **row,
            **{f"{name}_rank": ranks[name].index(row[name]) / len(rows) for name in RANKED},
            "type": kind,
            "options": len(rows),
            "empty_slots": empty,
            "skill": item.recipe.skill if item.recipe else "",
            "first_word": item.name.split()[0],
            "last_word": item.name.split()[-1],
        }


def _numbers(told: ToldItems, item: Item, place_in_type: float) -> dict[str, float]:
    world, task = told.world, told.task
    parts = dict(item.recipe.ingredients) if item.recipe else {}
    sharing = [told.uses[part] for part in parts] or [0]
    raw = told.raw(item.code)
    nodes = {node for code in raw for node in told.nodes_of(code)}
    monsters = {who for code in raw for who in told.droppers_of(code)}
    places = [told.places("resource", node) for node in nodes] + [told.places("monster", who) for who in monsters]
    prompt = list(told.items)
    return {
        "level": item.level,
        "level_below_hero": task.hero.combat[0] - item.level,
        "level_below_target": world.monsters[task.target].level - item.level,
        "power": power(item),
        "effects": len(item.effects),
        "place_in_prompt": prompt.index(item.code) / len(prompt) if item.code in told.items else -1,
        "place_in_type": place_in_type,
        "work": told.work(item.code),
        "depth": told.depth(item.code),
        "ingredients": len(parts),
        "pieces": sum(parts.values()),
        "sharing": sum(sharing) / len(sharing),
        "least_sharing": min(sharing),
        "used_in": told.uses[item.code],
        "raw_materials": len(raw),
        "nodes": len(nodes),
        "monsters": len(monsters),
        "sold": sum(code in told.sold for code in raw),
        "places": sum(map(len, places)),
        "recipe_level": item.recipe.level if item.recipe else 0,
        "worn": item.code in task.hero.worn.values(),
    }


EXTRA = "audit"
"""The extra of the package that brings scikit-learn."""
FOLDS = 5
_MOST_CATEGORIES = 200
_SURE = 1e-6
"""Probabilities stay this far from 0 and 1, so that their log-odds are finite."""

Seen = tuple[Task, Sequence[SlotCandidate]]


@dataclass(frozen=True)
class Leak:
    """Measures how well a classifier tells needed items from decoys in one group of tasks."""

    group: AuditGroup
    auc: float | None
    """None if no type of any task has both a needed item and a decoy."""
    pairs: int
    alone: Mapping[str, float]
    """The AUC of each feature on its own, at least 0.5, the most telling first."""

    def as_row(self) -> dict[str, Any]:
        """Return the leak as plain data."""
        return {**self.group._asdict(), "auc": self.auc, "pairs": self.pairs, "alone": dict(self.alone)}


@dataclass(frozen=True)
class Learned:
    """The results of the classifier for a file: its guesses for each task, and the leak of each group."""

    guesses: Mapping[str, Mapping[Code, float]]
    """Log-odds by the task's id. A task that no other tasks could teach anything about has none."""
    leaks: Sequence[Leak]


def can_learn() -> bool:
    """Return whether scikit-learn is installed."""
    return find_spec("sklearn") is not None


def learn(world: World, tasks: Iterable[Task]) -> Learned:
    """Train and judge a classifier for each group of tasks that can be done: in the others no item is needed."""
    groups: dict[AuditGroup, list[Seen]] = defaultdict(list)
    for task in tasks:
        if task.kind == "kill" and task.impossible is None:
            groups[AuditGroup.of(task)].append((task, candidates(world, task)))
    guesses: dict[str, dict[Code, float]] = {}
    leaks = []
    for group, seen in sorted(groups.items(), key=lambda found: found[0].place):
        odds = _log_odds(seen)
        if odds is not None:
            flat = iter(odds.tolist())
            guesses |= {task.id: {item.code: next(flat) for item in items} for task, items in seen}
            leaks.append(_leak(group, seen, odds))
    return Learned(guesses, leaks)


def _log_odds(seen: Sequence[Seen]) -> NDArray[np.float64] | None:
    """Return the guesses for all candidates, each from trees that know nothing of its task, or None."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    table = _table([item for _, items in seen for item in items])
    needed = np.array([item.needed for _, items in seen for item in items])
    fold = np.repeat(np.arange(len(seen)) % FOLDS, [len(items) for _, items in seen])
    found = np.zeros(len(needed))
    for number in range(min(FOLDS, len(seen))):
        train, test = fold != number, fold == number
        if len(set(needed[train])) < 2:
            return None
        model = HistGradientBoostingClassifier(
            categorical_features=[FEATURES.index(name) for name in CATEGORIES], early_stopping=False, random_state=0
        )
        if test.any():
            # On small tables, threads that wait for each other take far longer than the work.
            with threadpool_limits(limits=1):
                sure = model.fit(table[train], needed[train]).predict_proba(table[test])[:, 1].clip(_SURE, 1 - _SURE)
            found[test] = np.log(sure / (1 - sure))
    return found


def _table(items: Sequence[SlotCandidate]) -> NDArray[np.float64]:
    """Return the features as numbers. The most common words get a number each, the others share one."""
    columns = []
    for name in FEATURES:
        values = [item.values[name] for item in items]
        if name in CATEGORIES:
            common = {word: index for index, (word, _) in enumerate(Counter(values).most_common(_MOST_CATEGORIES), 1)}
            values = [common.get(value, 0) for value in values]
        columns.append(np.array(values, dtype=np.float64))
    return np.stack(columns, axis=1)


def _leak(group: AuditGroup, seen: Sequence[Seen], odds: NDArray[np.float64]) -> Leak:
    table = _table([item for _, items in seen for item in items])
    pairs = _pairs(seen)
    numbers = [name for name in FEATURES if name not in CATEGORIES]
    alone = {name: _auc(table[:, FEATURES.index(name)], pairs) for name in numbers}
    strength = {name: max(auc, 1 - auc) for name, auc in alone.items() if auc is not None}
    ordered = dict(sorted(strength.items(), key=lambda found: -found[1]))
    return Leak(group, _auc(odds, pairs), len(pairs), ordered)


def _pairs(seen: Sequence[Seen]) -> NDArray[np.int64]:
    """Return the rows of each needed item and each decoy of its type and task. Worn items are neither."""
    found: list[tuple[int, int]] = []
    start = 0
    for _, items in seen:
        told = [(start + index, item) for index, item in enumerate(items) if not item.worn]
        found += [
            (one, other)
            for one, item in told
            for other, decoy in told
            if item.needed and not decoy.needed and item.kind == decoy.kind
        ]
        start += len(items)
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _auc(values: NDArray[np.float64], pairs: NDArray[np.int64]) -> float | None:
    if not len(pairs):
        return None
    needed, decoys = values[pairs[:, 0]], values[pairs[:, 1]]
    return float(np.mean((needed > decoys) + 0.5 * (needed == decoys)))
