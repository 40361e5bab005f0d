"""A copy of the tree without a suite, ready to be tested: `python -m tests.without_suite FOLDER SUITE...`.

Deleted are the suite's folder, its tests with their golden files, its pages, and each line of pyproject.toml, of the
navigation and of a table or list in the documentation that names one of these. A link to such a page becomes its text.
The copy has an environment of its own, in which the program is installed without the suite.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from sysconfig import get_path

from tests import test_size

ROOT = Path(__file__).parents[1]


def copy_without(suites: Sequence[str], target: Path) -> Path:
    """Make the copy, and return the Python of its environment."""
    names = "|".join(suites) or "(?!)"  # which is no name
    parts = re.compile(
        rf"(?:herobench|tests)/suites/(?:{names})/|docs/(?:{names})\w*\.md|tests/golden/suites\.(?:{names})\."
    )
    files = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    for name in filter(None, files):
        if not parts.match(name) and (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
    drop_lines(target / "pyproject.toml", rf"herobench\.suites\.(?:{names})\b")
    drop_lines(target / "zensical.toml", rf'"(?:{names})\w*\.md"')
    for page in [*target.glob("*.md"), *target.glob("docs/*.md")]:
        drop_lines(page, rf"(?:- |\|).*(?:{parts.pattern}|\((?:docs/)?(?:{names})\w*\.md)")
        text = page.read_text("utf-8")
        page.write_text(re.sub(rf"\[([^]]+)\]\((?:docs/)?(?:{names})\w*\.md[^)]*\)", r"\1", text), "utf-8")
    lower_sizes(target)
    return install(target)


def lower_sizes(target: Path) -> None:
    """Lower the numbers of lines that the tree may have by those that were deleted."""
    test = target / "tests" / "test_size.py"
    text = test.read_text("utf-8")
    for name, folders in (("SOURCE", test_size.SOURCES), ("TESTS", ("tests",))):
        deleted = test_size.lines(ROOT, *folders) - test_size.lines(target, *folders)
        text = re.sub(rf"(?m)^{name} = .*", f"{name} = {getattr(test_size, name) - deleted}", text)
    test.write_text(text, "utf-8")


def drop_lines(file: Path, pattern: str) -> None:
    """Drop the lines of a file that match."""
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not re.match(f".*{pattern}", line)), "utf-8")


def install(target: Path) -> Path:
    """Install a tree in an environment that has the other packages of this one."""
    venv.create(target / ".venv", symlinks=True)
    paths = {"base": str(target / ".venv"), "platbase": str(target / ".venv")}
    packages = Path(get_path("purelib", vars=paths))
    (packages / "here.pth").write_text(f"{target}\n{get_path('purelib')}\n", "utf-8")
    project = tomllib.loads((target / "pyproject.toml").read_text("utf-8"))["project"]
    information = packages / f"herobench-{project['version']}.dist-info"
    information.mkdir()
    about = f"Metadata-Version: 2.1\nName: herobench\nVersion: {project['version']}\n"
    (information / "METADATA").write_text(about, "utf-8")
    groups = {**project["entry-points"], "console_scripts": project["scripts"]}
    lines = [line for name, points in groups.items() for line in (f"[{name}]", *map(" = ".join, points.items()))]
    (information / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    scripts = Path(get_path("scripts", vars=paths))
    program = scripts / "herobench"
    program.write_text(
        f"#!{scripts / 'python'}\nimport sys\n\nfrom herobench.cli import main\n\n"
        'if __name__ == "__main__":\n    sys.exit(main())\n',
        "utf-8",
    )
    program.chmod(0o755)
    return scripts / "python"


if __name__ == "__main__":
    print(copy_without(sys.argv[2:], Path(sys.argv[1]).resolve()))
