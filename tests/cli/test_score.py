import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.datasets import dataset_path
from tests.builders import TINY, hero_row, task_row
from tests.golden import Golden
from tests.plays import ARMED, WINNING, as_plan
from tests.program import Done, command, herobench, read_jsonl, surroundings, write_jsonl
from tests.sizes import for_each

KILL = "1/1_Frost Drake_kill"
CRAFT = "12/1_Brick_craft"
CRAFTING = as_plan("move 0 1; gather 3; move 2 1; craft brick 1")
TASKS = "tasks.jsonl"

Score = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, tiny: World) -> Path:
    """A folder with a tasks file of two brackets."""
    kill = task_row(tiny, hero=hero_row(worn={"blade": "twig"}))
    craft = task_row(tiny, id=CRAFT, kind="craft", target="brick", missing={})
    write_jsonl(tmp_path / TASKS, [kill, craft])
    return tmp_path


@pytest.fixture
def score(folder: Path) -> Score:
    """Scores rows of answers; options are given as words, `columns` apart."""

    def run(answers: list[Any], *options: str | Path, columns: int = 80) -> Done:
        write_jsonl(folder / "answers.jsonl", answers)
        args = (folder / TASKS, folder / "answers.jsonl", "--world", TINY, "-o", folder / "scored.jsonl", *options)
        return herobench("score", *args, columns=columns)

    return run


def scored(folder: Path) -> list[dict[str, Any]]:
    return read_jsonl(folder / "scored.jsonl")


def left_over(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {TASKS, "answers.jsonl"}


# -- good answers -----------------------------------------------------------------------------------------------------


def test_answers_are_scored_in_their_order_with_exit_code_0(folder: Path, score: Score) -> None:
    answers = [
        {"task_id": CRAFT, "answer": f"Of course:\n```python\n{CRAFTING}```", "model": "m", "tokens": 9},
        {"task_id": KILL, "code": as_plan(WINNING), "epoch": 1},
        {"task_id": KILL, "code": as_plan(ARMED)},
        {"task_id": CRAFT, "answer": "I cannot.", "epoch": 3, "more": "is let through"},
    ]
    done = score(answers)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = [
        (row["task_id"], row["epoch"], row["outcome"], row["score"], row["model"], row["tokens"])
        for row in scored(folder)
    ]
    assert found == [
        (CRAFT, 0, "win", 100.0, "m", 9),
        (KILL, 1, "win", 100.0, None, None),
        (KILL, 0, "lose", 500 / 6, None, None),
        (CRAFT, 3, "lose", 0.0, None, None),
    ]
    assert [problem for row in scored(folder) for problem in schema_problems(row, "scored", "row")] == []
    assert left_over(folder) == {"scored.jsonl"}


@pytest.mark.parametrize("answers", [[], ["", "   ", "\t"]])
def test_a_file_without_answers_is_fine(folder: Path, score: Score, answers: list[str]) -> None:
    done = score(answers)
    assert (done.returncode, done.stderr) == (0, "")
    assert scored(folder) == []
    assert "all" in done.stdout


# -- answers that cannot be scored ------------------------------------------------------------------------------------


WRONG = [
    *('{"task_id": "' + KILL + '", "co', "no json", "[]", "\x00\x01", '{"task_id": "1/9_Nobody_kill", "code": ""}'),
    *({"task_id": KILL, "code": "", "epoch": epoch} for epoch in (5, -1, "0")),
    *({"task_id": KILL, "code": "", **more} for more in ({"code": 7}, {"answer": ""}, {"tokens": 1.5})),
    {"task_id": KILL},
    *({"task_id": 7, "code": ""}, '{"task_id": "' + KILL + '", "code": "", "tokens": NaN}'),
    *('{"task_id": "a", "task_id": "b", "code": ""}', "[" * 100_000),
]


def test_wrong_lines_are_named_and_the_good_ones_are_scored(folder: Path, score: Score, golden: Golden) -> None:
    good = [{"task_id": KILL, "epoch": 5, "code": ""}, {"task_id": CRAFT, "code": CRAFTING}]
    golden(score([good[0], *WRONG, good[1]]))
    assert [row["task_id"] for row in scored(folder)] == [KILL, CRAFT]


def test_wrong_tasks_are_named_and_nothing_is_scored(folder: Path, score: Score, golden: Golden) -> None:
    rows = read_jsonl(folder / TASKS)
    write_jsonl(folder / TASKS, [rows[0], {**rows[1], "target": "broom"}, rows[0], '{"torn'])
    golden(score([{"task_id": KILL, "code": ""}]))
    assert not (folder / "scored.jsonl").exists()


def test_of_many_problems_the_first_fifty_are_shown_and_the_rest_counted(score: Score) -> None:
    done = score(["{"] * 80)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 51)
    assert done.stderr.endswith("... and 30 more problems\n")


