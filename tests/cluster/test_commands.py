"""`--on`: the commands write the same rows and say the same as on one machine, and refuse what does not fit."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.cluster.row_files import arrow_schema, column_types
from herobench.data.errors import SandboxError
from herobench.suites.rpg.play.columns import SCORED
from herobench.task_gen.rpg.datasets import dataset_path
from herobench.work.engine import Lost
from tests.cluster.here import Here, Use, here, on, same_rows, shard_tables, shards_text
from tests.program import herobench, read_jsonl, refuses, write_jsonl

__all__ = ["here"]
EXAMPLES = Path(__file__).parents[2] / "world_data" / "examples"
TASKS, ANSWERS = EXAMPLES / "tasks.jsonl", EXAMPLES / "answers.jsonl"
GENERATE = ("generate", "--count", "7", "--difficulty", "1-3", "--seed", "5")


def many_answers(folder: Path) -> Path:
    rows = [{**row, "epoch": epoch} for epoch in range(3) for row in read_jsonl(ANSWERS)]
    return write_jsonl(folder / "answers.jsonl", rows)


# -- score ------------------------------------------------------------------------------------------------------------


def test_scored_shards_and_the_summary_are_those_of_one_machine(tmp_path: Path, here: Use) -> None:
    here(Here(fate=lambda number: Lost("gone") if number in (3, 5, 9) else None))
    answers = many_answers(tmp_path)
    alone, done = same_rows(tmp_path, "score", TASKS, answers)
    assert done.returncode == 0
    rows = len(read_jsonl(answers))
    told = f"{rows} rows in {-(-rows // 2)} shards in {tmp_path / 'out'}; 3 tried more than once\n"
    assert done.stderr == told
    again = on(tmp_path, "score", TASKS, answers)
    assert (again.returncode, again.stdout) == (0, alone.stdout), "a job that is done tells the same"


def test_answers_that_cannot_be_scored_are_told_with_their_places_and_the_others_are_scored(
    tmp_path: Path, here: Use
) -> None:
    good = read_jsonl(ANSWERS)
    good[2] = {"task_id": good[2]["task_id"], "code": "unequip('Hero', 'weapon', 'x')"}  # which no action takes
    rows = [good[0], "nonsense", good[1], good[0], {"task_id": "9/9_Nobody_kill", "code": ""}, good[2]]
    answers = write_jsonl(tmp_path / "answers.jsonl", rows)
    alone, done = same_rows(tmp_path, "score", TASKS, answers)
    assert done.returncode == 1
    told = done.stderr.splitlines()[1:]
    assert [line.partition(" ")[0] for line in told] == [line.partition(" ")[0] for line in alone.stderr.splitlines()]
    assert f"expected the first answer to this task and epoch, and {answers}:1 is" in told[1]


def test_several_files_are_scored_in_the_order_of_their_names(tmp_path: Path, here: Use) -> None:
    rows = read_jsonl(many_answers(tmp_path))
    (tmp_path / "in").mkdir()
    for name, part in (("b", rows[4:]), ("a", rows[:4])):
        write_jsonl(tmp_path / "in" / f"{name}.jsonl", part)
    assert on(tmp_path, "score", TASKS, tmp_path / "in").returncode == 0
    found = [(row["task_id"], row["epoch"]) for row in map(json.loads, shards_text(tmp_path).splitlines())]
    assert found == [(row["task_id"], row["epoch"]) for row in rows]


def test_parquet_goes_in_and_comes_out(tmp_path: Path, here: Use) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    answers = many_answers(tmp_path)
    parquet.write_table(pa.Table.from_pylist(read_jsonl(answers)), tmp_path / "answers.parquet")
    herobench("score", TASKS, answers, "-o", tmp_path / "alone.jsonl", "--jobs", "1")
    assert on(tmp_path, "score", TASKS, tmp_path / "answers.parquet", "--format", "parquet").returncode == 0
    table = parquet.read_table(tmp_path / "out" / "part-0000001.parquet")
    types = column_types(column for column in SCORED if column.name != "events")
    assert table.schema.equals(arrow_schema(types))
    found = [plain(row, types) for row in shard_tables(tmp_path)]
    # a table has a cell for what only some rows say
    names = [column.name for column in SCORED]
    alone = [{**dict.fromkeys(names), **row, "events": None} for row in read_jsonl(tmp_path / "alone.jsonl")]
    assert found == alone


def plain(row: dict[str, Any], types: Any) -> dict[str, Any]:
    """A row of a table as it stands in JSONL, without its events."""
    read = {name: json.loads(v) if types[name] == "json" and v is not None else v for name, v in row.items()}
    return {name: read.get(name) for name in (column.name for column in SCORED)}


def test_a_shard_that_is_not_made_is_told_and_the_next_session_makes_it(tmp_path: Path, here: Use) -> None:
    answers = many_answers(tmp_path)
    here(Here(1, fate=lambda number: SandboxError("no worker starts") if number in (2, 3, 4) else None))
    done = on(tmp_path, "score", TASKS, answers)
    assert done.returncode == 1
    assert "part-0000000.jsonl is not written after 3 tries: no worker starts" in done.stderr
    here(Here())
    assert on(tmp_path, "score", TASKS, answers).returncode == 0


def test_tasks_on_two_tracks_are_told_of_together(tmp_path: Path, here: Use) -> None:
    first, *others = read_jsonl(TASKS)
    first["mechanics"]["plan"] = "straight"
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [first, *others])
    assert "program and straight" in same_rows(tmp_path, "score", tasks, ANSWERS)[1].stdout


def test_another_rules_edition_and_other_shards_are_another_job(tmp_path: Path, here: Use) -> None:
    assert on(tmp_path, "score", TASKS, ANSWERS).returncode == 0
    sentence = refuses(on(tmp_path, "score", TASKS, ANSWERS, "--shard-rows", "3"))
    assert "the option shard_rows is 2 there and 3 here" in sentence
    sentence = refuses(on(tmp_path, "score", TASKS, ANSWERS, "--rules", "paper-late"))
    assert 'the option rules is "standard" there and "paper-late" here' in sentence


# -- generate and validate --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [(), pytest.param(("--world", "courses:3:7"), marks=pytest.mark.slow)], ids=["tasks", "courses"]
)
def test_made_tasks_are_those_of_one_machine(tmp_path: Path, here: Use, words: tuple[str, ...]) -> None:
    options = [*GENERATE[:3], *GENERATE[5:], *words] if words else [*GENERATE]
    _, done = same_rows(tmp_path, *options)
    assert (done.returncode, done.stderr) == (0, f"7 rows in 4 shards in {tmp_path / 'out'}\n")
    assert "option seed" in refuses(on(tmp_path, *options, "--seed", "6"))


@pytest.mark.parametrize("words", [(), ("--json",)], ids=["text", "json"])
def test_proofs_and_what_is_said_of_them_are_those_of_one_machine(
    tmp_path: Path, here: Use, words: tuple[str, ...]
) -> None:
    rows = read_jsonl(Path(str(dataset_path("base"))))[:5]
    rows[3]["certificate"]["actions"] += 1
    rows[4]["difficulty"] += 1
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [*rows[:4], rows[0], "nonsense", rows[4]])
    alone = herobench("validate", tasks, "--jobs", "1", *words)
    done = on(tmp_path, "validate", tasks, *words)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (1, alone.stdout)
    assert [row["task_id"] for row in map(json.loads, shards_text(tmp_path).splitlines())] == [
        row["id"] for row in rows
    ]


def test_made_parquet_can_be_proven_and_the_names_of_sets_mean_their_files(tmp_path: Path, here: Use) -> None:
    pytest.importorskip("pyarrow")
    assert on(tmp_path, *GENERATE, "--format", "parquet").returncode == 0
    done = herobench("validate", tmp_path / "out", "--on", "ray", "-o", tmp_path / "proofs", "--format", "parquet")
    assert (done.returncode, done.stdout) == (0, "7 of 7 tasks hold\n")


def test_tasks_of_another_world_are_one_problem(tmp_path: Path, here: Use) -> None:
    done = on(tmp_path, "validate", TASKS, "--world", "remix:3")
    assert done.returncode == 2
    assert "expected tasks of the world" in done.stderr
    assert "and all are of another one" in done.stderr


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("score", TASKS, ANSWERS, "-o", "x", "--shard-rows", "5"), "--shard-rows goes with --on"),
        (("generate", "--format", "parquet"), "--format goes with --on"),
        (("score", TASKS, ANSWERS, "-o", "s3://a/b"), "--output is a URL"),
        (("validate", TASKS, "-o", "x"), "--output goes with --on"),
        (("validate", TASKS, "--on", "ray"), "--on writes shards to a folder"),
        (("score", TASKS, ANSWERS, "--on", "ray"), "--on writes shards to a folder"),
        (("generate", "--on", "ray"), "--on writes shards to a folder"),
        (("generate", "--on", "ray", "-o", "-"), "--on writes shards to a folder"),
        (("generate", "--on", "ray", "-o", "x", "--twin-of", "base"), "--on makes no twins"),
        (("generate", "--on", "ray", "-o", "x", "--noise", "100000"), "noise"),
        (("score", TASKS, "-", "--on", "ray", "-o", "x"), "write them to a file first"),
        (("score", TASKS, "nowhere.jsonl", "--on", "ray", "-o", "x"), "nowhere.jsonl cannot be read"),
        (("generate", "--suite", "acp", "--on", "ray", "-o", "x"), "The suite acp makes its tasks one after the other"),
        (("generate", "--suite", "epoch", "--on", "ray"), "--on writes shards to a folder"),
        (("generate", "--suite", "epoch", "--shard-rows", "3"), "--shard-rows goes with --on"),
        (("validate", "--suite", "epoch", "a.jsonl", "-o", "x"), "--output goes with --on"),
        (("validate", "--suite", "epoch", "a.jsonl", "--on", "ray"), "--on writes shards to a folder"),
        (("validate", "--suite", "epoch", "a.jsonl", "--on", "ray", "-o", "x"), "a.jsonl cannot be read"),
        (("validate", "--suite", "epoch", "a.jsonl", "--world", "classic"), "--world is for the suite rpg only"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(
    tmp_path: Path, here: Use, words: tuple[str | Path, ...], sentence: str
) -> None:
    assert sentence in refuses(herobench(*words, cwd=tmp_path))
    assert not (tmp_path / "x").exists()


def test_without_ray_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    sentence = refuses(on(tmp_path, "score", TASKS, ANSWERS))
    assert sentence == "--on ray needs the library ray: pip install 'herobench[ray]'."


@pytest.mark.parametrize("name", ["rey", "ray://", "dask://a"])
def test_another_engine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", object())
    done = herobench("score", TASKS, ANSWERS, "--on", name, "-o", tmp_path / "out")
    assert "give ray, or the address of a cluster such as ray://head:10001" in refuses(done)
