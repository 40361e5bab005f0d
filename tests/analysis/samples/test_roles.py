"""Calls, tokens and cost by role."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from herobench.agents.agent import Agent, Ask
from herobench.analysis.samples.calls import RoleTotals, totals_by_role
from herobench.analysis.samples.frame import frame
from herobench.analysis.samples.sources import read_sources
from herobench.conversation import Message, Reply, Usage
from herobench.models.model_error import ErrorKind
from herobench.runs.folder import Key
from herobench.suite.contract import Attempt
from tests.analysis.calls import call
from tests.program import write_jsonl
from tests.runs.trial import DOLLAR_A_TOKEN, Numbers, Player, Said, Trial, failure


def table(*counts: tuple[str, int | None]) -> pd.DataFrame:
    """Samples with the numbers of their calls."""
    return pd.DataFrame([{"task_id": task_id, "epoch": 0, "calls": count} for task_id, count in counts])


def test_the_totals_of_a_role_are_the_sums_over_its_calls(tmp_path: Path) -> None:
    silent = call("b", 0, "critic")
    silent["reply"]["usage"] = {"input": 5, "output": None, "reasoning": None, "cached": None}
    rows = [call("a", 0, "planner"), call("a", 1, "critic"), call("a", 2, text=None), {**silent, "cost": None}]
    path = write_jsonl(tmp_path / "calls.jsonl", [*rows, call("another", 0, "critic")])
    assert totals_by_role(path, table(("a", 3), ("b", 1))) == [
        RoleTotals("critic", 2, Usage(105, 10, 4), 0.25),
        RoleTotals("planner", 1, Usage(100, 10, 4), 0.25),
        RoleTotals(None, 1),
    ]


def test_what_nobody_counted_is_empty_and_not_0() -> None:
    assert RoleTotals("critic", 1_200, Usage(input=12_000), None).cells() == ("critic", "1,200", "12,000", "", "", "")
    assert RoleTotals(None, 1, Usage(0, 0, 0), 0.0).cells() == ("none", "1", "0", "0", "0", "0.0000")


def test_a_role_that_no_file_can_hold_is_escaped(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "calls.jsonl", [call("a", 0, "half \ud800"), call("a", 1)])
    assert [totals.role for totals in totals_by_role(path, table(("a", 2)))] == ["half \\ud800", None]


def test_calls_without_any_role_are_not_split(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "calls.jsonl", [call("a", 0), call("a", 1)])
    assert totals_by_role(path, table(("a", 2))) == []
    assert totals_by_role(None, table(("a", 2))) == []
    assert totals_by_role(tmp_path / "none.jsonl", table(("a", 2))) == []


def test_the_calls_of_a_run_with_one_call_an_attempt_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text("no calls\n")
    assert totals_by_role(path, table(("a", 1), ("b", None))) == []


class Critic(Agent):
    """Asks for a draft, then twice for a judgement, and gives the draft."""

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        draft = await ask(attempt.messages, role="planner")
        for number in range(2):
            await ask([draft.as_message(), Message("user", f"Judge it, {number}.")], role="critic")
        attempt.step(draft)


def test_roles_have_what_samples_have_also_where_calls_failed_and_were_asked_again(tmp_path: Path) -> None:
    def say(key: Key, turn: int) -> Said:
        # the judge of one task fails in the first session, another task is lost in both
        if (key[0] == "t1" and turn == 2) or (key[0] == "t2" and turn in (1, 2)):
            return failure(ErrorKind.AUTH)
        return Reply(key[0], usage=Usage(turn, 10 * turn, 5), model="m")

    trial = Trial(tmp_path / "run", Numbers(4), Player(say), Critic(), connections=1, price=DOLLAR_A_TOKEN)
    trial.work()
    trial.work()
    assert len(trial.calls) > sum(row["calls"] for row in trial.samples), "calls were asked again"
    manifest = {"schema": 2, "config": {"suite": "numbers", "identity": {}}}
    (trial.path / "run.json").write_text(json.dumps(manifest))
    (source,) = read_sources([trial.path])
    samples = frame([source])
    found = totals_by_role(source.calls_file, samples)
    assert [totals.role for totals in found] == ["critic", "planner"]
    assert sum(totals.calls for totals in found) == samples.calls.sum()
    assert sum(totals.usage.input or 0 for totals in found) == samples.input_tokens.sum() > 0
    assert sum(totals.usage.output or 0 for totals in found) == samples.output_tokens.sum() > 0
    assert sum(totals.usage.reasoning or 0 for totals in found) == samples.reasoning_tokens.sum() > 0
    assert sum(totals.cost or 0 for totals in found) == samples.cost.sum() > 0