@pytest.mark.parametrize(
    "args",
    [
        ["nowhere.jsonl", "answers.jsonl", "-o", "out.jsonl"],
        [TASKS, "nowhere.jsonl", "-o", "out.jsonl"],
        [TASKS, ".", "-o", "out.jsonl"],
        [TASKS, "answers.jsonl", "-o", "no/such/out.jsonl"],
        [TASKS, "answers.jsonl", "-o", "out.jsonl", "--rules", "house"],
        [TASKS, "answers.jsonl", "-o", "out.jsonl", "--world", "atlantis"],
    ],
)
def test_what_is_not_there_is_refused_with_one_sentence(
    folder: Path, score: Score, args: list[str], golden: Golden
) -> None:
    score([{"task_id": CRAFT, "code": ""}])
    (folder / "scored.jsonl").unlink()
    world = [] if "--world" in args else ["--world", str(TINY)]
    golden(herobench("score", *args, *world, cwd=folder))
    assert left_over(folder) == set()


# -- the summary ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [60, 80])
def test_the_summary_can_be_read_on_a_narrow_terminal(folder: Path, score: Score, columns: int, golden: Golden) -> None:
    plans = [as_plan(WINNING), as_plan(ARMED), None, "", "fight('Hero')"]
    answers = [{"task_id": KILL, "epoch": epoch, "code": plan} for epoch, plan in enumerate(plans)]
    done = score([*answers, {"task_id": CRAFT, "code": CRAFTING}], columns=columns)
    golden(done)
    # the causes are found by other processes where there are many answers, and analyze finds the same
    analyzed = json.loads(herobench("analyze", folder / "scored.jsonl", "--format", "json").stdout)
    causes = ", ".join(f"{name} {count}" for name, count in analyzed["runs"][0]["causes"].items())
    assert " ".join(done.stdout.split()).endswith(f"first causes: {causes}")


def test_a_long_or_odd_name_of_a_bracket_does_not_push_the_figures_out(
    folder: Path, score: Score, tiny: World, golden: Golden
) -> None:
    odd = [f"{bracket}/task" for bracket in ("long" * 40, "[red]b", "ü☃")]
    write_jsonl(folder / TASKS, [task_row(tiny, id=name) for name in odd])
    golden(score([{"task_id": name, "code": ""} for name in odd]))


def test_the_summary_names_the_answers_the_rules_and_the_track(score: Score, golden: Golden) -> None:
    golden(score([{"task_id": CRAFT, "code": CRAFTING}], "--rules", "paper-hard"), score([], "--rules", "paper-hard"))


# -- interrupted ------------------------------------------------------------------------------------------------------


@for_each("name", ["noise", "noise-v2"])
def test_the_tasks_of_a_shipped_dataset_are_named(name: str, tmp_path: Path) -> None:
    task = read_jsonl(Path(str(dataset_path(name))))[0]
    answer = {"task_id": task["id"], "code": task["certificate"]["plan"]}
    done = herobench("score", name, write_jsonl(tmp_path / "answers.jsonl", [answer]), "-o", tmp_path / "scored.jsonl")
    assert done.returncode == 0, done.stderr
    assert [(row["outcome"], row["score"]) for row in read_jsonl(tmp_path / "scored.jsonl")] == [("win", 100)]


@pytest.mark.kills
def test_an_interrupted_run_leaves_an_earlier_output_as_it_was(folder: Path, score: Score) -> None:
    score([{"task_id": CRAFT, "code": CRAFTING}])
    before = (folder / "scored.jsonl").read_bytes()
    write_jsonl(
        folder / "answers.jsonl", [{"task_id": CRAFT, "epoch": e, "code": "while True: pass"} for e in range(5000)]
    )
    args = command("score", TASKS, "answers.jsonl", "--world", TINY, "-o", "scored.jsonl")
    with subprocess.Popen(
        args, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings()
    ) as process:
        while len(left_over(folder)) < 2 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130
    assert left_over(folder) == {"scored.jsonl"}
    assert (folder / "scored.jsonl").read_bytes() == before
