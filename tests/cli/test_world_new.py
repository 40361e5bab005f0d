from pathlib import Path

from tests.golden import Golden
from tests.program import Done, herobench, read_jsonl
from tests.sizes import for_each


def new(folder: Path, *args: str) -> Done:
    done = herobench("world", "new", folder.name, *args, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    return done


def test_a_new_world_makes_tasks_of_several_difficulties_that_the_oracle_wins(tmp_path: Path) -> None:
    done = new(tmp_path / "my-world")
    assert done.stdout.startswith("my-world is ready; its README.md explains the files.")
    made = herobench(
        *("generate", "--world", "my-world", "--difficulty", "1-3", "--count", "6", "-o", "t.jsonl"), cwd=tmp_path
    )
    assert made.returncode == 0, made.stderr
    rows = read_jsonl(tmp_path / "t.jsonl")
    assert sorted(row["id"][0] for row in rows) == ["1", "1", "2", "2", "3", "3"]
    played = herobench(
        *("run", "--world", "my-world", "--tasks", "t.jsonl", "--model", "oracle", "--fail-under", "100", "-o", "run"),
        cwd=tmp_path,
    )
    assert played.returncode == 0, played.stderr
    proven = herobench("validate", "t.jsonl", "--world", "my-world", cwd=tmp_path)
    assert proven.stdout == "6 of 6 tasks hold\n"


@for_each(
    "args",
    [
        ("--like", "nowhere"),
        ("--name", "♥"),
        ("--name", "x" * 81),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_written(
    args: tuple[str, ...], tmp_path: Path, golden: Golden
) -> None:
    golden(herobench("world", "new", tmp_path / "new", *args))
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_place_for_a_world(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "file").write_text("")
    golden(herobench("world", "new", tmp_path / "file"))
