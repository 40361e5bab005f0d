"""The guide to making worlds, done as it says from its first line to its last, in a folder of its own."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import Done, herobench, read_jsonl

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "world_data" / "README.md").read_text("utf-8")

_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w*)\n(?P<text>.*?)```", re.DOTALL)
_ADD = re.compile(r"In `(?P<file>[^`]+)`, add to `(?P<key>\w+)`:")
_SAY = re.compile(r"Let `(?P<file>[^`]+)` say:")
_EXIT = re.compile(r"# exit code (\d)")


class Reader:
    """Someone who does what a guide says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shown = ""
        self.commands: list[str] = []
        self.edits: list[str] = []

    def follow(self, guide: str) -> None:
        for block in _BLOCK.finditer(guide):
            before, kind, text = block.groups()
            if kind == "console":
                self.shown = "".join(self.run(line) for line in text.splitlines())
            elif kind == "text":
                assert alike(self.shown, text), f"{self.shown}\n--- is not ---\n{text}"
            elif kind == "json":
                self.edit(before, text)
            else:
                raise AssertionError(f"a block of {kind!r}")

    def run(self, line: str) -> str:
        """Run a command, and give back what it shows."""
        prompt, program, *args = shlex.split(line, comments=True)
        assert (prompt, program) == ("$", "herobench"), line
        done: Done = herobench(*args, cwd=self.folder)
        expected = int(found[1]) if (found := _EXIT.search(line)) else 0
        assert done.returncode == expected, (line, done.stdout, done.stderr)
        self.commands.append(line)
        return done.stdout

    def edit(self, how: str, text: str) -> None:
        """Change a file as told, which has to be there."""
        add, say = _ADD.fullmatch(how), _SAY.fullmatch(how)
        told = add or say
        assert told, how
        file = self.folder / told["file"]
        document = json.loads(file.read_text("utf-8"))
        if add:
            document[add["key"]] += json.loads(f"[{text}]")
        else:
            assert document["$schema"] == json.loads(text)["$schema"]
        file.write_text(json.dumps(document) if add else text, "utf-8")
        self.edits.append(told["file"])


def alike(shown: str, told: str) -> bool:
    """Say whether a text is the expected one. A line of dots stands for any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(f"{line}\n") for line in told.splitlines())
    return re.fullmatch(pattern, shown) is not None


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    reader = Reader(tmp_path_factory.mktemp("guide"))
    reader.follow(GUIDE)
    return reader


def test_every_command_and_every_file_of_the_guide_works_as_written(reader: Reader) -> None:
    assert len(reader.commands) == GUIDE.count("\n$ herobench ")
    assert len(reader.edits) == GUIDE.count("```json")


def test_the_guide_shows_every_command_that_makes_worlds(reader: Reader) -> None:
    used = {line.split()[3] for line in reader.commands if line.startswith("$ herobench world ")}
    assert used >= {"new", "show", "validate", "stats", "diff", "map", "remix"}


def test_what_was_made_by_the_guide_is_there(reader: Reader) -> None:
    assert {path.name for path in reader.folder.iterdir()} == {
        *("my-world", "packs", "remix-7", "runs", "tasks.jsonl", "hydra.jsonl", "marsh.html")
    }
    rows = read_jsonl(reader.folder / "runs" / "hydra" / "samples.jsonl")
    assert [row["outcome"] for row in rows] == ["win"] * 4


def test_every_link_of_the_guide_leads_somewhere() -> None:
    assert not [link for link in links(GUIDE) if not (ROOT / "world_data" / link).exists()]


def links(text: str) -> Iterator[str]:
    yield from re.findall(r"\]\((?!https?:)([^)#]+)\)", text)


@pytest.mark.parametrize("template", ["world", "pack"])
def test_every_command_of_a_template_works_as_written(template: str, tmp_path: Path) -> None:
    made = herobench("world", "new", "my thing", *(["--pack"] if template == "pack" else []), cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    reader = Reader(tmp_path)
    for block in re.findall(
        r"```console\n(.*?)```", (tmp_path / "my thing" / "README.md").read_text("utf-8"), re.DOTALL
    ):
        for line in block.splitlines():
            reader.run(line)
    assert len(reader.commands) == (4 if template == "world" else 3)


@pytest.mark.parametrize(
    ("shown", "told", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\n", False),
        ("a\nb\nc\n", "a\n...\n", True),
        ("a\nb\nc\n", "...\nc\n", True),
        ("a\nb\nc\n", "...\nb\n", False),
    ],
)
def test_a_line_of_dots_stands_for_anything(shown: str, told: str, same: bool) -> None:
    assert alike(shown, told) == same
