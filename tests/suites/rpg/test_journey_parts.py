"""Journeys whose plan is given in parts: what is told after each, how they end, and the reward of each part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from herobench.analysis.suites.rpg.journey_reading import JourneyPanel
from herobench.conversation import Reply
from herobench.scorer import Scorer, TaskQuery, TurnReward
from herobench.suite.contract import Attempt, SuiteSetting
from herobench.suites.rpg.journey.plan import as_code, most_parts
from herobench.suites.rpg.journey.walk import Call, walk
from herobench.suites.rpg.journey_suite import Journeys
from herobench.suites.rpg.refusals import RpgFault
from herobench.task_gen.rpg.journey.players import parts_by_region
from tests.program import herobench, read_jsonl, write_jsonl
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.rpg.journey.roads import journey

TASK = journey(3, "maps", 1, 2)
ROAD = TASK.road
PARTS = parts_by_region(TASK.plan)


def start() -> Attempt:
    return Journeys(SuiteSetting(options={"mode": "feedback"}), {TASK.id: TASK}).open(TASK.id, 0)


def part(calls: Sequence[Call]) -> Reply:
    return Reply(f"```python\n{as_code(calls)}\n```")


def test_a_plan_in_parts_has_the_verdict_of_the_whole_plan_but_for_its_mode() -> None:
    attempt = start()
    assert [attempt.step(part(calls)) is None for calls in PARTS] == [False, False, True]
    whole = Journeys(SuiteSetting(), {TASK.id: TASK}).open(TASK.id, 0)
    whole.step(part(TASK.plan))
    verdict, expected = attempt.grade(), whole.grade()
    assert verdict.won
    assert (verdict.events, verdict.score, verdict.progress) == (expected.events, 100.0, 100.0)
    assert dict(verdict.details) == {**expected.details, "mode": "feedback"}
    assert str(TASK.least) in attempt.farewell[0].text


def test_after_each_part_the_model_is_told_how_the_hero_stands() -> None:
    attempt = start()
    assert f"at most {most_parts(ROAD)} answers" in attempt.messages[0].text
    for number in range(1, len(PARTS[0]) + 1):
        (told,) = attempt.step(part(PARTS[0][number - 1 : number])) or ()
        so_far = walk(ROAD, TASK.plan[:number])
        position = so_far.position
        words = [
            f"far: {so_far.time}.",
            f"region {position.region + 1} of 3 at {position.place[0]},{position.place[1]}",
        ]
        words += [f"with {position.hearts} of", f"given {number} of at most", *position.bag, *dict(position.gear)]
        assert [each for each in words if each not in told.text] == []
        region = ROAD.regions[position.region]
        left = told.text.partition("Left in the region: ")[2].partition(".")[0]
        alive = [foe.code for foe, lives in zip(region.monsters, position.alive, strict=True) if lives]
        assert [foe.code for foe in region.monsters if foe.code in left] == alive
    assert told.text.count("region 2 of 3") == 1


@for_each(
    ("reply", "ended", "line"),
    [
        (Reply("I am done."), "no_plan", None),
        (part(()), "stopped", None),
        (Reply("```python\nleave()\nfor i in x: leave()\n```"), "rejected", 2),
        (part([("camp",), ("gather", "gold"), ("camp",)]), "refused", 2),
    ],
)
def test_what_ends_a_plan_ends_a_plan_in_parts(reply: Reply, ended: str, line: int | None) -> None:
    attempt = start()
    attempt.step(part(PARTS[0]))
    assert attempt.step(reply) is None
    details = attempt.grade().details
    carried_out = len(PARTS[0]) + (ended == "refused")
    assert [details[name] for name in ("ended", "end_line", "walked", "choices")] == [ended, line, 1, carried_out]
    assert str(details["end_reason"]) in attempt.farewell[0].text


def test_parts_end_at_their_limit() -> None:
    attempt = start()
    messages = [attempt.step(part([("camp",)])) for _ in range(most_parts(ROAD))]
    assert [number for number, told in enumerate(messages, 1) if told is None] == [most_parts(ROAD)]
    assert attempt.grade().details["ended"] == "stopped"


def test_the_potential_pays_each_part_its_regret(tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "roads.jsonl", [TASK.as_row()])
    with Scorer(TaskQuery(suite="journey", tasks=file, mode="feedback")) as scorer:
        credit = TurnReward(scorer.play(TASK.id), "potential")
        wasteful = [PARTS[0], [("camp",), *PARTS[1]], PARTS[2]]
        for calls in wasteful:
            credit.play.say(part(calls))
            credit.of_turn()
        result = credit.play.result()
    regret = ROAD.limits.camp / TASK.least
    assert result.verdict.details["regret"] == ROAD.limits.camp
    assert credit.rewards[:2] == pytest.approx([0, -regret])
    assert sum(credit.rewards) == pytest.approx(result.reward)


def test_a_fork_goes_on_by_itself() -> None:
    attempt = start()
    attempt.step(part(PARTS[0]))
    twin = attempt.fork()
    assert twin is not None
    twin.step(part([("gather", "gold")]))
    for calls in PARTS[1:]:
        attempt.step(part(calls))
    assert (attempt.grade().won, twin.grade().details["ended"]) == (True, "refused")


def test_players_give_a_part_for_each_region_and_a_run_resumes(tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "roads.jsonl", [TASK.as_row()])
    asked = ["--tasks", str(file), "--suite", "journey", "--mode", "feedback", "-o", str(tmp_path / "run")]
    assert herobench("run", "--model", "oracle", *asked).returncode == 0
    (sample,) = read_jsonl(tmp_path / "run" / "samples.jsonl")
    assert (sample["won"], sample["details"]["mode"], sample["calls"]) == (True, "feedback", 3)
    again = herobench("run", "--resume", str(tmp_path / "run"))
    assert again.returncode == 0, again.stderr
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    panel = JourneyPanel.of_run(tmp_path / "run", manifest).task(TASK.id)
    assert panel is not None
    assert panel["prompt"] == start().messages[0].text


def test_roads_with_chance_have_no_plans_in_parts() -> None:
    suite = Journeys(SuiteSetting(dataset="luck-v1", options={"mode": "feedback"}))
    with raises(RpgFault.CHANCE, "a plan in parts"):
        suite.identity([next(iter(suite.tasks())).id])


def test_a_mode_alone_means_the_suite_that_has_it(tmp_path: Path) -> None:
    assert [TaskQuery(mode=mode).suite for mode in ("plan", "feedback", "tools")] == ["journey", "journey", "rpg"]
    shown = herobench("run", "--model", "m", "--mode", "tools", "--limit", "1", "--dry-run", cwd=tmp_path)
    assert (shown.returncode, "base" in shown.stdout) == (0, True), shown.stderr
