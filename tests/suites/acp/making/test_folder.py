"""A folder of PDDL files as a domain: questions are made of it, and every error names its place."""

import json
from pathlib import Path

import pytest

from herobench.suites.acp.answers.grading import grade
from herobench.suites.acp.questions.questions import TASKS, read_question
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.sizes import for_each
from tests.suites.acp.asked import DOMAIN, PROBLEM

WORDS = {
    "domain": ["Lamps stand in rooms."],
    "objects": {"lamp": ["lamp", "lamps"]},
    "predicates": {"lit": {"one": ["lamp {l} shines"], "many": ["the lamps {l} shine"], "over": "l"}},
    "actions": {"light": ["in {r}, light lamp {l}"]},
}


def folder(tmp_path: Path, problem: str = PROBLEM, **files: str) -> Path:
    place = tmp_path / "lamps"
    place.mkdir()
    for name, text in {"domain.pddl": DOMAIN, "p1.pddl": problem, **files}.items():
        place.joinpath(name).write_text(text, "utf-8")
    return place


def generate(place: Path, *words: str) -> list[dict[str, object]]:
    out = place.parent / "out.jsonl"
    done = herobench("generate", "--suite", "acp", "--domain", str(place), "-o", str(out), "--jobs", "1", *words)
    assert done.returncode == 0, done.stderr
    return read_jsonl(out)


def test_all_tasks_are_asked_of_a_folder(tmp_path: Path) -> None:
    rows = generate(folder(tmp_path, **{"nl.json": json.dumps(WORDS)}), "--count", "16")
    assert [row["task"] for row in rows] == [*TASKS, *TASKS]
    assert {row["domain"] for row in rows} == {"lamps"}
    for row in rows:
        question = read_question(row)
        assert grade(row, "(zork)", how="sound") == 0
        assert question.context.startswith("Lamps stand in rooms. ")
        assert "3 lamps: " in question.context
    assert "do 'go' with from ?from and to ?to; (light ?r ?l) - in ?r, light lamp ?l" in "".join(
        str(row["context"]) for row in rows
    )


@for_each(
    ("name", "text"),
    [
        ("p1.pddl", PROBLEM.replace("(has r2 l2)", "(has r2 l9)")),
        ("domain.pddl", DOMAIN.replace("(in ?to)", "(on ?to)")),
        ("nl.json", '{"domain": "x"}'),
        ("nl.json", '{"predicates": {"lot": {"one": ["x"]}}}'),
        ("nl.json", '{"actions": {"go": ["walk to {too}"]}}'),
        ("nl.json", '{"domain": ["x"'),
    ],
)
def test_an_error_names_its_place(tmp_path: Path, name: str, text: str, golden: Golden) -> None:
    place = folder(tmp_path, **{name: text})
    golden(herobench("generate", "--suite", "acp", "--domain", str(place), "-o", str(tmp_path / "out.jsonl")))


def test_a_folder_without_problems_or_domain_is_refused(tmp_path: Path, golden: Golden) -> None:
    place = folder(tmp_path)
    place.joinpath("p1.pddl").unlink()
    golden(herobench("generate", "--suite", "acp", "--domain", str(place), "-o", "-"))
    place.joinpath("domain.pddl").unlink()
    golden(herobench("generate", "--suite", "acp", "--domain", str(place), "-o", "-"))


@pytest.mark.slow
def test_a_folder_that_has_too_few_questions_says_so(tmp_path: Path, golden: Golden) -> None:
    words = ("generate", "--suite", "acp", "--domain", str(folder(tmp_path)), "--task", "land", "--count", "100")
    golden(herobench(*words, "-o", str(tmp_path / "out.jsonl"), "--jobs", "1"))


@pytest.mark.slow
def test_states_are_asked_about_where_no_plan_is_found(tmp_path: Path) -> None:
    place = folder(tmp_path, PROBLEM.replace("(:goal (and (lit l1)", "(:goal (and (wet r1)"))
    assert len(generate(place, "--count", "8", "--task", "app,prog,reach,areach")) == 8


def test_a_problem_with_too_many_groundings_is_named(tmp_path: Path, golden: Golden) -> None:
    rooms = " ".join(f"r{number}" for number in range(200))
    problem = f"(define (problem p) (:domain lamps) (:objects {rooms} - room) (:init (in r0)) (:goal (and (in r1))))"
    domain = DOMAIN.replace(":precondition (in ?from)", ":precondition (and)")
    place = folder(tmp_path, problem, **{"domain.pddl": domain})
    words = ("generate", "--suite", "acp", "--domain", str(place), "-o", str(tmp_path / "out.jsonl"))
    golden(herobench(*words))
