"""The suite behind the contract: its options, verdicts, and a run that resumes."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.api import check_suite
from herobench.conversation import Reply
from herobench.data.columns import record
from herobench.data.documents import schema_problems
from herobench.data.errors import Fault
from herobench.data.options import OptionFault
from herobench.suite.checked import open_suite
from herobench.suite.contract import SuiteSetting, Verdict
from herobench.suites.acp.columns import DETAILS
from herobench.suites.acp.questions.questions import TASKS, published
from herobench.suites.acp.refusals import AcpFault
from herobench.suites.acp.suite import Acp
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.acp.asked import lamps, of


def opened(**options: str) -> Acp:
    return Acp(SuiteSetting(options=options))


def verdict(suite: Acp, task_id: str, text: str) -> Verdict:
    attempt = suite.open(task_id, 0)
    assert attempt.messages
    attempt.step(Reply(text))
    return attempt.grade()


def of_file(tmp_path: Path, *tasks: str) -> Acp:
    write_jsonl(tmp_path / "lamps.jsonl", [lamps(task).as_row() for task in tasks])
    return Acp(SuiteSetting(tasks=tmp_path / "lamps.jsonl"))


# -- options ----------------------------------------------------------------------------------------------------------


@for_each(
    ("options", "count"),
    [
        ({}, 1040),
        ({"split": "dev"}, 320),
        ({"split": "all"}, 1360),
        ({"task": "app,prog"}, 260),
        ({"task": "land", "domain": "ferry"}, 10),
        ({"split": "all", "task": "land", "domain": "swap,ferry"}, 25),
    ],
)
def test_options_choose_questions(options: dict[str, str], count: int) -> None:
    suite = opened(**options)
    tasks = list(suite.tasks())
    assert len(tasks) == count
    assert {task.group for task in tasks} == set(options.get("task", ",".join(TASKS)).split(","))
    again = Acp(SuiteSetting(options=suite.options))
    assert [task.id for task in again.tasks()] == [task.id for task in tasks]


def test_an_id_says_task_split_and_domain() -> None:
    assert next(opened(task="app", domain="ferry").tasks()).id.startswith("app/test/ferry/")


@for_each(
    ("options", "fault", "facts"),
    [
        ({"split": "train"}, OptionFault.BAD_VALUE, "option split|'train'|dev, test, generated, all"),
        ({"task": "app,foo"}, AcpFault.NO_CHOICE, "option task|app, prog, |'foo'"),
        ({"task": ""}, AcpFault.NO_CHOICE, "option task|app, prog, |''"),
        ({"split": "dev", "domain": "swap"}, AcpFault.NO_QUESTION, "split dev, task all, domain swap"),
        ({"domain": "towers"}, AcpFault.NO_CHOICE, "option domain|alfred, |'towers'"),
        ({"form": "both,nl"}, OptionFault.BAD_VALUE, "option form|'both,nl'|nl, pddl, both"),
        ({"shots": "2"}, OptionFault.BAD_VALUE, "option shots|'2'|zero, few"),
        ({"thought": "yes"}, OptionFault.BAD_VALUE, "option thought|'yes'|none, cot"),
    ],
)
def test_what_is_no_option_is_refused(options: dict[str, str], fault: Fault, facts: str) -> None:
    with raises(fault, "the suite acp" if fault is OptionFault.BAD_VALUE else "", *facts.split("|")):
        opened(**options)


def test_the_way_of_asking_is_part_of_the_identity_and_the_choice_is_not() -> None:
    plain = opened().identity([])
    assert {"questions", "prompts"} < plain.keys()
    for name, value in (("form", "pddl"), ("shots", "zero"), ("thought", "cot")):
        assert opened(**{name: value}).identity([]) == {**plain, name: value}
    assert opened(split="dev", task="val", domain="grid").identity([]) == plain


# -- verdicts ---------------------------------------------------------------------------------------------------------


def test_the_sound_grading_decides_and_both_are_kept() -> None:
    suite = opened(split="all", task="reach", domain="floor-tile")
    key = next(question.key for question in of("reach", "floor-tile") if question.answer == [])
    lost = verdict(suite, key, "None")
    assert (lost.won, lost.score, lost.failure) == (False, 0, "false_none")
    assert (lost.details["reference"], lost.details["sound"], lost.details["label_right"]) == (1, 0, False)
    assert lost.details["parsed"] == "None"


def test_undecided_is_no_win(tmp_path: Path) -> None:
    found = verdict(of_file(tmp_path, "prog"), lamps("prog").key, "[(lit l1)] []")
    assert (found.won, found.score, found.failure) == (False, 0, "undecided")
    assert (found.details["reference"], found.details["sound"], found.details["label_right"]) == (1, None, None)


def test_details_fit_their_schema(tmp_path: Path) -> None:
    suite, own = opened(split="all"), of_file(tmp_path, *TASKS)
    keys = {question.task: question.key for question in published().values()}
    rows: list[Any] = []
    for task in TASKS:
        for answer in ("", "None", "(a b)", "[] []", "1"):
            rows += [verdict(suite, keys[task], answer).details, verdict(own, lamps(task).key, answer).details]
        rows += [suite.blank(keys[task]), own.blank(lamps(task).key)]
    assert [problem for row in rows for problem in schema_problems(row, "acp-details", "row")] == []
    assert list(rows[0]) == list(record(DETAILS)["properties"])


def test_a_right_shortened_plan_says_how_much_it_leaves_out() -> None:
    suite = opened(split="all", task="just", domain="blocksworld-4ops")
    question = next(of("just", "blocksworld-4ops"))
    plan = question.question.split('"')[1].replace("(stack block_2 block_1) (unstack block_2 block_1) ", "", 1)
    details = verdict(suite, question.key, plan).details
    assert (details["sound"], details["removed"], details["removable"]) == (1, 2, 4)


def test_an_answer_that_came_apart_from_its_text_is_graded(tmp_path: Path) -> None:
    attempt = of_file(tmp_path, "app").open(lamps("app").key, 0)
    attempt.step(Reply("(zork)", answer="(go r1 r1) (go r1 r2) (light r1 l1)"))
    assert attempt.grade().won


@for_each("said", ["<think>(zork)?</think>{}", "(zork) it is</think>\n{}", "{}<think>(zork)"])
def test_thoughts_in_a_reply_are_not_graded(said: str, tmp_path: Path) -> None:
    text = said.format("(go r1 r1) (go r1 r2) (light r1 l1)")
    assert verdict(of_file(tmp_path, "app"), lamps("app").key, text).won


# -- runs -------------------------------------------------------------------------------------------------------------


def test_the_contract_is_kept() -> None:
    suite = open_suite("acp", SuiteSetting(options={"task": "nexta", "domain": "ferry"}))
    assert (suite.name, suite.dataset, len([*suite.tasks()])) == ("acp", "acpbench-hard-v1", 10)
    assert tuple(suite.players) == ("oracle", "random", "format-only", "shortcut")
    assert suite.files() == {}
    suite.prepare()
    suite.close()


def test_a_run_resumes_and_is_scored_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = (
        "--suite",
        "acp",
        "-m",
        "oracle",
        "--set",
        "task=land,val",
        "--set",
        "domain=swap,ferry",
        "--set",
        "form=both",
    )
    assert herobench("run", *words, "--task-id", "*/swap/*", "--limit", "12", "-o", folder).returncode == 0
    rows = read_jsonl(folder / "samples.jsonl")
    assert [(row["won"], row["details"]["form"], row["failure"]) for row in rows] == [(True, "both", None)] * 12
    config = json.loads((folder / "run.json").read_text("utf-8"))
    assert config["conduct"]["options"]["domain"] == "swap,ferry"

    kept = (folder / "samples.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "samples.jsonl").write_text("".join(kept[:5]), "utf-8")
    assert herobench("run", "--resume", folder).returncode == 0
    assert {row["task_id"] for row in read_jsonl(folder / "samples.jsonl")} == {row["task_id"] for row in rows}
    assert "0 of 12 have another outcome" in herobench("score", folder).stderr
    other = herobench("run", "--resume", folder, "--set", "form=nl")
    assert (other.returncode, other.stderr.splitlines()[-1]) == (2, "  --form: 'both', now 'nl'")


def test_a_file_of_questions_is_run_in_all_its_splits(tmp_path: Path, golden: Golden) -> None:
    write_jsonl(tmp_path / "lamps.jsonl", [lamps(task).as_row() for task in ("app", "just", "prog")])
    folder = tmp_path / "run"
    words = ("run", "--suite", "acp", "-m", "oracle", "--tasks", tmp_path / "lamps.jsonl", "-o", folder)
    assert herobench(*words).returncode == 0
    assert {row["group"]: row["failure"] for row in read_jsonl(folder / "samples.jsonl")} == {
        "app": None, "just": None, "prog": "format",
    }  # fmt: skip
    write_jsonl(tmp_path / "lamps.jsonl", [{**lamps("app").as_row(), "answer": 3}])
    golden(herobench(*words[:-1], tmp_path / "other"))


@pytest.mark.slow
def test_the_suite_keeps_to_the_contract() -> None:
    assert check_suite("acp") == []
