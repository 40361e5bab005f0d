"""A suite can be deleted with its tests, its pages and the lines that name them, and the tests of the rest pass."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.test_architecture import SISTERS
from tests.without_suite import ROOT, copy_without

ROOMS = ("cli", "suite", "test_architecture.py", "test_docs.py", "test_readme.py")
"""The tests that show most of what is missing; all others are collected."""
QUICK = "not (slow or kills or browser or conformance or packaging or proves)"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the files of the tree are known by git alone"),
]


@pytest.mark.parametrize("suite", SISTERS)
def test_the_tests_of_the_rest_pass_without_a_suite(suite: str, tmp_path: Path) -> None:
    tests = [str(copy_without([suite], tmp_path)), "-m", "pytest", "-q", "-m", QUICK, "-p", "no:cacheprovider"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HEROBENCH", "PYTEST"))}
    for words in (["--collect-only"], [f"tests/{room}" for room in ROOMS]):
        done = subprocess.run([*tests, *words], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3_000:] + done.stderr
