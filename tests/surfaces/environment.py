"""Environments of their own for other tools: a venv that holds one extra and this package, made once and kept.

Their pins clash with each other, so none of them is in the environment of all tests. Where the package registry is out
of reach, tests skip and say so.
"""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.authorities import with_authorities
from tests.test_packaging import OUT_OF_REACH

ROOT = Path(__file__).parents[2]
_INSTALL = 900
TORCH = "torch==2.13.0"


@dataclass(frozen=True)
class Environment:
    """A venv."""

    path: Path

    @property
    def bin(self) -> Path:
        return self.path / "bin"

    def run(
        self,
        *words: str | Path,
        cwd: Path,
        extra: Mapping[str, str] = MappingProxyType({}),
        given: str | None = None,
        seconds: int = 600,
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of the venv, or `python`, with the venv first on the path."""
        return subprocess.run(
            [self.bin / words[0], *words[1:]],
            cwd=cwd,
            env=self.variables(extra),
            input=given,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def variables(self, extra: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
        """Return the variables of a program of the venv."""
        made = {**with_authorities(), **extra, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}"}
        made.pop("PYTHONPATH", None)
        return {**made, "HF_HUB_OFFLINE": "1", "NO_PROXY": "127.0.0.1,localhost"}

    def version(self, package: str) -> str:
        asked = f"from importlib.metadata import version; print(version({package!r}))"
        return self.run("python", "-c", asked, cwd=self.path).stdout.strip()


def python_from(version: str) -> str:
    """Return a Python of this version or a later one. Skip the test where there is none."""
    find = [sys.executable, "-m", "uv", "python", "find", "--no-python-downloads", f">={version}"]
    found = subprocess.run(find, capture_output=True, text=True)
    if found.returncode == 0:
        return found.stdout.strip()
    # uv stops at the shims of pyenv, which name versions that are not switched on
    of_pyenv = (path / "bin" / "python" for path in Path.home().glob(".pyenv/versions/3.*"))
    fit = [path for path in of_pyenv if path.exists() and _numbers(path.parts[-3]) >= _numbers(version)]
    if not fit:
        pytest.skip(f"there is no Python {version} or later here")
    return str(fit[0])


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def make_environment(
    folder: Path, *needs: str, herobench: str | None = "", python: str = sys.executable
) -> Environment:
    """Make a venv with some requirements and this package, with an extra such as `inspect`; None for none of it."""
    made = Environment(folder / "venv")
    subprocess.run([sys.executable, "-m", "uv", "venv", "--quiet", "--python", python, made.path], check=True)
    own = [] if herobench is None else ["--editable", f"{ROOT}[{herobench}]" if herobench else str(ROOT)]
    install(made, *needs, *own)
    return made


def environment_with_torch(folder: Path, *needs: str) -> Environment:
    """Make a venv with torch for processors, which only pip takes from a folder of wheels; no other torch is fetched.
    Skip the test where there is no such folder."""
    made = make_environment(folder)
    command = [sys.executable, "-m", "pip", "--python", made.bin / "python", "install", "--quiet", "--no-index"]
    done = subprocess.run([*command, "--no-deps", TORCH], capture_output=True, text=True, timeout=_INSTALL)
    if done.returncode:
        pytest.skip(f"{TORCH} is in no folder of wheels here: {done.stderr.strip().splitlines()[-1]}")
    install(made, *needs, TORCH)
    return made


def install(made: Environment, *needs: str) -> None:
    """Install requirements by uv. Where the package registry is out of reach, skip the test."""
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", made.bin / "python", *needs]
    done = subprocess.run(command, env=with_authorities(), capture_output=True, text=True, timeout=_INSTALL)
    if done.returncode and any(sign in done.stderr for sign in (*OUT_OF_REACH, "Failed to fetch", "dns error")):
        pytest.skip(f"{', '.join(needs[:1])} cannot be installed here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


def status_by_name(url: str, host: str, body: bytes | None = None) -> int:
    """Return the status of a request to a URL by the name that a page of another machine may have for this one."""
    request = urllib.request.Request(url, body, {"Host": host, "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            status: int = answer.status
            return status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
