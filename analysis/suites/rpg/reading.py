"""The reading of the RPG: which of its columns the tables show, why plans were lost, and the replay in the report.

The analysis and the report call it by its entry point. It only reads stored samples and scores nothing. Events are the
one part of a row whose form depends on the version that wrote it: if they cannot be followed, the row is refused.

Other rows of the RPG become samples here: the output of `herobench score`, and the published results of the paper. Both
are flat. Their bracket of difficulty is only known from the task's id, which is parsed here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from herobench.analysis.reading.contract import Found, Reading, page_files
from herobench.analysis.samples.samples import (
    ATTEMPT,
    SCHEMA,
    Sample,
    group_name,
    is_measured,
    loose_schema,
    refuse_unknown,
    refuse_wrong,
)
from herobench.analysis.suites.rpg.explain import Cause, explain
from herobench.analysis.suites.rpg.repair.edits import KINDS
from herobench.analysis.suites.rpg.repair.repair import MOST_PLAYED
from herobench.analysis.suites.rpg.repair.work import (
    RepairWork,
    mended_answer,
    repair_table,
    repair_words,
)
from herobench.data.columns import COUNT, FLAG, SAMPLE, TEXT, Column, Schema, blank, names, optional
from herobench.data.rows import dump_row
from herobench.suites.rpg.game.episode import read_repeats
from herobench.suites.rpg.game.events import OK, Event, Fought
from herobench.suites.rpg.game.scoring import Bucket
from herobench.suites.rpg.game.task import TOLD
from herobench.suites.rpg.game.world import PLAIN as PLAIN_NAMES
from herobench.suites.rpg.game.world import RANDOM
from herobench.suites.rpg.play.columns import DETAILS, SCORED
from herobench.suites.rpg.play.execution import told_mode
from herobench.suites.rpg.worlds.renamed import renamed_row, with_names

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.samples.table_text import TextTable
    from herobench.analysis.suites.rpg.panel import PlanPanel

SUITE = "rpg"
_SCORED = frozenset({"task_id", "epoch", "outcome", "score"})
_PUBLISHED = frozenset({"task", "result", "reward", "score"})
_OUTCOMES = {"win": True, "lose": False, None: None}
_BLANK: Mapping[str, Any] = blank(SAMPLE)
_DETAILS = names(DETAILS)
_SCORED_SCHEMA = loose_schema(
    SCORED,
    # the form of the events is checked when they are followed, once for all rows
    {**ATTEMPT, "outcome": {"enum": ["win", "lose", None]}, "events": {"type": ["object", "null"]}},
)
_NUMBER: Schema = {"type": "number"}
_PUBLISHED_SCHEMA = loose_schema(
    [Column(name, _NUMBER, "") for name in ("reward", "ideal", "score", "tokens")], {"task": TEXT}
)


def bracket_in_id(task_id: str) -> str | None:
    """Return the bracket in a task's id, before the first slash; None if there is none."""
    bracket, slash, _ = task_id.partition("/")
    return bracket if slash and bracket else None


def adopted(row: Mapping[str, Any], name: str, place: str) -> dict[str, Any] | None:
    """Return a scored row or a published result as a sample; None if it is neither.

    Raise InputError with the place if its values are wrong.
    """
    if row.keys() >= _SCORED:
        refuse_wrong(row, _SCORED_SCHEMA, place)
        refuse_unknown(row, ("outcome", "score"), place)
        return sample_of_scored(row)
    if row.keys() >= _PUBLISHED:
        refuse_wrong(row, _PUBLISHED_SCHEMA, place)
        return sample_of_scored(
            {
                "task_id": row["task"],
                "epoch": 0,
                "model": name,
                "outcome": "win" if row["result"] == "win" else "lose",
                "reward": row["reward"],
                "ideal_reward": row.get("ideal"),
                "score": row["score"],
                "tokens": row.get("tokens"),
                # a published id ends with the kind of its task, such as 9/2_Lich_kill
                "kind": row["task"].rpartition("_")[2],
            }
        )
    return None


