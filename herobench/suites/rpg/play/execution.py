"""From an answer to its row: finds the plan, runs it on a task, judges the episode, and makes a row of the result.

As published, the plan is the last fenced block; else the text between `<code>` tags; else the text after the first
"final answer". Fences may be of more than three backticks, or of tildes. Surrounding angle brackets are removed. Line
ends are made uniform first. The thoughts of a reasoning model, between tags, are searched only if the rest of its
answer has no plan. In the edition `standard` the thoughts of an answer that was cut off are not searched at all: a
draft in them is not what the model would have answered. An answer may be hostile, so every step reads the text once.

`execute` does all of this for one plan. Callers with many plans keep a sandbox and call the steps.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from herobench.conversation import Reply, ToolCall, is_cut_off, without_thoughts
from herobench.data.columns import names
from herobench.data.documents import json_object
from herobench.suite.contract import Verdict
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.episode import Episode, write_trace
from herobench.suites.rpg.game.events import refused_events
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.rules import CutThoughts, Rules
from herobench.suites.rpg.game.scoring import SCORER, Failure, Score, classify, reaches_goal, score
from herobench.suites.rpg.game.task import Task, Told
from herobench.suites.rpg.game.world import PLAIN, World
from herobench.suites.rpg.play.columns import DETAILS
from herobench.suites.rpg.play.options import MODES
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.worlds.content import load_rules

_FENCE = "```"
_WIDE_BLOCK = re.compile(r"^(`{4,8}+)(.*?)^\1", re.DOTALL | re.MULTILINE)
_TILDE_BLOCK = re.compile(r"^(~{3,8}+)(.*?)^\1", re.DOTALL | re.MULTILINE)
# Possessive quantifiers (`*+`) never give back what they took, so no answer can make the match slow.
_LANGUAGE = re.compile(r"[^\S\n]*+[\w+.-]*+[^\S\n]*+\n|(?:python|py)\b", re.IGNORECASE)
_CODE_BEGINS = re.compile(r"<code>", re.IGNORECASE)
_CODE_ENDS = re.compile(r"</code>", re.IGNORECASE)
_CALL = re.compile(r"(?:^|[:;=])[^\S\n]*+\w++\(", re.MULTILINE)
_FINAL_ANSWER = re.compile(r"final answer[^\S\n]*:?", re.IGNORECASE)


def told_mode(details: Mapping[str, Any]) -> str:
    """Return the mode in the details of a sample, or in the identity of a run."""
    # identities do not name the usual mode, and neither do rows from before there were modes
    return details.get("mode") or MODES[0]


def extract_code(answer: str, cut_thoughts: CutThoughts = "searched", stop: str | None = None) -> str | None:
    """Return the plan in an answer, or None if nothing is marked as one. An empty plan does nothing.

    `cut_thoughts` is a switch of the edition, by default as in the paper; `stop` is why the model stopped.
    """
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    answer_text, end_of_closed = without_thoughts(text)
    if cut_thoughts == "ignored" and is_cut_off(text, stop):
        return _marked_code(answer_text[:end_of_closed])
    return _marked_code(answer_text) or _marked_code(text)


def as_answer(code: str) -> str:
    """Return a plan as an answer with nothing else in it."""
    return f"{_FENCE}python\n{code}\n{_FENCE}"


def with_fence(text: str) -> str:
    """Return a plan without a fence as an answer with one; any other text unchanged.

    Other tools remove the fence around a plan. A plan is known by a line with a call, which prose does not have.
    """
    alone = _FENCE not in text and _CALL.search(text) and extract_code(text) is None
    return as_answer(text) if alone else text


def _marked_code(text: str) -> str | None:
    if (block := _last_block(text)) is not None:
        return _block_code(block)
    begin = _CODE_BEGINS.search(text)
    end = _CODE_ENDS.search(text, begin.end()) if begin else None
    if begin and end:
        return _bare(text[begin.end() : end.start()])
    final = _FINAL_ANSWER.search(text)
    rest = text[final.end() :] if final else text
    if tildes := _TILDE_BLOCK.findall(rest):
        return _block_code(tildes[-1][1])
    return _bare(rest) if final else None


def _last_block(text: str) -> str | None:
    """Return the last text between fences of backticks; None if there is none."""
    wide = next(reversed([*_WIDE_BLOCK.finditer(text)]), None)
    if wide is None or text.count(_FENCE, 0, wide.start()) % 2:  # it would begin inside of another block
        return _between_fences(text)
    # a wide fence may stand around a whole answer, with its blocks
    blocks = (_between_fences(text[wide.end() :]), _between_fences(wide[2]), wide[2])
    return next(block for block in blocks if block is not None)


def _between_fences(text: str) -> str | None:
    fenced = text.split(_FENCE)
    # Texts between fences have odd numbers; an opened fence that is never closed does not count.
    return fenced[(len(fenced) - 1) // 2 * 2 - 1] if len(fenced) > 2 else None


def _block_code(block: str) -> str:
    """Return the code of a fenced block, without the name of its language."""
    language = _LANGUAGE.match(block)
    return _bare(block[language.end() :] if language else block)


def _bare(code: str) -> str:
    """Return the code without surrounding blanks and angle brackets."""
    text = code.strip()
    return text[1:-1].strip() if text.startswith("<") and text.endswith(">") else text


def plan_in(reply: Reply, rules: Rules) -> str | None:
    """Return the plan of a reply under some rules; None if nothing in it is marked as one."""
    # A recording may have kept only the plan, and an empty text is a plan too.
    return extract_code(reply.text, rules.cut_thoughts, reply.stop) if reply.answer is None else reply.answer


def attempt_plan(mode: str, replies: Sequence[Reply], rules: Rules) -> str | None:
    """Return the plan of an attempt as one text; None if there is none."""
    if mode == "tools":
        return "\n".join(call_line(call) for reply in replies for call in reply.tool_calls) or None
    if mode == "feedback":
        return joined_parts([plan_in(reply, rules) or "" for reply in replies])
    return plan_in(replies[-1], rules) if replies else None


def joined_parts(parts: Sequence[str]) -> str:
    """Return parts of a plan as one text, with a comment above each."""
    return "\n".join(f"# part {number}\n{part}" for number, part in enumerate(parts, 1))


def first_lines(parts: Sequence[str]) -> Iterator[int]:
    """Yield the number of lines above each part in the text of `joined_parts`."""
    above = 0
    for part in parts:
        yield above + 1
        above += 1 + len(part.split("\n"))


def call_line(call: ToolCall) -> str:
    """Return a call of a tool as one line of a plan: a call of an action if its arguments can be read."""
    arguments = json_object(call.arguments or "{}")
    if arguments is not None:
        words = [f"{name}={json.dumps(value)}" for name, value in arguments.items()]
        line = f"{call.name}({', '.join([json.dumps(NAME), *words])})"
    else:
        line = f"# {call.name}: {call.arguments}"
    # a model may write line ends anywhere, but each call is one line
    return " ".join(line.split())


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """One answer with its plan; None if the answer has no plan."""

    task_id: str
    epoch: int
    plan: str | None
    model: str | None
    tokens: int | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any], rules: Rules) -> FileAnswer:
        """Build from a row that the schema accepts. The rules decide what counts as a plan."""
        tokens = row.get("tokens")
        return cls(
            task_id=row["task_id"],
            epoch=int(row.get("epoch", 0)),
            plan=_plan(row, rules),
            model=row.get("model"),
            tokens=None if tokens is None else int(tokens),
        )


def _plan(row: Mapping[str, Any], rules: Rules) -> str | None:
    """Return the plan of a row. A sample of a run is an answer too: its last reply has the plan."""
    stop: str | None = None
    if "replies" in row:
        last = row["replies"][-1] if row["replies"] else {}
        row, stop = {"answer": last.get("text"), "plan": last.get("answer")}, last.get("stop")
    plan: str | None = row.get("code", row.get("plan"))
    text: str | None = row.get("answer")
    return extract_code(text, rules.cut_thoughts, stop) if plan is None and text is not None else plan


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
    episode_score = score(task, world, task.rules(rules), episode)
    return JudgedEpisode(episode, episode_score, classify(task, episode, episode_score))


def scored_row(world: World, task: Task, rules: Rules, result: JudgedEpisode) -> dict[str, Any]:
    """Return a result as a row, without the columns of the answer."""
    episode, own_score, failure = result.episode, result.score, result.failure
    return {
        "outcome": own_score.outcome,
        "reward": own_score.reward,
        "ideal_reward": own_score.ideal_reward,
        "score": own_score.score,
        "defeats": own_score.defeats,
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
        "progress_before_end": own_score.progress_before_end,
        "goals_reached": int(reaches_goal(task, episode.events)),
        "next_goal": None,
        "milestones": {
            "reached": [str(milestone) for milestone in own_score.reached],
            "missed": [str(milestone) for milestone in own_score.missed],
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
        "goals": 1,
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
    for event in refused_events(episode.events)[:1]:
        return {
            "line": event.action.line,
            "action": event.action.name,
            "code": event.status,
            "reason": str(event.reason),  # a plain text: an event may have one with parts
        }
    return None


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
        **_judged_columns(sandbox, task, sandbox.execute(task, answer.plan)),
    }


def _judged_columns(sandbox: Sandbox, task: Task, episode: Episode) -> dict[str, Any]:
    """Return the columns that an episode gets."""
    result = judge(sandbox.world, task, sandbox.rules, episode)
    return {**scored_row(sandbox.world, task, sandbox.rules, result), **_where_it_ran(sandbox)}


def verdict_on(sandbox: Sandbox, task: Task, episode: Episode, mode: str) -> Verdict:
    """Return the verdict on an episode that was played in a mode."""
    return as_verdict(_judged_columns(sandbox, task, episode), mode)


def as_verdict(row: Mapping[str, Any], mode: str, lane: Told = "plan") -> Verdict:
    """Return a scored row as the verdict on an attempt in a mode and a lane."""
    columns = {name: row[name] for name in _DETAILS if name in row}
    return Verdict(
        won=row["outcome"] == "win",
        score=row["score"],
        progress=row["progress_before_end"],
        failure=row["failure"],
        details=columns | {"schema": _DETAILS_SCHEMA, "mode": mode, **_told_column(lane)},
        events=row["events"],
    )


def _told_column(lane: Told) -> dict[str, str]:
    # left out for the usual one, as in rows from before there were lanes
    return {} if lane == "plan" else {"told": lane}


def blank_details(sandbox: Sandbox, task: Task, mode: str, lane: Told = "plan") -> dict[str, Any]:
    """Return the details of an attempt without an answer: facts about its task, and None for those of a score."""
    return {
        **dict.fromkeys(names(column for column in DETAILS if not column.later)),
        "schema": _DETAILS_SCHEMA,
        "mode": mode,
        **task_columns(sandbox.world, task, sandbox.rules),
        **_where_it_ran(sandbox),
        **_told_column(lane),
    }


def _where_it_ran(sandbox: Sandbox) -> dict[str, Any]:
    """Return the layers of confinement and the Python version of the process that ran the plan."""
    return {"confinement": list(sandbox.layers), "python": f"{sys.version_info.major}.{sys.version_info.minor}"}
