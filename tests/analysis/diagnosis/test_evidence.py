"""Joining plans and answers: repeats add up, what is not measured or not decided is left out."""

from pathlib import Path

from herobench.analysis.diagnosis.prediction import Evidence, right_rate, subjects, success_difference, success_given
from herobench.analysis.samples.frame import frame_of
from tests.analysis.diagnosis.planted import answer_row, plan_row, task_digest
from tests.builders import Json
from tests.program import write_jsonl


def joined(tmp_path: Path, plans: list[Json], answers: list[Json], digests: dict[str, str] | None = None) -> Evidence:
    paths = [write_jsonl(tmp_path / f"{name}.jsonl", rows) for name, rows in (("p", plans), ("a", answers))]
    told = {("p", task): digest for task, digest in (digests or {}).items()}
    (found,) = subjects(frame_of(paths), told)
    return found


def test_repeated_plans_and_questions_of_a_task_add_up(tmp_path: Path) -> None:
    plans = [{**plan_row("1/1", "1", won), "epoch": epoch} for epoch, won in enumerate([True, True, False, False])]
    plans += [plan_row("2/1", "2", True), {**plan_row("2/2", "2", False), "status": "unmeasured", "won": None}]
    answers = [{**answer_row("1/1", "1", "app", right), "epoch": epoch} for epoch, right in enumerate([True, False])]
    answers += [answer_row("1/1", "1", "val", True, sound=None), answer_row("2/2", "2", "app", True)]
    found = joined(tmp_path, plans, answers)
    (task,) = found.tasks
    assert (task.key, task.group, task.success, task.share("app"), task.share("val")) == ("1/1", "1", 0.5, 0.5, None)
    assert (task.actions, found.skills, found.plans_alone, found.answers_alone) == (20, ("app",), 1, 1)
    assert success_given(found.tasks, "app", True).estimate == 0.5
    assert (right_rate(found.tasks, "app").samples, right_rate(found.tasks, "app").tasks) == (2, 1)


def test_a_digest_decides_before_the_id(tmp_path: Path) -> None:
    plans = [plan_row("1/1", "1", True), plan_row("1/2", "1", False)]
    answers = [answer_row("1/2", "1", "app", True, rpg_digest=task_digest("1/1")), answer_row("1/3", "1", "app", False)]
    found = joined(tmp_path, plans, answers, {"1/1": task_digest("1/1")})
    assert [(task.key, task.plans) for task in found.tasks] == [(task_digest("1/1"), [1.0])]
    assert (found.plans_alone, found.answers_alone) == (1, 1)


def test_a_next_action_with_a_wrong_length_is_a_right_choice(tmp_path: Path) -> None:
    failures = [None, "wrong_length", "worse_than_optimal"]
    plans = [plan_row(f"1/{n}", "1", True) for n in range(3)]
    answers = [{**answer_row(f"1/{n}", "1", "nexta", not f), "failure": f} for n, f in enumerate(failures)]
    found = joined(tmp_path, plans, answers)
    assert [(task.share("nexta"), task.choices) for task in found.tasks] == [(1, [1]), (0, [1]), (0, [0])]


def test_newcombes_interval_stays_wide_where_all_plans_of_a_side_are_won(tmp_path: Path) -> None:
    won = [n not in (3, 4) for n in range(12)]
    plans = [plan_row(f"1/{n}", "1", value) for n, value in enumerate(won)]
    answers = [answer_row(f"1/{n}", "1", "app", n >= 6) for n in range(12)]
    found = success_difference(joined(tmp_path, plans, answers).tasks, "app")
    # by hand: Wilson's intervals are 0.610 to 1 for 6 of 6, and 0.300 to 0.903 for 4 of 6
    assert found.estimate is not None
    assert found.low is not None
    assert found.high is not None
    assert [round(value, 3) for value in (found.low, found.estimate, found.high)] == [-0.123, 0.333, 0.7]
    few = joined(tmp_path, plans, [answer_row(f"1/{n}", "1", "app", n > 1) for n in range(12)])
    assert success_difference(few.tasks, "app").estimate is None
