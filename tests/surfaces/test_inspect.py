"""Inspect AI runs the suites by its own command, against the loopback server and with the oracle as a solver."""

import json
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, TaskQuery
from herobench.suite.plugins import SUITES, names
from tests.program import herobench
from tests.surfaces.environment import Environment, make_environment
from tests.surfaces.page import page_commands
from tests.surfaces.player_server import served

pytestmark = pytest.mark.packaging
WON = {"win": 1.0, "score": 1.0, "progress": 1.0, "failure": None}
LOCAL = ["--model", "openai-api/local/oracle"]
QUIET = ["--display", "plain"]

READ = """
import json, sys
from pathlib import Path
from urllib.parse import urlparse
from inspect_ai.log import list_eval_logs, read_eval_log
for info in list_eval_logs(sys.argv[1]):
    log = read_eval_log(info)
    name = Path(urlparse(info.name).path).parts[-3]
    for sample in log.samples:
        (score,) = sample.scores.values()
        print(json.dumps([name, log.status, sample.id, sample.epoch, score.value, score.metadata["failure"]]))
"""


@pytest.fixture(scope="module")
def inspect(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A venv with Inspect, of a version that has what we use."""
    made = make_environment(tmp_path_factory.mktemp("inspect"), herobench="inspect")
    assert [int(part) for part in made.version("inspect-ai").split(".")[:3]] >= [0, 3, 285]
    return made


def evaluate(inspect: Environment, words: list[str], cwd: Path, url: str = "") -> str:
    """Run `inspect eval` in a folder of its own. Return what it said."""
    local = {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": url}
    cwd.mkdir()
    done = inspect.run(*words, *QUIET, "--log-dir", "logs", cwd=cwd, extra=local)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def rescored(inspect: Environment, folder: Path) -> str:
    """Judge the replies of a log again in its place, and once more. Return what was said."""
    (log,) = (folder / "logs").glob("*.eval")
    words = ["inspect", "score", str(log), "--action", "overwrite", "--overwrite", *QUIET]
    said = [
        inspect.run(*words, cwd=folder, extra={"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": "http://127.0.0.1:9/v1"})
        for _ in range(2)
    ]
    assert [done.returncode for done in said] == [0, 0], said
    return "".join(done.stdout + done.stderr for done in said)


def sample_rows(inspect: Environment, folder: Path) -> dict[str, list[list[Any]]]:
    """Return a row for each sample by the folder of its evaluation: status, id, epoch, score, cause of failure."""
    shown = inspect.run("python", "-c", READ, ".", cwd=folder)
    assert shown.returncode == 0, shown.stderr
    rows: dict[str, list[list[Any]]] = {}
    for line in shown.stdout.splitlines():
        name, *row = json.loads(line)
        rows.setdefault(name, []).append(row)
    return rows


def test_the_commands_of_the_page_win_all_tasks(inspect: Environment, tmp_path: Path) -> None:
    plans, tools, *oracles = page_commands("inspect", "surfaces.md", "Inspect AI")
    with served(TaskQuery(difficulty="1-3")) as url:
        evaluate(inspect, plans, tmp_path / "plans", url)
    with served(TaskQuery(difficulty="1", limit=2, mode="tools")) as url:
        evaluate(inspect, tools, tmp_path / "tools", url)
    for number, words in enumerate(oracles):
        evaluate(inspect, words, tmp_path / str(number))
    found = sample_rows(inspect, tmp_path)
    assert {name: len(rows) for name, rows in found.items()} == {"plans": 60, "tools": 4, "0": 12, "1": 4}
    assert sorted(epoch for _, _, epoch, _, _ in found["tools"]) == [1, 1, 2, 2]
    for status, _, _, score, failure in (row for rows in found.values() for row in rows):
        assert (status, score, failure) == ("success", WON, None)


FIGURES = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
(info,) = list_eval_logs(sys.argv[1])
print(json.dumps({score.name: {name: each.value for name, each in score.metrics.items()}
                  for score in read_eval_log(info).results.scores}))
"""


def test_a_log_has_the_figures_of_analyze_with_their_intervals(inspect: Environment, tmp_path: Path) -> None:
    wanted = TaskQuery(suite="journey", limit=12)
    with Scorer(wanted) as scorer:
        stopped, *_ = scorer.tasks
    with served(wanted, {stopped: "```python\n```"}) as url:
        words = ["inspect", "eval", "herobench/journey", "-T", "limit=12", "--model", "openai-api/local/greedy"]
        evaluate(inspect, words, tmp_path / "here", url)
        ours = ["--suite", "journey", "--limit", "12", "-m", "local/greedy", "--base-url", url, "-o", tmp_path / "run"]
        done = herobench("run", *ours)
    shown = inspect.run("python", "-c", FIGURES, "logs", cwd=tmp_path / "here")
    figures = json.loads(shown.stdout)
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(herobench("analyze", tmp_path / "run", "--format", "json").stdout)["runs"]
    assert run["failures"]["stopped"] == 1, "a plan that does not arrive is a decision more, and a mistake"
    expected, theirs = run["between_mistakes"], figures["win"]
    for end, name in (("estimate", "estimate"), ("low", "lower"), ("high", "upper")):
        assert theirs[f"herobench/between_mistakes_{name}"] == pytest.approx(expected[end])
    assert theirs["ci_wilson_lower"] < theirs["accuracy"] < theirs["ci_wilson_upper"]
    assert isnan(theirs["herobench/horizon_estimate"]), "twelve tasks are too few"
    assert figures["score"]["ci_lower"] < figures["score"]["mean"] < figures["score"]["ci_upper"]


def test_a_runner_from_outside_chooses_one_task_of_an_eval_set(inspect: Environment, tmp_path: Path) -> None:
    sets = ["herobench/acp", "herobench/epoch", "-T", "limit=2", "--model", "none/none"]
    words = ["inspect", "eval-set", *sets, "--solver", "herobench/oracle", *QUIET, "--log-dir", "here/logs"]
    manifest, chosen = tmp_path / "set.json", tmp_path / "one.json"
    captured = inspect.run(*words, cwd=tmp_path, extra={"INSPECT_EVAL_SET_CAPTURE": str(manifest)})
    assert captured.returncode == 0, captured.stderr
    listed = json.loads(manifest.read_text("utf-8"))
    (task,) = (task for task in listed["tasks"] if task["name"] == "herobench/epoch")
    selection = {"version": listed["version"], "eval_set_id": "one", "tasks": [{"identifier": task["identifier"]}]}
    chosen.write_text(json.dumps(selection), "utf-8")
    done = inspect.run(*words, cwd=tmp_path, extra={"INSPECT_EVAL_SET_SELECTION": str(chosen)})
    assert done.returncode == 0, done.stderr
    (log,) = (tmp_path / "here" / "logs").glob("*.eval")
    assert "_epoch_" in log.name
    assert [row[3] for row in sample_rows(inspect, tmp_path)["here"]] == [WON] * 2


def test_every_suite_is_a_task_by_its_name(inspect: Environment, tmp_path: Path) -> None:
    tasks = [f"herobench/{suite}" for suite in names(SUITES)]
    oracle = ["-T", "limit=1", "--model", "none/none", "--solver", "herobench/oracle"]
    evaluate(inspect, ["inspect", "eval", *tasks, *oracle], tmp_path / "here")
    (rows,) = sample_rows(inspect, tmp_path).values()
    assert [(row[0], row[3]) for row in rows] == [("success", WON)] * len(tasks)


def test_a_wrong_plan_scores_what_the_scorer_says_and_windows_of_messages_are_kept(
    inspect: Environment, tmp_path: Path
) -> None:
    wanted = TaskQuery(dataset="base", limit=60)
    with Scorer(wanted) as scorer:
        plan = scorer.solution(next(iter(scorer.tasks)))[0].text
        expected = {
            task_id: ({**result.figures(), "failure": result.failure}, result.failure)
            for task_id in scorer.tasks
            for result in [scorer.score(task_id, plan)]
        }
    assert len({json.dumps(said) for said in expected.values()}) > 2
    with served(wanted, plan) as url:
        words = ["inspect", "eval", "herobench/rpg", "-T", "dataset=base", "-T", "limit=60", *LOCAL]
        told = evaluate(inspect, words, tmp_path / "plans", url)
    assert "convert" not in told  # no warning that a failure is no number
    again = rescored(inspect, tmp_path / "plans")
    assert "convert" not in again
    # hints=off is false in YAML, and a window of 2 sends less than the whole conversation
    with served(TaskQuery(suite="epoch", dataset="epochs-v1", hints="off", window=2)) as url:
        chosen = ["-T", "dataset=epochs-v1", "-T", "hints=off", "-T", "window=2"]
        words = ["inspect", "eval", "herobench/epoch", *chosen, *LOCAL]
        evaluate(inspect, words, tmp_path / "windows", url)
    found = sample_rows(inspect, tmp_path)
    assert {task_id: (score, failure) for _, task_id, _, score, failure in found["plans"]} == expected
    assert [score for _, _, _, score, _ in found["windows"]] == [WON] * 6


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"suite": "epoch", "limit": 60, "mode": "plan"}, None),
        ({"suite": "epoch", "limit": 60}, "no idea"),
        ({"suite": "autumn", "limit": 60, "total": 10}, "no idea"),
    ],
    ids=["epoch by plans", "epoch", "autumn"],
)
def test_a_wrong_answer_in_games_scores_what_the_scorer_says(
    inspect: Environment, knobs: dict[str, Any], says: str | None, tmp_path: Path
) -> None:
    wanted = TaskQuery(**knobs)
    with Scorer(wanted) as scorer:
        said = says or scorer.solution(next(iter(scorer.tasks)))[0].text
        results = {task_id: scorer.score(task_id, [said] * 100) for task_id in scorer.tasks}
    assert len(results) == 60
    with served(wanted, said) as url:
        settings = [f"{name}={value}" for name, value in knobs.items() if name != "suite"]
        words = ["inspect", "eval", f"herobench/{wanted.suite}", *(w for s in settings for w in ("-T", s)), *LOCAL]
        evaluate(inspect, words, tmp_path / "games", url)
    (rows,) = sample_rows(inspect, tmp_path).values()
    assert {task_id: (score, failure) for _, task_id, _, score, failure in rows} == {
        id: ({**result.figures(), "failure": result.failure}, result.failure) for id, result in results.items()
    }


