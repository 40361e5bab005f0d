"""What the page of a sample is given of a journey: the road, the prompt, and why there is no walk."""

from pathlib import Path
from typing import Any

from herobench.analysis.suites.rpg.journey_reading import SCRIPT, STYLE, JourneyPanel
from herobench.prompts.rpg.journey.telling import WORDS
from herobench.suite.contract import SuiteSetting
from herobench.suites.rpg.journey.plan import luck_seeds
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import act
from herobench.suites.rpg.journey_suite import Journeys
from herobench.task_gen.rpg.journey.regrets import best_policy, follow
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.program import write_jsonl
from tests.sizes import for_each
from tests.suites.rpg.journey.roads import journey, risky_journey

TASK = journey(3, "hand", 1, 2)


def suite(lane: str) -> Journeys:
    return Journeys(SuiteSetting(options={"lane": lane}), {TASK.id: TASK})


def panel(folder: Path, identity: Any) -> JourneyPanel:
    write_jsonl(folder / "tasks.jsonl", [TASK.as_row()])
    return JourneyPanel.of_run(folder, {"config": {"identity": identity}})


@for_each("lane", ["plan", "steps"])
def test_a_task_has_its_road_and_the_prompt_that_the_model_read(tmp_path: Path, lane: str) -> None:
    task = panel(tmp_path, suite(lane).identity([TASK.id])).task(TASK.id)
    assert task
    assert Road.from_row(task["road"]).as_row() == TASK.road.as_row()
    (opening,) = suite(lane).open(TASK.id, 0).messages
    assert task["prompt"] == opening.text
    assert task["certificate"].count("leave()") == 3


def test_words_that_changed_since_leave_the_prompt_out(tmp_path: Path) -> None:
    task, older_task = (panel(tmp_path, {"prompts": digest}).task(TASK.id) for digest in (WORDS.digest(), "other"))
    assert task
    assert older_task
    assert task["prompt"] is not None
    assert {**task, "prompt": None} == older_task


def test_a_sample_is_walked_where_its_events_and_its_road_are_known(tmp_path: Path) -> None:
    run_panel, empty_panel = panel(tmp_path, {}), JourneyPanel.of_run(None, None)
    sample = {"task_id": TASK.id, "events": {"actions": []}}
    assert run_panel.sample(sample) == {}
    assert "no events" in run_panel.sample({**sample, "events": None})["no_replay"]
    assert "task" in empty_panel.sample(sample)["no_replay"]
    assert empty_panel.task(TASK.id) is None


def test_the_kept_walk_of_a_policy_has_its_luck() -> None:
    task = risky_journey(2, 1, 1)
    given, luck = JourneyPanel({task.id: task}, {}), luck_seeds(task.id)[6]
    (steps,) = follow(task.road, best_policy(BackwardSolver(task.road), task.road), [luck])
    events = {"walk": 7, "actions": [list(step.call) for step in steps]}
    draws = given.sample({"task_id": task.id, "events": events})["draws"]
    assert [act(task.road, step.before, step.call, draw) for step, draw in zip(steps, draws, strict=True)] == [
        (step.time, step.after) for step in steps
    ]
    assert (given.task(task.id) or {})["certificate"] is None


def test_the_scripts_walk_before_they_draw() -> None:
    assert SCRIPT.index("function walkRoad") < SCRIPT.index("function regionMap") < SCRIPT.index("PANELS.journey")
    assert ".region-map" in STYLE
    assert ".chips" in STYLE
