"""Generated sets: right for the oracle, the same bytes each time, and graded by their proofs."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from herobench.suite.generating import GenerateRequest
from herobench.suites.acp.answers.grading import grade
from herobench.suites.acp.answers.players import _PLAYERS, PLAYERS
from herobench.suites.acp.making import generator
from herobench.suites.acp.making.generator import QuestionOptions, QuestionOrder, draw_question, drawn_in_order
from herobench.suites.acp.making.makers import MAKERS
from herobench.suites.acp.making.scene import QuestionQuery
from herobench.suites.acp.making.source import open_source
from herobench.suites.acp.questions.questions import TASKS, Question, read_question
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.refusals import misread
from tests.sizes import for_each, many, one_in
from tests.suites.acp.making.small import small


def asked(task: str, domain: str = "ferry") -> Question:
    return next(small(domain, task, 1))


def oracle(question: Question) -> str:
    return _PLAYERS["oracle"](question, 0)


@pytest.mark.parametrize("domain", one_in(5, MAKERS))
def test_the_oracle_is_right_by_both_gradings(domain: str) -> None:
    for task in TASKS:
        row = asked(task, domain).as_row()
        answer = oracle(read_question(row))
        assert grade(row, answer, how="sound") == 1, row
        # the published harness looks only at actions that the delete relaxation allows
        assert grade(row, answer) in ((0, 1) if task == "areach" else (1,)), row
        for other in ("None", "(zork)", "[] []", "99"):
            if other != answer:
                assert grade(row, other, how="sound") == 0
                assert grade(row, other) in (0, 1)


def test_a_row_that_was_changed_after_its_proof_is_refused() -> None:
    row = asked("land").as_row()
    assert read_question(json.loads(json.dumps(row))) == asked("land")
    changed = {**row, "pddl_problem": row["pddl_problem"].replace("(at c0 ", "(at c1 ")}
    with misread("$.proof.digest", "leave out $.proof"):
        read_question(changed)
    del row["proof"]
    assert grade(row, oracle(asked("land")), how="sound") == 1
    for task in TASKS:
        row = asked(task).as_row()
        with misread("$.proof.sound", f"the task {task}"):
            read_question({**row, "proof": {**row["proof"], "sound": "x"}})


def test_a_question_that_is_there_already_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list(small("ferry", "app", 3))
    monkeypatch.setattr(generator, "open_source", lambda _: Fixed([drawn[0], None, drawn[0], drawn[1], None, drawn[2]]))
    order = QuestionOrder(0, "app", "ferry", 0)
    assert draw_question(replace(order, first=1)) == (drawn[0], 2)
    assert list(drawn_in_order([order] * 3, 1)) == drawn


class Fixed:
    """A source whose draws are known."""

    name = "fixed"

    def __init__(self, draws: list[Question | None]) -> None:
        self.draws = draws

    def ask(self, task: str, chance: Random, wanted: QuestionQuery) -> Question | None:
        number = next(n for n in range(len(self.draws)) if Random(f"0/fixed/app/0/{n}").getstate() == chance.getstate())
        return self.draws[number]


def rows(tmp_path: Path, *words: str) -> str:
    out = tmp_path / "out.jsonl"
    done = herobench("generate", "--suite", "acp", *words, "-o", str(out))
    assert done.returncode == 0, done.stderr
    return out.read_text("utf-8")


def test_a_longer_set_begins_with_the_shorter_one(tmp_path: Path) -> None:
    words = ("--task", "val,app", "--domain", "ferry,swap", "--seed", "3", "--jobs", "1")
    short, long = rows(tmp_path, *words, "--count", "4"), rows(tmp_path, *words, "--count", "6")
    assert long.startswith(short)
    made = read_jsonl(tmp_path / "out.jsonl")
    assert [(row["task"], row["domain"]) for row in made[:4]] == [
        ("val", "ferry"), ("app", "ferry"), ("val", "swap"), ("app", "swap"),
    ]  # fmt: skip
    assert rows(tmp_path, *words[:-3], "4", "--jobs", "1", "--count", "4") != short


@pytest.mark.slow
def test_a_generated_set_is_run_and_the_oracle_wins_all(tmp_path: Path) -> None:
    rows(tmp_path, "--count", str(many(1040, 104)), "--seed", "9")
    words = ("run", "--suite", "acp", "--tasks", str(tmp_path / "out.jsonl"), "--model", "oracle", "--epochs", "1")
    done = herobench(*words, "-o", str(tmp_path / "run"), "--fail-under", "100")
    assert done.returncode == 0, done.stderr
    resumed = herobench("run", "--resume", str(tmp_path / "run"))
    assert resumed.returncode == 0, resumed.stderr


@for_each(
    "words",
    [
        ("--task", "land,lend"),
        ("--domain", "towers"),
        ("--twin-of", "train"),
        ("--twin-of", "dev", "--domain", "swap"),
        ("--twin-of", "dev", "--domain", "./a"),
    ],
)
def test_what_cannot_be_made_is_refused(words: tuple[str, ...], golden: Golden) -> None:
    golden(herobench("generate", "--suite", "acp", "-o", "-", *words))


def test_players_are_those_of_the_suite() -> None:
    assert set(PLAYERS) == {*_PLAYERS, "shortcut"}


def test_every_domain_has_its_own_source() -> None:
    assert [open_source(name).name for name in MAKERS] == list(MAKERS)
    made = generator.AcpGenerator().make(GenerateRequest(QuestionOptions(domain=("swap",)), 0, None, 1))
    assert made.count == 20
