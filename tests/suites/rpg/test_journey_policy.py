"""Policies on roads with chance: what they see, how their walks end, and how they are judged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from statistics import mean
from typing import Any

import pytest

from herobench.analysis.suites.rpg.journey_reading import JourneyReading
from herobench.conversation import Reply, Request
from herobench.data.documents import schema_problems
from herobench.prompts.rpg.journey.telling import opening
from herobench.suite.contract import SuiteSetting, Verdict
from herobench.suites.rpg.game.episode import FINISHED, Ending
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.journey.columns import ENDS, FAILURES
from herobench.suites.rpg.journey.options import JourneyStyle
from herobench.suites.rpg.journey.plan import STEPS_A_REGION, WALKS, luck_seeds
from herobench.suites.rpg.journey.road import HERE, GearKind, Limits, Monster, Region, Road
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import LEAVE, walk
from herobench.suites.rpg.journey_attempt import PolicyAttempt, walk_policy
from herobench.suites.rpg.journey_suite import Journeys
from herobench.suites.rpg.play.execution import as_answer
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.sandbox.pool import Workers
from herobench.suites.rpg.sandbox.wire import Played
from herobench.task_gen.rpg.journey import maker
from herobench.task_gen.rpg.journey.players import player_policy, policy_code
from herobench.task_gen.rpg.journey.regrets import best_policy, follow, mean_regret
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.rpg.journey.roads import journey, risky_journey

TASK = risky_journey(3, 1, 2)
ROAD = TASK.road
WOLF = Monster("wolf", 11, 4, "earth", HERE)
SMALL = Road(
    Limits(bag=2, places=2, hearts=5, uses=1, crafting=1, rest=1, camp=7, breaks=3),
    {"bow": GearKind(2, "fire", ("ash", "ash"))},
    (Region(HERE, HERE, (), (WOLF,), None, None),) * 2,
    None,
)
"""Two regions with nothing but a wolf, which costs two hearts, or three with the chance 3/4."""
CAREFUL = """
for _ in range(2):
    hero = fight("wolf")
    while hero["hearts"] < 4:
        hero = camp()
    leave()
