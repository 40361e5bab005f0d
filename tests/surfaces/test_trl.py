"""One step of GRPO by TRL's own trainer, with a tiny model of random weights on a processor, in a venv of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.authorities import with_authorities
from tests.surfaces.environment import ROOT, Environment
from tests.test_packaging import OUT_OF_REACH

pytestmark = pytest.mark.packaging
TORCH = "torch==2.13.0"


@pytest.fixture(scope="module")
def trl(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A venv by pip: it takes torch for processors where a folder of wheels offers it, and no other torch is wanted."""
    made = Environment(tmp_path_factory.mktemp("trl") / "venv")
    subprocess.run([sys.executable, "-m", "venv", made.path], check=True)
    install = [made.bin / "python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    for needs in (["--no-index", "--no-deps", TORCH], ["trl>=1.16", TORCH], ["--editable", str(ROOT)]):
        done = subprocess.run([*install, *needs], env=with_authorities(), capture_output=True, text=True, timeout=900)
        if done.returncode and any(sign in done.stderr for sign in OUT_OF_REACH):
            pytest.skip(f"{needs[-1]} cannot be installed here: {done.stderr.strip().splitlines()[-1]}")
        assert done.returncode == 0, done.stderr
    return made


def test_a_step_of_grpo_logs_rewards_and_the_causes_of_failures(trl: Environment, tmp_path: Path) -> None:
    done = trl.run("python", Path(__file__).with_name("grpo_step.py"), cwd=tmp_path, extra={"PYTHONWARNINGS": "ignore"})
    assert done.returncode == 0, done.stderr
    logged = json.loads(done.stdout.splitlines()[-1])
    assert logged["step"] == 1
    assert logged["changed"]
    assert logged["herobench/unmeasured"] == 0
    assert logged["rewards/reward/mean"] == logged["herobench/score"] == 0
    assert logged["rewards/async_reward/mean"] == logged["herobench/progress"] == 0
    assert len(logged["failures"]) >= 4
    assert all(logged["failures"])
