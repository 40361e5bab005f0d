"""Makes the repairs of a run's lost plans, and tables of them.

The calls of a lost plan are all that a straight plan says, even behind the fight that ended it. What a program would
have done there nobody knows, so of a program there are the calls that it attempted, and behind them a broken one if an
error or a limit ended it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from herobench.analysis.samples.samples import Sample
from herobench.analysis.suites.rpg.repair.edits import KINDS, Edit, apply_edits
from herobench.analysis.suites.rpg.repair.repair import MOST_PLAYED, repair
from herobench.data.errors import UsageError
from herobench.suites.rpg.game.calls import MOST_CALLS, Call, as_line, straight_calls
from herobench.suites.rpg.game.episode import read_repeats
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.refusals import RpgFault
from herobench.work.engine import Work

if TYPE_CHECKING:
    import pandas as pd

_BREAKS_OFF = ("error", "limit")
_FAILURE = Action("error")


def attempted_calls(
    details: Mapping[str, Any], plan: str | None, trace: Mapping[str, Any] | None
) -> Sequence[Call] | None:
    """Return the calls of a lost plan; None if the answer has no plan that could be played."""
    if details.get("ended") in ("no_code", "rejected", "gave_up") or trace is None:
        return None
    actions = [event.action for event, times in read_repeats(trace) for _ in range(times)]
    if details.get("track") == "straight" and plan is not None and details.get("mode") in (None, "plan"):
        straight = straight_calls(plan)
        if straight is not None:
            # behind the limit of actions nothing would have been done either
            return straight[: len(actions)] if details.get("end_kind") == "actions" else straight
    end = [_FAILURE] if details.get("ended") in _BREAKS_OFF else []
    return [Call.of(action) for action in (*actions[:MOST_CALLS], *end)]


PlanReader = Callable[[Sample, Rules], str | None]


@dataclass(frozen=True)
class RepairWork(Work[Sample, dict[str, Any]]):
    """Makes a row of `repairs.jsonl` of each lost sample."""

    world: World
    rules: Rules
    tasks: Mapping[str, str]
    """The rows of the tasks by id, as JSON."""
    read_plan: PlanReader
    """Returns the plan of a sample as one text."""
    most: int = MOST_PLAYED
    """The most calls that are played for a sample."""
    worth = 4

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[Sample], dict[str, Any]]]:
        """Give the function of a sample."""
        yield self._row

    def _row(self, sample: Sample) -> dict[str, Any]:
        return {"task_id": sample["task_id"], "epoch": sample["epoch"], **self._repair_row(sample)}

    def _repair_row(self, sample: Sample) -> dict[str, Any]:
        row = self.tasks.get(sample["task_id"])
        if row is None:
            raise UsageError(RpgFault.NO_TASK_TO_REPAIR, task_id=sample["task_id"])
        task = Task.from_row(json.loads(row))
        plan = self.read_plan(sample, self.rules)
        calls = attempted_calls(sample["details"], plan, sample["events"])
        if calls is None:
            return {**_UNKNOWN, "kinds": {"format": 1}}
        certificate = straight_calls(task.certificate.plan) if task.certificate else None
        if certificate is None or task.rules(self.rules).drops != "sure":
            return {**_UNKNOWN, "calls": len(calls)}
        return repair(GamePosition(self.world, self.rules, task), calls, certificate, self.most).as_row(calls)


_UNKNOWN: Mapping[str, Any] = {"calls": None, "lost": None, "fewest": None, "edits": None, "kinds": {}}


def mended_answer(sample: Sample, plan: str | None) -> str | None:
    """Return a lost plan after the edits of its repair, as an answer; None if no edits are known."""
    repair = sample.get("repair") or {}
    calls = attempted_calls(sample["details"], plan, sample["events"])
    if calls is None or repair.get("edits") is None:
        return None
    mended_calls = apply_edits(calls, map(_read_edit, repair["edits"]))
    return f"```python\n{''.join(as_line(call.action) for call in mended_calls)}```"


def _read_edit(row: Mapping[str, Any]) -> Edit:
    old, new = row["old"], row["new"]
    action = new and Action(new["action"], tuple(new["args"]), tuple(new.get("kwargs", {}).items()))
    return Edit(row["at"], old.get("times", 1) if old else 0, action, new.get("times", 1) if new else 1)


# -- tables -----------------------------------------------------------------------------------------------------------


_SHORTEST = 4
"""The decisions of the shortest rung; each is twice as long as the one before."""


def repair_table(samples: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a row for each doubling of the task's length: how many edits win lost plans, and of what kinds."""
    repairs = samples[samples["edit_kinds"].notna() & samples["decisions"].notna()]
    rungs: dict[int, list[Any]] = {}
    for row in repairs.itertuples():
        rungs.setdefault(_rung(int(row.decisions)), []).append(row)
    return [_table_row(least, rungs[least]) for least in sorted(rungs)]


def repair_words(samples: pd.DataFrame) -> dict[str, str]:
    """Return the table's sums in words; nothing without repairs."""
    rows = repair_table(samples) if "edit_kinds" in samples and "decisions" in samples else []
    lost_plans, exact = (sum(row[name] for row in rows) for name in ("lost", "exact"))
    if not lost_plans:
        return {}
    kinds: Counter[str] = sum((Counter(row["kinds"]) for row in rows), Counter())
    shares = (f"{kind} {100 * number / kinds.total():.0f} %" for kind, number in kinds.most_common())
    reach = sum(row["out_of_reach"] for row in rows)
    return {
        "repairs": f"of {lost_plans} lost plans, fewest edits exact in {exact}, goal out of reach in {reach}",
        "edits": ", ".join(shares) or "none known",
    }


def _rung(decisions: int) -> int:
    """Return the fewest decisions of the rung that a task is on; 1 for tasks below the shortest."""
    return 1 << (decisions.bit_length() - 1) if decisions >= _SHORTEST else 1


def _table_row(least: int, rows: list[Any]) -> dict[str, Any]:
    with_repair = [row for row in rows if row.edits_most == row.edits_most and row.edits_most is not None]
    kinds = dict.fromkeys(KINDS, 0)
    for row in rows:
        for word in row.edit_kinds.split():
            kind, _, number = word.partition(":")
            kinds[kind] += int(number)
    return {
        "least": least,
        "lost": len(rows),
        "known": len(with_repair),
        "exact": sum(row.edits_least == row.edits_most for row in with_repair),
        "edits_least": fmean(row.edits_least for row in with_repair) if with_repair else None,
        "edits_most": fmean(row.edits_most for row in with_repair) if with_repair else None,
        "out_of_reach": sum(row.lost_by == row.lost_by and row.lost_by is not None for row in rows),
        "kinds": {kind: number for kind, number in kinds.items() if number},
    }
