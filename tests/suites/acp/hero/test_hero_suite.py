"""Questions about the hero's world in the suite: rows, columns, both gradings, runs on the shipped set."""

import json
from collections import Counter
from pathlib import Path

import pytest

from herobench.conversation import Reply
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, UsageError
from herobench.prompts.acp.prompt import asked
from herobench.suite.contract import SuiteSetting
from herobench.suites.acp import grade
from herobench.suites.acp.answers.players import player_answer
from herobench.suites.acp.hero.judge import judge
from herobench.suites.acp.hero.question import hero_questions
from herobench.suites.acp.questions.questions import TASKS
from herobench.suites.acp.suite import Acp
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.tasks.spec import task_group
from herobench.task_gen.rpg.twins import content_digest
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import for_each
from tests.suites.acp.asked import lamps


def first(task: str) -> str:
    return next(key for key in hero_questions() if key.startswith(f"{task}/"))


def test_a_sample_names_the_rpg_task_that_its_state_is_from() -> None:
    suite = Acp(SuiteSetting("hero-v3", options={"split": "all"}))
    key = first("app")
    question = hero_questions()[key]
    attempt = suite.open(key, 0)
    (message,) = attempt.messages
    assert message.text.startswith(question.context)
    attempt.step(Reply(player_answer("oracle", question, 0)))
    verdict = attempt.grade()
    task = shipped_tasks("base")[question.rpg_task]
    assert verdict.won
    assert {name: value for name, value in verdict.details.items() if value is not None} == {
        "schema": 1, "task": "app", "split": "test", "domain": "hero", "rpg_task": task.id,
        "rpg_digest": content_digest(task.as_row()).hex(), "rpg_group": task_group(task), "form": "nl", "shots": "zero",
        "thought": "none", "parsed": json.dumps(question.answer), "sound": 1, "jaccard": 1.0,
    }  # fmt: skip
    assert schema_problems(verdict.details, "acp-details", "row") == []
    assert schema_problems(suite.blank(key), "acp-details", "row") == []


def test_the_domain_means_its_set_and_only_its_runs_depend_on_its_words() -> None:
    by_domain = Acp(SuiteSetting(options={"domain": "hero", "task": "prog"}))
    assert by_domain.dataset == "hero-v3"
    assert {task.group for task in by_domain.tasks()} == {"prog"}
    by_ferry = Acp(SuiteSetting(options={"domain": "ferry"}))
    assert "hero_prompts" in by_domain.identity([task.id for task in by_domain.tasks()])
    assert "hero_prompts" not in by_ferry.identity([task.id for task in by_ferry.tasks()])
    with pytest.raises(UsageError, match="the datasets acpbench-hard-v1 and hero-v3"):
        Acp(SuiteSetting("hero-v1"))


@for_each(
    ("dataset", "domains", "words"),
    [
        (None, "hero,ferry", "The set acpbench-hard-v1 has no domain hero: ask hero-v3 in another run."),
        ("acpbench-hard-v1", "hero", "The set acpbench-hard-v1 has no domain hero: ask hero-v3 in another run."),
        ("hero-v3", "hero,ferry", "The set hero-v3 has no domain ferry: ask acpbench-hard-v1 in another run."),
    ],
)
def test_domains_of_two_sets_are_not_asked_together(dataset: str | None, domains: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Acp(SuiteSetting(dataset, options={"domain": domains}))


def test_rows_are_graded_by_themselves_and_have_no_reference_score() -> None:
    question = hero_questions()[first("val")]
    row = json.loads(json.dumps(question.as_row()))
    assert schema_problems(row, "hero-question", "row") == []
    assert (grade(row, player_answer("oracle", question, 0), "sound"), grade(row, "ANSWER: -1", "sound")) == (1, 0)
    assert grade(row, "anything", "reference") is None
    with pytest.raises(InputError, match=r"\$\.answer: expected an answer of the task val"):
        grade({**row, "answer": []}, "", "sound")
    with pytest.raises(InputError, match=r"\$\.rules: expected one of standard"):
        grade({**row, "rules": "mine"}, "", "sound")
    task = {**row["scene"]["task"], "target": "nobody"}
    with pytest.raises(InputError, match=r"scene\.task: \$\.target: expected the code of an item"):
        grade({**row, "scene": {**row["scene"], "task": task}}, "", "sound")


def test_a_row_that_was_edited_is_refused() -> None:
    row = hero_questions()[first("val")].as_row()
    for edited in ({"answer": 0 if row["answer"] else 1}, {"question": "Which?"}, {"twin_of": "val/test/hero/1"}):
        with pytest.raises(
            InputError, match=r"\$\.digest: expected the digest of this question; the question was changed"
        ):
            grade({**row, **edited}, "ANSWER: 0", "sound")


@pytest.mark.slow
def test_a_file_may_mix_domains_and_its_run_resumes(tmp_path: Path) -> None:
    file, folder = tmp_path / "both.jsonl", tmp_path / "run"
    rows = [hero_questions()[first(task)].as_row() for task in ("app", "just")]
    write_jsonl(file, [*rows, lamps("app").as_row()])
    words = ("run", "--suite", "acp", "-m", "oracle", "--tasks", file)
    assert herobench(*words, "-o", folder).returncode == 0
    samples = read_jsonl(folder / "samples.jsonl")
    assert Counter((row["details"]["domain"], row["won"]) for row in samples) == {("hero", True): 2, ("lamps", True): 1}
    kept = (folder / "samples.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "samples.jsonl").write_text(kept[0], "utf-8")
    assert herobench("run", "--resume", folder).returncode == 0
    assert "0 of 3 have another outcome" in herobench("score", folder).stderr
    write_jsonl(file, [{**rows[0], "experience": "some"}])
    assert "both.jsonl:1: $.experience: expected" in refuses(herobench(*words, "-o", tmp_path / "other"))


@pytest.mark.slow
def test_the_oracle_is_always_right_and_other_players_are_not() -> None:
    suite = Acp(SuiteSetting("hero-v3"))
    right: Counter[tuple[str, str]] = Counter()
    for player in ("oracle", "random", "format-only"):
        for key, question in hero_questions().items():
            attempt = suite.open(key, 0)
            attempt.step(Reply(player_answer(player, question, 0)))
            right[player, question.task] += attempt.grade().won
    count = Counter(question.task for question in hero_questions().values())
    assert {task: right["oracle", task] for task in count} == count
    assert all(right[player, task] <= 0.6 * count[task] for player in ("random", "format-only") for task in count)
    assert count.keys() <= set(TASKS)


@pytest.mark.slow
def test_the_examples_of_answers_are_never_right() -> None:
    for question in hero_questions().values():
        *_, form = asked(question, with_thought=False)
        example = judge(question, form)
        assert example.parsed is not None
        assert example.fault is not None, question.key
