"""Journeys behind the contract of a suite: verdicts, settings, players, twins, generator and proofs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.api import check_suite
from herobench.conversation import Reply, Request
from herobench.data.documents import schema_problems
from herobench.data.errors import UsageError
from herobench.data.options import OptionFault
from herobench.prompts.rpg.journey.telling import opening
from herobench.suite.contract import SuiteSetting, Verdict
from herobench.suite.refusals import SuiteFault
from herobench.suites.rpg import journey_suite
from herobench.suites.rpg.journey.columns import ENDS, FAILURES, FIGURES
from herobench.suites.rpg.journey.plan import as_code
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Call, walk
from herobench.suites.rpg.journey_suite import Journeys
from herobench.task_gen.rpg.journey import maker
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.rpg.journey.roads import journey

TASK = journey(3, "hand", 1, 2)
ROAD = TASK.road


def suite(*journeys: Journey, **options: str) -> Journeys:
    return Journeys(SuiteSetting(options=options), {each.id: each for each in journeys or (TASK,)})


def grade(reply: Reply | None, task: Journey = TASK, **options: str) -> Verdict:
    attempt = suite(task, **options).open(task.id, 0)
    if reply is not None:
        assert attempt.step(reply) is None
    verdict = attempt.grade()
    assert verdict == attempt.grade()
    assert schema_problems(dict(verdict.details), "journey-details", "details") == []
    assert verdict.events is not None
    assert schema_problems(dict(verdict.events), "journey-events", "events") == []
    assert verdict.details["ended"] in ENDS
    assert verdict.failure in (None, *FAILURES)
    return verdict


def answer(plan: Sequence[Call], after: str = "") -> Reply:
    return Reply(f"I think.\n```python\n{as_code(plan)}\n{after}\n```\nDone.")


def ending(verdict: Verdict) -> tuple[object, ...]:
    names = ("ended", "end_reason", "end_line", "walked", "choices")
    return verdict.failure, *(verdict.details[name] for name in names)


# -- verdicts ---------------------------------------------------------------------------------------------------------


def test_the_best_plan_wins() -> None:
    verdict = grade(answer(TASK.plan))
    assert (verdict.won, verdict.score, verdict.progress) == (True, 100.0, 100.0)
    assert ending(verdict) == (None, "arrived", None, None, 3, len(TASK.plan))
    figures = {name: verdict.details[name] for name in ("time", "least", "best", "near", "mistakes", "regret")}
    assert figures == {
        "time": TASK.least, "least": TASK.least, "best": True, "near": True, "mistakes": 0, "regret": 0,
    }  # fmt: skip
    assert verdict.events == {
        "schema": 1,
        "actions": [list(call) for call in TASK.plan],
        "times": [step.time for step in walk(ROAD, TASK.plan).steps],
        "mistakes": [],
    }
    assert sum(verdict.events["times"]) == TASK.least


def test_a_slower_plan_has_its_regrets_and_the_least_time_in_percent_of_its_own_as_score() -> None:
    verdict = grade(answer([("camp",), *TASK.plan]))
    time = TASK.least + ROAD.limits.camp
    assert (verdict.won, verdict.score, verdict.progress) == (False, 100 * TASK.least / time, 100.0)
    assert ending(verdict) == ("slower", "arrived", None, None, 3, len(TASK.plan) + 1)
    assert (verdict.details["time"], verdict.details["best"], verdict.details["near"]) == (time, False, False)
    assert verdict.events is not None
    (mistake,) = verdict.events["mistakes"]
    assert (mistake["action"], mistake["regret"]) == (0, ROAD.limits.camp)
    assert (verdict.details["mistakes"], verdict.details["regret"], verdict.details["large_mistakes"]) == (1, 7, 1)
    assert Journeys.explain_loss(verdict) == (f"the plan takes {time}, and the least time is {TASK.least}", None)


@for_each(("extra", "is_near"), [(0, True), (1, True), (2, False)])
def test_a_plan_within_1_percent_is_near(extra: int, is_near: bool) -> None:
    foe = replace(ROAD.regions[0].monsters[0], hp=100 + extra, pace=999)
    region = replace(ROAD.regions[0], nodes=(), monsters=(foe,), workshop=None, inn=None)
    task = replace(TASK, road=replace(ROAD, regions=(region,)), least=100)
    verdict = grade(answer([("fight", foe.code), ("leave",)]), task, regrets="off")
    assert (verdict.details["near"], verdict.details["best"], verdict.won) == (is_near, extra == 0, extra == 0)


def test_a_refused_action_ends_the_plan_and_what_was_walked_counts() -> None:
    first = list(TASK.plan[: TASK.plan.index(("leave",)) + 1])
    verdict = grade(answer([*first, ("gather", "gold"), *TASK.plan[len(first) :]]))
    reason = "gather gold: nothing of this name is in the region"
    assert (verdict.won, verdict.score, verdict.progress) == (False, 0.0, 100 / 3)
    assert ending(verdict) == ("refused", "refused", reason, len(first) + 1, 1, len(first))
    assert (verdict.details["mistakes"], verdict.details["regret"]) == (0, 0)
    assert verdict.details["time"] == walk(ROAD, first).time
    assert Journeys.explain_loss(verdict) == (reason, len(first) + 1)


def test_a_plan_that_goes_on_behind_the_last_gate_is_refused() -> None:
    verdict = grade(answer([*TASK.plan, ("camp",)]))
    reason = "camp: the road has ended"
    assert ending(verdict) == ("refused", "refused", reason, len(TASK.plan) + 1, 3, len(TASK.plan))
    assert (verdict.won, verdict.score, verdict.details["best"]) == (False, 0.0, False)


def test_a_plan_that_stops_early_does_not_win() -> None:
    verdict = grade(answer(TASK.plan[:-1]))
    reason = "the plan ends before the last gate"
    assert ending(verdict) == ("stopped", "stopped", reason, None, 2, len(TASK.plan) - 1)
    assert (verdict.won, verdict.score, verdict.progress) == (False, 0.0, 200 / 3)
    assert ending(grade(Reply("```python\n```"))) == ("stopped", "stopped", reason, None, 0, 0)


def test_a_plan_that_computes_is_rejected_as_a_whole() -> None:
    verdict = grade(answer(TASK.plan, after="for i in range(3): camp()"))
    reason = "a plan holds only calls of actions, with their values in quotes"
    assert ending(verdict) == ("rejected", "rejected", reason, len(TASK.plan) + 1, 0, 0)
    assert (verdict.won, verdict.score, verdict.details["time"], verdict.details["mistakes"]) == (False, 0.0, 0, 0)


@for_each("reply", [Reply("I cannot."), Reply(""), None])
def test_a_reply_without_a_plan_is_told_so(reply: Reply | None) -> None:
    assert ending(grade(reply)) == ("no_plan", "no_plan", "the reply has no plan", None, 0, 0)


@for_each(
    "reply",
    [
        Reply("words", answer=as_code(TASK.plan)),
        Reply("words", answer=as_code(TASK.plan).replace("\n", "\r\n")),
        Reply(Journeys.as_reply(as_code(TASK.plan))),
        Reply(f"```\nleave()\n```\nNo:\n```\n{as_code(TASK.plan)}\n```"),
        Reply(f"```python\r\n{as_code(TASK.plan)}\r\n```".replace("\n", "\r\n").replace("\r\r", "\r")),
    ],
)
def test_a_plan_is_taken_out_of_a_reply(reply: Reply) -> None:
    assert grade(reply).won


# -- settings ---------------------------------------------------------------------------------------------------------


def test_an_attempt_asks_once_in_the_lane_that_was_chosen() -> None:
    texts = set()
    for lane in ("plan", "fights", "steps"):
        (message,) = suite(lane=lane).open(TASK.id, 0).messages
        assert (message.role, message.text) == ("user", opening(ROAD, lane, TASK.plan))
        texts.add(message.text)
        assert grade(answer(TASK.plan), lane=lane).details["told"] == lane
    assert len(texts) == 3
    with raises(OptionFault.BAD_VALUE, "'hints'"):
        suite(lane="hints")


def test_without_regrets_they_are_null() -> None:
    verdict = grade(answer([("camp",), *TASK.plan]), regrets="off")
    assert (verdict.failure, verdict.details["regrets"]) == ("slower", "off")
    assert [verdict.details[name] for name in ("mistakes", "regret", "large_mistakes")] == [None] * 3
    assert verdict.events is not None
    assert verdict.events["mistakes"] is None


def test_a_sample_without_a_reply_has_the_facts_of_its_task_and_no_figures() -> None:
    blank = suite().blank(TASK.id)
    assert schema_problems(dict(blank), "journey-details", "details") == []
    assert {blank[column.name] for column in FIGURES} == {None}
    facts = {name: blank[name] for name in ("regions", "sites", "width", "reach", "least", "oracle_actions", "twin_of")}
    assert facts == {
        "regions": 3, "sites": "hand", "width": 1, "reach": 2, "least": TASK.least,
        "oracle_actions": len(TASK.plan), "twin_of": None,
    }  # fmt: skip


def test_the_identity_names_the_words_and_the_settings() -> None:
    usual, other = suite().identity([TASK.id]), suite(lane="fights", regrets="off").identity([TASK.id])
    assert usual.keys() == {"prompts", "lane", "regrets"}
    assert (other["lane"], other["regrets"], other["prompts"]) == ("fights", "off", usual["prompts"])


def test_tasks_are_grouped_by_their_length() -> None:
    (info,) = suite().tasks()
    assert (info.id, info.group, dict(info.row)) == (TASK.id, "3 regions", TASK.as_row())


def test_scoring_without_regrets_and_best_plans_load_no_numpy(tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "roads.jsonl", [TASK.as_row()])
    best, slower = as_code(TASK.plan), as_code([("camp",), *TASK.plan])
    cases = [("off", best), ("off", slower), ("on", best), ("on", slower)]
    script = f"""