def test_a_wrong_argument_is_refused_with_a_sentence(inspect: Environment, tmp_path: Path) -> None:
    done = inspect.run("inspect", "eval", "herobench/rpg", "-T", "length=3", "--model", "none/none", cwd=tmp_path)
    assert done.returncode == 2
    assert "Error: length is a knob of tasks that are made anew: give a seed too." in done.stderr
    assert "Traceback" not in done.stdout + done.stderr


TURNS = """
import sys
from inspect_ai.log import list_eval_logs, read_eval_log
(info,) = list_eval_logs(sys.argv[1])
(sample,) = read_eval_log(info).samples
print([event.score.value for event in sample.events if event.event == "score" and event.intermediate])
print(any("0.125" in str(message.content) for message in sample.messages))
"""


def test_turns_are_paid_in_the_log_alone_from_where_the_prefix_ends(inspect: Environment, tmp_path: Path) -> None:
    words = [
        "inspect",
        "eval",
        "herobench/epoch",
        "-T",
        "dataset=epochs-v1",
        "-T",
        "levels=3",
        "-T",
        "prefix=-3",
        "-T",
        "reward=potential",
    ]
    evaluate(inspect, [*words, "--model", "none/none", "--solver", "herobench/oracle"], tmp_path / "here")
    shown = inspect.run("python", "-c", TURNS, "logs", cwd=tmp_path / "here")
    assert shown.stdout.splitlines() == ["[0.125, 0.125, 0.125]", "False"], shown.stderr
    ((row,),) = sample_rows(inspect, tmp_path).values()
    assert row[3] == WON  # the replies of the prefix are judged too


