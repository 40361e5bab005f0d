"""Exports are read by the tools that they are for."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from herobench.models.responses_api import turns_in
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.play import one_by_one
from herobench.surfaces.exports.tasks import folder_names
from herobench.surfaces.exports.verify import verify
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.sizes import SURFACE_TASKS
from tests.surfaces.environment import Environment, make_environment, python_from
from tests.surfaces.page import page_commands
from tests.toys import toy

ONE_TURN: dict[str, dict[str, Any]] = {
    "rpg": {"dataset": "base", "limit": SURFACE_TASKS},
    "acp": {"limit": SURFACE_TASKS},
    "epoch": {"seed": 1, "count": SURFACE_TASKS, "length": "2"},
}
"""Some tasks of each suite that is played in one turn."""
LOAD = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
for name in get_dataset_config_names(sys.argv[1]):
    rows = load_dataset(sys.argv[1], name, split="test")
    print(json.dumps([name, rows.column_names, [rows[0]["id"], rows[0]["oracle"], rows[0]["knobs"]]]))
print(json.dumps(load_dataset(sys.argv[1], split="test").num_rows))
"""


def export(*words: str | Path) -> str:
    done = herobench("export", *map(str, words))
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.packaging
def test_a_folder_for_hugging_face_is_loaded_with_all_suites(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for suite, settings in (("rpg", ["dataset=base"]), ("acp", []), ("epoch", ["hints=off"]), ("autumn", [])):
        knobs = [word for setting in ["limit=2", *settings] for word in ("--set", setting)]
        assert "2 tasks written" in export("hf", tmp_path / "set", "--suite", suite, *knobs)
    venv = make_environment(tmp_path_factory.mktemp("datasets"), "datasets>=4", herobench=None)
    done = venv.run("python", "-c", LOAD, "set", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    *configs, default = map(json.loads, done.stdout.splitlines())
    assert [name for name, _, _ in configs] == [
        "acp-acpbench-hard-v1",
        "autumn-autumn-v5",
        "epoch-epochs-v5",
        "rpg-base-v2",
    ]
    assert len({tuple(columns) for _, columns, _ in configs}) == 1
    assert default == 2
    for _, _, (task_id, oracle, knobs) in configs:
        with Scorer(TaskQuery(**json.loads(knobs))) as scorer:
            assert scorer.score(task_id, json.loads(oracle)).won, task_id


def test_an_export_of_tasks_made_by_a_seed_is_the_same_twice_and_names_its_knobs(tmp_path: Path) -> None:
    knobs = [word for knob in ("seed=4", "difficulty=1", "count=2") for word in ("--set", knob)]
    for folder in ("one", "two"):
        export("hf", tmp_path / folder, *knobs)
    file = "data/rpg-rpg-seed-4.jsonl"
    one, two = ((tmp_path / folder / file).read_text("utf-8") for folder in ("one", "two"))
    assert one == two
    assert json.loads(json.loads(one.splitlines()[0])["knobs"])["seed"] == 4


def test_a_task_of_harbor_keeps_the_task_from_the_agent_and_a_suite_of_many_turns_is_refused(
    tmp_path: Path, golden: Golden
) -> None:
    export("harbor", tmp_path / "tasks", "--set", "dataset=base", "--set", "limit=1")
    (task,) = (tmp_path / "tasks").iterdir()
    config = tomllib.loads((task / "task.toml").read_text("utf-8"))
    assert config["artifacts"] == ["/app/answer.txt"]
    assert config["verifier"]["environment_mode"] == "separate"
    assert config["environment"]["network_mode"] == config["verifier"]["environment"]["network_mode"] == "no-network"
    assert {path.name for path in (task / "environment").iterdir()} == {"Dockerfile"}
    assert "herobench" not in (task / "environment" / "Dockerfile").read_text("utf-8")
    golden(toy("export", "harbor", str(tmp_path), "--suite", "treasure"))


def test_tasks_of_harbor_whose_ids_differ_in_punctuation_have_folders_of_their_own() -> None:
    names = folder_names("acp", ["1/A b", "1-a-b", "1/a_c", "?", "!"])
    assert names["1/a_c"] == "acp-1-a-c"
    assert [name for name in names.values() if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name)] == []
    assert len({*names.values()}) == 5
    assert names["1-a-b"].startswith("acp-1-a-b-")
    assert folder_names("acp", [*names][::-1]) == names  # in any order


@pytest.mark.parametrize(
    ("knobs", "split"),
    [
        ({"suite": "acp", "limit": "7"}, "validation"),
        ({"suite": "rpg", "seed": "1", "count": "6", "mode": "tools"}, "train"),
    ],
    ids=["plan", "tools"],
)
def test_an_environment_of_nemo_gym_has_a_smoke_rollout_and_answers_with_the_rewards_of_the_scorer(
    knobs: dict[str, str], split: str, tmp_path: Path
) -> None:
    settings = [word for name, value in knobs.items() if name != "suite" for word in ("--set", f"{name}={value}")]
    export("nemo-gym", tmp_path, "--suite", knobs["suite"], *settings)
    environment, server = (tmp_path / part / "herobench" for part in ("environments", "resources_servers"))
    for file in ("manifest.yaml", "config.yaml"):
        text = (environment / file).read_text("utf-8")
        assert f"environments/herobench/data/{split}.jsonl" in text
        assert "environments/herobench/data/example.jsonl" in text
    rows = read_jsonl(environment / "data" / f"{split}.jsonl")
    assert read_jsonl(environment / "data" / "example.jsonl") == rows[:5]
    assert json.loads((server / "knobs.json").read_text("utf-8")).items() >= {("suite", knobs["suite"])}
    compile((server / "app.py").read_text("utf-8"), "app.py", "exec")
    cases = {case["kind"]: case for case in read_jsonl(server / "tests" / "verifier_cases.jsonl")}
    assert cases.keys() == {"full_reward", "zero_reward", "determinism", "malformed"}, "what `gym env test` asks for"
    with Scorer(TaskQuery(**knobs)) as scorer:
        assert [row["task_id"] for row in rows] == list(scorer.tasks)
        for kind in ("full_reward", "zero_reward"):
            row = cases[kind]["request"]
            (turn,) = turns_in(row["response"]["output"])
            reward = scorer.score(row["task_id"], list(one_by_one(turn))).reward
            assert reward == cases[kind]["expected_reward"]


def test_an_environment_of_nemo_gym_is_refused_where_its_agent_would_end_with_the_first_text(tmp_path: Path) -> None:
    done = herobench("export", "nemo-gym", tmp_path / "out", "--suite", "autumn", "--set", "limit=1")
    assert (done.returncode, "choose mode=tools" in done.stderr) == (2, True)
    assert not (tmp_path / "out").exists()


def solved(task: Path, folder: Path) -> Path:
    """The answer that the script of a task of harbor leaves, with a folder in place of the agent's."""
    script = task / "solution" / "solve.sh"
    script.write_text(script.read_text("utf-8").replace("/app", str(folder)), "utf-8")
    assert subprocess.run([script], cwd=folder, capture_output=True, check=True).stdout == b""
    return folder / "answer.txt"


def test_a_long_id_has_a_folder_with_a_short_name() -> None:
    one, other = folder_names("acp", ["a" * 9_000, "a" * 9_000 + "b"]).values()
    assert one != other
    assert max(len(one), len(other)) < 120


@pytest.mark.slow
@pytest.mark.parametrize(
    "knobs",
    [
        ["--set", "limit=1"],
        ["--set", "seed=3", "--set", "count=1", "--set", "difficulty=1"],
    ],
    ids=["a set with a world of its own", "made anew"],
)
def test_the_verifier_of_a_task_of_harbor_gives_the_solution_its_reward(knobs: list[str], tmp_path: Path) -> None:
    export("harbor", tmp_path / "tasks", *knobs)
    task = sorted((tmp_path / "tasks").iterdir())[0]
    verify(task / "tests", solved(task, tmp_path), tmp_path)
    assert json.loads((tmp_path / "reward.json").read_text("utf-8"))["reward"] == 1.0


@pytest.fixture(scope="module")
def harbor(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A venv with harbor, and an environment of it that needs no containers."""
    folder = tmp_path_factory.mktemp("harbor")
    made = make_environment(folder, "harbor>=0.24", python=python_from("3.12"))
    (packages,) = (made.path / "lib").glob("python*/site-packages")
    shutil.copy(Path(__file__).with_name("harbor_here.py"), packages)
    return made


def rewards(job: Path) -> dict[str, float]:
    """The reward of each task by the name of its folder."""
    found = {}
    for file in job.rglob("reward.json"):
        if file.parts[-3] != "logs":  # the copy that harbor made
            trial = json.loads((file.parents[1] / "config.json").read_text("utf-8"))
            found[Path(trial["task"]["path"]).name] = json.loads(file.read_text("utf-8"))["reward"]
    return found


def harbor_run(harbor: Environment, folder: Path, agent: str) -> dict[str, float]:
    """Run an agent of harbor by the command of the page on the exported tasks, and return the rewards."""
    (words,) = page_commands("harbor", "exports.md")
    words[words.index("-a") + 1] = agent
    done = harbor.run(
        *words,
        *("-e", "harbor_here:HereEnvironment", "-o", agent),
        cwd=folder,
        extra={"LITELLM_LOCAL_MODEL_COST_MAP": "True"},
        seconds=850,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return rewards(folder / agent)


@pytest.mark.packaging
@pytest.mark.parametrize("right", [True, False], ids=["oracle", "wrong"])
@pytest.mark.parametrize("suite", ONE_TURN)
def test_an_answer_of_an_agent_of_harbor_scores_what_the_scorer_says(
    harbor: Environment, suite: str, right: bool, tmp_path: Path
) -> None:
    knobs = ONE_TURN[suite]
    settings = [word for name, value in knobs.items() for word in ("--set", f"{name}={value}")]
    export("harbor", tmp_path / "tasks", "--suite", suite, *settings)
    with Scorer(TaskQuery(suite=suite, **knobs).one_turn()) as scorer:
        names = folder_names(suite, scorer.tasks)
        answer = scorer.solution(next(iter(scorer.tasks)))[0].text  # wins the first task
        scored = {names[task_id]: scorer.score(task_id, answer + "\n").reward for task_id in scorer.tasks}
    assert len(scored) == SURFACE_TASKS
    assert {*scored.values()} >= {0.0, 1.0}
    if not right:
        for file in (tmp_path / "tasks").glob("*/solution/answer.txt"):
            file.write_text(answer, "utf-8")
    assert harbor_run(harbor, tmp_path, "oracle") == (dict.fromkeys(scored, 1.0) if right else scored)


@pytest.mark.packaging
def test_an_agent_of_harbor_that_does_nothing_loses(harbor: Environment, tmp_path: Path) -> None:
    for suite in ONE_TURN:
        export("harbor", tmp_path / "tasks", "--suite", suite, "--set", "limit=2")
    assert [*harbor_run(harbor, tmp_path, "nop").values()] == [0.0] * 6
