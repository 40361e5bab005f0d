"""The size of the house. Whoever needs more lines raises a number, and says why in the commit; nobody loses a docstring
or a line break to meet it. Data and generated files have no ending `.py`, and do not count."""

from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ("herobench", "analysis", "prompts", "task_gen", "world_data", "integrations")
SOURCE = 85_410
TESTS = 79_100
SLACK = 150
"""Lines by which a tree may be smaller than its number says. Whoever makes it smaller lowers the number."""


def lines(root: Path, *folders: str) -> int:
    return sum(len(file.read_bytes().splitlines()) for folder in folders for file in modules(root / folder))


def modules(folder: Path) -> Iterator[Path]:
    """The modules in a folder and below. The links to other folders of the tree are not followed."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            yield from modules(path)
        elif path.suffix == ".py":
            yield path


@pytest.mark.parametrize(
    ("folders", "most"),
    [
        (SOURCES, SOURCE),
        (("tests",), TESTS),
    ],
    ids=["source", "tests"],
)
def test_the_tree_has_the_lines_that_its_number_says(folders: tuple[str, ...], most: int) -> None:
    assert most - SLACK <= lines(ROOT, *folders) <= most