def sample_of_scored(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scored row as a sample. Columns that it lacks are None."""
    return {
        **_BLANK,
        "schema": SCHEMA,
        "suite": SUITE,
        "task_id": row["task_id"],
        "group": bracket_in_id(row["task_id"]),
        "epoch": int(row.get("epoch", 0)),
        "status": "ok",
        "model": row.get("model"),
        "won": _OUTCOMES[row["outcome"]],
        "score": row["score"],
        "progress": row.get("progress_before_end"),
        "failure": row.get("failure"),
        "output_tokens": row.get("tokens"),
        "details": {name: row.get(name) for name in _DETAILS},
        "events": row.get("events"),
    }


SCRIPTS = ("map.js", "hero.js", "step.js", "player.js", "code.js", "panel.js")
"""The files of the panel, each after those that it uses."""
_KEPT = (
    "kind", "target", "difficulty", "knowledge", "leveling", "stochastic", "defeat", "budget", "budget_factor",
    "twin_of", "rules", "world", "stated",
    "reward", "ideal_reward", "defeats", "high_level_errors", "execution_errors", "ended", "end_kind", "actions",
    "oracle_actions", "decisions", "optimal_actions",
    "goals", "goals_reached",
)  # fmt: skip
"""Columns of `details` that are used unchanged."""
_FACTS = (
    Column("bracket", TEXT, "The task's bracket of difficulty; `all` for a task without one."),
    Column("monster", optional(TEXT), "The monster to beat; null if the task is to craft an item."),
    Column("noise", FLAG, "True if the prompt describes items that nobody can get."),
    Column("mechanics", optional(TEXT), "What the task has beyond the plain game; null for published results."),
    Column("track", TEXT, "What plans may hold: straight (calls in counted loops) or program."),
    Column("mode", TEXT, "How the task was played: plan, feedback or tools."),
    Column("lane", TEXT, "What the prompt told of the certified plan: plan (nothing), gear or steps."),
    Column("names", TEXT, "How things are called: plain, or random for opaque codes."),
    Column("closed", COUNT, "Places that are closed; with any, the task may be impossible and takes a refusal."),
    Column("solvable", FLAG, "False if the task is proven to be impossible: only a refusal wins it."),
    Column("gave_up", FLAG, "True if the plan refuses the task with give_up."),
    Column("wasted", optional(COUNT), "Actions that brought nothing; null if the events are not known."),
    Column("edits_least", optional(COUNT), "Fewer edits of a lost plan do not win; null before `herobench repair`."),
    Column("edits_most", optional(COUNT), "The fewest edits that are known to win."),
    Column(
        "lost_after",
        optional(COUNT),
        "The last number of calls after which the goal was in reach; null if it always was.",
    ),
    Column("lost_by", optional(COUNT), "The number of calls after which it was out of reach."),
    Column("edit_kinds", optional(TEXT), "The kinds of these edits with their numbers, such as gear:2 missing:1."),
)
PLAIN = "none"
"""The mechanics of a task that has none beyond the plain game."""


class RpgReading(Reading):
    """The reading of the RPG."""

    columns = DETAILS
    fact_columns = _FACTS
    task_key = ("id",)
    group = "bracket"
    length = "decisions"
    actions = "oracle_actions"
    easier = "--dataset base --difficulty 1"
    takes_rescored = True
    uncounted = "on impossible tasks"
    remarked = ("closed", "edit_kinds")
    groupings = (
        "kind", "monster", "target", "mechanics", "knowledge", "noise", "leveling", "stochastic", "defeat",
        "budget_factor", "track", "mode", "lane", "names", "rules", "world",
    )  # fmt: skip
    naming = "names"
    settings = MappingProxyType(
        {"rules": "rules", "world": "worlds", "track": "tracks", "mode": "modes", "lane": "lanes"}
    )
    separates = ("track", "mode", "lane")
    lane = "lane"
    lanes = TOLD
    failures = get_args(Bucket)
    causes = MappingProxyType({str(cause): cause.definition for cause in Cause})
    words = MappingProxyType(
        {
            "gear": "gear only",
            "gear_and_execution": "gear and execution",
            "execution": "execution only",
            "wrong_tile_workshop": "not at a workshop",
            "wrong_tile_resource": "not at a resource",
            "wrong_tile_monster": "not at a monster",
            "wrong_tile_exchange": "not at the exchange",
        }
    )
    listed = MappingProxyType({"kind": "Kind", "actions": "Actions"})

    def __init__(self) -> None:
        self.script = page_files("herobench.analysis.suites.rpg", *SCRIPTS)
        self.style = page_files("herobench.analysis.suites.rpg", "style.css")
        self._last: tuple[Sample | None, Account | None] = (None, None)

    def adopted(self, row: Mapping[str, Any], name: str, place: str) -> dict[str, Any] | None:
        """Return a scored row or a published result as a sample."""
        return adopted(row, name, place)

    def check(self, sample: Sample) -> str | None:
        """Return what was expected if the events cannot be followed."""
        return "events as this version writes them" if self._account(sample) is None else None

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the RPG's columns of the tidy table."""
        details = sample["details"]
        account = self._account(sample)
        return {
            "bracket": group_name(sample),
            "monster": details.get("target") if details.get("kind") == "kill" else None,
            "noise": bool(details.get("noise")),
            "mechanics": mechanics_in_words(details),
            # rows from before tracks name none, and their plans could be programs
            "track": details.get("track") or "program",
            "mode": told_mode(details),
            # only rows of the other lanes say so, under the name `told`
            "lane": details.get("told") or TOLD[0],
            # only rows of worlds with opaque codes say so
            "names": details.get("names") or PLAIN_NAMES,
            # older rows lack these, and all of their tasks can be done
            "closed": details.get("closed") or 0,
            "solvable": self.counts(sample),
            "gave_up": details.get("gave_up") or False,
            "wasted": account.wasted if account else None,
            **_repair_facts(sample),
            **{name: details.get(name) for name in _KEPT},
        }

    def counts(self, sample: Sample) -> bool:
        """Return whether the task can be done, so that giving up every task does not rank above planning."""
        return (sample["details"] or {}).get("solvable") is not False

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return how well impossible tasks were told from the others, and what lost plans lack, if it is known."""
        from herobench.analysis.suites.rpg.paper_tables import refusals_in

        refusals = refusals_in(samples)
        return {**(refusals.words() if refusals else {}), **repair_words(samples)}

    def cause(self, sample: Sample) -> Found | None:
        """Return the first cause of a loss."""
        account = self._account(sample)
        return account.found if account else None

    def typeset(self, runs: Mapping[str, pd.DataFrame], rescored: pd.DataFrame | None = None) -> Sequence[TextTable]:
        """Return the paper's tables."""
        from herobench.analysis.suites.rpg.paper_tables import published_tables

        return published_tables(runs, rescored)

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return the rows of the paper's tables for the samples of one run, and its figures of refusals."""
        from herobench.analysis.samples.frame import select_counted
        from herobench.analysis.suites.rpg.paper_tables import paper_rows, refusals_in

        refusals, repairs = refusals_in(samples), repair_table(select_counted(samples))
        refusal_table = {"refusals": asdict(refusals)} if refusals else {}
        return {**paper_rows(select_counted(samples)), **refusal_table, **({"repairs": repairs} if repairs else {})}

    def repair_work(self, folder: Path, manifest: Mapping[str, Any], most: int | None = None) -> RepairWork:
        """Return the work that repairs lost plans, with the world, the rules and the tasks of the run."""
        from herobench.analysis.suites.rpg.panel import PlanPanel, replied_plan  # few readings replay plans

        panel = PlanPanel.of_run(folder, manifest)
        rows = {id: dump_row(task.as_row()) for id, task in panel.tasks.items()}
        return RepairWork(panel.world, panel.rules, rows, replied_plan, most or MOST_PLAYED)

    def mended_answers(self, folder: Path, manifest: Mapping[str, Any]) -> Callable[[Sample], str | None]:
        """Return what makes the plan that wins of a lost sample with its repair."""
        from herobench.analysis.suites.rpg.panel import PlanPanel, replied_plan

        rules = PlanPanel.of_run(folder, manifest).rules
        return lambda sample: mended_answer(sample, replied_plan(sample, rules))

    def opaque_rows(self, folder: Path, manifest: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Return the rows of a run's tasks in the world of the run under opaque names."""
        panel = self.panel(folder, manifest)
        world = {"world": with_names(panel.world, RANDOM).digest}  # the row of another world would name that one
        return {id: {**renamed_row(task.as_row(), panel.world, RANDOM), **world} for id, task in panel.tasks.items()}

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> PlanPanel:
        """Return the panel that replays plans, with the world, the rules and the tasks of the run."""
        from herobench.analysis.suites.rpg.panel import PlanPanel

        return PlanPanel.of_run(folder, manifest) if folder and manifest else PlanPanel.of_file()

    def _account(self, sample: Sample) -> Account | None:
        """Return the account of a sample. The last one is kept, because check, cause and facts use it in turn."""
        # reading the events takes most of the time of an analysis
        if self._last[0] is not sample:
            self._last = (sample, account_for(sample))
        return self._last[1]


def _repair_facts(sample: Sample) -> dict[str, Any]:
    """Return the facts that a sample's repair tells; all None without one."""
    repair_row = sample.get("repair") or {}
    fewest, loss, kinds = repair_row.get("fewest") or {}, repair_row.get("lost") or {}, repair_row.get("kinds") or {}
    return {
        "edits_least": fewest.get("least"),
        "edits_most": fewest.get("most"),
        "lost_after": loss.get("after"),
        "lost_by": loss.get("by"),
        "edit_kinds": " ".join(f"{kind}:{kinds[kind]}" for kind in KINDS if kind in kinds) if repair_row else None,
    }


def mechanics_in_words(details: Mapping[str, Any]) -> str | None:
    """Return the mechanics of a task beyond the plain game, in words; None if they were not published."""
    conditions = {
        "leveling": details.get("leveling"),
        "noise": details.get("noise"),
        "drops by chance": details.get("stochastic"),
        "defeats counted": details.get("defeat") == "counted",
        "defeats final": details.get("defeat") == "final",
        # older rows lack this column, and have no budgets
        "budget": details.get("budget") is not None,
        "closed places": bool(details.get("closed")),
    }
    if None in conditions.values():
        return None
    return " and ".join(name for name, holds in conditions.items() if holds) or PLAIN


_NEEDED = {"finished": ("kind", "target", "missing", "noise", "milestones"), "error": ("end_error",)}
"""Columns that decide the cause, by how the plan ended."""
_BROKEN = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""The errors that events of another form can cause. A CallError is a TypeError."""
_MOST = 1e15


class Account(NamedTuple):
    """The cause of a loss and the number of wasted actions; None if it cannot be told."""

    found: Found | None = None
    wasted: int | None = None


_LAST_TRACE: dict[str, Any] = {}


def events_in(trace: Mapping[str, Any]) -> Sequence[tuple[Event, int]]:
    """Return the events of a trace, each with its count of repetitions. Raise as `read_repeats` does.

    The last result is kept, because the account and the replay of a sample use it in turn."""
    if _LAST_TRACE.get("trace") is not trace:
        _LAST_TRACE.update(trace=trace, events=tuple(read_repeats(trace)))
    events: Sequence[tuple[Event, int]] = _LAST_TRACE["events"]
    return events


def account_for(sample: Sample) -> Account | None:
    """Return the account of a sample; None if its events cannot be followed."""
    trace = sample["events"] if is_measured(sample) else None
    if trace is None:
        return Account()
    try:
        events = events_in(trace)
        is_lost = sample["won"] is False
        cause = explain(sample["details"], events) if is_lost and _is_told(sample["details"]) else None
        account = Account(cause, count_wasted(events))
        return account if _is_sound(account) else None
    except _BROKEN:
        return None


def count_wasted(events: Iterable[tuple[Event, int]]) -> int:
    """Count the actions that brought nothing: refused ones, lost fights, and moves followed by another move.

    Each event has a count of repetitions. Gathering or crafting too much is not waste in this sense; it shows in the
    ratio of a plan's actions to the oracle's.
    """
    count = idle_moves = 0
    for (action, status, _, detail), times in events:
        moves = action.name == "move"
        if moves and status == OK:
            idle_moves += times
            continue
        if status != OK or (isinstance(detail, Fought) and not detail.won):
            count += times
        if idle_moves and not moves:
            # the last of the moves led to the place of this action
            count += max(0, idle_moves - 1)
            idle_moves = 0
    return count + idle_moves


def _is_told(details: Mapping[str, Any]) -> bool:
    """Return whether a row has all columns that decide the cause. Rows of older formats do not."""
    end = details.get("ended")
    return end is not None and all(details.get(column) is not None for column in _NEEDED.get(end, ()))


def _is_sound(account: Account) -> bool:
    """Return whether the values have the right types: an event may have a list in place of a name."""
    cause = account.found
    is_cause_sound = cause is None or (
        type(cause.subject) in (str, type(None))
        and (cause.line is None or (type(cause.line) is int and 0 <= cause.line < _MOST))
    )
    return is_cause_sound and account.wasted is not None and -_MOST < account.wasted < _MOST
