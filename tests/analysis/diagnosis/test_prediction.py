"""Which skill predicts lost plans: a planted one is found, and noise is not."""

from collections import Counter
from random import Random

import pytest

from herobench.analysis.diagnosis.prediction import SkillPrediction, TaskEvidence, predictions
from tests.analysis.diagnosis.planted import SKILLS, planted
from tests.sizes import many


def found(
    seed: int, tasks: int = 120, decisive: str | None = "prog", strength: float = 0.7
) -> dict[str, SkillPrediction]:
    return predictions(planted(seed, tasks, decisive, strength).tasks, SKILLS)


def test_the_skill_that_decides_the_plans_is_found_and_noise_is_not() -> None:
    told = found(3)
    assert next(iter(told)) == "prog"
    assert {skill for skill, one in told.items() if one.verdict == "predicts"} == {"prog"}
    assert told["prog"].p == 8 / 2001, "the smallest p of 2,000 permutations, times the number of skills"
    best = told["prog"].difference
    assert best.low is not None
    assert best.high is not None
    assert best.low < 0.7 < best.high
    assert told["prog"].beyond.estimate is None
    assert all(told[skill].beyond.low is not None for skill in SKILLS if skill != "prog")


@pytest.mark.slow
def test_difficulty_alone_predicts_nothing() -> None:
    """Wrong answers and lost plans are both frequent in hard brackets, and that shows in no figure."""
    told = found(2, tasks=240, decisive=None)
    assert {one.verdict for one in told.values()} == {"not shown"}


def test_few_tasks_tell_nothing() -> None:
    told = found(1, tasks=12)
    assert {one.verdict for one in told.values()} == {"too few"}
    assert all(one.p is None and one.difference.estimate is None for one in told.values())
    assert predictions((), SKILLS)["app"].difference.estimate is None


@pytest.mark.slow
def test_tasks_of_groups_in_which_all_plans_are_alike_do_not_count() -> None:
    tasks = planted(1).tasks
    alike = [TaskEvidence(f"0/{n}", "0", 20.0, [1.0], {"prog": [float(n % 2)]}) for n in range(60)]
    one, other = (predictions(part, ["prog"])["prog"] for part in (tasks, (*tasks, *alike)))
    assert one == other
    assert one.difference.tasks == 120


def test_with_one_question_a_task_it_is_the_difference_within_brackets() -> None:
    tasks = planted(3).tasks
    total = weight = 0.0
    for bracket in ("1", "5", "9"):
        own = [(task.share("app"), task.success) for task in tasks if task.group == bracket]
        right, wrong = ([won for share, won in own if share == value] for value in (1, 0))
        own_weight = len(right) * len(wrong) / len(own)
        total += own_weight * (sum(right) / len(right) - sum(wrong) / len(wrong))
        weight += own_weight
    assert predictions(tasks, ["app"])["app"].difference.estimate == pytest.approx(total / weight)


@pytest.mark.slow
def test_a_skill_that_only_goes_along_with_the_strongest_tells_nothing_beyond_it() -> None:
    chance, tasks = Random(4), planted(4).tasks
    for task in tasks:
        (right,) = task.answers["prog"]
        task.answers["val"] = [right if chance.random() < 0.8 else 1 - right]
    told = predictions(tasks, SKILLS)
    assert (told["prog"].verdict, told["val"].verdict) == ("predicts", "predicts")
    beyond = told["val"].beyond
    assert beyond.low is not None
    assert beyond.high is not None
    assert beyond.low < 0 < beyond.high


@pytest.mark.slow
def test_the_same_samples_give_the_same_figures_in_any_order() -> None:
    assert found(5) == found(5)


@pytest.mark.slow
def test_noise_is_found_as_seldom_as_it_should_be_and_intervals_hold_the_truth() -> None:
    verdicts, held, planted_held, intervals, runs = Counter[str](), 0, 0, 0, many(200, 40)
    for seed in range(runs):
        told = found(seed, tasks=60, decisive=None)
        verdicts[str({"predicts", "the other way"} & {one.verdict for one in told.values()} != set())] += 1
        ends = [one.difference for one in told.values() if one.difference.low is not None]
        held += sum((end.low or 0) <= 0 <= (end.high or 0) for end in ends)
        intervals += len(ends)
        best = predictions(planted(seed, tasks=60).tasks, ["prog"])["prog"].difference
        planted_held += (best.low or 0) <= 0.7 <= (best.high or 0)
    assert verdicts["True"] <= 0.1 * runs
    assert planted_held >= 0.85 * runs
    assert 0.92 <= held / intervals <= 0.98
