"""The oldest SDK that is allowed works as the newest does: the tests of the models pass with it.

Trainers pin openai 2, so who trains with HeroBench has it installed. The newest is in the environment of all tests.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.test_packaging import OUT_OF_REACH

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[1]


def oldest_version(package: str) -> str:
    """The oldest version of a package that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = (need for need in map(Requirement, project["dependencies"]) if need.name == package)
    (floor,) = (part.version for part in wanted.specifier if part.operator == ">=")
    return floor


def test_the_oldest_sdk_that_is_allowed_serves_as_well(tmp_path: Path) -> None:
    floor = oldest_version("openai")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(tmp_path), f"openai=={floor}.*"]
    done = subprocess.run(install, capture_output=True, text=True, timeout=300)
    if done.returncode and any(sign in done.stderr for sign in OUT_OF_REACH):
        pytest.skip(f"openai {floor} cannot be installed here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    for name in ("HEROBENCH_TESTS", "HEROBENCH_TURN"):  # a sample of these tests would be empty
        environment.pop(name, None)
    asked = "import openai; print(openai.__version__)"
    version = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True)
    assert version.stdout.startswith(floor)
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-m", "not slow", "tests/models"]
    passed = subprocess.run(tests, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=800)
    assert passed.returncode == 0, passed.stdout[-4_000:]
