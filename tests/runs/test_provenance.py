"""Where a run comes from, and that no key is in it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from herobench.runs import config
from herobench.runs.config import now, session_row
from tests.runs.manifest import manifest_row


def test_a_session_says_what_was_installed_and_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    row = session_row(["herobench", "run", "--model", "m"], None)
    assert row["argv"] == ["herobench", "run", "--model", "m"]
    assert (row["python"], row["herobench"]) == (platform.python_version(), version("herobench"))
    assert row["packages"]["openai"] == version("openai")
    assert (row["finished"], row["ended"]) == (None, None)
    assert schema_problems({**manifest_row(), "sessions": [row]}, "run", "run.json") == []


def test_the_time_is_in_utc_and_to_the_millisecond() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ", now())
    assert now() <= now()


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
def test_the_state_of_the_source_is_its_commit_and_whether_it_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    source = tmp_path / "source"
    source.mkdir()

    def git(*args: str) -> str:
        author = ["-c", "user.name=n", "-c", "user.email=e@x"]
        done = subprocess.run(["git", "-C", source, *author, *args], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    file = source / Path(config.__file__).name
    file.write_text("1\n")
    assert config._git_state(source) is None, "no repository"
    git("init")
    git("commit", "--allow-empty", "-m", "a")
    assert config._git_state(source) is None, "one that does not know the file, as of a project it is installed in"
    git("add", ".")
    git("commit", "-m", "c")
    (source / "untracked").write_text("")
    commit = git("rev-parse", "HEAD")
    assert config._git_state(source) == {"commit": commit, "dirty": False}
    file.write_text("2\n")
    assert config._git_state(source) == {"commit": commit, "dirty": True}


def test_without_git_nothing_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "_own_git_state", cache(config._own_git_state.__wrapped__))
    monkeypatch.setenv("PATH", "")
    assert session_row([], None)["git"] is None


def test_a_process_asks_once_for_the_state_of_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(config, "_git_state", lambda folder: asked.append(folder) or {"commit": "c", "dirty": False})
    monkeypatch.setattr(config, "_own_git_state", cache(config._own_git_state.__wrapped__))
    assert [session_row([], None)["git"] for _ in range(2)] == [{"commit": "c", "dirty": False}] * 2
    assert asked == [Path(config.__file__).resolve().parent]
