"""The wheel holds the package and nothing else, and of the package everything.

Building it takes setuptools 77: where only an older one is installed, pip fetches one from the package registry, and
the tests are skipped, saying so, where there is none to be reached.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[1]
BESIDE = ("analysis", "prompts", "task_gen", "world_data")
SHIPPED = {".py", ".json", ".jsonl", ".md", ".typed", ".html", ".css", ".js", ".txt", ".xz", ".pddl", ".sexp", ".yaml"}
OUT_OF_REACH = (
    "No matching distribution",
    "Could not find a version",
    "Connection",
    "Temporary failure",
    "No module named",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the tree, so that no build folder is left in it."""
    tree, out = tmp_path_factory.mktemp("tree") / "herobench", tmp_path_factory.mktemp("wheel")
    junk = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build")

    def left_out(folder: str, names: list[str]) -> set[str]:
        return {*junk(folder, names), *(["tests"] if Path(folder) == ROOT else [])}

    shutil.copytree(ROOT, tree, symlinks=True, ignore=left_out)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(out), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode and any(sign in done.stderr for sign in OUT_OF_REACH):
        pytest.skip(f"no wheel can be built here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


def shipped_files() -> Iterator[str]:
    """What the tree has to ship, under the names that it has in the wheel."""
    for folder in ("herobench", *BESIDE):
        for path in (ROOT / folder).rglob("*"):
            inside = path.relative_to(ROOT).parts
            behind_a_link = inside[0] == "herobench" and inside[1] in BESIDE
            if path.is_file() and path.suffix in SHIPPED and not behind_a_link:
                yield "/".join(inside if folder == "herobench" else ("herobench", *inside))


def names_in(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_holds_the_package_and_its_dist_info_only(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names_in(wheel)}
    assert tops == {"herobench", f"herobench-{version('herobench')}.dist-info"}


def test_the_wheel_holds_every_file_that_the_tree_has_to_ship(wheel: Path) -> None:
    held = {name for name in names_in(wheel) if name.startswith("herobench/")}
    assert held == set(shipped_files())


def test_what_was_unpacked_from_the_wheel_works_by_itself(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = """
import herobench, herobench.task_gen.rpg.published, herobench.analysis.statistics.tally, importlib.util
print(herobench.__file__, herobench.load_world().code, importlib.util.find_spec("task_gen"))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.stdout.split() == [str(tmp_path / "herobench" / "__init__.py"), "classic", "None"]
