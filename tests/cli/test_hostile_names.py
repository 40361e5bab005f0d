"""Names that mean harm: nothing is written or read outside of where it should be, and each refusal is a sentence."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.cli import main
from herobench.runs.folder import RunFolder
from herobench.suites.rpg.worlds.content import load_world
from tests.builders import TINY, task_row
from tests.cli.running import TASKS, contents
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import one_in

NAMES = {
    "up": "../../out",
    "absolute": "/proc/herobench/out",
    "zero": "a\0b",
    "line": "a\nb",
    "backslash": "..\\..\\out",
    "long": "n" * 5000,
    "device of Windows": "CON",
    "dash": "-rf",
    "home": "~/out",
    "shell": "$(touch out)",
    "half": "a\udcffb",
    "escapes": "[red]m[/] \x1b]0;title\x07\x9b31m\r\x08\u202egnp\u200b\nx",
    "colon": "C:../../out",
    "other colon": "replay:../../out",
    "plus": "classic+../../out",
    "dots": "..",
}


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return NAMES[request.param]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder some way down, where the program is at work."""
    folder = tmp_path / "one" / "two"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Runs the program in this process; its exit code and what it says come back."""

    def run(*words: str | Path) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["herobench", *map(str, words)])
        for stream in ("stdout", "stderr"):  # as Python opens them
            monkeypatch.setattr(sys, stream, io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace"))
        try:
            main()
            code: Any = 0
        except SystemExit as left:
            code = left.code
        except Exception as error:
            raise AssertionError(f"a traceback for {words}") from error
        return int(code or 0), "".join(_told(stream) for stream in (sys.stdout, sys.stderr))

    return run


def _told(stream: Any) -> str:
    stream.flush()
    told: bytes = stream.buffer.getvalue()
    return told.decode()


TAKERS = [
    ["world", "show", "NAME"],
    ["world", "new", "--like=NAME", "new"],
    ["world", "validate", "--", "NAME"],
    ["run", "-mnoop", "--world=NAME", "-o", "new"],
    ["run", "-mnoop", "--dataset=NAME", "-o", "new"],
    ["run", "-mnoop", f"--tasks={TASKS}", "--rules=NAME", "-o", "new"],
    ["run", "-mnoop", f"--tasks={TASKS}", "--agent=NAME", "-o", "new"],
    ["run", "-mreplay:NAME", f"--tasks={TASKS}", "-o", "new"],
    ["generate", "--dataset=NAME", "-o", "new"],
    ["tasks", "show", "--", "NAME"],
    ["schema", "--", "NAME"],
    ["gear", "--", "NAME"],
    ["analyze", str(TASKS), "--by=NAME"],
]
"""Command lines that take a name."""


def each_with_names() -> Iterator[Any]:
    """The command lines with the names. Two of three are slow, so that each line and each name is tried quickly too."""
    for takes, words in enumerate(TAKERS):
        for number, (kind, name) in enumerate(NAMES.items()):
            marks = [pytest.mark.slow] if (takes + number) % 3 else []
            yield pytest.param(words, name, id=f"{' '.join(words).replace(str(TASKS), TASKS.name)}-{kind}", marks=marks)


@pytest.mark.parametrize(("words", "name"), list(each_with_names()))
def test_a_name_that_nothing_has_is_refused_and_nothing_is_written(
    words: list[str], name: str, place: Path, program: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    code, told = program(*(word.replace("NAME", name) for word in words))
    assert code == 2, told
    assert told.strip()
    assert all(character == "\n" or character.isprintable() for character in told)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("name", one_in(3, [name for name in NAMES.values() if "\0" not in name and ":" not in name]))
def test_a_run_without_a_folder_of_its_own_goes_into_runs_whatever_its_model_and_tasks_are_called(
    name: str, place: Path, program: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    stem = name.replace("/", "\\")[:200]
    tasks = place / f"{stem}.jsonl"
    write_jsonl(tasks, read_jsonl(TASKS)[:1])
    for model, done in (("noop", 0), (name, 1)):
        code, told = program(
            "run", f"--model={model}", f"--tasks={tasks}", "--base-url", "http://127.0.0.1:9/v1", "--max-retries", "0"
        )
        assert code in (done, 2), told
        assert code == done or not name.isprintable() or len(name) > 1000, told
    made = [path for path in tmp_path.rglob("*") if path.is_file() and path != tasks]
    assert made
    assert {path.parent.parent for path in made} == {place / "runs"}
    assert all(len(path.parent.name) < 140 for path in made)


@pytest.mark.slow
def test_ids_of_tasks_make_no_file_names(place: Path, program: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    world = load_world(TINY)
    ids = [name for name in NAMES.values() if name.isprintable() and len(name) < 200]
    write_jsonl(place / "tasks.jsonl", [task_row(world, id=task_id) for task_id in ids])
    begin = ("run", "-m", "noop", "--tasks", "tasks.jsonl", "--world", TINY, "-o", "run")
    assert program(*begin)[0] == 0
    before = contents(tmp_path)
    assert {str(Path(name).parent) for name in before} == {"one/two", "one/two/run"}
    for words in (
        ["analyze", "run", "--format", "html", "-o", "out/page.html"],
        ["analyze", "run", "--format", "csv", "-o", "out/rows.csv"],
        ["plot", "run", "-o", "out"],
        ["score", "run"],
    ):
        (place / "out").mkdir(exist_ok=True)
        code, told = program(*words)
        assert code == 0, told
    after = contents(tmp_path)
    assert {str(Path(name).parent) for name in after} == {"one/two", "one/two/run", "one/two/out"}
    assert {Path(name).suffix for name in after if "/out/" in name} == {".html", ".csv", ".pdf", ".png", ".svg"}
    assert all("out" not in Path(name).name for name in after)


def test_what_is_written_as_a_world_replaces_no_link(tmp_path: Path, program: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "kept").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    code, told = program("world", "new", tmp_path / "link")
    assert (code, contents(tmp_path / "target")) == (2, {"kept": b"kept"}), told


# -- names of files that are no text ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_files_whose_names_are_no_text_are_worked_with(tmp_path: Path) -> None:
    odd = "a\udcffb"
    (tmp_path / f"{odd}.jsonl").write_bytes(TASKS.read_bytes())
    for words, shown in (
        (["run", "-m", "noop", "--tasks", f"{odd}.jsonl", "-o", odd], "run      a\\udcffb"),
        (["run", "--resume", odd], "run      a\\udcffb"),
        (["score", odd], "a\\udcffb under standard rules"),
        (["analyze", odd], "a\\udcffb"),
        (["world", "new", f"w{odd}", "--name", "W"], "wa\\udcffb is ready"),
        (["world", "validate", f"w{odd}"], "wa\\udcffb: valid"),
    ):
        done = herobench(*words, cwd=tmp_path)
        assert done.returncode == 0, done
        assert shown in done.stdout
    assert RunFolder(tmp_path / odd).read_manifest()["sessions"][0]["argv"][-1] == odd
