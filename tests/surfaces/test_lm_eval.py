"""lm-eval runs the suites of one turn by its own command, without torch, against the loopback server."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.program import herobench
from tests.surfaces.environment import Environment, make_environment
from tests.surfaces.page import page_commands
from tests.surfaces.player_server import served
from tests.toys import toy


def test_an_export_holds_the_knobs_and_a_suite_of_many_turns_is_refused(tmp_path: Path) -> None:
    done = toy("export", "lm-eval", str(tmp_path), "--suite", "treasure")
    assert done.returncode == 2
    assert done.stderr == "The suite treasure is played in many turns, and this tool asks for one reply alone.\n"
    for knob, sentence in (("foo=1", "There is no knob 'foo'"), ("dataset=none", "none"), ("seed=1,foo=1", "seed")):
        done = herobench("export", "lm-eval", str(tmp_path / "wrong"), "--set", knob)
        assert (done.returncode, sentence in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "wrong").exists()
    done = herobench("export", "lm-eval", str(tmp_path), "--set", "task-id=1/1_*", "--set", "dataset=base")
    assert 'knobs: {"suite": "rpg", "dataset": "base", "task_id": ["1/1_*"]}' in (
        tmp_path / "herobench_rpg.yaml"
    ).read_text("utf-8")


@pytest.fixture(scope="module")
def lm_eval(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A venv with lm-eval, of a version that has what we use."""
    made = make_environment(tmp_path_factory.mktemp("lm_eval"), herobench="lm-eval")
    assert [int(part) for part in made.version("lm-eval").split(".")[:3]] >= [0, 4, 13]
    assert made.version("torch") == ""
    return made


def ran(lm_eval: Environment, words: list[str], url: str, cwd: Path) -> list[dict[str, Any]]:
    """Run `lm-eval` with a server, and return what it logged of the samples. It looks for nothing on a hub."""
    words = [word.replace("http://127.0.0.1:8000/v1", url) for word in words]
    done = lm_eval.run(*words, cwd=cwd, extra={"OPENAI_API_KEY": "none"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "evaluate library" not in done.stdout + done.stderr
    assert "|Tasks" in done.stdout.replace(" ", "")
    (samples,) = (cwd / "out").rglob("samples_*.jsonl")
    return [json.loads(line) for line in samples.read_text("utf-8").splitlines()]


@pytest.mark.packaging
def test_the_page_wins_sixty_tasks_with_the_oracle(lm_eval: Environment, tmp_path: Path) -> None:
    (export, _) = page_commands("herobench", "surfaces.md", "lm-eval")
    (words,) = page_commands("lm-eval", "surfaces.md", "lm-eval")
    assert lm_eval.run(*export, cwd=tmp_path).returncode == 0
    with served(TaskQuery(difficulty="1-3")) as url:
        samples = ran(lm_eval, words, url, tmp_path)
    assert len(samples) == 60
    assert {(row["win"], row["score"], row["doc"]["failure"]) for row in samples} == {(1.0, 1.0, None)}


@pytest.mark.packaging
@pytest.mark.parametrize("thought", ["", "It may be 0.\n</seed:think>"], ids=["answer", "thought"])
def test_a_fixed_answer_to_examples_and_questions_scores_what_the_scorer_says(
    lm_eval: Environment, tmp_path: Path, thought: str
) -> None:
    wanted = TaskQuery(suite="acp", task="land,val", limit=60)
    with Scorer(wanted) as scorer:
        expected = {task_id: scorer.score(task_id, "1").as_row() for task_id in scorer.tasks}
    assert {row["won"] for row in expected.values()} == {True, False}
    knobs = ["--suite", "acp", "--set", "task=land,val", "--set", "limit=60"]
    assert lm_eval.run("herobench", "export", "lm-eval", "tasks", *knobs, cwd=tmp_path).returncode == 0
    (words,) = page_commands("lm-eval", "surfaces.md", "lm-eval")
    ending = ",think_end_token=</seed:think>" if thought else ""  # a tag that only lm-eval is told of
    words = [word.replace("_rpg", "_acp").replace("num_concurrent=4", f"num_concurrent=4{ending}") for word in words]
    with served(wanted, f"{thought}1") as url:
        samples = ran(lm_eval, words, url, tmp_path)
    assert {row["doc"]["id"]: (row["score"], row["doc"]["failure"]) for row in samples} == {
        task_id: (row["reward"], row["failure"]) for task_id, row in expected.items()
    }


@pytest.mark.packaging
def test_other_examples_than_those_of_the_suite_are_refused(lm_eval: Environment, tmp_path: Path) -> None:
    (words,) = page_commands("lm-eval", "surfaces.md", "lm-eval")
    assert lm_eval.run("herobench", "export", "lm-eval", "tasks", "--suite", "rpg", cwd=tmp_path).returncode == 0
    done = lm_eval.run(*words, "--num_fewshot", "2", cwd=tmp_path, extra={"OPENAI_API_KEY": "none"})
    assert done.returncode != 0
    assert "leave out num_fewshot and gen_prefix" in done.stderr
