"""--names random: the same tasks under opaque names, in files, in runs, and in what is made of runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from herobench.suite.generating import tasks_by_options
from herobench.suites.rpg.game.world import RANDOM, World
from herobench.suites.rpg.worlds.content import load_world
from herobench.suites.rpg.worlds.renamed import RenamedWorld, with_names
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

OPTIONS = "--difficulty 2-3 --count 4 --noise 2 --jobs 1".split()
RANDOMLY = ("--names", "random")


def made(file: Path, *options: str) -> Path:
    done = herobench("generate", *options, "-o", file)
    assert done.returncode == 0, done.stderr
    return file


def asked(folder: Path, *options: str | Path) -> Path:
    done = herobench("run", "-m", "oracle", *options, "-o", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("named") / "run"
    return asked(folder, "--dataset", "base", "--task-id", "[23]/1_*", *RANDOMLY, "--agent", "tools")


def test_a_file_holds_in_the_renamed_world_and_is_the_plain_one_renamed(
    tmp_path: Path, classic: World, golden: Golden
) -> None:
    plain, other = made(tmp_path / "plain", *OPTIONS), made(tmp_path / "other", *OPTIONS, *RANDOMLY)
    assert made(tmp_path / "said", *OPTIONS, "--names", "plain").read_bytes() == plain.read_bytes()
    assert made(tmp_path / "again", *OPTIONS, *RANDOMLY).read_bytes() == other.read_bytes()
    assert read_jsonl(other) == list(map(RenamedWorld(classic).row, read_jsonl(plain)))
    done = herobench("validate", other, *RANDOMLY)
    assert (done.returncode, done.stdout) == (0, "4 of 4 tasks hold\n")
    golden(herobench("validate", other))


def test_a_false_claim_is_found_under_opaque_names_too(tmp_path: Path) -> None:
    rows = read_jsonl(made(tmp_path / "plain", *OPTIONS))
    rows[1]["certificate"]["actions"] += 1
    rows[2]["certificate"]["plan"] = rows[3]["certificate"]["plan"]
    done = herobench("validate", write_jsonl(tmp_path / "wrong", rows), *RANDOMLY)
    assert done.returncode == 2
    assert done.stdout.endswith("2 of 4 tasks hold\n")
    assert {line.partition(":")[0] for line in done.stdout.splitlines()[:-1]} == {rows[1]["id"], rows[2]["id"]}


def test_programs_and_clusters_make_the_same_rows(tmp_path: Path) -> None:
    rows = read_jsonl(made(tmp_path / "other", "--difficulty", "2", "--count", "2", *RANDOMLY))
    numbered = tasks_by_options("rpg", {"difficulty": (2,), "names": RANDOM})
    assert [dict(numbered.make(number)) for number in range(2)] == rows
    assert numbered.identity["world"] == rows[0]["world"]


def test_what_is_written_says_how_to_look_at_it(tmp_path: Path) -> None:
    done = herobench("generate", "--count", "1", *RANDOMLY, "-o", tmp_path / "tasks")
    look = done.stderr.partition("to look at them: herobench ")[2].split()
    assert look[-2:] == [*RANDOMLY]
    assert herobench(*look).returncode == 0


def test_a_run_keeps_what_it_asked_and_needs_no_option_again(run: Path, tmp_path: Path) -> None:
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    assert manifest["conduct"]["options"] == {"rules": "standard", "mode": "tools", "names": "random"}
    samples = read_jsonl(run / "samples.jsonl")
    assert [(sample["won"], sample["details"]["names"]) for sample in samples] == [(True, "random")] * 2
    kept = {name: (run / name).read_bytes() for name in ("tasks.jsonl", "world.json", "samples.jsonl")}
    for words in (["run", "--resume", run], ["score", run], ["run", "--resume", run, *RANDOMLY]):
        done = herobench(*words)
        assert done.returncode == 0, done.stderr
    assert {name: (run / name).read_bytes() for name in kept} == kept
    page = herobench("analyze", run, "--format", "html", "-o", tmp_path / "page.html")
    assert page.returncode == 0, page.stderr


def test_no_word_of_the_plain_world_is_in_a_conversation(run: Path, classic: World) -> None:
    named = [*classic.items.values(), *classic.monsters.values(), *classic.resources.values()]
    names = {thing.code for thing in named} | {thing.name for thing in named} | {*classic.skills, *classic.elements}
    calls = "".join(f"{row['messages']}{row['reply']}" for row in read_jsonl(run / "calls.jsonl"))
    assert {name for name in names if re.search(rf"(?<![A-Za-z]){name}(?![A-Za-z])", calls)} == set()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of the same tasks under plain names."""
    folder = tmp_path_factory.mktemp("named") / "plain"
    return asked(folder, "--dataset", "base", "--task-id", "[23]/1_*", "--agent", "tools")