TWICE = """
from inspect_ai.solver import fork, solver
from herobench.surfaces.inspect.tasks import oracle, play

@solver
def twice():
    async def solve(state, generate):
        state = await play(turns=3)(state, generate)
        said = len(state.messages)
        one, other = await fork(state, [oracle(), oracle()])
        assert len(state.messages) == said
        stopped = await fork(state, play(turns=0))
        assert [message.text for message in stopped.messages] == [message.text for message in state.messages]
        assert [message.text for message in one.messages] == [message.text for message in other.messages]
        assert one.messages[:said] == state.messages
        return await fork(one, play())  # nothing is asked after the end
    return solve
"""


def test_an_attempt_forked_twice_gets_equal_verdicts(inspect: Environment, tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text(TWICE, "utf-8")
    knobs = {"dataset": "epochs-v1", "levels": "3"}
    asked: list[int] = []
    with served(TaskQuery(suite="epoch", **knobs), asked=asked) as url:
        settings = [word for name, value in knobs.items() for word in ("-T", f"{name}={value}")]
        words = ["inspect", "eval", "herobench/epoch", *settings, "-T", "reward=potential", *LOCAL]
        evaluate(inspect, [*words, "--solver", f"{tmp_path}/twice.py@twice"], tmp_path / "here", url)
    assert len(asked) == 3
    ((row,),) = sample_rows(inspect, tmp_path).values()
    assert row[0] == "success"
    assert row[3] == WON
    shown = inspect.run("python", "-c", TURNS, "logs", cwd=tmp_path / "here")
    assert shown.stdout.splitlines()[0] == str([0.125] * 13)  # three turns, and five in each fork
