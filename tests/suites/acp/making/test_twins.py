"""Private twins: like their originals in what is promised, and in nothing that could be looked up."""

from collections import Counter
from pathlib import Path

import pytest

from herobench.suite.contract import SuiteSetting
from herobench.suites.acp.making.generator import like, make_twins
from herobench.suites.acp.questions.lenient import read_soundly
from herobench.suites.acp.questions.questions import TASKS, Question, plan_in, published, stored_proof
from herobench.suites.acp.questions.situation import read_situation
from herobench.suites.acp.questions.sound import find_fault
from herobench.suites.acp.refusals import AcpFault
from herobench.suites.acp.suite import Acp
from tests.program import herobench, read_jsonl
from tests.refusals import raises
from tests.suites.acp.asked import of
from tests.suites.acp.making.test_generator import oracle


def originals(count: int, *domains: str) -> list[Question]:
    return [question for task in TASKS for domain in domains for question in list(of(task, domain, "test"))[:count]]


def counts(question: Question) -> Counter[str]:
    return Counter(read_situation(question).task.problem.objects.values())


def test_a_twin_is_like_its_original() -> None:
    chosen = originals(1, "swap", "grid-visit-all")
    for original, twin in zip(chosen, make_twins(chosen, 7, 1), strict=True):
        assert (twin.task, twin.domain, twin.split) == (original.task, original.domain, original.split)
        assert twin.twin_of == original.key
        assert twin.has_its_proof
        assert counts(twin) == counts(original)
        assert twin.pddl_problem != original.pddl_problem
        assert twin.context != original.context
        if original.task in ("val", "just"):
            assert abs(len(plan_in(twin.question)) - len(plan_in(original.question))) <= 10
        if original.task == "land":
            assert bool(stored_proof(original).sound) == bool(stored_proof(twin).sound)


def test_what_is_wanted_gives_way_with_the_draws() -> None:
    land = like(next(question for question in of("land") if not stored_proof(question).sound))
    assert [land.for_draw(draw).slack for draw in (0, 1, 2, 40)] == [0, 1, 2, 40]
    assert [land.for_draw(draw).is_none for draw in (0, 39, 40)] == [True, True, None]
    assert like(next(of("reach", "ferry"))).is_none is None
    assert [like(next(of(task, "ferry"))).length for task in ("val", "nexta", "land")] == [20, 8, None]


def test_a_run_asks_twins_and_resumes(tmp_path: Path) -> None:
    words = ("run", "--suite", "acp", "--model", "oracle", "--set", "domain=ferry", "--set", "task=val,reach")
    done = herobench(*words, "--fresh", "5", "--limit", "4", "-o", str(tmp_path / "run"), "--fail-under", "100")
    assert done.returncode == 0, done.stderr
    samples = read_jsonl(tmp_path / "run" / "samples.jsonl")
    twin_of = [sample["details"]["twin_of"] for sample in samples]
    assert len(set(twin_of)) == 4
    assert set(twin_of) <= published().keys()
    assert not {sample["task_id"] for sample in samples} & published().keys()
    assert herobench("run", "--resume", str(tmp_path / "run")).returncode == 0


def test_only_published_questions_have_twins(tmp_path: Path) -> None:
    suite = Acp(SuiteSetting(options={"task": "val", "domain": "ferry"}))
    first = next(iter(suite.tasks())).id
    twins = suite.fresh(3, [first])
    (twin,) = twins.suite.tasks()
    assert twins.notes
    assert twin.row["twin_of"] == first
    with raises(AcpFault.NOT_PUBLISHED, twin.id):
        twins.suite.fresh(3, [twin.id])


@pytest.mark.slow
def test_the_oracle_wins_all_twins() -> None:
    chosen = originals(1, *sorted({question.domain for question in published().values()}))
    for twin in make_twins(chosen, 1, 1):
        assert find_fault(twin, read_soundly(twin.task, oracle(twin))) is None