"""
"""Camps behind each wolf: behind the last one for nothing."""


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(None) as few:
        yield few


@pytest.fixture(scope="module")
def opened() -> Iterator[Journeys]:
    suite = Journeys(SuiteSetting(), {TASK.id: TASK})
    yield suite
    suite.close()


def small_task() -> Journey:
    return replace(
        TASK, id="small", road=SMALL, dials=replace(TASK.dials, regions=2), least=BackwardSolver(SMALL).least
    )


def verdict(workers: Workers, code: str, task: Journey = TASK) -> Verdict:
    attempt = PolicyAttempt(task, JourneyStyle(), workers)
    attempt.step(Reply(as_answer(code), stop="stop"))
    judged = attempt.grade()
    assert schema_problems(dict(judged.details), "journey-details", "details") == []
    assert judged.events is not None
    assert schema_problems(dict(judged.events), "journey-events", "events") == []
    assert judged.details["ended"] in ENDS
    assert judged.failure in (None, *FAILURES)
    return judged


def ended(judged: Verdict) -> tuple[object, ...]:
    return judged.failure, *(judged.details[name] for name in ("ended", "end_reason", "end_line"))


def player_code(kind: str, number: float = 0) -> str:
    return policy_code(ROAD, player_policy(ROAD, kind, number, "seed"), luck_seeds(TASK.id))


# -- verdicts ---------------------------------------------------------------------------------------------------------


def test_the_best_policy_wins_with_every_luck(workers: Workers) -> None:
    judged = verdict(workers, player_code("oracle"))
    assert (judged.won, judged.score, judged.progress) == (True, 100.0, 100.0)
    assert ended(judged) == (None, "arrived", None, None)
    figures = {name: judged.details[name] for name in ("time", "best", "near", "mistakes", "regret")}
    assert figures == {"time": TASK.least, "best": True, "near": True, "mistakes": 0, "regret": 0}
    assert (judged.details["mode"], judged.details["chance"], judged.details["regrets"]) == ("policy", "on", "on")
    assert Journeys.help(judged.details) == "code"
    assert Journeys.help({"mode": "plan"}) == "bare"


def test_a_policy_of_short_sight_loses_its_mean_regret(workers: Workers) -> None:
    judged = verdict(workers, player_code("sight", 1))
    solver = BackwardSolver(ROAD)
    walks = follow(ROAD, best_policy(solver, ROAD, 1), luck_seeds(TASK.id))
    assert judged.details["regret"] == pytest.approx(mean_regret(solver, walks))
    assert judged.details["time"] == pytest.approx(TASK.sights[1])
    assert judged.score == pytest.approx(100 * TASK.least / TASK.sights[1])
    assert ended(judged) == ("slower", "arrived", None, None)
    assert "and the least time is" in str(Journeys.explain_loss(judged))


def test_what_several_walks_do_in_one_position_counts_once(workers: Workers) -> None:
    """All walks camp at the beginning for nothing: that is one mistake, and it costs each walk a camp."""
    judged = verdict(workers, f"camp()\n{player_code('oracle')}")
    assert judged.events is not None
    (mistake,) = judged.events["mistakes"]
    assert (mistake["walk"], mistake["action"], mistake["regret"]) == (1, 0, pytest.approx(ROAD.limits.camp))
    assert (judged.details["mistakes"], judged.details["large_mistakes"]) == (1, 1)
    assert judged.details["regret"] == pytest.approx(ROAD.limits.camp)
    steps = follow(ROAD, best_policy(BackwardSolver(ROAD), ROAD), luck_seeds(TASK.id))
    distinct = {(step.before, step.call) for each in steps for step in each}
    assert judged.details["choices"] == len(distinct) + 1 == sum(judged.details["reaches"])


def test_the_events_are_those_of_the_walk_with_the_most_regret(workers: Workers) -> None:
    judged = verdict(workers, CAREFUL, small_task())
    assert judged.events is not None
    seed = luck_seeds("small")[judged.events["walk"] - 1]
    calls = [tuple(call) for call in judged.events["actions"]]
    again = walk(SMALL, calls, seed)
    assert again.arrived
    assert judged.events["times"] == [step.time for step in again.steps]
    walks = [walk_policy(workers, SMALL, CAREFUL, each).walk for each in luck_seeds("small")]
    solver = BackwardSolver(SMALL)
    assert mean_regret(solver, [again.steps]) == max(mean_regret(solver, [each.steps]) for each in walks)


def test_a_policy_decides_by_what_chance_did(workers: Workers) -> None:
    walks = [walk_policy(workers, SMALL, CAREFUL, seed) for seed in luck_seeds("small")]
    assert {each.ended for each in walks} == {"arrived"}
    camps = {tuple(step.call[0] for step in each.walk.steps).count("camp") for each in walks}
    assert camps == {3, 4, 5}
    assert [each.walk for each in walks] == [
        walk_policy(workers, SMALL, CAREFUL, seed).walk for seed in luck_seeds("small")
    ]


def test_a_run_ends_behind_the_last_gate(workers: Workers) -> None:
    walks = [walk_policy(workers, SMALL, f"{CAREFUL}camp()\nwhile True: pass", seed) for seed in luck_seeds("small")]
    assert {(each.ended, each.walk.refusal) for each in walks} == {("arrived", None)}


def test_decisions_are_judged_even_without_regrets(workers: Workers) -> None:
    attempt = PolicyAttempt(TASK, JourneyStyle(regrets="off"), workers)
    attempt.step(Reply(as_answer(player_code("oracle")), stop="stop"))
    assert attempt.grade().details["regrets"] == "on"


def test_a_policy_sees_hearts_bag_and_gear(workers: Workers) -> None:
    code = 'hero = camp()\nif hero == {"hearts": 5, "bag": [], "gear": []}:\n    gather("seen")'
    assert ended(verdict(workers, code, small_task()))[:2] == ("refused", "refused")


@for_each(
    ("code", "ends"),
    [
        ("fight('wolf')\ngather('ash')", ("refused", "gather ash: nothing of this name is in the region", 2)),
        ("fight(monster='wolf')\nleave()\nfight('wolf')\nfight('wolf')", ("refused", None, 3)),
        ("fight('wolf')\nleave()", ("stopped", "the policy ends before the last gate", None)),
        ("hero = fight('wolf')\nhero['time']", ("failed", "KeyError: time", 2)),
        ("while True: pass", ("failed", f"the plan takes more than {2 * STEPS_A_REGION:,} steps", 1)),
        ("import os", ("rejected", "imports have no place in a plan", 1)),
        ("x = 1\n" * 600, ("rejected", "the plan's code has more than 1,000 parts", None)),
        ("", ("no_plan", "the plan is empty", None)),
        ("fight(1)", ("refused", "fight 1: nothing of this name is in the region", 1)),
        ("fight('wolf', None)", ("refused", "fight wolf None: the hero does not carry it", 1)),
    ],
)
def test_the_ways_in_which_walks_end(workers: Workers, code: str, ends: tuple[object, ...]) -> None:
    judged = verdict(workers, code, small_task())
    how, reason, line = ends
    assert (judged.won, judged.score, judged.details["best"], judged.details["time"]) == (False, 0.0, False, None)
    assert ended(judged) == (how, how, reason or judged.details["end_reason"], line)
    sample: Any = {"details": judged.details, "won": False, "events": judged.events, "output_tokens": None}
    found = JourneyReading().cause(sample)
    assert found is not None
    assert found.cause in JourneyReading.causes


def test_a_reply_without_a_fence_has_no_policy(workers: Workers) -> None:
    attempt = PolicyAttempt(TASK, JourneyStyle(), workers)
    attempt.step(Reply("I cannot."))
    assert attempt.grade().details["ended"] == "no_plan"


def test_a_walk_that_breaks_a_rule_loses_even_if_others_arrive(workers: Workers) -> None:
    """Bare hands need four hearts for a wolf, which only some walks have behind the first."""
    code = 'for _ in range(2):\n    fight("wolf")\n    camp()\n    leave()'
    judged = verdict(workers, code, small_task())
    walks = [walk_policy(workers, SMALL, code, seed) for seed in luck_seeds("small")]
    ends = [each.ended for each in walks]
    assert {*ends} == {"arrived", "refused"}
    assert judged.events is not None
    assert judged.events["walk"] == 1 + ends.index("refused") > 1
    assert (judged.failure, judged.progress, judged.details["walked"]) == ("refused", 50.0, 1)
    assert judged.details["mistakes"] > 0


SEARCH = """
NODES = [(6, 4, 2), (7, 1, 1), (6, 1, 3)]
FOES = {"snake": (1, 5), "bat": (2, 8)}
COSTS = {"snake": (20, 2), "bat": (19, 2)}
KNOWN = {}
def value(place, left, alive, bag, hearts):
    key = (place, left, alive, bag, hearts)
    if key not in KNOWN:
        ways = [0] if not alive else []
        if hearts < 5:
            ways.append(7 + value(place, left, alive, bag, hearts + 1))
        for number, (x, y, time) in enumerate(NODES):
            if left[number] and bag < 3:
                fewer = left[:number] + (left[number] - 1,) + left[number + 1:]
                ways.append(abs(x - place[0]) + abs(y - place[1]) + time + value((x, y), fewer, alive, bag + 1, hearts))
        for foe in alive:
            time, wounds = COSTS[foe]
            if hearts > wounds:
                others = tuple([each for each in alive if each != foe])
                ways.append(time + value(FOES[foe], left, others, bag, hearts - wounds))
        KNOWN[key] = min(ways)
    return KNOWN[key]