import json, sys
from pathlib import Path
from herobench.conversation import Reply
from herobench.suite.checked import open_suite
from herobench.suite.contract import SuiteSetting
for regrets, plan in {cases!r}:
    suite = open_suite("journey", SuiteSetting(tasks=Path({str(file)!r}), options={{"regrets": regrets}}))
    attempt = suite.open({TASK.id!r}, 0)
    attempt.step(Reply(attempt.messages[0].text, answer=plan))
    print(json.dumps([attempt.grade().won, "numpy" in sys.modules]))
"""
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True).stdout
    assert list(map(json.loads, output.splitlines())) == [[True, False], [False, False], [True, False], [False, True]]


# -- players ----------------------------------------------------------------------------------------------------------


def play(player: str, task: Journey = TASK, epoch: int = 0) -> Verdict:
    new_suite = suite(task)
    attempt = new_suite.open(task.id, epoch)
    reply = asyncio.run(new_suite.player(player).reply(Request(task.id, epoch, tuple(attempt.messages))))
    attempt.step(reply)
    return attempt.grade()


@for_each(
    ("player", "ends"),
    [
        ("oracle", ["arrived"]),
        ("sight:1", ["arrived"]),
        ("greedy", ["arrived"]),
        ("nearest", ["arrived"]),
        ("careless:0.5", ["arrived"]),
        ("noop", ["stopped"]),
    ],
)
def test_every_player_carries_out_a_plan(player: str, ends: list[str]) -> None:
    assert [play(player).details["ended"]] == ends


def test_players_are_as_good_as_their_sight() -> None:
    task = journey(4, "hand", 1, 3)
    assert play("oracle", task).won
    assert play("careless:0", task).won
    for sight, time in task.sights.items():
        assert play(f"sight:{sight}", task).details["time"] == time
    assert play("sight:1000", task).won
    assert min(task.sights.values()) == task.least < task.sights[1]


def test_a_careless_player_errs_by_its_chance_alone() -> None:
    task = journey(4, "hand", 1, 3)
    one, same, other = (play("careless:0.5", task, epoch).events for epoch in (0, 0, 1))
    assert one == same != other
    details = play("careless:1", task).details
    assert details["mistakes"] > 1
    assert details["regret"] == details["time"] - details["least"]


@for_each(
    "name", ["sight", "sight:x", "sight:0", "sight:-1", "sight:1.5", "sight:1001", "careless", "careless:x",
             "careless:2", "careless:-0.1", "careless:nan"],
)  # fmt: skip
def test_players_refuse_wrong_arguments(name: str) -> None:
    with pytest.raises(UsageError) as error:
        suite().player(name)
    assert "such as " in str(error.value)


def test_other_players_take_no_argument() -> None:
    with raises(SuiteFault.NO_ARGUMENT, "oracle"):
        suite().player("oracle:3")
    with raises(SuiteFault.NO_PLAYER, "expert"):
        suite().player("expert")


# -- twins, generator, proofs -----------------------------------------------------------------------------------------


def test_twins_have_the_dials_of_their_originals_and_roads_of_their_own() -> None:
    tasks = [journey(2, "hand", 1, 1), journey(2, "hand", 1, 3)]
    new_suite = suite(*tasks, lane="fights")
    twins = [new_suite.fresh(seed, [task.id for task in tasks]).suite for seed in (7, 7, 8)]
    rows = [[dict(info.row) for info in twin.tasks()] for twin in twins]
    assert rows[0] == rows[1] != rows[2]
    for original, row in zip(tasks, rows[0], strict=True):
        assert (row["id"], row["twin_of"], row["dials"]) == (original.id, original.id, original.as_row()["dials"])
        assert row["road"] != original.as_row()["road"]
    assert twins[0].options == new_suite.options
    assert twins[0].blank(tasks[0].id)["twin_of"] == tasks[0].id


GENERATE = ("generate", "--suite", "journey", "--regions", "2", "--sites", "hand", "--width", "1", "--reach", "1")


def generate(path: Path, *args: str) -> list[dict[str, Any]]:
    done = herobench(*GENERATE, *args, "-o", path)
    assert done.returncode == 0, done.stderr
    return read_jsonl(path)


def test_a_task_is_the_same_however_many_are_made(tmp_path: Path) -> None:
    three = generate(tmp_path / "three.jsonl", "--count", "3", "--seed", "5")
    assert generate(tmp_path / "one.jsonl", "--count", "1", "--seed", "5") == three[:1]
    assert generate(tmp_path / "jobs.jsonl", "--count", "3", "--seed", "5", "--jobs", "2") == three
    assert generate(tmp_path / "other.jsonl", "--count", "1", "--seed", "6")[0]["road"] != three[0]["road"]
    assert len({json.dumps(row["road"]) for row in three}) == 3
    assert len({row["id"] for row in three}) == 3
    assert [schema_problems(row, "journey-task", "row") for row in three] == [[]] * 3


def test_tasks_are_made_one_by_one_by_their_numbers() -> None:
    new_suite = suite()
    lengths = new_suite.ladder()
    numbers = {"a": lengths.index(2), "b": lengths.index(2) + 4}  # with the same dials
    both = {info.id: dict(info.row) for info in new_suite.make(3, numbers).suite.tasks()}
    (alone,) = new_suite.make(3, {"b": numbers["b"]}).suite.tasks()
    assert dict(alone.row) == both["b"]
    assert [row["dials"]["regions"] for row in both.values()] == [2, 2]
    assert both["a"]["road"] != both["b"]["road"]


@pytest.mark.parametrize("name", journey_suite.DATASETS)
def test_shipped_dials_have_names_of_their_own(name: str) -> None:
    tasks = list(maker.shipped_dials(name))
    assert len({id for id, _, _ in tasks}) == len({seed for _, seed, _ in tasks}) == len(tasks)
    assert all(id.startswith(f"{dials.regions}/") for id, _, dials in tasks)


def test_validate_finds_false_certificates(tmp_path: Path, golden: Golden) -> None:
    def row(id: str, **certificate: object) -> dict[str, Any]:
        sound = TASK.as_row()
        return {**sound, "id": id, "certificate": {**sound["certificate"], **certificate}}

    plan = [list(call) for call in TASK.plan]
    rows = [
        row("sound"),
        row("least", least=TASK.least - 1),
        row("slower", plan=[["camp"], *plan], least=TASK.least + ROAD.limits.camp),
        row("refused", plan=[*plan, ["leave"]]),
        row("cut", plan=plan[:-1]),
        row("sights", sights={**TASK.as_row()["certificate"]["sights"], "1": TASK.sights[1] + 1, "9": TASK.least}),
        row("reaches", reaches=[*TASK.reaches[:-1], 9]),
    ]
    write_jsonl(tmp_path / "roads.jsonl", rows)
    golden(herobench("validate", "--suite", "journey", "roads.jsonl", "--jobs", "1", cwd=tmp_path))


def test_validate_proves_a_shipped_set_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(journey_suite, "shipped_journeys", lambda name: {TASK.id: TASK})
    monkeypatch.chdir(tmp_path)
    assert "1 of 1 tasks hold" in herobench("validate", "--suite", "journey", "roads-v1", "--jobs", "1").stdout


@pytest.mark.slow
def test_the_suite_keeps_to_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {task.id: task for task in (journey(2, "hand", 1, 1), TASK)}
    monkeypatch.setattr(journey_suite, "shipped_journeys", lambda name: few)
    assert check_suite("journey") == []
