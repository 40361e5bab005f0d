"""The audit behind the contract of a suite: audits the tasks that a user names, and tells what was found in tables.

Called by the suite for `herobench audit`; `herobench tasks stats` shows the tables of a datasheet too. Families that
compute fights have tables of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from herobench.suite.contract import SuiteSetting
from herobench.suite.validating import TaskAudit, Watch, WinsTable
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, load_rules
from herobench.task_gen.rpg.audit.audit import audit
from herobench.task_gen.rpg.audit.case import Budget
from herobench.task_gen.rpg.audit.classifier import EXTRA
from herobench.task_gen.rpg.audit.families import parse_families
from herobench.task_gen.rpg.datasets import load_task_world, read_tasks_at
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET

Row = Mapping[str, Any]
_SIDE_BY_SIDE = 2
"""The number of task groups that a table shows side by side."""
_MOST_TELLING = 4
"""The number of features that are named with their own AUC."""


def audited(setting: SuiteSetting, watch: Watch) -> TaskAudit:
    """Audit the tasks of a setting. Its options are `families`, `tries`, `world` and `rules`."""
    given, tasks = setting.options, setting.tasks or Path(DEFAULT_DATASET)
    families = parse_families(given.get("families"))
    rules, world = load_rules(given.get("rules", DEFAULT_EDITION)), load_task_world(given.get("world"), tasks)
    budget = Budget(int(given["tries"])) if "tries" in given else Budget()
    known, problems = read_tasks_at(tasks, world)
    with watch(len(known)) as step:
        row = audit(world, rules, list(known.values()), families, budget, setting.workers, step).as_row()
    computing = [name for name, family in row["families"].items() if family["computes"]]
    parts = (*wins_tables(row["rows"], computing), *_ladder(row["ladder"], computing), *_notes(row))
    return TaskAudit(parts=parts, row=row, problems=problems)


def wins_tables(rows: Iterable[Row], computing: Collection[str] = ()) -> Iterator[WinsTable]:
    """Yield tables of how many tasks each family wins, and of its mean score, by group of tasks."""
    rows = list(rows)
    shown = _shown(rows)
    groups: dict[str, dict[str, Row]] = {}
    for row in rows:
        groups.setdefault(_header(row, shown), {})[row["family"]] = row
    # A terminal has room for few groups side by side, so wide audits become several tables.
    headers = list(groups)
    for first in range(0, len(headers), _SIDE_BY_SIDE):
        beside = headers[first : first + _SIDE_BY_SIDE]
        # Groups differ by the families that need a program, so the longest has all of them, in their order.
        families = max((groups[header] for header in beside), key=len)
        cells = {name: [_cell(groups[header].get(name)) for header in beside] for name in families}
        yield from _apart(beside, cells, computing)


def _apart(
    figures: Sequence[str], cells: Mapping[str, Sequence[str]], computing: Collection[str]
) -> Iterator[WinsTable]:
    """Yield a table of the families that compute no fight, and one of those that do."""
    for words, computes in (("won by", False), ("won by\ncomputing", True)):
        lines = [[name, *row] for name, row in cells.items() if (name in computing) == computes]
        if lines:
            yield WinsTable([words], figures, lines)


def _ladder(rows: Iterable[Row], computing: Collection[str]) -> Iterator[WinsTable | str]:
    """Yield how many tasks of each length each family wins, and its horizon, by group of courses."""
    rows = list(rows)
    shown = _shown(rows)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_header({**row, "tasks": sum(rung["tasks"] for rung in row["rungs"])}, shown), []).append(row)
    for header, beside in groups.items():
        yield f"Wins by decisions, {', '.join(header.splitlines()[:-1])}:"
        figures = [*(f"{rung['least']}-\nof {rung['tasks']}" for rung in beside[0]["rungs"]), "h50"]
        cells = {row["family"]: [*(str(rung["wins"]) for rung in row["rungs"]), _h50(row)] for row in beside}
        yield from _apart(figures, cells, computing)


def _h50(row: Row) -> str:
    signs = {"below the range": f"< {row['rungs'][0]['least']}", "not determined": "?"}
    if row["verdict"] == "beyond the range":
        return "all"
    return signs.get(row["verdict"]) or f"{row['h50']:.0f}"


def _shown(rows: Iterable[Row]) -> list[str]:
    """Return which of the defeat, the budget and the track tell groups apart, and `closed` if any task closes places.

    What all tasks share is not shown.
    """
    rows = list(rows)
    apart = [name for name in ("defeat", "budget", "track") if len({row[name] for row in rows}) > 1]
    return [*apart, *(["closed"] if any(row["closed"] for row in rows) else [])]


def _header(row: Row, shown: Iterable[str]) -> str:
    return "\n".join([row["kind"], *_told(row, shown), f"of {row['tasks']}, score"])


def _told(row: Row, shown: Iterable[str]) -> list[str]:
    """Return the words for what a group is told, and asked under."""
    words = {
        "defeat": f"defeats {row['defeat']}",
        "budget": "a budget" if row["budget"] else "no budget",
        "track": f"{row['track']} plans",
        "closed": row["closed"] or "no place closed",
    }
    return [f"{row['knowledge']}, noise" if row["noise"] else row["knowledge"], *(words[name] for name in shown)]


def _cell(row: Row | None) -> str:
    """Return the wins, their share and the mean score; a dash for a family that the track does not allow."""
    if row is None:
        return "-"
    if row["wins"] is None:
        return "not asked"
    return f"{row['wins']}  {100 * row['wins'] / row['tasks']:5.1f} %  {row['score']:5.1f}"


def _notes(found: Row) -> Iterator[str]:
    """Yield what the families could spend, what weighted sums can win, and how needed items are told from decoys."""
    budget = found["budget"]
    yield (
        f"At most {budget['tries']:,} sets tried, {budget['fights']:,} fights for levels, "
        f"{budget['evaluations']:,} sets computed by the simulator."
    )
    if any(row["wins"] is None for row in found["rows"]):
        yield f"A family that is not asked needs scikit-learn: pip install 'herobench[{EXTRA}]'."
    programs = [name for name, family in found["families"].items() if "straight" not in family["tracks"]]
    if programs and any(row["track"] == "straight" for row in found["rows"]):
        yield f"No straight plan can do what {', '.join(programs)} does."
    if hulls := found["hulls"]:
        yield (
            f"Fights that every winning loadout wins with a piece inside the hull of its slot: "
            f"{hulls['with_piece_inside']:,} of {hulls['fights']:,}; "
            f"slots with such a piece: {hulls['mean_slots']:.2f} on average, {hulls['fewest_slots']} at least."
        )
    shown = _shown(found["rows"])
    for leak in found["leaks"]:
        group = ", ".join([leak["kind"], *_told(leak, shown)])
        if leak["auc"] is None:
            yield f"{group}: no decoys to tell from needed items."
            continue
        alone = ", ".join(f"{name} {auc:.2f}" for name, auc in list(leak["alone"].items())[:_MOST_TELLING])
        yield (
            f"{group}: a classifier tells needed items from decoys with an AUC of {leak['auc']:.2f} "
            f"({leak['pairs']:,} pairs). Alone: {alone}."
        )
