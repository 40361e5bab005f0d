"""The program with few file descriptors: it says so in a sentence, and begins nothing."""

import resource
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import TASKS, contents
from tests.program import command, surroundings


@pytest.mark.slow
def test_a_run_is_not_begun_where_its_descriptors_would_run_out(tmp_path: Path) -> None:
    done = subprocess.run(
        command("run", "-m", "noop", "--tasks", TASKS, "-o", "run"),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=surroundings(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    )
    assert (done.returncode, len(done.stderr.splitlines()), "open files" in done.stderr) == (2, 1, True), done
    assert contents(tmp_path) == {}