value((0, 1), (1, 1, 2), ("bat", "snake"), 0, 5)
"""


def test_the_budget_of_32_regions_is_too_small_to_search_one(workers: Workers) -> None:
    """The search knows no gear and no chance, and its region has few nodes: a real one takes far more."""
    road = replace(SMALL, regions=SMALL.regions * 16)
    walked = walk_policy(workers, road, SEARCH, "seed")
    assert (walked.ended, walked.reason) == ("failed", f"the plan takes more than {32 * STEPS_A_REGION:,} steps")


class TakenOver:
    """Workers that a plan controls: they report what they like."""

    def __init__(self, played: Played) -> None:
        self._played = played

    def run(self, *_: object) -> Played:
        return self._played


@for_each(
    ("attempts", "ending", "ends"),
    [
        ([("fight", "wolf"), ("leave",)], FINISHED, "stopped"),
        ([("fight", "wolf"), ("leave",)] * 2, Ending("error", "no", 1, "runtime", "E"), "refused"),
        ([("win",)], FINISHED, "refused"),
        ([("camp",)] * 100_000, FINISHED, "stopped"),
        ([("x" * 10**6,)], FINISHED, "refused"),
        ([], FINISHED, "stopped"),
    ],
)
def test_a_worker_that_was_taken_over_earns_what_its_actions_earn(attempts: Any, ending: Ending, ends: str) -> None:
    actions = tuple(Action(name, tuple(values), (), 1) for name, *values in attempts)
    forged: Any = TakenOver(Played(actions, ending, ""))
    walked = walk_policy(forged, SMALL, "camp()", luck_seeds("small")[1])
    assert walked.ended == ends
    assert len(walked.walk.steps) <= 2 * STEPS_A_REGION
    assert len(walked.reason or "") < 200


# -- the suite --------------------------------------------------------------------------------------------------------


def played(opened: Journeys, player: str) -> Verdict:
    attempt = opened.open(TASK.id, 0)
    reply = asyncio.run(opened.player(player).reply(Request(TASK.id, 0, tuple(attempt.messages))))
    attempt.step(reply)
    return attempt.grade()


def test_players_are_as_good_as_their_sight(opened: Journeys) -> None:
    times = {player: played(opened, player).details["time"] for player in ("oracle", "sight:1", "sight:2", "sight:3")}
    assert times["oracle"] == times["sight:3"] == TASK.least
    assert times["sight:1"] > TASK.least
    assert times["sight:2"] == pytest.approx(TASK.sights[2])


@for_each(
    ("player", "ends"),
    [("greedy", "arrived"), ("nearest", "arrived"), ("careless:0.5", "arrived"), ("noop", "no_plan")],
)
def test_every_player_answers_with_a_policy(opened: Journeys, player: str, ends: str) -> None:
    assert played(opened, player).details["ended"] == ends


def test_a_careless_player_errs_by_its_chance_alone(opened: Journeys) -> None:
    mistakes = [played(opened, f"careless:{chance}").details["mistakes"] for chance in (0, 1)]
    assert mistakes[0] == 0 < mistakes[1]


def test_the_prompt_tells_the_chances_and_the_budget(opened: Journeys) -> None:
    (message,) = opened.open(TASK.id, 0).messages
    assert message.text == opening(ROAD, "plan", ())
    text = " ".join(message.text.split())
    for words in ("with the chance 1/3", f"runs {WALKS} times", f"at most {3 * STEPS_A_REGION} steps", "1,500 parts"):
        assert words in text
    assert "plan" not in text


def test_the_lane_steps_tells_no_policy() -> None:
    suite = Journeys(SuiteSetting(options={"lane": "steps"}), {TASK.id: TASK})
    with raises(RpgFault.CHANCE):
        suite.identity([TASK.id])


def test_a_task_with_chance_is_read_again_as_it_was_written() -> None:
    row = TASK.as_row()
    assert schema_problems(row, "journey-task", "row") == []
    assert (row["dials"]["chance"], row["road"]["limits"]["breaks"]) == ("on", 3)
    plain = journey(3, "hand", 1, 2).as_row()
    assert ("chance" in plain["dials"], "breaks" in plain["road"]["limits"]) == (False, False)


def test_certificates_hold_and_false_ones_are_found() -> None:
    assert maker.find_problems(TASK) == []
    wrong = maker.find_problems(replace(TASK, least=TASK.least + 1e-3))
    assert [problem.split(",")[0].rpartition(" ")[0] for problem in wrong] == ["the least time is"]
    assert maker.find_problems(replace(TASK, plan=TASK.plan[:-1])) == ["the plan does not arrive"]
    assert walk(ROAD, TASK.plan).steps[-1].call == LEAVE
    regrets = maker.find_problems(replace(TASK, plan=(("camp",), *TASK.plan)))
    assert regrets == [f"the plan has decisions with a regret, {ROAD.limits.camp} in all"]


def test_the_facts_of_a_policy_are_those_of_a_plan(workers: Workers) -> None:
    judged = verdict(workers, player_code("sight", 1))
    sample: Any = {"details": judged.details, "events": judged.events, "won": False, "output_tokens": 300}
    facts = JourneyReading().facts(json.loads(json.dumps(sample)))
    assert (facts["kind"], facts["chance"]) == ("hand, width 1, reach 2, chance", "on")
    assert [float(time) for time in facts["sight_times"].split()] == list(TASK.sights.values())
    assert mean(map(int, facts["mistakes_by_reach"].split())) >= 1
