"""What the program does where an ordinary user may not read or write: one sentence with the path, and nothing lost."""

from pathlib import Path

import pytest

from tests.builders import documents, write_world
from tests.cli.running import TASKS, contents
from tests.ordinary_user import as_ordinary_user
from tests.program import herobench
from tests.sizes import one_in

ANSWERS = TASKS.parent / "answers.jsonl"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("begun")
    assert herobench("run", "-m", "noop", "--tasks", TASKS, "-o", folder / "run").returncode == 0
    return folder / "run"


@pytest.fixture
def place(tmp_path: Path, begun: Path) -> Path:
    """A folder with one that may be read alone, a file that may be, one that may not, and a folder without x."""
    for name in ("readonly", "closed"):
        (tmp_path / name).mkdir()
    write_world(tmp_path / "world", documents())
    (tmp_path / "world" / "items.json").chmod(0)
    (tmp_path / "closed" / "tasks.jsonl").write_bytes(TASKS.read_bytes())
    (tmp_path / "readonly" / "old").write_text("old")
    (tmp_path / "run").mkdir()
    for name, content in contents(begun).items():
        (tmp_path / "run" / name).write_bytes(content)
    for name, mode in (("readonly", 0o500), ("closed", 0o600), ("run", 0o500)):
        (tmp_path / name).chmod(mode)
    (tmp_path / "unreadable").write_text("{}")
    (tmp_path / "unreadable").chmod(0)
    (tmp_path / "unwritable").write_text("old")
    (tmp_path / "unwritable").chmod(0o400)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "path"),
    one_in(
        3,
        [
            (["score", TASKS, ANSWERS, "-o", "readonly/new"], "readonly/new"),
            (["score", TASKS, ANSWERS, "-o", "readonly/old"], "readonly/old"),
            (["score", TASKS, ANSWERS, "-o", "closed/new"], "closed/new"),
            (["score", "closed/tasks.jsonl", ANSWERS, "-o", "new"], "closed/tasks.jsonl"),
            (["score", TASKS, "unreadable", "-o", "new"], "unreadable"),
            (["score", "run"], "run/"),
            (["run", "--resume", "run"], "run/"),
            (["run", "-m", "noop", "--tasks", TASKS, "-o", "readonly/run"], "readonly/run"),
            (["run", "-m", "noop", "--tasks", TASKS, "-o", "closed/run"], "closed/run"),
            (["run", "-m", "noop", "--tasks", TASKS, "--world", "world", "-o", "new"], "world/items.json"),
            (["run", "-m", "replay:unreadable", "-o", "new"], "unreadable"),
            (["generate", "--count", "1", "-o", "readonly/new"], "readonly/new"),
            (["import", "unreadable", "-o", "new"], "unreadable"),
            (["analyze", "run", "--format", "csv", "-o", "unwritable"], "unwritable"),
            (["analyze", "run", "--format", "html", "-o", "readonly/new.html"], "readonly/new.html"),
            (["analyze", "run", "--format", "parquet", "-o", "readonly/new"], "readonly/new"),
            (["plot", "run", "-o", "readonly/new"], "readonly/new"),
            (["world", "show", "world"], "world/items.json"),
            (["world", "new", "readonly/new"], "readonly/new"),
            (["cache", "clear", "unwritable"], "unwritable"),
        ],
    ),
    ids=lambda words: (
        " ".join(map(str, words)).replace(str(TASKS.parent), "").replace("/", ".") if isinstance(words, list) else ""
    ),
)
def test_what_may_not_be_read_or_written_is_named_and_nothing_is_changed(
    words: list[str | Path], path: str, place: Path
) -> None:
    before = contents(place)
    done = as_ordinary_user(*words, cwd=place)
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert path in done.stderr
    after = contents(place)
    assert {name: after.get(name) for name in before if name != "run/lock"} == {
        name: content for name, content in before.items() if name != "run/lock"
    }
    assert not {name for name in after if name.startswith("new")}
