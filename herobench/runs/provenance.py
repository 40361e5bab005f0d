"""Records where a session comes from: the packages, the commit, the command line. Never a key."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from herobench.models.endpoint import key_in
from herobench.runs.config import hidden_argument

_PACKAGES = ("RestrictedPython", "httpx", "httpx2", "jsonschema", "numpy", "openai")
_SECONDS = 10


def now() -> str:
    """Return the time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def session_row(argv: Sequence[str], key_name: str | None) -> dict[str, Any]:
    """Return the row of a session that begins. The key is taken out of the command line."""
    key = key_in(key_name)
    return {
        "argv": [hidden_argument(argument, [key] if key else []) for argument in argv],
        "herobench": version("herobench"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "git": _git_state(Path(__file__).resolve().parent),
        "started": now(),
        "finished": None,
        "ended": None,
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _git_state(folder: Path) -> dict[str, Any] | None:
    """Return the commit of this code, and whether it was changed since; None where git does not track it."""
    git = shutil.which("git")
    # an installed package may lie inside a foreign repository, whose commit says nothing of this code
    if git is None or _said(git, folder, "ls-files", "--error-unmatch", "provenance.py") is None:
        return None
    commit = _said(git, folder, "rev-parse", "HEAD")
    changed = _said(git, folder, "status", "--porcelain", "--untracked-files=no")
    return None if commit is None else {"commit": commit, "dirty": changed != ""}


def _said(git: str, folder: Path, *args: str) -> str | None:
    # without optional locks `git status` writes nothing, so it disturbs no other git in the same tree
    surroundings = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(
            [git, "-C", str(folder), *args], capture_output=True, text=True, timeout=_SECONDS, env=surroundings
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
