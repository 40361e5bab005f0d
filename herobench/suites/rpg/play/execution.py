"""Runs a plan on a task, judges it, and makes a row of the result.

`execute` does all of this for one plan. Callers with many plans keep a sandbox and call the steps.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from herobench.data.columns import names
from herobench.sandbox import Limits, Sandbox
from herobench.suite.contract import Verdict
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.episode import Episode, write_trace
from herobench.suites.rpg.game.events import refused
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import SCORER, Failure, Score, classify, goals_reached, reaches, score
from herobench.suites.rpg.game.task import Task, Told
from herobench.suites.rpg.game.world import PLAIN, World
from herobench.suites.rpg.play.columns import DETAILS
from herobench.suites.rpg.play.plan import FileAnswer
from herobench.suites.rpg.worlds.content import load_rules


@dataclass(frozen=True, slots=True)
class JudgedEpisode:
    """An episode with its score and its failure."""

    episode: Episode
    score: Score
    failure: Failure


def execute(
    world: World, task: Task, plan: str | None, rules: Rules | None = None, limits: Limits | None = None
) -> JudgedEpisode:
    """Run one plan in a sandbox of its own and judge it. For many plans keep a `Sandbox` and call `judge`."""
    edition = rules or load_rules()
    with Sandbox(world, edition, limits) as sandbox:
        return judge(world, task, edition, sandbox.execute(task, plan))


def judge(world: World, task: Task, rules: Rules, episode: Episode) -> JudgedEpisode:
    """Score an episode and classify its failure."""
    judged = score(task, world, task.rules(rules), episode)
    return JudgedEpisode(episode, judged, classify(task, episode, judged))


def scored_row(world: World, task: Task, rules: Rules, result: JudgedEpisode) -> dict[str, Any]:
    """Return a result as a row, without the columns of the answer."""
    episode, judged, failure = result.episode, result.score, result.failure
    return {
        "outcome": judged.outcome,
        "reward": judged.reward,
        "ideal_reward": judged.ideal_reward,
        "score": judged.score,
        "defeats": judged.defeats,
        "ended": episode.ending.how,
        "end_kind": episode.ending.kind,
        "end_error": episode.ending.error,
        "end_reason": episode.ending.reason,
        "end_line": episode.ending.line,
        "gave_up": episode.ending.how == "gave_up",
        "stated": episode.ending.stated,
        "failure": failure.bucket,
        "high_level_errors": failure.high_level_errors,
        "execution_errors": failure.execution_errors,
        "actions": len(episode.events),
        "first_error": _first_error(episode),
        "progress_before_end": judged.progress_before_end,
        "goals_reached": len(goals_reached(task, episode.events)),
        "next_goal": _next_goal(task, episode),
        "milestones": {
            "reached": [str(milestone) for milestone in judged.reached],
            "missed": [str(milestone) for milestone in judged.missed],
        },
        "events": write_trace(episode.events),
        **task_columns(world, task, rules),
    }


def task_columns(world: World, task: Task, rules: Rules) -> dict[str, Any]:
    """Return the columns that are the same for every answer to a task under these rules."""
    certificate = task.certificate
    return {
        "difficulty": task.difficulty,
        "kind": task.kind,
        "target": task.target,
        "missing": dict(task.missing),
        "goals": len(task.goals),
        "knowledge": task.knowledge.level,
        "noise": [item.code for item in task.knowledge.noise],
        "leveling": task.mechanics.leveling,
        "stochastic": task.mechanics.drop_scale is not None,
        "track": task.mechanics.plan,
        "defeat": task.rules(rules).defeat,
        "budget": task.mechanics.budget,
        "budget_factor": task.mechanics.budget_factor,
        "closed": len(task.mechanics.closed),
        "solvable": task.impossible is None,
        "twin_of": task.twin_of,
        "oracle_actions": certificate.actions if certificate else None,
        "decisions": plan_decisions(certificate) if certificate else None,
        "optimal_actions": certificate.shortest_win if certificate else None,
        "rules": rules.name,
        "world": world.digest,
        "scorer": SCORER,
        **({} if world.names == PLAIN else {"names": world.names}),
    }


def _first_error(episode: Episode) -> Mapping[str, Any] | None:
    for event in refused(episode.events)[:1]:
        return {
            "line": event.action.line,
            "action": event.action.name,
            "code": event.status,
            "reason": str(event.reason),  # a plain text: an event may have one with parts
        }
    return None


def _next_goal(task: Task, episode: Episode) -> Mapping[str, Any] | None:
    """Return the first goal of a campaign that was not reached, and the event after which it was due."""
    done = goals_reached(task, episode.events)
    if not task.then or len(done) == len(task.goals):
        return None
    goal, since = task.goals[len(done)], done[-1] + 1 if done else 0
    early = [number for number, event in enumerate(episode.events[:since]) if reaches(goal, event)]
    return {
        "number": len(done) + 1,
        **goal.as_row(),
        "since": since,
        "early": not set(early) <= set(done),
        "crafts": sorted({goal.target for goal in task.goals if goal.kind == "craft"}),
    }


SCHEMA = 1
_DETAILS = names(DETAILS)
_DETAILS_SCHEMA = 1


def score_answer(sandbox: Sandbox, task: Task, answer: FileAnswer) -> dict[str, Any]:
    """Return the scored row of one answer."""
    return {
        "schema": SCHEMA,
        "task_id": task.id,
        "epoch": answer.epoch,
        "model": answer.model,
        "tokens": answer.tokens,
        **_judged(sandbox, task, sandbox.execute(task, answer.plan)),
    }


def _judged(sandbox: Sandbox, task: Task, episode: Episode) -> dict[str, Any]:
    """Return the columns that an episode gets."""
    result = judge(sandbox.world, task, sandbox.rules, episode)
    return {**scored_row(sandbox.world, task, sandbox.rules, result), **_where_it_ran(sandbox)}


def verdict_on(sandbox: Sandbox, task: Task, episode: Episode, mode: str) -> Verdict:
    """Return the verdict on an episode that was played in a mode."""
    return as_verdict(_judged(sandbox, task, episode), mode)


def as_verdict(row: Mapping[str, Any], mode: str, told: Told = "plan") -> Verdict:
    """Return a scored row as the verdict on an attempt in a mode and a lane."""
    columns = {name: row[name] for name in _DETAILS if name in row}
    return Verdict(
        won=row["outcome"] == "win",
        score=row["score"],
        progress=row["progress_before_end"],
        failure=row["failure"],
        details=columns | {"schema": _DETAILS_SCHEMA, "mode": mode, **_told_column(told)},
        events=row["events"],
    )


def _told_column(told: Told) -> dict[str, str]:
    # left out for the usual one, as in rows from before there were lanes
    return {} if told == "plan" else {"told": told}


def blank_details(sandbox: Sandbox, task: Task, mode: str, told: Told = "plan") -> dict[str, Any]:
    """Return the details of an attempt without an answer: facts about its task, and None for those of a score."""
    return {
        **dict.fromkeys(names(column for column in DETAILS if not column.later)),
        "schema": _DETAILS_SCHEMA,
        "mode": mode,
        **task_columns(sandbox.world, task, sandbox.rules),
        **_where_it_ran(sandbox),
        **_told_column(told),
    }


def _where_it_ran(sandbox: Sandbox) -> dict[str, Any]:
    """Return the layers of confinement and the Python version of the process that ran the plan."""
    return {"confinement": list(sandbox.layers), "python": f"{sys.version_info.major}.{sys.version_info.minor}"}
