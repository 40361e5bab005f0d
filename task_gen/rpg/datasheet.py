"""Datasheets: describe a tasks file in figures, in one pass over its tasks.

Called by `herobench tasks stats` and by the tests of the shipped datasets. Equal tasks are found by a digest of
each, so memory stays small. Prompt lengths are in characters, because tokens depend on the tokenizer. The caller,
who has the file, adds the digest of its bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from herobench.suite.validating import WinsTable
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Mechanics, Task, to_bracket
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.twins import content_digest

SCHEMA = 1


def datasheet(world: World, rules: Rules, tasks: Iterable[Task], prompt: Callable[[Task], str]) -> dict[str, Any]:
    """Return the figures of some tasks; `prompt` renders the prompt of a task."""
    counts: dict[str, Counter[Any]] = {name: Counter() for name in _COUNTED}
    prompts: list[int] = []
    plans: list[tuple[int, int, bool]] = []
    # Digests instead of rows, because a file may hold millions of tasks.
    contents: set[bytes] = set()
    for task in tasks:
        for name, (_, look) in _COUNTED.items():
            counts[name][look(task)] += 1
        prompts.append(len(prompt(task)))
        if task.certificate:
            plans.append((task.certificate.actions, task.certificate.lower_bound, task.certificate.optimal))
        contents.add(content_digest(task.as_row()))
    # Sheets of sets in which no place is closed stay as they are.
    if counts["closed_places"].keys() <= {0}:
        del counts["closed_places"], counts["solvable"]
    return {
        "schema": SCHEMA,
        "world": {"code": world.code, "digest": world.digest},
        "rules": rules.name,
        "tasks": len(prompts),
        # The first of equal tasks does not count, so the figure is the number of superfluous tasks.
        "equal": len(prompts) - len(contents),
        # Sorted, so that the same tasks in another order give the same datasheet.
        **{
            name: {str(value): value_counts[value] for value in sorted(value_counts)}
            for name, value_counts in counts.items()
        },
        "prompt_characters": _spread(prompts),
        "oracle": _oracle(plans),
    }


def _oracle(plans: Sequence[tuple[int, int, bool]]) -> dict[str, Any]:
    """Return the figures of certified plans: of each its actions, their lower bound, and whether it is optimal."""
    actions, bound = [actions for actions, _, _ in plans], sum(bound for _, bound, _ in plans)
    return {
        "certified": len(plans),
        "actions": _spread(actions),
        "optimal_share": sum(optimal for _, _, optimal in plans) / len(plans) if plans else None,
        "actions_per_lower_bound": sum(actions) / bound if bound else None,
    }


_COUNTED: Mapping[str, tuple[str, Callable[[Task], Any]]] = {
    "kinds": ("kind", lambda task: task.kind),
    "brackets": ("bracket", lambda task: to_bracket(task.difficulty)),
    "difficulties": ("difficulty", lambda task: task.difficulty),
    "knowledge": ("told", lambda task: task.knowledge.level),
    "leveling": ("leveling", lambda task: _yes_or_no(task.mechanics.leveling)),
    "stochastic": ("drops by chance", lambda task: _yes_or_no(task.mechanics.drop_scale is not None)),
    "defeat": ("defeat", lambda task: task.mechanics.defeat or "free"),
    "budget": ("budget", lambda task: _budget(task.mechanics)),
    "noise_items": ("noise items", lambda task: len(task.knowledge.noise)),
    "exchange": ("exchange sells", lambda task: task.mechanics.exchange),
    "tracks": ("track", lambda task: task.mechanics.plan),
    "closed_places": ("closed places", lambda task: len(task.mechanics.closed)),
    "solvable": ("solvable", lambda task: _yes_or_no(task.impossible is None)),
    "targets": ("target", lambda task: task.target),
    "missing_gear": ("missing gear", lambda task: len(task.missing)),
    "hero_levels": ("hero's level", lambda task: task.hero.combat[0]),
}
"""The properties that tasks are counted by, each under the name of its table, with the label for people."""


def _budget(mechanics: Mechanics) -> str:
    """Return what the budget of a task is made from."""
    if mechanics.budget is None:
        return "none"
    return "other" if mechanics.budget_factor is None else f"{mechanics.budget_factor:g}"


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _spread(numbers: Sequence[int]) -> dict[str, float] | None:
    if not numbers:
        return None
    return {"min": min(numbers), "median": median(numbers), "mean": fmean(numbers), "max": max(numbers)}


# -- for people -------------------------------------------------------------------------------------------------------

_MOST_VALUES = 12
"""The most values of a property that are shown."""


def _counts_text(counts: Mapping[str, int]) -> str:
    """Return how many tasks have each value of a property: of many values the commonest, in their order."""
    common = sorted(counts, key=lambda value: -counts[value])[:_MOST_VALUES]
    common_counts = [f"{value}: {n}" for value, n in counts.items() if value in common]
    rest = len(counts) - len(common_counts)
    return "  ".join([*common_counts, f"and {rest:,} more values"] if rest else common_counts)


def sheet_parts(sheet: Mapping[str, Any]) -> Iterator[WinsTable | str]:
    """Yield the tables and sentences of a datasheet with the digest of its file."""
    oracle = sheet["oracle"]
    yield f"{sheet['tasks']} tasks in {sheet['world']['code']}, {sheet['equal']} equal to an earlier one"
    yield f"sha256 {sheet['sha256']}"
    counts = [(label, _counts_text(sheet[name])) for name, (label, _) in _COUNTED.items() if name in sheet]
    yield WinsTable(["by", "value: tasks"], [], counts, ["value: tasks"])
    spreads = {"characters of the prompt": sheet["prompt_characters"], "actions of the oracle": oracle["actions"]}
    rows = [(label, *(f"{number:.0f}" for number in spread.values())) for label, spread in spreads.items() if spread]
    yield WinsTable(["length"], ["min", "median", "mean", "max"], rows)
    if oracle["certified"]:
        shares = f"{100 * oracle['optimal_share']:.1f} % proven optimal, all together"
        yield f"oracle: {shares} {oracle['actions_per_lower_bound']:.3f} times the lower bound"
