"""verl's own dataset and loader give rows near a policy's horizon, in a venv of their own."""

import json
from pathlib import Path

import pytest

from tests.surfaces.environment import Environment, environment_with_torch

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def verl(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment_with_torch(tmp_path_factory.mktemp("verl"), "verl>=0.9")
    assert tuple(map(int, made.version("verl").split(".")[:2])) >= (0, 9)
    return made


def test_draws_follow_what_its_workers_score(verl: Environment, tmp_path: Path) -> None:
    rows = Path(__file__).with_name("verl_rows.py")
    done = verl.run("python", rows, cwd=tmp_path, extra={"PYTHONWARNINGS": "ignore"})
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert len(told["drawn"]) == 3 * 12
    later = [length for draw in told["drawn"][18:] for length in draw]
    assert 0.35 <= sum(length <= 30 for length in later) / len(later) <= 0.65
    assert told["validated"], "a validation has its rows in their order"