def test_a_comparison_pairs_the_tasks_and_says_that_the_names_differ(run: Path, plain: Path, golden: Golden) -> None:
    golden(herobench("compare", plain, run, columns=200))
    told = json.loads(herobench("compare", run, plain, "--json").stdout)
    assert schema_problems(told, "comparison", "stdout") == []
    assert told["remarks"] == {"first": {"names": "random"}, "second": {"names": "plain"}}
    assert "remarks" not in json.loads(herobench("compare", run, run, "--json").stdout)


def test_samples_are_grouped_by_names(run: Path, plain: Path) -> None:
    assert "names" not in read_jsonl(plain / "samples.jsonl")[0]["details"]
    assert "names" not in json.loads((plain / "run.json").read_text("utf-8"))["conduct"]["options"]
    done = herobench("analyze", run, plain, "--by", "names", "--format", "json")
    groups = [one["by"]["names"] for one in json.loads(done.stdout)["runs"]]
    assert [[row["name"] for row in rows] for rows in groups] == [["random"], ["plain"]]
    (actions,) = {
        tuple(sorted(sample["details"]["oracle_actions"] for sample in read_jsonl(folder / "samples.jsonl")))
        for folder in (run, plain)
    }
    assert len(actions) == 2


@pytest.mark.slow
def test_private_twins_have_opaque_names_whatever_the_originals_have(tmp_path: Path) -> None:
    task = ("--dataset", "base", "--task-id", "2/1_*", "--fresh", "5")
    runs = asked(tmp_path / "plain", *task), asked(tmp_path / "other", *task, *RANDOMLY)
    (rows, other_rows) = (read_jsonl(run / "tasks.jsonl") for run in runs)
    assert rows[0]["world"] == other_rows[0]["world"] == with_names(load_world(), RANDOM).digest
    for run in runs:
        assert read_jsonl(run / "samples.jsonl")[0]["details"]["names"] == "random"
        assert herobench("score", run).returncode == 0


def test_answers_are_scored_under_the_names_that_they_use(tmp_path: Path) -> None:
    tasks = made(tmp_path / "plain", *OPTIONS)
    answers = tmp_path / "answers.jsonl"
    rows = read_jsonl(made(tmp_path / "other", *OPTIONS, *RANDOMLY))
    plans = ({"task_id": row["id"], "answer": f"```python\n{row['certificate']['plan']}```"} for row in rows)
    answers.write_text("".join(f"{json.dumps(plan)}\n" for plan in plans), "utf-8")
    for names, won in (("random", {"win"}), ("plain", {"lose"})):
        done = herobench("score", tasks, answers, "--names", names, "-o", tmp_path / names)
        assert done.returncode == 0, done.stderr
        assert {row["outcome"] for row in read_jsonl(tmp_path / names)} == won
    assert {row["names"] for row in read_jsonl(tmp_path / "random")} == {"random"}
    assert not any("names" in row for row in read_jsonl(tmp_path / "plain"))


def test_tasks_are_shown_under_opaque_names() -> None:
    words = ("tasks", "prompt", "9/2_Lich_kill", "--suite", "rpg")
    plain, said, other = (herobench(*words, *names).stdout for names in ((), ("--names", "plain"), RANDOMLY))
    assert said == plain != other
    assert "lich" in plain
    assert "lich" not in other.lower()
    told = json.loads(herobench("tasks", "show", "9/2_Lich_kill", "--json", *RANDOMLY).stdout)
    assert f"(code `{told['target']}`)" in other


@for_each(
    "command", ["run --model noop", "generate", "validate base", "score base answers.jsonl -o out.jsonl", "tasks list"]
)
def test_other_names_are_refused(command: str, tmp_path: Path, golden: Golden) -> None:
    write_jsonl(tmp_path / "answers.jsonl", [])
    golden(herobench(*command.split(), "--names", "house", cwd=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["answers.jsonl"]
