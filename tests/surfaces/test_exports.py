"""Exports are read by the tools that they are for."""

import json
from pathlib import Path

import pytest

from herobench.scorer import Scorer, Wanted
from tests.program import herobench
from tests.surfaces.environment import environment_of

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
    venv = environment_of(tmp_path_factory.mktemp("datasets"), "datasets>=4", herobench=None)
    done = venv.run("python", "-c", LOAD, "set", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    *configs, default = map(json.loads, done.stdout.splitlines())
    assert [name for name, _, _ in configs] == [
        "acp-acpbench-hard-v1",
        "autumn-autumn-v1",
        "epoch-epochs-v1",
        "rpg-base-v2",
    ]
    assert len({tuple(columns) for _, columns, _ in configs}) == 1
    assert default == 2
    for _, _, (task_id, oracle, knobs) in configs:
        with Scorer(Wanted(**json.loads(knobs))) as scorer:
            assert scorer.score(task_id, json.loads(oracle)).won, task_id


def test_an_export_of_tasks_made_by_a_seed_is_the_same_twice_and_names_its_knobs(tmp_path: Path) -> None:
    knobs = [word for knob in ("seed=4", "length=5-6", "count=2") for word in ("--set", knob)]
    for folder in ("one", "two"):
        export("hf", tmp_path / folder, "--suite", "epoch", *knobs)
    file = "data/epoch-epoch-seed-4.jsonl"
    one, two = ((tmp_path / folder / file).read_text("utf-8") for folder in ("one", "two"))
    assert one == two
    assert json.loads(json.loads(one.splitlines()[0])["knobs"])["seed"] == 4
